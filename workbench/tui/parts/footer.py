"""KeyLine: the keys of a screen, made from the registry, cut to the width, clickable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from workbench.tui.actions import Action, key_name

GAP, GROUP_GAP = 2, 4


@dataclass(frozen=True)
class Key:
    """One key of the line; `reason` says why it does nothing now, "" when it works."""

    action: Action
    reason: str
    label: str

    @property
    def text(self) -> str:
        """What stands in the line."""
        return f"{key_name(self.action.keys[0])} {self.label}"


class KeyLine(Widget):
    """Groups in the order of the registry; the highest ranks go first when it is narrow; help stays at the right."""

    DEFAULT_CSS = """
    KeyLine { height: 1; width: 1fr; padding: 0 1; color: $wb-muted; }
    """

    @dataclass
    class Pressed(Message):
        """A key of the line was clicked."""

        action_id: str

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.keys: tuple[Key, ...] = ()

    def show(self, keys: Sequence[Key]) -> None:
        """Show these keys; nothing is drawn anew when they are the same."""
        if tuple(keys) != self.keys:
            self.keys = tuple(keys)
            self.refresh()

    def placed(self, width: int) -> tuple[tuple[int, Key], ...]:
        """The keys that fit into `width` cells, each with the cell where it begins."""
        shown = [key for key in self.keys if key.action.rank]
        pinned = [key for key in shown if key.action.id == "help"]
        rest = [key for key in shown if key.action.id != "help"]
        room = width - sum(cell_len(key.text) + GAP for key in pinned)
        while rest and self._width(rest) > room:
            rest.remove(max(rest, key=lambda key: key.action.rank))
        places, at, group = [], 0, ""
        for key in rest:
            if group:
                at += GAP if key.action.group == group else GROUP_GAP
            places.append((at, key))
            at, group = at + cell_len(key.text), key.action.group
        at = width
        for key in reversed(pinned):
            at -= cell_len(key.text)
            places.append((max(at, 0), key))
            at -= GAP
        return tuple(places)

    def _width(self, keys: Sequence[Key]) -> int:
        gaps = sum(GAP if b.action.group == a.action.group else GROUP_GAP for a, b in pairwise(keys))
        return gaps + sum(cell_len(key.text) for key in keys)

    def render(self) -> Content:
        """The line."""
        line = Content("")
        for at, key in self.placed(self.content_size.width):
            line += Content(" " * (at - line.cell_length))
            name = key_name(key.action.keys[0])
            off = bool(key.reason)
            line += Content.assemble(
                (name, "$wb-off" if off else "$wb-key bold"),
                (f" {key.label}", "$wb-off" if off else "$wb-muted"),
            )
        return line

    def on_click(self, event: events.Click) -> None:
        """Act like the key under the pointer."""
        x = event.x - self.gutter.left
        for at, key in self.placed(self.content_size.width):
            if at <= x < at + cell_len(key.text):
                self.post_message(self.Pressed(key.action.id))
                return
