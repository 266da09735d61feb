"""Everything the header and `workbench status` say about a home, as one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from workbench.home import Config, HomeChoice
from workbench.inbox import Waiting
from workbench.memory import Document
from workbench.sessions import Overview
from workbench.threats import Finding, scan
from workbench.workspace.alerting import Listed

HIDDEN = ("threat", "likely_benign")


@dataclass(frozen=True)
class StoreStatus:
    """One store: sizes in characters, `threats` counts the entries that the agent's scanner hides."""

    chars: int
    limit: int
    percent: int
    entries: int
    state: str
    over: int
    duplicates: int
    threats: int
    enabled: bool
    refused_by: dict[str, list[str]]


@dataclass(frozen=True)
class Status:
    """The state of a home. `alerts` counts what needs a human and was not set aside: the length of their list."""

    choice: HomeChoice
    stores: Mapping[str, StoreStatus]
    waiting: Waiting
    sessions: Overview
    config: Config
    other_files: tuple[str, ...]
    alerts: int = 0

    def as_json(self) -> dict[str, Any]:
        """The object of the headless contract."""
        return {
            "schema": 1,
            "home": str(self.choice.path),
            "profile": self.choice.profile,
            "reason": self.choice.reason,
            "stores": {target: asdict(store) for target, store in self.stores.items()},
            "pending": {"memory": self.waiting.memory, "skills": self.waiting.skills},
            "approval": {
                "memory": self.config.memory_write_approval,
                "skills": self.config.skills_write_approval,
            },
            "sessions": {"state": self.sessions.state, "count": self.sessions.sessions, "why": self.sessions.why},
            "alerts": self.alerts,
            "provider": self.config.provider,
            "config_problems": [asdict(problem) for problem in self.config.problems],
            "other_files": list(self.other_files),
        }


def store_status(document: Document, found: Sequence[Listed], *, enabled: bool) -> StoreStatus:
    """Judge one store; the scanner's opinion of its entries is in the alerts, set aside or not."""
    hidden = {one.alert.entry for one in found if one.alert.kind in HIDDEN and one.alert.target == document.target}
    return StoreStatus(
        chars=document.chars,
        limit=document.limit,
        percent=document.percent,
        entries=len(document.entries),
        state=document.state,
        over=max(0, document.chars - document.limit),
        duplicates=document.duplicates,
        threats=len(hidden),
        enabled=enabled,
        refused_by=document.refused_by,
    )


def findings_of(text: str) -> tuple[Finding, ...]:
    """What the scanner says of an entry, in the scope that the client uses for memory."""
    return scan(text, "strict")
