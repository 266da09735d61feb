"""What can be wrong with state.db, and with asking it."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from workbench.errors import WorkbenchError


class DatabaseUnreadable(WorkbenchError):
    """state.db cannot be read; `why` is one of the words of `SENTENCES`, `detail` what SQLite or the system said."""

    kind: ClassVar[str] = "database_unreadable"
    path: Path
    why: str
    detail: str = ""

    SENTENCES: ClassVar[dict[str, str]] = {
        "missing": "There is no {name} here; the agent makes it with its first session.",
        "empty": "{name} is empty: no sessions yet.",
        "needs_wal": "{name} holds no tables; it needs the {name}-wal file that stood beside it when it was copied.",
        "no_tables": "{name} is an SQLite database, but not the agent's: it has no sessions and messages tables.",
        "pointer": "{name} is a Git LFS pointer, not the database itself; fetch it with `git lfs pull`.",
        "torn": "{name} is damaged, perhaps a copy made while the agent wrote ({detail}). "
        "Copy it before you try to recover it; everything else of the home works.",
        "not_a_database": "{name} is not an SQLite database; it is left as it is.",
        "no_permission": "{name} cannot be read by this user ({detail}).",
        "failed": "{name} could not be asked that ({detail}); the rest of the home works.",
    }

    def __str__(self) -> str:
        return self.SENTENCES[self.why].format(name=self.path.name, detail=self.detail)


class DatabaseBusy(WorkbenchError):
    """Another program holds state.db locked, and did so for `seconds` (exit 3); it can be asked again."""

    kind: ClassVar[str] = "busy"
    exit_code: ClassVar[int] = 3
    path: Path
    seconds: float

    def __str__(self) -> str:
        return f"{self.path.name} has been locked by another program for {self.seconds:g} s; try again in a moment."


class ExportStopped(WorkbenchError):
    """Whoever wanted the export stopped it; what stood at `path` before still does."""

    kind: ClassVar[str] = "stopped"
    path: Path

    def __str__(self) -> str:
        return f"Stopped; {self.path.name} was not written."


class Superseded(WorkbenchError):
    """A newer request took the place of this one before it was answered; nobody waits for it any more."""

    kind: ClassVar[str] = "superseded"

    def __str__(self) -> str:
        return "A newer request took the place of this one."
