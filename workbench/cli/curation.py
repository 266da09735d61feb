"""`workbench memory suggest|plan|removed|draft`: making room."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

from workbench.cli.memory import effect_json, print_write
from workbench.cli.output import Output, accepted, door, one_line
from workbench.curation.drafts import Draft, Standing, as_json
from workbench.curation.planning import Plan
from workbench.curation.suggestion import Suggestion
from workbench.curation.vanished import Removed, by_name, put_back
from workbench.errors import NeedsConfirmation, NothingTo, Usage, WorkbenchError
from workbench.memory import FILE_NAMES, TARGETS, Operation, Outcome, Remove, Replace, to_json
from workbench.memory.applying import ACCEPT_LOSS
from workbench.memory.replies import failure, success
from workbench.workspace import Workspace

DAY = 86_400.0


def run(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """Run one action; errors carry the exit code."""
    if options.action == "suggest":
        return _suggest(workspace, options, output)
    if options.action == "plan":
        return _plan(workspace, options, output)
    if options.action == "removed":
        return _removed(workspace, options, output)
    return _draft(workspace, options, output)


# -- suggestions ----------------------------------------------------------------------------------------------------


def _suggest(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    if options.dismiss is not None:
        gone = workspace.curation.dismiss(options.dismiss)
        if output.as_json:
            output.json({"dismissed": suggestion_json(gone)})
        else:
            output.lines([f"not offered again while its texts stay: {gone.id} {gone.kind}"])
        return 0
    found = workspace.curation.suggest(kinds=options.kind, everything=options.all)
    if options.target:
        found = tuple(one for one in found if one.target == options.target)
    if output.as_json:
        output.json({"suggestions": [suggestion_json(one) for one in found]})
        return 0
    for one in found:
        output.lines([f"{one.id}  {one.kind} · frees {one.freed:,} in {FILE_NAMES[one.target]}", *_details(one)])
    if not found:
        output.lines([_nothing(workspace, all_kinds=options.all or bool(options.kind))])
    return 0


def _nothing(workspace: Workspace, *, all_kinds: bool) -> str:
    closed = [FILE_NAMES[name] for name, document in workspace.documents().items() if document.state == "unreadable"]
    if closed:
        return f"{' and '.join(closed)} cannot be read, so nothing is said of what it holds"
    lossy = [FILE_NAMES[name] for name, document in workspace.documents().items() if document.state == "lossy"]
    if lossy:
        return f"{' and '.join(lossy)} holds an entry longer than its limit; split it first (`workbench memory split`)"
    more = "" if all_kinds else "; --all also shows what looks time-bound"
    return f"nothing to suggest: no entry repeats or contradicts another, and none can be said shorter{more}"


def suggestion_json(one: Suggestion) -> dict[str, Any]:
    """A suggestion as plain data; texts are exact, `operation` is what `memory apply` reads."""
    return {
        "id": one.id,
        "kind": one.kind,
        "entries": [
            {"target": target, "id": ident, "text": text}
            for (target, ident), text in zip(one.entries, one.texts, strict=True)
        ],
        "why": one.why,
        "freed": one.freed,
        "loss": one.loss,
        "confidence": one.confidence,
        "operation": to_json(one.operation),
    }


def _details(one: Suggestion) -> list[str]:
    lines = [f"      {door(one.why)}"]
    signs = "−=" if isinstance(one.operation, Remove) else "~~" if isinstance(one.operation, Replace) else "··"
    for number, ((target, _), text) in enumerate(zip(one.entries, one.texts, strict=True)):
        lines.append(f"      {signs[min(number, 1)]} {FILE_NAMES[target]}  {one_line(text, 88)}")
    content = getattr(one.operation, "content", None)
    if isinstance(content, str):
        lines.append(f"      → {one_line(content, 100)}")
    return lines


# -- plans ----------------------------------------------------------------------------------------------------------


def _plan(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    plan = workspace.curation.plan(options.target, free=options.free, under=options.under, everything=options.all)
    if options.apply or options.dry_run:
        return _apply_plan(workspace, plan, options, output)
    if output.as_json:
        output.json(plan_json(plan))
    else:
        output.lines(_plan_lines(plan))
    return 0 if plan.reached else 1


def plan_json(plan: Plan) -> dict[str, Any]:
    """A plan as plain data."""
    steps = [
        {**suggestion_json(step.suggestion), "chars_after": step.chars_after, "percent_after": step.percent_after}
        for step in plan.steps
    ]
    return {
        "store": plan.target,
        "limit": plan.limit,
        "chars": plan.chars,
        "chars_after": plan.chars_after,
        "freed": plan.freed,
        "goal": plan.goal,
        "reached": plan.reached,
        "loss": plan.loss,
        "steps": steps,
    }


def _plan_lines(plan: Plan) -> list[str]:
    lines = []
    for number, step in enumerate(plan.steps, 1):
        one = step.suggestion
        lines.append(f"{number:>2}. {one.kind} · frees {one.freed:,} → {step.percent_after} %")
        lines += _details(one)
    end = f"{FILE_NAMES[plan.target]}: {plan.chars:,} → {plan.chars_after:,} of {plan.limit:,} chars"
    if plan.reached:
        lines.append(f"{end}; --apply writes all steps as one change")
    else:
        lines.append(f"{end}; {plan.chars_after - plan.goal:,} short of the goal, there is nothing more to suggest")
    return lines


def _apply_plan(workspace: Workspace, plan: Plan, options: argparse.Namespace, output: Output) -> int:
    if not plan.steps:
        raise NothingTo("apply: the plan has no step")
    if plan.losing and ACCEPT_LOSS not in accepted(options):
        number = len(plan.losing)
        steps = "1 step" if number == 1 else f"{number} steps"
        what = f"{steps} of the plan may lose information, first: {door(plan.losing[0].why)}"
        raise NeedsConfirmation(what, ACCEPT_LOSS)
    number = len(plan.steps)
    label = f"make room: {number} step{'' if number == 1 else 's'}"
    return _write(workspace, plan.operation, label, options, output)


def _write(workspace: Workspace, operation: Operation, label: str, options: argparse.Namespace, output: Output) -> int:
    outcome: Outcome | None = None
    try:
        outcome = workspace.preview(operation)
        outcome.check(accepted(options))
        if options.dry_run:
            reply = success(outcome, workspace.limits, dry_run=True)
            return print_write(output, outcome, {**reply, "change": None, **effect_json(outcome, workspace)}, workspace)
        written = workspace.write(outcome.operation, accept=accepted(options), label=label)
        outcome = written.outcome
        reply = success(outcome, workspace.limits, written=written.change is not None)
        return print_write(output, outcome, {**reply, "change": written.change}, workspace)
    except WorkbenchError as error:
        output.error(error, failure(error, outcome, workspace.limits))
        return error.exit_code


# -- removed lately -------------------------------------------------------------------------------------------------


def _removed(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    workspace.observe()
    since = max(0.0, workspace.clock() - options.days * DAY)
    found = workspace.curation.removed(options.target, since=since)
    if options.put_back is not None:
        item = by_name(found, options.put_back)
        return _write(workspace, put_back(item, workspace.documents()), "put back an entry", options, output)
    if output.as_json:
        output.json({"removed": [_removed_json(item) for item in found]})
        return 0
    for item in found:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(item.at))
        head = f"{item.id}  {when}  {FILE_NAMES[item.target]} · by {item.whose} · {_known_for(item)}"
        output.lines([head, f"      {one_line(item.text)}"])
    if not found:
        output.lines([f"no entry vanished in the last {options.days} days, as far as the history saw"])
    return 0


def _known_for(item: Removed) -> str:
    """The history knows when it first saw an entry, not when it was written."""
    if item.lived < DAY:
        return "known for less than a day"
    return f"known for {item.lived / DAY:.0f} days"


def _removed_json(item: Removed) -> dict[str, Any]:
    keys = ("id", "target", "text", "at", "change", "actor", "hint", "kind", "first_seen", "whose")
    return {key: getattr(item, key) for key in keys}


# -- drafts ---------------------------------------------------------------------------------------------------------


def _draft(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    drafts = workspace.curation.all_drafts()
    if options.what == "list":
        return _list_drafts(drafts, output)
    draft = _named(drafts, options.number)
    if options.what == "drop":
        workspace.curation.drafts.drop(draft)
        output.json({"dropped": draft.id}) if output.as_json else output.lines([f"draft {draft.id} dropped"])
        return 0
    standing = workspace.curation.stand(draft)
    if options.what == "show":
        return _show_draft(draft, standing, output)
    outcome: Outcome | None = standing.outcome
    try:
        if options.dry_run:
            standing.outcome.check(accepted(options))
            reply = success(standing.outcome, workspace.limits, dry_run=True)
            reply |= {"change": None, **effect_json(standing.outcome, workspace)}
            return print_write(output, standing.outcome, reply, workspace)
        written = workspace.curation.apply_draft(draft, accept=accepted(options))
        outcome = written.outcome
        reply = success(outcome, workspace.limits, written=written.change is not None)
        return print_write(output, outcome, {**reply, "change": written.change}, workspace)
    except WorkbenchError as error:
        output.error(error, failure(error, outcome, workspace.limits))
        return error.exit_code


def _named(drafts: Sequence[Draft], number: int | None) -> Draft:
    if number is None and drafts:
        return drafts[0]
    found = [draft for draft in drafts if draft.id == number]
    if not found:
        raise Usage(f"There is no draft {number}." if number is not None else "There is no draft.")
    return found[0]


def _list_drafts(drafts: Sequence[Draft], output: Output) -> int:
    if output.as_json:
        keys = [{"id": one.id, "version": one.sheet.version, "changed": one.sheet.changed} for one in drafts]
        output.json({"drafts": [{**key, "steps": len(one.steps)} for key, one in zip(keys, drafts, strict=True)]})
        return 0
    for one in drafts:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.sheet.changed))
        output.lines([f"{one.id:>4}  {len(one.steps)} steps · changed {when}"])
    if not drafts:
        output.lines(["no drafts"])
    return 0


def _show_draft(draft: Draft, standing: Standing, output: Output) -> int:
    bars = {target: standing.bar(target) for target in TARGETS}
    if output.as_json:
        keys = ("chars", "percent", "chars_after", "percent_after")
        output.json({
            "id": draft.id,
            **as_json(draft),
            "conflicts": [{"step": n, "error": str(s.problem)} for n, s in enumerate(standing.steps) if s.problem],
            "stores": {target: dict(zip(keys, bar, strict=True)) for target, bar in bars.items()},
            "moved": list(standing.moved),
        })  # fmt: skip
        return 0
    for number, step in enumerate(standing.steps, 1):
        operation = to_json(step.operation)
        text = operation.get("content") or operation.get("entry") or ""
        problem = f" · conflict: {step.problem}" if step.problem else ""
        output.lines([f"{number:>2}. {operation['action']} {operation['target']}  {one_line(str(text), 80)}{problem}"])
    for target, (chars, use, after, use_after) in bars.items():
        output.lines([f"{FILE_NAMES[target]} {chars:,} → {after:,} chars · {use} % → {use_after} %"])
    return 0
