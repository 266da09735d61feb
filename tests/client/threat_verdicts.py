"""Asks the real client what its scanner says; run it with the client's own Python, it needs nothing else.

Without arguments: reads a JSON list of texts from standard input and prints `{"version", "verdicts"}`, where each
verdict is the list of ids at scope all, context and strict. With a corpus file: stores the verdicts in it, under the
client's version.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

SCOPES = ("all", "context", "strict")
Verdict = list[list[str]]


def _in_fixed_order(ids: list[str]) -> list[str]:
    """The client keeps invisible characters in a set; by code point they compare."""
    hidden = [name for name in ids if name.startswith("invisible_")]
    return sorted(hidden) + [name for name in ids if name not in hidden]


def _judge() -> Callable[[str, str], list[str]]:
    try:
        scan: Callable[[str, str], list[str]] = importlib.import_module("tools.threat_patterns").scan_for_threats
    except ModuleNotFoundError:
        return _old_judge()
    return scan


def _old_judge() -> Callable[[str, str], list[str]]:
    """Clients before 0.19 stop at the first hit; their table, asked row by row, tells them all."""
    tool = importlib.import_module("tools.memory_tool")

    def scan(text: str, _scope: str) -> list[str]:
        ids = [f"invisible_unicode_U+{ord(char):04X}" for char in tool._INVISIBLE_CHARS if char in text]
        return ids + [name for regex, name in tool._MEMORY_THREAT_PATTERNS if re.search(regex, text, re.IGNORECASE)]

    return scan


def verdicts(texts: list[str]) -> list[Verdict]:
    """The ids at each scope, for each text."""
    scan = _judge()
    return [[_in_fixed_order(scan(text, scope)) for scope in SCOPES] for text in texts]


def client_version() -> str:
    """Major and minor version of the client that runs this, from its metadata or, for a copy, its package."""
    try:
        full = metadata.version("hermes-agent")
    except metadata.PackageNotFoundError:
        full = str(importlib.import_module("hermes_cli").__version__)
    return ".".join(full.split(".")[:2])


def store(corpus: Path) -> None:
    """Writes the verdicts into the corpus, one row a line."""
    rows: list[dict[str, Any]] = json.loads(corpus.read_text(encoding="utf-8"))
    version = client_version()
    for row, verdict in zip(rows, verdicts([row["text"] for row in rows]), strict=True):
        row[version] = verdict
    lines = ",\n".join(json.dumps(row) for row in rows)
    corpus.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        store(Path(sys.argv[1]))
    else:
        answer = {"version": client_version(), "verdicts": verdicts(json.load(sys.stdin))}
        sys.stdout.write(json.dumps(answer))
