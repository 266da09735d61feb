"""UnsavedDialog: a text that was being written when a terminal went away; go on with it, or throw it away."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from workbench.memory import FILE_NAMES
from workbench.tui.actions import bindings
from workbench.tui.parts.dialogs import Dialog
from workbench.tui.screen_text import one_line, safe
from workbench.tui.unsaved import Kept, age, drop

if TYPE_CHECKING:
    from workbench.tui.alive import AliveFace


class UnsavedDialog(Dialog[str | None]):
    """The result is `open`, `drop`, or None for later."""

    SCOPES = ("unsaved",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("unsaved")]

    def __init__(self, kept: Kept, when: str) -> None:
        draft = kept.draft
        what = "a change of an entry" if draft.before else "a new entry"
        lead = (
            f"A terminal was closed {when} while the text of a waiting record ({one_line(draft.record)}) was being "
            "edited. The text was kept; nothing of it was applied."
            if draft.record
            else f"A terminal was closed {when} while {what} of {FILE_NAMES[draft.target]} was being written. "
            "The text was kept; nothing of it is in the store."
        )
        super().__init__("unsaved text", lead, safe(draft.text))
        self.kept = kept

    def do_open(self) -> None:
        """Go on with it."""
        self.dismiss("open")

    def do_drop(self) -> None:
        """Throw it away."""
        self.dismiss("drop")

    def do_copy(self) -> None:
        """Copy it."""
        self.app.copy_to_clipboard(self.kept.draft.text)
        self.say("The text is copied.")

    def do_close(self) -> None:
        """Ask again at the next start."""
        self.dismiss(None)


def offer(app: AliveFace, drafts: tuple[Kept, ...]) -> None:
    """Show the first of the drafts, and the others once it has been dealt with."""
    if not drafts:
        return
    kept, rest = drafts[0], drafts[1:]

    def answered(choice: str | None) -> None:
        if choice == "open":
            (_open_record if kept.draft.record else _open)(app, kept, rest)
            return
        if choice == "drop":
            drop(kept)
        offer(app, rest)

    app.push_screen(UnsavedDialog(kept, age(kept)), answered)


def _open(app: AliveFace, kept: Kept, rest: tuple[Kept, ...]) -> None:
    from workbench.tui.screens.editor import Edited, EditorScreen
    from workbench.tui.screens.memory import MemoryScreen

    screen, draft = app.screen, kept.draft
    if not isinstance(screen, MemoryScreen) or screen.home is None:
        app.notify("Open it from the Memory area; it will be offered again at the next start.", markup=False)
        return
    store = screen.home.stores[draft.target]
    view = store.find(draft.before)  # gone meanwhile: the text becomes a new entry
    screen.go_to(draft.target)
    then = screen._left(draft.target, "Saved")

    def left(edited: Edited | None) -> None:
        drop(kept)  # saved, or left on purpose
        then(edited)
        offer(app, rest)

    before = view.entry.text if view is not None else None
    editor = EditorScreen(
        screen.workspace, store, before, screen.glyphs, initial=draft.text, preview=screen.show_preview
    )
    app.push_screen(editor, left)


def _open_record(app: AliveFace, kept: Kept, rest: tuple[Kept, ...]) -> None:
    """In the Inbox, once the queue is read; where the record waits no more the text stays kept."""
    from workbench.tui.app import WorkbenchApp
    from workbench.tui.screens.inbox import InboxScreen

    if not isinstance(app, WorkbenchApp):
        return
    app.go_to_record(kept.draft.record)
    screen = app.screen
    assert isinstance(screen, InboxScreen)

    def left() -> None:
        drop(kept)  # accepted, or left on purpose
        offer(app, rest)

    def read() -> None:
        waits = screen.preview is not None and screen.preview.record.key == kept.draft.record
        why = screen.why_disabled("edit") if waits else f"{one_line(kept.draft.record)} does not wait any more."
        if why:
            screen.say(f"{why} The text stays kept, and is offered again at the next start, to be copied.", "warning")
            offer(app, rest)
        else:
            screen.open_editor(kept.draft.text, left)

    screen.then = read
