"""Beside a running agent: what changes outside is recorded at once, shown soon, and costs nobody place or text."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.message import Message

from tests.sessions.databases import Made
from tests.tui.support import Screen, entries, home_with, memory, press, settle, text_of, toasts, until
from tests.tui.talk_home import START, home_with_talks, long_talk, rest, sessions, shows
from workbench.files import replace_file
from workbench.home import HomeChoice
from workbench.memory import Add
from workbench.tui import unsaved
from workbench.tui.acting import Acting
from workbench.tui.alive import AliveFace
from workbench.tui.app import WorkbenchApp
from workbench.tui.live import Live, News
from workbench.tui.news import WatchState
from workbench.tui.parts.dialogs import ConflictDialog
from workbench.tui.screens import sessions_live
from workbench.tui.screens.editor import EditorScreen
from workbench.watch import observers
from workbench.workspace import Workspace


@contextlib.asynccontextmanager
async def alive(
    home: Path, *, read_only: bool = False, size: tuple[int, int] = (120, 36), theme: str | None = None
) -> AsyncIterator[Screen]:
    """The app with its watcher begun."""
    workspace = Workspace.open(HomeChoice(home, home, "default", "default home"), read_only=read_only)
    try:
        app = WorkbenchApp(workspace, theme=theme, watch=True)
        app.settled_seconds = 0.01
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: " live" in text_of(pilot).splitlines()[0])
            await settle(pilot)
            yield pilot
    finally:
        workspace.close()


def live(pilot: Screen) -> Live:
    app = pilot.app
    assert isinstance(app, AliveFace)
    assert app.live is not None
    return app.live


def write(home: Path, texts: list[str], name: str = "MEMORY.md") -> None:
    """As the client does: another file in its place."""
    replace_file(home / "memories" / name, "\n§\n".join(texts).encode())


def test_an_outside_change_is_shown_said_and_recorded(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one about docker", "two", "three"])

    async def run() -> None:
        async with alive(home) as pilot:
            assert " live" in text_of(pilot).splitlines()[0]
            await press(pilot, "j", "j")
            cursor = memory(pilot).list.cursor_id
            write(home, ["new first", "one about docker and podman", "three"])
            await until(pilot, lambda: "new first" in text_of(pilot))
            assert toasts(pilot) == ["MEMORY.md changed outside (client-shaped): +1 −1 ~1"]
            assert memory(pilot).list.cursor_id == cursor
            newest = memory(pilot).workspace.history.changes(1)[0]
            assert (newest.actor, newest.hint) == ("outside", "client-shaped")

    asyncio.run(run())


def test_a_file_that_is_gone_is_told_when_it_stays_away_and_what_it_held_lies_beside_it(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one", "two"])
    path = home / "memories" / "MEMORY.md"
    before = path.read_bytes()

    async def run() -> None:
        async with alive(home) as pilot:
            path.unlink()
            path.write_bytes(b"one\n\xc2\xa7\ntwo, edited\n")  # an editor
            await until(pilot, lambda: "two, edited" in text_of(pilot))
            await until(pilot, lambda: [one.read_bytes() for one in path.parent.glob("*.bak.*")] == [before])
            assert not [said for said in toasts(pilot) if "gone" in said]
            path.unlink()
            await until(pilot, lambda: any("MEMORY.md is gone; = in its pane" in said for said in toasts(pilot)))
            await until(pilot, lambda: "MEMORY.md is gone; it held 2 entries." in text_of(pilot))
            await press(pilot, "equals_sign")
            assert entries(home) == ["one", "two, edited\n"]

    asyncio.run(run())


def test_a_write_of_our_own_is_no_news(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one", "two"])

    async def run() -> None:
        async with alive(home) as pilot:
            await press(pilot, "d", "enter")
            await until(pilot, lambda: live(pilot)._seen["memory"].texts == ("two",))
            await pilot.pause(0.7)
            assert not [said for said in toasts(pilot) if "outside" in said]

    asyncio.run(run())


def test_every_version_of_a_burst_is_kept_and_told_once(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])

    async def run() -> None:
        async with alive(home) as pilot:
            for number in range(20):
                write(home, ["one", f"fact {number}"])
                await pilot.pause(0.02)
            await until(pilot, lambda: "fact 19" in text_of(pilot))
            await settle(pilot)
            assert 1 <= len([said for said in toasts(pilot) if "outside" in said]) <= 5
            path = home / "memories" / "MEMORY.md"
            assert len(memory(pilot).workspace.history.versions(path)) >= 15

    asyncio.run(run())


def test_pause_holds_back_the_screen_but_not_the_history(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])

    async def run() -> None:
        async with alive(home) as pilot:
            await press(pilot, "p")
            assert "paused" in text_of(pilot).splitlines()[0]
            assert toasts(pilot) == ["Everything is still recorded; p shows what has come."]
            write(home, ["one", "two"])
            await until(pilot, lambda: "1 change waiting" in text_of(pilot))
            assert len(memory(pilot).workspace.history.changes()) == 2
            write(home, ["one", "two", "three"])
            await until(pilot, lambda: "2 changes waiting" in text_of(pilot))
            await pilot.pause(0.6)
            assert "three" not in text_of(pilot)
            await press(pilot, "p")
            await until(pilot, lambda: "three" in text_of(pilot))
            assert toasts(pilot)[1:] == ["MEMORY.md changed outside (client-shaped): +2"]

    asyncio.run(run())


def test_an_open_editor_survives_and_goes_on_with_the_new_store(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one", "two"])

    async def run() -> None:
        async with alive(home) as pilot:
            await press(pilot, "e", *" more")
            write(home, ["zero", "one", "two"])
            await until(pilot, lambda: bool(toasts(pilot)))
            screen = pilot.app.screen
            assert isinstance(screen, EditorScreen)
            assert screen.text_area.value == "one more"
            await until(pilot, lambda: len(screen.store.document.texts) == 3)
            await press(pilot, "ctrl+s")
            assert entries(home) == ["zero", "one more", "two"]

    asyncio.run(run())


def test_a_conflict_is_shown_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one is the first fact", "two"])

    async def run() -> None:
        async with alive(home) as pilot:
            await press(pilot, "e", *" of mine")
            write(home, ["one is the first fact of the agent", "two"])
            await until(pilot, lambda: isinstance(pilot.app.screen, ConflictDialog))
            await until(pilot, lambda: "fact of the agent" in text_of(pilot))
            for number in range(20):
                write(home, ["one is the first fact of the agent", "two", f"number {number}"])
            await pilot.pause(0.5)
            assert isinstance(pilot.app.screen, ConflictDialog)
            await press(pilot, "i")
            assert entries(home)[-1] == "one is the first fact of mine"
            assert "one is the first fact of the agent" in entries(home)

    asyncio.run(run())


def test_a_conflict_waits_for_the_question_that_stands_before_it(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one is the first fact", "two"])

    async def run() -> None:
        async with alive(home) as pilot:
            await press(pilot, "e", *" of mine")
            await press(pilot, "escape")
            assert "unsaved text" in text_of(pilot)
            write(home, ["one is the first fact of the agent", "two"])
            await until(pilot, lambda: bool(toasts(pilot)))
            assert "unsaved text" in text_of(pilot)
            await press(pilot, "escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, ConflictDialog))
            await press(pilot, "escape")
            (home / "memories" / "MEMORY.md").write_bytes(b"caf\xe9")
            await until(pilot, lambda: "cannot be saved: " in text_of(pilot) and "not UTF-8" in text_of(pilot))
            screen = pilot.app.screen
            assert isinstance(screen, EditorScreen) and screen.text_area.value == "one is the first fact of mine"

    asyncio.run(run())


def test_an_entry_that_changes_while_it_is_being_cut_is_a_conflict_at_once(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["- one\n- two\n- three", "other"])

    async def run() -> None:
        async with alive(home) as pilot:
            await press(pilot, "s")
            write(home, ["- one\n- two\n- three", "other", "more"])
            await until(pilot, lambda: bool(toasts(pilot)))
            assert not isinstance(pilot.app.screen, ConflictDialog), "another entry is none of its business"
            write(home, ["- one\n- two\n- three and four", "other", "more"])
            await until(pilot, lambda: isinstance(pilot.app.screen, ConflictDialog))
            await press(pilot, "o")
            assert "please confirm" in text_of(pilot), "their words would be lost"
            await press(pilot, "enter")
            assert entries(home) == ["- one", "- two", "- three", "other", "more"]

    asyncio.run(run())


def test_changed_limits_and_switches_are_in_force_at_once(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])

    async def run() -> None:
        async with alive(home) as pilot:
            (home / "config.yaml").write_text("memory:\n  memory_char_limit: 5000\n  user_profile_enabled: false\n")
            await until(pilot, lambda: "switched off: USER.md" in text_of(pilot))
            assert "5,000" in text_of(pilot)

    asyncio.run(run())


@pytest.mark.parametrize("theme", ["dark", "ansi"])
def test_a_home_that_goes_and_returns(tmp_path: Path, theme: str) -> None:
    home = home_with(tmp_path, ["one", "two"])

    async def run() -> None:
        async with alive(home, theme=theme) as pilot:
            home.rename(tmp_path / "elsewhere")
            await until(pilot, lambda: "is gone: deleted, renamed or unmounted" in text_of(pilot))
            assert "one" in text_of(pilot)
            assert "home gone" in text_of(pilot).splitlines()[0]
            await press(pilot, "j", "question_mark", "escape")
            assert "two" in text_of(pilot), "what was known stays"
            assert not home.exists(), "looking makes no home"
            (tmp_path / "elsewhere").rename(home)
            await until(pilot, lambda: "is gone" not in text_of(pilot))
            write(home, ["one", "two", "three"])
            await until(pilot, lambda: "three" in text_of(pilot))

    asyncio.run(run())


def test_read_only_follows_without_recording(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])

    async def run() -> None:
        async with alive(home, read_only=True) as pilot:
            write(home, ["one", "two"])
            await until(pilot, lambda: toasts(pilot) == ["MEMORY.md changed outside: +1"])
            assert not (home / "workbench").exists()

    asyncio.run(run())


def test_polling_is_said_with_its_reason(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])

    async def run() -> None:
        workspace = Workspace.open(HomeChoice(home, home, "default", "default home"))
        app = WorkbenchApp(workspace, watch=True)
        app.polling = True
        async with app.run_test(size=(120, 36)) as pilot:
            await until(pilot, lambda: "polling: asked for" in text_of(pilot).splitlines()[0])
            write(home, ["one", "two"])
            await until(pilot, lambda: bool(toasts(pilot)))
            assert toasts(pilot) == ["MEMORY.md changed outside (client-shaped): +1"]
        workspace.close()

    asyncio.run(run())


def test_when_there_are_watches_again_the_header_says_so_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, real, left = home_with(tmp_path, ["one"]), observers.observe, threading.Event()

    def observe(heard: observers.Heard, lost: observers.Lost) -> observers.Observer:
        if left.is_set():
            return real(heard, lost)
        raise OSError(errno.ENOSPC, "no watches left")

    monkeypatch.setattr(observers, "observe", observe)
    monkeypatch.setattr("workbench.watch.watcher.AGAIN_SECONDS", 0.0)
    workspace = Workspace.open(HomeChoice(home, home, "default", "default home"))
    told: queue.SimpleQueue[str] = queue.SimpleQueue()

    def tell(message: Message) -> None:
        if isinstance(message, WatchState):
            told.put(following.note()[0])

    following = Live(workspace, tell)
    following.start()
    try:
        assert told.get(timeout=10) == "polling: no watches left"
        left.set()
        assert told.get(timeout=10) == "live"
    finally:
        following.stop()
        workspace.close()


# -- settings and themes, while open ------------------------------------------------------------------------------


def test_what_the_agent_says_appears_by_itself_and_waits_while_paused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without the events of the files nobody would look again in the time of a test.
    monkeypatch.setattr(sessions_live, "POLL_SECONDS", 1_000.0)
    monkeypatch.setattr(sessions_live, "LOOK_SECONDS", 0.001)
    home = home_with_talks(tmp_path, long_talk)
    made = Made.__new__(Made)
    made.path, made.shape, made.new = home / "state.db", "inline-22", True

    async def run() -> None:
        async with alive(home) as pilot:
            await press(pilot, "3")
            await rest(pilot)
            await press(pilot, "tab")
            made.say("long", "first news", "assistant", timestamp=START + 500)
            await until(pilot, lambda: shows(pilot, "first news"))
            await press(pilot, "p")
            made.say("long", "second news", "assistant", timestamp=START + 501)
            await until(pilot, lambda: "sessions" in live(pilot)._kinds)
            sessions(pilot).database_written()
            await rest(pilot)
            assert not shows(pilot, "second news")
            await press(pilot, "p")
            await until(pilot, lambda: shows(pilot, "second news"))

    asyncio.run(run())


def test_settings_and_themes_are_reloaded_and_a_bad_one_changes_nothing(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])
    folder = home / "workbench" / "themes"
    folder.mkdir(parents=True)

    async def run() -> None:
        async with alive(home) as pilot:
            (home / "workbench" / "settings.yaml").write_text("theme: light\nkeys: {memory.delete: f8}\n")
            await until(pilot, lambda: pilot.app.theme == "light")
            assert "F8 delete" in text_of(pilot)
            (folder / "mine.yaml").write_text("name: mine\ncolours: {primary: '#123456'}\n")
            (home / "workbench" / "settings.yaml").write_text("theme: mine\n")
            await until(pilot, lambda: pilot.app.theme == "mine")
            await until(pilot, lambda: "d delete" in text_of(pilot))
            (folder / "mine.yaml").write_text("name: mine\ncolours: {primary: '#336699'}\n")
            await until(pilot, lambda: pilot.app.theme_variables["primary"].lower() == "#336699")
            (folder / "mine.yaml").write_text("name: mine\ncolours: {primry: '#ffffff'}\n")
            await until(pilot, lambda: any("mine.yaml: colours.primry is unknown" in said for said in toasts(pilot)))
            assert any("Did you mean “primary”?" in said for said in toasts(pilot))
            assert pilot.app.theme_variables["primary"].lower() == "#336699"

    asyncio.run(run())


# -- a terminal that goes away ------------------------------------------------------------------------------------


def test_a_kept_text_comes_back_exactly(tmp_path: Path) -> None:
    home = home_with(tmp_path)
    texts = ["plain", "", "line\n\nline\n", "store: user\n\n§", "\ud800 \x1b[31m"]
    for text in texts:
        path = unsaved.keep(home, unsaved.Draft.of("memory", text, "before"))
        assert path is not None
        assert path.stat().st_mode & 0o777 == 0o600
    (home / "workbench" / "unsaved-of-somebody-else.txt").write_text("not ours")
    kept = unsaved.found(home)
    assert sorted(one.draft.text for one in kept) == sorted(texts)
    for one in kept:
        unsaved.drop(one)
    assert [path.name for path in (home / "workbench").iterdir()] == ["unsaved-of-somebody-else.txt"]


def test_a_new_entry_is_kept_without_one_it_replaces(tmp_path: Path) -> None:
    home = home_with(tmp_path)
    unsaved.keep(home, unsaved.Draft.of("user", "text", None))
    (kept,) = unsaved.found(home)
    assert kept.draft == unsaved.Draft("user", "text", "")


def test_where_nothing_can_be_kept_nothing_is_raised(tmp_path: Path) -> None:
    assert unsaved.keep(tmp_path / "gone", unsaved.Draft("memory", "text")) is None


def test_the_text_is_offered_at_the_next_start_and_can_be_gone_on_with(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one", "two"])
    unsaved.keep(home, unsaved.Draft.of("memory", "two, but better", "two"))

    async def run() -> None:
        async with alive(home) as pilot:
            await until(pilot, lambda: "unsaved text" in text_of(pilot))
            assert "two, but better" in text_of(pilot)
            await press(pilot, "escape")
            assert unsaved.found(home), "later means later"
        async with alive(home) as pilot:
            await until(pilot, lambda: "unsaved text" in text_of(pilot))
            await press(pilot, "enter", "ctrl+s")
            assert entries(home) == ["one", "two, but better"]
            assert not unsaved.found(home)

    asyncio.run(run())


def test_the_text_can_be_thrown_away(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])
    unsaved.keep(home, unsaved.Draft.of("memory", "a draft", None))

    async def run() -> None:
        async with alive(home) as pilot:
            await until(pilot, lambda: "unsaved text" in text_of(pilot))
            await press(pilot, "d")
            assert not unsaved.found(home)
            assert entries(home) == ["one"]

    asyncio.run(run())


def test_a_failure_of_our_own_keeps_the_text(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])

    async def run() -> None:
        async with alive(home) as pilot:
            await press(pilot, "e", *" more")
            app = pilot.app
            assert isinstance(app, AliveFace)
            assert app.keep_drafts() == 1
            assert [kept.draft.text for kept in unsaved.found(home)] == ["one more"]

    asyncio.run(run())


@pytest.mark.parametrize("how", ["hangup", "closed", "closed unheard"])
def test_a_closed_terminal_loses_no_text(tmp_path: Path, how: str) -> None:
    import pty

    home = home_with(tmp_path, ["one"])
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench", "--home", str(home)],
        stdin=slave, stdout=slave, stderr=slave, env=environment,
        preexec_fn=os.setsid if how == "closed unheard" else _own_terminal,
        cwd=Path(__file__).parent.parent.parent,
    )  # fmt: skip
    os.close(slave)
    try:
        _read_until(master, b"live")
        os.write(master, b"e")
        _read_until(master, b"entry of")
        os.write(master, b" and more")
        _read_until_quiet(master)
        if how == "hangup":
            process.send_signal(signal.SIGHUP)
        else:
            os.close(master)
        assert process.wait(timeout=10) != 0
    finally:
        process.kill()
        process.wait()
        if how == "hangup":
            os.close(master)
    assert [kept.draft.text for kept in unsaved.found(home)] == ["one and more"]
    assert entries(home) == ["one"]
    shutil.rmtree(home)


def _own_terminal() -> None:
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _read_until_quiet(handle: int) -> None:
    """Read until nothing comes any more; a blinking cursor never ends, so for two seconds at most."""
    import select

    deadline = time.monotonic() + 2
    while time.monotonic() < deadline and select.select([handle], [], [], 0.4)[0]:
        os.read(handle, 65536)


def _read_until(handle: int, wanted: bytes) -> None:
    import select

    seen, deadline = b"", time.monotonic() + 15
    while wanted not in seen:
        ready, _, _ = select.select([handle], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"{wanted!r} was never painted; saw {seen[-600:]!r}"
        seen += os.read(handle, 65536)


def test_another_workbench_on_the_same_home_is_named_and_our_own_writes_are_not(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one", "two"])

    async def run() -> None:
        async with alive(home) as pilot:
            other = Workspace.open(HomeChoice(home, home, "default", "default home"))
            try:
                other.write(Add("memory", "from the other window"))
            finally:
                other.close()
            await until(pilot, lambda: "from the other window" in text_of(pilot) and bool(toasts(pilot)))
            assert toasts(pilot) == ["Another workbench changed MEMORY.md: +1"]
            await press(pilot, "d", "enter")
            await until(pilot, lambda: len(entries(home)) == 2)
            write(home, ["two"], "USER.md")  # what comes after it is told, so the deletion would have been
            await until(pilot, lambda: any("USER.md" in said for said in toasts(pilot)))
            assert not [said for said in toasts(pilot) if "MEMORY.md" in said]

    asyncio.run(run())


def test_news_go_to_screens_that_have_contents() -> None:
    """One that is being taken down has nothing left to ask, and must not end the program."""
    told: list[bool] = []

    class Told(Acting[None]):
        children = ()

        def outside(self, news: News) -> None:
            told.append(bool(self.children))

    class Full(Told):
        children = ("something",)  # type: ignore[assignment]

    news: Any = None
    app: Any = SimpleNamespace(screen_stack=[Told.__new__(Told), Full.__new__(Full)])
    AliveFace._tell_screens(app, news)
    assert told == [True]
