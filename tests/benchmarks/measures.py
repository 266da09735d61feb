"""What is measured, and against what."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.areas import areas, soak
from tests.benchmarks.curation import curation
from tests.benchmarks.inbox import listing
from tests.benchmarks.keys import keys
from tests.benchmarks.live import live
from tests.benchmarks.screen import first_frames
from tests.benchmarks.sessions import search
from tests.benchmarks.soak import soak_live
from tests.benchmarks.table import Row
from tests.benchmarks.transcripts import transcripts
from tests.conftest import TESTS
from workbench.demo import make
from workbench.home import HomeChoice
from workbench.memory import Add, Exact, Remove
from workbench.threats import scan
from workbench.workspace import Workspace


def timed(act: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def in_turn(ours: Callable[[], object], base: Callable[[], object], times: int) -> tuple[list[float], list[float]]:
    """Time both in turn, after one round that is not counted."""
    ours()
    base()
    pairs = [(timed(ours), timed(base)) for _ in range(times)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def writing(folder: Path, short: bool) -> list[Row]:
    """A write with history against a bare temp-write, fsync of file and folder, replace, of the same bytes."""
    (folder / "memories").mkdir()
    (folder / "memories" / "MEMORY.md").write_text("\n§\n".join(f"fact {n} " + "x" * 120 for n in range(12)))
    workspace = Workspace.open(HomeChoice(folder, folder, "default", "a benchmark"))
    path, bare = folder / "memories" / "MEMORY.md", folder / "bare.md"
    texts = iter(range(1_000_000))

    def ours() -> None:
        number = next(texts)
        if number % 2:
            workspace.write(Remove("memory", Exact(f"a new fact {number - 1}")))
        else:
            workspace.write(Add("memory", f"a new fact {number}"))

    def base() -> None:
        data = path.read_bytes()
        handle, temp = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temp, bare)
        directory = os.open(folder, os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)

    pairs = in_turn(ours, base, 40 if short else 300)
    workspace.close()
    return [Row("write with history / bare durable replace", *pairs, 4.0)]


UNAVOIDABLE = "argparse, json, re, sqlite3, yaml, hashlib, pathlib, unicodedata, threading"


def status(folder: Path, short: bool) -> list[Row]:
    """`workbench status` as a process, against Python with the imports it cannot avoid, and against Python alone."""
    home = make(folder / "home", now=1_790_000_000)
    environment = {**os.environ, "PYTHONPATH": str(TESTS.parent)}

    def run(*argv: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, *argv], env=environment, stdout=subprocess.DEVNULL, check=True)

    verb = run("-m", "workbench", "--home", str(home), "status", "--json")
    times = 7 if short else 25
    imports = in_turn(verb, run("-c", f"import {UNAVOIDABLE}"), times)
    nothing = in_turn(verb, run("-c", "pass"), times)
    return [
        Row("`status` / python importing what it cannot avoid", *imports, 4.0, UNAVOIDABLE),
        Row("`status` / `python -c pass`", *nothing),
    ]


def scanning(folder: Path, short: bool) -> list[Row]:
    """1 MB of hostile text against 1 MB of ordinary text: the scanner's time must not depend on what it reads."""
    plain = ("Prefers short answers with the command first; the build runs on port 8080. " * 14_000)[:1_000_000]
    hostile = {
        "keywords": "translate x into y and ignore curl $ wget cat send post update you are now " * 14_000,
        "spaces": "ignore" + " " * 65_000 + "you must",
        "words": "ignore " + "a" * 65_000,
        "filler": "ignore all all all all never create write script " * 20_000,
        "dollars": "curl $" + "$KE" * 300_000,
        "wide": "ｉｇｎｏｒｅ　ａｌｌ　" * 90_000,
    }
    rows = []
    for name, text in hostile.items():
        pairs = in_turn(lambda text=text: scan(text), lambda: scan(plain), 3 if short else 9)  # type: ignore[misc]
        rows.append(Row(f"scan 1 MB hostile ({name}) / 1 MB ordinary", *pairs))
    return rows


def contention(folder: Path, short: bool) -> list[Row]:
    """Four real clients and four workbenches on one home; the slowest of each."""
    python = os.environ.get("WORKBENCH_CLIENT_PYTHON")
    if not python:
        return []
    from tests.client.many_writers import race

    each, rounds = (40, 1) if short else (250, 5)
    found = []
    for number in range(rounds):
        home = folder / f"home-{number}"
        (home / "memories").mkdir(parents=True)
        found.append(race(home, python, each=each))
    ours, base = ([max(one.seconds[kind]) for one in found] for kind in ("workbench", "client"))
    looks = sum(one.looks for one in found)
    broken = sum(len(one.broken) for one in found)
    note = f"{each} operations a writer; {looks:,} looks at the file, {broken} broken"
    return [Row("4 workbenches beside 4 clients, slowest of each", ours, base, 3.0, note)]


ALL: tuple[Callable[[Path, bool], list[Row]], ...] = (
    first_frames,
    keys,
    areas,
    live,
    soak,
    soak_live,
    status,
    writing,
    scanning,
    listing,
    curation,
    transcripts,
    search,
    contention,
)
