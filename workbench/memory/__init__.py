"""The bounded memory: entries, operations and their preview, the prompt block, guarded writing.

The names are loaded from their modules when they are first used: a verb that only looks needs neither operations nor
the history, and they are a third of its start-up.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.memory.applying import Effect, Outcome, apply, flatten, targets_of
    from workbench.memory.diff import EntryChange, difference, invert, summary
    from workbench.memory.document import (
        DELIMITER,
        FILE_NAMES,
        TARGETS,
        Document,
        Entry,
        Hint,
        count,
        entry_id,
        parse,
        percent,
        read_document,
        serialise,
    )
    from workbench.memory.files import MemoryFiles
    from workbench.memory.operations import (
        Add,
        Batch,
        Contains,
        Exact,
        Merge,
        Move,
        Normalise,
        Operation,
        Patch,
        Pinned,
        Remove,
        Reorder,
        Replace,
        Selector,
        Split,
        dumps,
        from_json,
        to_json,
    )
    from workbench.memory.prompt import PromptBlock, PromptEntry, client_of_schema, prompt_block, prompt_text, usage
    from workbench.memory.store import MemoryStore, TakenBack, Written, describe, preview

__all__ = [
    "DELIMITER",
    "FILE_NAMES",
    "TARGETS",
    "Add",
    "Batch",
    "Contains",
    "Document",
    "Effect",
    "Entry",
    "EntryChange",
    "Exact",
    "Hint",
    "MemoryFiles",
    "MemoryStore",
    "Merge",
    "Move",
    "Normalise",
    "Operation",
    "Outcome",
    "Patch",
    "Pinned",
    "PromptBlock",
    "PromptEntry",
    "Remove",
    "Reorder",
    "Replace",
    "Selector",
    "Split",
    "TakenBack",
    "Written",
    "apply",
    "client_of_schema",
    "count",
    "describe",
    "difference",
    "dumps",
    "entry_id",
    "flatten",
    "from_json",
    "invert",
    "parse",
    "percent",
    "preview",
    "prompt_block",
    "prompt_text",
    "read_document",
    "serialise",
    "summary",
    "targets_of",
    "to_json",
    "usage",
]


_HOMES = {
    "applying": (
        "Effect",
        "Outcome",
        "apply",
        "flatten",
        "targets_of",
    ),
    "diff": (
        "EntryChange",
        "difference",
        "invert",
        "summary",
    ),
    "document": (
        "DELIMITER",
        "FILE_NAMES",
        "TARGETS",
        "Document",
        "Entry",
        "Hint",
        "count",
        "entry_id",
        "parse",
        "percent",
        "read_document",
        "serialise",
    ),
    "operations": (
        "Add",
        "Batch",
        "Contains",
        "Exact",
        "Merge",
        "Move",
        "Normalise",
        "Operation",
        "Patch",
        "Pinned",
        "Remove",
        "Reorder",
        "Replace",
        "Selector",
        "Split",
        "dumps",
        "from_json",
        "to_json",
    ),
    "prompt": (
        "PromptBlock",
        "PromptEntry",
        "client_of_schema",
        "prompt_block",
        "prompt_text",
        "usage",
    ),
    "files": ("MemoryFiles",),
    "store": (
        "MemoryStore",
        "TakenBack",
        "Written",
        "describe",
        "preview",
    ),
}
_MODULE = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it."""
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE[name]}"), name)
    globals()[name] = value
    return value
