"""What a widget may hold of a text from disk, and where its parts went.

Everything passes `workbench.text` first. Two things are the screen's own business: a letter under thousands of
combining marks is cut down to a few, and positions found in the original are led to what is shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.text import Secret, find_secrets, mask, reveal

if TYPE_CHECKING:
    from textual.content import Content

# More marks on one letter than any script writes; terminals slow down or smear beyond that.
MARKS_KEPT = 6


@cache
def _marks() -> re.Pattern[str]:
    marks = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    return re.compile(f"([{marks}]{{{MARKS_KEPT}}})[{marks}]+")


def safe(text: str, *, masked: bool = True) -> str:
    """The text as it may stand in a widget: secrets masked unless told otherwise, hidden characters as tokens."""
    return _calm(reveal(mask(text) if masked else text).text)


def one_line(text: str, *, masked: bool = True) -> str:
    """Like `safe`, with line ends and runs of blanks as one blank."""
    return " ".join(safe(text, masked=masked).split())


def _calm(shown: str) -> str:
    return shown if shown.isascii() else _marks().sub(r"\1", shown)


@dataclass(frozen=True)
class Excerpt:
    """A text on screen and the spans of interest in it: (start, end, tone), all in characters of `text`."""

    text: str
    spans: tuple[tuple[int, int, str], ...] = ()

    def content(self, styles: dict[str, str]) -> Content:
        """The text with its spans styled; a span whose tone has no style is left out."""
        from textual.content import Content  # the first look draws without Textual

        content = Content(self.text)
        for start, end, tone in self.spans:
            if tone in styles:
                content = content.stylize(styles[tone], start, end)
        return content


def excerpt(text: str, spans: tuple[tuple[int, int, str], ...] = (), *, masked: bool = True) -> Excerpt:
    """Show a text with spans given in characters of the original led to their place on screen."""
    secrets = find_secrets(text) if masked else ()
    shown = mask(text, secrets)
    revealed = reveal(shown)
    placed = []
    for start, end, tone in spans:
        at, to = (revealed.to_shown(_masked_index(text, secrets, index)) for index in (start, end))
        # A character that stays as it is although it is hidden (a joiner in an emoji) has no width to mark.
        if to > at:
            placed.append((at, to, tone))
    calm = _calm(revealed.text)
    return Excerpt(calm, tuple(placed) if calm == revealed.text else ())


def _masked_index(text: str, secrets: tuple[Secret, ...], index: int) -> int:
    """Where the original's index went when the secrets were masked; the start of the mask inside of one."""
    before = tuple(secret for secret in secrets if secret.end <= index)
    inside = next((secret for secret in secrets if secret.start + secret.keep < index < secret.end), None)
    if inside is not None:
        index = inside.start + inside.keep
    return len(mask(text[:index], before))


def home_name(path: Path) -> str:
    """A folder as people write it: below the user's home with a tilde."""
    try:
        home = Path.home()
    except RuntimeError:
        return one_line(str(path), masked=False)
    if path != home and path.is_relative_to(home):
        return one_line(f"~/{path.relative_to(home).as_posix()}", masked=False)
    return one_line(str(path), masked=False)
