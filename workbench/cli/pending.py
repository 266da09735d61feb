"""`workbench pending …`: what waits for approval, and deciding about it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from workbench.cli.output import Output, accepted, door, one_line, read_text
from workbench.errors import Usage, WorkbenchError
from workbench.home import HomeChoice, profiles
from workbench.inbox import GATES, Decision, Inbox, Preview, Queue, Step, waiting
from workbench.memory import FILE_NAMES
from workbench.memory.select import find as find_entry
from workbench.memory.select import from_words
from workbench.text import mask_piece
from workbench.workspace import Workspace

_CONFLICT = 3
_EMPTY = (
    "nothing waits; records appear here when the agent is told to ask first (`workbench pending gate memory on`), "
    "and newer agents queue some of their own deletions even without it"
)


def pending(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """Run one action; errors carry the exit code."""
    verbs: dict[str, Callable[[Workspace, argparse.Namespace, Output], int]] = {
        "list": _list,
        "show": _show,
        "approve": _approve,
        "reject": _reject,
        "edit": _edit,
        "retarget": _retarget,
        "gate": _gate,
    }
    return verbs[options.action](workspace, options, output)


def _homes(workspace: Workspace, options: argparse.Namespace) -> Iterator[Workspace]:
    """The workspace itself, or with --all-profiles one for every profile of its root that has something waiting."""
    if not options.all_profiles:
        yield workspace
        return
    for profile in profiles(workspace.choice.root):
        if profile.path == workspace.home:
            yield workspace
        elif waiting(profile.path).total:
            choice = HomeChoice(profile.path, workspace.choice.root, profile.name, "--all-profiles")
            other = Workspace.open(choice, read_only=workspace.read_only, clock=workspace.clock)
            try:
                yield other
                workspace.notices.extend(f"{profile.name}: {notice}" for notice in other.notices)
            finally:
                other.close()


# -- looking --------------------------------------------------------------------------------------------------------


def _list(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    found: list[tuple[Workspace, Queue, tuple[Preview, ...]]] = []
    for home in _homes(workspace, options):
        queue = home.inbox.queue()
        found.append((home, queue, home.inbox.previews(queue)))
    if output.as_json:
        output.json(
            {
                "records": [
                    {**_row(one), **({"profile": home.choice.profile} if options.all_profiles else {})}
                    for home, _, previews in found
                    for one in previews
                ],
                "more": sum(queue.more for _, queue, _ in found),
                "failed": [why for _, queue, _ in found for why in queue.failed],
            }
        )
        return 0
    for home, queue, previews in found:
        if options.all_profiles:
            output.lines([f"{door(home.choice.profile)}  {door(str(home.home))}"])
        output.lines(_listing(home, queue, previews))
    return 0


def _listing(workspace: Workspace, queue: Queue, previews: Sequence[Preview]) -> list[str]:
    lines = [door(why) for why in queue.failed]
    if not previews:
        return [*lines, _EMPTY] if not queue.failed else lines
    now = workspace.clock()
    oldest = _age(now, previews[0].record.created_at)
    more = f" · {queue.more:,} more files not read" if queue.more else ""
    lines.append(f"waiting {queue.total:,} · oldest {oldest}{more}")
    for one in previews:
        record = one.record
        marks = ("rival " if one.rivals else "") + ("[auto] " if record.automatic else "")
        where = FILE_NAMES.get(record.target, record.target) or "?"
        reason = f"  {door(one.reason)}" if one.reason else ""
        lines.append(
            f"  {door(record.id):<10} {one.status:<12} {_age(now, record.created_at):>5}  {marks}"
            f"{door(record.action or '?')} in {one_line(where, 40)}: {one_line(_gist(one), 72)}"
        )
        if reason:
            lines.append(f"             {one_line(one.reason, 140)}")
    return lines


def _gist(preview: Preview) -> str:
    return preview.after or preview.before or preview.record.summary or "(nothing to show)"


def _age(now: float, then: float | None) -> str:
    if then is None:
        return "?"
    seconds = max(0.0, now - then)
    for unit, size in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "now"


def _row(preview: Preview) -> dict[str, Any]:
    record = preview.record
    return {
        "id": record.id,
        "path": str(record.path),
        "subsystem": record.subsystem,
        "action": record.action,
        "target": record.target,
        "status": preview.status,
        "reason": preview.reason,
        "rivals": list(preview.rivals),
        "origin": record.origin,
        "created_at": record.created_at,
        "summary": record.summary,
        "before": preview.before,
        "after": preview.after,
        "chars_after": preview.chars_after,
        "limit": preview.limit,
        "percent_after": preview.percent_after,
        "shrinks": preview.shrinks,
        "dropped": list(preview.dropped),
        "needs": list(preview.needs),
        "notes": list(preview.notes),
    }


def _show(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    previews = workspace.inbox.previews()
    chosen = [workspace.inbox.find(name, previews) for name in options.ids]
    if output.as_json:
        output.json({"records": [{**_row(one), "raw": _raw(one), **_effects(workspace, one)} for one in chosen]})
        return 0
    for one in chosen:
        output.lines([door(_raw(one))] if options.raw else _whole(workspace, one))
    return 0


def _raw(preview: Preview) -> str:
    data = preview.record.data
    return "(not read)" if data is None else data.decode("utf-8", "backslashreplace")


def _effects(workspace: Workspace, preview: Preview) -> dict[str, Any]:
    effects = preview.outcome.effects if preview.outcome else ()
    origin = workspace.origin_of(preview.record)
    return {
        "effects": [vars(effect) for effect in effects],
        "files": [str(path) for path in preview.writes],
        "findings": [{"in": where, **vars(found)} for where, _, found in preview.findings],
        "may_come_from": None if origin is None else vars(origin),
    }


def _whole(workspace: Workspace, preview: Preview) -> list[str]:
    record = preview.record
    when = "?" if record.created_at is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(record.created_at))
    origin = "[auto] background review" if record.automatic else door(record.origin) or "unknown origin"
    lines = [
        f"{door(record.key)} · {door(record.action or '?')} in "
        f"{one_line(FILE_NAMES.get(record.target, record.target) or '?', 60)} · {origin} · {when}",
        f"  {preview.status}" + (f": {door(preview.reason)}" if preview.reason else ""),
    ]
    lines += [f"  note: {door(note)}" for note in preview.notes]
    if preview.rivals:
        lines.append(f"  rivals: {door(', '.join(preview.rivals))}")
    lines += _whence(workspace, preview)
    if preview.status in ("unreadable", "unsupported"):
        return [*lines, "", door(_raw(preview))]
    lines += ["  − " + line for line in door(preview.before or "").splitlines()]
    lines += ["  + " + line for line in door(preview.after or "").splitlines()]
    lines += [f"  lost: {door(mask_piece(preview.before or '', piece))}" for piece in preview.dropped]
    if preview.shrinks is not None:
        lines.append(f"  shrinks to {preview.shrinks} %")
    if preview.chars_after is not None:
        lines.append(
            f"  {preview.chars:,} → {preview.chars_after:,} of {preview.limit:,} chars, {preview.percent_after} %"
        )
    for where, _, finding in preview.findings:
        place = f" in {door(where)}, characters {finding.start}–{finding.end}" if record.subsystem == "skills" else ""
        lines.append(f"  {finding.level}: {finding.pattern}{place}. {finding.explanation}")
    return lines


def _whence(workspace: Workspace, preview: Preview) -> list[str]:
    """The conversation it may come from, and how sure that is."""
    origin = workspace.origin_of(preview.record)
    if origin is None:
        return []
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(origin.started_at))
    named = f"“{one_line(origin.title, 60)}”" if origin.title else "a conversation without a title"
    if origin.sure == "same_call":
        why = "the very call is in it"
    elif origin.among == 1:
        why = "no other one was active then"
    else:
        why = f"the last active of {origin.among} then"
    return [f"  may come from {named} ({door(origin.source)}, {when}, {door(origin.session)}): {why}"]


# -- deciding -------------------------------------------------------------------------------------------------------


def _approve(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    _named_or_all(options)
    if options.operation and (options.all or len(options.ids) != 1):
        raise Usage("--operation chooses from one record; name that one.")
    results: list[dict[str, Any]] = []
    for home in _homes(workspace, options):
        inbox = home.inbox
        if options.all:
            steps = inbox.accept_all(dry_run=options.dry_run, reason=options.reason, given=accepted(options))
        else:
            steps = _approve_named(inbox, options)
        results += [_step_json(home, options, step) for step in steps]
    return _report(workspace, options, output, results, "approved")


def _approve_named(inbox: Inbox, options: argparse.Namespace) -> tuple[Step, ...]:
    """Approve the records named, one after the other, each previewed when its turn comes."""
    previews, given = inbox.previews(), accepted(options)
    named = {one.record.key: one for one in (inbox.find(name, previews) for name in options.ids)}
    if options.dry_run:
        return inbox.rehearse(tuple(named.values()), given=given, numbers=options.operation)
    steps: list[Step] = []
    for name, first in named.items():
        # Found anew: what was approved before it may have changed what this one does. One that is gone by now is
        # tried as it was shown: that says so, and what was done before it is still reported.
        seen = next((one for one in inbox.previews() if one.record.key == name), first)
        steps.append(_attempt(seen, lambda seen=seen: _one(inbox, seen, options)))  # type: ignore[misc]
    return tuple(steps)


def _one(inbox: Inbox, seen: Preview, options: argparse.Namespace) -> Decision:
    given = accepted(options)
    return inbox.accept(seen, given=given, numbers=options.operation, reason=options.reason)


def _attempt(seen: Preview, act: Callable[[], Decision | None]) -> Step:
    try:
        return Step(seen, True, decision=act())
    except WorkbenchError as error:
        return Step(seen, False, str(error), error=error)


def _reject(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    _named_or_all(options)
    results: list[dict[str, Any]] = []
    for home in _homes(workspace, options):
        inbox = home.inbox
        previews = inbox.previews()
        chosen = previews if options.all else [inbox.find(name, previews) for name in options.ids]
        for seen in dict.fromkeys(one.record.key for one in chosen):
            one = next(preview for preview in chosen if preview.record.key == seen)
            results.append(_step_json(home, options, _attempt(one, _refusing(inbox, one, options))))
    return _report(workspace, options, output, results, "rejected")


def _refusing(inbox: Inbox, seen: Preview, options: argparse.Namespace) -> Callable[[], Decision | None]:
    def act() -> Decision | None:
        if not options.dry_run:
            return inbox.refuse(seen.record, given=accepted(options), reason=options.reason)
        from workbench.inbox import NotOurs

        if seen.record.problem:
            raise NotOurs(seen.record.key, seen.record.why)
        return None

    return act


def _edit(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    from workbench.inbox.acting import check

    inbox = workspace.inbox
    seen, text, given = inbox.find(options.id), read_text(options.text), accepted(options)

    def act() -> Decision | None:
        if options.dry_run:
            if not options.keep:
                check(inbox.preview_edited(seen, text, options.operation), given)
            return None
        return inbox.edit(seen, text, number=options.operation, given=given, reason=options.reason, keep=options.keep)

    step = _attempt(seen, act)
    if step.would and options.dry_run:
        step = Step(inbox.preview_edited(seen, text, options.operation), True)
    options.all_profiles = False
    verdict = "rewritten" if options.keep else "approved as edited"
    return _report(workspace, options, output, [_step_json(workspace, options, step)], verdict)


def _retarget(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    inbox = workspace.inbox
    if (options.entry is None) == (options.to is None):
        raise Usage("Name an entry, or with --to the other store.")
    if options.to and options.operation is not None:
        raise Usage("A record has one store: --to moves all its operations.")
    seen = inbox.find(options.id)

    def act() -> Decision | None:
        if options.to:
            return inbox.readdress(seen, options.to, given=accepted(options))
        entry = options.entry
        if seen.record.target in FILE_NAMES and not seen.record.problem:
            texts = workspace.documents()[seen.record.target].texts
            target = seen.record.target
            entry = texts[find_entry(texts, from_words(texts, options.entry, target), target)]
        return inbox.retarget(seen, entry, number=options.operation, given=accepted(options))

    step = _attempt(seen, act)
    options.all_profiles, options.dry_run = False, False
    if step.decision is not None:
        now = inbox.find(seen.record.key)
        step = Step(now, True, now.reason, step.decision)
    return _report(workspace, options, output, [_step_json(workspace, options, step)], "retargeted")


def _named_or_all(options: argparse.Namespace) -> None:
    if bool(options.ids) == options.all:
        raise Usage("Name records, or write --all.")
    if options.all_profiles and not options.all:
        raise Usage("--all-profiles goes with --all; name single records within their profile.")


def _step_json(home: Workspace, options: argparse.Namespace, step: Step) -> dict[str, Any]:
    out: dict[str, Any] = {
        "success": step.would,
        "change": step.decision.change if step.decision else None,
        **_row(step.preview),
    }
    if step.error is not None:
        failed = step.error.as_json()
        out.update(kind=failed["kind"], error=failed["error"], exit=step.error.exit_code)
    elif not step.would:
        out.update(kind="skipped", error=step.reason)
    if step.decision is not None and step.decision.left:
        out["left"] = step.decision.left
    if options.all_profiles:
        out["profile"] = home.choice.profile
    return out


def _report(
    workspace: Workspace,
    options: argparse.Namespace,
    output: Output,
    results: list[dict[str, Any]],
    verdict: str,
) -> int:
    """Print what became of each record; exit 0 only if every one was done, 3 for a conflict or a lock."""
    done = [row for row in results if row["success"]]
    provider = workspace.config.provider if done and verdict.startswith("approved") and not options.dry_run else ""
    note = (
        f"{provider} is told of memory writes only by a running agent; it does not know of these." if provider else ""
    )
    codes = [row.pop("exit", 1) for row in results if not row["success"]]
    if output.as_json:
        output.json(
            {
                "success": not codes,
                "dry_run": bool(options.dry_run),
                "done": len(done),
                "results": results,
                "note": note,
            }
        )
    else:
        output.lines(_result_line(row, options, verdict) for row in results)
        if not results:
            output.lines(["nothing waits"])
        elif note:
            output.lines([door(note)])
    return _CONFLICT if _CONFLICT in codes else max(codes, default=0)


def _result_line(row: dict[str, Any], options: argparse.Namespace, verdict: str) -> str:
    name = f"{door(row['subsystem'])}/{door(row['id'])}"
    if not row["success"]:
        return f"{name}  left waiting ({row['status']}): {one_line(row['error'], 400)}"
    bar = f" · {row['percent_after']} %" if verdict.startswith("approved") and row["subsystem"] == "memory" else ""
    if options.dry_run:
        return f"{name}  would be {verdict}{bar}"
    change = f" · change {row['change']}, `workbench undo` takes it back" if row["change"] else ""
    left = f" · {row['left']} operations still wait" if row.get("left") else ""
    status = f" · now {row['status']}" if verdict == "retargeted" else bar
    return f"{name}  {verdict}{status}{left}{change}"


# -- the gate -------------------------------------------------------------------------------------------------------


def _gate(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    change = None
    if options.subsystem and options.position:
        change = workspace.set_gate(options.subsystem, options.position == "on", follow=options.follow_link)
    elif options.subsystem:
        raise Usage(f"Say on or off: workbench pending gate {options.subsystem} on")
    config = workspace.config
    state = {"memory": config.memory_write_approval, "skills": config.skills_write_approval}
    if output.as_json:
        output.json({"success": True, "change": change, "approval": state})
        return 0
    for name, gate in GATES.items():
        word, meaning = ("on", gate.on) if state[name] else ("off", gate.off)
        output.lines([f"{name:<7} {word:<4} {meaning} ({gate.key}, agents from {gate.since})"])
    if change is not None:
        output.lines([f"change {change} · a running agent sees it at its next write; `workbench undo` takes it back"])
    return 0
