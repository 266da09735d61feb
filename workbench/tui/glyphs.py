"""The few signs the screen draws itself, with a plain form for terminals that cannot show them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter


@dataclass(frozen=True)
class Glyphs:
    """Signs of one cell each; `logo` stands in the header, `full` and `empty` draw the usage bar."""

    logo: str = "⚕"
    cursor: str = "▌"
    mark: str = "●"
    warning: str = "⚠"
    more: str = "…"
    full: str = "━"
    empty: str = "─"
    times: str = "×"
    tick: str = "✓"
    gone: str = "\u2212"
    rule: str = "│"


PLAIN = Glyphs(
    logo="+", cursor=">", mark="*", warning="!", more="~", full="#", empty="-", times="x", tick="v",
    gone="-", rule="|",
)  # fmt: skip


# Everything this package may draw beyond ASCII that is not text of the user's; each sign keeps its one cell. Borders,
# scroll bars and the punctuation of sentences are drawn by others, so they are replaced on their way out.
_SIGNS = {
    "─━┄╌╴╶╸╺": "-", "│┃┆╎▏▕⎸⎹": "|", "╭╮╰╯┌┐└┘├┤┬┴┼┏┓┗┛": "+", "═": "=", "║": "|",
    "█▇▆▅▄▃▂▌▍▎▋▊▉▐": "#", "▁▔▀": "-", "▪■●•": "*", "░▒▓": ":", "⚠": "!", "⚕": "+", "✓✔": "v", "✗✘×": "x",
    "…": "~", "·": "-", "→▸▶›": ">", "←◂◀‹": "<", "↑▲": "^", "↓▼": "v", "↕": "|", "−–—": "-", "“”„«»": '"', "‘’": "'",
    "≤": "<", "≥": ">", "≈": "~",
}  # fmt: skip
_TO_PLAIN = {ord(sign): plain for signs, plain in _SIGNS.items() for sign in signs}


class PlainSigns(LineFilter):
    """Replaces signs that a bare terminal cannot show, in all that is drawn; letters of any script stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments with plain signs."""
        return [
            Segment(segment.text.translate(_TO_PLAIN), segment.style, segment.control)
            if not segment.text.isascii()
            else segment
            for segment in segments
        ]


def choose(env: Mapping[str, str] | None = None, setting: str = "auto") -> Glyphs:
    """The signs that the settings ask for (`unicode`, `ascii`); with `auto` those that the terminal can show.

    That is the plain ones where the locale names another character set than UTF-8 or the terminal is the bare console.
    """
    if setting != "auto":
        return PLAIN if setting == "ascii" else Glyphs()
    env = os.environ if env is None else env
    locale = env.get("LC_ALL") or env.get("LC_CTYPE") or env.get("LANG") or ""
    _, _, charset = locale.partition(".")
    other = bool(charset) and charset.partition("@")[0].lower().replace("-", "") != "utf8"
    return PLAIN if other or env.get("TERM") in ("linux", "dumb") else Glyphs()
