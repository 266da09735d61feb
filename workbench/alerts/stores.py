"""Alerts about a memory file as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.alerts.alert import Action, Alert, make
from workbench.alerts.entries import actions_of_entry
from workbench.alerts.view import View
from workbench.memory.document import BOM, FILE_NAMES, Document

NEARLY_FULL = 80
WITHIN_SECONDS = 3600.0
NOTHING_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # of no bytes at all
_VERSIONS = Action("versions", "workbench history --versions")


def about_stores(view: View) -> Iterator[Alert]:
    """The alerts of both files."""
    for target, document in view.documents.items():
        whole = (_unreadable(document), _vanished(view, document), _emptied(view, document))
        for found in (*whole, _in_turn(view, document), _form(view, document)):
            if found is not None:
                yield found
        yield from _size(view, document)
        if document.duplicates:
            yield _duplicates(document)
        if document.client_text.startswith(BOM):
            yield make(
                "bom", "warning", _where(document), f"{FILE_NAMES[target]} begins with a byte order mark.",
                "An editor has put an invisible mark before the first entry.",
                "Clients up to 0.19 take the mark for part of the first entry and hide that entry from the prompt.",
                content=document.client_text, target=target, actions=(_normalise(target),),
            )  # fmt: skip


def _where(document: Document) -> str:
    return f"memories/{FILE_NAMES[document.target]}"


def _normalise(target: str) -> Action:
    return Action("normalise", f"workbench memory normalise {target}")


def _content(document: Document) -> str:
    return document.client_text or repr(document.data)


def _unreadable(document: Document) -> Alert | None:
    if document.state != "unreadable":
        return None
    name = FILE_NAMES[document.target]
    if document.data is None:
        return make(
            "no_access", "critical", _where(document), f"{name} cannot be read ({document.error}).",
            "What it holds may be lost with the agent's next write.",
            "Clients up to 0.19 take a file they may not read for an empty one, and replace it when they write.",
            content=document.error, target=document.target, actions=(Action("fix_mode"), _VERSIONS),
        )  # fmt: skip
    return make(
        "not_utf8", "error", _where(document), f"{name} is not UTF-8 at byte {document.error_offset}.",
        "Another program has written it in another encoding.",
        "It starts without a memory, and every write to the file fails until it is repaired.",
        content=_content(document), target=document.target, actions=(_VERSIONS,),
    )  # fmt: skip


def _vanished(view: View, document: Document) -> Alert | None:
    last = view.last_seen.get(document.target)
    if document.state != "missing" or last is None:
        return None
    version = last.after if last.after is not None else last.before
    if version is None or (last.after is None and last.actor == "workbench"):
        return None
    name = FILE_NAMES[document.target]
    return make(
        "vanished", "critical", _where(document), f"{name} is gone, and it was not the workbench that removed it.",
        "Every entry it held is missing; the history has the last version that was seen.",
        "It starts with an empty store and writes a new file.",
        content=version, target=document.target,
        actions=(Action("restore", f"workbench restore {version[:12]} {document.target}"), _VERSIONS),
    )  # fmt: skip


def _emptied(view: View, document: Document) -> Alert | None:
    """A file that lost everything at once, to whoever wrote it last; a home that begins empty has not."""
    last, target = view.last_seen.get(document.target), document.target
    if document.data is None or document.state == "unreadable" or document.entries:
        return None
    if last is None or last.actor == "workbench" or last.before in (None, NOTHING_SHA256):
        return None
    name, version = FILE_NAMES[target], str(last.before)
    return make(
        "emptied", "warning", _where(document), f"{name} is empty, and it was not the workbench that emptied it.",
        "The entries it held are missing; the history has the version from before.",
        "It starts with an empty store.", content=version, target=target,
        actions=(Action("restore", f"workbench restore {version[:12]} {target}"), _VERSIONS),
    )  # fmt: skip


def _in_turn(view: View, document: Document) -> Alert | None:
    """Two programs that undo each other; after an hour of peace it is over."""
    turns, target = view.turns.get(document.target), document.target
    if turns is None or view.now - turns.at > WITHIN_SECONDS:
        return None
    name, other = FILE_NAMES[target], turns.versions[1]
    return make(
        "turns", "error", _where(document), f"Two programs overwrite {name} in turn, {turns.times} times by now.",
        "What one of them writes is lost with the next write of the other; the history has both versions.",
        "It knows only the version that stands when a conversation begins.",
        content="\0".join(sorted(turns.versions)), target=target, actions=(
            Action("entries", f"workbench memory resolve {target} --how entries --take now last"),
            Action("restore", f"workbench restore {other[:12]} {target}"),
            _VERSIONS,
        ),
    )  # fmt: skip


def _form(view: View, document: Document) -> Alert | None:
    """A file that is not in the client's own form, where some client refuses to work on it."""
    name, target = FILE_NAMES[document.target], document.target
    refused = document.refused_by
    if document.state == "lossy":
        longest = max(document.entries, key=lambda entry: len(entry.text))
        return make(
            "lossy", "error", _where(document),
            f"An entry of {name} has {len(longest.text):,} characters, more than the limit of {document.limit:,}.",
            "It was probably written as one text; whatever the agent does to it takes all of it at once.",
            _refusals(refused, view.client), content=_content(document), target=target, entry=longest.id,
            text=longest.text, actions=(
                *actions_of_entry(target, longest.id),
                Action("split", f"workbench memory split {target} {longest.id} --pieces -"),
            ),
        )  # fmt: skip
    round_trip = [client for client in refused if set(refused[client]) - {"add"}]
    if document.state not in ("cosmetic", "over") or not round_trip:
        return None
    return make(
        "drift", "warning" if view.client in round_trip else "info", _where(document),
        f"{name} is not in the form the agent writes.",
        "An editor or another program has changed blank lines or delimiters; the entries themselves are whole.",
        _refusals(refused, view.client), content=_content(document), target=target, actions=(_normalise(target),),
    )  # fmt: skip


def _refusals(refused: dict[str, list[str]], client: str) -> str:
    said = [f"client {one} refuses {', '.join(actions)}" for one, actions in refused.items()]
    mine = " (the one last used here)" if client in refused else ""
    return f"On this file {'; '.join(said)}{mine}." if said else "It works on the file as it is."


def _size(view: View, document: Document) -> Iterator[Alert]:
    name, over = FILE_NAMES[document.target], document.chars - document.limit
    sizes = f"{document.chars:,} of {document.limit:,} characters"
    listing = Action("open", f"workbench memory list {document.target}")
    if document.state == "over":
        yield make(
            "over_limit", "error", _where(document), f"{name} is over its limit by {over:,} ({sizes}).",
            "Nothing new can be remembered until something is shortened or removed.",
            "It refuses every add, and tries to make room by itself.",
            content=_content(document), target=document.target, actions=(listing,),
        )  # fmt: skip
    elif document.state != "lossy" and document.entries and document.percent >= NEARLY_FULL:
        yield make(
            "nearly_full", "info", _where(document), f"{name} is {document.percent} % full ({sizes}).",
            "Soon the agent will have to drop or shorten entries to add one.",
            "It is told the figure in its prompt, and decides by itself what goes.",
            content=_content(document), target=document.target, actions=(listing,),
        )  # fmt: skip


def _duplicates(document: Document) -> Alert:
    name = FILE_NAMES[document.target]
    twice = [entry for entry in document.entries if entry.copies > 1]
    return make(
        "duplicates", "info", _where(document), f"{name} holds {document.duplicates} exact copies of entries.",
        "They cost characters of the limit and say nothing new.",
        "It drops the copies at its next write.",
        content="\0".join(entry.text for entry in twice), target=document.target, entry=twice[0].id,
        text=twice[0].text, actions=(_normalise(document.target),),
    )  # fmt: skip
