"""The two memory files of a home: where they lie, what they hold, what else is there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from workbench.memory.document import FILE_NAMES, TARGETS, Document, read_document


class MemoryFiles:
    """The memory files of one home, with the limits in force."""

    def __init__(self, home: Path, limits: Mapping[str, int]) -> None:
        self.folder = home / "memories"
        self.limits = dict(limits)

    def path(self, target: str) -> Path:
        """Where a store's file lies (or would)."""
        return self.folder / FILE_NAMES[target]

    def target(self, path: Path) -> str | None:
        """The store a path belongs to; None for any other file."""
        return next((target for target in TARGETS if self.path(target) == path), None)

    def read(self) -> dict[str, Document]:
        """Both documents as they are on disk; a file that cannot be read is in state *unreadable*, never empty."""
        return {target: read_document(self.path(target), target, self.limits[target]) for target in TARGETS}

    def others(self) -> tuple[Path, ...]:
        """Other files and folders beside the two: the client never loads them, the workbench only lists them."""
        known = set(FILE_NAMES.values())
        try:
            found = sorted(self.folder.iterdir())
        except OSError:
            return ()
        return tuple(
            path
            for path in found
            if path.name not in known
            and not path.name.endswith((".lock", ".tmp"))
            and not any(path.name.startswith(f"{name}.bak.") for name in known)
        )
