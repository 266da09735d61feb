"""A real client at work, run by its own interpreter: `soaker.py HOME COUNT PAUSE`.

Adds, replaces and removes entries of its own with pauses of up to PAUSE seconds between; prints what it was answered:
how many calls, how many refused. A refusal (an editor left the file in a form it does not take) is followed by an add,
which is how an agent gets out of it.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time

LIMIT = 1_000_000


def main() -> None:
    home, count, pause = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    os.environ["HERMES_HOME"] = home
    from tools.memory_tool import MemoryStore  # type: ignore[import-not-found]

    store = MemoryStore(LIMIT, LIMIT)
    store.load_from_disk()
    chance = random.Random(7)
    mine: list[str] = []
    refused = 0
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    for step in range(count):
        what = chance.choice(("add", "replace", "remove") if len(mine) > 8 else ("add", "add", "replace"))
        text = f"agent fact {step:05d}."
        if what == "add" or not mine:
            reply = store.add("memory", text)
            mine.append(text)
        elif what == "replace":
            at = chance.randrange(len(mine))
            reply = store.replace("memory", mine[at], text)
            mine[at] = text if reply["success"] else mine[at]
        else:
            reply = store.remove("memory", mine.pop(chance.randrange(len(mine))))
        refused += not reply["success"]
        time.sleep(chance.random() * pause)
    sys.stdout.write(json.dumps({"calls": count, "refused": refused}) + "\n")


if __name__ == "__main__":
    main()
