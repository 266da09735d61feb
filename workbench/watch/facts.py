"""What can happen to a home, as values: facts about paths only, never about content."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

MEMORY_NAMES = ("MEMORY.md", "USER.md")
# What a writer leaves for a moment: the client's and our temp files, locks, SQLite's sidecars of our own history.
_PASSING = (".tmp", ".lock", ".swp", "~", ".swx", ".part", ".claim", ".claimed")

# Files of our own folder that somebody writes by hand.
_OWN = (("settings.yaml",), ("patterns.yaml",))


@dataclass(frozen=True)
class Fact:
    """Something happened to `path`."""

    path: Path


class MemoryChanged(Fact):
    """A memory file, or another file in its folder, was written, replaced, made or removed."""


class QueueChanged(Fact):
    """A pending record appeared, changed or went."""


class SessionsChanged(Fact):
    """state.db or its -wal was written."""


class SettingsChanged(Fact):
    """config.yaml, the workbench's own settings, patterns or a theme changed."""


class HomeGone(Fact):
    """The home was deleted, renamed or unmounted."""


class HomeBack(Fact):
    """The home is there again, or another folder stands in its place."""


def fact_about(path: Path, home: Path) -> Fact | None:
    """The fact that a change of `path` means for `home`; None for what nobody needs to know."""
    name = path.name
    if name.endswith(_PASSING) or name.startswith((".mem_", ".#")):
        return None
    if not path.is_relative_to(home):
        return MemoryChanged(path) if name in MEMORY_NAMES else None
    parts = path.relative_to(home).parts
    if parts[:1] == ("memories",) and len(parts) == 2:
        return MemoryChanged(path)
    if parts[:1] == ("pending",) and len(parts) == 3:
        return QueueChanged(path)
    if parts in (("state.db",), ("state.db-wal",)):
        return SessionsChanged(path)
    own = parts[0] == "workbench" if parts else False
    if parts == ("config.yaml",) or (own and (parts[1:2] == ("themes",) or parts[1:] in _OWN)):
        return SettingsChanged(path)
    return None
