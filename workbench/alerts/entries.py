"""Alerts about what an entry says: the scanner's verdict, advisories, the owner's patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from workbench.alerts.alert import Action, Alert, make
from workbench.alerts.opinions import Opinions
from workbench.alerts.view import View
from workbench.memory.document import FILE_NAMES, Document, entry_id
from workbench.threats import Finding
from workbench.threats.own import PREFIX, SLOW


class _Kind(NamedTuple):
    severity: str
    message: str
    agent: str


_HIDES = (
    "Clients from 0.19 put a notice in its place in the prompt and refuse to write such a text; older ones only refuse "
    "to write it."
)
_LETS_THROUGH = "It lets the text through: it stands in the prompt of every session as it is."
_KINDS: Mapping[str, _Kind] = {
    "threat": _Kind("error", "An entry is refused by the agent's scanner ({ids}).", _HIDES),
    "likely_benign": _Kind(
        "warning", "An entry looks like an ordinary note, but the agent's scanner refuses it ({ids}).", _HIDES
    ),
    "unscanned_blocked_prefix": _Kind(
        "critical", "An entry begins with “[BLOCKED:”, which no scanner looks behind.", _LETS_THROUGH
    ),
    "beyond_window": _Kind("warning", "An entry is longer than what the agent's scanner looks at.", _LETS_THROUGH),
    "credential": _Kind(
        "warning",
        "An entry holds what looks like a credential.",
        "It sends it to the model's provider with every prompt.",
    ),
    "advisory": _Kind("warning", "The workbench advises to look at an entry ({ids}).", _LETS_THROUGH),
    "own_pattern": _Kind("warning", "An entry matches your own pattern {ids}.", "It knows nothing of your patterns."),
    "own_slow": _Kind("info", "Your own patterns took too long on an entry.", "It knows nothing of your patterns."),
}
_BY_ID = {
    "wb_blocked_prefix": "unscanned_blocked_prefix",
    "wb_beyond_window": "beyond_window",
    "wb_credential": "credential",
    SLOW: "own_slow",
}


def about_entries(view: View, opinions: Opinions) -> Iterator[Alert]:
    """The alerts of every entry of both stores."""
    for target, document in view.documents.items():
        for entry in document.entries:
            found: dict[tuple[str, str], list[Finding]] = {}
            for finding in opinions.of(entry.text, target, view.own):
                found.setdefault(_kind(finding), []).append(finding)
            for (kind, part), findings in found.items():
                yield _alert(view, document, entry.text, kind, part, findings)


def _kind(finding: Finding) -> tuple[str, str]:
    if finding.pattern.startswith(PREFIX):
        return "own_pattern", finding.pattern
    if finding.level == "advisory":
        return _BY_ID.get(finding.pattern, "advisory"), ""
    return ("threat" if finding.level == "blocks" else "likely_benign"), ""


def _alert(view: View, document: Document, text: str, kind: str, part: str, findings: list[Finding]) -> Alert:
    says = _KINDS[kind]
    severity, agent = says.severity, says.agent
    if kind == "own_pattern":
        severity = view.own.level_of(findings[0])
    if not view.enabled.get(document.target, True):
        severity, agent = "info", "It does not read this store, which is switched off in config.yaml."
    ids = tuple(dict.fromkeys(finding.pattern.removeprefix(PREFIX) for finding in findings))
    ident = entry_id(text)
    return make(
        kind,
        severity,
        f"memories/{FILE_NAMES[document.target]}",
        says.message.format(ids=", ".join(ids)),
        findings[0].explanation,
        agent,
        part=part,
        content=text,
        entry=ident,
        target=document.target,
        spans=tuple((finding.start, finding.end) for finding in findings),
        patterns=ids,
        text=text,
        actions=actions_of_entry(document.target, ident),
    )


def actions_of_entry(target: str, ident: str) -> tuple[Action, ...]:
    """What can be done about any entry."""
    return (
        Action("open", f"workbench memory show {target} {ident}"),
        Action("edit", f"workbench memory replace {target} {ident} -"),
        Action("remove", f"workbench memory remove {target} {ident}"),
    )
