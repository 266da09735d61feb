"""`workbench memory …`: list, show and change entries."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from workbench.cli.output import Output, accepted, door, one_line, read_file, read_text
from workbench.errors import Stale, Unreadable, Usage, WorkbenchError
from workbench.files import digest
from workbench.memory import (
    DELIMITER,
    FILE_NAMES,
    TARGETS,
    Add,
    Batch,
    Contains,
    Document,
    Exact,
    Merge,
    Move,
    Normalise,
    Operation,
    Outcome,
    Patch,
    Remove,
    Reorder,
    Replace,
    Selector,
    Split,
    count,
    entry_id,
    flatten,
    from_json,
    percent,
    targets_of,
)
from workbench.memory.operations import selectors_of
from workbench.memory.replies import failure, success
from workbench.memory.select import by_id, from_words
from workbench.threats import scan
from workbench.workspace import Workspace


def memory(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """Run one action; errors carry the exit code."""
    if options.action == "list":
        return _list(workspace, options, output)
    if options.action == "show":
        return _show(workspace, options, output)
    if options.action in ("drift", "resolve"):
        from workbench.cli import drift

        return (
            drift.explain(workspace, options, output)
            if options.action == "drift"
            else drift.resolve(workspace, options, output)
        )
    if options.action in ("suggest", "plan", "removed", "draft"):
        from workbench.cli.curation import run

        return run(workspace, options, output)
    outcome: Outcome | None = None
    try:
        operation = _operation(workspace, options)
        outcome = workspace.preview(operation)
        outcome.check(accepted(options))  # a refusal must not even make a folder
        if options.dry_run:
            reply = success(outcome, workspace.limits, dry_run=True)
            return print_write(output, outcome, {**reply, "change": None, **effect_json(outcome, workspace)}, workspace)
        # Written is what was previewed: a piece of text must not select another entry by then.
        written = workspace.write(outcome.operation, accept=accepted(options))
        outcome = written.outcome
        reply = success(outcome, workspace.limits, written=written.change is not None)
        return print_write(output, outcome, {**reply, "change": written.change}, workspace)
    except WorkbenchError as error:
        output.error(error, failure(error, outcome, workspace.limits))
        return error.exit_code


# -- looking --------------------------------------------------------------------------------------------------------


def _list(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    documents = workspace.documents()
    targets = (options.target,) if options.target else tuple(documents)
    if output.as_json:
        stores = [_store_json(documents[target]) for target in targets]
        output.json(stores[0] if options.target else {"stores": stores})
        return 0
    for target in targets:
        document = documents[target]
        output.lines(_listing(document, enabled=workspace.enabled(target)))
    return 0


def _listing(document: Document, *, enabled: bool) -> list[str]:
    off = "" if enabled else " · switched off in config.yaml"
    lines = [
        f"{FILE_NAMES[document.target]} · {document.percent} % · {document.chars:,} of {document.limit:,} chars"
        f" · {document.state}{off}"
    ]
    if document.state == "unreadable":
        where = f" at byte {document.error_offset}" if document.error_offset is not None else ""
        lines.append(f"  not readable{where}: {document.error}; it is left as it is")
    for number, entry in enumerate(document.entries, 1):
        marks = f" ×{entry.copies}" if entry.copies > 1 else ""
        marks += " ⚠" if scan(entry.text, "strict") else ""
        lines.append(f"  #{number:<3} {entry.id}  {one_line(entry.text)}{marks}")
    if not document.entries and document.state not in ("unreadable",):
        lines.append("  no entries" + (" (the file does not exist yet)" if document.state == "missing" else ""))
    lines.extend(
        f"  note: {hint.text}" + (f" (#{hint.entry + 1})" if hint.entry is not None else "") for hint in document.hints
    )
    return lines


def _store_json(document: Document) -> dict[str, Any]:
    return {
        "store": document.target,
        "state": document.state,
        "chars": document.chars,
        "limit": document.limit,
        "percent": document.percent,
        "sha256": None if document.data is None else digest(document.data),
        "error": document.error,
        "error_offset": document.error_offset,
        "hints": [{"kind": hint.kind, "text": hint.text, "entry": hint.entry} for hint in document.hints],
        "entries": [
            {"id": entry.id, "text": entry.text, "chars": entry.chars, "copies": entry.copies, **_findings(entry.text)}
            for entry in document.entries
        ],
    }


def _findings(text: str) -> dict[str, Any]:
    keys = ("pattern", "level", "start", "end", "explanation")
    return {"findings": [{key: getattr(finding, key) for key in keys} for finding in scan(text, "strict")]}


def _show(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    texts = _readable_texts(workspace, options.target)
    text = texts[_index(texts, from_words(texts, options.entry, options.target), options.target)]
    if output.as_json:
        output.json(
            {"store": options.target, "id": entry_id(text), "text": text, "chars": len(text), **_findings(text)}
        )
        return 0
    output.lines([f"{FILE_NAMES[options.target]} · {entry_id(text)} · {len(text)} chars", "", door(text)])
    output.lines(f"\n{f.level}: {f.pattern} at {f.start}–{f.end}. {f.explanation}" for f in scan(text, "strict"))
    return 0


def _readable_texts(workspace: Workspace, target: str) -> tuple[str, ...]:
    """The entries of a store. Raises Unreadable: a file that cannot be read is not an empty one."""
    document = workspace.documents()[target]
    if document.state == "unreadable":
        raise Unreadable(workspace.memory.path(target), document.error, document.error_offset)
    return document.texts


def _index(texts: tuple[str, ...], selector: Selector, target: str) -> int:
    from workbench.memory.select import find

    return find(texts, selector, target)


# -- from options to an operation -----------------------------------------------------------------------------------


def _operation(workspace: Workspace, options: argparse.Namespace) -> Operation:
    action = options.action
    if action == "apply":
        return _draft(workspace, options)
    if action == "add":
        return Add(options.target, read_text(options.text), _zero_based(options.place))
    if action == "normalise":
        return Normalise(options.target)
    texts = _readable_texts(workspace, options.target)
    if action == "merge":
        selectors = tuple(from_words(texts, entry, options.target) for entry in options.entries)
        content = "\n".join(texts[_index(texts, selector, options.target)] for selector in selectors)
        return Merge(options.target, selectors, content if options.text is None else read_text(options.text))
    return _about_one(options, from_words(texts, options.entry, options.target), texts)


def _about_one(options: argparse.Namespace, selector: Selector, texts: tuple[str, ...]) -> Operation:
    target = options.target
    if options.action == "remove":
        return Remove(target, selector)
    if options.action == "move":
        return Move(target, selector, "user" if target == "memory" else "memory", _zero_based(options.place))
    if options.action == "replace":
        old = selector.old_text if isinstance(selector, Contains) else None
        return Replace(target, selector, read_text(options.text), old)
    if options.action == "patch":
        return Patch(target, selector, options.old, read_text(options.new))
    if options.action == "reorder":
        place = _zero_based(options.place)
        return Reorder(target, selector, 0 if place is None else place)
    entry = texts[_index(texts, selector, target)]
    return Split(target, Exact(entry), _pieces(options, entry))


def _pieces(options: argparse.Namespace, entry: str) -> tuple[str, ...]:
    if options.pieces:
        pieces = read_text("-", "pieces").split(DELIMITER)
    elif options.by is not None:
        pieces = entry.split(options.by) if options.by else [entry]
    else:
        cuts = sorted({0, *options.at, len(entry)})
        if cuts[-1] > len(entry):
            raise Usage(f"The entry has {len(entry)} characters; it cannot be cut at {cuts[-1]}.")
        pieces = [entry[start:end] for start, end in pairwise(cuts)]
    kept = tuple(piece for piece in pieces if piece.strip())
    if len(kept) < 2:
        raise Usage("That cuts the entry into fewer than two pieces; nothing would change.")
    return kept


def _zero_based(place: int | None) -> int | None:
    if place == 0:
        raise Usage("Places count from 1.")
    return None if place is None else place - 1


def _draft(workspace: Workspace, options: argparse.Namespace) -> Operation:
    """Read a draft, a client batch or a list of operations. Raises Usage, or Stale when its base has moved on."""
    try:
        data = json.loads(read_file(options.draft))
    except (ValueError, RecursionError) as error:
        raise Usage(f"{options.draft} is not JSON that can be read ({error}).") from error
    documents = workspace.documents()

    def resolve(target: str, ident: str) -> str:
        return by_id(documents[target].texts, ident, target)

    if isinstance(data, list):
        data = {"operations": data}
    if not isinstance(data, dict):
        raise Usage("A draft is an object or a list of operations.")
    if "action" in data:
        return from_json(data, resolve=resolve)
    changes = data.get("changes", [data])
    if data.get("version", 1) != 1 or not isinstance(changes, list) or not changes:
        raise Usage("A draft needs `version` 1 and a list of `changes`, at least one.")
    batches: list[Operation] = []
    for change in changes:
        if not isinstance(change, dict):
            raise Usage("Every one of the `changes` must be an object.")
        if change.get("target", "memory") not in TARGETS:
            raise Usage("The `target` of a change is memory or user.")
        batch = from_json({**change, "action": "batch"}, resolve=resolve)
        _check_base(change, batch, documents)
        batches.append(batch)
    return Batch(tuple(batches)) if len(batches) != 1 else batches[0]


def _check_base(change: Mapping[str, Any], batch: Operation, documents: Mapping[str, Document]) -> None:
    """A draft made on other bytes is re-applied by identity; a substring could hit another entry by now."""
    base, document = change.get("base_sha256"), documents[change.get("target", "memory")]
    if not base:
        return
    for one in flatten(batch):
        loose = any(isinstance(one_of, Contains) for one_of in selectors_of(one))
        elsewhere = targets_of(one) != (document.target,)  # the draft says nothing of that file's bytes
        if loose and (elsewhere or base != digest(document.data or b"")):
            raise Stale(FILE_NAMES[document.target])


# -- what a write prints --------------------------------------------------------------------------------------------


def effect_json(outcome: Outcome, workspace: Workspace) -> dict[str, Any]:
    """What a dry run adds to the reply."""
    limits = workspace.limits
    return {
        "dry_run": True,
        "effects": [
            {"kind": effect.kind, "target": effect.target, "before": effect.before, "after": effect.after}
            for effect in outcome.effects
        ],
        "chars_after": {target: count(outcome.after[target]) for target in outcome.changed},
        "percent_after": {target: percent(count(outcome.after[target]), limits[target]) for target in outcome.changed},
    }


def print_write(output: Output, outcome: Outcome, reply: dict[str, Any], workspace: Workspace) -> int:
    """Print what a write did or would do, as `reply` or in lines; returns exit code 0."""
    if output.as_json:
        output.json(reply)
        return 0
    prefix = "would be: " if reply.get("dry_run") else ""
    lines = [f"{prefix}{reply['message']}"]
    signs = {"added": "+", "removed": "−", "edited": "~", "moved": ">", "reordered": "↕", "unchanged": "="}
    for effect in outcome.effects:
        text = effect.after if effect.after is not None else effect.before
        lines.append(f"  {signs[effect.kind]} {FILE_NAMES[effect.target]}  {one_line(text or '')}")
    for target in outcome.changed:
        limit, now, then = workspace.limits[target], count(outcome.before[target]), count(outcome.after[target])
        lines.append(
            f"  {FILE_NAMES[target]} {percent(now, limit)} % → {percent(then, limit)} % · {limit - then:,} chars left"
        )
    for _, _, finding in outcome.findings:
        lines.append(f"  {finding.level}: {finding.pattern} at {finding.start}. {finding.explanation}")
    if reply.get("change"):
        lines.append(f"  change {reply['change']} · `workbench undo` takes it back")
    output.lines(lines)
    return 0
