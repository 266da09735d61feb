"""Making room: suggestions, plans, drafts and what vanished lately. Plain functions, no model, no network.

Nothing in this room is applied by itself: a suggestion is an operation that somebody may take.
"""

from __future__ import annotations
