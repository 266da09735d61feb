"""What the Alerts area shows, found out in a worker: the list, and what is said of each alert."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.files import read_bytes
from workbench.memory import FILE_NAMES, TARGETS, Document
from workbench.text import mask, secrets_in
from workbench.threats.own import load_patterns
from workbench.tui.parts.byte_rows import visible
from workbench.tui.parts.header import HeaderFacts
from workbench.tui.parts.virtual_list import Row
from workbench.tui.screen_text import excerpt, one_line, safe
from workbench.tui.screens.area import header_facts
from workbench.workspace.alerting import Listed

if TYPE_CHECKING:
    from textual.content import Content

    from workbench.alerts import Alert
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

# A text longer than this is shown from a little before its first marked span.
TEXT_CHARS = 20_000
# Of a line of config.yaml.
LINE_CHARS = 200
LEAD_CHARS = 200
# Lines of a settings file around the one meant.
AROUND = 3
_TONES = {"critical": "error", "error": "error", "warning": "warning", "info": ""}
_HEADS = {
    "critical": "critical: it may be lost, or passes unseen",
    "error": "error: the agent hides or refuses it now",
    "warning": "warning",
    "info": "worth knowing",
}
FINDING = {"finding": "$wb-finding-text on $wb-finding"}
# The kinds that the resolver of a file puts right, and those about the words of an entry.
FILE_KINDS = frozenset({"drift", "bom", "duplicates", "not_utf8", "lossy", "over_limit", "emptied"})
WORD_KINDS = frozenset({
    "threat", "likely_benign", "unscanned_blocked_prefix", "beyond_window", "advisory", "credential", "own_pattern",
})  # fmt: skip


# The kinds about a file that its owner writes by hand, and which file: what to write there only they know.
SETTINGS_FILES = {"config": "config.yaml", "shared_store": "config.yaml", "patterns": "workbench/patterns.yaml"}


@dataclass(frozen=True)
class AlertsView:
    """The alerts shown, worst first, `aside` of them dismissed or snoozed; the header's number is that of the open.

    `places` holds, by alert id, lines of a settings file around the one meant, `lines` the number of that one.
    """

    listed: tuple[Listed, ...]
    rows: tuple[Row, ...]
    open: int
    aside: int
    header: HeaderFacts
    documents: Mapping[str, Document]
    looked_at: str
    places: Mapping[str, str]
    lines: Mapping[str, int]

    def find(self, row_id: str | None) -> Listed | None:
        """The alert a row stands for."""
        return next((one for one in self.listed if one.alert.id == row_id), None)


@dataclass
class AlertsRead(Message):
    """The alerts were judged."""

    request: int
    view: AlertsView


def read_alerts(workspace: Workspace, glyphs: Glyphs, now: float | None, *, everything: bool) -> AlertsView:
    """Judge the home. Raises WorkbenchError, NoHome too."""
    from workbench.home import check
    from workbench.tui.facts import observed

    check(workspace.choice)
    workspace.refresh()
    observed(workspace)
    found = workspace.alerts(everything=True)
    shown = tuple(one for one in found if everything or one.state == "open")
    number = sum(one.state == "open" for one in found)
    documents = workspace.documents()
    header = replace(header_facts(workspace, now), alerts=number)
    return AlertsView(
        shown,
        tuple(_rows(shown, glyphs)),
        number,
        len(found) - number,
        header,
        documents,
        _looked_at(documents, header.waiting or 0),
        {one.alert.id: _place(workspace, one.alert) for one in shown if one.alert.kind == "config"},
        {one.alert.id: _line(workspace, one.alert) for one in shown if one.alert.kind in SETTINGS_FILES},
    )


def _rows(found: Sequence[Listed], glyphs: Glyphs) -> list[Row]:
    rows: list[Row] = []
    before = ""
    for one in found:
        alert = one.alert
        if alert.severity != before:
            before = alert.severity
            rows.append(Row(f"head-{before}", _HEADS.get(before, before), heading=True))
        where = one_line(alert.where, masked=False) + (f" · {one_line(alert.entry)}" if alert.entry else "")
        about = f" · “{one_line(alert.text[:TEXT_CHARS])[:60]}”" if alert.text else ""
        aside = "" if one.state == "open" else f" · {said_aside(one)}"
        tone = _TONES.get(alert.severity, "")
        badge = glyphs.warning if tone else ""
        look = "" if one.state == "open" else "faint"
        rows.append(
            Row(alert.id, f"{one_line(alert.message)}\n{where}{about}{aside}", badge=badge, tone=tone, look=look)
        )
    return rows


def said_aside(one: Listed) -> str:
    """How it was set aside."""
    if one.state == "dismissed":
        return "dismissed until it changes"
    if one.until is None:
        return ""
    then = time.localtime(one.until)
    return f"snoozed until {then.tm_mday} {time.strftime('%b, %H:%M', then)}"


def _looked_at(documents: Mapping[str, Document], waiting: int) -> str:
    """What was looked at, for whoever sees an empty list."""
    parts = []
    for target in TARGETS:
        count = len(documents[target].entries)
        held = f"{count} entr{'y' if count == 1 else 'ies'}" if documents[target].data is not None else "not there"
        parts.append(f"{FILE_NAMES[target]} ({held})")
    parts.append(f"{waiting} waiting write{'' if waiting == 1 else 's'}")
    return (
        f"{', '.join(parts)}: every text, the layout, size, owner and mode of the files; config.yaml, your own "
        "patterns, state.db and its index, and whether another profile shares the fact store."
    )


def _line(workspace: Workspace, alert: Alert) -> int:
    """The line of its settings file that an alert is about, 1 is the first; 0 when that is not known."""
    if alert.kind == "patterns":
        return next((one.line for one in load_patterns(workspace.home).problems if one.why == alert.message), 0)
    return next((one.line for one in workspace.config.problems if one.why == alert.why), 0)


def _place(workspace: Workspace, alert: Alert) -> str:
    """The lines of config.yaml around the value meant, with their numbers; "" when that is not known."""
    line = _line(workspace, alert)
    if not line:
        return ""
    data = read_bytes(workspace.home / "config.yaml") or b""
    text = data.decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    starts = [0, *accumulate(len(each) + 1 for each in lines)]
    first, last = max(1, line - AROUND), min(len(lines), line + AROUND)
    return "\n".join(
        f"{'>' if number == line else ' '}{number:>5}  {_masked_line(text, starts[number - 1], lines[number - 1])}"
        for number in range(first, last + 1)
    )


def _masked_line(text: str, start: int, line: str) -> str:
    """The beginning of a line; what is secret in it is told by the lines around it too."""
    end = start + min(len(line), LINE_CHARS)
    secrets = [replace(each, start=each.start - start, end=each.end - start) for each in secrets_in(text, start, end)]
    return visible(mask(line[: end - start], secrets).encode("utf-8", "surrogateescape"))


def alert_text(alert: Alert, *, masked: bool) -> Content | None:
    """The text an alert is about, with what was found marked; None when it is about none."""
    if not alert.text:
        return None
    start = 0
    if len(alert.text) > TEXT_CHARS and alert.spans:
        start = max(0, min(span[0] for span in alert.spans) - LEAD_CHARS)
    part = alert.text[start : start + TEXT_CHARS]
    spans = tuple(
        (max(0, one - start), min(len(part), other - start), "finding")
        for one, other in alert.spans
        if other > start and one < start + len(part)
    )
    shown = excerpt(part, spans, masked=masked).content(FINDING)
    before = "… " if start else ""
    after = " …" if start + TEXT_CHARS < len(alert.text) else ""
    from textual.content import Content

    return Content.assemble(before, shown, after)


def alert_lines(one: Listed, place: str, keys: Sequence[tuple[str, str]], glyphs: Glyphs) -> Content:
    """What happened, where, why it matters, what the agent will do, and the keys; as one text."""
    from textual.content import Content

    alert = one.alert
    style = {"error": "$error bold", "warning": "$warning bold"}.get(_TONES.get(alert.severity, ""), "bold")
    lines = [Content.assemble((f"{alert.severity}  ", style), (safe(alert.message), "$foreground bold"))]
    where = one_line(alert.where, masked=False) + (f" · {one_line(alert.entry)}" if alert.entry else "")
    found = f" · {', '.join(one_line(name) for name in alert.patterns)}" if alert.patterns else ""
    lines.append(Content.styled(f"{where}{found}", "$wb-muted"))
    for label, said in (("why it matters", alert.why), ("the agent", alert.agent)):
        if said:
            lines.append(Content.assemble(("\n" + label + "  ", "$wb-muted bold"), (safe(said), "$foreground")))
    if place:
        lines.append(Content(f"\n{place}"))
    if one.state != "open":
        lines.append(Content.styled(f"\n{said_aside(one)}", "$wb-muted"))
    lines.append(Content(""))
    lines += [Content.assemble((f"{key:>6}", "$wb-key bold"), (f"  {what}", "$foreground")) for key, what in keys]
    commands = [action.command for action in alert.actions if action.command]
    if commands:
        lines.append(Content.styled("\nwithout the screen", "$wb-muted bold"))
        lines += [Content.styled(f"  {one_line(command, masked=False)}", "$wb-muted") for command in commands]
    return Content("\n").join(lines)


def cleaned(alert: Alert) -> str:
    """The text without the characters that no screen draws, where that is what was found; else as it is."""
    hidden = all(
        name.startswith(("invisible_unicode", "wb_tag", "wb_selector", "wb_hidden")) for name in alert.patterns
    )
    if not hidden or not alert.patterns:
        return alert.text
    import unicodedata

    def drawn(char: str) -> bool:
        selector = "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
        return char in "\n\t" or not (unicodedata.category(char) in ("Cf", "Cc") or selector)

    spans = sorted(alert.spans)
    return "".join(
        char for at, char in enumerate(alert.text) if drawn(char) or not any(start <= at < end for start, end in spans)
    )
