"""Soak: a real client, an editor and a workbench at work on one home, with `workbench watch` beside them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.table import Row
from tests.conftest import TESTS
from workbench.files import replace_file
from workbench.history import History
from workbench.history.backups import list_backups
from workbench.home import HomeChoice
from workbench.memory import Add, Exact, Remove, Replace
from workbench.workspace import Workspace

STAYED = 0.020
LIMIT = "memory:\n  memory_char_limit: 1000000\n  user_char_limit: 1000000\n"


@dataclass
class Sampler:
    """Looks at one file all the time: which contents stayed, for how many seconds."""

    path: Path
    stayed: dict[bytes, float] = field(default_factory=dict)
    looks: int = 0
    done: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Look until told to stop; a content counts from its first sight until another stamp is seen."""
        stamp: tuple[int, ...] | None = None
        data, since, last = b"", 0.0, 0.0
        while not self.done.is_set():
            self.looks += 1
            now = time.perf_counter()
            try:
                info = self.path.stat()
                seen = (info.st_mtime_ns, info.st_ino, info.st_size)
                if seen != stamp:
                    self._note(data, last - since)
                    data, since, stamp = self.path.read_bytes(), now, seen
                    again = self.path.stat()
                    if (again.st_mtime_ns, again.st_ino, again.st_size) != seen:
                        data, stamp = b"", None
                last = now
            except FileNotFoundError:
                self._note(data, last - since)
                data, stamp = b"", None
            time.sleep(0.001)
        self._note(data, last - since)

    def _note(self, data: bytes, seconds: float) -> None:
        if data:
            self.stayed[data] = max(seconds, self.stayed.get(data, 0.0))


class Editor:
    """Saves like editors do, in turn: truncating, by a rename, by deleting first; with and without a final newline."""

    def __init__(self, path: Path, saves: int, pause: float) -> None:
        self.path, self.saves, self.pause = path, saves, pause

    def run(self) -> None:
        """Save as often as asked, each time with one line of its own more or less."""
        chance = random.Random(11)
        for number in range(self.saves):
            time.sleep(self.pause * (0.5 + chance.random()))
            try:
                texts = self.path.read_text("utf-8", "replace").strip().split("\n§\n")
            except FileNotFoundError:
                texts = []
            texts = [text for text in texts if not text.startswith("edited by hand")]
            text = "\n§\n".join([*texts, f"edited by hand {number}"]) + ("\n" if number % 2 else "")
            self._save(text.encode(), number % 3)

    def _save(self, data: bytes, way: int) -> None:
        if way == 0:
            self.path.write_bytes(data)
        elif way == 1:
            replace_file(self.path, data)
        else:
            self.path.unlink(missing_ok=True)
            time.sleep(0.002)
            self.path.write_bytes(data)


def _work(home: Path, edits: int, pause: float, failed: list[str]) -> None:
    """A workbench that edits."""
    workspace = Workspace.open(HomeChoice(home, home, "default", "a soak"))
    chance = random.Random(13)
    mine: list[str] = []
    for number in range(edits):
        time.sleep(pause * (0.5 + chance.random()))
        text = f"workbench note {number:04d}."
        try:
            if number % 3 == 2 and mine:
                workspace.write(Remove("memory", Exact(mine.pop(0))), accept=frozenset({"--accept-empty"}))
            elif number % 3 == 1 and mine:
                workspace.write(Replace("memory", Exact(mine[-1]), text))
                mine[-1] = text
            else:
                workspace.write(Add("memory", text))
                mine.append(text)
        except Exception as error:  # noqa: BLE001 - a conflict with the editor is an answer, anything else is counted
            failed.append(f"{type(error).__name__}: {error}")
    workspace.close()


def soak_live(folder: Path, short: bool) -> list[Row]:
    """All rows; without the real client an in-process stand-in would prove nothing, so then there are none."""
    python = os.environ.get("WORKBENCH_CLIENT_PYTHON", "")
    if not python:
        sys.stderr.write("soak_live needs WORKBENCH_CLIENT_PYTHON\n")
        return []
    calls, saves, edits = (150, 20, 20) if short else (2_000, 200, 200)
    home = folder / "home"
    (home / "memories").mkdir(parents=True)
    (home / "config.yaml").write_text(LIMIT)
    path = home / "memories" / "MEMORY.md"
    path.write_text("first fact")
    environment = {**os.environ, "PYTHONPATH": str(TESTS.parent)}
    argv = [sys.executable, "-m", "workbench", "--home", str(home), "watch", "--json"]
    watching = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=environment)
    told: list[dict[str, Any]] = []
    assert watching.stdout is not None
    told.append(json.loads(watching.stdout.readline()))
    reader = threading.Thread(target=_collect, args=(watching, told))
    reader.start()
    try:
        found = _storm(home, path, python, calls, saves, edits, watching.pid)
        time.sleep(2.5)  # everything settles
        before = _cpu(watching.pid)
        time.sleep(3.0 if short else 10.0)
        found["idle"] = (_cpu(watching.pid) - before) / (3.0 if short else 10.0)
        found["rss"].append(_rss(watching.pid))
        found["threads"].append(_threads(watching.pid))
    finally:
        watching.terminate()
        watching.wait(timeout=15)
        reader.join()
    return _rows(home, path, found, told)


def _collect(process: subprocess.Popen[str], told: list[dict[str, Any]]) -> None:
    assert process.stdout is not None
    told.extend(json.loads(line) for line in process.stdout)


def _storm(home: Path, path: Path, python: str, calls: int, saves: int, edits: int, pid: int) -> dict[str, Any]:
    """All writers together, until the client is through."""
    pause = 0.060
    argv = [python, str(TESTS / "client" / "soaker.py"), str(home), str(calls), str(pause)]
    client = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert client.stdin is not None and client.stdout is not None
    client.stdout.readline()
    sampler = Sampler(path)
    length = calls * pause / 2
    failed: list[str] = []
    threads = [
        threading.Thread(target=sampler.run),
        threading.Thread(target=Editor(path, saves, length / saves).run),
        threading.Thread(target=_work, args=(home, edits, length / edits, failed)),
    ]
    begun = time.monotonic()
    rss, count, used = [_rss(pid)], [_threads(pid)], _cpu(pid)
    for thread in threads:
        thread.start()
    client.stdin.write("go\n")
    client.stdin.flush()
    while client.poll() is None:
        time.sleep(0.5)
        rss.append(_rss(pid))
        count.append(_threads(pid))
    answered = json.loads(client.stdout.read())
    for thread in threads[1:]:
        thread.join()
    sampler.done.set()
    threads[0].join()
    took = time.monotonic() - begun
    busy = (_cpu(pid) - used) / took
    return {"stayed": sampler.stayed, "looks": sampler.looks, "failed": failed, "client": answered, "took": took,
            "rss": rss, "threads": count, "busy": busy}  # fmt: skip


def _rows(home: Path, path: Path, found: dict[str, Any], told: list[dict[str, Any]]) -> list[Row]:
    history = History(home, read_only=True)
    stayed = {data: seconds for data, seconds in found["stayed"].items() if seconds >= STAYED}
    known = {row[0] for row in history.database.read("SELECT sha256 FROM blobs")}
    missing = [data for data in stayed if hashlib.sha256(data).hexdigest() not in known]
    lost = {entry for data in missing for entry in data.split("\n§\n".encode())}
    for sha in known:
        lost -= {entry.strip() for entry in (history.bytes_of(sha) or b"").split("\n§\n".encode())} if lost else set()
    backups = list_backups(history, path)
    ours = Counter(one.sha256 for one in backups if one.ours)
    twice = sum(number - 1 for number in ours.values())
    history.close()
    kinds = Counter(one["fact"] for one in told)
    rss = found["rss"]
    quarter = rss[len(rss) // 4] if len(rss) > 4 else rss[0]
    growth = (rss[-1] - quarter) / max(quarter, 1)
    conflicts = Counter(text.partition(":")[0] for text in found["failed"])
    client = found["client"]
    late = max((stayed[data] for data in missing), default=0.0)
    # The first second is for folders that appear when the first thing is recorded.
    threads = found["threads"][min(2, len(found["threads"]) - 1) :]
    seen = f"{len(found['stayed']):,} seen in {found['looks']:,} looks"
    idle, busy = found["idle"], found["busy"]
    storm = (
        f"{100 * busy:.0f} % for {found['took']:.0f} s; {client['calls']} calls of the client, {client['refused']} "
        f"refused by it; our edits met {dict(conflicts) or 'no conflict'}; told {dict(kinds)}"
    )
    return [
        _zero(
            "versions that stayed 20 ms and are not in the history",
            len(missing),
            f"of {len(stayed):,} ({seen}); longest {late * 1000:.0f} ms",
        ),
        _zero("entries of those that no version has", len(lost), ""),
        _zero("backups of ours with the same content", twice, f"{sum(ours.values())} ours, {len(backups)} in all"),
        _zero("threads more at the end", max(0, threads[-1] - threads[0]), f"{threads[0]} to {threads[-1]}"),
        Row(
            "memory of the watcher, growth after the first quarter",
            [growth],
            [1.0],
            0.10,
            f"{quarter / 1024:.0f} MB to {rss[-1] / 1024:.0f} MB",
            "×",
        ),
        Row("CPU while idle, of a core", [max(idle, 1e-4)], [1.0], 0.03, f"{100 * idle:.2f} %", "×"),
        Row("CPU during the storm, of a core", [busy], [1.0], None, storm, "×"),
    ]


def _zero(what: str, number: int, note: str) -> Row:
    return Row(what, [float(number)], [1.0], 0.0, note, "")


def _rss(pid: int) -> int:
    """Kilobytes in memory (Linux; 0 elsewhere)."""
    return _status(pid, "VmRSS")


def _threads(pid: int) -> int:
    return _status(pid, "Threads")


def _status(pid: int, key: str) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(key + ":"):
                return int(line.split()[1])
    return 0


def _cpu(pid: int) -> float:
    """Seconds of CPU used so far (Linux; 0 elsewhere)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
