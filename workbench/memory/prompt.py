"""The block an agent gets in its prompt at its next session, byte for byte, by client generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import Unreadable
from workbench.memory.document import BOM, DELIMITER, FILE_NAMES, Document, count, split_text
from workbench.threats import client_ids

CLIENTS = ("0.13", "0.14", "0.19", "0.22")
DEFAULT_CLIENT = "0.19"

_RULE = "═" * 46
_HEADINGS = {"memory": "MEMORY (your personal notes)", "user": "USER PROFILE (who the user is)"}
# The clients pass an entry that begins like this through unscanned, also when its owner or an attacker wrote it.
PLACEHOLDER = "[BLOCKED:"


@dataclass(frozen=True)
class PromptEntry:
    """One entry on its way into the prompt: its text, what the agent sees, and the pattern ids that hid it."""

    text: str
    shown: str
    blocked_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class PromptBlock:
    """One store's block; `text` is "" for a store that is empty or switched off, as the client leaves it out."""

    target: str
    entries: tuple[PromptEntry, ...]
    text: str


def prompt_block(document: Document, *, enabled: bool = True, client: str = DEFAULT_CLIENT) -> PromptBlock:
    """Render a store as the client of that generation would at its next session start.

    From 0.19 each entry is scanned when it is loaded and a hit is replaced by a placeholder, whose length counts;
    0.13 and 0.14 scan only writes. Up to 0.19 a BOM stays glued to the first entry. Raises Unreadable when the file
    cannot be decoded (the client then starts without a memory).
    """
    name = FILE_NAMES[document.target]
    if document.state == "unreadable":
        raise Unreadable(Path(name), document.error, document.error_offset)
    text = document.client_text
    if client == "0.22":
        text = text.removeprefix(BOM)
    entries = tuple(_loaded(entry, document.target, client) for entry in dict.fromkeys(split_text(text)))
    if not entries or not enabled:
        return PromptBlock(document.target, entries if enabled else (), "")
    shown = [entry.shown for entry in entries]
    return PromptBlock(document.target, entries, _render(document.target, shown, document.limit))


def prompt_text(blocks: Sequence[PromptBlock]) -> str:
    """The blocks as they follow each other in the prompt: an empty line between, none for a store without a block."""
    return "\n\n".join(block.text for block in blocks if block.text)


def usage(chars: int, limit: int) -> str:
    """The client's usage figure, e.g. `67% — 1,474/2,200 chars`; clamped at 100 and 0 without a limit (0.19)."""
    share = min(100, int((chars / limit) * 100)) if limit > 0 else 0
    return f"{share}% — {chars:,}/{limit:,} chars"


def client_of_schema(version: int | None) -> str:
    """The generation that last opened a state.db with this schema version (22 is 0.19, 31 is 0.22.2)."""
    return "0.22" if version is not None and version > 22 else DEFAULT_CLIENT


def blocked_placeholder(target: str, ids: Sequence[str], client: str = DEFAULT_CLIENT) -> str:
    """The line that stands in the prompt for an entry that the scanner hides."""
    call = f"memory(action=remove, target='{target}')" if client == "0.22" else "memory(action=remove)"
    return (
        f"{PLACEHOLDER} {FILE_NAMES[target]} entry contained threat pattern(s): {', '.join(ids)}. "
        f"Removed from system prompt; use {call} to delete the original.]"
    )


def _loaded(entry: str, target: str, client: str) -> PromptEntry:
    if client in ("0.13", "0.14") or entry.startswith(PLACEHOLDER):
        return PromptEntry(entry, entry)
    ids = client_ids(entry, "strict", client=client)
    if not ids:
        return PromptEntry(entry, entry)
    return PromptEntry(entry, blocked_placeholder(target, ids, client), tuple(ids))


def _render(target: str, shown: Sequence[str], limit: int) -> str:
    header = f"{_HEADINGS[target]} [{usage(count(shown), limit)}]"
    return "\n".join((_RULE, header, _RULE, DELIMITER.join(shown)))


Blocks = Mapping[str, PromptBlock]
