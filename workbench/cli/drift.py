"""`workbench memory drift` and `memory resolve`: why a file is not as the agent writes it, and putting it right."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from workbench.cli.output import Output, accepted, door, one_line
from workbench.errors import Usage, WorkbenchError
from workbench.memory import FILE_NAMES, TARGETS, Document, entry_id, parse
from workbench.memory.diff import difference, summary
from workbench.memory.drift import Drift, drift
from workbench.memory.encodings import Candidate
from workbench.memory.resolving import Plan, readings
from workbench.workspace import Workspace, resolving


def explain(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench memory drift [TARGET]`: exit 1 when something should be put right."""
    documents = workspace.documents()
    targets = (options.target,) if options.target else TARGETS
    found = [(drift(documents[target]), readings(documents[target]) if _undecodable(documents[target]) else ())
             for target in targets]  # fmt: skip
    if output.as_json:
        output.json({"stores": [_json(*one) for one in found]})
    else:
        for one, encodings in found:
            output.lines(_lines(one, encodings))
    return 1 if any(one.any for one, _ in found) else 0


def _undecodable(document: Document) -> bool:
    return document.state == "unreadable" and document.data is not None


def _json(one: Drift, encodings: tuple[Candidate, ...]) -> dict[str, Any]:
    return {
        "store": one.target,
        "state": one.state,
        "tidy": one.tidy,
        "differences": [asdict(difference) for difference in one.differences],
        "refused_by": one.refused_by,
        "ways": list(one.ways),
        "encodings": [{"encoding": c.encoding, "score": c.score, "text": c.text[:400]} for c in encodings],
    }


def _lines(one: Drift, encodings: tuple[Candidate, ...]) -> list[str]:
    name = FILE_NAMES[one.target]
    if not one.differences:
        return [f"{name} · {one.state} · {'in the agent’s own form' if one.state != 'missing' else 'not there yet'}"]
    lines = [f"{name} · {one.state}"]
    for found in one.differences:
        where = "" if found.line is None or f"line {found.line}" in found.text else f"line {found.line:,}: "
        lines.append(f"  {'-' if found.serious else 'note:'} {where}{door(found.text)}")
    lines += [f"  {client} refuses {', '.join(actions)}" for client, actions in one.refused_by.items()]
    for candidate in encodings[:3]:
        lines.append(f"  as {candidate.encoding}: {one_line(candidate.text, 72)}")
    for way in one.ways:
        lines.append(f"  → workbench memory resolve {one.target} --how {way}")
    return lines


def resolve(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench memory resolve TARGET --how WAY [--dry-run]`; entry by entry with --take and --leave."""
    taking = options.take or options.leave
    if taking and options.how != "entries":
        raise Usage("--take and --leave choose entries; they go with --how entries.")
    if options.how == "entries" and not taking:
        if not options.dry_run:
            raise Usage("Say which entries with --take or --leave; --dry-run lists them.")
        return _list_choices(workspace, options.target, output)
    if taking:
        chosen = resolving.compose(workspace, options.target, options.take or ("now",), options.leave or ())
    else:
        chosen = resolving.plan(workspace, options.target, options.how)
    before, after = _before_after(workspace, chosen)
    change = None
    if options.dry_run:
        if chosen.operation is not None:
            outcome = workspace.preview(chosen.operation)
            if outcome.refused is not None:
                raise outcome.refused
    else:
        change = resolving.resolve(workspace, chosen, accept=accepted(options))
        after = workspace.documents()[options.target]
    changes = () if "unreadable" in (before.state, after.state) else difference(before.texts, after.texts)
    if output.as_json:
        output.json({
            "success": True, "dry_run": options.dry_run, "how": chosen.how, "said": list(chosen.said),
            "change": change, "state": after.state, "chars": after.chars, "limit": after.limit,
            "entries": list(after.texts),
        })  # fmt: skip
        return 0
    lines = [f"{'would be: ' if options.dry_run else ''}{door(one)}" for one in chosen.said]
    if before.state == "unreadable":
        lines += [f"  #{number:<3} {one_line(text)}" for number, text in enumerate(after.texts, 1)]
    elif changes:
        lines.append(f"  {summary(changes) or 'the entries stay as they are'}")
    lines.append(f"  {FILE_NAMES[after.target]} · {after.state} · {after.chars:,} of {after.limit:,} chars")
    if change is not None:
        lines.append(f"  change {change} · `workbench undo` takes it back")
    output.lines(lines)
    return 0


def _list_choices(workspace: Workspace, target: str, output: Output) -> int:
    """Every entry of the file now, of its last good version and of its backups; nothing is written."""
    found = resolving.choices(workspace, target)
    if output.as_json:
        output.json({
            "success": True, "dry_run": True, "how": "entries",
            "choices": [
                {"number": number, "id": entry_id(one.text), "sources": list(one.sources), "text": one.text}
                for number, one in enumerate(found, 1)
            ],
        })  # fmt: skip
        return 0
    lines = [f"{FILE_NAMES[target]} · {len(found)} different entries in all versions"]
    for number, one in enumerate(found, 1):
        lines.append(f"  #{number:<3} {entry_id(one.text)}  {one_line(one.text)}")
        lines.append(f"       in: {', '.join(one_line(source) for source in one.sources)}")
    lines.append(f"  → workbench memory resolve {target} --how entries --take now last --leave …")
    output.lines(lines)
    return 0


def _before_after(workspace: Workspace, chosen: Plan) -> tuple[Document, Document]:
    before = workspace.documents()[chosen.target]
    if chosen.operation is None:
        return before, parse(chosen.data, chosen.target, before.limit)
    from workbench.memory import preview, serialise

    try:
        texts = preview(workspace.memory, chosen.operation).after[chosen.target]
    except WorkbenchError:
        return before, before  # said when it is carried out
    return before, parse(serialise(texts), chosen.target, before.limit)
