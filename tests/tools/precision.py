"""How often the second opinion speaks of ordinary notes: `python -m tests.tools.precision FILE`, one note a line.

Prints every note that is advised against, then the rate. Lines of JSON strings are understood too. Credentials are
counted apart, as a note with one is no ordinary note.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from workbench.threats import Finding, scan


def advised(notes: Iterable[str]) -> list[tuple[str, tuple[Finding, ...]]]:
    """The notes that get an advisory, with it; the client's own verdict and credentials do not count."""
    found = []
    for note in notes:
        advice = tuple(one for one in scan(note) if one.level == "advisory" and one.pattern != "wb_credential")
        if advice:
            found.append((note, advice))
    return found


def notes_of(text: str) -> list[str]:
    """The notes of a file: its lines that are not blank, or what they are as JSON strings."""
    lines = [line for line in text.splitlines() if line.strip()]
    return [json.loads(line) if line.startswith('"') and line.endswith('"') else line for line in lines]


def main(path: Path) -> int:
    """Print what is advised against and the rate; 1 when it is more than 1 in 200."""
    notes = notes_of(path.read_text("utf-8"))
    found = advised(notes)
    for note, advice in found:
        spans = ", ".join(f"{one.pattern} {note[one.start : one.end]!r}" for one in advice)
        sys.stdout.write(f"{note[:100]!r}: {spans}\n")
    share = len(found) / len(notes) if notes else 0.0
    sys.stdout.write(f"{len(found)} of {len(notes)} notes ({share:.2%}); at most 0.50% is allowed\n")
    return int(share > 1 / 200)


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
