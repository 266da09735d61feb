"""`python -m tests.benchmarks`: how fast and how safe, as ratios within one run.

Every row repeats its two sides in turn and prints medians; nothing here is asserted. WORKBENCH_CLIENT_PYTHON names
the real client's Python for the last rows, `--short` makes a quick run for CI, `--folder DIR` puts the homes on
another file system (the default is below the current folder, since /tmp may be memory).
"""

from __future__ import annotations

import argparse
import compileall
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks import measures
from tests.benchmarks.table import Row, render
from tests.conftest import TESTS


def main() -> None:
    """Run all measures and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--folder", type=Path, default=Path.cwd())
    parser.add_argument("--only", metavar="WORD", default="")
    options = parser.parse_args()
    # As pip leaves it: otherwise every start would compile the package, and only ours, where writing is switched off.
    compileall.compile_dir(TESTS.parent / "workbench", quiet=2)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(dir=options.folder, prefix=".bench-") as name:
        measure: Callable[[Path, bool], list[Row]]
        for number, measure in enumerate(measures.ALL):
            if options.only.replace("-", "_") not in measure.__name__:
                continue
            folder = Path(name) / str(number)
            folder.mkdir()
            rows += measure(folder, options.short)
            sys.stderr.write(f"{measure.__name__} done\n")
    cores = os.cpu_count()
    sys.stdout.write(f"Python {platform.python_version()}, {platform.system()}, {cores} cores, medians\n\n")
    sys.stdout.write(render(rows))


def median(values: list[float]) -> float:
    """The median of some seconds."""
    return statistics.median(values)


if __name__ == "__main__":
    main()
