"""What the scanners say of a text, remembered by the text: scanning is what alerts cost."""

from __future__ import annotations

import threading
from collections import OrderedDict

from workbench.threats import Finding, scan
from workbench.threats.own import OwnPatterns

_KEPT = 600
# A text beyond this is not kept: it is scanned in a moment and would hold megabytes.
_LONGEST_KEPT = 100_000


class Opinions:
    """Findings by text. Safe to use from several threads; a scan runs outside the lock."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str, OwnPatterns], tuple[Finding, ...]] = OrderedDict()
        self._mutex = threading.Lock()

    def of(self, text: str, target: str, own: OwnPatterns) -> tuple[Finding, ...]:
        """What the client's scanner, the second opinion and the owner's patterns say of an entry of a store."""
        key = (text, target, own)
        with self._mutex:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
                return known
        found = (*scan(text, "strict"), *own.find(text, target))
        if len(text) <= _LONGEST_KEPT:
            with self._mutex:
                self._known[key] = found
                while len(self._known) > _KEPT:
                    self._known.popitem(last=False)
        return found
