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
        if do == "compact":
            return compacted(db, timed=request["timed"])
        imported = db.import_sessions([json.loads(line) for line in request["lines"]])
        return {"reply": imported, "messages": {each: db.get_messages(each) for each in request["sessions"]}}
    finally:
        db.close()


def compacted(db: Any, *, timed: bool) -> list[str]:
    """A session that is compressed in place twice, as a running agent does it; returns all that was ever said."""
    said: list[str] = []
    live: list[dict[str, Any]] = []
    db.create_session("s", "cli")

    def say(text: str) -> None:
        role = "assistant" if len(said) % 2 else "user"
        db.append_message("s", role, text)
        said.append(text)
        live.append({"role": role, "content": text})

    for round_number in range(3):
        for number in range(30):
            say(f"message {round_number} {number}")
        if round_number < 2:
            if timed:
                live[:] = db.get_messages_as_conversation("s")
            summary = f"[Summary] {round_number}"
            said.append(summary)
            live[:] = [*live[:3], {"role": "user", "content": summary}, *live[-20:]]
            db.archive_and_compact("s", live)
    return said


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
