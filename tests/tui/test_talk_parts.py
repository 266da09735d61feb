"""Messages as lines, their layout, the list's rows, and what the area asks: without a screen."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import ComposeResult

from tests.sessions.databases import Made
from tests.tui.talk_home import START, TOKEN
from workbench.sessions.content import ToolCall
from workbench.sessions.database import connect
from workbench.sessions.query import parse, terms
from workbench.sessions.rows import Message
from workbench.sessions.schema import look
from workbench.tui.face import Face
from workbench.tui.parts.result_list import ResultRow, shown
from workbench.tui.parts.talk_layout import BLANK, bodies, body, room_of
from workbench.tui.parts.talk_lines import FULL, OFF, Block, Look, Para, blocks, joined, markdown, prompt_block
from workbench.tui.parts.transcript_view import KEPT_BLOCKS, TranscriptView
from workbench.tui.parts.wrap import cells
from workbench.tui.sessions_facts import day, hits_of, jump, moment_of, rarest_words, read_talk
from workbench.tui.sessions_news import Asked


def message(number: int = 1, text: str = "hello", role: str = "user", **more: object) -> Message:
    return Message(number, "s", role, text, START + number, size=len(text), **more)  # type: ignore[arg-type]


def texts(block: Block) -> list[str]:
    return [para.text for para in block.paras]


# -- markdown -------------------------------------------------------------------------------------------------------


def test_markdown_gets_a_look_and_loses_its_signs() -> None:
    text = "## Plan\n- **one** `two`\n  3. three\n> said\n---\n```py\nx = **1**\n```\nsnake_case_name __init__ a ** b"
    found = markdown(text)
    assert [(para.text, para.look, para.lead) for para in found] == [
        ("Plan", "heading", ""),
        ("one two", "", "• "),
        ("three", "", "  3. "),
        ("said", "quiet", "│ "),
        ("─" * 12, "quiet", ""),
        ("py", "language", ""),
        ("x = **1**", "block", ""),
        ("snake_case_name init a ** b", "", ""),
    ]
    assert found[1].spans == ((0, 3, "bold"), (4, 7, "code"))


def test_a_fence_is_closed_by_its_own_kind_only() -> None:
    found = markdown("````\n```\nstill code\n````\nout")
    assert [(para.text, para.look) for para in found] == [("```", "block"), ("still code", "block"), ("out", "")]
    assert [para.look for para in markdown("```\nnever closed")] == ["block"]


@given(st.text(alphabet="ab *_`#->1.|\n\t大é~", max_size=80))
def test_markdown_never_loses_a_letter_and_its_spans_lie_within(text: str) -> None:
    found = markdown(text)
    kept = "".join(para.text + para.lead for para in found)
    for sign in "ab大é1":
        assert kept.count(sign) == text.rstrip("\n").count(sign)
    for para in found:
        assert all(0 <= start <= end <= len(para.text) for start, end, _ in para.spans)


# -- messages -------------------------------------------------------------------------------------------------------


def called(**more: object) -> list[Message]:
    call = ToolCall("c1", "read_file", '{"path": "a.rs"}', "a.rs", 2, 9_600)
    return [
        message(1, "", "assistant", calls=(call,), reasoning="a thought"),
        message(2, "line\n" * 600, "tool", tool_name="read_file", tool_call_id="c1"),
        message(3, "lonely", "tool", tool_name="grep", tool_call_id="elsewhere"),
    ]


def test_tools_are_one_line_all_of_it_or_nothing() -> None:
    short = blocks(called(), Look())
    assert texts(short[0]) == ["read_file a.rs · 9.6 kB"] and short[1].paras == (), "its call has said it"
    assert texts(short[2]) == ["grep · 6 B · lonely"], "its call is not in sight"
    full = blocks(called(), Look(tools=FULL))
    assert texts(full[0]) == ["read_file a.rs · 9.6 kB", '{"path": "a.rs"}']
    assert len(full[1].paras) == 402 and full[1].paras[-1].text == "… 200 more lines; x exports all of them"
    off = blocks(called(), Look(tools=OFF))
    assert [block.paras for block in off] == [(), (), ()]
    opened = blocks(called(), Look(opened=frozenset({1})))
    assert texts(opened[0]) == ["a thought", "read_file a.rs · 9.6 kB", '{"path": "a.rs"}']


def test_a_hit_in_a_folded_output_is_shown_with_the_line_around_it() -> None:
    wanted = terms(parse("needle").root)
    output = message(2, "x\n" * 50 + "y" * 500 + " needle here\n" + "x\n" * 50, "tool", tool_name="t", tool_call_id="c")
    block = blocks([message(1, calls=(ToolCall("c", "t", "", ""),)), output], Look(terms=wanted))[1]
    assert block.hit and len(block.paras) == 2 and len(block.paras[1].text) < 260
    (mark,) = [span for span in block.paras[1].spans if span[2] == "hit"]
    assert block.paras[1].text[mark[0] : mark[1]] == "needle"


def test_hostile_text_and_credentials_pass_the_door() -> None:
    said = message(1, f"a\x1b]52;c;x\x07b [red]c[/] {TOKEN}", reasoning="\u202egnp", role="assistant")
    (block,) = blocks([said], Look(reasoning=True))
    everything = "\n".join(texts(block))
    assert "‹ESC›" in everything and "‹U+202E›" in everything and "[red]c[/]" in everything
    assert TOKEN not in everything and block.secret
    (open_block,) = blocks([said], Look(revealed=frozenset({1})))
    assert TOKEN in texts(open_block)[0] and open_block.secret
    for beside in ({"reasoning": TOKEN}, {"calls": (ToolCall("c", "t", TOKEN, ""),)}):
        assert blocks([message(1, "plain", "assistant", **beside)], Look())[0].secret, "it can be revealed"
    hostile = Message(5, "s\x1b", "ro\x1ble", "x", None, tool_name="\x1bt")
    assert "\x1b" not in blocks([hostile], Look())[0].who


def test_days_states_and_parts_stand_between_messages() -> None:
    made = blocks(
        [message(1, state="compacted"), message(2), message(90_000, state="undone"), message(90_001, opens=True)],
        Look(names=("root", "next")),
    )
    first = joined(None, made[0])
    assert first.above == (made[0].day, "archived by a compression")
    assert joined(first, made[1]).above == ("after the compression",)
    third = joined(made[1], made[2])
    assert third.above == (made[2].day, "taken back") and third.paras[0].look == "gone"
    assert joined(third, made[3]).above == ("goes on as #1 after a compression · root", "kept again from here on")
    assert joined(None, first) is first, "what is right already is left alone"


def test_the_system_prompt_is_folded_and_its_secrets_masked() -> None:
    text = f"Be careful.\nkey {TOKEN}"
    closed = prompt_block(text, Look())
    assert texts(closed) == [f"system prompt · {len(text)} characters"] and closed.secret
    opened = prompt_block(text, Look(opened=frozenset({0})))
    assert texts(opened)[1] == "Be careful." and TOKEN not in texts(opened)[2]


# -- layout ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.text(alphabet="ab c大é", max_size=120), min_size=1, max_size=4), st.integers(30, 130))
def test_lines_hold_all_of_a_text_and_fit(lines: list[str], width: int) -> None:
    block = Block(1, "user", "you", "", tuple(Para(line, lead="• ") for line in lines))
    made = body(block, width)
    assert made[-1].para == BLANK
    for number, para in enumerate(block.paras):
        pieces = [para.text[line.start : line.end] for line in made if line.para == number]
        assert "".join("".join(pieces).split()) == "".join(para.text.split())
        assert all(cells(piece.rstrip()) + 2 <= room_of(width) for piece in pieces)
    assert [line.first for line in made].count(True) == 1


def test_a_row_shows_its_first_hit_however_narrow_it_is() -> None:
    text = "a long beginning that nobody needs before the needle and what follows it"
    at = text.index("needle")
    row = ResultRow("r", "title", piece=text, marks=((at, at + 6),))
    for room in (20, 30, 80):
        pieces = shown(row, room, "…")
        assert ("needle", True) in pieces and sum(cells(piece) for piece, _ in pieces) <= room
    assert shown(ResultRow("r", "t", piece="short"), 20, "…") == [("short", False)]


class Reader(Face):
    """A view over a conversation of so many messages."""

    def __init__(self, count: int) -> None:
        super().__init__(None)
        self.all = blocks(
            [message(number, f"message {number} " + "word " * 20) for number in range(1, count + 1)], Look()
        )
        self.asked: list[int] = []

    def compose(self) -> ComposeResult:
        yield TranscriptView()

    def on_transcript_view_wanted(self, event: TranscriptView.Wanted) -> None:
        view, ids = event.view, [block.id for block in event.view.blocks]
        self.asked.append(event.direction)
        if event.direction < 0:
            start = max(0, ids[0] - 1 - 80)
            view.add_before(self.all[start : ids[0] - 1], start, len(self.all))
        else:
            view.add_after(self.all[ids[-1] : ids[-1] + 80], len(self.all))


def test_a_view_holds_what_is_near_and_never_jumps() -> None:
    async def run() -> None:
        app = Reader(5_000)
        async with app.run_test(size=(80, 24)) as pilot:
            view = app.query_one(TranscriptView)
            view.show(app.all[2_460:2_540], 2_460, 5_000, anchor=2_500)
            await pilot.pause(0)
            assert view.current == 2_500
            top = round(view.scroll_offset.y)
            first = view.blocks[view._block_at(top)].id
            for _ in range(60):
                view.scroll_half(-1)
                await pilot.pause(0)
                now = view.blocks[view._block_at(round(view.scroll_offset.y))].id
                assert first - 8 <= now <= first, "half a screen at a time, also where messages are put before"
                first = now
            assert -1 in app.asked and len(view.blocks) <= KEPT_BLOCKS
            assert view.start + 1 == view.blocks[0].id, "its place in the whole is known"
            for _ in range(400):
                view.scroll_half(1)
                await pilot.pause(0)
            assert len(view.blocks) <= KEPT_BLOCKS and view.blocks[0].id > 2_000
            assert view.in_sight()[0] + 1 == view.blocks[view._block_at(round(view.scroll_offset.y))].id

    asyncio.run(run())


def test_another_conversation_that_came_while_the_view_was_hidden_is_drawn_when_it_comes_back() -> None:
    async def run() -> None:
        app = Reader(40)
        async with app.run_test(size=(60, 20)) as pilot:
            view = app.query_one(TranscriptView)
            view.show(app.all, 0, 40, at="end")
            await pilot.pause()
            view.display = False
            await pilot.pause()
            view.show(blocks([message(900, "short")], Look()), 0, 1)
            for line in range(20):
                view.render_line(line)  # a frame may come before the view knows that it has a size again
            view.display = True
            await pilot.pause()
            assert "short" in "".join(view.render_line(line).text for line in range(3))

    asyncio.run(run())


def test_what_is_unfolded_or_narrower_keeps_its_place() -> None:
    async def run() -> None:
        app = Reader(300)
        async with app.run_test(size=(80, 24)) as pilot:
            view = app.query_one(TranscriptView)
            view.show(app.all, 0, 300, anchor=150)
            await pilot.pause(0)
            before = view.blocks[view._block_at(round(view.scroll_offset.y))].id
            longer = [message(number, "much longer\n" * 9) for number in range(1, 140)]
            view.know(bodies(blocks(longer, Look()), 79))
            view.replace(blocks(longer, Look()))
            await pilot.pause(0)
            assert view.blocks[view._block_at(round(view.scroll_offset.y))].id == before
            await pilot.resize_terminal(50, 20)
            await pilot.pause(0)
            assert view.blocks[view._block_at(round(view.scroll_offset.y))].id == before
            view.scroll_ends(1)
            await pilot.pause(0)
            assert view.at_end and view.current == 300

    asyncio.run(run())


# -- what is asked --------------------------------------------------------------------------------------------------


def test_filters_stand_before_the_words_so_that_the_last_one_may_go_on() -> None:
    asked = Asked("docker netw", {"source": "cli", "title": "two words"})
    assert asked.query == 'source:cli title:"two words" docker netw' and not asked.empty
    assert [term.typed for term in terms(asked.parsed(START).root)] == [False, True]
    assert not any(term.typed for term in terms(Asked("docker ").parsed(START).root))
    assert Asked(" ").empty and not Asked("", {"in": "reasoning"}).empty


@pytest.fixture
def utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.mark.usefixtures("utc")
def test_days_and_moments_are_read_and_written_as_people_do() -> None:
    now = 1_789_905_600.0  # 20 Sep 2026, 12:00
    assert [day(at, now) for at in (now - 60, now - 86_400, now - 400 * 86_400, None)] == [
        "11:59", "19 Sep", "16 Aug 2025", "?",
    ]  # fmt: skip
    midnight = now - 43_200
    assert moment_of("2026-09-20", now) == midnight and moment_of("2026-09-20 14:30", now) == midnight + 52_200
    assert moment_of("14:30", now) == midnight + 52_200 and moment_of("7d", now) == now - 7 * 86_400
    assert [moment_of(text, now) for text in ("nonsense", "2026-13-01", "25:00", "1:75", "a:b")] == [None] * 5


def test_hits_jumps_and_words_of_a_conversation(tmp_path: Path) -> None:
    made = Made(tmp_path / "state.db", "inline-22")
    made.session("s1", title="One", started_at=START)
    for number in range(1, 9):
        word = "walrus" if number in (2, 5) else "plain"
        made.say("s1", f"{word} {number}", "assistant" if number % 2 else "user", timestamp=START + number * 86_400)
    made.say("s1", "walrus undone", active=0)
    made.index()
    db = connect(made.path)
    try:
        cap = look(db)
        talk = read_talk(db, cap, "s1", undone=False)
        assert talk.title == "One" and talk.usage == ""
        for query, expected in (
            ("walrus", (2, 5)),
            ("walrus role:user", (2,)),
            ("-plain walrus", (2, 5)),
            ("role:user", ()),
        ):
            assert hits_of(db, cap, talk, parse(query)) == expected
        assert jump(db, cap, talk, "#5", START) == (5, "") and jump(db, cap, talk, "99", START)[0] is None
        found, _ = jump(db, cap, talk, time.strftime("%Y-%m-%d", time.localtime(START + 4 * 86_400)), START)
        assert found in (3, 4)
        assert rarest_words(db, cap, f"the walrus is plain {TOKEN}") == ("walrus", "plain")
    finally:
        db.close()
