"""Start the workbench: without a verb the full screen, with a verb headless."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.home import HomeChoice


def screen(choice: HomeChoice, *, read_only: bool, theme: str | None, now: float | None) -> int:
    """Open the full screen; textual is imported only here."""
    from workbench.tui import run

    return run(choice, read_only=read_only, theme=theme, now=now)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the workbench and return the exit code."""
    from workbench.cli import main as headless

    return headless(argv, screen=screen)


if __name__ == "__main__":
    sys.exit(main())
