"""Homes with waiting records, for all tests of the inbox."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from workbench.home import HomeChoice
from workbench.inbox import Inbox, Preview
from workbench.workspace import Workspace

SKILL = "---\nname: demo\ndescription: A demo\n---\n# Demo\none\ntwo\nthree\n"


def opened(home: Path, **options: Any) -> Workspace:
    return Workspace.open(HomeChoice(home, home, "default", "a test"), **options)


def record(name: str, payload: dict[str, Any], *, created: object = 1.0, **more: Any) -> dict[str, Any]:
    """A record in the client's shape (0.19)."""
    subsystem = more.pop("subsystem", "memory")
    return {
        "id": name,
        "subsystem": subsystem,
        "action": payload.get("action"),
        "summary": "s",
        "origin": "foreground",
        "created_at": created,
        "payload": payload,
        **more,
    }


def queue_raw(home: Path, name: str, data: str | bytes, subsystem: str = "memory") -> Path:
    folder = home / "pending" / subsystem
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    return path


def queue(home: Path, name: str, payload: dict[str, Any], **more: Any) -> Path:
    """Put one record into a queue, laid out as the client does."""
    whole = record(name, payload, **more)
    return queue_raw(home, name, json.dumps(whole, indent=2, ensure_ascii=False), str(whole["subsystem"]))


def add(content: str, target: str = "memory") -> dict[str, Any]:
    return {"action": "add", "target": target, "content": content, "old_text": None}


def remove(old: str, **more: Any) -> dict[str, Any]:
    return {"action": "remove", "target": "memory", "content": None, "old_text": old, **more}


def swap(old: str, content: str, **more: Any) -> dict[str, Any]:
    return {"action": "replace", "target": "memory", "content": content, "old_text": old, **more}


def batch(*operations: object, target: str = "memory") -> dict[str, Any]:
    return {"action": "batch", "target": target, "operations": list(operations)}


def skill(action: str, name: str = "demo", **fields: Any) -> dict[str, Any]:
    return {"action": action, "name": name, **fields, "replace_all": fields.get("replace_all", False)}


def put_skill(home: Path, name: str = "demo", text: str = SKILL, category: str = "") -> Path:
    folder = home / "skills" / category / name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "SKILL.md"
    path.write_text(text, "utf-8")
    return path


def statuses(inbox: Inbox) -> dict[str, str]:
    return {one.record.id: one.status for one in inbox.previews()}


def only(inbox: Inbox) -> Preview:
    (one,) = inbox.previews()
    return one
