"""Two writers that overwrite each other in turn, recognised from the versions they leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.history.past import Past
from workbench.history.records import ChangeSet

# Four versions A B A B make a quarrel; fewer are somebody who changed their mind.
FEWEST = 4
WITHIN_SECONDS = 3600.0


@dataclass(frozen=True)
class Turns:
    """A file went back and forth between two contents: their SHA-256, the newest first, and how often it changed.

    `at` is when it did so last, Unix seconds.
    """

    versions: tuple[str, str]
    times: int
    at: float = 0.0


@dataclass(frozen=True)
class Stay:
    """One version as the file held it: SHA-256 (None: no file), Unix seconds, whether a workbench wrote it."""

    sha256: str | None
    at: float
    ours: bool


def taking_turns(stays: Sequence[Stay]) -> Turns | None:
    """Whether the newest versions (oldest first) are two contents in turn, at least four, within an hour.

    Empty moments in between are not counted: a program that truncates and then writes leaves them. When a workbench
    wrote all but one of them nobody else is at work; that is its owner, undoing and redoing.
    """
    kept: list[Stay] = []
    for stay in stays:
        if stay.sha256 is not None and stay.sha256 != EMPTY and not (kept and kept[-1].sha256 == stay.sha256):
            kept.append(stay)
    if len(kept) < FEWEST:
        return None
    times = 2
    while times < len(kept) and kept[-1 - times].sha256 == kept[1 - times].sha256:
        times += 1
    mine = kept[len(kept) - times :]
    newest = mine[-1]
    lately = [stay for stay in mine if abs(newest.at - stay.at) <= WITHIN_SECONDS]
    if len(lately) < FEWEST or sum(not stay.ours for stay in lately) < 2:
        return None
    return Turns((str(newest.sha256), str(mine[-2].sha256)), len(lately) - 1, newest.at)


EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # no bytes at all


def stays_of(changes: Sequence[ChangeSet], name: str) -> tuple[Stay, ...]:
    """The versions of one file by its name in the history, oldest first, out of change sets, newest first."""
    return tuple(
        Stay(file.after, change.at, change.actor == "workbench")
        for change in reversed(changes)
        for file in change.files
        if file.path == name and file.state != "not"
    )


def quarrel(history: Past, path: Path, *, newest: int = 24) -> Turns | None:
    """Whether two writers are overwriting `path` in turn now, judged by its newest versions."""
    return taking_turns(stays_of(history.changes(newest, path=path), history.name(path)))
