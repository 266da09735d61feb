"""TranscriptView: the part of a conversation that is near what is looked at, drawn line by line.

It holds the blocks around the viewport only, asks for more when either end comes near, and forgets those far away: a
conversation of ten thousand messages costs what is visible of it. The bar at the right shows the place in the whole.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.talk_layout import BAR, BLANK, EDGE, RULE, TIME, Bodies, Line, body, room_of, who_cells
from workbench.tui.parts.talk_lines import Block, Para, joined
from workbench.tui.parts.wrap import cells, fit

KEPT_STRIPS = 1_024
# Blocks held at most; those farthest from the viewport go first.
KEPT_BLOCKS = 480
_LOOKS = (
    "quiet", "heading", "bold", "code", "block", "language", "call", "warning", "gone", "thought", "hit", "rule",
    "you", "agent", "tool", "system", "here", "thumb",
)  # fmt: skip


class TranscriptView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows blocks made by `talk_lines`; the caller turns keys into calls. One message is the current one."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"transcript-view--{name}" for name in _LOOKS}
    DEFAULT_CSS = """
    TranscriptView {
        height: 1fr; overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 0;
        color: $foreground; background: $background;
    }
    TranscriptView > .transcript-view--quiet { color: $wb-muted; }
    TranscriptView > .transcript-view--heading { color: $primary; text-style: bold; }
    TranscriptView > .transcript-view--bold { text-style: bold; }
    TranscriptView > .transcript-view--code { color: $accent; }
    TranscriptView > .transcript-view--block { background: $panel; }
    TranscriptView > .transcript-view--language { color: $wb-muted; background: $panel; text-style: italic; }
    TranscriptView > .transcript-view--call { color: $wb-muted; }
    TranscriptView > .transcript-view--warning { color: $warning; }
    TranscriptView > .transcript-view--gone { color: $wb-muted; text-style: strike; }
    TranscriptView > .transcript-view--thought { color: $wb-muted; text-style: italic; }
    TranscriptView > .transcript-view--hit { color: $wb-match-text; background: $wb-match; text-style: bold; }
    TranscriptView > .transcript-view--rule { color: $wb-muted; }
    TranscriptView > .transcript-view--you { color: $primary; text-style: bold; }
    TranscriptView > .transcript-view--agent { color: $success; text-style: bold; }
    TranscriptView > .transcript-view--tool { color: $wb-muted; }
    TranscriptView > .transcript-view--system { color: $accent; }
    TranscriptView > .transcript-view--here { color: $primary; }
    TranscriptView > .transcript-view--thumb { color: $wb-frame-focus; }
    """

    @dataclass
    class Moved(Message):
        """Another message is the current one, or others are in sight."""

        view: TranscriptView

    @dataclass
    class Opened(Message):
        """The current message was double-clicked."""

        view: TranscriptView

    @dataclass
    class Wanted(Message):
        """One end of what is held comes near: blocks before (-1) or after (1) are needed."""

        view: TranscriptView
        direction: int

    def __init__(self, *, glyphs: Glyphs | None = None, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.glyphs = glyphs or Glyphs()
        self.blocks: list[Block] = []
        self.start = 0  # the position of the first block in the conversation
        self.total = 0
        self.current: int | None = None
        self._bodies: dict[int, tuple[object, int, tuple[Line, ...]]] = {}
        self._lines: list[tuple[Line, ...]] = []
        self._starts: list[int] = [0]
        self._wrapped_for = 0
        self._parts: dict[str, Style] = {}
        self._strips: LRUCache[tuple[int, int, int, bool], Strip] = LRUCache(KEPT_STRIPS)
        self._pending: tuple[int | None, str] | None = None
        self._thumb_for: tuple[int, ...] = ()
        self._thumb_lines = (0, 0)

    # -- contents -----------------------------------------------------------------------------------------------

    def show(
        self, blocks: Sequence[Block], start: int, total: int, *, anchor: int | None = None, at: str = "anchor"
    ) -> None:
        """Show another part, or another conversation: around `anchor`, from its start or at its end (`at`)."""
        self.blocks = _with_rules(blocks)
        self.start, self.total = start, total
        self._lay_out()
        self._go(anchor, at)

    def add_before(self, blocks: Sequence[Block], start: int, total: int) -> None:
        """Blocks that come before those held; what is in sight stays where it is."""
        self._keep_place(lambda: self._insert(blocks, start, total))

    def add_after(self, blocks: Sequence[Block], total: int) -> None:
        """Blocks that come after those held."""
        self._keep_place(lambda: self._append(blocks, total))

    def replace(self, blocks: Sequence[Block]) -> None:
        """Other forms of blocks that are held (folded, revealed, marked); what is in sight stays near its place."""
        fresh = {block.id: block for block in blocks}
        changed = [fresh.get(block.id, block) for block in self.blocks]
        self._keep_place(lambda: self._set(changed))

    def _set(self, blocks: list[Block]) -> None:
        self.blocks = _with_rules(blocks)
        self._lay_out()

    def _insert(self, blocks: Sequence[Block], start: int, total: int) -> None:
        known = {block.id for block in self.blocks}
        fresh = [block for block in blocks if block.id not in known]
        keep = max(0, KEPT_BLOCKS - len(fresh))
        self.start, self.total = start, total
        self._set([*fresh, *self.blocks[:keep]])

    def _append(self, blocks: Sequence[Block], total: int) -> None:
        known = {block.id for block in self.blocks}
        fresh = [block for block in blocks if block.id not in known]
        over = max(0, len(self.blocks) + len(fresh) - KEPT_BLOCKS)
        self.start, self.total = self.start + over, total
        self._set([*self.blocks[over:], *fresh])

    @property
    def complete_before(self) -> bool:
        """Whether nothing comes before what is held."""
        return self.start <= 0

    @property
    def complete_after(self) -> bool:
        """Whether nothing comes after what is held."""
        return self.start + len(self.blocks) >= self.total

    @property
    def current_block(self) -> Block | None:
        """The block that keys act on."""
        return next((block for block in self.blocks if block.id == self.current), None)

    @property
    def at_end(self) -> bool:
        """Whether the last line of the conversation is in sight."""
        height = self._height
        return self.complete_after and round(self.scroll_offset.y) + height >= self._starts[-1]

    def in_sight(self) -> tuple[int, int]:
        """The positions in the conversation of the first block in sight, and of the one after the last."""
        if not self.blocks:
            return 0, 0
        top = round(self.scroll_offset.y)
        first = self._block_at(top)
        last = self._block_at(min(top + self.scrollable_content_region.height, self._starts[-1]) - 1)
        return self.start + first, self.start + last + 1

    # -- moving -------------------------------------------------------------------------------------------------

    def go_to(self, message_id: int) -> bool:
        """Make a message the current one and bring it into sight; False when it is not held."""
        if all(block.id != message_id for block in self.blocks):
            return False
        self._go(message_id, "anchor")
        return True

    def scroll_lines(self, lines: int) -> None:
        """Scroll by so many lines."""
        self._to(round(self.scroll_offset.y) + lines)

    def scroll_half(self, direction: int) -> None:
        """Scroll by half of what is visible."""
        self.scroll_lines(direction * max(1, self.scrollable_content_region.height // 2))

    def scroll_ends(self, direction: int) -> None:
        """Scroll to the beginning (-1) or the end (1) of what is held."""
        self._to(0 if direction < 0 else self._starts[-1])
        shown = [block for index, block in enumerate(self.blocks) if self._lines[index]] if self._lines else []
        if shown:
            self._make_current(shown[0 if direction < 0 else -1].id)

    def _to(self, line: int) -> None:
        self.scroll_to(y=max(0, line), animate=False, force=True)

    def _go(self, anchor: int | None, at: str) -> None:
        if not self._wrapped_for:
            self._pending = (anchor, at)  # before the first layout there is nowhere to go
            return
        if at == "start" or at == "end":
            self.current = None
            self.scroll_ends(-1 if at == "start" else 1)
        index = next((index for index, block in enumerate(self.blocks) if block.id == anchor), None)
        if index is not None:
            line, height = self._hit_line(index), self.scrollable_content_region.height
            top = round(self.scroll_offset.y)
            if at == "anchor" and not top + 1 <= line < top + height - 2:
                self._to(line - min(self._room_above(index, line), height // 3))
            self._make_current(self.blocks[index].id)
        self._look_ahead()
        self.post_message(self.Moved(self))

    def _room_above(self, index: int, line: int) -> int:
        """Lines to leave above: all of a short message's beginning, else a third of the height."""
        begun = line - self._starts[index]
        height = self.scrollable_content_region.height
        return height // 3 if begun > height // 3 else begun + max(1, (height // 3 - begun) // 2)

    def _hit_line(self, index: int) -> int:
        """The line of a block's first hit, or its first line."""
        start, block = self._starts[index], self.blocks[index]
        for number, line in enumerate(self._lines[index]):
            if line.para >= 0 and any(
                look == "hit" and one < max(line.end, line.start + 1) and other > line.start
                for one, other, look in block.paras[line.para].spans
            ):
                return start + number
        return start

    def _make_current(self, message_id: int) -> None:
        if message_id != self.current:
            self.current = message_id
            self._redraw()
            self.post_message(self.Moved(self))

    def _block_at(self, line: int) -> int:
        if not self.blocks:
            return -1
        return min(max(bisect_right(self._starts, max(0, line)) - 1, 0), len(self.blocks) - 1)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Scrolling is also what the mouse does: the current message stays in sight, more is asked for in time."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._follow(down=new_value > old_value)
            self._look_ahead()
            self.post_message(self.Moved(self))

    def _follow(self, *, down: bool) -> None:
        if not self.blocks or not self._wrapped_for:
            return
        top, height = round(self.scroll_offset.y), self.scrollable_content_region.height
        index = next((index for index, block in enumerate(self.blocks) if block.id == self.current), None)
        if index is not None and self._starts[index + 1] > top and self._starts[index] < top + height:
            return
        edge = self._block_at(top) if down else self._block_at(min(top + height, self._starts[-1]) - 1)
        self._make_current(self.blocks[edge].id)

    def _look_ahead(self) -> None:
        if not self._wrapped_for:
            return
        top, height = round(self.scroll_offset.y), self.scrollable_content_region.height
        if top < 2 * height and not self.complete_before:
            self.post_message(self.Wanted(self, -1))
        if top + 3 * height > self._starts[-1] and not self.complete_after:
            self.post_message(self.Wanted(self, 1))

    # -- layout -------------------------------------------------------------------------------------------------

    def know(self, made: Bodies) -> None:
        """Lines that were made elsewhere; those for another width are of no use and do no harm."""
        self._bodies.update(made)

    def _lay_out(self) -> None:
        """Lines for the present width; what is known of a block is not made again."""
        width = self.scrollable_content_region.width
        self._wrapped_for = width
        if width <= 0:
            # Hidden: a frame may come before the new size does, and the lines of other blocks fit these ones nowhere.
            self._lines, self._starts = [], [0]
            self._strips.clear()
            return
        known, self._bodies = self._bodies, {}
        self._lines = []
        for block in self.blocks:
            kept = known.get(block.id)
            if kept is None or kept[0] is not block.paras or kept[1] != width:
                kept = (block.paras, width, body(block, width))
            self._bodies[block.id] = kept
            self._lines.append((*(Line(RULE, number) for number in range(len(block.above))), *kept[2]))
        self._starts = [0, *accumulate(map(len, self._lines))]
        self.virtual_size = Size(width, self._starts[-1])
        self._redraw()

    def _keep_place(self, change: object) -> None:
        """Change what is held, and scroll so that the first block in sight stands where it stood."""
        assert callable(change)
        top = round(self.scroll_offset.y)
        index = self._block_at(top)
        anchor = self.blocks[index].id if index >= 0 and self._wrapped_for else None
        offset = top - self._starts[index] - len(self.blocks[index].above) if anchor is not None else 0
        change()
        at = next((number for number, block in enumerate(self.blocks) if block.id == anchor), None)
        if at is not None and self._wrapped_for:
            within = min(offset + len(self.blocks[at].above), max(0, len(self._lines[at]) - 1))
            self._to(self._starts[at] + within)
        self._look_ahead()
        self.post_message(self.Moved(self))

    def _redraw(self) -> None:
        self._strips.clear()
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Another width is another layout; what is being looked at stays in sight."""
        if self.scrollable_content_region.width == self._wrapped_for:
            return
        if self._wrapped_for:
            self._keep_place(self._lay_out)
        else:
            self._lay_out()
        if self._pending is not None:
            pending, self._pending = self._pending, None
            self._go(*pending)

    def on_focus(self) -> None:
        """The current message is marked in the focused view."""
        self._redraw()

    def on_blur(self) -> None:
        """Without the focus nothing is current."""
        self._redraw()

    def notify_style_update(self) -> None:
        """Colours changed: drawn lines are of no use any more."""
        super().notify_style_update()
        self._strips.clear()
        self._parts = {}

    def on_click(self, event: events.Click) -> None:
        """A click makes a message the current one, a double click opens it."""
        line = event.y + round(self.scroll_offset.y)
        if 0 <= line < self._starts[-1]:
            self._make_current(self.blocks[self._block_at(line)].id)
            if event.chain == 2:
                self.post_message(self.Opened(self))

    # -- drawing ------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """One line of the visible part."""
        width, line = self.size.width, y + round(self.scroll_offset.y)
        if not self.blocks or not 0 <= line < self._starts[-1]:
            return Strip.blank(width, self._styles()[""])
        thumb = self._thumb(y)
        index = self._block_at(line)
        key = (self.blocks[index].id, index, line - self._starts[index], thumb)
        strip = self._strips.get(key)
        if strip is None or strip.cell_length != width:
            strip = self._strips[key] = self._draw(index, line - self._starts[index], width, thumb)
        return strip

    def _thumb(self, y: int) -> bool:
        """Whether the bar at the right shows the present place on this line."""
        key = (round(self.scroll_offset.y), self._height, self.total, self.start, self._starts[-1])
        if key != self._thumb_for:
            self._thumb_for, self._thumb_lines = key, self._place_of_thumb()
        return self._thumb_lines[0] <= y < self._thumb_lines[1]

    def _place_of_thumb(self) -> tuple[int, int]:
        height = self._height
        if not self.total or not height:
            return 0, 0
        if self.complete_before and self.complete_after and self._starts[-1] <= height:
            return 0, 0  # all of it is in sight
        first, last = self.in_sight()
        top = min(int(first * height / self.total), height - 1)
        return top, max(top + 1, round(last * height / self.total))

    @property
    def _height(self) -> int:
        return self.scrollable_content_region.height

    def _styles(self) -> dict[str, Style]:
        if not self._parts:
            base = self.rich_style
            self._parts = {
                name: base + self.get_component_rich_style(f"transcript-view--{name}", partial=True) for name in _LOOKS
            }
            self._parts[""] = base
        return self._parts

    def _draw(self, index: int, number: int, width: int, thumb: bool) -> Strip:
        block, part = self.blocks[index], self._styles()
        base = part[""]
        line = self._lines[index][number]
        here = self.has_focus and block.id == self.current and line.para != BLANK
        edge = Segment(self.glyphs.cursor if here else " ", part["here"])
        bar = Segment("▐" if thumb else " ", part["thumb"])
        if line.para == BLANK:
            inner: list[Segment] = []
        elif line.para == RULE:
            inner = [Segment(self._rule(block.above[line.start], width - EDGE - BAR - 1), part["rule"])]
        else:
            inner = self._said(block, line, part, base)
        strip = Strip([edge, *inner]).adjust_cell_length(width - BAR, base)
        return Strip.join([strip, Strip([bar])]).adjust_cell_length(width, base).simplify()

    def _said(self, block: Block, line: Line, part: dict[str, Style], base: Style) -> list[Segment]:
        para = block.paras[line.para]
        name = block.who if line.first else ""
        who = part.get(block.who, part["system"])
        lead = para.lead if line.start == 0 else " " * cells(para.lead)
        look = part.get(para.look, base)
        segments = [
            Segment(fit(name, who_cells(self._wrapped_for) - 1).ljust(who_cells(self._wrapped_for)), who),
            Segment(lead, part["quiet"] if para.look != "block" else base),
            *_pieces(para, line.start, line.end, look, part),
        ]
        if line.clipped:
            segments.append(Segment(self.glyphs.more, part["warning"]))
        left = who_cells(self._wrapped_for) + room_of(self._wrapped_for)
        body = Strip(segments)
        filled = body.adjust_cell_length(left, look if para.look in ("block", "language") else base)
        time = Segment((block.time if line.first else "").rjust(TIME), part["quiet"])
        return [*filled, time]

    def _rule(self, text: str, width: int) -> str:
        sign = self.glyphs.empty
        shown = fit(f"{sign}{sign} {text} ", width, self.glyphs.more)
        return shown + sign * max(0, width - cells(shown))


def _with_rules(blocks: Sequence[Block]) -> list[Block]:
    out: list[Block] = []
    # A message without a line on screen starts no new day.
    above: Block | None = None
    for block in blocks:
        if not block.paras:
            out.append(block)
            continue
        out.append(joined(above, block))
        above = block
    return out


def _pieces(para: Para, start: int, end: int, look: Style, part: dict[str, Style]) -> list[Segment]:
    """The text of a line in its styles; a hit lies over everything else."""
    if not para.spans:
        return [Segment(para.text[start:end], look)]
    edges = sorted({start, end, *(at for span in para.spans for at in span[:2] if start < at < end)})
    segments = []
    for one, other in pairwise(edges):
        style = look
        for left, right, name in para.spans:
            if left <= one and other <= right:
                style = style + part[name] if name != "hit" else style
        if any(left <= one and other <= right and name == "hit" for left, right, name in para.spans):
            style = part["hit"]
        segments.append(Segment(para.text[one:other], style))
    return segments
