"""What the Inbox area shows of the queue, found out in workers: rows in groups, figures of the stores, the gates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.errors import NothingTo, WorkbenchError
from workbench.home import check
from workbench.memory import FILE_NAMES, TARGETS, count, percent
from workbench.text import mask_head
from workbench.tui.facts import observed
from workbench.tui.parts.diff_rows import DiffRow
from workbench.tui.parts.header import HeaderFacts
from workbench.tui.parts.usage_bar import Usage, usage_of
from workbench.tui.parts.virtual_list import Row
from workbench.tui.screen_text import one_line
from workbench.tui.screens.area import header_facts

if TYPE_CHECKING:
    from workbench.inbox import Preview
    from workbench.memory import Document
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

VIEWS = ("preview", "operations", "raw")
# More than any row has room for.
GIST_CHARS = 300
# The names a row gives to the statuses of the contract; the rest are called as they are.
WORDS = {"over_budget": "over", "no_op": "no change", "duplicate": "there already", "emptying": "empties the store"}
ASKS = frozenset({"lossy", "emptying"})
CLEARS = frozenset({"duplicate", "no_op"})
ODD = frozenset({"unreadable", "unsupported"})
LATER = "the rest cannot be decided here"


@dataclass(frozen=True)
class InboxFacts:
    """The queue at one moment. `previews` by key in the order of the rows, `total` counts unread files too.

    `usages` and `documents` are by target, `approval` says for memory and skills whether the agent asks first,
    `failed` names queues that cannot be listed, `oldest` is the age of the oldest record as people say it.
    """

    header: HeaderFacts
    rows: tuple[Row, ...]
    previews: Mapping[str, Preview]
    total: int
    failed: tuple[str, ...]
    oldest: str
    usages: Mapping[str, Usage | None]
    documents: Mapping[str, Document]
    approval: tuple[bool, bool]
    provider: str
    now: float


@dataclass(frozen=True)
class Shown:
    """One record as the right side shows it: three views, made at once. `ops` are rows of a list, numbered from 1."""

    key: str
    title: str
    rows: tuple[DiffRow, ...]
    ops: tuple[Row, ...]
    raw: tuple[DiffRow, ...]
    secret: bool


@dataclass
class InboxRead(Message):
    """The queue was read."""

    request: int
    facts: InboxFacts


@dataclass
class TakingKnown(Message):
    """What undo and redo would take: labels, "" when there is nothing; notices are to be said once."""

    undo: str
    redo: str
    notices: tuple[str, ...]


@dataclass
class RecordShown(Message):
    """The record under the cursor was looked at."""

    request: int
    shown: Shown


# -- reading --------------------------------------------------------------------------------------------------------


def read_inbox(workspace: Workspace, glyphs: Glyphs, now: float | None) -> InboxFacts:
    """Read the queue against the files as they are. Raises NoHome; what else is wrong is part of the answer."""
    check(workspace.choice)
    workspace.refresh()
    queue = workspace.inbox.queue()
    documents = workspace.documents()
    previews = workspace.inbox.previews(queue, documents)
    clock = workspace.clock() if now is None else now
    groups = grouped(previews)
    config = workspace.config
    oldest = min((one.record.created_at for one in previews if one.record.created_at is not None), default=None)
    return InboxFacts(
        header=header_facts(workspace, now),
        rows=tuple(row for heading, members in groups for row in _group(heading, members, glyphs, clock)),
        previews={one.record.key: one for _, members in groups for one in members},
        total=queue.total,
        failed=queue.failed,
        oldest=age(clock, oldest) if oldest is not None else "",
        usages={target: _usage(document) for target, document in documents.items()},
        documents=documents,
        approval=(config.memory_write_approval, config.skills_write_approval),
        provider=config.provider,
        now=clock,
    )


def _usage(document: Document) -> Usage | None:
    if document.state == "unreadable":
        return None
    return usage_of(document.chars, document.limit, document.percent, [len(text) for text in document.texts])


def read_taking(workspace: Workspace) -> TakingKnown:
    """Ask the history what undo and redo would take; one that cannot be opened becomes a notice."""
    notices: list[str] = []
    undo = redo = ""
    try:
        observed(workspace)
        undo, redo = _label(workspace, "undo_target"), _label(workspace, "redo_target")
    except WorkbenchError as error:
        notices.append(str(error))
    said, workspace.notices[:] = list(workspace.notices), []
    return TakingKnown(undo, redo, (*said, *notices))


def _label(workspace: Workspace, which: str) -> str:
    try:
        return str(getattr(workspace.history, which)().label)
    except NothingTo:
        return ""


# -- groups ---------------------------------------------------------------------------------------------------------


def grouped(previews: Sequence[Preview]) -> list[tuple[str, list[Preview]]]:
    """Records by what they are about, each group with its heading: rivals are never apart.

    Groups stand in the order of their oldest record; what cannot be decided here comes last.
    """
    leader: dict[object, object] = {}

    def root(token: object) -> object:
        while leader.setdefault(token, token) != token:
            token = leader[token]
        return token

    tokens = [_about(one) for one in previews]
    for mine in tokens:
        for other in mine[1:]:
            leader[root(other)] = root(mine[0])
    groups: dict[object, list[Preview]] = {}
    shared: dict[object, set[object]] = {}
    for one, mine in zip(previews, tokens, strict=True):
        group = root(mine[0])
        groups.setdefault(group, []).append(one)
        shared.setdefault(group, set()).update(mine)
    order = sorted(groups, key=lambda group: ("odd",) in shared[group])  # stable: the oldest first otherwise
    return [(_heading(shared[group], groups[group]), groups[group]) for group in order]


def _about(preview: Preview) -> list[tuple[str, ...]]:
    record = preview.record
    if record.problem:
        return [("odd",)]
    if record.subsystem == "skills":
        named = record.payload.get("file_path")
        return [("skill", record.target, named if isinstance(named, str) and named else "SKILL.md")]
    if preview.status == "unsupported":
        return [("client", record.target)]
    touched = sorted(preview.touches)
    if touched:
        return [("entry", target, text) for target, text in touched]
    fresh = all(isinstance(part, Mapping) and part.get("action") == "add" for part in record.operations)
    return [("new" if fresh else "lost", record.target)]


def _heading(tokens: set[object], members: Sequence[Preview]) -> str:
    first = sorted(token for token in tokens if isinstance(token, tuple))[0]
    several = f"{len(members)} proposals · " if len(members) > 1 else ""
    match first:
        case ("odd",):
            return LATER
        case ("new", target):
            return f"new entries in {FILE_NAMES[target]}"
        case ("client", target):
            return f"for the agent itself, about {FILE_NAMES[target]}"
        case ("lost", target):
            return f"entry not found in {FILE_NAMES[target]}"
        case ("skill", name, file):
            return several + one_line(f"skill {name} · {file}")
        case (_, target, text):
            what = f"{len(tokens)} entries of {FILE_NAMES[target]}" if len(tokens) > 1 else mask_head(text, GIST_CHARS)
            return several + one_line(what)
    return several


def _group(heading: str, members: Sequence[Preview], glyphs: Glyphs, now: float) -> list[Row]:
    rows = [Row(f"group:{members[0].record.key}", heading, heading=True)]
    return rows + [row_of(one, glyphs, now) for one in members]


def row_of(preview: Preview, glyphs: Glyphs, now: float) -> Row:
    """One record: its age, what it would do, its status in a word and a sign, rivals, whether nobody asked for it."""
    record = preview.record
    marks = [word_of(preview)]
    marks += ["rival"] if preview.rivals else []
    said = " · ".join(marks) + (" [auto]" if record.automatic else "")
    action = record.action or ("?" if record.problem == "unreadable" else "record")
    sign, tone = sign_of(preview, glyphs)
    texts = (preview.after, preview.before, record.summary, preview.reason)
    gist = next((text for text in (texts[2:] if record.subsystem == "skills" else texts) if text), "")
    lead = age(now, record.created_at)
    return Row(record.key, f"{one_line(action):<8} {said}  {one_line(mask_head(gist, GIST_CHARS))}", lead, sign, tone)


def word_of(preview: Preview) -> str:
    """The status as a row says it."""
    if preview.status == "over_budget" and preview.chars_after is not None and preview.limit is not None:
        return f"over by {preview.chars_after - preview.limit:,}"
    if preview.status == "unsupported":
        return "needs the client" if not preview.record.problem else "not the agent's"
    if preview.status == "blocked" and preview.needs:
        return "likely benign"
    return WORDS.get(preview.status, preview.status)


def sign_of(preview: Preview, glyphs: Glyphs) -> tuple[str, str]:
    """A sign and a tone: what can be accepted, what asks first, what cannot be accepted, what is odd."""
    if preview.status == "ready":
        return (glyphs.tick, "")
    if preview.needs:
        return (glyphs.warning, "warning")
    if preview.status in CLEARS:
        return ("=", "")
    return ("?", "") if preview.status in ODD else (glyphs.times, "error")


def age(now: float, then: float | None) -> str:
    """How long ago (both Unix seconds), in the largest unit: `3 d`, `5 h`, `12 min`, `now`; `?` when not known."""
    if then is None:
        return "?"
    seconds = max(0.0, now - then)
    for unit, size in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "now"


# What a reason says to whoever types verbs, and what it says here.
_HERE = (
    (" Confirm with --accept-loss.", " a asks before it does that."),
    (" Confirm with --accept-empty.", " a asks before it does that."),
    (" Confirm with --accept-blocked.", " a asks before it does that."),
    ("; `workbench memory list` shows them all.", "; > aims it at another."),
    ("; use an entry's id, or more of its text.", "; > aims it at one of them."),
)


def said_here(reason: str) -> str:
    """A reason with the keys of this screen in place of verbs and their options; not yet through the door."""
    for verb, key in _HERE:
        reason = reason.replace(verb, key)
    return reason


def name_of(preview: Preview) -> str:
    """What a record would do and where: `replace in MEMORY.md`, `patch of skill deploy`."""
    record = preview.record
    if record.problem:
        return f"{record.problem} record {one_line(record.id)}"
    if record.subsystem == "skills":
        return one_line(f"{record.action} of skill {record.target}")
    return f"{record.action} in {FILE_NAMES[record.target]}"


def plan_usages(facts: InboxFacts, preview: Preview | None) -> dict[str, Usage | None]:
    """What the stores would become if the record were accepted; None where nothing changes."""
    out: dict[str, Usage | None] = dict.fromkeys(TARGETS)
    if preview is None or preview.outcome is None:
        return out
    for target in preview.outcome.changed:
        document = facts.documents[target]
        texts = preview.outcome.after[target]
        chars = count(texts)
        out[target] = usage_of(chars, document.limit, percent(chars, document.limit), [len(text) for text in texts])
    return out
