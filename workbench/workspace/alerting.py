"""What the alerts of a home are judged by, gathered from disk; and which of them their owner has set aside."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.alerts import Access, Alert, View, Waiting, alerts
from workbench.errors import Usage, WorkbenchError
from workbench.files import is_regular, read_bytes
from workbench.memory.document import FILE_NAMES, TARGETS, Document
from workbench.memory.prompt import client_of_schema
from workbench.sessions import Overview, overview
from workbench.threats.own import load_patterns

if TYPE_CHECKING:
    from workbench.history.asides import Glance, LastSeen
    from workbench.workspace.workspace import Workspace

STATES = ("open", "snoozed", "dismissed")
_NAMES = {target: f"memories/{FILE_NAMES[target]}" for target in TARGETS}
_LOOKED_AT = (
    "memories", "memories/MEMORY.md", "memories/USER.md", "config.yaml", "state.db", ".env", "memory_store.db",
    "pending", "workbench",
)  # fmt: skip
_STORE = "memory_store.db"
_MOST_PROFILES = 50
_UNITS = {"m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400}


@dataclass(frozen=True)
class Listed:
    """An alert and whether it is open, snoozed until `until` (Unix seconds), or dismissed for this content."""

    alert: Alert
    state: str = "open"
    until: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The alert's object, with its state."""
        return {**self.alert.as_json(), "state": self.state, "until": self.until}


def listed(workspace: Workspace, documents: Mapping[str, Document] | None = None) -> tuple[Listed, ...]:
    """All alerts of a home, worst first, those set aside too. Reads files and state.db, and changes nothing."""
    seen = workspace.glance(tuple(_NAMES.values()))
    view = gather(workspace, documents if documents is not None else workspace.documents(), seen)
    found = alerts(view, workspace.opinions)
    asides = seen.asides if seen is not None else {}
    return tuple(_with_state(alert, asides, view.now) for alert in found)


def _with_state(alert: Alert, asides: Mapping[str, float | None], now: float) -> Listed:
    if alert.id not in asides:
        return Listed(alert)
    until = asides[alert.id]
    if until is None:
        return Listed(alert, "dismissed")
    return Listed(alert, "snoozed", until) if now < until else Listed(alert)


def named(found: Iterable[Listed], name: str) -> Alert:
    """The alert meant by the beginning of its id, 4 digits at least. Raises Usage when it is none or several."""
    fits = [one.alert for one in found if len(name) >= 4 and one.alert.id.startswith(name.lower())]
    if len(fits) != 1:
        problem = "is no alert" if not fits else f"fits {len(fits)} alerts, add more digits"
        raise Usage(f"“{name}” {problem}; `workbench alerts --all` lists them.")
    return fits[0]


def seconds_of(text: str) -> float:
    """A length of time such as 30m, 12h, 7d or 2w, in seconds. Raises Usage."""
    match = re.fullmatch(r"(\d{1,5})([mhdw])", text.strip().lower())
    if match is None or not int(match[1]):
        raise Usage(f"“{text}” is no length of time; write 30m, 12h, 7d or 2w.")
    return float(int(match[1]) * _UNITS[match[2]])


# -- gathering ------------------------------------------------------------------------------------------------------


def gather(workspace: Workspace, documents: Mapping[str, Document], seen: Glance | None) -> View:
    """Look at everything once; `seen` is what the history knows, None where there is none. Never raises."""
    home = workspace.home
    last: Mapping[str, LastSeen] = seen.seen if seen is not None else {}
    sessions = overview(home)
    waiting, unlisted, unread = _waiting(workspace, documents)
    return View(
        now=workspace.clock(),
        client=client_of_schema(sessions.schema),
        documents=documents,
        enabled={target: workspace.enabled(target) for target in documents},
        config=workspace.config,
        sessions=sessions,
        own=load_patterns(home),
        access=_access(home),
        me=os.geteuid() if hasattr(os, "geteuid") else None,
        reachable=_reachable(home),
        waiting=waiting,
        unlisted=unlisted,
        unread=unread,
        index=_index(home, sessions),
        shared=_shared(workspace),
        turns={target: seen.turns[name] for target, name in _NAMES.items() if seen is not None and name in seen.turns},
        last_seen={target: last[name] for target, name in _NAMES.items() if name in last},
    )


def _waiting(
    workspace: Workspace, documents: Mapping[str, Document]
) -> tuple[tuple[Waiting, ...], tuple[str, ...], int]:
    from workbench.inbox.queue import listed as listed_files

    files, failed = listed_files(workspace.home)
    if not files:
        return (), tuple(failed), 0
    inbox = workspace.inbox
    queue = inbox.queue()
    found = tuple(
        Waiting(
            one.record.key, one.record.id, one.status, one.reason, one.record.created_at, one.rivals, one.record.sha256
        )
        for one in inbox.previews(queue, documents)
    )
    return found, queue.failed, queue.more


def _access(home: Path) -> tuple[Access, ...]:
    """Owner and mode of the home and of what matters in it; what is not there or cannot be looked at is left out."""
    if not hasattr(os, "geteuid"):
        return ()
    found: list[Access] = []
    for name in (".", *_LOOKED_AT):
        path = home / name
        try:
            info = path.stat()
        except OSError:
            continue
        found.append(Access(name, str(path), stat.S_ISDIR(info.st_mode), info.st_uid, stat.S_IMODE(info.st_mode)))
    return tuple(found)


def _reachable(home: Path) -> bool:
    """Whether strangers may pass every folder above the home."""
    for folder in Path(os.path.realpath(home)).parents:
        try:
            if not folder.stat().st_mode & stat.S_IXOTH:
                return False
        except OSError:
            return False
    return True


def _index(home: Path, sessions: Overview) -> tuple[str, str]:
    """The state of the full-text index and the sentence for it; "ok" where there is nothing to say of it."""
    if sessions.state != "ok" or not sessions.sessions:
        return "ok", ""
    import sqlite3
    from contextlib import closing

    from workbench.files.sqlite import connect_untouched
    from workbench.sessions.health import health
    from workbench.sessions.schema import look

    try:
        with closing(connect_untouched(home / "state.db")) as db:
            db.text_factory = lambda raw: raw.decode("utf-8", "replace")
            found = health(db, look(db))
            return found.state, found.banner
    except sqlite3.Error:
        return "ok", ""  # busy, or damaged, which the overview has said


def _shared(workspace: Workspace) -> tuple[str, tuple[str, ...]] | None:
    """The fact store of this home when other profiles use it too, by a link or by their settings."""
    from workbench.home import profiles

    mine = _store_of(workspace.home)
    if mine is None:
        return None
    here = os.path.realpath(workspace.home)
    others = tuple(
        one.name
        for one in profiles(workspace.choice.root)[:_MOST_PROFILES]
        if os.path.realpath(one.path) != here and _store_of(one.path) == mine
    )
    return (mine, others) if others else None


def _store_of(home: Path) -> str | None:
    """The real path of a home's fact store; None where there is none.

    Client 0.19 takes `plugins.hermes-memory-store.db_path` of config.yaml, or `memory_store.db` of the home.
    """
    path = home / _STORE
    try:
        data = read_bytes(home / "config.yaml") or b""
    except WorkbenchError:
        data = b""
    if b"db_path" in data and (named_path := _db_path(data)):
        spelled = named_path.replace("${HERMES_HOME}", str(home)).replace("$HERMES_HOME", str(home))
        path = home / os.path.expanduser(spelled)  # noqa: PTH111 - Path.expanduser raises for a user that is not there
    return os.path.realpath(path) if is_regular(path) else None


def _db_path(data: bytes) -> str:
    import yaml

    from workbench.home._yaml import fast_loader

    node: Any
    try:
        node = yaml.load(data.decode("utf-8"), Loader=fast_loader())
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return ""  # the alert about config.yaml says so
    for key in ("plugins", "hermes-memory-store", "db_path"):
        node = node.get(key) if isinstance(node, dict) else None
    return node if isinstance(node, str) else ""
