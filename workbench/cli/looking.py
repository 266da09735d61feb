"""Verbs that only look: status, prompt, scan."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from workbench.cli.output import Output, door, one_line, read_text
from workbench.memory import FILE_NAMES, entry_id, prompt_text
from workbench.text import mask_part, reveal
from workbench.threats import Finding, scan
from workbench.workspace import Workspace
from workbench.workspace.status import Status, StoreStatus

if TYPE_CHECKING:
    from workbench.threats.own import OwnPatterns

UNQUOTED = ("wb_credential", "hardcoded_secret")


def status(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench status`: always exit 0."""
    found = workspace.status()
    if output.as_json:
        output.json(found.as_json())
    else:
        output.lines(_status_lines(found))
    return 0


def _status_lines(found: Status) -> list[str]:
    lines = [reveal(f"{found.choice.path}  ({found.choice.reason})").text]
    lines += [_store_line(target, store) for target, store in found.stores.items()]
    gates = (
        f"approval: memory {_on(found.config.memory_write_approval)}, skills {_on(found.config.skills_write_approval)}"
    )
    lines.append(f"waiting    memory {found.waiting.memory} · skills {found.waiting.skills} · {gates}")
    count = "not readable" if found.sessions.sessions is None else f"{found.sessions.sessions:,}"
    lines.append(f"sessions   {count}" + (f" · {one_line(found.sessions.why)}" if found.sessions.why else ""))
    if found.config.provider:
        lines.append(f"provider   {door(found.config.provider)} (an external store beside the two files)")
    for problem in found.config.problems:
        lines.append(f"config     {door(problem.key)}: {door(problem.why)}")
    if found.other_files:
        lines.append(f"also here  {one_line(', '.join(found.other_files))} (never loaded by the agent)")
    lines.append(f"alerts     {found.alerts or 'none'}")
    return lines


def _store_line(target: str, store: StoreStatus) -> str:
    parts = [f"{store.percent:3d} %", f"{store.chars:,} of {store.limit:,} chars", f"{store.entries} entries"]
    if store.over:
        parts.append(f"{store.over:,} over: every add is refused")
    if store.state not in ("ok", "over"):
        parts.append(store.state)
    if store.threats:
        parts.append(f"{store.threats} hidden from the prompt by the scanner")
    if store.duplicates:
        parts.append(f"{store.duplicates} exact duplicates")
    if not store.enabled:
        parts.append("switched off in config.yaml")
    refused = [f"{client} refuses {', '.join(actions)}" for client, actions in store.refused_by.items()]
    return f"{FILE_NAMES[target]:<10} " + " · ".join(parts + refused)


def _on(value: bool) -> str:
    return "on" if value else "off"


def prompt(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench prompt`: the exact bytes, without a final newline unless a terminal reads them."""
    targets = (options.target,) if options.target else tuple(FILE_NAMES)
    blocks = workspace.prompt(targets, options.client)
    text = prompt_text(blocks)
    if output.as_json:
        output.json({"text": text, "blocks": [{**asdict(block), "chars": len(block.text)} for block in blocks]})
    elif sys.stdout.isatty():
        output.lines([door(text)])  # whoever wants the exact bytes pipes them
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
    return 0


def scan_text(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench scan`: exit 1 when anything is found, or something could not be scanned."""
    from workbench.threats.own import load_patterns

    own = load_patterns(workspace.home)
    if options.context is not None:
        return _scan_context(options, own, output)
    texts: list[tuple[str, str]] = []
    unreadable: list[str] = []
    if options.text is not None:
        texts.append(("", read_text(options.text)))
    else:
        for target, document in workspace.documents().items():
            texts += [(target, text) for text in document.texts]
            unreadable += [target] if document.state == "unreadable" else []
    found = [
        (target, text, finding)
        for target, text in texts
        for finding in (*scan(text, options.scope), *own.find(text, target or None))
    ]
    if output.as_json:
        output.json({"findings": [_finding_json(*row) for row in found], "unreadable": unreadable, **_flaws(own)})
    else:
        output.lines(_finding_line(*row) for row in found)
        output.lines(f"{FILE_NAMES[target]} cannot be read, so it was not scanned" for target in unreadable)
        output.lines(door(flaw.why) for flaw in own.problems)
        if not found:
            output.lines([f"nothing found in {len(texts)} text{'s' if len(texts) != 1 else ''}"])
    return 1 if found or unreadable else 0


def _flaws(own: OwnPatterns) -> dict[str, Any]:
    """What is wrong with the owner's patterns; nothing where nothing is."""
    return {"patterns_problems": [asdict(flaw) for flaw in own.problems]} if own.problems else {}


def _scan_context(options: argparse.Namespace, own: OwnPatterns, output: Output) -> int:
    from pathlib import Path

    from workbench.errors import Usage
    from workbench.threats.context import scan_context

    folder = Path(options.context)
    if options.text is not None:
        raise Usage("Scan a text or a folder, not both.")
    if not folder.is_dir():
        raise Usage(f"{folder} is no folder.")
    files = scan_context(folder, own)
    if output.as_json:
        rows = [
            {"file": one.name, "why": one.why, "findings": [asdict(finding) for finding in one.findings]}
            for one in files
        ]
        output.json({"files": rows, **_flaws(own)})
    else:
        for one in files:
            name = one_line(one.name)
            output.lines(f"{name} {_finding_line('', one.text, finding)}" for finding in one.findings)
            if one.why:
                output.lines([f"{name}: {one_line(one.why, 200)}" if name else one_line(one.why, 200)])
        output.lines(door(flaw.why) for flaw in own.problems)
        if not any(one.findings or one.why for one in files):
            output.lines([f"nothing found in {len(files)} file{'s' if len(files) != 1 else ''}"])
    return int(any(one.findings or one.why for one in files))


def _finding_json(target: str, text: str, finding: Finding) -> dict[str, Any]:
    out = asdict(finding)
    if target:
        out.update(store=target, entry=entry_id(text))
    return out


def _finding_line(target: str, text: str, finding: Finding) -> str:
    where = f"{FILE_NAMES[target]} {entry_id(text)} " if target else ""
    # A piece of a credential is no longer recognised as one, so what is about one is never quoted.
    quoted = finding.pattern not in UNQUOTED
    span = f" “{one_line(mask_part(text, finding.start, finding.end), 48)}”" if quoted else ""
    return f"{where}{finding.level}: {finding.pattern} at {finding.start}–{finding.end}{span}. {finding.explanation}"
