"""Reordering: an entry goes up and down by key; what the presses come to is written once they stop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.content import Content
from textual.timer import Timer

from workbench.memory import FILE_NAMES
from workbench.tui.facts import Write
from workbench.tui.keymap import shown
from workbench.tui.screens.previewing import Previewing

if TYPE_CHECKING:
    from workbench.memory import Outcome

# Presses closer together than this are one change: long enough for a held key, short enough to be saved "at once".
QUIET = 0.8


@dataclass(frozen=True)
class Journey:
    """An entry under way: from its place in the file to the place it would be written to, both from 0."""

    target: str
    text: str
    start: int
    place: int
    last: int


class Reordering(Previewing):
    """`{` and `}`. The pane shows every press at once; any other key writes what is pending first."""

    journey: Journey | None = None
    flown: Journey | None = None  # written, but what came of it is not read back yet
    _quiet: Timer | None = None

    @property
    def unsaved(self) -> str:
        """A place that is not written yet."""
        return f"the new place of an entry in {FILE_NAMES[self.journey.target]}" if self.journey else ""

    def place_reason(self, action_id: str) -> str:
        """Why the entry cannot go further this way."""
        store, view = self.store, self.entry
        if store is None or view is None:
            return ""
        going = self.journey or self.flown
        if going is None and self.busy:
            return "A change is being written; another program may hold the file for a moment."
        if going is not None and (going.target, going.text) != (self.current, view.entry.text):
            return "The new place of another entry is being written; a moment."
        place, last = (going.place, going.last) if going is not None else (view.number - 1, len(store.entries) - 1)
        if last < 1:
            return "It is the only entry of this store."
        if action_id == "place_up" and place <= 0:
            return "The entry is the first one already."
        if action_id == "place_down" and place >= last:
            return "The entry is the last one already."
        return ""

    def do_place_up(self) -> None:
        """One place up."""
        self._place(-1)

    def do_place_down(self) -> None:
        """One place down."""
        self._place(1)

    def _place(self, step: int) -> None:
        store, view = self.store, self.entry
        if store is None or view is None:
            return
        going = self.journey
        if going is None and self.flown is not None:
            going = replace(self.flown, start=self.flown.place)
        if going is None:
            at = view.number - 1
            going = Journey(self.current, view.entry.text, at, at, len(store.entries) - 1)
        self.journey = replace(going, place=going.place + step)
        self._show_journey()
        self._wait()

    def _wait(self) -> None:
        if self._quiet is not None:
            self._quiet.stop()
        self._quiet = self.set_timer(QUIET, self.settle_place)

    def _outcome(self, going: Journey) -> Outcome:
        from workbench.memory import Exact, Reorder, apply

        assert self.home is not None
        stores = {target: view.document.texts for target, view in self.home.stores.items()}
        return apply(stores, Reorder(going.target, Exact(going.text), going.place), self.workspace.limits)

    def _show_journey(self) -> None:
        going = self.journey
        if going is None:
            return
        pane = self.pane(going.target)
        pane.preview(self._outcome(going))
        if going.place != going.start:
            said = f"place {going.start + 1} → {going.place + 1} · saved in a moment · {shown('memory.back')} stops"
            pane.border_subtitle = Content(said)
        else:
            pane.refresh_subtitle()
        self.refresh_keys()

    def stop_place(self) -> None:
        """Forget the way an entry went."""
        going, self.journey = self.journey, None
        if self._quiet is not None:
            self._quiet.stop()
        if going is not None:
            self.pane(going.target).preview(None)
            self.pane(going.target).refresh_subtitle()
            self.refresh_keys()

    def settle_place(self) -> None:
        """Write where the entry stands now. While another change is being written, that is waited for."""
        from workbench.memory import Exact, Reorder

        going = self.journey
        if going is None:
            return
        if self.busy:
            self._wait()
            return
        if going.place == going.start:
            self.stop_place()
            return
        self.journey, self.flown = None, going
        if self._quiet is not None:
            self._quiet.stop()
        self.change(Write(Reorder(going.target, Exact(going.text), going.place)))

    def action_run(self, action_id: str) -> None:
        """Any other verb first writes what is pending; back stops it."""
        if self.journey is not None and action_id not in ("place_up", "place_down"):
            if action_id == "back":
                self.stop_place()
                return
            self.settle_place()
        super().action_run(action_id)

    def rows_changed(self) -> None:
        """What was read anew is shown with the entry at its new place."""
        super().rows_changed()
        if not self.busy:
            self.flown = None
        going = self.journey
        if going is None or self.home is None:
            return
        texts = self.home.stores[going.target].document.texts
        if going.text not in texts:
            self.stop_place()
            return
        start, last = texts.index(going.text), len(texts) - 1
        self.journey = replace(going, start=start, last=last, place=min(going.place, last))
        self._show_journey()
