"""Real clients and workbenches writing to one home at once, watched by a reader that takes no lock."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.conftest import TESTS

CONFIG = "memory:\n  memory_char_limit: 1000000\n  user_char_limit: 1000000\n"


@dataclass
class Race:
    """What came of it: seconds by writer, entries that must be there, and what the reader saw go wrong."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    expected: set[str] = field(default_factory=set)
    broken: list[str] = field(default_factory=list)
    looks: int = 0

    @property
    def ratio(self) -> float:
        """The slowest workbench against the slowest client."""
        return max(self.seconds["workbench"]) / max(self.seconds["client"])


def race(home: Path, client_python: str, *, each: int, writers: int = 4) -> Race:
    """Start `writers` of each kind, let them go together, `each` operations a writer."""
    (home / "config.yaml").write_text(CONFIG)
    found = Race()
    script = str(TESTS / "client" / "writer.py")
    pythons = {"client": client_python, "workbench": sys.executable}
    running: list[tuple[str, subprocess.Popen[str]]] = []
    for kind, python in pythons.items():
        for number in range(writers):
            argv = [python, script, kind, str(home), f"{kind}-{number}", str(each)]
            options: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
            running.append((kind, subprocess.Popen(argv, cwd=TESTS.parent, env=_environment(), **options)))
    for _, process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    done = threading.Event()
    reader = threading.Thread(target=_watch, args=(home / "memories" / "MEMORY.md", found, done))
    reader.start()
    for _, process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for kind, process in running:
        out, _ = process.communicate()
        assert process.returncode == 0
        report = json.loads(out.splitlines()[-1])
        found.seconds.setdefault(kind, []).append(report["seconds"])
        found.expected.update(report["mine"])
    done.set()
    reader.join()
    return found


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(TESTS.parent)}


def _watch(path: Path, found: Race, done: threading.Event) -> None:
    """Read the file over and over: it must always be whole."""
    while not done.is_set():
        try:
            text = path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            continue
        found.looks += 1
        for entry in text.split("\n§\n"):
            if text and not (entry.startswith("entry ") and entry.endswith(".")):
                found.broken.append(entry)
