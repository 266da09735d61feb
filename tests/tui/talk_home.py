"""Homes for the Sessions area: those of real clients, and one made message by message."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path

from tests.sessions.databases import Made
from tests.tui.support import HOMES, Screen, press, settle, text_of, until
from workbench.tui.screens.sessions import SessionsScreen

START = 1_789_900_000.0
TOKEN = "ghp_" + "Q7w8E9r0" * 5


def client_home(folder: Path, version: str) -> Path:
    """A copy of the home that a real client wrote."""
    with tarfile.open(HOMES / f"hermes-{version}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder / f"hermes-{version}"


def home_with_talks(folder: Path, make: Callable[[Made], None], shape: str = "inline-22") -> Path:
    """A home whose state.db holds what `make` says."""
    home = folder / "home"
    (home / "memories").mkdir(parents=True)
    made = Made(home / "state.db", shape)
    make(made)
    made.index()
    return home


def long_talk(made: Made) -> None:
    """One conversation of 300 messages with three marked ones, and two short ones."""
    made.session("long", title="A long one", started_at=START, message_count=300)
    for number in range(300):
        word = " marigold" if number in (20, 150, 290) else ""
        role = "assistant" if number % 2 else "user"
        made.say("long", f"message {number}{word}", role, timestamp=START + number)
    for name in ("second", "third"):
        made.session(name, title=f"The {name}", started_at=START - 5_000)
        made.say(name, f"a marigold of the {name}", timestamp=START - 5_000)


def sessions(pilot: Screen) -> SessionsScreen:
    """The Sessions area, also below a dialog."""
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, SessionsScreen)
    return screen


async def rest(pilot: Screen) -> None:
    """Wait until the cursor has rested, the thorough pass has answered and the conversation stands beside the list."""
    screen = sessions(pilot)
    for _ in range(3):  # an answer may move the cursor, which rests again
        await settle(pilot)
        await until(pilot, lambda: screen.quiet)
    await settle(pilot)


async def search(pilot: Screen, text: str, *, typed: bool = False) -> None:
    """Search and go back to the results; `typed`: key by key, each of which costs a test some time."""
    if not isinstance(pilot.app.screen_stack[0], SessionsScreen):
        await press(pilot, "3")
    await press(pilot, "slash")
    sessions(pilot).line.box.value = ""
    if not typed:
        sessions(pilot).line.box.value = text
    for sign in text if typed else "":
        await pilot.press({" ": "space", "-": "minus", ".": "full_stop", '"': "quotation_mark"}.get(sign, sign))
    await rest(pilot)
    await press(pilot, "enter")
    await rest(pilot)


def shows(pilot: Screen, *texts: str) -> bool:
    """Whether all of these stand on the screen."""
    shown = text_of(pilot)
    return all(text in shown for text in texts)
