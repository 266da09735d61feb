"""A file that drifted is explained place by place and put right with the keys in sight; each time as one change."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.support import NOW, Screen, entries, home_with, memory, press, running, text_of, toasts
from workbench.home import HomeChoice
from workbench.tui.actions import of_scopes
from workbench.tui.drift_facts import look_at_place, look_at_way, read_drift
from workbench.tui.parts.byte_rows import byte_rows, place_rows, visible
from workbench.tui.parts.diff_rows import Pair, Remark
from workbench.tui.screens.backups import BackupsScreen
from workbench.tui.screens.choosing import ChoosingScreen
from workbench.tui.screens.drift import DriftScreen
from workbench.tui.screens.forgetting import ForgetScreen
from workbench.tui.screens.split import SplitScreen
from workbench.workspace import Workspace

SMALL = "memory:\n  memory_char_limit: 200\n"
LONG = "\n".join(f"- bullet number {number} of the long one" for number in range(9))


def opened(home: Path) -> Workspace:
    return Workspace.open(HomeChoice(home, home, "default", "default home"), clock=lambda: NOW)


def with_past(home: Path, texts: list[str]) -> None:
    """The history has seen these entries; then somebody else writes."""
    path = home / "memories" / "MEMORY.md"
    path.write_bytes("\n§\n".join(texts).encode())
    workspace = opened(home)
    try:
        workspace.observe()
    finally:
        workspace.close()


# -- bytes ----------------------------------------------------------------------------------------------------------


def test_what_editors_hide_is_in_sight() -> None:
    assert visible(b"\xef\xbb\xbfa\tb  \r\ncaf\xe9 \n") == "‹U+FEFF›a‹tab›b··‹CR›\ncaf‹xE9›·\n"
    assert "sk-" not in visible(b"key sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD  ").partition("sk-")[2][6:]


def test_the_bytes_around_a_place_show_no_part_of_a_credential() -> None:
    token = b"ghp_" + b"a1B2c3D4e5" * 4
    key = b"-----BEGIN PRIVATE KEY-----\n" + b"MIIEvQIBADANBgkqhkiG9w0\n" * 9 + b"-----END PRIVATE KEY-----"
    for before in range(395, 400, 2):
        line = token + b" " * before
        data = b"a\n" + line + b"\xff" + b" " * before + token + b"\n" + key + b"\nend"
        at = data.index(b"\xff")
        said = " ".join(
            piece.text for row in place_rows(data, at, at + 1) if isinstance(row, Pair) for piece in row.line.left or ()
        )
        assert "B2" not in said and "MIIE" not in said, said


def test_equal_stretches_are_counted_and_a_long_file_is_cut_with_a_word() -> None:
    lines = [f"line {number}".encode() for number in range(3_000)]
    rows = byte_rows(b"\n".join(lines), b"\n".join([*lines[:50], b"other", *lines[51:]]))
    assert [row.text for row in rows if isinstance(row, Remark)] == [
        "48 equal lines",
        "1,947 equal lines",
        "only the first 2,000 lines are compared here; all of the file is written",
    ]
    assert sum(isinstance(row, Pair) and row.line.kind != "same" for row in rows) in (1, 2)


@given(st.binary(max_size=200), st.data())
def test_any_place_of_any_bytes_can_be_shown(data: bytes, draw: st.DataObject) -> None:
    start = draw.draw(st.integers(0, len(data)))
    end = draw.draw(st.integers(start, len(data)))
    rows = [row for row in place_rows(data, start, end) if isinstance(row, Pair)]
    numbers = [row.line.left_number for row in rows]
    assert numbers == list(range(numbers[0] or 0, (numbers[0] or 0) + len(numbers))), "lines follow each other"
    marked = [piece.text for row in rows for piece in row.line.left or () if piece.kind == "warning"]
    assert bool(marked) == (end > start)


@pytest.mark.parametrize(
    ("raw", "state", "ways"),
    [
        (b"one  \r\n\xc2\xa7\r\ntwo", "cosmetic", ["normalise", "entries"]),
        (b"caf\xe9 here", "unreadable", ["reencode=cp1252", "last-good", "entries"]),
        (LONG.encode(), "lossy", ["split", "trim", "last-good", "entries"]),
        (b"", "ok", ["last-good", "entries"]),
        (None, "missing", ["last-good", "entries"]),
    ],
)
def test_every_state_has_its_ways_and_each_says_what_it_would_do(
    tmp_path: Path, raw: bytes | None, state: str, ways: list[str]
) -> None:
    home = home_with(tmp_path, [], config=SMALL)
    with_past(home, ["small one", "another"])
    path = home / "memories" / "MEMORY.md"
    path.unlink() if raw is None else path.write_bytes(raw)
    workspace = opened(home)
    try:
        view = read_drift(workspace, "memory")
        assert view.document.state == state
        assert [way.how for way in view.ways if way.how in ways] == ways, view.ways
        assert view.lead
        for way in view.ways:
            looked = look_at_way(workspace, "memory", way.how, as_bytes=False)
            assert looked.rows or looked.refused, way
            assert looked.refused or looked.plan is not None or way.how == "entries", way
        for number in range(len(view.drift.differences)):
            assert look_at_place(view, number).rows
    finally:
        workspace.close()


# -- by keys --------------------------------------------------------------------------------------------------------


def drift(pilot: Screen) -> DriftScreen:
    screen = pilot.app.screen
    assert isinstance(screen, DriftScreen)
    return screen


def test_another_encoding_is_put_right_and_taken_back(tmp_path: Path) -> None:
    raw = b"Name: Ren\xe9 Vale\n\xc2\xa7\nCaf\xe9 at nine"
    home = home_with(tmp_path, raw)

    async def run() -> None:
        async with running(home) as pilot:
            assert "= shows where, and puts it right." in text_of(pilot)
            await press(pilot, "equals_sign")
            shown = text_of(pilot)
            assert "not UTF-8" in shown and "− Name: Ren‹xE9› Vale" in shown and "+ Name: René Vale" in shown
            await press(pilot, "G")
            assert "byte 0xE9 at 9" in shown and drift(pilot).how == ""
            await press(pilot, "a")
            assert "This is a place" in toasts(pilot)[-1]
            await press(pilot, "g", "a")
            assert entries(home) == ["Name: René Vale", "Café at nine"]
            assert memory(pilot) is pilot.app.screen
            await press(pilot, "u")
            assert (home / "memories" / "MEMORY.md").read_bytes() == raw

    asyncio.run(run())


def test_a_too_long_entry_is_cut_by_key_or_trimmed_after_a_question(tmp_path: Path) -> None:
    home = home_with(tmp_path, [LONG], config=SMALL)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "equals_sign", "j")
            assert drift(pilot).how == "trim" and "asks first" in text_of(pilot)
            await press(pilot, "k", "enter")
            assert isinstance(pilot.app.screen, SplitScreen)
            await press(pilot, "escape", "j", "a")
            assert "please confirm" in text_of(pilot)
            await press(pilot, "enter")
            (kept,) = entries(home)
            assert len(kept) <= 200 and LONG.startswith(kept)
            await press(pilot, "u")
            assert entries(home) == [LONG]

    asyncio.run(run())


def test_a_file_is_put_together_entry_by_entry(tmp_path: Path) -> None:
    home = home_with(tmp_path, [])
    with_past(home, ["old one", "old two"])
    path = home / "memories" / "MEMORY.md"
    path.write_bytes(b"old two  \n\xc2\xa7\nnew three\n\n")

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "equals_sign", "j", "enter")
            screen = pilot.app.screen
            assert isinstance(screen, ChoosingScreen)
            assert [one.text for one in screen.choices] == ["old one", "old two", "new three"]
            assert screen.texts == ("old two", "new three"), "what stands on disk is taken at first"
            await press(pilot, "o")
            assert screen.texts == ("old one", "old two")
            await press(pilot, "G", "space", "escape")
            assert "unsaved choice" in text_of(pilot)
            await press(pilot, "escape", "ctrl+s")
            assert entries(home) == ["old one", "old two", "new three"]
            assert pilot.app.screen is memory(pilot)
            await press(pilot, "u")
            assert path.read_bytes() == b"old two  \n\xc2\xa7\nnew three\n\n"

    asyncio.run(run())


def test_an_emptied_file_shows_what_it_held(tmp_path: Path) -> None:
    home = home_with(tmp_path, [])
    with_past(home, ["one", "two"])
    (home / "memories" / "MEMORY.md").write_bytes(b"")

    async def run() -> None:
        async with running(home) as pilot:
            assert "MEMORY.md is empty; it held 2 entries." in text_of(pilot)
            await press(pilot, "equals_sign")
            assert "+ one" in text_of(pilot)
            await press(pilot, "a")
            assert entries(home) == ["one", "two"]

    asyncio.run(run())


def test_the_file_moves_on_while_it_is_looked_at(tmp_path: Path) -> None:
    home = home_with(tmp_path, b"one  \n\xc2\xa7\ntwo")

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "equals_sign")
            (home / "memories" / "MEMORY.md").write_bytes(b"one  \n\xc2\xa7\nthree")
            await press(pilot, "a")
            assert "has changed meanwhile" in toasts(pilot)[-1]
            assert (home / "memories" / "MEMORY.md").read_bytes() == b"one  \n\xc2\xa7\nthree"
            await press(pilot, "a")
            assert entries(home) == ["one", "three"]

    asyncio.run(run())


# -- backups --------------------------------------------------------------------------------------------------------


def home_with_backups(folder: Path) -> Path:
    home = home_with(folder, ["one", "two"], ["Name: Robin"])
    for name, data in (
        ("MEMORY.md.bak.1789000000", b"one"),
        ("MEMORY.md.bak.1789900000", b"one"),
        ("MEMORY.md.bak.1789990000", b"one\n\xc2\xa7\ntwo\n\xc2\xa7\nthree"),
        ("USER.md.bak.1789000000", b"Name: Ren\xe9"),
    ):
        (home / "memories" / name).write_bytes(data)
    return home


def test_backups_are_grouped_compared_cleared_and_restored(tmp_path: Path) -> None:
    home = home_with_backups(tmp_path)
    (home / "state-snapshots").mkdir()

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "B")
            screen = pilot.app.screen
            assert isinstance(screen, BackupsScreen)
            shown = text_of(pilot)
            assert "2 identical" in shown and "4 files · 3 different" in shown and "leave memories/ out" in shown
            assert "+ three" in shown, "what restoring would bring"
            await press(pilot, "space", "space")
            assert "MEMORY.md.bak.1789900000 → MEMORY.md.bak.1789990000" in text_of(pilot)
            await press(pilot, "escape", "D")
            assert "1 file is removed" in text_of(pilot) and "MEMORY.md.bak.1789000000" in text_of(pilot)
            await press(pilot, "enter")
            left = sorted(path.name for path in (home / "memories").glob("*.bak.*"))
            assert left == ["MEMORY.md.bak.1789900000", "MEMORY.md.bak.1789990000", "USER.md.bak.1789000000"]
            await press(pilot, "D")
            assert "one always stays" in toasts(pilot)[-1]
            await press(pilot, "g", "less_than_sign", "enter")
            assert entries(home) == ["one", "two", "three"]
            await press(pilot, "escape", "u")
            assert entries(home) == ["one", "two"]

    asyncio.run(run())


def test_while_a_draft_is_open_nothing_is_written_past_it(tmp_path: Path) -> None:
    home = home_with_backups(tmp_path)
    (home / "memories" / "USER.md").write_bytes(b"caf\xe9")
    before = {path: path.read_bytes() for path in (home / "memories").iterdir()}

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "b", "B", "less_than_sign")
            assert toasts(pilot)[-1].startswith("Restoring cannot wait in a draft")
            await press(pilot, "escape", "tab", "equals_sign")
            assert toasts(pilot)[-1].startswith("Putting right cannot wait in a draft")
            await press(pilot, "b", "equals_sign")
            assert isinstance(pilot.app.screen, DriftScreen), "the draft is left"
            assert before == {path: path.read_bytes() for path in (home / "memories").iterdir()}

    asyncio.run(run())


# -- forgetting -----------------------------------------------------------------------------------------------------


def test_a_text_is_forgotten_after_the_word_and_what_stays_is_named(tmp_path: Path) -> None:
    secret = "the vault opens with mango-7741"
    home = home_with(tmp_path, ["one", secret])
    (home / "memories" / "MEMORY.md.bak.1789000000").write_text(secret, encoding="utf-8")
    (home / "memories" / "diary.md").write_text(f"today: {secret}", encoding="utf-8")

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "j", "D")
            screen = pilot.app.screen
            assert isinstance(screen, ForgetScreen)
            shown = text_of(pilot)
            assert "entry" in shown and "history.db" in shown and "bak.1789000000" in shown
            assert "memories/diary.md" in shown and "not ours to touch" in shown
            await press(pilot, "enter")
            assert toasts(pilot)[-1] == "Type forget first."
            await press(pilot, *"forget", "enter")
            shown = text_of(pilot)
            assert "Nothing of the workbench's own holds it any more." in shown and "memories/diary.md" in shown
            assert entries(home) == ["one"]
            assert not list((home / "memories").glob("*.bak.*"))
            data = b"".join(path.read_bytes() for path in (home / "workbench").glob("history.db*"))
            assert secret.encode() not in data
            await press(pilot, "escape")
            assert pilot.app.screen is memory(pilot)

    asyncio.run(run())


# -- keys -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["drift", "choosing", "backups"])
def test_every_key_of_these_screens_acts_or_gives_its_reason(tmp_path: Path, scope: str) -> None:
    home = home_with_backups(tmp_path)
    (home / "memories" / "MEMORY.md").write_bytes(b"one  \r\n\xc2\xa7\r\ntwo")
    way = {"drift": ("equals_sign",), "choosing": ("equals_sign", "j", "enter"), "backups": ("B",)}[scope]

    async def run() -> None:
        async with running(home, (200, 50)) as pilot:
            for action in of_scopes(scope):
                if not action.rank:
                    continue
                await press(pilot, *way)
                top = pilot.app.screen
                before = (text_of(pilot), len(toasts(pilot)), pilot.app.focused, pilot.app.screen)
                assert action.id in ("accept", "save") or action.label.split()[0] in before[0] or action.rank > 5
                await press(pilot, action.keys[0])
                after = (text_of(pilot), len(toasts(pilot)), pilot.app.focused, pilot.app.screen)
                assert before != after, f"{action.id} did nothing and said nothing"
                for _ in range(8):
                    if len(pilot.app.screen_stack) == 1:
                        break
                    await press(pilot, "enter" if pilot.app.screen is not top and action.id == "close" else "escape")
                    if "unsaved choice" in text_of(pilot):
                        await press(pilot, "enter")
                pilot.app.clear_notifications()
                (home / "memories" / "MEMORY.md").write_bytes(b"one  \r\n\xc2\xa7\r\ntwo")
                memory(pilot).reload()
                await press(pilot)

    asyncio.run(run())
