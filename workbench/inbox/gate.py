"""The approval gates: whether the agent asks before it writes memory or skills."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.errors import BadConfig, Usage
from workbench.history import Committed, History, Images, Intent
from workbench.home.edit import edit


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
        try:
            text = (images[path] or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadConfig(f"it is not UTF-8 at byte {error.start}") from error
        changed = edit(text, GATES[subsystem].key, on)
        return {path: images[path] if changed == text else changed.encode("utf-8")}

    word = "on" if on else "off"
    return history.commit([path], compute, Intent(f"approval of {subsystem} {word}"), allow_link=follow)
