"""Runs inside the real client's interpreter: answers JSON requests about memory, one object a line.

Requests: {"do": "call", "home", "args": {...}} (the memory tool), {"do": "prompt", "home"}, {"do": "pending", ...}.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def answer(request: dict[str, Any]) -> object:
    os.environ["HERMES_HOME"] = request["home"]
    from tools import memory_tool as client  # type: ignore[import-not-found]

    store = client.MemoryStore(*request.get("limits", (2200, 1375)))
    store.load_from_disk()
    if request["do"] == "prompt":
        return {target: store.format_for_system_prompt(target) or "" for target in ("memory", "user")}
    if request["do"] == "entries":
        return {"memory": store.memory_entries, "user": store.user_entries}
    return json.loads(client.memory_tool(store=store, **request["args"]))


def main() -> None:
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:  # noqa: BLE001 - whatever the client raises is its answer
            reply = {"raised": type(error).__name__}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
