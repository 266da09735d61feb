"""Runs inside the real client's interpreter: answers JSON requests about sessions, one object a line.

Requests: {"do": "scroll" | "read" | "tip" | "listing" | "lineage" | "import" | "export", "path", …}.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def answer(request: dict[str, Any]) -> object:
    from hermes_state import SessionDB  # type: ignore[import-not-found]
    from tools import session_search_tool as recall  # type: ignore[import-not-found]

    db = SessionDB(db_path=Path(request["path"]))
    try:
        do = request["do"]
        if do == "scroll":
            found = recall.session_search(
                db=db,
                session_id=request["session"],
                around_message_id=request["message"],
                window=request["window"],
            )
            return json.loads(found)
        if do == "tip":
            return db.get_compression_tip(request["session"])
        if do == "lineage":
            return db.get_compression_lineage(request["session"])
        if do == "listing":
            return db.list_sessions_rich(limit=100, exclude_sources=["subagent", "tool"], order_by_last_active=True)
        if do == "anchored":
            return db.get_anchored_view(request["session"], request["message"], window=0, bookend=3)
        if do == "export":
            return db.export_session(request["session"])
        imported = db.import_sessions([json.loads(line) for line in request["lines"]])
        return {"reply": imported, "messages": {each: db.get_messages(each) for each in request["sessions"]}}
    finally:
        db.close()


def main() -> None:
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:  # noqa: BLE001 - whatever the client raises is its answer
            reply = {"raised": type(error).__name__, "why": str(error)}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
