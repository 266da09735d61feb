"""The options of `workbench memory suggest, plan, removed, draft`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.cli.parser import Parser

ACTIONS = ("suggest", "plan", "removed", "draft")
KINDS = (
    "same", "contained", "reworded", "contradiction", "belongs", "in_skill", "shorter", "empty", "time_bound", "copied",
)  # fmt: skip
_TARGETS = ("memory", "user")


def add(action: Callable[..., Parser], number: Callable[[str], int]) -> None:
    """Give the verb its actions that make room; `action(name, help, writes=)` makes one."""
    suggest = action(
        "suggest", "What could make room, with the reason and what it frees; nothing is applied.", writes=False
    )
    suggest.add_argument("target", metavar="TARGET", choices=_TARGETS, nargs="?", help="memory or user; both without")
    suggest.add_argument("--kind", choices=KINDS, action="append", help="only this kind; may be given more than once")
    suggest.add_argument("--all", action="store_true", help="also what looks time-bound or stands in another profile")
    suggest.add_argument("--dismiss", metavar="ID", help="do not offer this one again while its texts stay as they are")
    plan = action("plan", "The cheapest steps, by information lost, that free characters or get under a mark.")
    plan.add_argument("target", metavar="TARGET", choices=_TARGETS, nargs="?", default="memory", help="default: memory")
    goal = plan.add_mutually_exclusive_group(required=True)
    goal.add_argument("--free", type=number, metavar="N", help="free N characters")
    goal.add_argument("--under", type=number, metavar="P", help="get under P percent of the limit")
    plan.add_argument("--all", action="store_true", help="steps of every kind, those that lose a whole entry too")
    plan.add_argument("--apply", action="store_true", help="write all steps as one change")
    removed = action("removed", "Entries that vanished lately, with when and by whom; put one back.")
    removed.add_argument("target", metavar="TARGET", choices=_TARGETS, nargs="?", help="memory or user; both without")
    removed.add_argument("--days", type=number, default=90, metavar="N", help="how far to look back (default 90)")
    removed.add_argument("--put-back", metavar="ID", help="put this one back to its place")
    draft = action("draft", "Drafts begun on the screen: list them, show, apply or drop one.")
    draft.add_argument(
        "what", metavar="WHAT", choices=("list", "show", "apply", "drop"), help="list, show, apply or drop"
    )
    draft.add_argument("number", metavar="DRAFT", type=number, nargs="?", help="its number; the newest one without")
