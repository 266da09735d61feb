"""Telling: what the terminal itself says of a home that needs somebody: its title, a bell, a notification.

Nothing of what is sent comes from disk: fixed words and a number. The title of before is kept on the terminal's own
stack (XTWINOPS 22 and 23) and put back; terminals without one keep the last title until the shell sets its own.
"""

from __future__ import annotations

from collections.abc import Callable

_PUSH, _POP = "\x1b[22;0t", "\x1b[23;0t"
_BELL = "\x07"
_END = "\x1b\\"


class Telling:
    """Speaks to one terminal through `write`. `title`, `bell` (on, off) and `notify` (off, osc9, osc777) as set."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._open: int | None = None
        self._shown = ""
        self.title = False
        self.bell = False
        self.notify = "off"

    def settings(self, *, title: str, bell: str, notify: str) -> None:
        """Obey other settings from now on."""
        if self.title and title == "off":
            self.leave()
        self.title, self.bell, self.notify = title == "on", bell == "on", notify
        self._say_title()

    def alerts(self, count: int) -> None:
        """So many things are open now; more than before is worth a sound."""
        more = self._open is not None and count > self._open
        self._open = count
        self._say_title()
        if more and self.bell:
            self._write(_BELL)
        if more and self.notify != "off":
            self._write(_notification(self.notify, _words(count)))

    def leave(self) -> None:
        """Give the title back; also before the terminal is lent to another program."""
        if self._shown:
            self._shown = ""
            self._write(_POP)

    def come_back(self) -> None:
        """Take the title again."""
        self._say_title()

    def _say_title(self) -> None:
        if not self.title:
            return
        said = f"workbench: {_words(self._open)}" if self._open else "workbench"
        if said != self._shown:
            keep = "" if self._shown else _PUSH
            self._shown = said
            self._write(f"{keep}\x1b]0;{said}{_END}")


def _words(count: int) -> str:
    return f"{int(count)} alert{'' if count == 1 else 's'}"


def _notification(kind: str, words: str) -> str:
    """OSC 9 (iTerm2, Windows Terminal, kitty) or OSC 777 (rxvt-unicode, foot, Ghostty and others)."""
    return f"\x1b]9;workbench: {words}{_END}" if kind == "osc9" else f"\x1b]777;notify;workbench;{words}{_END}"
