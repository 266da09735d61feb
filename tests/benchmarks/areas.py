"""How long an area takes to open for the first time, and whether long use makes the process grow."""

from __future__ import annotations

import os
import select
import time
from pathlib import Path

from tests.benchmarks.live import Terminal
from tests.benchmarks.table import Row
from workbench.demo import make

# How long somebody looks at the first screen before another one is asked for (seconds).
LOOKED = 1.0

ONE_LIST = """
from textual.app import App
from textual.screen import Screen
from textual.widgets import OptionList, Static
class Listed(Screen):
    def compose(self):
        words = " some words to fill a line" * 3
        yield OptionList(*[f"row-of-the-list {n}{words}" for n in range(200)], markup=False)
class Bare(App):
    BINDINGS = [("6", "go", "go")]
    def compose(self):
        yield Static("ready-to-look", markup=False)
    def action_go(self):
        self.push_screen(Listed())
Bare().run()
"""


def areas(folder: Path, short: bool) -> list[Row]:
    """The first opening of each area against a bare screen that shows one list."""
    home = make(folder / "home", now=1_790_000_000)
    bare = folder / "list.py"
    bare.write_text(ONE_LIST)
    rows = []
    for key, text, what in (
        (b"2", "oldest", "Inbox"), (b"3", "cron, last", "Sessions"), (b"4", "why it matters", "Alerts"),
        (b"5", "(an estimate)", "Prompt"), (b"6", "as it was found", "History"),
    ):  # fmt: skip
        for looked, when, target in ((LOOKED, "", 1.2), (0.0, " before the workbench was idle", None)):
            ours, base = [], []
            for _ in range(3 if short else 9):
                ours.append(_opening(["-m", "workbench", "--home", str(home)], "live", key, text, looked))
                base.append(_opening([str(bare)], "ready-to-look", b"6", "row-of-the-list", looked))
            name = f"first opening of {what}{when} / of a bare screen with one list"
            rows.append(Row(name, ours, base, target))
    return rows


def _opening(argv: list[str], ready: str, key: bytes, text: str, looked: float) -> float:
    with Terminal(argv) as screen:
        screen.until(ready)
        screen.settle()
        _drain(screen, looked)
        screen.send(key)
        return screen.until(text)


def soak(folder: Path, short: bool) -> list[Row]:
    """Resident memory at the end of long use against a fifth of the way: keys, areas, editor, writes from outside.

    A round is what somebody does in about 45 seconds (20 keys, two areas, an editor, a write of somebody else): 80 of
    them stand for an hour. What Textual keeps of the last 1,024 widgets has come to its end by then.
    """
    home = make(folder / "home", now=1_790_000_000)
    rounds = 10 if short else 80
    path = home / "memories" / "MEMORY.md"
    text = path.read_text(encoding="utf-8")
    early = late = 0.0
    with Terminal(["-m", "workbench", "--home", str(home)]) as screen:
        screen.until("live")
        screen.settle()
        for number in range(rounds):
            path.write_text(f"{text}\n§\nround {number}", encoding="utf-8")
            for key in "jjjjkk\tG5jj]6jj[1gez":
                screen.send(key.encode())
                _drain(screen, 0.03)
            _drain(screen, 0.2)
            screen.send(b"\x1b")
            _drain(screen, 0.3)
            screen.send(b"\r")  # leave the editor without saving
            _drain(screen, 0.12)
            size = _resident(screen)
            early = size if number == rounds // 5 else early
            late = size
    return [
        Row(f"resident memory after {rounds} rounds of use / after a fifth of them", [late], [early], 1.1, unit="kB")
    ]


def _drain(screen: Terminal, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        if select.select([screen.master], [], [], left)[0]:
            os.read(screen.master, 65536)


def _resident(screen: Terminal) -> float:
    """Resident memory of the process in kB (Linux)."""
    for line in Path(f"/proc/{screen.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return float(line.split()[1])
    return 0.0
