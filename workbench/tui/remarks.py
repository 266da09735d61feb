"""What is worth a word about a change somebody else made, besides how many entries it touched."""

from __future__ import annotations

from workbench.memory import Document
from workbench.tui.keymap import shown

# What is written in one go beyond this is judged by the alerts, not by the sentence that is said in passing.
MOST_TEXTS, MOST_CHARS = 50, 100_000


def joined(before: Document, after: Document) -> tuple[str, int] | None:
    """The last entry and the character at which something was put to its end; None when that is not what happened.

    That is what becomes of a line appended to the file without a line of § before it.
    """
    old, new = before.texts, after.texts
    if not old or len(old) != len(new) or old[:-1] != new[:-1] or not new[-1].startswith(old[-1]):
        return None
    rest = new[-1][len(old[-1]) :]
    return (new[-1], len(new[-1]) - len(rest.lstrip())) if rest else None


def remark(before: Document, after: Document) -> str:
    """What the change brings that is easily overlooked, with the key that helps; "" when there is nothing to say."""
    if joined(before, after) is not None:
        at = f"no § line stands before it; {shown('memory.split')} cuts it there if it is another one"
        return f"it continues the last entry, {at}"
    held = len(before.texts)
    if held > 1 and not after.entries:
        return (
            f"it is empty now; {shown('memory.normalise')} in its pane of the Memory area puts back the {held} entries"
        )
    known = set(before.texts)
    added = [text for text in after.texts if text not in known and len(text) <= MOST_CHARS][:MOST_TEXTS]
    refused = _refused(added)
    if refused:
        which = "it" if len(added) == 1 else f"{refused} of them"
        return f"the agent's scanner refuses {which}; {shown('app.area_alerts')} shows why"
    return ""


def _refused(texts: list[str]) -> int:
    """How many of the texts the client would not put into a prompt."""
    from workbench.threats.scan import harmless, scan

    plain = harmless(texts)
    return sum(
        any(finding.level == "blocks" for finding in scan(text, advisories=False))
        for text in texts
        if text not in plain
    )
