"""SnoozeDialog: for how long an alert is set aside."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from workbench.tui.actions import bindings
from workbench.tui.parts.dialogs import Dialog
from workbench.tui.screen_text import safe


class SnoozeDialog(Dialog[str | None]):
    """The result is hour, day, week or month; None for not at all."""

    SCOPES = ("snooze",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("snooze")]

    def __init__(self, message: str) -> None:
        super().__init__("set aside for some time", safe(message))

    def do_hour(self) -> None:
        """An hour."""
        self.dismiss("hour")

    def do_day(self) -> None:
        """A day."""
        self.dismiss("day")

    def do_week(self) -> None:
        """A week."""
        self.dismiss("week")

    def do_month(self) -> None:
        """Thirty days."""
        self.dismiss("month")

    def do_close(self) -> None:
        """Leave it open."""
        self.dismiss(None)
