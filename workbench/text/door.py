"""`reveal` turns characters that hide, reorder or steer into visible tokens; `unreveal` is its exact inverse.

A token is a name between single angle quotation marks, which nearly every terminal font has: `‹ESC›`, `‹tab›`,
`‹U+202E›`. A text that already holds such a token keeps it apart from a real one: its opening mark is itself shown
as a token. All positions are Python code points.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache

TOKEN_OPEN = "\u2039"
TOKEN_CLOSE = "\u203a"

_C0_NAMES = """
    NUL SOH STX ETX EOT ENQ ACK BEL BS tab LF VT FF CR SO SI
    DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US
"""
_NAMES = {chr(code): name for code, name in enumerate(_C0_NAMES.split()) if name != "LF"} | {
    "\x7f": "DEL",
    "\x85": "NEL",
}
_CHARS = {name: char for char, name in _NAMES.items()}

# Arabic number and verse signs are format characters too, but they are drawn, so they are not in this class.
_HIDDEN = (
    "\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
# One variation selector picks a glyph; a second one in a row draws nothing and can carry hidden bytes.
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINERS = "\u200c\u200d"
_EMOJI = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# Scripts whose spelling needs joiners: Arabic, Syriac, N'Ko, the Indic ones, Myanmar, Khmer, Mongolian.
_JOINING_SCRIPTS = (
    "\u0620-\u06ff\u0710-\u074f\u0750-\u077f\u07c0-\u07ff\u0840-\u085f\u0860-\u08ff\u0900-\u0dff\u0f40-\u0fbc"
    "\u1000-\u109f\u1780-\u17b3\u17b6-\u17d3\u1820-\u18aa\u1b00-\u1b4b\ua8e0-\ua8ff\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
    "\U00011000-\U000114df"
)


@cache
def _joiner() -> re.Pattern[str]:
    """Matches one joiner that belongs to the writing around it."""
    return re.compile(
        rf"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"
        rf"|(?<=[{_JOINING_SCRIPTS}])[{_JOINERS}](?![{_JOINERS}{_HIDDEN}])"
    )


@cache
def _suspects() -> re.Pattern[str]:
    """Matches what may need a token; joiners, selectors and opening marks are judged one by one afterwards.

    One class and nothing else: the engine then skips clean text at full speed.
    """
    return re.compile(rf"[{_HIDDEN}{_JOINERS}{_SELECTORS}{TOKEN_OPEN}]")


@cache
def _plain_suspects() -> re.Pattern[str]:
    """The ASCII part of `_suspects`, several times faster on texts that hold nothing else."""
    return re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


@cache
def _selector() -> re.Pattern[str]:
    return re.compile(rf"(?<![{_SELECTORS}])[{_SELECTORS}]")


@cache
def _token() -> re.Pattern[str]:
    names = "|".join(sorted(_CHARS, key=len, reverse=True))
    return re.compile(rf"{TOKEN_OPEN}(?:({names})|U\+([0-9A-F]{{4,5}}|10[0-9A-F]{{4}})){TOKEN_CLOSE}")


@dataclass(frozen=True)
class Revealed:
    """A text made safe to show, and where its tokens are.

    `offsets` holds one (original index, token start, token end) per token, in order; the last two count in `text`.
    """

    text: str
    offsets: tuple[tuple[int, int, int], ...] = ()

    def to_shown(self, i: int) -> int:
        """The index in `text` of the original's index `i`; the start of the token where that character became one."""
        at = bisect_right(self.offsets, i, key=lambda mark: mark[0]) - 1
        if at < 0:
            return i
        original, start, end = self.offsets[at]
        return start if original == i else end + (i - original - 1)

    def to_original(self, i: int) -> int:
        """The original's index of the index `i` in `text`; any index within a token is the character it stands for."""
        at = bisect_right(self.offsets, i, key=lambda mark: mark[1]) - 1
        if at < 0:
            return i
        original, _start, end = self.offsets[at]
        return original if i < end else original + 1 + (i - end)


def joiner_belongs(text: str, i: int) -> bool:
    """Whether the joiner (U+200C, U+200D) at index `i` is part of an emoji or of an Arabic-script or Indic word."""
    return _joiner().match(text, i) is not None


def _stays(text: str, at: int) -> bool:
    """Whether the suspect at index `at` is harmless where it stands."""
    char = text[at]
    if char in _JOINERS:
        return _joiner().match(text, at) is not None
    if char == TOKEN_OPEN:
        return _token().match(text, at) is None
    return _selector().match(text, at) is not None


def token_for(char: str) -> str:
    """The visible token of one character."""
    return f"{TOKEN_OPEN}{_NAMES.get(char) or f'U+{ord(char):04X}'}{TOKEN_CLOSE}"


def reveal(text: str) -> Revealed:
    """The text with every control, bidi, zero-width, tag and other hiding character as a visible token.

    Line feeds stay. Joiners stay where the writing needs them (`joiner_belongs`). Takes any string, lone surrogates
    included, in linear time, and never raises.
    """
    search = _plain_suspects() if text.isascii() else _suspects()
    if search.search(text) is None:
        return Revealed(text)
    pieces: list[str] = []
    offsets: list[tuple[int, int, int]] = []
    done = shown = 0
    for found in search.finditer(text):
        at = found.start()
        if _stays(text, at):
            continue
        mark = token_for(found[0])
        start = shown + at - done
        pieces += (text[done:at], mark)
        done, shown = at + 1, start + len(mark)
        offsets.append((at, start, shown))
    pieces.append(text[done:])
    return Revealed("".join(pieces), tuple(offsets))


def unreveal(shown: str) -> str:
    """The text that `reveal` made `shown` from: every token becomes its character again, also one typed by hand."""
    if TOKEN_OPEN not in shown:
        return shown
    return _token().sub(lambda found: _CHARS[found[1]] if found[1] else chr(int(found[2], 16)), shown)


def json_text(data: object) -> str:
    """`data` as JSON on one line, exact for a program that reads it, harmless to a terminal that shows it.

    JSON itself escapes only the first 32 control characters; DEL, the eight-bit controls and the marks that reorder
    or break lines are written as their escapes too.
    """
    import json

    text = json.dumps(data, ensure_ascii=False)
    return _steering().sub(lambda found: f"\\u{ord(found[0]):04x}", text)


@cache
def _steering() -> re.Pattern[str]:
    return re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
