"""The driver that takes the terminal over from the first look without wiping it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.drivers.linux_driver import LinuxDriver

if TYPE_CHECKING:
    from workbench.tui.first_look import Curtain


def takeover(curtain: Curtain) -> type[LinuxDriver]:
    """A driver for an app that starts on a screen already drawn by `curtain`."""

    class Takeover(LinuxDriver):
        """Begins on the terminal's other screen, and gives the terminal back as it was before the first look."""

        def start_application_mode(self) -> None:
            """Take over; later starts (after being suspended) are ordinary ones."""
            super().start_application_mode()  # type: ignore[no-untyped-call]
            if not curtain.handed:
                curtain.handed = True
                self.attrs_before = curtain.before

        def write(self, data: str) -> None:
            """Pass on everything but the switch to the other screen: made twice, it wipes what stands there."""
            if curtain.handed or data != "\x1b[?1049h":
                super().write(data)

    return Takeover
