"""What the panel that makes room shows, found out in worker threads: suggestions, a plan, what vanished lately."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.curation.suggestion import KINDS, QUIET
from workbench.errors import WorkbenchError
from workbench.memory import FILE_NAMES, TARGETS, apply, count, difference, parse, percent, serialise
from workbench.tui.drafting import Desk
from workbench.tui.keymap import shown
from workbench.tui.parts.diff_rows import DiffRow, Remark, entry_rows, text_rows
from workbench.tui.parts.lines import WARN_AT
from workbench.tui.parts.virtual_list import Row
from workbench.tui.screen_text import one_line, safe

if TYPE_CHECKING:
    from workbench.curation.planning import Plan
    from workbench.curation.suggestion import Suggestion
    from workbench.curation.vanished import Removed
    from workbench.memory import Document
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

# How far back what vanished is shown, in seconds, and how many characters of an entry a row begins with.
LATELY = 90 * 86_400.0
GIST = 300
BAR = 10

LABELS: Mapping[str, str] = {
    "same": "twice the same",
    "contained": "said by another",
    "reworded": "in other words",
    "contradiction": "two values",
    "belongs": "in the other file",
    "in_skill": "in a skill",
    "shorter": "shorter",
    "empty": "says nothing",
    "time_bound": "time-bound",
    "copied": "in another profile",
}
# Kinds about two entries of which one goes: those two are compared; of the others, the entry before and after.
_PAIRS = frozenset({"same", "contained", "reworded", "contradiction"})


@dataclass(frozen=True)
class RoomFacts:
    """What was found. Files are as the open draft makes them; `disk` and `drafted` are percents by target.

    `rows` show the suggestions, by their ids, and `gone` what vanished, in its order. `plan` and `removed` are None
    until they were asked for, `plan_error` is why there is no plan.
    """

    documents: Mapping[str, Document]
    suggestions: tuple[Suggestion, ...]
    disk: Mapping[str, int]
    drafted: Mapping[str, int]
    steps: int
    rows: Mapping[str, Row]
    plan: Plan | None = None
    plan_error: WorkbenchError | None = None
    removed: tuple[Removed, ...] | None = None
    gone: tuple[Row, ...] = ()

    def of_kind(self, kind: str | None) -> tuple[Suggestion, ...]:
        """Those of one kind; without one, all that are no quiet kind. The most characters first."""
        wanted = [one for one in self.suggestions if (one.kind == kind if kind else one.kind not in QUIET)]
        return tuple(sorted(wanted, key=lambda one: (-one.freed, one.id)))

    @property
    def unread(self) -> tuple[str, ...]:
        """The stores whose file cannot be read: nothing is known of them."""
        return tuple(target for target in TARGETS if self.documents[target].state == "unreadable")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of which there is something."""
        found = {one.kind for one in self.suggestions}
        return tuple(kind for kind in KINDS if kind in found)

    def fullest(self, first: str) -> str | None:
        """The store to plan for: the given one if it stands at 80 % or more, else the other; None when neither does."""
        order = sorted(TARGETS, key=lambda target: target != first)
        return next((target for target in order if self.drafted[target] >= WARN_AT), None)


@dataclass
class RoomKnown(Message):
    """The worker has looked; `error` is why it could not."""

    request: int
    facts: RoomFacts | None
    error: WorkbenchError | None = None


@dataclass
class Compared(Message):
    """The comparison of one row, by its id."""

    row_id: str
    rows: tuple[DiffRow, ...]


def look(workspace: Workspace, desk: Desk, view: str, target: str) -> RoomFacts:
    """Find out what a view of the panel shows: suggestions, plan or removed. Raises WorkbenchError."""
    curation = workspace.curation
    read = workspace.documents()
    stores = desk.stores(read)
    documents = {
        name: read[name] if stores[name] == read[name].texts else parse(serialise(stores[name]), name, read[name].limit)
        for name in TARGETS
    }
    plan, problem, removed = None, None, None
    if view == "plan":
        try:
            plan = curation.plan(target, under=WARN_AT, documents=documents)
        except WorkbenchError as error:
            problem = error
    elif view == "removed":
        here = {text for texts in stores.values() for text in texts}
        since = workspace.clock() - LATELY
        removed = tuple(one for one in curation.removed(since=since) if one.text not in here)
    suggestions = curation.suggest(documents, everything=True)
    return RoomFacts(
        documents,
        suggestions,
        {name: read[name].percent for name in TARGETS},
        {name: percent(count(stores[name]), read[name].limit) for name in TARGETS},
        len(desk.steps),
        {one.id: suggestion_row(one) for one in suggestions},
        plan,
        problem,
        removed,
        tuple(removed_row(one, number) for number, one in enumerate(removed or ())),
    )


def compared(one: Suggestion, *, masked: bool) -> tuple[DiffRow, ...]:
    """Both entries of a suggestion with the differing words marked, or its entries before and after."""
    names = [FILE_NAMES[target] for target, _ in one.entries]
    head = Remark(f"{LABELS[one.kind]} · frees {one.freed:,} characters", "heading")
    why = Remark(safe(one.why))
    if one.kind in _PAIRS and len(one.texts) > 1:
        what = Remark(f"first what goes ({names[0]}), then what stays ({names[1]})")
        return (head, why, what, Remark(""), *text_rows(one.texts[0], one.texts[1], masked=masked))
    about = list(zip(one.entries, one.texts, strict=True))
    stores = {name: tuple(text for (target, _), text in about if target == name) for name in TARGETS}
    outcome = apply(stores, one.operation, dict.fromkeys(TARGETS, 1 << 62))
    rows: list[DiffRow] = [head, why]
    for target in outcome.changed:
        changes = difference(outcome.before[target], outcome.after[target])
        rows += [Remark(""), Remark(FILE_NAMES[target], "heading")]
        rows += entry_rows([change for change in changes if change.kind != "same"], masked=masked)
    return tuple(rows)


# -- rows -----------------------------------------------------------------------------------------------------------


def suggestion_row(one: Suggestion) -> Row:
    """What it frees, what it is, why, and the entry."""
    return Row(one.id, f"{_said(one)}\n{_gist(one.texts[0])}", f"−{one.freed:,}")


def step_rows(plan: Plan, glyphs: Glyphs) -> list[Row]:
    """The steps in order, each with the bar after it; all are about one file, which stands above."""
    rows = []
    for number, step in enumerate(plan.steps, 1):
        full = min(BAR, round(step.percent_after * BAR / 100))
        bar = f"{glyphs.full * full}{glyphs.empty * (BAR - full)} {step.percent_after} %"
        one = step.suggestion
        said = f"{bar} · −{one.freed:,} · {LABELS[one.kind]} · {one_line(one.why)}"
        rows.append(Row(str(number), f"{said}\n{_gist(one.texts[0])}", str(number)))
    return rows


def removed_row(one: Removed, number: int) -> Row:
    """When, whose, where, and the entry."""
    day = time.strftime("%d %b %Y", time.localtime(one.at))
    return Row(str(number), f"{day} · {one.whose} · {FILE_NAMES[one.target]}\n{_gist(one.text)}", f"+{len(one.text):,}")


def remark(text: str) -> Row:
    """A sentence in the place of rows."""
    return Row("remark", text, heading=True, look="faint")


def looked_at(facts: RoomFacts) -> str:
    """What was looked at, for a list that is empty."""
    counted = []
    for target in TARGETS:
        number = len(facts.documents[target].texts)
        if target not in facts.unread:
            counted.append(f"{number} entr{'y' if number == 1 else 'ies'} of {FILE_NAMES[target]}")
    left_out = "".join(f" {FILE_NAMES[target]} cannot be read and was left out." for target in facts.unread)
    return f"Looked at {', '.join([*counted, 'the skills and the history'])}.{left_out}"


def in_the_way(facts: RoomFacts) -> str:
    """What has to be done before room can be made in a store with an entry longer than its limit; "" for neither."""
    names = [FILE_NAMES[target] for target in TARGETS if facts.documents[target].state == "lossy"]
    if not names:
        return ""
    return (
        f"{' and '.join(names)}: one entry is longer than the whole limit; what it says is compared once it is split "
        f"({shown('room.close')}, then {shown('memory.split')} on it)."
    )


def bars(facts: RoomFacts) -> str:
    """`MEMORY.md 96 % → 88 % · USER.md 44 %`."""
    said = []
    for target in TARGETS:
        before, after = facts.disk[target], facts.drafted[target]
        share = f"{before} %" + (f" → {after} %" if after != before else "")
        said.append(f"{FILE_NAMES[target]} {'cannot be read' if target in facts.unread else share}")
    return " · ".join(said)


def freed_by(suggestions: Sequence[Suggestion]) -> int:
    """Characters that all of them free, each by itself."""
    return sum(one.freed for one in suggestions)


def _said(one: Suggestion) -> str:
    where = FILE_NAMES[one.target]
    return f"{LABELS[one.kind]} · {where} · {one_line(one.why)}"


def _gist(text: str) -> str:
    # A secret that the cut would halve could escape its mask: mask the whole, show the head.
    return one_line(safe(text))[:GIST]
