"""Change sets and exact versions of a home's files; `History.commit` is the only writer of an agent's file."""

from workbench.history.history import History
from workbench.history.records import ChangeSet, Committed, Compute, FileChange, Images, Intent, Version

__all__ = ["ChangeSet", "Committed", "Compute", "FileChange", "History", "Images", "Intent", "Version"]
