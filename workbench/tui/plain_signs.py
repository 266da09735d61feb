"""Plain signs for all that is drawn: borders, scroll bars and punctuation too."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

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
