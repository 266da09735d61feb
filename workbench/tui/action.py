"""What a key of the full screen is, and what an area is; the registry of all of them is `actions`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Action:
    """One verb. `scope` is the screen it belongs to, or `app`.

    `keys` are Textual's names, the first one is shown. `rank` orders the footer: the lowest stay longest when it is
    narrow, 0 keeps the action out of it (it is in the help all the same). `destructive` actions ask first.
    """

    id: str
    scope: str
    keys: tuple[str, ...]
    label: str
    tooltip: str
    group: str
    rank: int = 0
    destructive: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """One of the areas, with its fixed number; only those with a screen are listed."""

    id: str
    number: int
    label: str


def help_of(scope: str) -> Action:
    """The key that shows all keys of a screen that lies over an area; not in its key line, which is short."""
    return Action("help", scope, ("question_mark", "f1"), "more", "All keys of this screen", "leave")
