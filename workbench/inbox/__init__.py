"""Pending writes: what waits in `pending/memory` and `pending/skills`, what it would do, and deciding about it.

All but the counting is loaded when it is first used: `status` only counts.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from workbench.inbox.queue import Waiting, waiting

if TYPE_CHECKING:
    from workbench.inbox.acting import Decided, Decision, NotOurs
    from workbench.inbox.box import Inbox, Step
    from workbench.inbox.gate import GATES, Gate
    from workbench.inbox.preflight import STATUSES, Preview, Rules
    from workbench.inbox.records import Queue, Record, parse_record, read_queue, read_record

__all__ = [
    "GATES",
    "STATUSES",
    "Decided",
    "Decision",
    "Gate",
    "Inbox",
    "NotOurs",
    "Preview",
    "Queue",
    "Record",
    "Rules",
    "Step",
    "Waiting",
    "parse_record",
    "read_queue",
    "read_record",
    "waiting",
]

_HOMES = {
    "acting": ("Decided", "Decision", "NotOurs"),
    "box": ("Inbox", "Step"),
    "gate": ("GATES", "Gate"),
    "preflight": ("STATUSES", "Preview", "Rules"),
    "records": ("Queue", "Record", "parse_record", "read_queue", "read_record"),
}
_MODULE = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it."""
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE[name]}"), name)
    globals()[name] = value
    return value
