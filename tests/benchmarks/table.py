"""The table the benchmark command prints."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One comparison: seconds of each side in the order measured (pairs), and the target for ours / theirs.

    `unit` is `ms` for seconds, or the unit of figures that are none (`B`), which are printed as they are.
    """

    what: str
    ours: Sequence[float]
    base: Sequence[float]
    target: float | None = None
    note: str = ""
    unit: str = "ms"

    @property
    def ratio(self) -> float:
        """The median of the ratios pair by pair, so that a drifting machine does not count."""
        return statistics.median(a / b for a, b in zip(self.ours, self.base, strict=True))

    @property
    def spread(self) -> tuple[float, float]:
        """The smallest and largest ratio of a pair."""
        ratios = [a / b for a, b in zip(self.ours, self.base, strict=True)]
        return min(ratios), max(ratios)


def render(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | ours | base | ratio (min–max) | target | |", "|---|---|---|---|---|---|"]
    for row in rows:
        ours, base = _figure(row.ours, row.unit), _figure(row.base, row.unit)
        low, high = row.spread
        target = f"≤ {row.target:g}" if row.target is not None else ""
        verdict = "" if row.target is None else ("ok" if row.ratio <= row.target else "missed")
        lines.append(
            f"| {row.what} | {ours} | {base} | {row.ratio:.2f} ({low:.2f}–{high:.2f}) | {target} |"
            f" {verdict} {row.note} |"
        )
    return "\n".join(lines) + "\n"


def _figure(values: Sequence[float], unit: str) -> str:
    middle = statistics.median(values)
    return f"{middle * 1000:,.2f} ms" if unit == "ms" else f"{middle:,.0f} {unit}"
