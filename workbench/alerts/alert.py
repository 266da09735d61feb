"""One thing that needs a human."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

SEVERITIES = ("critical", "error", "warning", "info")
"""Worst first. *critical*: memory may be lost, or text reaches the prompt unseen. *error*: the agent hides or refuses
something now. *warning*: it may, or somebody else could. *info*: worth knowing."""


@dataclass(frozen=True)
class Action:
    """Something to do about an alert: a stable word, and the command that does it ("" where only a screen can)."""

    id: str
    command: str = ""


@dataclass(frozen=True)
class Alert:
    """What happened, where, why it matters, what the agent will do with it, and what can be done.

    `id` names the kind, the place and the content together: it stays when an entry moves within its file, and is
    another as soon as the text changes. `where` is a path relative to the home with forward slashes, `entry` the id
    of an entry or of a waiting record. `spans` count characters of `text`, the entry's text; `text` and the sentences
    may hold text from disk, so a face puts them through the door.
    """

    id: str
    kind: str
    severity: str
    where: str
    message: str
    why: str
    agent: str
    actions: tuple[Action, ...] = ()
    entry: str = ""
    target: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    patterns: tuple[str, ...] = ()
    text: str = field(default="", repr=False)
    content: str = ""

    def as_json(self) -> dict[str, Any]:
        """The object of the headless contract; the text itself is not in it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "severity": self.severity,
            "where": self.where,
            "entry": self.entry or None,
            "message": self.message,
            "why": self.why,
            "agent": self.agent,
            "spans": [list(span) for span in self.spans],
            "patterns": list(self.patterns),
            "content": self.content,
            "actions": [action.id for action in self.actions],
            "commands": {action.id: action.command for action in self.actions if action.command},
        }


def alert_id(kind: str, where: str, part: str, content: str) -> str:
    """The id of an alert: 12 hex digits of the SHA-256 over its kind, its place and its content."""
    joined = "\0".join((kind, where, part, content))
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def make(
    kind: str,
    severity: str,
    where: str,
    message: str,
    why: str,
    agent: str,
    *,
    content: str,
    part: str = "",
    **more: Any,
) -> Alert:
    """An alert with its id; `part` tells apart what is alike within a place, `content` is what it is about."""
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    ident = alert_id(kind, where, part, digest)
    return Alert(ident, kind, severity, where, message, why, agent, content=digest[:16], **more)
