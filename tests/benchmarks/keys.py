"""From a key to its painted frame, through a pseudo-terminal of 120 by 36, on real homes."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.inbox import fill
from tests.benchmarks.live import Terminal
from tests.benchmarks.table import Row
from workbench.demo import make

FRAME_SECONDS = 0.016
# The bytes of one frame come together; what comes later than this is another one.
GAP_SECONDS = 0.004
PAUSE_SECONDS = 0.06


def press(screen: Terminal, key: str) -> float:
    """Type a key; seconds until its frame has been written."""
    while select.select([screen.master], [], [], PAUSE_SECONDS)[0]:
        os.read(screen.master, 65536)
    begun = time.perf_counter()
    screen.send(key.encode())
    last = 0.0
    while select.select([screen.master], [], [], GAP_SECONDS if last else 2.0)[0]:
        os.read(screen.master, 65536)
        last = time.perf_counter() - begun
    return last


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 stay below."""
    return sorted(values)[int(len(values) * 0.95) - 1]


def keys(folder: Path, short: bool) -> list[Row]:
    """Moving in lists of the demo, of 10,000 entries and of 1,000 records, typing in an entry of 2,000 characters."""
    times = 40 if short else 200
    short_home = make(folder / "demo", now=1_790_000_000)
    texts = [f"fact {number:05d}: the host listens on port {number + 1024}" for number in range(10_000)]
    long_home = _home(folder / "long", texts)
    inbox_home = folder / "inbox"
    fill(inbox_home)
    typing_home = _home(folder / "typing", ["x" * 30 + " word" * 394])
    return [
        _row("cursor key among 18 entries", short_home, "", ("j", "k"), times),
        _row("cursor key among 10,000 entries", long_home, "", ("j", "k"), times),
        _row("cursor key among 1,000 waiting records", inbox_home, "2", ("j", "k"), times),
        _row("typing in an entry of 2,000 characters", typing_home, "e", ("a", "\x7f"), times),
    ]


def _row(what: str, home: Path, first: str, pair: tuple[str, str], times: int) -> Row:
    with Terminal(["-m", "workbench", "--home", str(home)]) as screen:
        screen.until("live", 60)
        screen.settle()
        if first:
            screen.send(first.encode())
            screen.settle()
        for key in pair:
            press(screen, key)
        seconds = [press(screen, pair[number % 2]) for number in range(times)]
    return Row(f"{what} / a frame of 16 ms", seconds, [FRAME_SECONDS] * times, 1.0, f"p95 {p95(seconds) * 1000:.1f} ms")


def _home(folder: Path, entries: Sequence[str]) -> Path:
    (folder / "memories").mkdir(parents=True)
    (folder / "memories" / "MEMORY.md").write_text("\n§\n".join(entries), encoding="utf-8")
    (folder / "config.yaml").write_text("memory: {memory_char_limit: 1000000}\n", encoding="utf-8")
    return folder
