"""`E`: the user's own editor gets the text, and what comes back passes the same checks as everything else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import tempfile
from pathlib import Path

import pytest

from tests.tui.support import Screen, entries, home_with, memory, press, running, text_of, toasts, until
from workbench.tui.app import WorkbenchApp
from workbench.tui.external import editor_command
from workbench.tui.screens.editor import EditorScreen

TWO = ["Staging host listens on port 2222", "Tests run with make"]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the fake editor; temporary files go there too, so that a test can see what is left of them."""
    folder = tmp_path / "fake editor"
    (folder / "tmp").mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "tmp"))
    monkeypatch.setattr(WorkbenchApp, "suspend", lambda app: contextlib.nullcontext())
    monkeypatch.delenv("VISUAL", raising=False)
    return folder


def script(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Make an editor of some lines of Python; `path` is the file it is given, `note` a file to tell the test by."""
    path = folder / "editor.py"
    note = str(folder / "note")
    path.write_text(
        f"import os, pathlib, sys\npath = pathlib.Path(sys.argv[-1])\nnote = pathlib.Path({note!r})\n{body}\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("EDITOR", f"'{sys.executable}' '{path}' --flag")


def flat(pilot: Screen) -> str:
    return " ".join(text_of(pilot).replace("│", " ").split())


def edited(tmp_path: Path, texts: list[str], *keys: str) -> tuple[list[str], list[str], str]:
    """Press E and then keys: what the file holds, what was said, what is shown."""
    home = home_with(tmp_path, texts, None)
    seen: list[str] = []
    said: list[str] = []

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "E", *keys)
            said.extend(toasts(pilot))
            seen.append(flat(pilot))

    asyncio.run(run())
    return entries(home), said, seen[0]


def test_what_was_changed_is_previewed_then_saved(tmp_path: Path, fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(fake, monkeypatch, "path.write_text(path.read_text().replace('2222', '22'))")
    home = home_with(tmp_path, TWO, None)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "E")
            assert isinstance(pilot.app.screen, EditorScreen) and pilot.app.screen.unsaved
            await until(pilot, lambda: "changes this entry" in flat(pilot))
            assert entries(home) == TWO
            await press(pilot, "ctrl+s")
            assert entries(home) == ["Staging host listens on port 22", TWO[1]]
            await press(pilot, "u")
            assert entries(home) == TWO

    asyncio.run(run())
    assert list((fake / "tmp").iterdir()) == [], "nothing of the text stays behind"


def test_nothing_changed_nothing_happens(tmp_path: Path, fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "note.write_text(f'{path.stat().st_mode & 0o777:o} {path.parent.stat().st_mode & 0o777:o} {sys.argv[1]}')"
    script(fake, monkeypatch, f"{body}\npath.write_text(path.read_text().rstrip() + '\\n\\n')")
    now, said, shown = edited(tmp_path, TWO)
    assert now == TWO and said == [] and "entry of MEMORY.md" not in shown.replace("entry 1 of MEMORY.md", "")
    wanted = "600 700 --flag" if os.name == "posix" else (fake / "note").read_text(encoding="utf-8")
    assert (fake / "note").read_text(encoding="utf-8") == wanted


def test_hostile_text_travels_as_tokens(tmp_path: Path, fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = "before \x1b]52;c;aGk=\x07 \u202eafter\ttab"
    script(fake, monkeypatch, "note.write_bytes(path.read_bytes())\npath.write_bytes(b'new ' + path.read_bytes())")
    now, _, _ = edited(tmp_path, [hostile, "other"], "ctrl+s")
    written = (fake / "note").read_text(encoding="utf-8")
    assert "\x1b" not in written and "‹ESC›" in written and written.endswith("\n")
    assert now == [f"new {hostile}", "other"]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("sys.exit(3)", "ended with 3; nothing was changed"),
        ("os.remove(path)", "left no file behind"),
    ],
)
def test_failures_are_a_sentence(
    tmp_path: Path, fake: Path, monkeypatch: pytest.MonkeyPatch, body: str, wanted: str
) -> None:
    script(fake, monkeypatch, body)
    now, said, _ = edited(tmp_path, TWO)
    assert now == TWO and wanted in said[-1]
    assert list((fake / "tmp").iterdir()) == []


def test_what_cannot_be_read_back_is_kept_and_named(
    tmp_path: Path, fake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(fake, monkeypatch, "path.write_bytes(b'typed for an hour \\xff')")
    now, said, _ = edited(tmp_path, TWO)
    (folder,) = (fake / "tmp").iterdir()
    assert now == TWO and "not UTF-8" in said[-1] and folder.name in said[-1]
    assert [path.read_bytes() for path in folder.iterdir()] == [b"typed for an hour \xff"]


def test_what_a_failing_editor_had_saved_is_not_lost(
    tmp_path: Path, fake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(fake, monkeypatch, "path.write_text('typed for an hour')\nos.abort()")
    now, said, shown = edited(tmp_path, TWO)
    assert now == TWO and "stopped by signal" in said[-1] and "typed for an hour" in shown


@pytest.mark.parametrize(("editor", "wanted"), [("", "Neither VISUAL"), ("no-such-editor-here -w", "was not found")])
def test_a_missing_editor_is_a_sentence(
    tmp_path: Path, fake: Path, monkeypatch: pytest.MonkeyPatch, editor: str, wanted: str
) -> None:
    monkeypatch.setenv("EDITOR", editor)
    now, said, _ = edited(tmp_path, TWO)
    assert now == TWO and wanted in said[-1]


def test_a_terminal_that_cannot_be_lent_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", sys.executable)
    monkeypatch.delenv("VISUAL", raising=False)
    now, said, _ = edited(tmp_path, TWO)
    assert now == TWO and "cannot be lent" in said[-1]


def test_an_entry_that_changed_underneath_is_a_conflict_on_return(
    tmp_path: Path, fake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = home_with(tmp_path, TWO, None)
    theirs = f"{TWO[0]} theirs"
    data = "\n§\n".join([theirs, TWO[1]]).encode()
    store = str(home / "memories" / "MEMORY.md")
    script(fake, monkeypatch, f"path.write_text('mine')\npathlib.Path({store!r}).write_bytes({data!r})")

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "E")
            await until(pilot, lambda: "somebody else" in flat(pilot))
            assert theirs in flat(pilot)
            await press(pilot, "1")
            assert "mine" in flat(pilot)
            await press(pilot, "o")
            assert entries(home) == ["mine", TWO[1]] and len(pilot.app.screen_stack) == 1
            view = memory(pilot).entry
            assert view is not None and view.entry.text == "mine"

    asyncio.run(run())


def test_the_command_is_read_like_a_shell_would() -> None:
    assert editor_command({"VISUAL": " ", "EDITOR": "code -w"}) == ("code", "-w")
    assert editor_command({"VISUAL": "'my editor' -x", "EDITOR": "vi"})[0] in ("my editor", "'my editor'")
    assert editor_command({"EDITOR": "broken 'quote"}) == editor_command({}) == ()
