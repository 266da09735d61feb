"""What the tests of this room share."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.curation.alike import Alike, pairs
from workbench.curation.contradictions import Clash, clashes
from workbench.curation.facts import take_apart
from workbench.curation.suggesting import suggest
from workbench.curation.suggestion import Suggestion
from workbench.memory import Document, parse, serialise


def documents(memory: Sequence[str], user: Sequence[str] = (), limit: int = 2200) -> dict[str, Document]:
    """Both files with these entries; a limit of 1,375 for USER.md."""
    return {
        "memory": parse(serialise(memory), "memory", limit),
        "user": parse(serialise(user), "user", 1375),
    }


def of_kind(kind: str, memory: Sequence[str], user: Sequence[str] = (), **more: object) -> list[Suggestion]:
    """The suggestions of one kind."""
    found = suggest(documents(memory, user), everything=True, **more)  # type: ignore[arg-type]
    return [one for one in found if one.kind == kind]


def pair(one: str, other: str) -> Alike | None:
    """What two entries of one store are to each other."""
    found = pairs([take_apart(one), take_apart(other)], [1, 1])
    return found[0] if found else None


def clash(one: str, other: str) -> Clash | None:
    """The contradiction between two entries."""
    found = clashes([take_apart(one), take_apart(other)])
    return found[0] if found else None
