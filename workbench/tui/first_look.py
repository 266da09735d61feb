"""The first look: the Memory area as it will stand, on the terminal before Textual is loaded.

Loading Textual takes several times as long as reading two small files, so what was read is painted first, by the same
line makers that the widgets use; a test compares it with the first frame that Textual paints. Keys pressed meanwhile
are kept by the terminal and reach the screen; the key line stays empty until they are answered.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from workbench.memory import FILE_NAMES, TARGETS
from workbench.tui.actions import AREAS
from workbench.tui.glyphs import Glyphs
from workbench.tui.home_view import HomeView, StoreView
from workbench.tui.keymap import before_app, read_keymap
from workbench.tui.parts.lines import (
    HeaderFacts,
    Line,
    Piece,
    Usage,
    folded_line,
    header_line,
    tabs_line,
    usage_lines,
    usage_of,
    width_of,
)
from workbench.tui.parts.notes import Note, note_for
from workbench.tui.parts.wrap import fit, wrap
from workbench.tui.screen_text import home_name, one_line

if TYPE_CHECKING:
    from workbench.workspace import Workspace
    from workbench.workspace.status import Status

# Below this size only one pane is open.
WIDE, HIGH = 100, 32
ROW_LINES = 3
# What the list keeps free beside a text: cursor and mark, and at the right a blank, the badge, a blank.
LEFT, BADGE = 2, 3
# In a smaller terminal the pieces do not find their places; what happens there is Textual's to say.
LEAST = (60, 16)
# More than this is read in a worker, behind an empty frame.
MOST_BYTES = 1_000_000

NOTE_STYLES = {"quiet": "$wb-muted", "warning": "$warning", "error": "$error"}


@dataclass(frozen=True)
class Frame:
    """Lines of pieces for a terminal of this size; shorter lines end in blanks."""

    lines: tuple[Line, ...]
    width: int

    @property
    def text(self) -> str:
        """The frame without its styles."""
        return "\n".join("".join(text for text, _ in line).rstrip() for line in self.lines)


def header_facts(workspace: Workspace, home: HomeView | None, now: float | None, status: Status | None) -> HeaderFacts:
    """What the first line says of a home; `home` and `status` are None while they are not known."""
    choice = workspace.choice
    config = home.config if home is not None else None
    off = tuple(FILE_NAMES[t] for t in TARGETS if home is not None and not home.stores[t].enabled)
    return HeaderFacts(
        home=home_name(choice.path),
        profile=one_line(choice.profile, masked=False),
        reason=one_line(choice.reason, masked=False) if choice.reason != "default home" else "",
        read_only=workspace.read_only,
        clock=time.strftime("%H:%M", time.localtime(now if now is not None else workspace.clock())),
        approval=(config.memory_write_approval, config.skills_write_approval) if config is not None else None,
        alerts=status.alerts if status is not None else None,
        switched_off=off,
        provider=one_line(config.provider) if config is not None else "",
        waiting=status.waiting.total if status is not None else None,
    )


# -- what stands where ----------------------------------------------------------------------------------------------


def usage_of_store(store: StoreView) -> Usage | None:
    """The figures of a store; None when it cannot be read."""
    document = store.document
    if document.state == "unreadable":
        return None
    lengths = [entry.chars for entry in document.entries]
    return usage_of(document.chars, document.limit, document.percent, lengths)


def frame(facts: HeaderFacts, home: HomeView, glyphs: Glyphs, width: int, height: int) -> Frame:
    """The whole screen with the cursor on the first entry of MEMORY.md."""
    clock: Line = ((facts.clock, ""),)
    top = [
        _padded(header_line(facts, glyphs, width - 2, clock)),
        _padded(tabs_line(AREAS, "memory", {})),
    ]
    room = height - len(top) - 1  # the key line
    one = width < WIDE or height < HIGH
    if one:
        first, *rest = (home.stores[target] for target in TARGETS)
        folded = [_folded(store, glyphs, width) for store in rest]
        body = [*_pane(first, facts, glyphs, width, room - len(folded), current=True), *folded]
    else:
        detail = max(8, height * 26 // 100)
        left = width // 2
        panes = [
            _pane(home.stores[target], facts, glyphs, size, room - detail, current=target == TARGETS[0])
            for target, size in zip(TARGETS, (left, width - left), strict=True)
        ]
        body = [(*a, *b) for a, b in zip(*panes, strict=True)]
        body += _boxed([], " entry ", "", width, detail, "$wb-frame", "$wb-muted")
    return Frame(tuple([*top, *body][: height - 1]), width)


def _padded(line: Line) -> Line:
    return ((" ", ""), *line)


def _folded(store: StoreView, glyphs: Glyphs, width: int) -> Line:
    usage = usage_of_store(store)
    name = FILE_NAMES[store.target]
    line: Line
    if usage is None:
        line = ((f"{name:<10} ", "bold"), ("cannot be read", "$wb-muted"))
    else:
        line = folded_line(name, usage, None, glyphs, width - 4)
    return ((" ", ""), *_padded(line))


def _pane(
    store: StoreView, facts: HeaderFacts, glyphs: Glyphs, width: int, height: int, *, current: bool
) -> list[Line]:
    inner = width - 2
    lines: list[Line] = []
    usage = usage_of_store(store)
    if usage is None:
        lines += [_padded((("cannot be read", "$wb-muted"),)), ()]
    else:
        lines += [_padded(line) for line in usage_lines(usage, None, glyphs, inner - 2)]
    note = note_for(store.document, enabled=store.enabled, read_only=facts.read_only)
    if note is not None:
        lines += [(), *_note(note, inner - 2)]
    lines.append(())
    lines += _rows(store, glyphs, inner, max(0, height - 2 - len(lines)), current=current)
    count = len(store.entries)
    below = f" {count} entr{'y' if count == 1 else 'ies'} " if count else ""
    frame_style, title = ("$wb-frame-focus", "$foreground bold") if current else ("$wb-frame", "$wb-muted")
    return _boxed(lines, f" {FILE_NAMES[store.target]} ", below, width, height, frame_style, title)


def _note(note: Note, width: int) -> list[Line]:
    out: list[Line] = []
    for text, style in ((note.text, NOTE_STYLES[note.tone]), (note.help, "$wb-muted")):
        if text:
            out += [_padded(((text[start:end], style),)) for start, end in wrap(text, width, 8).lines]
    return out


def _rows(store: StoreView, glyphs: Glyphs, width: int, height: int, *, current: bool) -> list[Line]:
    """The list's visible lines. Texts are broken as if the scroll bar stood there, whether it does or not."""
    lead = max((len(str(view.number)) for view in store.entries), default=0)
    room = max(8, width - 1 - LEFT - lead - 1 - BADGE)
    shown = [(view, wrap(view.text, room, ROW_LINES)) for view in islice(store.entries, height + 1)]
    if sum(len(wrapped.lines) for _, wrapped in shown) > height:
        width -= 1
    lines: list[Line] = []
    for view, wrapped in shown:
        at_cursor = view.number == 1
        ground = (" on $wb-cursor" if current else " on $wb-cursor-blurred") if at_cursor else ""
        copies = f"{glyphs.times}{view.entry.copies}"[:2] if view.entry.copies > 1 else ""
        for number, (start, end) in enumerate(wrapped.lines):
            more = glyphs.more if wrapped.clipped and number == len(wrapped.lines) - 1 else ""
            line: list[Piece] = [
                (glyphs.cursor if at_cursor and current else " ", f"$primary{ground}"),
                (" ", ground.strip()),
                ((str(view.number) if number == 0 else "").rjust(lead) + " ", f"$wb-muted{ground}"),
                (view.text[start:end] + more, f"$foreground{ground}"),
            ]
            badge = copies if number == 0 else ""
            line.append((" " * (width - BADGE - width_of(line)), ground.strip()))
            line.append((f" {badge:>{BADGE - 2}} "[:BADGE], ground.strip()))
            lines.append(tuple(line))
    return lines[:height]


def _boxed(
    lines: Sequence[Line], title: str, below: str, width: int, height: int, style: str, title_style: str
) -> list[Line]:
    """Lines in a frame of this size, with a title above and one below at the right."""
    inner = width - 2
    title = fit(title, max(0, inner - 2))
    rule = "\u2500"
    top: Line = (("\u256d" + rule, style), (title, title_style), (rule * (inner - 1 - len(title)) + "\u256e", style))
    body: list[Line] = []
    for index in range(height - 2):
        line = lines[index] if index < len(lines) else ()
        body.append((("\u2502", style), *line, (" " * (inner - width_of(line)), ""), ("\u2502", style)))
    rest = inner - len(below) - 1
    bottom: Line = (("\u2570" + rule * rest, style), (below, "$wb-muted"), (rule + "\u256f", style))
    return [top, *body, bottom]


# -- colours --------------------------------------------------------------------------------------------------------


class Ink:
    """Turns a style in Textual's notation into what the terminal is told; without colours only bold and underline."""

    def __init__(self, names: Mapping[str, str], depth: int) -> None:
        """`names` are the theme's colours; `depth` is how many the terminal shows, 2**24, 256, or 0 for none."""
        self._names = names if depth else {}
        self._depth = depth
        self._known: dict[str, str] = {}

    def __call__(self, style: str) -> str:
        """The escape sequence that begins this style, from nothing."""
        if style not in self._known:
            self._known[style] = self._sequence(style)
        return self._known[style]

    def _sequence(self, style: str) -> str:
        front, _, back = style.partition("on ")
        words = front.split()
        codes = ["0", *({"bold": "1", "underline": "4"}[word] for word in words if not word.startswith("$"))]
        colour = next((word for word in words if word.startswith("$")), "$wb-muted")
        codes += self._colour(38, colour)
        codes += self._colour(48, back.strip() or "$background")
        return f"\x1b[{';'.join(codes)}m"

    def _colour(self, ground: int, name: str) -> list[str]:
        value = str(self._names.get(name[1:], ""))
        if len(value) != 7 or not value.startswith("#"):
            return []
        red, green, blue = (int(value[at : at + 2], 16) for at in (1, 3, 5))
        if self._depth == 256:
            return [str(ground), "5", str(nearest_of_256(red, green, blue))]
        return [str(ground), "2", str(red), str(green), str(blue)]


def nearest_of_256(red: int, green: int, blue: int) -> int:
    """The colour of the 256 that comes near: one of 24 greys for what has hardly a hue, else of the cube of 216."""
    high, low = max(red, green, blue), min(red, green, blue)
    light = (high + low) / 510
    spread = high - low
    if not spread or spread / (255 * (1 - abs(2 * light - 1))) < 0.15:
        grey = round(light * 25)
        return 16 if grey == 0 else 231 if grey == 25 else 231 + grey
    # The cube's steps lie at 0, 95, 135, 175, 215 and 255.
    steps = (value / 95 if value < 95 else 1 + (value - 95) / 40 for value in (red, green, blue))
    return 16 + sum(factor * round(step) for factor, step in zip((36, 6, 1), steps, strict=True))


def painted(frame: Frame, ink: Ink) -> str:
    """What draws a frame on an empty screen; every line is filled to its end."""
    out = []
    for number, line in enumerate(frame.lines, 1):
        out.append(f"\x1b[{number};1H")
        out += [ink(style) + text for text, style in line if text]
        out.append(ink("") + " " * (frame.width - width_of(line)))
    # What lies below has the background too; erased from its own line on, since the cursor stands on the last cell.
    return "".join(out) + f"{ink('')}\x1b[{len(frame.lines) + 1};1H\x1b[J\x1b[0m"


# -- the terminal ---------------------------------------------------------------------------------------------------


class Curtain:
    """The terminal between the first look and Textual: on its other screen, silent, its keys kept.

    `handed` is set once Textual has taken over; until then `close` gives the terminal back as it was.
    """

    def __init__(self) -> None:
        self.handed = False
        self.before: list[Any] | None = None
        self._open = False

    @staticmethod
    def possible() -> bool:
        """Whether there is a terminal that understands it; where Textual would use another driver there is not."""
        if os.name != "posix" or os.environ.get("TEXTUAL_DRIVER") or os.environ.get("TERM", "dumb") == "dumb":
            return False
        streams = (sys.__stdin__, sys.__stderr__)
        return all(stream is not None and stream.isatty() for stream in streams)

    def draw(self, text: str) -> None:
        """Switch to the terminal's other screen and draw there. What cannot be drawn is left to Textual."""
        import termios

        assert sys.__stdin__ is not None and sys.__stderr__ is not None
        handle = sys.__stdin__.fileno()
        try:
            self.before = termios.tcgetattr(handle)
            silent = termios.tcgetattr(handle)
            silent[3] &= ~(termios.ECHO | termios.ICANON)
            silent[6][termios.VSUSP] = b"\0"  # ctrl+z is kept like any key: stopped here, the screen would stay
            termios.tcsetattr(handle, termios.TCSANOW, silent)
        except termios.error:
            self.before = None
            return
        self._open = True
        self._write(f"\x1b[?1049h\x1b[?25l\x1b[?7l{text}")

    def close(self) -> None:
        """Give the terminal back, unless Textual has it: then Textual does."""
        if not self._open or self.handed:
            return
        import termios

        self._open = False
        self._write("\x1b[?7h\x1b[?25h\x1b[?1049l")
        assert sys.__stdin__ is not None
        termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, self.before or [])

    @property
    def drawn(self) -> bool:
        """Whether something stands on the terminal's other screen."""
        return self._open

    @staticmethod
    def _write(text: str) -> None:
        assert sys.__stderr__ is not None
        sys.__stderr__.write(text)
        sys.__stderr__.flush()


def small(workspace: Workspace) -> bool:
    """Whether reading the memory takes but a moment."""
    try:
        return all(workspace.memory.path(target).stat().st_size <= MOST_BYTES for target in TARGETS)
    except OSError:
        return True  # what is not there is read in no time


def look(workspace: Workspace, curtain: Curtain, theme: str | None, now: float | None) -> HomeView | None:
    """Read a home and paint it; returns what was read, None when nothing was.

    Whatever stands in the way of that (a huge file, a home that cannot be read, a theme of another kind) is left to
    the screen, which says it.
    """
    from workbench.errors import WorkbenchError
    from workbench.home.settings import load_settings
    from workbench.tui.glyphs import choose
    from workbench.tui.home_view import read_home
    from workbench.tui.theme_files import DEFAULT, read

    try:
        if not small(workspace):
            return None
        home = read_home(workspace)
        settings = load_settings(workspace.home)
        data, _ = read(theme or settings.theme or DEFAULT, workspace.home)
        names = {**data["variables"], **data["colours"]}
    except (WorkbenchError, OSError, KeyError, TypeError):
        return None
    if settings.keys:
        before_app.set(read_keymap(settings.keys))
    width, height = shutil.get_terminal_size()
    glyphs = choose(setting=settings.glyphs)
    if glyphs == Glyphs() and not data.get("ansi") and width >= LEAST[0] and height >= LEAST[1]:
        shown = frame(header_facts(workspace, home, now, None), home, glyphs, width, height)
        curtain.draw(painted(shown, Ink(names, depth(os.environ))))
    return home


def depth(environment: Mapping[str, str]) -> int:
    """How many colours may be used: 2**24, 256, or 0 for none."""
    if environment.get("NO_COLOR"):
        return 0
    if environment.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return 2**24
    return 256 if "256color" in environment.get("TERM", "") else 0
