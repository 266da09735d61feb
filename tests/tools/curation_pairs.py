"""`python -m tests.tools.curation_pairs FILE`: what the pairs of a labelled file are taken for.

The file is a JSON list of `{"a": text, "b": text, "same": true or false}`; `same` says whether the two state one fact,
so that one of them can go.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from workbench.curation.alike import pairs
from workbench.curation.facts import take_apart


@dataclass(frozen=True)
class Judged:
    """One labelled pair, and the kind it was offered as; "" when it was not."""

    a: str
    b: str
    same: bool
    offered: str


def judged(path: Path) -> tuple[Judged, ...]:
    """Every pair of a labelled file with what the rules make of it, each pair looked at by itself."""
    out = []
    for row in json.loads(path.read_text("utf-8")):
        found = pairs([take_apart(row["a"]), take_apart(row["b"])], [1, 1])
        out.append(Judged(row["a"], row["b"], bool(row["same"]), found[0].kind if found else ""))
    return tuple(out)


def precision(rows: tuple[Judged, ...]) -> float:
    """The share of the offered pairs that are labelled as the same; 1 when none is offered."""
    offered = [row for row in rows if row.offered]
    return sum(row.same for row in offered) / len(offered) if offered else 1.0


def main() -> None:
    """Print the figures and every pair that was taken for something else."""
    rows = judged(Path(sys.argv[1]))
    offered = [row for row in rows if row.offered]
    alike = sum(row.same for row in rows)
    found = sum(row.same for row in offered)
    sys.stdout.write(f"{len(rows)} pairs, {len(offered)} offered, {precision(rows):.0%} of them right\n")
    sys.stdout.write(f"{found} of {alike} that say the same were found\n")
    for row in rows:
        if row.same != bool(row.offered):
            sys.stdout.write(f"{'missed' if row.same else 'WRONG '}  {row.a!r}\n        {row.b!r}\n")


if __name__ == "__main__":
    main()
