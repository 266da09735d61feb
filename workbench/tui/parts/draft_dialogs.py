"""The question that leaving a draft asks."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from workbench.tui.actions import bindings
from workbench.tui.keymap import shown
from workbench.tui.parts.dialogs import Dialog


class LeaveDraftDialog(Dialog[str | None]):
    """The result is `keep`, `drop`, or None to go on drafting."""

    SCOPES = ("leave_draft",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("leave_draft")]

    def __init__(self, said: str) -> None:
        lead = f"{said}. Nothing of it is written; {shown('memory.apply')} would apply it."
        super().__init__("leave the draft", lead)

    def do_keep(self) -> None:
        """Look at the files; the draft waits."""
        self.dismiss("keep")

    def do_drop(self) -> None:
        """Forget it."""
        self.dismiss("drop")

    def do_close(self) -> None:
        """Go on drafting."""
        self.dismiss(None)
