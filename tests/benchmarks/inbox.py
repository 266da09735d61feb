"""The inbox against reading and parsing the same files."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

from tests.benchmarks.table import Row
from workbench.home import HomeChoice
from workbench.workspace import Workspace

RECORDS = 1000


def fill(home: Path, records: int = RECORDS, seed: int = 4) -> None:
    """A home with a full memory and many waiting records of every kind, as clients write them."""
    rng = random.Random(seed)
    (home / "memories").mkdir(parents=True)
    entries = [
        f"Host {number} " + "keeps logs in /var/log and answers on port 80" + str(number) for number in range(18)
    ]
    (home / "memories" / "MEMORY.md").write_text("\n§\n".join(entries), "utf-8")
    (home / "memories" / "USER.md").write_text("Likes tea", "utf-8")
    folder = home / "pending" / "memory"
    folder.mkdir(parents=True)
    for number in range(records):
        entry = rng.choice(entries)
        action = rng.choice(("add", "add", "replace", "remove", "stale", "batch"))
        content = f"A fact that was learnt in turn {number}: " + rng.choice(
            ("the build is slow", "ask first", "tests pass")
        )
        payload: dict[str, object] = {"action": action, "target": "memory", "content": content, "old_text": None}
        if action in ("replace", "remove"):
            payload["old_text"] = entry[:8]
        elif action == "stale":
            payload.update(action="remove", old_text=f"never there {number}", content=None)
        elif action == "batch":
            operations = [{"action": "remove", "old_text": entry}, {"action": "add", "content": content}]
            payload = {"action": "batch", "target": "memory", "operations": operations}
        record = {
            "id": f"{number:08x}",
            "subsystem": "memory",
            "action": payload["action"],
            "summary": content[:80],
            "origin": "background_review",
            "created_at": 1_790_000_000.0 + number,
            "payload": payload,
        }
        (folder / f"{number:08x}.json").write_text(json.dumps(record, indent=2, ensure_ascii=False), "utf-8")


def listing(folder: Path, short: bool) -> list[Row]:
    """1,000 records with their statuses, against reading and parsing the same files; first, and after one arrived."""
    from tests.benchmarks.measures import in_turn

    home = folder / "home"
    fill(home)
    queue = home / "pending" / "memory"
    choice = HomeChoice(home, home, "default", "a benchmark")
    # What was written a moment ago is read again by design; a queue is usually older than that.
    for path in queue.iterdir():
        os.utime(path, (1_790_000_000, 1_790_000_000))
    fresh = (queue / "00000000.json").read_bytes()
    workspace = Workspace.open(choice)
    numbers = iter(range(1_000_000))

    def first() -> None:
        assert len(Workspace.open(choice).inbox.previews()) == RECORDS

    def again() -> None:
        (queue / f"{next(numbers) % RECORDS:08x}.json").write_bytes(fresh)
        assert len(workspace.inbox.previews()) == RECORDS

    def base() -> None:
        for path in queue.glob("*.json"):
            json.loads(path.read_text("utf-8"))

    times = 5 if short else 25
    rows = [
        Row(
            f"{RECORDS:,} waiting records with statuses, first / reading and parsing the files",
            *in_turn(first, base, times),
            3.0,
        ),
        Row(
            f"{RECORDS:,} waiting records, after one changed / reading and parsing the files",
            *in_turn(again, base, times),
            3.0,
        ),
    ]
    workspace.close()
    return rows
