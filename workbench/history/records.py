"""What the history is made of: versions of files, and change sets over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

Images = Mapping[Path, bytes | None]
"""The exact bytes of files by absolute path; None stands for "no such file"."""

# What stands in the place of a version's SHA-256 once it was forgotten; even its hash could confirm a guess.
FORGOTTEN = "forgotten-"

Compute = Callable[[Images], Images]
"""Given the bytes on disk now (under the lock), the bytes to write, in the order in which they are to be written.

Paths left out stay as they are. It may raise any WorkbenchError; nothing is written then.
"""


@dataclass(frozen=True)
class FileChange:
    """One file of a change set: SHA-256 before and after (None: no file), and whether it reached the disk.

    `state` is `intended` (recorded, not yet settled), `landed` or `not`.
    """

    path: str
    before: str | None
    after: str | None
    state: str


@dataclass(frozen=True)
class ChangeSet:
    """The unit of history and undo.

    `kind` is edit, restore, undo, redo, outside (somebody else's change as it was seen) or baseline (the first
    sight of a file); `about` is the change an undo or redo takes back or repeats; `at` is Unix seconds; `hint` is
    "client-shaped" when an outside change wrote exactly what the client's serialiser writes.
    """

    id: int
    at: float
    actor: str
    hint: str
    kind: str
    label: str
    operations: str
    about: int | None
    files: tuple[FileChange, ...]

    @property
    def landed(self) -> bool:
        """Whether it took effect: all of it is on disk, or may be (unsettled), or nothing had to be written."""
        return not self.files or any(file.state != "not" for file in self.files)

    @property
    def forgotten(self) -> bool:
        """Whether a version of it was forgotten for good: what happened is told, what it held is gone."""
        return any((name or "").startswith(FORGOTTEN) for file in self.files for name in (file.before, file.after))


@dataclass(frozen=True)
class Version:
    """One set of bytes a file has held: `at` is when it was last seen or written, `size` is in bytes."""

    sha256: str
    path: str
    at: float
    actor: str
    size: int
    change: int


@dataclass(frozen=True)
class Intent:
    """What a commit is about: its kind, a label for people, the operations as JSON, the change it refers to."""

    label: str
    kind: str = "edit"
    operations: str = "[]"
    about: int | None = None
    actor: str = "workbench"


@dataclass(frozen=True)
class Committed:
    """The result of a commit; `change` is None when the computed bytes were those on disk already."""

    change: int | None
    before: Images
    after: Images
