"""Alerts about everything around the two files: permissions, settings, the queue, state.db, shared stores."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from workbench.alerts.alert import Action, Alert, make
from workbench.alerts.view import Access, View, Waiting

OLD_SECONDS = 7 * 86_400.0
# Folders above and around decide by their own mode; these are the files whose reading matters.
PRIVATE = ("memories/MEMORY.md", "memories/USER.md", "config.yaml", "state.db", ".env", "memory_store.db")
_READ, _WRITE, _PASS = 0o4, 0o2, 0o1
_OWN = 0o700
_STICKY = 0o1000
_SHOWN = 6


def about_surroundings(view: View) -> Iterator[Alert]:
    """The alerts that are about no memory text."""
    yield from _access(view)
    yield from _config(view)
    yield from _queue(view)
    yield from _sessions(view)
    if view.shared is not None:
        path, others = view.shared
        yield make(
            "shared_store", "warning", "memory_store.db",
            f"The fact store {path} is used by this home and by {_list(others)}.",
            "What one agent learns turns up in the other, and they can lock each other out.",
            "Each takes the store for its own; none knows of the other.",
            content=f"{path}\0{others}", actions=(Action("open_config"),),
        )  # fmt: skip


# -- permissions ----------------------------------------------------------------------------------------------------


def _access(view: View) -> Iterator[Alert]:
    if view.me is None:
        return
    foreign = [one for one in view.access if one.owner != view.me]
    if foreign:
        yield make(
            "owner", "error", foreign[0].name,
            f"{_names(foreign)} {'belongs' if len(foreign) == 1 else 'belong'} to another user.",
            "A file that is replaced changes its owner; the agent may then be locked out of its own memory.",
            "It fails at what it may not read or write; the workbench refuses to write there.",
            content=f"{[(one.name, one.owner) for one in foreign]}",
            actions=(Action("chown", f"sudo chown {view.me} {_paths(foreign)}"),),
        )  # fmt: skip
    shut = [one for one in view.access if one.folder and one.owner == view.me and one.mode & _OWN != _OWN]
    if shut and view.me:  # the superuser is not held back by a mode
        yield make(
            "not_writable", "error", shut[0].name, f"{_names(shut)} cannot be written to by its own user.",
            "Nothing new can be remembered there, and nothing corrected.",
            "Every save fails; it may say so or not.",
            content=f"{[(one.name, one.mode) for one in shut]}",
            actions=(Action("fix_mode", f"chmod u+rwx {_paths(shut)}"),),
        )  # fmt: skip
    if not view.reachable:
        return
    writable = [one for one in view.access if _open(one, _WRITE, view) and not (one.folder and one.mode & _STICKY)]
    if writable:
        yield make(
            "writable_by_all", "critical", writable[0].name,
            f"Every user of this computer can write to {_names(writable)}.",
            "Anybody can put words into the agent's memory, or take it away.",
            "It reads what stands there, whoever wrote it.",
            content=f"{[(one.name, one.mode) for one in writable]}",
            actions=(Action("fix_mode", f"chmod o-w {_paths(writable)}"),),
        )  # fmt: skip
    readable = [one for one in view.access if one.name in PRIVATE and _open(one, _READ, view)]
    if readable:
        yield make(
            "readable_by_all", "warning", readable[0].name,
            f"Every user of this computer can read {_names(readable)}.",
            "They hold what the agent knows about you, and perhaps credentials.",
            "It makes a memory file private again at its next write; the others stay as they are.",
            content=f"{[(one.name, one.mode) for one in readable]}",
            actions=(Action("fix_mode", f"chmod o-r {_paths(readable)}"),),
        )  # fmt: skip


def _open(one: Access, bit: int, view: View) -> bool:
    """Whether strangers have this permission, and can come as far as the place."""
    if not one.mode & bit or (one.folder and not one.mode & _PASS):
        return False
    above = {"."} | {other.name for other in view.access if other.folder and one.name.startswith(f"{other.name}/")}
    return all(other.mode & _PASS for other in view.access if other.name in above and other.name != one.name)


def _names(found: list[Access]) -> str:
    return _list(tuple("the home" if one.name == "." else one.name for one in found))


def _list(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _paths(found: list[Access]) -> str:
    return " ".join(shlex.quote(one.path) for one in found)


# -- settings -------------------------------------------------------------------------------------------------------


def _config(view: View) -> Iterator[Alert]:
    for problem in view.config.problems:
        whole = problem.key == "config.yaml"
        line = f" (line {problem.line})" if problem.line else ""
        force = "" if whole else f" In force is: {problem.in_force}."
        yield make(
            "config", "error" if whole else "warning", "config.yaml",
            f"config.yaml{line} cannot be used." if whole else f"{problem.key}{line} does not do what it says.",
            problem.why, f"It works with other values than you wrote.{force}",
            part=problem.key, content=f"{problem.raw}\0{problem.why}", actions=(Action("open_config"),),
        )  # fmt: skip
    for number, flaw in enumerate(view.own.problems):
        yield make(
            "patterns", "warning", "workbench/patterns.yaml", flaw.why,
            "A pattern of yours is not in force, so nothing is told of what it should find.",
            "It knows nothing of your patterns.", part=str(number), content=flaw.why,
            actions=(Action("open_patterns"),),
        )  # fmt: skip


# -- the queue ------------------------------------------------------------------------------------------------------


def _queue(view: View) -> Iterator[Alert]:
    for sentence in view.unlisted:
        yield make(
            "pending_unlisted", "error", "pending", f"{sentence}.", "Writes that wait there are not seen.",
            "It fails when it wants to put a write there, or to list them.", content=sentence,
        )  # fmt: skip
    for one in view.waiting:
        if one.status in _STUCK:
            kind, message, why, agent = _STUCK[one.status]
            yield make(
                kind, "warning", one.where, message.format(id=one.id), one.reason or why, agent,
                content=f"{one.digest}\0{one.status}", entry=one.id, actions=_actions(one),
            )  # fmt: skip
    if view.unread:
        yield make(
            "pending_unread", "info", "pending", f"{view.unread:,} more writes wait than were looked at.",
            "What is wrong with those is not known.", "It lists all of them.", content=str(view.unread),
        )  # fmt: skip
    yield from _rivals(view)
    old = [one for one in view.waiting if one.created_at is not None and view.now - one.created_at > OLD_SECONDS]
    if old:
        days = int((view.now - min(one.created_at or view.now for one in old)) / 86_400)
        yield make(
            "pending_old", "info", old[0].where,
            f"{len(old)} waiting {'write is' if len(old) == 1 else 'writes are'} up to {days} days old.",
            "The agent works without what it wanted to remember.",
            "It keeps them waiting until somebody decides.",
            content="\0".join(sorted(one.key for one in old)), entry=old[0].id,
            actions=(Action("open", "workbench pending list"),),
        )  # fmt: skip


_STUCK = {
    "stale": (
        "pending_stale", "The waiting write {id} is about something that is no longer there.",
        "Its place has changed meanwhile.",
        "It would refuse the write, or change nothing.",
    ),
    "ambiguous": (
        "pending_stale", "The waiting write {id} fits several places.", "Its place has changed meanwhile.",
        "It would refuse the write.",
    ),
    "unreadable": (
        "pending_unreadable", "The waiting write {id} cannot be read.", "Its file is damaged.",
        "It skips the file; the write is lost unless the file is repaired.",
    ),
    "unsupported": (
        "pending_unreadable", "The waiting write {id} is of a kind the workbench does not know.",
        "Another program or version has made it.", "What it makes of it is not known here.",
    ),
}  # fmt: skip


def _actions(one: Waiting) -> tuple[Action, ...]:
    show = Action("open", f"workbench pending show {shlex.quote(one.key)}")
    if one.status in ("stale", "ambiguous"):
        return (show, Action("retarget"), Action("reject", f"workbench pending reject {shlex.quote(one.key)}"))
    return (show,)


def _rivals(view: View) -> Iterator[Alert]:
    known = {one.key: one for one in view.waiting}
    groups = {frozenset((one.key, *one.rivals)) for one in view.waiting if one.rivals}
    for group in sorted(groups, key=sorted):
        if any(group < other for other in groups):
            continue
        there = sorted(group & known.keys())
        first = known[there[0]]
        yield make(
            "pending_rivals", "warning", first.where, f"{len(group)} waiting writes are about the same text.",
            "Whichever is approved first decides what the others meet.",
            "It applies them in the order of approval, and may refuse the later ones.",
            content="\0".join(sorted(group)), entry=first.id,
            actions=(Action("open", f"workbench pending show {shlex.join(there)}"),),
        )  # fmt: skip


# -- state.db -------------------------------------------------------------------------------------------------------


def _sessions(view: View) -> Iterator[Alert]:
    if view.sessions.state in ("damaged", "not_a_database"):
        yield make(
            "sessions_damaged", "error", "state.db", "state.db, which holds the past conversations, cannot be read.",
            view.sessions.why, "It may fail to start, or begin a new database beside the old one.",
            content=f"{view.sessions.state}\0{view.sessions.why}", actions=(Action("open", "workbench status"),),
        )  # fmt: skip
    state, sentence = view.index
    if state in ("damaged", "stale"):
        yield make(
            "index_unreliable", "warning", "state.db", f"In state.db {sentence}.",
            "A search of the agent may find nothing where there is something.",
            "It asks the index and believes the answer.",
            content=f"{state}\0{sentence}", actions=(Action("open", "workbench sessions list"),),
        )  # fmt: skip
