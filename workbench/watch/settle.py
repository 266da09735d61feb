"""When to repaint: soon after the last change, never long after the first one, and not too often."""

from __future__ import annotations

from dataclasses import dataclass

QUIET_SECONDS = 0.150
LONGEST_SECONDS = 0.500
_LONG_AGO = float("-inf")


@dataclass
class Debounce:
    """Times of a burst: `hit` at every change, `due` says when to act; all times are seconds of one clock."""

    quiet: float = QUIET_SECONDS
    longest: float = LONGEST_SECONDS
    first: float | None = None
    last: float = 0.0

    def hit(self, now: float) -> float:
        """Note a change at `now`; returns the moment at which to act unless another change comes."""
        if self.first is None:
            self.first = now
        self.last = now
        return min(self.last + self.quiet, self.first + self.longest)

    def due(self, now: float) -> bool:
        """Whether it is time to act; ends the burst when it is."""
        if self.first is None or now + 1e-9 < min(self.last + self.quiet, self.first + self.longest):
            return False
        self.first = None
        return True


@dataclass
class Pace:
    """At most one look in `every` seconds, however many reasons there are for one; times are seconds of one clock."""

    every: float
    last: float = _LONG_AGO

    def wait(self, now: float) -> float:
        """Seconds until the next look may be taken; 0.0 when it may be now, and then it counts as taken."""
        left = self.last + self.every - now
        if left > 1e-9:
            return left
        self.last = now
        return 0.0
