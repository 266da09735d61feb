"""When what a memory file held before an outside change deserves a backup beside it."""

from __future__ import annotations

from workbench.memory.document import Document, serialise

REASONS = {
    "gone": "the file is gone",
    "emptied": "the file is empty now",
    "unreadable": "the file cannot be read now",
    "lossy": "the file holds an entry longer than its limit now",
    "over": "the file is over its limit now",
    "halved": "more than half of the entries are gone",
    "by_hand": "these are not bytes that the agent writes",
    "outside": "somebody else changed the file",
}


def why_backup(before: Document, after: Document, mode: str = "drift") -> str:
    """The reason (a key of REASONS) to keep what `before` held now that somebody else made it `after`; "" for none.

    `mode` is the setting `backups`: drift asks for one of the reasons above, outside and every take any change, off
    none. What was missing, empty or not readable at all has no bytes to keep.
    """
    if mode == "off" or not before.data or before.data == after.data:
        return ""
    if after.data is None:
        # A file without permission has bytes that nobody but its owner can see: it is not gone.
        found = "unreadable" if after.state == "unreadable" else "gone"
    elif after.state in ("unreadable", "lossy", "over"):
        found = after.state
    elif not after.entries and before.entries:
        found = "emptied"
    elif _lost(before, after) * 2 > len(before.entries):
        found = "halved"
    elif after.data != serialise(after.texts):
        found = "by_hand"
    else:
        found = ""
    return found or ("outside" if mode in ("outside", "every") else "")


def _lost(before: Document, after: Document) -> int:
    """How many entries are gone; one that was edited is not."""
    gone = set(before.texts) - set(after.texts)
    if 2 * len(gone) <= len(before.entries):
        return len(gone)
    from workbench.memory.diff import difference

    return sum(change.kind == "removed" for change in difference(before.texts, after.texts))
