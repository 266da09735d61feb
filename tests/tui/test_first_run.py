"""Without a home: a page instead of an error, the demo by one key, nothing left behind."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.tui.support import press, settle, text_of
from workbench.errors import NoHome, Usage
from workbench.home import HomeChoice
from workbench.tui import run
from workbench.tui.first_run import FirstRunApp

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (60, 16)])
def test_the_page_says_what_where_and_why(size: tuple[int, int], tmp_path: Path) -> None:
    async def show() -> str:
        app = FirstRunApp(NoHome(tmp_path / "nowhere", "missing", "HERMES_HOME"))
        async with app.run_test(size=size) as pilot:
            return text_of(pilot)

    shown = asyncio.run(show())
    assert "No agent lives here yet." in shown
    assert "enter look around in the demo" in shown
    assert "q quit" in shown
    if size[1] >= 24:
        flat = "".join(shown.replace("│", "").split())
        assert f"{tmp_path}/nowhere".replace(" ", "") in flat
        assert "HERMES_HOME says so" in " ".join(shown.replace("│", "").split())
        assert "memories/MEMORY.md" in shown


@pytest.mark.parametrize(
    ("why", "said"), [("not_a_folder", "that is a file"), ("no_permission", "may not read it"), ("missing", "no such")]
)
def test_each_reason_has_its_sentence(why: str, said: str) -> None:
    async def show() -> str:
        async with FirstRunApp(NoHome(Path("/x\x1b[31m"), why, "--home")).run_test(size=(120, 36)) as pilot:
            return text_of(pilot)

    shown = asyncio.run(show())
    assert said in shown
    assert "\x1b" not in shown


def test_enter_makes_the_demo_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    async def act() -> FirstRunApp:
        app = FirstRunApp(NoHome(tmp_path / "nowhere", "missing"))
        async with app.run_test() as pilot:
            await pilot.press("enter", "enter")
            await settle(pilot)
        return app

    app = asyncio.run(act())
    assert app.made is not None
    assert (app.made / "memories" / "MEMORY.md").is_file()
    assert [app.folder] == list(tmp_path.iterdir())


def test_a_demo_that_cannot_be_made_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))

    async def act() -> None:
        app = FirstRunApp(NoHome(tmp_path / "nowhere", "missing"))
        async with app.run_test(size=(120, 40)) as pilot:
            await press(pilot, "enter")
            assert "could not be written" in " ".join(text_of(pilot).replace("│", " ").split())
            await press(pilot, "q")
        assert app.made is None

    asyncio.run(act())


def test_where_nobody_looks_it_stays_an_error(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(NoHome):
        run(HomeChoice(gone, gone, "default", "--home"))


def test_a_screen_that_nobody_could_press_a_key_in_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memories").mkdir()
    choice = HomeChoice(tmp_path, tmp_path, "default", "--home")
    with (tmp_path / "nothing").open("w+") as nothing:
        for stdin in (nothing, None):
            monkeypatch.setattr("sys.stdin", stdin)
            with pytest.raises(Usage, match="needs a terminal"):
                run(choice)


def test_the_whole_way_in_a_terminal(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "TERM": "xterm-256color", "TMPDIR": str(temporary), "COLUMNS": "100", "LINES": "34"}
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench", "--home", str(tmp_path / "gone")],
        stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=ROOT, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    try:
        _read_until(master, b"No agent lives here yet")
        os.write(master, b"\r")
        _read_until(master, b"chars left")
        assert list(temporary.iterdir()), "the demo lies there while it is looked at"
        os.write(master, b"q")
        _drain(master, process)
        assert process.wait(timeout=10) == 0
    finally:
        process.kill()
        process.wait()
        os.close(master)
    assert not list(temporary.iterdir())
    assert not (tmp_path / "gone").exists()


def _read_until(handle: int, wanted: bytes) -> None:
    seen, deadline = b"", time.monotonic() + 20
    while wanted not in seen:
        ready, _, _ = select.select([handle], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"{wanted!r} was never painted; saw {seen[-600:]!r}"
        seen += os.read(handle, 65536)


def _drain(handle: int, process: subprocess.Popen[bytes]) -> None:
    """Read what is still painted, or the process could not end."""
    deadline = time.monotonic() + 10
    while process.poll() is None and time.monotonic() < deadline:
        if select.select([handle], [], [], 0.05)[0]:
            try:
                os.read(handle, 65536)
            except OSError:
                return
