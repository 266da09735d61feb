"""Runs inside the real client's interpreter: makes a state.db and searches it, one JSON request a line.

{"do": "make", "home", "messages"} fills a database of the client's own; {"do": "search", "home", "query", "roles"}
answers [session, message] in the client's order, {"do": "time", ...} the seconds it took; {"do": "tool", ...} asks the
tool that the agent itself uses.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def answer(request: dict[str, Any]) -> object:
    os.environ["HERMES_HOME"] = request["home"]
    from hermes_state import SessionDB  # type: ignore[import-not-found]

    db = SessionDB(Path(request["home"]) / "state.db")
    try:
        if request["do"] == "make":
            db.create_session("s1", "cli")
            return [db.append_message("s1", "user", text) for text in request["messages"]]
        if request["do"] == "tool":
            from tools.session_search_tool import session_search  # type: ignore[import-not-found]

            reply = json.loads(session_search(query=request["query"], limit=10, db=db))
            return [row["session_id"] for row in reply["results"]]
        begun = time.perf_counter()
        rows = db.search_messages(
            request["query"],
            role_filter=request["roles"],
            exclude_sources=["subagent", "tool"],
            limit=request.get("limit", 1000),
        )
        if request["do"] == "time":
            return time.perf_counter() - begun
        return [[row["session_id"], row["id"]] for row in rows]
    finally:
        db.close()


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
