"""One waiting record in full, made outside the UI thread: what would change, its operations, and its bytes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.inbox.preflight import Preview
from workbench.memory import FILE_NAMES, EntryChange, percent
from workbench.text import find_secrets, mask_head, mask_part, mask_piece
from workbench.text.difference import LinePair, Piece
from workbench.tui.inbox_facts import InboxFacts, Shown, age, name_of, said_here, word_of
from workbench.tui.keymap import shown
from workbench.tui.parts.diff_rows import DiffRow, Marks, Pair, Remark, entry_rows, text_rows
from workbench.tui.parts.virtual_list import Row
from workbench.tui.screen_text import one_line, safe

if TYPE_CHECKING:
    from workbench.threats import Finding
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

# Lines kept around a change of a file, and how many rivals and findings are named.
AROUND, NAMED = 3, 6
# Characters of a text that a row of the operations quotes.
GIVEN = 600
NOT_READ = "It was not read, so there is nothing to show."
ORIGINS = {
    "background_review": "[auto] from the background review, nobody asked for it",
    "assistant_tool": "from a turn of a session",
    "foreground": "from a session",
}
# Keys of a skill's payload that say where, not what.
_NAMES = frozenset({"action", "name", "file_path", "category"})
KINDS = {"added": "+", "removed": "−", "edited": "~", "moved": "↕", "unchanged": "="}


def show(
    workspace: Workspace, facts: InboxFacts, preview: Preview, glyphs: Glyphs, *, masked: bool, whence: str = ""
) -> Shown:
    """All views of one record; `whence` says which conversation it may come from, once that is known."""
    record = preview.record
    raw = "" if record.data is None else record.data.decode("utf-8", "backslashreplace")
    origin = " · from background review" if record.automatic else ""
    return Shown(
        record.key,
        f"{name_of(preview)}{origin} · {age(facts.now, record.created_at)}",
        (*_preview(workspace, facts, preview, glyphs, masked), *([Remark(whence)] if whence else [])),
        tuple(operation_rows(preview, workspace.home, masked=masked)),
        tuple(raw_rows(raw, masked=masked)) if record.data is not None else (Remark(NOT_READ, "warning"),),
        any(find_secrets(text) for text in (preview.before, preview.after, raw) if text),
    )


def whence_of(workspace: Workspace, preview: Preview) -> str:
    """The conversation a record may come from, and how sure that is; "" where nothing is known.

    Looks into state.db, for half a second at most: what else there is to show should stand before.
    """
    origin = workspace.origin_of(preview.record)
    if origin is None:
        return ""
    named = f"“{one_line(origin.title)[:60]}”" if origin.title else "a conversation without a title"
    sure = "the very call is in it" if origin.sure == "same_call" else "no other one was active then"
    if origin.sure != "same_call" and origin.among > 1:
        sure = f"the last active of {origin.among} then"
    day = time.strftime("%d %b %Y, %H:%M", time.localtime(origin.started_at)).lstrip("0")
    return f"may come from {named} ({one_line(origin.source)}, {day}, {one_line(origin.session)}): {sure}"


# -- the preview ----------------------------------------------------------------------------------------------------


def _preview(
    workspace: Workspace, facts: InboxFacts, preview: Preview, glyphs: Glyphs, masked: bool
) -> Iterator[DiffRow]:
    sign = glyphs.tick if preview.status == "ready" else glyphs.warning
    yield Remark(f"{sign} {word_of(preview)}{_said(preview)}", "heading" if preview.status == "ready" else "warning")
    for text in _warnings(preview, glyphs):
        yield Remark(text, "warning")
    if preview.status == "unsupported" and not preview.record.problem and preview.record.subsystem == "memory":
        command = f"`/memory approve {one_line(preview.record.id)}`"
        yield Remark(f"needs the client: an agent that knows it may apply it, {command} in a session", "warning")
    if preview.record.problem:
        raw = f"{shown('inbox.view')} shows it raw"
        yield Remark(f"It stays in its folder, byte for byte; it is neither applied nor removed. {raw}.")
    else:
        yield Remark("")
        yield from _difference(preview, workspace.home, masked)
    yield Remark("")
    for text in _details(workspace, facts, preview):
        yield Remark(text)


def _said(preview: Preview) -> str:
    if not preview.reason:
        return ""
    return f": {safe(said_here(preview.reason))}".replace("approve ID`", f"approve {one_line(preview.record.id)}`")


def _warnings(preview: Preview, glyphs: Glyphs) -> Iterator[str]:
    if preview.dropped:
        lost = (mask_piece(preview.before or "", piece) for piece in preview.dropped[:40])
        yield f"lost: {' · '.join(map(one_line, lost))}"
    if preview.shrinks is not None:
        yield f"shrinks to {preview.shrinks} % of what stands there"
    findings = findings_of(preview)
    for text, found in findings[:NAMED]:
        where = f"at {found.start + 1:,}–{found.end:,}" if found.end > found.start + 1 else f"at {found.start + 1:,}"
        span = one_line(mask_part(text, found.start, min(found.end, found.start + 80)))
        yield f"{found.level} · {found.pattern} {where} “{span}”: {one_line(found.explanation)}"
    if len(findings) > NAMED:
        yield f"{len(findings) - NAMED} more findings"
    for note in preview.notes:
        yield f"note: {one_line(note)}"


def findings_of(preview: Preview) -> list[tuple[str, Finding]]:
    """What the scanner says of the text that would be added: (text, finding)."""
    return [(text, finding) for _, text, finding in preview.findings]


def _marks(preview: Preview) -> Marks:
    """Where in a text, or in several joined, the scanner found something."""

    def spans(text: str) -> list[tuple[int, int]]:
        placed = ((text.find(whole), found) for whole, found in findings_of(preview))
        return [(at + found.start, at + found.end) for at, found in placed if at >= 0]

    return spans


def _difference(preview: Preview, home: Path, masked: bool) -> Iterator[DiffRow]:
    if preview.writes:
        yield from _files(preview, home, masked)
        return
    if preview.record.subsystem == "skills":
        yield from _refused_skill(preview, masked)
        return
    effects = preview.outcome.effects if preview.outcome is not None else ()
    changes = [EntryChange(one.kind, one.before, one.after) for one in effects if one.kind != "unchanged"]
    if changes:
        yield from entry_rows(changes, masked=masked, marks=_marks(preview))
    proposed = preview.after if effects else _proposed(preview)
    if proposed and not any(change.after for change in changes):
        yield Remark("proposed")
        yield from entry_rows([EntryChange("added", None, proposed)], masked=masked, marks=_marks(preview))
    elif changes and preview.refused is not None and (refused := _refused_text(preview)):
        yield Remark("")
        yield Remark(f"operation {len(effects) + 1}, where it stops")
        yield from entry_rows([EntryChange("added", None, refused)], masked=masked, marks=_marks(preview))
    elif preview.before and not changes:
        yield Remark("the entry as it is")
        yield from (Pair(one) for one in _same(safe(preview.before, masked=masked)))
    for number, part in enumerate(preview.record.operations, 1):
        sought = part.get("old_text") if isinstance(part, Mapping) else None
        if not changes and isinstance(sought, str) and sought:
            lead = f"operation {number} looks for" if len(preview.record.operations) > 1 else "it looks for"
            yield Remark(f"{lead}: “{one_line(sought, masked=masked)}”")


def _refused_text(preview: Preview) -> str:
    """What the operation of a batch would put somewhere that is refused after others went through."""
    done = len(preview.outcome.effects) if preview.outcome is not None else 0
    return _texts_of(preview.record.operations[done : done + 1])


def _proposed(preview: Preview) -> str:
    """The texts that a record would put somewhere, for one that is refused before that is looked at."""
    return _texts_of(preview.record.operations)


def _texts_of(operations: Sequence[object]) -> str:
    parts = [part for part in operations if isinstance(part, Mapping)]
    texts = [part.get("content") or part.get("new_text") for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _refused_skill(preview: Preview, masked: bool) -> Iterator[DiffRow]:
    """What the record proposes where no file can be computed for it."""
    texts = {key: text for key, text in preview.record.payload.items() if isinstance(text, str) and key not in _NAMES}
    old, new = texts.pop("old_string", ""), texts.pop("new_string", "")
    if old or new:
        yield Remark("proposed: in place of one passage, another")
        yield from text_rows(old, new, masked=masked)
    for key, text in texts.items():
        if text:
            yield Remark(f"proposed {one_line(key)}")
            yield from text_rows("", text, masked=masked)
    if preview.before and preview.record.action == "patch":
        yield Remark("")
        yield Remark("the file as it is")
        yield from (Pair(one) for one in _same(safe(preview.before, masked=masked)))


def _files(preview: Preview, home: Path, masked: bool) -> Iterator[DiffRow]:
    for number, (path, after) in enumerate(preview.writes.items()):
        before = preview.images.get(path)
        if number:
            yield Remark("")
        verb = "removes" if after is None else "creates" if before is None else "changes"
        yield Remark(f"{verb} {relative(path, home)}", "heading")
        try:
            old, new = ((data or b"").decode("utf-8") for data in (before, after))
        except UnicodeDecodeError:
            yield Remark(f"not text: {len(before or b''):,} → {len(after or b''):,} bytes", "warning")
            continue
        yield from near_changes(text_rows(old, new, masked=masked, marks=_marks(preview)))


def relative(path: Path, home: Path) -> str:
    """A path below the home, through the door."""
    shown = path.relative_to(home) if path.is_relative_to(home) else path
    return one_line(shown.as_posix(), masked=False)


def near_changes(rows: Sequence[DiffRow]) -> Iterator[DiffRow]:
    """The rows that differ with a few around them; what is left out is counted."""
    near = [isinstance(row, Remark) or row.line.kind != "same" for row in rows]
    kept = [any(near[max(0, index - AROUND) : index + AROUND + 1]) for index in range(len(rows))]
    skipped = 0
    for row, keep in zip(rows, kept, strict=True):
        if keep and skipped:
            yield Remark(f"{skipped:,} lines unchanged")
            skipped = 0
        if keep:
            yield row
        else:
            skipped += 1
    if skipped:
        yield Remark(f"{skipped:,} lines unchanged")


def _details(workspace: Workspace, facts: InboxFacts, preview: Preview) -> Iterator[str]:
    record = preview.record
    if preview.chars_after is not None and preview.limit is not None and preview.chars is not None:
        yield _effect(preview)
    if preview.outcome is not None and not findings_of(preview) and preview.after and preview.refused is None:
        yield "scanner: finds nothing"
    for key in preview.rivals[:NAMED]:
        yield f"rival: {one_line(key)}{_rival(workspace, facts, preview, key)}"
    if len(preview.rivals) > NAMED:
        yield f"{len(preview.rivals) - NAMED} more rivals"
    yield from _pins(preview)
    origin = ORIGINS.get(record.origin) or (f"from {one_line(record.origin)}" if record.origin else "")
    yield " · ".join(part for part in (origin, f"record {one_line(record.key)}") if part)
    if record.summary and record.problem:
        yield f"it says of itself: {one_line(mask_head(record.summary, GIVEN))}"


def _effect(preview: Preview) -> str:
    limit, was, will = preview.limit or 0, preview.chars or 0, preview.chars_after or 0
    if preview.record.subsystem == "skills":
        return f"{was:,} → {will:,} characters of at most {limit:,} in the file · nothing else changes"
    name = FILE_NAMES[preview.record.target]
    share = f"{percent(was, limit)} % → {preview.percent_after} %"
    entry = ""
    if preview.before is not None and preview.after is not None and preview.refused is None:
        entry = f"{len(preview.before):,} → {len(preview.after):,} chars · "
    over = f" · {will - limit:,} over" if will > limit else ""
    rest = " · nothing else changes" if preview.refused is None else ""
    return f"{entry}{name} {share} ({was:,} → {will:,} of {limit:,}){over}{rest}"


def _rival(workspace: Workspace, facts: InboxFacts, preview: Preview, key: str) -> str:
    """What the rival is, and what would become of it."""
    other = facts.previews.get(key)
    if other is None:
        return ""
    then = workspace.inbox.afterwards(preview, other)
    what = f" ({name_of(other)}, {word_of(other)})"
    if then is None or then.status == other.status:
        return what
    return f"{what}: after this one it is {word_of(then)}"


def _pins(preview: Preview) -> Iterator[str]:
    if preview.record.subsystem != "memory" or preview.record.problem:
        return
    parts = [part for part in preview.record.operations if isinstance(part, Mapping)]
    about = [part for part in parts if part.get("action") in ("replace", "patch", "remove")]
    pinned = [part for part in about if isinstance(part.get("matched_entry"), str)]
    if not about:
        return
    if len(about) == len(pinned):
        yield "pinned: it names its entry by the whole text, and never means another one"
    elif len(about) == 1:
        yield f"not pinned: it names its entry by a piece, “{one_line(str(about[0].get('old_text') or ''))}”"
    else:
        yield f"{len(pinned)} of {len(about)} operations are pinned to the whole text of their entry"


# -- operations and raw ---------------------------------------------------------------------------------------------


def operation_rows(preview: Preview, home: Path, *, masked: bool = True) -> Iterator[Row]:
    """What the record holds, one row an operation (or, for a skill, a file), numbered from 1."""
    if preview.record.subsystem == "skills" and not preview.record.problem:
        yield from _file_rows(preview, home, masked)
        return
    effects = preview.outcome.effects if preview.outcome is not None else ()
    for number, part in enumerate(preview.record.operations, 1):
        effect = effects[number - 1] if number <= len(effects) else None
        badge = KINDS.get(effect.kind, "") if effect is not None else ""
        yield Row(str(number), _operation(part, effect, masked), str(number), badge)


def _head(text: str, masked: bool) -> str:
    """What a row quotes of a text; a credential is masked before the cut could halve it."""
    return mask_head(text, GIVEN) if masked else text[:GIVEN]


def _operation(part: object, effect: Any, masked: bool) -> str:
    if not isinstance(part, Mapping):
        return f"not an operation: {one_line(mask_head(str(part), GIVEN))}"
    texts = {key: part.get(key) for key in ("old_text", "content", "new_text")}
    shown = {
        key: one_line(_head(text, masked), masked=masked)
        for key, text in texts.items()
        if isinstance(text, str) and text
    }
    action = one_line(str(part.get("action", "?")))
    new = shown.get("content") or shown.get("new_text") or ""
    if effect is not None and effect.before is not None:
        old = one_line(_head(effect.before, masked), masked=masked)
        return f"{action}: {old}" + (f" → {new}" if new else "")
    sought = f"“{shown['old_text']}” (not found) " if "old_text" in shown and action != "add" else ""
    return f"{action}: {sought}{'→ ' if sought and new else ''}{new}"


def _file_rows(preview: Preview, home: Path, masked: bool) -> Iterator[Row]:
    for number, (path, after) in enumerate(preview.writes.items(), 1):
        before = preview.images.get(path)
        sign = "−" if after is None else "+" if before is None else "~"
        size = f"{len(before or b''):,} → {len(after or b''):,} bytes"
        yield Row(f"file:{number}", f"{relative(path, home)} · {size}", str(number), sign)
    if not preview.writes:
        keys = ", ".join(f"{key}: {mask_head(str(value), 80)}" for key, value in preview.record.payload.items())
        yield Row("file:1", one_line(mask_head(keys, GIVEN), masked=masked), "1")


def raw_rows(text: str, *, masked: bool = True) -> Iterator[DiffRow]:
    """A text as it is, through the door, line by line."""
    return (Pair(line) for line in _same(safe(text, masked=masked)))


def _same(text: str) -> Iterator[LinePair]:
    for number, line in enumerate(text.split("\n"), 1):
        pieces = (Piece("same", line),) if line else ()
        yield LinePair("same", pieces, pieces, number, number)
