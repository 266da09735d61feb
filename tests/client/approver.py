"""Runs inside the real client's interpreter: approves waiting records the way its own commands do.

Requests, one JSON object a line: {"home", "subsystem", "id"}; the reply is what the client says.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def answer(request: dict[str, Any]) -> object:
    os.environ["HERMES_HOME"] = request["home"]
    from hermes_cli import write_approval_commands as commands  # type: ignore[import-not-found]
    from tools.memory_tool import MemoryStore  # type: ignore[import-not-found]

    store = MemoryStore()
    store.load_from_disk()
    said = commands.handle_pending_subcommand(request["subsystem"], ["approve", request["id"]], memory_store=store)
    return {"said": said, "applied": said.startswith("Approved 1 ")}


def main() -> None:
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:  # noqa: BLE001 - whatever the client raises is its answer
            reply = {"said": f"{type(error).__name__}: {error}", "applied": False}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
