"""The Sessions area with the keyboard alone, on the homes of four real clients and on made ones."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import VERSIONS
from tests.sessions.databases import Made
from tests.tui.support import Screen, home_with, press, running, text_of, toasts, until
from tests.tui.talk_home import (
    START,
    TOKEN,
    client_home,
    home_with_talks,
    long_talk,
    rest,
    search,
    sessions,
    shows,
)
from workbench.sessions import export_file
from workbench.sessions.database import connect
from workbench.sessions.schema import look
from workbench.tui.actions import of_scopes
from workbench.tui.screens import sessions_live, sessions_reading, sessions_view
from workbench.tui.screens.memory import MemoryScreen
from workbench.tui.screens.sessions_dialogs import AskDialog, ExportDialog, FiltersDialog, PickDialog
from workbench.tui.sessions_facts import answer
from workbench.tui.sessions_news import Asked

pytestmark = pytest.mark.usefixtures("hurried")
Flow = Callable[[Screen], Coroutine[None, None, None]]


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses in the keys are as short as a test's patience."""
    monkeypatch.setattr(sessions_view, "PAUSE", 0.01)
    monkeypatch.setattr(sessions_live, "LOOK_SECONDS", 0.001)
    monkeypatch.setattr(sessions_reading, "REST", 0.005)
    monkeypatch.setattr(sessions_reading, "TYPING_REST", 0.005)


def on(home: Path, flow: Flow, size: tuple[int, int] = (120, 36), *, read_only: bool = False) -> None:
    async def run() -> None:
        async with running(home, size, read_only=read_only) as pilot:
            await press(pilot, "3")
            await rest(pilot)
            await flow(pilot)

    asyncio.run(run())


# -- the four homes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_a_needle_is_found_and_read_around_to_both_ends(tmp_path: Path, version: str) -> None:
    home = client_home(tmp_path, version)

    async def flow(pilot: Screen) -> None:
        assert "recent conversations" in text_of(pilot)
        await search(pilot, "needle-haystack", typed=True)
        screen = sessions(pilot)
        assert len(screen.list.rows) == 1 and "1 conversation · 1 hit" in text_of(pilot)
        assert screen.talk is not None and screen.hits is not None and len(screen.hits) == 1
        assert screen.transcript.current == screen.hits[0]
        assert shows(pilot, "Step 151: please continue", "Part 150 done", "Part 151 done")
        total = len(screen.talk.outline)
        await press(pilot, "tab", "g")
        await rest(pilot)
        assert screen.transcript.complete_before and shows(pilot, "Step 0: please", "0 before")
        for _ in range(3):
            await press(pilot, *["ctrl+d"] * 4)
        assert screen.transcript.in_sight()[0] > 25, "reading on loads more"
        await press(pilot, "G")
        await rest(pilot)
        assert screen.transcript.complete_after and shows(pilot, "Part 299 done", "0 after")
        for _ in range(3):
            await press(pilot, *["ctrl+u"] * 4)
        assert screen.transcript.in_sight()[1] < total - 25

    on(home, flow)


@pytest.mark.parametrize("version", VERSIONS)
def test_what_people_look_for_is_found(tmp_path: Path, version: str) -> None:
    home = client_home(tmp_path, version)

    async def flow(pilot: Screen) -> None:
        screen = sessions(pilot)
        for text, said in (
            ("大别山项目", "大别山项目"),
            ("部署", "部署"),
            ("my-app.config.ts", "my-app.config.ts"),
            ("P2.2", "P2.2"),
        ):
            await search(pilot, text)
            assert screen.list.rows and screen.known_hits, text
            assert screen.transcript.current in screen.known_hits
            block = screen.transcript.current_block
            assert block is not None and block.hit and any(said in para.text for para in block.paras), text
            assert any(look == "hit" for para in block.paras for *_, look in para.spans)

    on(home, flow)


@pytest.mark.parametrize("version", ["0.19.0", "0.22.2"])
def test_what_was_taken_back_and_what_was_compressed_are_marked(tmp_path: Path, version: str) -> None:
    home = client_home(tmp_path, version)

    async def flow(pilot: Screen) -> None:
        await search(pilot, "wrongturn")
        assert shows(pilot, "2 taken back hidden") and "Actually use channels" not in text_of(pilot)
        await press(pilot, "tab", "o")
        await rest(pilot)
        assert shows(pilot, "── taken back ──", "Actually use channels", "2 taken back shown")
        undone = [block for block in sessions(pilot).transcript.blocks if block.state == "undone"]
        assert len(undone) == 2 and all(para.look == "gone" for block in undone for para in block.paras)
        await press(pilot, "escape")
        await search(pilot, "quicksilver")
        assert shows(pilot, "── archived by a compression ──", "after the compression", "compacted")

    on(home, flow)


def test_the_parts_of_a_conversation_are_one_and_can_be_moved_along(tmp_path: Path) -> None:
    home = client_home(tmp_path, "0.19.0")

    async def flow(pilot: Screen) -> None:
        await search(pilot, "my-app.config.ts")
        screen = sessions(pilot)
        assert shows(pilot, "root → #2 → #3 · 1 branch · 1 delegate", "goes on as #2 after a compression")
        assert screen.segment == 1
        await press(pilot, "tab", "right_curly_bracket")
        await rest(pilot)
        assert screen.segment == 2 and shows(pilot, "goes on as #3")
        await press(pilot, "right_curly_bracket")
        assert toasts(pilot)[-1] == "This is the last session of the conversation."
        await press(pilot, "left_curly_bracket", "left_curly_bracket")
        assert screen.segment == 0
        await press(pilot, "L")
        assert isinstance(pilot.app.screen, PickDialog) and shows(pilot, "branch · Auth refactor (branch)")
        await press(pilot, "enter")
        await rest(pilot)
        assert shows(pilot, "Try the other approach", "branch of ") and screen.reading

    on(home, flow)


# -- searching ------------------------------------------------------------------------------------------------------


def test_next_hit_goes_through_a_conversation_and_on_to_the_next(tmp_path: Path) -> None:
    home = home_with_talks(tmp_path, long_talk)

    async def flow(pilot: Screen) -> None:
        await search(pilot, "marigold")
        screen = sessions(pilot)
        await press(pilot, "o")  # newest first
        await rest(pilot)
        assert [row.id for row in screen.list.rows] == ["long", "third", "second"]
        assert screen.hits == (21, 151, 291) and screen.transcript.current == 291
        seen = [screen.transcript.current]
        for _ in range(4):
            await press(pilot, "n")
            await rest(pilot)
            seen.append(screen.transcript.current)
        assert seen == [291, 21, 151, 302, 301], "no hit is passed by"
        await press(pilot, "n")
        assert toasts(pilot)[-1] == "That was the last hit."
        await press(pilot, "N")
        await rest(pilot)
        assert screen.list.cursor_id == "third" and not screen.reading, "the keys stay where they were"

    on(home, flow)


def test_every_state_of_a_search_says_what_it_is(tmp_path: Path) -> None:
    def make(made: Made) -> None:
        long_talk(made)
        for number in range(3):
            made.session(f"job{number}", "cron", started_at=START)
            made.say(f"job{number}", "marigold every morning", timestamp=START)
        made.session("helper", "subagent", started_at=START)
        made.say("helper", "marigold below", timestamp=START)

    home = home_with_talks(tmp_path, make)

    async def flow(pilot: Screen) -> None:
        assert shows(pilot, "3 conversations · 3 cron, last · hidden: 1 subagent")
        await search(pilot, "marigold")
        assert shows(pilot, "6 conversations · 8 hits · hidden: 1 subagent")
        assert [row.look for row in sessions(pilot).list.rows][-3:] == ["faint"] * 3, "cron comes last"
        await search(pilot, "zebra")
        assert shows(pilot, "0 conversations") and not sessions(pilot).transcript.blocks
        await press(pilot, "tab")
        assert toasts(pilot)[-1] == "No conversation is listed here."
        await search(pilot, "?!")
        assert shows(pilot, "nothing searchable in this query") and not shows(pilot, "Nothing that was said")
        await press(pilot, "enter", "enter")
        assert toasts(pilot).count("No conversation is listed here.") == 1, "said anew, not once more"
        await search(pilot, "below")
        assert shows(pilot, "0 conversations · hidden: 1 subagent", "All that has this is hidden;", "source:subagent")
        assert not shows(pilot, "Nothing that was said")
        await search(pilot, "zzzabsent")
        assert shows(pilot, "Nothing that was said", "results · relevance")
        await press(pilot, "escape")
        await rest(pilot)
        assert shows(pilot, "recent conversations", "3 cron, last") and sessions(pilot).asked.empty

    on(home, flow)


def test_an_index_that_is_not_there_is_said_and_done_without(tmp_path: Path) -> None:
    home = home_with_talks(tmp_path, long_talk, "absent")

    async def flow(pilot: Screen) -> None:
        await search(pilot, "marigold")
        assert shows(pilot, "there is no full-text index here", "3 conversations · 5 hits")

    on(home, flow)


def test_filters_are_chosen_and_stand_as_chips(tmp_path: Path) -> None:
    def make(made: Made) -> None:
        long_talk(made)
        made.session("phone", "telegram", started_at=START)
        made.say("phone", "marigold on the phone", timestamp=START)

    home = home_with_talks(tmp_path, make)

    async def flow(pilot: Screen) -> None:
        await search(pilot, "marigold")
        await press(pilot, "f")
        assert isinstance(pilot.app.screen, FiltersDialog)
        await press(pilot, "space", "space", "enter")
        await rest(pilot)
        assert shows(pilot, "source: telegram", "1 conversation · 1 hit")
        assert [row.id for row in sessions(pilot).list.rows] == ["phone"]
        await press(pilot, "f", "d", "j", "l", "enter")
        await rest(pilot)
        assert shows(pilot, "role: user") and sessions(pilot).asked.filters == {"role": "user"}
        await press(pilot, "f", "G", "k", "k", "e")
        assert isinstance(pilot.app.screen, AskDialog)
        await press(pilot, "escape", "escape", "escape")
        await rest(pilot)
        assert sessions(pilot).asked.empty, "esc takes words and filters away together"

    on(home, flow)


def test_the_reasoning_is_indexed_when_somebody_searches_it(tmp_path: Path) -> None:
    def make(made: Made) -> None:
        made.session("s1", title="Thoughts")
        made.say("s1", "an answer", "assistant", reasoning="perhaps the walrus did it")

    home = home_with_talks(tmp_path, make)

    async def flow(pilot: Screen) -> None:
        await search(pilot, "walrus")
        assert shows(pilot, "0 conversations")
        await press(pilot, "f", "k", "space")
        while pilot.app.screen.query_one("VirtualList").cursor_id != "in":  # type: ignore[attr-defined]
            await press(pilot, "j")
        await press(pilot, "l", "enter")
        await until(pilot, lambda: len(sessions(pilot).list.rows) == 1)
        await rest(pilot)
        assert shows(pilot, "in: reasoning", "perhaps the walrus did it", "1 conversation · 1 hit")
        assert (home / "workbench" / "reasoning.db").exists()

    on(home, flow)


def test_recent_conversations_go_on_as_one_scrolls(tmp_path: Path) -> None:
    def make(made: Made) -> None:
        for number in range(150):
            made.session(f"s{number:03}", title=f"Talk {number:03}", started_at=START + number)
            made.say(f"s{number:03}", "hello", timestamp=START + number)

    home = home_with_talks(tmp_path, make)

    async def flow(pilot: Screen) -> None:
        screen = sessions(pilot)
        first = len(screen.list.rows)
        assert first < 150 and shows(pilot, f"{first}+ conversations")
        for _ in range(5):
            await press(pilot, "G")
        assert [row.text for row in screen.list.rows] == [f"Talk {number:03}" for number in range(149, -1, -1)]
        assert shows(pilot, "150 conversations", "Talk 000")

    on(home, flow)


# -- reading --------------------------------------------------------------------------------------------------------


def tools_talk(made: Made) -> None:
    call = [{"id": "c1", "function": {"name": "read_file", "arguments": json.dumps({"path": "src/auth/mod.rs"})}}]
    made.session("s1", title="Tools", started_at=START, system_prompt="You are a careful helper.")
    made.say("s1", "# Plan\nlook at **this** and `that`", timestamp=START)
    made.say("s1", "", "assistant", tool_calls=json.dumps(call), reasoning="a quiet thought", timestamp=START + 1)
    made.say("s1", "fn main() {}\n" * 30, "tool", tool_name="read_file", tool_call_id="c1", timestamp=START + 2)
    made.say("s1", f"done, the key is {TOKEN}", "assistant", timestamp=START + 3)
    made.say("s1", "thanks", timestamp=START + 90_000)


def test_tools_reasoning_and_prompt_are_folded_until_asked_for(tmp_path: Path) -> None:
    home = home_with_talks(tmp_path, tools_talk)

    async def flow(pilot: Screen) -> None:
        await press(pilot, "tab", "g")
        assert shows(pilot, "▸ read_file src/auth/mod.rs · 390 B", "▸ system prompt · 25 characters", "Plan")
        assert not shows(pilot, "fn main") and not shows(pilot, "quiet thought")
        plan = next(block for block in sessions(pilot).transcript.blocks if block.id == 1)
        assert [(para.text, para.look) for para in plan.paras] == [("Plan", "heading"), ("look at this and that", "")]
        await press(pilot, "t")
        assert shows(pilot, "▼ read_file", "fn main() {}")
        await press(pilot, "t")
        assert not shows(pilot, "read_file")
        await press(pilot, "t", "T")
        assert shows(pilot, "a quiet thought")
        await press(pilot, "T", "g", "enter")
        assert shows(pilot, "You are a careful helper.") and not shows(pilot, "quiet thought")
        await press(pilot, "enter")
        assert not shows(pilot, "You are a careful helper.")

    on(home, flow)


def test_a_credential_is_masked_until_revealed_and_copied_only_after_asking(tmp_path: Path) -> None:
    def talk(made: Made) -> None:
        tools_talk(made)
        call = [{"id": "c2", "function": {"name": "login", "arguments": json.dumps({"as": "robin", "with": TOKEN})}}]
        made.say("s1", "", "assistant", tool_calls=json.dumps(call), timestamp=START + 90_001)

    home = home_with_talks(tmp_path, talk)

    async def flow(pilot: Screen) -> None:
        assert TOKEN not in text_of(pilot)
        await press(pilot, "tab", "G", "y")
        assert TOKEN not in pilot.app.clipboard
        assert shows(pilot, "The message holds a credential. Copy it unmasked?")
        await press(pilot, "escape", "exclamation_mark", "y")
        assert toasts(pilot)[-1].startswith("Copied: ") and TOKEN in pilot.app.clipboard
        sessions(pilot).go_to_message(5)
        await press(pilot, "exclamation_mark")
        assert toasts(pilot)[-1] == "The current message holds no credential."
        sessions(pilot).go_to_message(4)
        await press(pilot, "y")
        assert shows(pilot, "The message holds a credential. Copy it unmasked?")
        await press(pilot, "escape", "exclamation_mark")
        assert TOKEN in "".join(text_of(pilot).split()) or TOKEN[:20] in text_of(pilot)
        await press(pilot, "y")
        assert pilot.app.clipboard == f"done, the key is {TOKEN}"
        await press(pilot, "Y")
        assert pilot.app.clipboard == "hermes --resume s1"
        sessions(pilot).go_to_message(2)
        await press(pilot, "y")
        assert pilot.app.clipboard.startswith("read_file {"), "it has no text, only calls"

    on(home, flow)


def test_a_result_is_masked_by_what_stands_outside_of_its_piece(tmp_path: Path) -> None:
    made = Made(tmp_path / "state.db", "inline-22").session("s")
    key = "\n".join(f"MIIEvQIBADANBgkq{number:03}hkiG9w0BAQEFAASCBKcwggSj" for number in range(60))
    made.say("s", f"-----BEGIN PRIVATE KEY-----\n{key}")
    made.index()
    with closing(connect(made.path)) as db:
        row = answer(db, look(db), Asked("MIIEvQIBADANBgkq030hkiG9w0BAQEFAASCBKcwggSj"), tmp_path, START, deep=True)[1][
            0
        ]
    assert "MIIE" not in row.piece and "hkiG9w" not in row.piece


def test_turns_ids_and_dates_lead_to_messages(tmp_path: Path) -> None:
    home = home_with_talks(tmp_path, long_talk)

    async def go(pilot: Screen, text: str) -> None:
        await press(pilot, "J")
        for sign in text:
            await pilot.press({"-": "minus", " ": "space", ":": "colon"}.get(sign, sign))
        await press(pilot, "enter")
        await rest(pilot)

    async def flow(pilot: Screen) -> None:
        screen = sessions(pilot)
        await press(pilot, "tab", "left_square_bracket")
        assert screen.transcript.current == 299, "the last message is the agent's, the turn before it the user's"
        await press(pilot, "left_square_bracket", "left_square_bracket", "right_square_bracket")
        assert screen.transcript.current == 297
        await go(pilot, "42")
        assert screen.transcript.current == 42 and shows(pilot, "message 41")
        await go(pilot, "301")
        assert toasts(pilot)[-1] == "Message 301 is not part of this conversation."
        await go(pilot, "yesterday or so")
        assert "neither a message id nor a date" in toasts(pilot)[-1]
        await go(pilot, "2020-01-01")
        assert screen.transcript.current == 1

    on(home, flow)


def test_below_100_columns_the_list_comes_first_and_enter_opens(tmp_path: Path) -> None:
    home = home_with_talks(tmp_path, long_talk)

    async def flow(pilot: Screen) -> None:
        assert shows(pilot, "A long one") and not shows(pilot, "message 299"), "only the list"
        await press(pilot, "enter")
        await rest(pilot)
        assert shows(pilot, "message 299") and not shows(pilot, "The second")
        await press(pilot, "escape")
        assert shows(pilot, "The second") and not shows(pilot, "message 299")

    on(home, flow, (80, 24))


def test_from_an_entry_one_key_looks_for_where_it_was_talked_about(tmp_path: Path) -> None:
    home = home_with_talks(tmp_path, long_talk)
    (home / "memories" / "MEMORY.md").write_text("The marigold host is in the cellar", encoding="utf-8")
    (home / "memories" / "USER.md").write_text("Sings zarzuela", encoding="utf-8")

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "S")
            await rest(pilot)
            assert sessions(pilot).asked.text == "marigold" and sessions(pilot).hits
            await press(pilot, "1", "tab", "S")
            await rest(pilot)
            assert toasts(pilot)[-1] == "None of its words occurs in any conversation."
            await press(pilot, "1")
            assert isinstance(pilot.app.screen, MemoryScreen)

    asyncio.run(run())


# -- export ---------------------------------------------------------------------------------------------------------


def test_an_export_is_masked_and_never_over_a_file_without_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = home_with_talks(tmp_path, tools_talk)
    folder = tmp_path / "out"
    folder.mkdir()
    monkeypatch.chdir(folder)

    async def flow(pilot: Screen) -> None:
        await press(pilot, "x")
        assert isinstance(pilot.app.screen, ExportDialog) and shows(pilot, "markdown · credentials masked")
        await press(pilot, "enter")
        await rest(pilot)
        text = (folder / "tools.md").read_text(encoding="utf-8")
        assert text.startswith("# Tools") and TOKEN not in text
        assert toasts(pilot)[-1].startswith("Written: ")
        await press(pilot, "x", "ctrl+r", "enter")
        await rest(pilot)
        assert shows(pilot, "is there already. Replace it?")
        await press(pilot, "escape")
        assert TOKEN not in (folder / "tools.md").read_text(encoding="utf-8")
        await press(pilot, "x", "ctrl+r", "enter")
        await rest(pilot)
        await press(pilot, "enter")
        await rest(pilot)
        assert TOKEN in (folder / "tools.md").read_text(encoding="utf-8")
        await press(pilot, "x", "ctrl+t", "enter")
        await rest(pilot)
        assert (folder / "tools.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
        await press(pilot, "X")
        assert toasts(pilot)[-1].startswith("Nothing is searched; x exports")
        await search(pilot, "thanks")
        await press(pilot, "X", "enter")
        await rest(pilot)
        assert json.loads((folder / "thanks.jsonl").read_text(encoding="utf-8"))["id"] == "s1"

    on(home, flow)
    assert sorted(os.listdir(folder)) == ["thanks.jsonl", "tools.html", "tools.md"]


def test_a_long_export_says_how_far_it_is_and_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = home_with_talks(tmp_path, long_talk)
    folder = tmp_path / "out"
    folder.mkdir()
    monkeypatch.chdir(folder)
    more = threading.Event()
    whole = export_file.pieces_of

    def slowly(*given: Any) -> Iterator[str]:
        for number, piece in enumerate(whole(*given)):
            yield piece
            if number == 200:
                assert more.wait(10)

    monkeypatch.setattr(export_file, "pieces_of", slowly)
    monkeypatch.setattr(export_file, "Steps", partial(export_file.Steps, every=0.0))

    async def flow(pilot: Screen) -> None:
        await search(pilot, "marigold")
        await pilot.press("X", "enter")
        await until(pilot, lambda: shows(pilot, "x stops the export · conversation 1 of 3, "))
        await pilot.press("X")
        assert toasts(pilot)[-1] == "An export is being written; x stops it."
        assert os.listdir(folder) == ["marigold.jsonl"]
        await pilot.press("x", "x")
        assert sessions(pilot).exporting, "its thread has not come to an end yet"
        more.set()
        await rest(pilot)
        assert toasts(pilot)[-1] == "Stopped; marigold.jsonl was not written."
        assert not shows(pilot, "stops the export") and not os.listdir(folder)
        sessions(pilot).asked = replace(sessions(pilot).asked, limit=3)
        await press(pilot, "X")
        assert shows(pilot, "3 conversations, all that are listed; G in the list brings more")
        await press(pilot, "enter")
        await rest(pilot)
        assert toasts(pilot)[-1].startswith("Written: ")

    on(home, flow)
    assert len((folder / "marigold.jsonl").read_text(encoding="utf-8").splitlines()) == 3


def test_an_export_leaves_the_agents_home_alone(tmp_path: Path) -> None:
    home = home_with_talks(tmp_path, tools_talk)

    async def flow(pilot: Screen) -> None:
        await press(pilot, "x")
        dialog = pilot.app.screen
        assert isinstance(dialog, ExportDialog)
        dialog.query_one("Input").value = str(home / "memories" / "MEMORY.md")  # type: ignore[attr-defined]
        await press(pilot, "enter")
        assert "The agent's home is left alone" in toasts(pilot)[-1]

    on(home, flow)
    assert not (home / "memories" / "MEMORY.md").exists()


# -- a running agent ------------------------------------------------------------------------------------------------


def test_new_messages_appear_without_losing_the_place(tmp_path: Path) -> None:
    home = home_with_talks(tmp_path, long_talk)
    made = Made.__new__(Made)
    made.path, made.shape, made.new = home / "state.db", "inline-22", True

    async def look_again(pilot: Screen) -> None:
        sessions(pilot)._look()
        await rest(pilot)

    async def flow(pilot: Screen) -> None:
        screen = sessions(pilot)
        await look_again(pilot)
        await press(pilot, "tab")
        made.say("long", "news while at the end", "assistant", timestamp=START + 500)
        await look_again(pilot)
        assert shows(pilot, "news while at the end"), "whoever reads the end follows"
        await press(pilot, *["ctrl+u"] * 3)
        place = screen.transcript.in_sight()
        made.say("long", "news from below", timestamp=START + 501)
        made.say("long", "more of it", "assistant", timestamp=START + 502)
        await look_again(pilot)
        assert screen.transcript.in_sight()[0] == place[0] and shows(pilot, "2 new messages below · G")
        await press(pilot, "G")
        await rest(pilot)
        assert shows(pilot, "more of it") and not shows(pilot, "new messages below")
        made.session("fresh", title="Begun just now", started_at=START + 600)
        made.say("fresh", "hello", timestamp=START + 600)
        await look_again(pilot)
        assert screen.list.rows[0].text == "Begun just now" and screen.list.cursor_id == "long"
        await search(pilot, "news")
        assert shows(pilot, "1 conversation · 2 hits")
        screen._searching_since = time.monotonic()
        made.session("late", title="News of the day", started_at=START + 700)
        await look_again(pilot)
        assert not shows(pilot, "News of the day"), "a search that is under way comes to its end first"
        screen._search(deep=True, quick=False)
        await until(pilot, lambda: shows(pilot, "News of the day"))

    on(home, flow)


# -- states ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "There is no state.db here"),
        (b"", "is empty: no sessions yet"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "is a Git LFS pointer"),
        (b"SQLite format 3\x00" + b"\x00" * 500, "is damaged"),
        (b"just a text, long enough to be looked at as a database file", "is not an SQLite database"),
    ],
    ids=["missing", "empty", "pointer", "torn", "text"],
)
def test_a_database_that_cannot_be_read_is_a_calm_sentence(tmp_path: Path, content: bytes | None, said: str) -> None:
    home = home_with(tmp_path, ["one"], ["two"])
    if content is not None:
        (home / "state.db").write_bytes(content)

    async def flow(pilot: Screen) -> None:
        assert said in " ".join(text_of(pilot).split()), text_of(pilot)
        assert len(pilot.app.screen_stack) == 1, "no dialog"
        await press(pilot, "j", "enter")
        assert toasts(pilot)[-1] == "state.db cannot be read; the area says why."
        await press(pilot, "f", "escape", "slash", "a", "escape", "1")
        assert isinstance(pilot.app.screen, MemoryScreen)

    on(home, flow)


def test_read_only_reads_and_writes_nothing(tmp_path: Path) -> None:
    home = home_with_talks(tmp_path, tools_talk)
    before = sorted(path.name for path in home.rglob("*"))

    async def flow(pilot: Screen) -> None:
        await search(pilot, "thanks")
        assert shows(pilot, "1 conversation · 1 hit")
        await press(pilot, "x")
        assert "read-only" in toasts(pilot)[-1]
        await press(pilot, "f", "G", "l", "enter")
        await rest(pilot)

    on(home, flow, read_only=True)
    assert sorted(path.name for path in home.rglob("*")) == before


# -- keys -----------------------------------------------------------------------------------------------------------

KEYS = [action for action in of_scopes("sessions", "app") if action.rank and action.id != "quit"]


@pytest.mark.parametrize("state", ["list", "reading", "empty"])
def test_every_footer_key_acts_or_gives_its_reason(tmp_path: Path, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = home_with_talks(tmp_path, lambda made: None if state == "empty" else tools_talk(made))

    def seen(pilot: Screen) -> tuple[object, ...]:
        screen = sessions(pilot)
        return text_of(pilot), pilot.app.clipboard, len(toasts(pilot)), screen.transcript.current, screen.reading

    async def flow(pilot: Screen) -> None:
        for action in KEYS:
            if state == "reading":
                await search(pilot, "that")
                sessions(pilot).read_on(True)
                await press(pilot, "g")
            before, reason = seen(pilot), sessions(pilot).reason(action.id)
            await press(pilot, action.keys[0])
            await rest(pilot)
            assert before != seen(pilot), f"{action.id} did nothing and said nothing"
            assert not reason or reason in toasts(pilot), f"{action.id} is greyed without saying why"
            while len(pilot.app.screen_stack) > 1:
                await press(pilot, "escape")
            while sessions(pilot)._back_to():
                await press(pilot, "escape")
            await rest(pilot)
            pilot.app.clear_notifications()

    on(home, flow, (200, 50))
