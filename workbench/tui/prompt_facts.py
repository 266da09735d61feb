"""What the Prompt area shows, found out in a worker: the blocks as rows, their size, and what changed in them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.errors import Unreadable, WorkbenchError
from workbench.memory import FILE_NAMES, TARGETS, parse
from workbench.text import find_secrets
from workbench.text.tokens import estimate_tokens
from workbench.tui.facts import observed
from workbench.tui.parts.diff_rows import DiffRow, Remark, text_rows
from workbench.tui.parts.header import HeaderFacts
from workbench.tui.parts.virtual_list import Row
from workbench.tui.screen_text import one_line, safe
from workbench.tui.screens.area import header_facts

if TYPE_CHECKING:
    from workbench.memory import PromptBlock
    from workbench.workspace import Workspace

# How far back today's first change is looked for.
LOOK_BACK = 500


@dataclass(frozen=True)
class BlockSize:
    """One store's block: characters, estimated tokens, entries the scanner hides; `why` says why there is none."""

    target: str
    chars: int
    tokens: int
    hidden: int
    why: str = ""


@dataclass(frozen=True)
class PromptView:
    """Everything of one reading: `detected` is the generation that last opened state.db, "" when that is not known;

    `sources` leads from a row to its entry: (target, exact text).
    """

    client: str
    detected: str
    rows: tuple[Row, ...]
    sources: Mapping[str, tuple[str, str]]
    sizes: tuple[BlockSize, ...]
    text: str
    secret: bool
    difference: tuple[DiffRow, ...]
    header: HeaderFacts


@dataclass
class PromptRead(Message):
    """The blocks were rendered."""

    request: int
    view: PromptView


def read_prompt(workspace: Workspace, client: str | None, *, masked: bool, now: float | None, mark: str) -> PromptView:
    """Render both blocks for a generation of the client (None: the one that last opened state.db).

    `mark` is the sign of a hidden entry. Raises WorkbenchError when the home cannot be read at all; one file that
    cannot be read is part of the answer, and so is a history that cannot be opened.
    """
    from workbench.memory import prompt_text
    from workbench.sessions import overview

    workspace.refresh()
    seen = overview(workspace.home).schema is not None
    detected = workspace.client if seen else ""
    generation = client or workspace.client
    rows: list[Row] = []
    sources: dict[str, tuple[str, str]] = {}
    sizes: list[BlockSize] = []
    blocks: list[PromptBlock] = []
    for target in TARGETS:
        if rows:
            rows.append(Row(f"{target}:gap", "", heading=True))
        try:
            (block,) = workspace.prompt((target,), generation)
        except Unreadable as error:
            why = f"nothing: {FILE_NAMES[target]} cannot be read, so the agent starts without it. {safe(str(error))}"
            rows.append(Row(f"{target}:none", why, heading=True, look="error"))
            sizes.append(BlockSize(target, 0, 0, 0, "cannot be read"))
            continue
        blocks.append(block)
        sizes.append(_size(workspace, block))
        rows += _rows(workspace, block, sources, masked, mark)
    text = prompt_text(blocks)
    return PromptView(
        client=generation,
        detected=detected,
        rows=tuple(rows),
        sources=sources,
        sizes=tuple(sizes),
        text=text,
        secret=bool(find_secrets(text)),
        difference=_difference(workspace, blocks, generation, masked, now),
        header=header_facts(workspace, now),
    )


def _size(workspace: Workspace, block: PromptBlock) -> BlockSize:
    why = ""
    if not block.text:
        why = "empty" if workspace.enabled(block.target) else "switched off"
    hidden = sum(bool(entry.blocked_by) for entry in block.entries)
    return BlockSize(block.target, len(block.text), estimate_tokens(block.text), hidden, why)


def _rows(
    workspace: Workspace, block: PromptBlock, sources: dict[str, tuple[str, str]], masked: bool, mark: str
) -> list[Row]:
    from workbench.memory import DELIMITER
    from workbench.threats import explain

    target, name = block.target, FILE_NAMES[block.target]
    if not block.text:
        why = "the store is empty" if workspace.enabled(target) else "the store is switched off in config.yaml"
        return [Row(f"{target}:none", f"nothing of {name}: {why}", heading=True, look="faint")]
    shown = DELIMITER.join(entry.shown for entry in block.entries)
    head = block.text.removesuffix(shown).removesuffix("\n").split("\n")
    rows = [Row(f"{target}:head{n}", one_line(line), heading=True) for n, line in enumerate(head)]
    for number, entry in enumerate(block.entries):
        if number:
            # The delimiter without the line ends around it.
            rows.append(Row(f"{target}:cut{number}", DELIMITER.strip(), heading=True))
        row_id = f"{target}:{number}"
        sources[row_id] = (target, entry.text)
        hidden = bool(entry.blocked_by)
        badge = mark if hidden else ""
        rows.append(Row(row_id, safe(entry.shown, masked=masked), badge=badge, tone="error" if hidden else ""))
        for pattern in entry.blocked_by:
            said = f"{mark} hidden from the agent by {one_line(pattern)}: {safe(explain(pattern))}"
            rows.append(Row(f"{row_id}:{pattern}", said, heading=True, look="remark"))
    return rows


# -- what changed ---------------------------------------------------------------------------------------------------


def _difference(
    workspace: Workspace, blocks: list[PromptBlock], client: str, masked: bool, now: float | None
) -> tuple[DiffRow, ...]:
    rows: list[DiffRow] = []
    try:
        observed(workspace)
        for block in blocks:
            if rows:
                rows.append(Remark(""))
            rows += _one_difference(workspace, block, client, masked, now)
    except WorkbenchError as error:
        return (Remark(safe(str(error)), "warning"),)
    return tuple(rows)


def _one_difference(
    workspace: Workspace, block: PromptBlock, client: str, masked: bool, now: float | None
) -> list[DiffRow]:
    from workbench.memory import prompt_block

    target = block.target
    name = FILE_NAMES[target]
    base = _base(workspace, target, now if now is not None else workspace.clock())
    if base is None:
        return [Remark(f"{name}: no earlier version is recorded yet", "heading")]
    version, since = base
    document = parse(workspace.past.bytes_of(version), target, workspace.limits[target])
    heading = Remark(f"{name} since {since}", "heading")
    try:
        before = prompt_block(document, enabled=workspace.enabled(target), client=client)
    except Unreadable:
        return [heading, Remark("that version was not UTF-8: the agent would have started without it", "warning")]
    if before.text == block.text:
        return [heading, Remark("the same block")]
    return [heading, *text_rows(before.text, block.text, masked=masked)]


def _base(workspace: Workspace, target: str, now: float) -> tuple[str | None, str] | None:
    """The version to compare with and how it is called: the one before today's first change, or the previous one."""
    day = time.localtime(now)
    midnight = time.mktime((day.tm_year, day.tm_mon, day.tm_mday, 0, 0, 0, 0, 0, -1))
    path = workspace.memory.path(target)
    name = workspace.past.name(path)
    changes = [change for change in workspace.past.changes(LOOK_BACK, path=path) if change.landed]
    if not changes:
        return None
    today = [change for change in changes if change.at >= midnight]
    first = (today or changes[:1])[-1]
    file = next(file for file in first.files if file.path == name)
    if first.kind == "baseline":
        return (file.after, f"it was first seen, {_when(first.at)}") if len(today) > 1 else None
    which = "today's first change" if today else "the newest change"
    return file.before, f"before {which}, {_when(first.at)}"


def _when(seconds: float) -> str:
    return time.strftime("%d %b %Y %H:%M", time.localtime(seconds))
