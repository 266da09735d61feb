"""One writer of the many-writers test: `writer.py client|workbench HOME NAME COUNT`.

Adds an entry of its own at every step and removes an earlier one at every second step, so that half of them stay.
Prints the seconds it took and the entries that must be there at the end.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

LIMIT = 1_000_000


def client(home: str) -> tuple[Callable[[str], None], Callable[[str], None]]:
    os.environ["HERMES_HOME"] = home
    from tools.memory_tool import MemoryStore  # type: ignore[import-not-found]

    store = MemoryStore(LIMIT, LIMIT)
    store.load_from_disk()

    def add(text: str) -> None:
        reply = store.add("memory", text)
        assert reply["success"], reply

    def remove(text: str) -> None:
        reply = store.remove("memory", text)
        assert reply["success"], reply

    return add, remove


def workbench(home: str) -> tuple[Callable[[str], None], Callable[[str], None]]:
    from workbench.home import HomeChoice
    from workbench.memory import Add, Exact, Remove
    from workbench.workspace import Workspace

    workspace = Workspace.open(HomeChoice(Path(home), Path(home), "default", "a test"))
    accept = frozenset({"--accept-empty"})
    return (
        lambda text: void(workspace.write(Add("memory", text))),
        lambda text: void(workspace.write(Remove("memory", Exact(text)), accept=accept)),
    )


def void(_: object) -> None:
    return None


def main() -> None:
    kind, home, name, count = sys.argv[1:]
    add, remove = client(home) if kind == "client" else workbench(home)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    begun = time.monotonic()
    mine: list[str] = []
    for step in range(int(count)):
        if step % 2 and mine:
            remove(mine.pop(0))
        else:
            mine.append(f"entry {step:04d} of {name}.")
            add(mine[-1])
    sys.stdout.write(json.dumps({"seconds": time.monotonic() - begun, "mine": mine}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
