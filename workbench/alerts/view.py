"""What is known of a home when its alerts are judged: gathered once, by `workspace`, and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.home import Config
from workbench.memory.document import Document
from workbench.sessions import Overview
from workbench.threats.own import NONE, OwnPatterns

if TYPE_CHECKING:
    # The history is a tenth of the time of a verb that only looks at a home without one.
    from workbench.history.asides import LastSeen
    from workbench.history.turns import Turns


@dataclass(frozen=True)
class Access:
    """Owner and mode (the permission bits) of a file or folder; `name` is relative to the home, "." the home itself."""

    name: str
    path: str
    folder: bool
    owner: int
    mode: int


@dataclass(frozen=True)
class Waiting:
    """A waiting record, as far as alerts go; `created_at` is Unix seconds, `digest` the SHA-256 of its bytes."""

    key: str
    id: str
    status: str
    reason: str = ""
    created_at: float | None = None
    rivals: tuple[str, ...] = ()
    digest: str = ""

    @property
    def where(self) -> str:
        """Its file, relative to the home."""
        return f"pending/{self.key}.json"


@dataclass(frozen=True)
class View:
    """Everything the alerts of a home are judged by. `now` is Unix seconds, `client` a generation such as "0.19".

    `me` is this user's number (None where users do not exist), `reachable` says that every folder above the home
    lets strangers pass. `index` is the state of the full-text index and its sentence, as `sessions.health` has them.
    `shared` holds (path of the fact store, names of the other homes that use it). `last_seen` and `turns`
    (the files that two writers overwrite in turn) are keyed by store.
    """

    now: float
    client: str
    documents: Mapping[str, Document]
    enabled: Mapping[str, bool]
    config: Config
    sessions: Overview
    own: OwnPatterns = NONE
    access: tuple[Access, ...] = ()
    me: int | None = None
    reachable: bool = True
    waiting: tuple[Waiting, ...] = ()
    unlisted: tuple[str, ...] = ()
    unread: int = 0
    index: tuple[str, str] = ("ok", "")
    shared: tuple[str, tuple[str, ...]] | None = None
    last_seen: Mapping[str, LastSeen] = field(default_factory=dict)
    turns: Mapping[str, Turns] = field(default_factory=dict)
