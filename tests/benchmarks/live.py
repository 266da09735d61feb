"""The screen beside a running agent: what a key costs on a slow link, what idling costs, how soon a write is seen."""

from __future__ import annotations

import os
import pty
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.screen import BARE, _resize
from tests.benchmarks.table import Row
from tests.conftest import TESTS
from workbench.demo import make
from workbench.files import replace_file

ROWS, COLUMNS = 36, 120
# What a cursor move may send, and how long a write from outside may take to be seen.
BYTES, SECONDS = 2_000, 0.250
# A screen is quiet when it has sent nothing for so long.
QUIET = 0.25

LIST = """
from textual.app import App
from textual.widgets import OptionList
class Bare(App):
    def compose(self):
        yield OptionList(*[f"ready-to-look {n} " + "some words to fill a line " * 3 for n in range(200)], markup=False)
Bare().run()
"""


class Terminal:
    """A program in a pseudo-terminal of 120 by 36 whose output is counted; to be used as a context."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.master, slave = pty.openpty()
        _resize(slave, ROWS, COLUMNS)
        environment = {
            **os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(TESTS.parent)
        }  # fmt: skip
        self.process = subprocess.Popen(
            [sys.executable, *argv], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def send(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.master, keys)

    def until(self, text: str, seconds: float = 30.0) -> float:
        """Read until a text is painted; answers how long that took."""
        begun, seen = time.perf_counter(), b""
        while text.encode() not in seen:
            left = seconds - (time.perf_counter() - begun)
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                raise TimeoutError(f"{text!r} was never painted; saw {seen[-400:]!r}")
            seen += os.read(self.master, 65536)
        return time.perf_counter() - begun

    def settle(self) -> int:
        """Read until nothing comes any more; answers how many bytes came."""
        count = 0
        while select.select([self.master], [], [], QUIET)[0]:
            count += len(os.read(self.master, 65536))
        return count

    def cpu(self) -> float:
        """Seconds of CPU that the process has used so far (Linux; 0 elsewhere)."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def live(folder: Path, short: bool) -> list[Row]:
    """All rows of this module."""
    home = make(folder / "home", now=1_790_000_000)
    bare, bare_list = folder / "bare.py", folder / "list.py"
    bare.write_text(BARE)
    bare_list.write_text(LIST)
    ours = ["-m", "workbench", "--home", str(home)]
    with Terminal(ours) as workbench, Terminal([str(bare)]) as idle, Terminal([str(bare_list)]) as listed:
        workbench.until("live")
        idle.until("ready-to-look")
        listed.until("ready-to-look")
        for terminal in (workbench, idle, listed):
            terminal.settle()
        return [
            _moves(workbench, listed, 8 if short else 30),
            _idle(workbench, idle, 4.0 if short else 20.0),
            _outside(workbench, home, 12 if short else 50),
        ]


def _moves(workbench: Terminal, listed: Terminal, times: int) -> Row:
    """Bytes that one cursor move sends, down and up in turn."""

    def counted(terminal: Terminal, down: bytes, up: bytes, number: int) -> float:
        terminal.send(up if number % 4 > 1 else down)
        return float(terminal.settle())

    ours = [counted(workbench, b"j", b"k", number) for number in range(times)]
    base = [counted(listed, b"\x1b[B", b"\x1b[A", number) for number in range(times)]
    note = f"largest {max(ours):,.0f} B, allowed {BYTES:,} B"
    return Row(
        "bytes of a cursor move / bare OptionList", ours, base, BYTES / max(statistics.median(base), 1), note, "B"
    )


def _idle(workbench: Terminal, bare: Terminal, seconds: float) -> Row:
    """CPU of a screen nobody touches, in seconds, over the same stretch of time; a tick of the clock is 10 ms."""
    before = workbench.cpu(), bare.cpu()
    deadline = time.monotonic() + seconds
    sent = 0
    while (left := deadline - time.monotonic()) > 0:
        ready = select.select([workbench.master, bare.master], [], [], left)[0]
        sent += sum(len(os.read(handle, 65536)) for handle in ready)
    ours, base = workbench.cpu() - before[0], bare.cpu() - before[1]
    note = f"{100 * ours / seconds:.2f} % of a core over {seconds:g} s (allowed 1 %), {sent:,} B sent"
    return Row("CPU while idle / bare Textual app", [max(ours, 0.005)], [max(base, 0.005)], None, note)


def _outside(workbench: Terminal, home: Path, times: int) -> Row:
    """From the replace of MEMORY.md by somebody else to its text on the screen."""
    path = home / "memories" / "MEMORY.md"
    first, *others = path.read_text(encoding="utf-8").split("\n§\n")
    taken = []
    for number in range(times):
        workbench.settle()
        mark = chr(ord("A") + number % 26) * 8  # no letter where it was before: only what differs is sent
        replace_file(path, "\n§\n".join([f"{mark} {first[:60]}", *others]).encode())
        taken.append(workbench.until(mark))
    p95 = sorted(taken)[max(0, round(len(taken) * 0.95) - 1)]
    note = f"p95 of {times}: {p95 * 1000:.0f} ms; 150 ms of it is the pause that gathers a burst"
    return Row("outside write to repaint / 250 ms", taken, [SECONDS] * times, 1.0, note)
