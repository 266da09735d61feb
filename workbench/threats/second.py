"""The second opinion: what a text hides from the client's scanner. Advice only, and rather silent than wrong.

A text is read once more as a model might read it: without what is not drawn, in English letters for look-alikes,
with split words joined, decoded where a run of characters is an encoding. Only when the client's own rules, or a
phrase in another language, hit *there and not in the text as it is* is something said. Nothing is said of a text that
merely holds odd characters, except for two that no honest note has: letters in tag characters, and a row of variation
selectors (both draw nothing and can carry any text).
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice

from workbench.threats.engine import occurring
from workbench.threats.languages import hints, phrases_in
from workbench.threats.views import View, in_english_letters, readable, without_unseen

Rules = Callable[[str], list[tuple[str, int, int]]]
"""The client's rules: (pattern, start, end) of every hit in a text."""

Advice = tuple[str, int, int]
"""(pattern, start, end) in the text as it is given."""

SECOND_IDS = (
    "wb_hidden_letters", "wb_lookalikes", "wb_split_words", "wb_encoded", "wb_other_language", "wb_tag_text",
    "wb_selector_payload",
)  # fmt: skip
LOOKED_AT = 65_536
_MOST_CODED = 40
_LONGEST_CODED = 8_192
_DEPTH = 2
# A character that stands for nothing: no text of ours or the client's means anything by it.
_DROPPED = "\U0010ffff"
# What decodes to less cannot be an instruction, in Chinese either.
_SHORTEST = 6


@cache
def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_SPLIT = r"(?<!\w)(?:[a-zA-Z](?:[ \t]{1,2}|[.\-_*|/·•~+,])){4,}[a-zA-Z](?!\w)"
_SQUEEZED = (
    r"(?:ignore|disregard|forget|override)(?:all|any|the|your|of|my)*(?:previous|prior|above|earlier)?"
    r"(?:system)?(?:instructions?|rules|guidelines|prompts?)|(?:reveal|print|show|output)(?:me|your|the)*systemprompt"
    r"|donottelltheuser"
)
_BASE64 = r"(?<![\w+/=-])[A-Za-z0-9+/_-]{16,}(?:\r?\n[A-Za-z0-9+/_-]{16,})*={0,2}"
_HEX = r"(?<![0-9A-Za-z])(?:0x)?(?:(?:\\x)?[0-9a-fA-F]{2}[ :,]?){12,}"
_PERCENT = r"(?:[\w.~+-]{0,64}%[0-9a-fA-F]{2}[\w.~+-]{0,64}){3,}"
_ENTITIES = r"(?:&#x?[0-9a-fA-F]{2,6};? ?){6,}"
_ESCAPES = r"(?:\\u[0-9a-fA-F]{4} ?){6,}"
_ROT13_WORDS = ("vtaber", "qvfertneq", "vafgehpgvbaf")
_ROT13 = rf"(?i)\b(?:{'|'.join(_ROT13_WORDS)})\b"
_TAGS = "[\U000e0020-\U000e007f]+"
_SELECTORS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}"


def advice(text: str, rules: Rules) -> Iterator[Advice]:
    """Everything the second opinion has to say of the first 65,536 characters, in no particular order.

    Time grows with the length: every step is one pass, and what is decoded is bounded in number and size.
    """
    seen = text[:LOOKED_AT]
    plain = seen.isascii()
    if not plain:
        yield from _unseen_payloads(seen)
        yield from _rewritten(seen, rules)
    yield from _split(seen, rules)
    yield from _encoded(seen, rules)
    low = seen.lower()
    if not plain or any(hint in low for hint in hints()):
        view = readable(seen)
        yield from (("wb_other_language", *view.span(start, end)) for start, end in phrases_in(view))


def could_speak(texts: str) -> Callable[[str], bool]:
    """A quick test for texts in plain ASCII, all of which are in `texts`: whether `advice` could say anything of one.

    What none of them holds is not looked for in each.
    """
    low = texts.lower()
    words = occurring(hints(), low)
    data = texts.encode("ascii")
    possible = [pattern for pattern, sign, _ in _CODES if sign in texts]
    if any(word in low for word in _ROT13_WORDS):
        possible.append(_ROT13)
    possible.append(_SPLIT)
    patterns = [_re(one) for one in possible if _has_run(data, one) and _re(one).search(texts)]

    def could(text: str) -> bool:
        small = text.lower()
        return any(word in small for word in words) or any(pattern.search(text) for pattern in patterns)

    return could


@cache
def _runs() -> dict[str, tuple[bytes, tuple[bytes, ...]]]:
    """Of the patterns that any text may match: kinds of bytes, and rows of kinds, one of which a match has.

    Kinds are h for what encodes, a for other letters, s for what may stand between split letters, `.` for the rest.
    """
    upper, lower, digits = string.ascii_uppercase, string.ascii_lowercase, string.digits
    return {
        _HEX: (_kinds(h=digits + string.hexdigits + "\\x :,"), (b"h" * 24,)),
        _BASE64: (_kinds(h=upper + lower + digits + "+/_-"), (b"h" * 16,)),
        _SPLIT: (_kinds(a=upper + lower, s=" \t.-_*|/+~,"), (b"sasas", b"sassas")),
    }


def _kinds(**of: str) -> bytes:
    """A table for `bytes.translate`: each byte's kind, `.` where none is named."""
    return bytes(next((ord(kind) for kind, chars in of.items() if chr(byte) in chars), 46) for byte in range(256))


def _has_run(data: bytes, pattern: str) -> bool:
    """Whether a text (in ASCII) may match, as far as a row of kinds tells; looked for in a thirtieth of the time."""
    kinds, rows = _runs().get(pattern, (b"", ()))
    found = data.translate(kinds) if rows else b""
    return not rows or any(row in found for row in rows)


def _unseen_payloads(text: str) -> Iterator[Advice]:
    for found in _re(_TAGS).finditer(text):
        # A flag of a region is spelled with tags, after a black flag and up to a cancel tag.
        if text[found.start() - 1 : found.start()] != "\U0001f3f4" or len(found[0]) > 8:
            yield "wb_tag_text", found.start(), found.end()
    for found in _re(_SELECTORS).finditer(text):
        yield "wb_selector_payload", found.start(), found.end()


def _rewritten(text: str, rules: Rules) -> Iterator[Advice]:
    """Hits of the client's rules in the two rewritten texts that have no match in the text as it is."""
    views = [("wb_hidden_letters", without_unseen(text)), ("wb_lookalikes", in_english_letters(text))]
    if all(view is None for _, view in views):
        return
    told = {(pattern, start, end) for pattern, start, end in rules(text)}
    for name, view in views:
        if view is None:
            continue
        for pattern, start, end in rules(view.text):
            begin, stop = view.span(start, end)
            if text[begin:stop].lower() == view.text[start:end].lower() or _overlaps(told, pattern, begin, stop):
                continue
            told.add((pattern, begin, stop))
            yield name, begin, stop


def _overlaps(told: set[Advice], pattern: str, start: int, end: int) -> bool:
    return any(one == pattern and begin < end and start < stop for one, begin, stop in told)


def _split(text: str, rules: Rules) -> Iterator[Advice]:
    """Words whose letters stand apart: `i g n o r e` or `i.g.n.o.r.e`."""
    runs = list(islice(_re(_SPLIT).finditer(text), _MOST_CODED))
    made: list[str] = []
    at = 0
    for run in runs:
        joined = "".join(char for char in run[0] if char.isalpha())
        if _re(_SQUEEZED).search(joined[:_LONGEST_CODED].lower()):
            yield "wb_split_words", run.start(), run.end()
            return
        # What is dropped leaves a mark, so that every place stays where it is; two blanks part words.
        made += (text[at : run.start()], _re(r"([ \t])[ \t]|\W|_").sub(_dropped, run[0]))
        at = run.end()
    if not runs:
        return
    view = View("".join((*made, text[at:])), lambda char: "" if char == _DROPPED else char)
    for _, start, end in rules(view.text):
        begin, stop = view.span(start, end)
        if any(run.start() < stop and begin < run.end() for run in runs):
            yield "wb_split_words", begin, stop
            return


def _dropped(found: re.Match[str]) -> str:
    return _DROPPED + found[1] if found[1] else _DROPPED


def _encoded(text: str, rules: Rules) -> Iterator[Advice]:
    """Runs of characters that decode to something the client would refuse, or to a phrase in another language."""
    budget = [_MOST_CODED]
    for start, end, decoded in _decodings(text, budget):
        if _says_something(decoded, rules, _DEPTH, budget):
            yield "wb_encoded", start, end
    if _rot13_words(text):
        import codecs

        view = codecs.encode(text, "rot13")
        yield from (("wb_encoded", start, end) for _, start, end in rules(view))


def _rot13_words(text: str) -> bool:
    return _re(_ROT13).search(text) is not None


def _says_something(decoded: str, rules: Rules, depth: int, budget: list[int]) -> bool:
    if rules(decoded) or next(phrases_in(readable(decoded)), None) is not None:
        return True
    return depth > 1 and any(
        _says_something(inner, rules, depth - 1, budget) for _, _, inner in _decodings(decoded, budget)
    )


def _decodings(text: str, budget: list[int]) -> Iterator[tuple[int, int, str]]:
    """(start, end, decoded) of the runs that decode to readable text; `budget` bounds how many are tried."""
    for pattern, sign, decode in _CODES:
        for found in _re(pattern).finditer(text) if sign in text else ():
            if budget[0] <= 0:
                return
            budget[0] -= 1
            decoded = decode(found[0][:_LONGEST_CODED])
            if decoded is not None and len(decoded) >= _SHORTEST and decoded != found[0]:
                yield found.start(), found.end(), decoded


def _as_text(data: bytes) -> str | None:
    """The bytes as text if they are text: UTF-8 or (every second byte 0) UTF-16, and nothing unprintable."""
    try:
        text = data.decode("utf-16-le" if data[1:8:2] == b"\0\0\0\0" else "utf-8")
    except UnicodeDecodeError:
        return None
    return text if all(char.isprintable() or char in "\r\n\t" for char in text) else None


def _from_base64(run: str) -> str | None:
    import base64
    import binascii

    compact = "".join(run.split()).rstrip("=")
    compact = compact[: len(compact) - (len(compact) % 4 == 1)]
    try:
        data = base64.b64decode(compact.replace("-", "+").replace("_", "/") + "=" * (-len(compact) % 4))
    except (binascii.Error, ValueError):
        return None
    return _as_text(data)


def _from_hex(run: str) -> str | None:
    digits = re.sub(r"0x|\\x|[ :,]", "", run)
    return _as_text(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _from_percent(run: str) -> str | None:
    from urllib.parse import unquote

    return unquote(run.replace("+", " "))


def _from_entities(run: str) -> str | None:
    import html

    return html.unescape(run)


def _from_escapes(run: str) -> str | None:
    pairs = re.findall(r"\\u([0-9a-fA-F]{4})", run)
    return "".join(chr(int(pair, 16)) for pair in pairs).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# An encoding, a sign without which no text holds it (the search for it is then spared), and how it is undone.
_CODES: tuple[tuple[str, str, Callable[[str], str | None]], ...] = (
    (_HEX, "", _from_hex),
    (_BASE64, "", _from_base64),
    (_PERCENT, "%", _from_percent),
    (_ENTITIES, "&#", _from_entities),
    (_ESCAPES, "\\u", _from_escapes),
)
