"""Noticing that the terminal is gone where no signal says so."""

from __future__ import annotations

import threading
from collections.abc import Callable

PAUSE_SECONDS = 2.0


def there(handle: int) -> bool:
    """Whether a terminal still answers; a closed one does not, whatever is left in its buffers."""
    import termios

    try:
        termios.tcgetattr(handle)
    except (termios.error, OSError):
        return False
    return True


def watch_over(handle: int, stopped: threading.Event, gone: Callable[[], None], last: Callable[[], None]) -> None:
    """Look every two seconds until `stopped`; once the terminal is gone call `gone`, and `last` if that did not help.

    A process without a controlling terminal gets no SIGHUP: its drawing then waits for ever and its reading spins.
    Meant for a daemon thread.
    """
    while not stopped.wait(PAUSE_SECONDS):
        if not there(handle):
            gone()
            if not stopped.wait(PAUSE_SECONDS):
                last()
            return
