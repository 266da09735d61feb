"""From a key to its painted frame, through a pseudo-terminal of 120 by 36, on real homes."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.inbox import fill
from tests.benchmarks.live import Terminal
from tests.benchmarks.screen import _resize as resize
from tests.benchmarks.table import Row
from workbench.demo import make
from workbench.demo.bulk import write_bulk

FRAME_SECONDS = 0.016
NOW = 1_790_000_000.0
ROWS_BYTES = 300
# Searches typed letter by letter: common, prefix-like, rare, two words, one and two Chinese characters.
WORDS = ("the", "docker", "kakibato", "docker net", "部", "部署")
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
        *_conversations(folder / "talks", short),
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


def _conversations(home: Path, short: bool) -> list[Row]:
    """Reading in a conversation of 10,000 messages, and from a letter to the rows that it finds."""
    from tests.benchmarks.transcripts import _lengthened

    sessions, messages = (400, 20_000) if short else (4_000, 200_000)
    home.mkdir()
    write_bulk(home / "state.db", 7, NOW, sessions, messages)
    _, session = _lengthened(home / "state.db")
    times = 40 if short else 200
    with Terminal(["-m", "workbench", "--home", str(home)]) as screen:
        screen.until("live", 60)
        # Below 100 columns no conversation stands beside the list, so what is painted after a letter are its rows.
        resize(screen.master, 30, 90)
        for keys in ("3", "/", f"session:{session}", "\r", "\r", "G"):
            screen.send(keys.encode())
            time.sleep(0.4)
            screen.settle()
        step = [press(screen, "k") for _ in range(times)]
        half = [press(screen, "jk"[number % 2]) for number in range(times)]
        for keys in ("\x1b", "\x1b", "/"):
            screen.send(keys.encode())
            screen.settle()
        letters = [_rows_after(screen, letter) for word in WORDS for letter in (*word, "\x15")]
    base = [FRAME_SECONDS] * times
    return [
        Row("scrolling up 10,000 messages / a frame", step, base, 1.0, f"p95 {p95(step) * 1000:.1f} ms"),
        Row("scrolling to and fro in them / a frame", half, base, 1.0, f"p95 {p95(half) * 1000:.1f} ms"),
        *_against_client(home, letters, messages),
    ]


def _against_client(home: Path, letters: list[float], messages: int) -> list[Row]:
    """The slowest letters of a hundred against the client's own search for a common word, on the same home."""
    from tests.benchmarks.sessions import COMMON, _client

    python = os.environ.get("WORKBENCH_CLIENT_PYTHON", "")
    if not python:
        return []
    with _client(python, home) as theirs:
        base = [theirs(COMMON) for _ in range(3)]
    what = f"a letter to the painted rows of {messages:,} messages, p95 / the client's search"
    return [
        Row(what, [p95(letters)], [sorted(base)[1]], 0.1, f"median {sorted(letters)[len(letters) // 2] * 1e3:.0f} ms")
    ]


def _rows_after(screen: Terminal, letter: str) -> float:
    """Type a letter; seconds until a frame of rows was written, or the last one when the rows stayed as they were."""
    begun = time.perf_counter()
    screen.send(letter.encode())
    last, until = 0.0, begun + 0.14
    while time.perf_counter() < until:
        if select.select([screen.master], [], [], 0.02)[0]:
            size = len(os.read(screen.master, 65536))
            last = time.perf_counter() - begun
            if size > ROWS_BYTES:  # the letter itself and the blinking cursor take far less
                break
    screen.settle()
    return last


def _home(folder: Path, entries: Sequence[str]) -> Path:
    (folder / "memories").mkdir(parents=True)
    (folder / "memories" / "MEMORY.md").write_text("\n§\n".join(entries), encoding="utf-8")
    (folder / "config.yaml").write_text("memory: {memory_char_limit: 1000000}\n", encoding="utf-8")
    return folder
