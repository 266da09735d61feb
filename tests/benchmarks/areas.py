"""How long an area takes to open for the first time, and whether long use makes the process grow."""

from __future__ import annotations

import os
import select
import time
from pathlib import Path

from tests.benchmarks.live import Terminal
from tests.benchmarks.table import Row
from workbench.demo import make

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
    """The first opening of Inbox, Prompt and History against a bare screen that shows one list."""
    home = make(folder / "home", now=1_790_000_000)
    bare = folder / "list.py"
    bare.write_text(ONE_LIST)
    rows = []
    every = (
        (b"2", "oldest", "Inbox"),
        (b"5", "prompt at the next session", "Prompt"),
        (b"6", "as it was found", "History"),
    )
    for key, text, what in every:
        ours, base = [], []
        for _ in range(3 if short else 9):
            ours.append(_opening(["-m", "workbench", "--home", str(home)], "live", key, text))
            base.append(_opening([str(bare)], "ready-to-look", b"6", "row-of-the-list"))
        rows.append(Row(f"first opening of {what} / of a bare screen with one list", ours, base, 1.2))
    return rows


def _opening(argv: list[str], ready: str, key: bytes, text: str) -> float:
    with Terminal(argv) as screen:
        screen.until(ready)
        screen.settle()
        screen.send(key)
        return screen.until(text)


def soak(folder: Path, short: bool) -> list[Row]:
    """Resident memory at the end of long use against a fifth of the way: keys, areas, editor, writes from outside."""
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
