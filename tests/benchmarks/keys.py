"""From a key to its painted frame, through a pseudo-terminal, on real homes; and what a key costs in bytes."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.screen import _resize
from tests.benchmarks.table import Row
from tests.conftest import TESTS
from workbench.demo import make

# Output that pauses longer than this belongs to another frame.
GAP_SECONDS = 0.012
FRAME_SECONDS = 0.016


class Terminal:
    """A program in a pseudo-terminal of 120 by 36, typed into and listened to."""

    def __init__(self, argv: Sequence[str]) -> None:
        master, slave = pty.openpty()
        _resize(slave, 36, 120)
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        environment["PYTHONPATH"] = str(TESTS.parent)
        self.process = subprocess.Popen(
            [sys.executable, *argv], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)
        self.master = master

    def listen(self, seconds: float) -> bytes:
        """What comes within this time."""
        heard, end = b"", time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            ready, _, _ = select.select([self.master], [], [], left)
            if ready:
                heard += os.read(self.master, 65536)
        return heard

    def until(self, text: str) -> None:
        """Wait for a text. Raises TimeoutError after 30 seconds."""
        heard, end = b"", time.perf_counter() + 30
        while text.encode() not in heard:
            if time.perf_counter() > end:
                raise TimeoutError(f"{text!r} never came")
            heard += self.listen(0.05)

    def press(self, key: str) -> tuple[float, int]:
        """Type a key: seconds until the last byte of its frame, and how many bytes that frame had."""
        self.listen(0.03)
        begun = time.perf_counter()
        os.write(self.master, key.encode())
        size, last = 0, 0.0
        while select.select([self.master], [], [], GAP_SECONDS if size else 1.0)[0]:
            size += len(os.read(self.master, 65536))
            last = time.perf_counter() - begun
        return last, size

    def close(self) -> None:
        """End the program."""
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@contextlib.contextmanager
def terminal(*argv: str) -> Iterator[Terminal]:
    """A program in a terminal, ended afterwards."""
    running = Terminal(argv)
    try:
        yield running
    finally:
        running.close()


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 stay below."""
    return sorted(values)[int(len(values) * 0.95) - 1]


def keys(folder: Path, short: bool) -> list[Row]:
    """Moving in a list of 10,000 entries and of the demo's, typing in an entry of 2,000 characters."""
    times = 40 if short else 200
    demo = make(folder / "demo", now=1_790_000_000)
    long = _long_home(folder / "long")
    rows: list[Row] = []
    figures: dict[str, list[float]] = {}
    for name, home in (("18 entries", demo), ("10,000 entries", long)):
        with terminal("-m", "workbench", "--home", str(home)) as screen:
            screen.until("chars left")
            screen.listen(2.0)
            pressed = [screen.press("j" if number % 2 else "k") for number in range(times)]
        figures[name] = [seconds for seconds, _ in pressed]
        size = int(statistics.median(size for _, size in pressed))
        note = f"p95 {p95(figures[name]) * 1000:.1f} ms, {size:,} bytes to the terminal a key"
        rows.append(
            Row(f"cursor key among {name} / one frame of 16 ms", figures[name], [FRAME_SECONDS] * times, 1.0, note)
        )
    rows.append(Row("cursor key at 10,000 entries / at 18", figures["10,000 entries"], figures["18 entries"]))
    rows.append(_typing(folder / "typing", times))
    return rows


def _typing(folder: Path, times: int) -> Row:
    home = _home(folder, ["x" * 30 + " word" * 394])
    with terminal("-m", "workbench", "--home", str(home)) as screen:
        screen.until("chars left")
        screen.listen(1.0)
        screen.press("e")
        screen.listen(1.0)
        pressed = [screen.press("a" if number % 2 else "\x7f")[0] for number in range(times)]
    note = f"p95 {p95(pressed) * 1000:.1f} ms"
    return Row("typing in 2,000 characters / one frame of 16 ms", pressed, [FRAME_SECONDS] * times, 1.0, note)


def _long_home(folder: Path) -> Path:
    return _home(folder, [f"fact {number:05d}: the host listens on port {number + 1024}" for number in range(10_000)])


def _home(folder: Path, entries: Sequence[str]) -> Path:
    (folder / "memories").mkdir(parents=True)
    (folder / "memories" / "MEMORY.md").write_text("\n§\n".join(entries), encoding="utf-8")
    (folder / "config.yaml").write_text("memory: {memory_char_limit: 1000000}\n", encoding="utf-8")
    return folder
