"""Lines of the screen as plain data: pieces of text with a style in Textual's notation.

Two painters use them: the widgets, and the first look, which draws before Textual is loaded. So nothing here imports
Textual or rich.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.tui.actions import Area
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.wrap import cells, fit

Piece = tuple[str, str]
Line = tuple[Piece, ...]

GAP = 3
TAB_GAP = 2
# The median entry of real homes, for a store that holds none yet.
TYPICAL = 140
WARN_AT = 80
JOINT = 3
BAR_CELLS, MOST_CELLS = 26, 40


def width_of(line: Sequence[Piece]) -> int:
    """How many cells a line takes."""
    return sum(cells(text) for text, _ in line)


# -- the header -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeaderFacts:
    """What the header says; every text has been through the door. None: not known yet.

    `switched_off` names stores the agent does not use, `provider` an external memory, `clock` is ready to print;
    `waiting` counts pending records, for the tab of the inbox.
    """

    home: str
    profile: str
    reason: str
    read_only: bool
    clock: str
    approval: tuple[bool, bool] | None = None
    alerts: int | None = None
    switched_off: tuple[str, ...] = ()
    provider: str = ""
    waiting: int | None = None


def _header_pieces(facts: HeaderFacts, glyphs: Glyphs, reason: bool) -> list[tuple[int, Line]]:
    """(rank, pieces) in the order of the line; the highest rank goes first."""
    why = f" ({facts.reason})" if reason and facts.reason else ""
    parts: list[tuple[int, Line]] = [
        (5, ((f"{glyphs.logo} ", "$primary"), ("workbench", "$foreground bold"))),
        (0, ((facts.home, "$foreground"), (f" · {facts.profile}{why}", ""))),
    ]
    if facts.read_only:
        parts.append((0, (("read-only", "$warning bold"),)))
    if facts.switched_off:
        parts.append((1, ((f"switched off: {', '.join(facts.switched_off)}", "$warning"),)))
    if facts.provider:
        parts.append((3, ((f"also remembers in: {facts.provider}", ""),)))
    if facts.approval is not None:
        memory, skills = ("on" if on else "off" for on in facts.approval)
        parts.append((4, ((f"approval: memory {memory}, skills {skills}", ""),)))
    if facts.alerts:
        parts.append((2, ((f"{glyphs.warning} {facts.alerts}", "$warning bold"),)))
    return parts


def header_line(facts: HeaderFacts, glyphs: Glyphs, width: int, clock: Line) -> Line:
    """One line of `width` cells with the clock at its right end.

    When it is narrow the least important pieces go first, never what limits the user.
    """

    def taken(parts: list[tuple[int, Line]]) -> int:
        return sum(width_of(part) + GAP for _, part in parts) + width_of(clock)

    parts = _header_pieces(facts, glyphs, reason=True)
    if taken(parts) > width:
        parts = _header_pieces(facts, glyphs, reason=False)
    while taken(parts) > width and max(rank for rank, _ in parts) > 0:
        parts.remove(max(parts, key=lambda part: part[0]))
    line: list[Piece] = []
    for _, part in parts:
        line += [(" " * GAP, ""), *part] if line else part
    room = width - width_of(clock) - GAP
    if width_of(line) > room:
        line = [(fit("".join(text for text, _ in line), room, glyphs.more), "")]
    return (*line, (" " * (width - width_of(clock) - width_of(line)), ""), *clock)


def tab_label(area: Area, counts: Mapping[str, int]) -> str:
    """An area's name, with what is to be done there."""
    count = counts.get(area.id, 0)
    return f"{area.label} {count:,}" if count else area.label


def tabs_line(areas: Sequence[Area], current: str, counts: Mapping[str, int]) -> Line:
    """The areas that exist, by number; the one shown is marked."""
    line: list[Piece] = []
    for area in areas:
        here = area.id == current
        if line:
            line.append((" " * TAB_GAP, ""))
        line.append((f" {area.number} ", "$primary bold" if here else "$wb-key bold"))
        line.append((f"{tab_label(area, counts)} ", "$foreground bold underline" if here else "$wb-muted"))
    return tuple(line)


# -- how full a store is --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Usage:
    """Characters used and allowed, the store's own percent, and the length of its median entry."""

    chars: int
    limit: int
    percent: int
    typical: float = TYPICAL

    @property
    def tone(self) -> str:
        """Calm, warning from 80 %, error above the limit."""
        if self.chars > max(self.limit, 0):
            return "error"
        return "warning" if self.percent >= WARN_AT else "calm"

    @property
    def room(self) -> int:
        """How many entries of the store's median size still fit; each costs three characters more for its joint."""
        return max(0, int((self.limit - self.chars) // (self.typical + JOINT)))

    def sentence(self, width: int = 1_000) -> str:
        """Room left first, then the figures; over the limit, by how much and what that means.

        The longest form that fits into `width` cells, the shortest one when none does.
        """
        left = self.limit - self.chars
        forms: tuple[str, ...]
        if self.limit <= 0:
            forms = (f"the limit is {self.limit:,}: every add is refused", f"limit {self.limit:,}")
        elif left < 0:
            forms = (f"{-left:,} over: every add is refused", f"{-left:,} over")
        else:
            room = f"room for ~{self.room} more" if self.room else "no room for a typical entry"
            forms = (f"{room} · {left:,} of {self.limit:,} chars left", f"{room} · {left:,} left", f"{left:,} left")
        return next((form for form in forms if len(form) <= width), forms[-1])


def usage_of(chars: int, limit: int, percent: int, lengths: Sequence[int]) -> Usage:
    """Usage of a store whose entries have these lengths."""
    return Usage(chars, limit, percent, _median(lengths) if lengths else TYPICAL)


def _median(lengths: Sequence[int]) -> float:
    """statistics.median would load fractions and decimal first."""
    ordered, half = sorted(lengths), len(lengths) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def usage_lines(usage: Usage, after: Usage | None, glyphs: Glyphs, width: int) -> tuple[Line, Line]:
    """The bar with its figure, and the sentence below. `after`: what the figures would become."""
    shown = after or usage
    bar = _bar(usage, shown, glyphs, min(MOST_CELLS, max(8, width - (16 if after else 8))))
    style = _figure_style(shown)
    return (*bar, *_figure(usage, after)), ((shown.sentence(width), style if shown.tone == "error" else "$foreground"),)


def folded_line(name: str, usage: Usage, after: Usage | None, glyphs: Glyphs, width: int) -> Line:
    """A store in one line: its name, bar, figure and what there is room to say."""
    shown = after or usage
    line = (
        (f"{name:<10} ", "bold"),
        *_bar(usage, shown, glyphs, min(BAR_CELLS, max(8, width // 3))),
        *_figure(usage, after),
    )
    return (*line, (f"  {shown.sentence(width - width_of(line) - 2)}", "$wb-muted"))


def _figure_style(usage: Usage) -> str:
    return {"error": "$error bold", "warning": "$warning bold"}.get(usage.tone, "bold")


def _figure(usage: Usage, after: Usage | None) -> Line:
    shown = after or usage
    was = f" {usage.percent} % →" if after is not None else ""
    return (was, "$wb-muted"), (f" {shown.percent:>{1 if was else 3}} %", _figure_style(shown))


def _bar(was: Usage, now: Usage, glyphs: Glyphs, size: int) -> Line:
    """Filled as far as it is used; in a preview, what would come or go stands out at the end of it."""
    before, full = (_filled(one, size) for one in (was, now))
    tones = {"calm": "$wb-bar", "warning": "$warning", "error": "$error"}
    return (
        (glyphs.full * min(before, full), tones[now.tone]),
        (glyphs.full * max(0, full - before), "$accent bold"),
        (glyphs.empty * max(0, before - full), "$accent"),
        (glyphs.empty * (size - max(before, full)), "$wb-bar-empty"),
    )


def _filled(usage: Usage, size: int) -> int:
    share = 1.0 if usage.limit <= 0 else min(1.0, usage.chars / usage.limit)
    return max(round(share * size), 1 if usage.chars else 0)
