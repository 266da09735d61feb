"""Putting a drifted memory file right: the plan for a way, and carrying it out as one change set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from workbench.errors import Conflict, NeedsConfirmation, Usage, WorkbenchError
from workbench.history import Images, Intent
from workbench.history.statements import digest_of
from workbench.memory import Document, parse
from workbench.memory import resolving as plans
from workbench.memory.resolving import Choice, Plan

if TYPE_CHECKING:
    from workbench.workspace.workspace import Workspace

ACCEPT_EMPTY = "--accept-empty"
FOLLOW_LINK = "--follow-link"
NOTHING: frozenset[str] = frozenset()


def plan(workspace: Workspace, target: str, how: str) -> Plan:
    """The plan for one way: normalise, split, trim, last-good, reencode or reencode=ENCODING.

    Raises Usage for another way or one that does not apply, Unreadable.
    """
    document = workspace.documents()[target]
    way, _, detail = how.partition("=")
    if way == "reencode":
        return plans.reencode(document, detail)
    if way == "last-good" and not detail:
        return plans.last_good(document, _versions(workspace, target))
    make = {"normalise": plans.normalise, "split": plans.split, "trim": plans.trim}.get(how)
    if make is None:
        raise Usage(f"“{how}” is no way to put a file right: {', '.join(plans.HOWS[:-1])}, reencode=ENCODING.")
    return make(document)


def _versions(workspace: Workspace, target: str) -> Iterator[tuple[str, bytes]]:
    """What the file has held, newest first; versions that the history cannot give are passed over."""
    history = workspace.past
    for version in history.versions(workspace.memory.path(target)):
        try:
            data = history.bytes_of(version.sha256)
        except WorkbenchError:
            continue
        if data is not None:
            yield version.sha256, data


def last_good(workspace: Workspace, target: str) -> Document | None:
    """The newest version of a store that is neither unreadable nor lossy nor empty; None when there is none."""
    document = workspace.documents()[target]
    try:
        found = plans.last_good(document, _versions(workspace, target))
    except Usage:
        return None
    return parse(found.data, target, document.limit)


def choices(workspace: Workspace, target: str) -> tuple[Choice, ...]:
    """Every entry that the file now, its last good version and its backups have, with where it is from."""
    from workbench.workspace.keeping import document_of, groups

    now = workspace.documents()[target]
    versions = [("now", now)]
    good = last_good(workspace, target)
    if good is not None:
        versions.append((plans.LAST_GOOD, good))
    for group in groups(workspace, (target,)):
        try:
            versions.append((group.newest.path.name, document_of(workspace, group.newest)))
        except WorkbenchError:
            continue
    return plans.choices([(name, one) for name, one in versions if one.state != "unreadable"])


def compose(workspace: Workspace, target: str, wanted: Sequence[str], unwanted: Sequence[str] = ()) -> Plan:
    """The plan that makes the file of entries chosen out of its versions (see memory.resolving.take). Raises Usage."""
    document = workspace.documents()[target]
    return plans.compose(document, plans.take(choices(workspace, target), wanted, unwanted))


def resolve(workspace: Workspace, chosen: Plan, *, accept: frozenset[str] = NOTHING) -> int | None:
    """Carry a plan out; the change set, None when the file is like that already. The bytes of before stay.

    `accept` holds the confirmations given. Raises Conflict when the file has moved on since the plan was made, the
    typed errors of apply for a plan with an operation, and what History.commit raises.
    """
    path = workspace.memory.path(chosen.target)
    if chosen.operation is not None:
        now = workspace.documents()[chosen.target]
        if digest_of(now.data) != chosen.base:
            raise Conflict(chosen.target, "", "", now.texts)
        return workspace.write(chosen.operation, accept=accept, label=chosen.label).change
    data = chosen.data
    assert data is not None
    then = parse(data, chosen.target, workspace.limits[chosen.target])
    if not then.entries and ACCEPT_EMPTY not in accept:
        raise NeedsConfirmation(f"This empties {chosen.target}.", ACCEPT_EMPTY)

    workspace.keep_first((chosen.target,))

    def compute(images: Images) -> Images:
        if digest_of(images[path]) != chosen.base:
            raise Conflict(chosen.target, "", "", ())
        return {path: data}

    kind = "restore" if chosen.how == "last-good" else "edit"
    intent = Intent(chosen.label, kind=kind)
    done = workspace.history.commit([path], compute, intent, allow_link=FOLLOW_LINK in accept)
    workspace.changed()
    return done.change
