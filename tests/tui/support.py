"""Running the full screen on a real home, with the keyboard as the only way in."""

from __future__ import annotations

import contextlib
import tarfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from workbench.home import HomeChoice
from workbench.tui.app import WorkbenchApp
from workbench.tui.screens.memory import MemoryScreen
from workbench.workspace import Workspace

NOW = 1_790_000_000.0
HOMES = Path(__file__).parent.parent / "homes"

Screen = Pilot[None]


def real_home(folder: Path) -> Path:
    """A copy of the home that client 0.19 wrote."""
    with tarfile.open(HOMES / "hermes-0.19.0.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "hermes-0.19.0"


def home_with(
    folder: Path, memory: list[str] | bytes | None = None, user: list[str] | bytes | None = None, config: str = ""
) -> Path:
    """A home with these entries, or these very bytes; None leaves the file out."""
    home = folder / "home"
    (home / "memories").mkdir(parents=True)
    for name, given in (("MEMORY.md", memory), ("USER.md", user)):
        if given is not None:
            data = given if isinstance(given, bytes) else "\n§\n".join(given).encode()
            (home / "memories" / name).write_bytes(data)
    if config:
        (home / "config.yaml").write_text(config, encoding="utf-8")
    return home


@contextlib.asynccontextmanager
async def running(
    home: Path,
    size: tuple[int, int] = (120, 36),
    *,
    read_only: bool = False,
    theme: str | None = None,
    drawn_toasts: bool = False,
) -> AsyncIterator[Screen]:
    """The app on a home, settled; what is said in passing is only drawn with `drawn_toasts`."""
    choice = HomeChoice(home, home, "default", "default home")
    workspace = Workspace.open(choice, read_only=read_only, clock=lambda: NOW)
    try:
        app = WorkbenchApp(workspace, theme=theme, now=NOW)
        async with app.run_test(size=size, notifications=drawn_toasts) as pilot:
            await settle(pilot)
            yield pilot
    finally:
        workspace.close()


async def settle(pilot: Screen) -> None:
    """Wait until no worker runs and their messages are handled."""
    quiet = 0
    while quiet < 4:
        quiet = 0 if any(not worker.is_finished for worker in pilot.app.workers) else quiet + 1
        with contextlib.suppress(WorkerCancelled):  # a newer request has taken its place, which is waited for next
            await pilot.app.workers.wait_for_complete()
        await pilot.pause(0)


async def press(pilot: Screen, *keys: str) -> None:
    """Press keys and settle."""
    await pilot.press(*keys)
    await settle(pilot)


async def until(pilot: Screen, condition: Callable[[], bool]) -> None:
    """Wait for something that follows a timer; fails when it does not come."""
    for _ in range(500):
        if condition():
            return
        await pilot.pause(0.01)
    raise AssertionError("it never happened; the screen shows\n" + text_of(pilot))


def memory(pilot: Screen) -> MemoryScreen:
    """The Memory area, also below a dialog."""
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, MemoryScreen)
    return screen


def text_of(pilot: Screen) -> str:
    """The screen as text, one line a row, without blanks at the ends."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"


def toasts(pilot: Screen) -> list[str]:
    """What has been said in passing, the newest last."""
    return [notification.message for notification in pilot.app._notifications]


def entries(home: Path, name: str = "MEMORY.md") -> list[str]:
    """What the file holds now."""
    text = (home / "memories" / name).read_text(encoding="utf-8")
    return text.split("\n§\n") if text else []
