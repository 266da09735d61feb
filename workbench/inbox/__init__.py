"""Pending writes: what waits in `pending/memory` and `pending/skills`."""

from workbench.inbox.queue import Waiting, waiting

__all__ = ["Waiting", "waiting"]
