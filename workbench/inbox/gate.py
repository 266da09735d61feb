"""The approval gates: whether the agent asks before it writes memory or skills."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.errors import BadConfig, Usage
from workbench.files import read_bytes
from workbench.history import Committed, History, Images, Intent
from workbench.home.edit import edit
from workbench.text.difference import compare_lines


@dataclass(frozen=True)
class Gate:
    """One switch of config.yaml: `on` and `off` say what each position means, `since` which client honours it."""

    subsystem: str
    key: str
    on: str
    off: str
    since: str


GATES = {
    "memory": Gate(
        "memory",
        "memory.write_approval",
        "memory writes wait here until somebody decides; in its own terminal the agent asks at once",
        "memory writes are saved at once; agents from 0.22 still queue deletions of their background review",
        "0.19",
    ),
    "skills": Gate(
        "skills",
        "skills.write_approval",
        "every write of a skill waits here until somebody decides",
        "skills are written at once",
        "0.19",
    ),
}


def set_gate(history: History, home: Path, subsystem: str, on: bool, *, follow: bool = False) -> Committed:
    """Switch a gate: the one value in config.yaml changes, every other character stays. One change set.

    Honoured by clients from 0.19; older ones never ask. Raises Usage, BadConfig and the errors of History.commit.
    """
    if subsystem not in GATES:
        raise Usage(f"There is no gate “{subsystem}”; it is memory or skills.")
    path = home / "config.yaml"

    def compute(images: Images) -> Images:
        text, changed = _switched(images[path], subsystem, on)
        return {path: images[path] if changed == text else changed.encode("utf-8")}

    word = "on" if on else "off"
    return history.commit([path], compute, Intent(f"approval of {subsystem} {word}"), allow_link=follow)


def preview_gate(home: Path, subsystem: str, on: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines of config.yaml that `set_gate` would take out and put in. Raises BadConfig, Unreadable."""
    text, changed = _switched(read_bytes(home / "config.yaml"), subsystem, on)
    rows = [row for row in compare_lines(text, changed) if row.kind != "same"]
    gone = ("".join(piece.text for piece in row.left) for row in rows if row.left is not None)
    come = ("".join(piece.text for piece in row.right) for row in rows if row.right is not None)
    return tuple(line for line in gone if line), tuple(line for line in come if line)


def _switched(data: bytes | None, subsystem: str, on: bool) -> tuple[str, str]:
    try:
        text = (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadConfig(f"it is not UTF-8 at byte {error.start}") from error
    return text, edit(text, GATES[subsystem].key, on)
