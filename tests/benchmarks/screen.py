"""How long until the first frame, from the start of the process, in a pseudo-terminal of 120 by 36."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.table import Row
from tests.conftest import TESTS
from workbench.demo import make

BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("ready-to-look", markup=False)
Bare().run()
"""


def seconds_until(argv: Sequence[str], text: str) -> float:
    """Start a program in a pseudo-terminal and wait until `text` has been painted; then end it."""
    begun = time.perf_counter()
    master, slave = pty.openpty()
    _resize(slave, 36, 120)
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(TESTS.parent)}
    process = subprocess.Popen(
        [sys.executable, *argv],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment,
        start_new_session=True,
    )
    os.close(slave)
    seen = b""
    try:
        while text.encode() not in seen:
            ready, _, _ = select.select([master], [], [], 30)
            if not ready:
                raise TimeoutError(f"{text!r} was never painted; saw {seen[-400:]!r}")
            seen += os.read(master, 65536)
        return time.perf_counter() - begun
    finally:
        process.kill()
        process.wait()
        os.close(master)


def _resize(handle: int, rows: int, columns: int) -> None:
    import fcntl
    import struct
    import termios

    fcntl.ioctl(handle, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def first_frames(folder: Path, short: bool) -> list[Row]:
    """The empty frame, and the frame with entries and bars, against a bare Textual app; also beside a big state.db.

    What is painted first comes before Textual is loaded, so the moment from which keys are answered (the key line is
    painted) has rows of its own.
    """
    bare = folder / "bare.py"
    bare.write_text(BARE)
    small = make(folder / "small", now=1_790_000_000)
    big = make(folder / "big", now=1_790_000_000, sessions=400, messages=4_000 if short else 200_000)
    times = 3 if short else 15
    rows = []
    for name, home, text, target in (
        ("empty frame", small, "workbench", 1.3),
        ("first frame with entries and bars", small, "chars left", 1.5),
        ("the same beside a state.db of 200,000 messages", big, "chars left", 1.5),
        ("keys are answered", small, "pane", None),
        ("keys are answered beside 200,000 messages", big, "pane", None),
    ):
        ours, base = [], []
        for number in range(times + 1):
            pair = (
                seconds_until(["-m", "workbench", "--home", str(home)], text),
                seconds_until([str(bare)], "ready-to-look"),
            )
            if number:
                ours.append(pair[0])
                base.append(pair[1])
        rows.append(Row(f"{name} / bare Textual app", ours, base, target))
    return rows
