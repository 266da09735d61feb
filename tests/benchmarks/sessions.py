"""Searching generated homes: every keystroke against the client's own search of a common word."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.benchmarks.table import Row
from workbench.demo.bulk import write_bulk
from workbench.sessions.database import Database
from workbench.sessions.found import Found
from workbench.sessions.search import search as find

NOW = 1_790_000_000.0
SMALL, LARGE = (4_000, 200_000), (20_000, 1_000_000)
# The word in most messages, as the client is slowest with it.
COMMON = "the"
# Typed key by key: a common word, a rare one, two words, a phrase, prefixes, NOT, CJK of 1, 2 and 5, punctuation.
TYPED = (
    "the", "docker", "kakibato", "docker network", '"docker network"', "dep*", "s*", "c*", "docker NOT the",
    "部", "部署", "数据库部署", "gateway/run.py", "it's", "docker 部署", "网络 OR backup", "zzzabsent",
    "source:cli login",
)  # fmt: skip
Timed = Callable[[str], float]


def search(folder: Path, short: bool) -> list[Row]:
    """The rows about searching; in full, also on a million messages."""
    small = _home(folder / "small", (100, 5_000) if short else SMALL)
    rows = []
    with Database(small / "state.db") as database:
        ours = _asker(database)
        keys = [_keys(ours) for _ in range(2 if short else 3)][-1]
        python = os.environ.get("WORKBENCH_CLIENT_PYTHON", "")
        if python:
            with _client(python, small) as theirs:
                rows += _against_client(ours, theirs, keys, 3 if short else 7)
        rows += _against_sqlite(database, 3 if short else 11)
    if not short:
        rows += _larger(folder, small, keys, rows)
    return rows


def _home(folder: Path, size: tuple[int, int]) -> Path:
    folder.mkdir()
    begun = time.perf_counter()
    write_bulk(folder / "state.db", 7, NOW, *size)
    megabytes = (folder / "state.db").stat().st_size / 1e6
    sys.stderr.write(f"{size[1]:,} messages made in {time.perf_counter() - begun:.0f} s, {megabytes:,.0f} MB\n")
    return folder


def _asker(database: Database) -> Timed:
    """Seconds from asking the interactive thread to having the answer, as a screen would see it."""

    def ask(text: str) -> float:
        begun = time.perf_counter()
        future: Future[Found] = database.run(
            "interactive", lambda db, cap: find(db, cap, text, typing=True, deep=False, now=NOW)
        )
        future.result(60)
        return time.perf_counter() - begun

    return ask


def _keys(ask: Timed) -> list[float]:
    """The time of every keystroke of all queries, in a fixed shuffled order of the queries."""
    queries = list(TYPED)
    random.Random(1).shuffle(queries)
    return [ask(query[:end]) for query in queries for end in range(1, len(query) + 1)]


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _against_client(ours: Timed, theirs: Timed, keys: list[float], times: int) -> list[Row]:
    pairs = {query: ([ours(query)], [theirs(query)]) for query in (COMMON, "docker", "dep*", "部署")}
    for _ in range(times - 1):
        for query, (mine, client) in pairs.items():
            mine.append(ours(query))
            client.append(theirs(query))
    common = pairs[COMMON][1]
    every = f"every keystroke of {len(TYPED)} queries ({len(keys)}), p95 / the client's search of a common word"
    rows = [Row(every, [_p95(keys)], [statistics.median(common)], 0.1, f"slowest {max(keys) * 1000:.0f} ms")]
    for query, (mine, client) in pairs.items():
        rows.append(Row(f"first results for `{query}` / the client's own search for it", mine, client, 0.1))
    return rows


def _against_sqlite(database: Database, times: int) -> list[Row]:
    def timed(ask: Callable[[Any, Any], object]) -> float:
        begun = time.perf_counter()
        database.run("background", ask).result(60)
        return time.perf_counter() - begun

    def ranked() -> float:
        return timed(lambda db, cap: find(db, cap, "docker", order="relevance", now=NOW))

    def bare() -> float:
        sql = "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'docker' ORDER BY rank LIMIT 20"
        return timed(lambda db, cap: db.execute(sql).fetchall())

    pairs = [(ranked(), bare()) for _ in range(times)]
    what = "relevance with snippets, over the newest 5,000 / bare bm25 over all matches"
    return [Row(what, [pair[0] for pair in pairs], [pair[1] for pair in pairs])]


def _larger(folder: Path, small: Path, keys: list[float], before: list[Row]) -> list[Row]:
    large = _home(folder / "large", LARGE)
    with Database(large / "state.db") as database:
        ours = _asker(database)
        more = [_keys(ours) for _ in range(3)][-1]
        firsts = [ours("docker") for _ in range(9)]
    with Database(small / "state.db") as database:
        ours = _asker(database)
        ours("docker")
        base = [ours("docker") for _ in range(9)]
    rows = [
        Row("first results at 1,000,000 / at 200,000 messages (`docker`)", firsts, base, 1.5),
        # Key by key: what a key finds differs more than the sizes do, and the median alone of each size may lie
        # among keys that find nothing in one and among those that fill a page in the other.
        Row("every keystroke at 1,000,000 / the same one at 200,000 messages", more, keys, 1.5),
    ]
    if before and before[0].target == 0.1:
        what = "every keystroke at 1,000,000, p95 / the client's common word at 200,000"
        rows.append(Row(what, [_p95(more)], before[0].base, 0.1, f"slowest {max(more) * 1000:.0f} ms"))
    empty = _home(folder / "empty", (1, 1))
    rows.append(
        Row(
            "memory of a process that searched a million messages / an empty database",
            [_memory(large)],
            [_memory(empty)],
            note="target: at most 40 MB more",
            unit="MB",
        )
    )
    return rows


_SEARCHES = """
import re, resource, sys
from pathlib import Path
from workbench.sessions.database import Database
from workbench.sessions.search import search
with Database(Path(sys.argv[1])) as database:
    for text in sys.argv[2:]:
        for lane, deep in (("interactive", False), ("background", True)):
            database.run(lane, lambda db, cap: search(db, cap, text, deep=deep)).result(100)
status = Path("/proc/self/status")
# What getrusage says on Linux counts the process that started this one.
high = re.search(r"VmHWM:\\s+(\\d+)", status.read_text()) if status.exists() else None
print(int(high[1]) if high else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _memory(home: Path) -> float:
    """The most memory such a process ever held, in MB (Linux counts in KiB)."""
    command = [sys.executable, "-c", _SEARCHES, str(home / "state.db"), *TYPED]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(ran.stdout) * 1024 / 1e6


@contextmanager
def _client(python: str, home: Path) -> Iterator[Timed]:
    script = Path(__file__).parent.parent / "client" / "searcher.py"
    with subprocess.Popen(
        [python, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def ask(text: str) -> float:
            request = {"do": "time", "home": str(home), "query": text, "roles": ["user", "assistant"], "limit": 300}
            stdin.write(json.dumps(request) + "\n")
            stdin.flush()
            return float(json.loads(stdout.readline()))

        ask("warm")
        yield ask
        stdin.close()
