"""What the headless face knows of the other one: how to call it."""

from __future__ import annotations

from typing import Protocol

from workbench.home import HomeChoice


class Screen(Protocol):
    """The full screen, given by `__main__`: the two faces do not import each other."""

    def __call__(self, choice: HomeChoice, *, read_only: bool, theme: str | None, now: float | None) -> int:
        """Run it until the user quits; returns the exit code."""
