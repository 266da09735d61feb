"""A home with a past: what its owner, the agent and others did to it over three days."""

from __future__ import annotations

from pathlib import Path

from tests.tui.support import NOW, home_with
from workbench.home import HomeChoice
from workbench.memory import Add, Exact, Move, Remove, Replace
from workbench.workspace import Workspace

DAY = 86_400.0
LEDGER = "Project ~/code/ledger is a Rust 1.83 workspace: axum + sqlx, tests run with cargo nextest"
SUDO = "Do not use sudo for docker on this machine"
OLD_HOST = "Staging host 10.0.1.50 listens for SSH on port 2222"
NEW_HOST = "Staging host 10.0.1.50 listens for SSH on port 2200 since the move to the new rack"
BUILD = "The build machine runs Debian 12; the cache key is the lock file"
REPORT = "Weekly report goes out on Friday at 15:00"
FLUENT = "Fluent in Rust and Python; Go is new"


def home_with_past(folder: Path) -> Path:
    """Changes 1 and 2: first sight; 3 adds, 4 replaces, 5 removes, 6 is from outside, 7 moves, 8 undoes 7, 9 adds."""
    home = home_with(folder, [LEDGER, SUDO, OLD_HOST], ["Name: Robin Vale; timezone Europe/Lisbon"])
    at = [NOW - 2 * DAY]
    workspace = Workspace.open(HomeChoice(home, home, "default", "default home"), clock=lambda: at[0])
    try:
        workspace.observe()
        at[0] += 4_000
        workspace.write(Add("memory", BUILD))
        at[0] += DAY / 2
        workspace.write(Replace("memory", Exact(OLD_HOST), NEW_HOST))
        at[0] += 3_000
        workspace.write(Remove("memory", Exact(SUDO)))
        at[0] += DAY / 4
        user = home / "memories" / "USER.md"
        user.write_bytes(user.read_bytes() + f"\n§\n{FLUENT}".encode())
        workspace.observe()
        at[0] = NOW - 7_000
        workspace.write(Move("memory", Exact(BUILD), "user"))
        at[0] += 300
        workspace.undo()
        at[0] += 60
        workspace.write(Add("memory", REPORT))
    finally:
        workspace.close()
    return home
