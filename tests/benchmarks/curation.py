"""Suggestions against what listing the same entries costs: reading, counting and scanning each."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.table import Row
from tests.tools.curation_report import entries_of
from workbench.curation.suggesting import suggest
from workbench.memory import parse, serialise
from workbench.threats import scan


def curation(folder: Path, short: bool) -> list[Row]:
    """The first suggestions for 120 entries, and those for 2,000 near copies; seconds are processor time."""
    rows = []
    for entries, times in ((120, 5 if short else 25), (2000, 1 if short else 5)):
        texts = entries_of(entries)
        data = serialise(texts)
        read = {"memory": parse(data, "memory", 400_000), "user": parse(b"Likes tea", "user", 1375)}

        def base(data: bytes = data) -> None:
            for text in parse(data, "memory", 400_000).texts:
                scan(text, "strict")

        ours, theirs = [], []
        for _ in range(times):
            theirs.append(worked(base))
            ours.append(worked(lambda read=read: suggest(read)))  # type: ignore[misc]
        rows.append(Row(f"suggestions for {entries:,} entries / reading and scanning them", ours, theirs))
    return rows


def worked(act: Callable[[], object]) -> float:
    """Seconds of processor time."""
    start = time.process_time()
    act()
    return time.process_time() - start
