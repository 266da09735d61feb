"""Whether somebody's own pattern is safe to run: Python's `re` knows no time limit, and holds every other thread.

First its shape: an endless repetition inside an endless repetition is refused unseen. Then it is run, in a helper
process that can be ended, on texts made of its own letters, each as long as what `own` ever gives a pattern at once.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache

# At this length a pattern whose time grows with the square passes, and one with the cube does not.
SLICE = 2_048
# Seconds of processor time for one text; an ordinary pattern needs a few thousandths.
MOST_SECONDS = 0.25
_STALL_SECONDS = 2.0
_MOST_STALLS = 3
_LONGEST = 500

_HELPER = r"""
import json, re, sys, time
size, patterns = json.load(sys.stdin)
for number, pattern in patterns:
    why, longest, total = "", 0.0, 0.0
    try:
        made = re.compile(pattern, re.IGNORECASE)
        if made.search(""):
            why = "it matches the empty text"
        letters = list(dict.fromkeys([c for c in pattern if c.isalnum()][:12] + ["a", "0", " ", "-", "\n", "é"]))
        words = ["".join(re.findall(r"[\w ]", pattern)) or "ab", "a0 ", *letters]
        for word in words:
            body = (word * size)[:size]
            for text in (body, body[:-1] + "\x00", "\x00" + body[1:]):
                if not why and total < 1:
                    begun = time.process_time()
                    sum(1 for _ in made.finditer(text))
                    taken = time.process_time() - begun
                    longest, total = max(longest, taken), total + taken
    except re.error as error:
        why = "it is no regular expression: " + str(error)
    except (RecursionError, OverflowError, MemoryError, ValueError) as error:
        why = "it cannot be used: " + type(error).__name__
    print(json.dumps([number, why, longest]), flush=True)
"""


def verdicts(patterns: Sequence[str]) -> dict[str, str]:
    """Why each pattern is refused, "" for one that may be used; asked once for each text of a pattern."""
    known: dict[str, str] = {}
    waiting = []
    for pattern in dict.fromkeys(patterns):
        if pattern in _remembered:
            known[pattern] = _remembered[pattern]
        elif why := _by_shape(pattern):
            known[pattern] = why
        else:
            waiting.append(pattern)
    known.update(_by_running(waiting))
    if len(_remembered) > 500:
        _remembered.clear()
    _remembered.update(known)
    return known


_remembered: dict[str, str] = {}


def _by_running(patterns: list[str]) -> dict[str, str]:
    known: dict[str, str] = {}
    stalls = 0
    while len(known) < len(patterns):
        if stalls == _MOST_STALLS:
            return dict.fromkeys(patterns, "it was not tested, others before it took too long") | known
        rest = [(number, pattern) for number, pattern in enumerate(patterns) if pattern not in known]
        output, stalled = _run(rest)
        stalls += stalled
        for line in output.splitlines():
            number, why, taken = json.loads(line)
            known[patterns[number]] = why or ("" if taken <= MOST_SECONDS else _too_slow())
        if stalled or not output.strip():
            # The first one without an answer is the one that did not come back.
            pattern = next((pattern for _, pattern in rest if pattern not in known), None)
            if pattern is not None:
                known[pattern] = _too_slow() if stalled else "it could not be tested, the helper process failed"
    return known


def _too_slow() -> str:
    return f"it takes too long on texts of {SLICE:,} characters; avoid repetitions that can match the same text"


def _run(rest: list[tuple[int, str]]) -> tuple[str, bool]:
    """The helper's answers, and whether it had to be ended."""
    try:
        ran = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _HELPER],
            input=json.dumps([SLICE, rest]),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_STALL_SECONDS + MOST_SECONDS * len(rest),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        partial = (error.stdout or b"").decode("utf-8", "replace")  # bytes, whatever `text` says
        return partial[: partial.rfind("\n") + 1], True
    except OSError:
        return "", False
    return ran.stdout, False


@cache
def _piece() -> re.Pattern[str]:
    opening = r"\((?:\?(?:[imsxauL-]+:|P<\w+>|[:=!>]|<[=!]))?"
    whole = r"\(\?(?:#[^)]*|[aiLmsux]+|P=\w+)\)"
    return re.compile(rf"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|{whole}|{opening}|[\s\S]", re.S)


@cache
def _endless() -> re.Pattern[str]:
    return re.compile(r"(?:[*+]|\{\d*,\})([?+]?)")


def _by_shape(pattern: str) -> str:
    """Refuse what repeats without end something that itself repeats without end; "" for any other shape."""
    if len(pattern) > _LONGEST:
        return f"it is longer than {_LONGEST} characters"
    inside = [False]
    at = 0
    while at < len(pattern):
        endless = _endless().match(pattern, at)
        if endless and at:
            # A possessive repetition gives nothing back, so that nothing can be tried twice.
            inside[-1] = inside[-1] or endless[1] != "+"
            at = endless.end()
            continue
        found = _piece().match(pattern, at)
        piece = found[0] if found else pattern[at]
        at += len(piece)
        if piece.startswith("(") and not piece.endswith(")"):
            inside.append(False)
        elif piece == ")" and len(inside) > 1:
            inner = inside.pop()
            after = _endless().match(pattern, at)
            if inner and after and after[1] != "+":
                return "it repeats without end what repeats without end, which can take for ever"
            inside[-1] = inside[-1] or inner
    return ""
