"""Palette, first run, kept text, a home that is gone, plain signs: as agreed.

`WORKBENCH_UPDATE_GOLDEN=1 pytest tests/tui/test_golden_live.py` writes them anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.tui.goldens import agreed, same_everywhere
from tests.tui.support import NOW, Screen, press, real_home, running, settle, text_of
from workbench.errors import NoHome
from workbench.tui.alive import AliveFace
from workbench.tui.first_run import FirstRunApp
from workbench.tui.screens.unsaved import UnsavedDialog
from workbench.tui.unsaved import Draft, Kept

Shot = Callable[[Screen], Awaitable[None]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    same_everywhere(tmp_path, monkeypatch)
    return real_home(tmp_path).rename(tmp_path / ".hermes")


def face(pilot: Screen) -> AliveFace:
    app = pilot.app
    assert isinstance(app, AliveFace)
    return app


async def palette(pilot: Screen) -> None:
    await press(pilot, "ctrl+p", *"theme", "down")


async def kept(pilot: Screen) -> None:
    draft = Kept(Path("unsaved-1-1.txt"), Draft("memory", "Staging listens on port 2222,\nnot 22", "abc"), NOW)
    pilot.app.push_screen(UnsavedDialog(draft, "3 hours ago"))
    await settle(pilot)


async def gone(pilot: Screen) -> None:
    face(pilot).home_lost()
    await settle(pilot)


async def nothing(pilot: Screen) -> None:
    await settle(pilot)


@pytest.mark.parametrize(
    ("name", "size", "act", "settings"),
    [
        ("palette-80x24", (80, 24), palette, ""),
        ("palette-120x36", (120, 36), palette, ""),
        ("unsaved-80x24", (80, 24), kept, ""),
        ("gone-80x24", (80, 24), gone, ""),
        ("gone-120x36", (120, 36), gone, ""),
        ("ascii-80x24", (80, 24), nothing, "glyphs: ascii\n"),
        ("ascii-120x36", (120, 36), nothing, "glyphs: ascii\n"),
    ],
)
def test_screen_looks_as_agreed(name: str, size: tuple[int, int], act: Shot, settings: str, home: Path) -> None:
    if settings:
        (home / "workbench").mkdir()
        (home / "workbench" / "settings.yaml").write_text(settings)

    async def run() -> str:
        async with running(home, size) as pilot:
            await act(pilot)
            return text_of(pilot)

    agreed(name, asyncio.run(run()), size[0])


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
def test_first_run_looks_as_agreed(size: tuple[int, int], home: Path) -> None:
    async def run() -> str:
        app = FirstRunApp(NoHome(home.parent / "elsewhere", "missing", "HERMES_HOME"))
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            return text_of(pilot)

    agreed(f"first-run-{size[0]}x{size[1]}", asyncio.run(run()), size[0])
