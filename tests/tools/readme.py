"""`python -m tests.tools.readme`: write the generated tables of the README; a test holds them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from workbench.cli.parser import build
from workbench.tui.actions import ACTIONS, AREAS, key_name

README = Path(__file__).parent.parent.parent / "README.md"


def keys() -> str:
    """The keys of every area, one table each; dialogs name theirs themselves."""
    sections = {"app": "Everywhere", **{area.id: f"{area.number} {area.label}" for area in AREAS}}
    sections |= {
        "entry": "An opened entry",
        "editor": "The editor",
        "split": "Splitting an entry",
        "room": "Making room",
    }
    sections |= {"drift": "Putting a file right", "choosing": "Entry by entry", "backups": "Backups"}
    out: list[str] = []
    for scope, title in sections.items():
        rows = [
            f"| {' '.join(f'`{key_name(key)}`' for key in action.keys)} | {action.tooltip} | `{scope}.{action.id}` |"
            for action in ACTIONS
            if action.scope == scope
        ]
        summary = f"<details{' open' if scope == 'memory' else ''}><summary>{title}</summary>"
        out += [summary, "", "| key | does | id |", "|---|---|---|", *rows, "", "</details>"]
    return "\n".join(out)


def verbs() -> str:
    """All verbs with their arguments."""
    lines = ["| verb | does |", "|---|---|"]
    lines += [f"| `{usage}` | {help_text} |" for usage, help_text in _verbs(build(), "workbench")]
    return "\n".join(lines)


def _verbs(parser: argparse.ArgumentParser, prefix: str) -> Iterator[tuple[str, str]]:
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            continue
        for name, sub in action.choices.items():
            inner = [one for one in sub._actions if isinstance(one, argparse._SubParsersAction)]
            if inner:
                yield from _verbs(sub, f"{prefix} {name}")
                continue
            yield f"{prefix} {name}{_arguments(sub)}", str(sub.description)


def _arguments(parser: argparse.ArgumentParser) -> str:
    parts = []
    for action in parser._actions:
        if action.option_strings or isinstance(action, argparse._HelpAction):
            continue
        name = str(action.metavar or action.dest)
        name += " …" if action.nargs == "+" else ""
        parts.append(f" [{name}]" if action.nargs == "?" else f" {name}")
    return "".join(parts)


def rendered(text: str) -> str:
    """The README with its generated tables made anew."""
    for name, make in (("keys", keys), ("verbs", verbs)):
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text = pattern.sub(lambda match, make=make: f"{match[1]}{make()}\n{match[2]}", text, count=1)  # type: ignore[misc]
    return text


def main() -> None:
    """Write the tables."""
    README.write_text(rendered(README.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
