"""From a key to its painted frame, through a pseudo-terminal of 120 by 36, on real homes."""

from __future__ import annotations

import os
import select
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.inbox import fill
from tests.benchmarks.live import COLUMNS, ROWS, Terminal
from tests.benchmarks.screen import _resize as resize
from tests.benchmarks.table import Row
from workbench.demo import make
from workbench.demo.bulk import write_bulk

FRAME_SECONDS = 0.016
NOW = 1_790_000_000.0
# Between two letters, so that each is answered thoroughly as well.
REST_SECONDS = 0.3
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
    return _slowest(what, seconds)


def _slowest(what: str, seconds: Sequence[float]) -> Row:
    """Judged by what 95 of 100 stay below."""
    note = f"median {statistics.median(seconds) * 1000:.1f} ms"
    return Row(f"{what}, p95 / a frame of 16 ms", [p95(seconds)], [FRAME_SECONDS], 1.0, note)


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
    return [
        _slowest("scrolling up 10,000 messages", step),
        _slowest("scrolling to and fro in them", half),
        *_against_client(home, messages),
    ]


def _against_client(home: Path, messages: int) -> list[Row]:
    """The slowest letters of a hundred against the client's own search for a common word, on the same home."""
    from tests.benchmarks.sessions import COMMON, _client

    python = os.environ.get("WORKBENCH_CLIENT_PYTHON", "")
    if not python:
        return []
    rows = []
    with _client(python, home) as theirs:
        for width, where in ((90, "at 90 columns"), (COLUMNS, f"at {COLUMNS} columns")):
            letters = _typed(home, home.parent / f"letters-{width}", width)
            base = sorted(theirs(COMMON) for _ in range(5))[2]
            what = f"a letter to its painted rows among {messages:,} messages, {where}, p95 / the client's search"
            note = f"median {statistics.median(letters) * 1e3:.0f} ms, {len(letters)} letters"
            rows.append(Row(what, [p95(letters)], [base], 0.1, note))
    return rows


def _typed(home: Path, file: Path, width: int) -> list[float]:
    """Type all queries of the search's benchmark letter by letter; seconds from each change to its painted rows."""
    from tests.benchmarks.sessions import TYPED

    file.touch()
    with Terminal(["-m", "tests.benchmarks.painted", str(home), str(file)]) as screen:
        screen.until("live", 60)
        resize(screen.master, ROWS, width)
        screen.settle()
        for keys in ("3", "/"):
            screen.send(keys.encode())
            time.sleep(0.4)
            screen.settle()
        for query in TYPED:
            for letter in query:
                _answered(screen, letter, file)
            screen.send(b"\x15")
            screen.settle()
    return [float(line) for line in file.read_text().split()]


def _answered(screen: Terminal, letter: str, file: Path) -> None:
    """Type a letter and wait for its rows; a letter that changes nothing that is asked for has none."""
    before, until = file.stat().st_size, time.perf_counter() + 0.5
    screen.send(letter.encode())
    while file.stat().st_size == before and time.perf_counter() < until:
        if select.select([screen.master], [], [], 0.005)[0]:
            os.read(screen.master, 65536)
    until = time.perf_counter() + REST_SECONDS
    while (left := until - time.perf_counter()) > 0:
        if select.select([screen.master], [], [], left)[0]:
            os.read(screen.master, 65536)


def _home(folder: Path, entries: Sequence[str]) -> Path:
    (folder / "memories").mkdir(parents=True)
    (folder / "memories" / "MEMORY.md").write_text("\n§\n".join(entries), encoding="utf-8")
    (folder / "config.yaml").write_text("memory: {memory_char_limit: 1000000}\n", encoding="utf-8")
    return folder
