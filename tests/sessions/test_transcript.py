"""Reading around a message, over all sessions of a conversation, whatever is stored."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import VERSIONS
from tests.sessions.made import Made
from workbench.errors import MessageNotFound
from workbench.sessions.content import STRUCTURED
from workbench.sessions.database import Database
from workbench.sessions.lineage import conversation
from workbench.sessions.rows import read
from workbench.sessions.schema import look
from workbench.sessions.transcript import (
    Outline,
    Usage,
    Window,
    at_time,
    bookends,
    more_after,
    more_before,
    outline,
    page,
    system_prompt,
    turn,
    usage,
    walk,
    whole,
    window,
)

LONG, AUTH, UNDONE, COMPACTED = (
    "20251018_090000_long01", "20251012_080000_d4e5f8", "20251020_090000_rw0001", "20251021_090000_ac0001",
)  # fmt: skip


def lines_of(made: Made, session: str, *, show_undone: bool = False) -> Outline:
    return outline(made.db, made.cap, conversation(made.db, made.cap, session), show_undone=show_undone)


def states(seen: Window) -> list[tuple[int, str]]:
    return [(each.id, each.state) for each in seen.messages]


# -- the homes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_the_needle_is_read_around_to_both_ends(unpack: Callable[[str], Path], version: str) -> None:
    with Database(unpack(version) / "state.db").connection() as db:
        cap = look(db)
        (needle,) = db.execute("SELECT id FROM messages WHERE content LIKE '%needle-haystack%'").fetchone()
        lines = outline(db, cap, conversation(db, cap, LONG))
        seen = window(db, cap, lines, needle, before=5, after=5)
        assert (seen.messages_before, seen.messages_after) == (302, 297)
        assert (seen.remaining_before, seen.remaining_after) == (297, 292)
        assert "needle-haystack" in seen.messages[5].text
        messages = list(seen.messages)
        while more := more_before(db, cap, lines, messages[0].id, 70).messages:
            messages = [*more, *messages]
        while more := more_after(db, cap, lines, messages[-1].id, 70).messages:
            messages += more
    assert [each.id for each in messages] == lines.ids.tolist()
    assert len(messages) == 600
    assert messages[0].text.startswith("Step 0:")
    assert [each.role for each in messages] == ["user", "assistant"] * 300


@pytest.mark.parametrize("version", VERSIONS)
def test_what_was_taken_back_and_what_was_archived(unpack: Callable[[str], Path], version: str) -> None:
    """The turn after `wrongturn` was taken back, `quicksilver` was archived; 0.13 and 0.14 know neither."""
    kept = version in ("0.19.0", "0.22.2")
    with Database(unpack(version) / "state.db").connection() as db:
        cap = look(db)
        lines = outline(db, cap, conversation(db, cap, UNDONE))
        assert lines.undone == 2 * kept
        assert ["wrongturn" in each.text for each in page(db, cap, lines, 0, 9).messages[:2]] == [True, True]
        assert len(lines) == (2 if kept else 4)
        lines = outline(db, cap, conversation(db, cap, UNDONE), show_undone=True)
        state = "undone" if kept else "live"
        assert states(page(db, cap, lines, 0, 9)) == [(701, "live"), (702, "live"), (703, state), (704, state)]
        lines = outline(db, cap, conversation(db, cap, COMPACTED))
        found = page(db, cap, lines, 0, 9).messages
        assert [each.state for each in found if "quicksilver" in each.text] == ["compacted" if kept else "live"] * 2
        assert [each.state for each in found][4:] == ["live", "live"] * kept


@pytest.mark.parametrize("version", VERSIONS)
def test_a_conversation_is_read_over_its_sessions(unpack: Callable[[str], Path], version: str) -> None:
    with Database(unpack(version) / "state.db").connection() as db:
        cap = look(db)
        lines = outline(db, cap, conversation(db, cap, AUTH))
        seen = window(db, cap, lines, 15, before=5, after=6)
        ends = bookends(db, cap, lines)
        prompts = system_prompt(db, cap, AUTH)
        took = usage(db, cap, lines.conversation)
    assert [each.id for each in seen.messages] == list(range(10, 22))
    assert [each.segment for each in seen.messages] == [0] * 5 + [1] * 4 + [2] * 3
    assert [each.id for each in seen.messages if each.opens] == [15, 19]
    assert seen.messages[0].calls[0].summary == "read_file src/auth/mod.rs · 4.9 kB"
    assert (seen.messages[0].calls[0].result_id, seen.messages[1].tool_name) == (11, "read_file")
    assert seen.messages[4].reasoning.startswith("The services are on the default bridge")
    assert [call.result_id for call in seen.messages[-2].calls] == [21]
    assert [each.id for each in ends.first] == [9, 10, 12]
    assert [each.id for each in ends.last] == [18, 19, 22]
    assert prompts is not None
    assert prompts.startswith("You are a calm and exact assistant.")
    assert "MEMORY (your personal notes)" in prompts
    assert took.line == "tokens 16,800 in · 4,200 out · 12,600 cached · $0.028"


# -- order and copies -----------------------------------------------------------------------------------------------


def test_rows_that_a_compression_in_place_carried_over_are_shown_once() -> None:
    made = Made("0.19")
    made.session("s")
    old = [made.say("s", f"m{number}", timestamp=float(number), active=0, compacted=1) for number in range(6)]
    summary = made.say("s", "[Summary]", timestamp=100.0)
    copies = [made.say("s", f"m{number}", timestamp=float(number)) for number in (4, 5)]
    newest = made.say("s", "m5", timestamp=200.0)
    lines = lines_of(made, "s")
    assert lines.ids.tolist() == [*old, summary, newest]
    assert lines.carried == {copies[0]: old[4], copies[1]: old[5]}
    seen = window(made.db, made.cap, lines, copies[1], before=2, after=1)
    assert (seen.anchor, states(seen)) == (
        old[5],
        [(old[3], "compacted"), (old[4], "live"), (old[5], "live"), (summary, "live")],
    )
    # A second compression archives the copies too: still one of each.
    made.db.execute("UPDATE messages SET active = 0, compacted = 1")
    third = made.say("s", "m5", timestamp=5.0)
    again = lines_of(made, "s")
    assert again.ids.tolist() == [*old, summary, newest]
    assert again.position(third) == again.position(copies[1]) == 5
    assert again.still_live == {old[5]}


def test_what_differs_is_no_copy() -> None:
    made = Made("0.19")
    made.session("s")
    call = json.dumps([{"id": "c1", "function": {"name": "a", "arguments": "{}"}}])
    rows = [
        made.say("s", "", "assistant", timestamp=1.0, tool_calls=call, active=0, compacted=1),
        made.say("s", "long output", "tool", timestamp=2.0, tool_call_id="c1", active=0, compacted=1),
        made.say("s", "", "assistant", timestamp=1.0, tool_calls=call.replace("c1", "c2")),
        made.say("s", "[cleared]", "tool", timestamp=2.0, tool_call_id="c1"),
        made.say("s", "long output", "user", timestamp=2.0),
    ]
    lines = lines_of(made, "s")
    # Only the result of the same call is one row: a compression may shorten it on the way.
    assert lines.ids.tolist() == [rows[0], rows[1], rows[2], rows[4]]


def test_rows_carried_into_the_next_session_are_shown_once() -> None:
    for generation in ("0.13", "0.19", "0.22"):
        made = Made(generation)
        made.session("a")
        first = [made.say("a", f"m{number}") for number in range(4)]
        times = [row[0] for row in made.db.execute("SELECT timestamp FROM messages ORDER BY id")]
        made.end("a")
        made.session("b", "a")
        summary = made.say("b", "[Summary]")
        copies = [made.say("b", f"m{number}", timestamp=times[number]) for number in (2, 3)]
        repeated = made.say("b", "m3")
        lines = lines_of(made, "a")
        assert lines.ids.tolist() == [*first, summary, repeated]
        assert lines.position(copies[0]) == 2
        seen = page(made.db, made.cap, lines, 3, 2).messages
        assert [each.opens for each in seen] == [False, True]


def test_a_copy_of_a_row_that_was_taken_back_is_shown() -> None:
    made = Made("0.19")
    made.session("a")
    made.say("a", "m", active=0)
    when = made.db.execute("SELECT timestamp FROM messages").fetchone()[0]
    made.end("a")
    made.session("b", "a")
    kept = made.say("b", "m", timestamp=when)
    made.say("b", "m", timestamp=when, active=0)
    assert lines_of(made, "b").ids.tolist() == [kept]


def test_groups_of_one_place_are_shown_once_and_in_their_order() -> None:
    made = Made("0.22")
    made.session("s")
    a = made.say("s", "a", display_order=1, active=0)
    b = made.say("s", "b", display_order=2, active=0, compacted=1)
    c = made.say("s", "c", display_order=3)
    gone = made.say("s", "taken back", display_order=4, active=0)
    a2 = made.say("s", "a", display_order=1)
    b2 = made.say("s", "b", display_order=2, active=0, compacted=1)
    b3 = made.say("s", "b", display_order=2)
    late = made.say("s", "no order yet", display_order=None)
    hidden = made.say("s", "for the agent only", display_kind="hidden")
    lines = lines_of(made, "s")
    assert lines.ids.tolist() == [a2, b3, c, late]
    assert lines.carried == {a: a2, b: b3, b2: b3}
    assert (lines.undone, lines.hidden) == (1, 1)
    assert lines_of(made, "s", show_undone=True).ids.tolist() == [a2, b3, c, gone, late]
    seen = window(made.db, made.cap, lines, gone, before=1, after=1)
    assert states(seen) == [(c, "live"), (gone, "undone"), (late, "live")]
    assert states(window(made.db, made.cap, lines, hidden, before=0)) == [(hidden, "hidden")]
    assert states(window(made.db, made.cap, lines, b, before=0, after=0)) == [(b3, "live")]


def test_a_row_without_a_state_is_live() -> None:
    made = Made("0.19")
    made.db.execute("CREATE TABLE old AS SELECT * FROM messages")
    made.db.execute("DROP TABLE messages")
    made.db.execute("ALTER TABLE old RENAME TO messages")
    made.session("s")
    for number, (active, compacted) in enumerate([(None, None), (1, None), (0, None), (0, 1), (None, 1)], 1):
        made.say("s", id=number, active=active, compacted=compacted)
    lines = lines_of(made, "s", show_undone=True)
    assert states(page(made.db, made.cap, lines, 0, 9)) == [
        (1, "live"), (2, "live"), (3, "undone"), (4, "compacted"), (5, "live"),
    ]  # fmt: skip


# -- windows --------------------------------------------------------------------------------------------------------


def test_a_message_taken_back_is_shown_when_it_is_asked_for() -> None:
    made = Made("0.19")
    made.session("s")
    rows = [made.say("s", active=number not in (2, 3)) for number in range(6)]
    lines = lines_of(made, "s")
    seen = window(made.db, made.cap, lines, rows[3], before=1, after=1)
    assert states(seen) == [(rows[1], "live"), (rows[3], "undone"), (rows[4], "live")]
    assert (seen.messages_before, seen.messages_after) == (2, 2)
    assert (seen.remaining_before, seen.remaining_after) == (1, 1)


def test_messages_of_others_are_not_found() -> None:
    made = Made()
    made.session("s")
    made.session("t")
    made.say("s")
    other = made.say("t")
    lines = lines_of(made, "s")
    for number in (other, 999, -1, 2**40):
        with pytest.raises(MessageNotFound):
            window(made.db, made.cap, lines, number)
        with pytest.raises(MessageNotFound):
            more_after(made.db, made.cap, lines, number)


def test_an_empty_conversation() -> None:
    made = Made()
    made.session("s")
    lines = lines_of(made, "s")
    assert page(made.db, made.cap, lines, 0, 9) == Window((), 0, 0, None, 0, 0)
    assert at_time(made.db, lines, 1.0) is None
    assert bookends(made.db, made.cap, lines).first == ()
    assert usage(made.db, made.cap, lines.conversation) == Usage()
    assert usage(made.db, made.cap, lines.conversation).line == ""


@pytest.mark.parametrize("generation", ["0.13", "0.19", "0.22"])
@given(seed=st.integers(0, 10_000), before=st.integers(0, 7), after=st.integers(0, 7), step=st.integers(1, 9))
@settings(max_examples=20, deadline=None)
def test_from_any_message_the_whole_conversation_is_reached(
    generation: str, seed: int, before: int, after: int, step: int
) -> None:
    rng = random.Random(seed)
    made = Made(generation)
    names: list[str] = []
    for number in range(rng.randint(1, 4)):
        names.append(made.session(f"s{number}", names[-1] if names else None))
        made.session("other") if number == 0 else None
        for _ in range(rng.randint(0, 12)):
            more: dict[str, object] = {}
            if generation != "0.13":
                more = {"active": rng.choice([1, 1, 0]), "compacted": rng.choice([0, 1])}
            if generation == "0.22" and rng.random() < 0.3:
                more["display_order"] = rng.randint(1, 30)
            if rng.random() < 0.3:
                more["timestamp"] = rng.choice([1.0, 2.0, "abc", 5.49e246])
            made.say(names[-1], rng.choice(["a", "b", "", None]), rng.choice(["user", "assistant", "tool"]), **more)
            made.say("other")
        made.end(names[-1])
    cap = made.cap
    lines = lines_of(made, rng.choice(names), show_undone=rng.random() < 0.5)
    ids = lines.ids.tolist()
    assert len(set(ids)) == len(ids)
    everything = [row[0] for row in made.db.execute("SELECT id FROM messages WHERE session_id <> 'other'")]
    assert set(ids) | set(lines.carried) <= set(everything)
    assert len(ids) + len(lines.carried) + (0 if lines.show_undone else lines.undone) == len(everything)
    for anchor in everything:
        seen = window(made.db, cap, lines, anchor, before=before, after=after)
        shown = [each.id for each in seen.messages]
        assert seen.anchor in shown
        at = shown.index(seen.anchor or 0)
        assert (at, len(shown) - at - 1) == (min(before, seen.messages_before), min(after, seen.messages_after))
        assert seen.remaining_before + at == seen.messages_before
        assert seen.remaining_after + len(shown) - at - 1 == seen.messages_after
    if ids:
        got = [rng.choice(ids)]
        while more_ids := [each.id for each in more_before(made.db, cap, lines, got[0], step).messages]:
            got = [*more_ids, *got]
        while more_ids := [each.id for each in more_after(made.db, cap, lines, got[-1], step).messages]:
            got += more_ids
        assert got == ids
        assert [each.id for each in walk(made.db, cap, lines, step=step)] == ids
    opened = [each.segment for each in walk(made.db, cap, lines) if each.opens]
    assert opened == sorted({each.segment for each in walk(made.db, cap, lines)} - {0})


@pytest.mark.parametrize("generation", ["0.13", "0.19"])
def test_opening_and_counting_costs_little_more_than_the_bare_window(generation: str) -> None:
    """In steps of SQLite's own machine, against the client's two statements, in a conversation of 10,000 messages."""
    made = Made(generation)
    made.session("s")
    made.db.execute("BEGIN")
    for number in range(10_000):
        made.say("s", f"message {number}")
    made.db.execute("COMMIT")
    cap, talk = made.cap, conversation(made.db, made.cap, "s")

    def bare() -> None:
        sql = "SELECT * FROM messages WHERE session_id = 's' AND id {} 5000 ORDER BY id {} LIMIT 21"
        made.db.execute(sql.format("<=", "DESC")).fetchall()
        made.db.execute(sql.format(">", "ASC")).fetchall()

    lines = outline(made.db, cap, talk)
    opening = made.steps(lambda: window(made.db, cap, outline(made.db, cap, talk), 5000))
    paging = made.steps(lambda: more_after(made.db, cap, lines, 5020))
    assert opening < 2 * made.steps(bare)
    assert paging < opening / 5


# -- rows as they are found -----------------------------------------------------------------------------------------


def test_structured_content_broken_json_and_odd_types() -> None:
    made = Made("0.19")
    made.session("s")
    picture = json.dumps(
        [{"type": "image_url", "image_url": {"url": "data:" + "A" * 200_000}}, {"type": "text", "text": "what is it"}]
    )
    made.say("s", STRUCTURED + picture)
    made.say("s", STRUCTURED + "[{broken")
    made.say("s", "x", "assistant", tool_calls="not json")
    made.say("s", 12)
    made.say("s", b"\xff\xfe\x00bytes")
    made.say("s", None, None)
    made.say("s", "a\x00b")
    seen = page(made.db, made.cap, lines_of(made, "s"), 0, 20).messages
    assert [each.text for each in seen] == ["what is it", "[{broken", "x", "12", "\ufffd\ufffd\x00bytes", "", "a\x00b"]
    assert seen[0].attachments == ("image",)
    assert [each.broken for each in seen[:3]] == [(), ("content",), ("tool_calls",)]
    assert seen[2].calls[0].arguments == "not json"
    assert seen[5].role == "?"


@pytest.mark.parametrize("when", [5.49e246, float("inf"), -1e18, "abc", None])
def test_absurd_times_are_no_times(when: object) -> None:
    made = Made("0.19")
    made.session("s", started_at=when)
    made.say("s", timestamp=when)
    lines = lines_of(made, "s")
    assert page(made.db, made.cap, lines, 0, 1).messages[0].timestamp is None
    assert at_time(made.db, lines, 1.0) == 1


def test_huge_rows_are_cut_and_say_so() -> None:
    made = Made("0.19")
    made.session("s")
    text = "é" * 1_200_000
    made.say("s", text)
    made.say("s", "\x00" + "n" * 100_000)
    made.say("s", reasoning="r" * 500_000)
    first, second, third = page(made.db, made.cap, lines_of(made, "s"), 0, 3).messages
    assert (len(first.text), first.size, first.more) == (24_000, 2_400_000, 2_352_000)
    assert set(first.text) == {"é"}
    assert (second.size, second.more) == (100_001, 52_001)
    assert len(third.reasoning) == 48_000
    full = whole(made.db, made.cap, first.id)
    assert full is not None
    assert (full.text, full.more) == (text, 0)
    assert whole(made.db, made.cap, 99) is None
    assert [len(each.text) for each in walk(made.db, made.cap, lines_of(made, "s"))][:2] == [1_200_000, 100_001]


def test_a_call_is_joined_to_the_first_result_behind_it() -> None:
    made = Made("0.19")
    made.session("s")
    call = json.dumps([{"id": "c1", "function": {"name": "ls", "arguments": "{}"}}])
    ids: list[int] = []
    for size in (10, 2000):
        ids.append(made.say("s", None, "assistant", tool_calls=call))
        ids.append(made.say("s", "o" * size, "tool", tool_call_id="c1", tool_name="ls"))
    last = made.say("s", None, "assistant", tool_calls=call)
    lines = lines_of(made, "s")
    seen = page(made.db, made.cap, lines, 0, 9).messages
    found = [(call.result_id, call.result_bytes) for each in seen for call in each.calls]
    assert found == [(ids[1], 10), (ids[3], 2000), (None, None)]
    # A window that ends with the call still knows how big the result is.
    alone = window(made.db, made.cap, lines, ids[2], before=0, after=0).messages[0]
    assert alone.calls[0].summary == "ls · 2.0 kB"
    assert window(made.db, made.cap, lines, last, before=0, after=0).messages[0].calls[0].summary == "ls"


# -- moving and the rest --------------------------------------------------------------------------------------------


def test_turns_dates_and_both_ends() -> None:
    made = Made("0.19")
    made.session("a")
    roles = ["user", "assistant", "tool", "assistant", "user"]
    ids = [made.say("a", "" if role == "tool" else role, role, timestamp=100.0 + at) for at, role in enumerate(roles)]
    made.end("a", ended_at=110.0)
    made.session("b", "a", started_at=110.0)
    ids += [made.say("b", "later", role, timestamp=200.0 + at) for at, role in enumerate(("assistant", "user"))]
    made.say("b", "gone", timestamp=202.0, active=0)
    lines = lines_of(made, "b")

    def go(start: int, step: int) -> int | None:
        return turn(made.db, made.cap, lines, start, step)

    assert [go(ids[0], -1), go(ids[0], 1), go(ids[4], 1), go(ids[6], 1)] == [None, ids[4], ids[6], None]
    assert [go(ids[6], -1), go(ids[5], -1), go(ids[3], -1)] == [ids[4], ids[4], ids[0]]
    assert go(999, 1) is None
    times = [at_time(made.db, lines, when) for when in (0.0, 102.0, 102.5, 150.0, 201.5, 9e9)]
    assert times == [ids[0], ids[2], ids[3], ids[5], ids[6], ids[6]]
    ends = bookends(made.db, made.cap, lines)
    assert [each.id for each in ends.first] == [ids[0], ids[1], ids[3]]
    assert [each.id for each in ends.last] == [ids[4], ids[5], ids[6]]


def test_a_long_way_to_the_next_turn() -> None:
    made = Made("0.19")
    made.session("s")
    first = made.say("s")
    for _ in range(700):
        last = made.say("s", "x", "tool")
    assert turn(made.db, made.cap, lines_of(made, "s"), last, -1) == first


def test_system_prompts() -> None:
    made = Made("0.22")
    made.db.execute("INSERT INTO system_prompts VALUES ('h', 'You are kind.')")
    made.session("hashed", system_prompt_hash="h")
    made.session("inline", system_prompt="You are quick.")
    made.session("lost", system_prompt_hash="gone")
    found = [system_prompt(made.db, made.cap, each) for each in ("hashed", "inline", "lost", "nobody")]
    assert found == ["You are kind.", "You are quick.", None, None]


def test_usage_is_summed_over_the_sessions() -> None:
    made = Made("0.19")
    made.session("a", input_tokens=1000, output_tokens=5, estimated_cost_usd=0.5, tool_call_count=2)
    made.end("a")
    made.session("b", "a", input_tokens=234, reasoning_tokens="odd", estimated_cost_usd=None)
    took = usage(made.db, made.cap, conversation(made.db, made.cap, "a"))
    assert took == Usage(1234, 5, 0, 0, 0, 2, 0.5)
    said = [Usage(cost=cost).line for cost in (1.2, 1234.0, 0.028, 0.12345, None, 0.0)]
    assert said == ["$1.20", "$1,234.00", "$0.028", "$0.1235", "", ""]
    assert took.line == "tokens 1,234 in · 5 out · $0.50"


# -- what a compression keeps -----------------------------------------------------------------------------------------


def talk_of(made: Made, session: str, count: int, start: float) -> list[int]:
    """Turns with a tool call each, every text different."""
    ids: list[int] = []
    for number in range(count):
        call = json.dumps([{"id": f"c{start}{number}", "function": {"name": "ls", "arguments": "{}"}}])
        when = start + number * 10
        ids.append(made.say(session, f"do {start} {number}", timestamp=when))
        ids.append(made.say(session, "", "assistant", tool_calls=call, timestamp=when + 1))
        ids.append(made.say(session, f"out {number}", "tool", tool_call_id=f"c{start}{number}", timestamp=when + 2))
    return ids


def compress(made: Made, session: str, into: str, now: float, keep: int, *, loaded: bool) -> list[int]:
    """What the client does: the first three rows, a summary, the last ones; their times only if they were loaded."""
    columns = "role, content, tool_call_id, tool_calls, timestamp"
    live = made.db.execute(
        f"SELECT {columns} FROM messages WHERE session_id = ? AND active = 1 ORDER BY id", (session,)
    )
    rows = live.fetchall()
    if into == session:
        made.db.execute("UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1", (session,))
    kept = [*rows[:3], ("user", f"[Summary {now}]", None, None, now), *rows[-keep:]]
    ids: list[int] = []
    for number, (role, text, call_id, calls, when) in enumerate(kept):
        # One after the other by a millionth of a second, or as slowly as a commit takes.
        step = 1e-6 if into == session else 1e-4
        stamp = when if loaded and not str(text).startswith("[S") else now + number * step
        text = "[cleared]" if role == "tool" and number > 4 else text
        ids.append(made.say(into, text, role, tool_call_id=call_id, tool_calls=calls, timestamp=stamp))
    return ids


@pytest.mark.parametrize("loaded", [True, False])
def test_a_running_agent_compresses_in_place_three_times(loaded: bool) -> None:
    made = Made("0.19")
    made.session("s")
    expected = talk_of(made, "s", 30, 1_760_000_000.0)
    for turn_number in range(1, 4):
        now = 1_760_000_000.0 + turn_number * 10_000
        copies = compress(made, "s", "s", now, 20, loaded=loaded)
        expected.append(copies[3])
        expected += talk_of(made, "s", 5, now + 100)
    lines = lines_of(made, "s")
    assert lines.ids.tolist() == sorted(expected)
    assert len(lines.carried) == 3 * 23
    assert set(lines.carried.values()) <= set(expected)
    assert lines.position(copies[0]) == 0


@pytest.mark.parametrize("loaded", [True, False])
@pytest.mark.parametrize("keep", [1, 20])
def test_a_running_agent_goes_on_in_the_next_session(loaded: bool, keep: int) -> None:
    made = Made("0.19")
    expected: list[int] = []
    for number in range(3):
        now = 1_760_000_000.0 + number * 10_000
        made.session(f"s{number}", f"s{number - 1}" if number else None, started_at=now)
        if number:
            expected.append(compress(made, f"s{number - 1}", f"s{number}", now, keep, loaded=loaded)[3])
        expected += talk_of(made, f"s{number}", 10, now + 100)
        made.end(f"s{number}", ended_at=now + 9_000)
    lines = lines_of(made, "s2")
    assert lines.ids.tolist() == expected


def test_what_merely_repeats_is_no_copy() -> None:
    """The same words at the start of the next session, and again after a compression that kept nothing of them."""
    made = Made("0.19")
    made.session("a")
    ids = [made.say("a", text, role) for text, role in (("hello", "user"), ("yes", "assistant"), ("go on", "user"))]
    ids.append(made.say("a", "done", "assistant"))
    made.end("a")
    made.session("b", "a")
    ids += [made.say("b", text, role) for text, role in (("hello", "user"), ("yes", "assistant"), ("go on", "user"))]
    assert lines_of(made, "b").ids.tolist() == ids
    made.session("s")
    rows = [made.say("s", "go on", active=0, compacted=1) for _ in range(3)]
    rows.append(made.say("s", "end", "assistant", active=0, compacted=1))
    rows += [made.say("s", "[Summary]"), made.say("s", "go on"), made.say("s", "go on")]
    assert lines_of(made, "s").ids.tolist() == rows


def test_a_message_that_is_not_read_whole_ends_before_a_word_that_is_cut() -> None:
    made = Made("0.19")
    made.session("s")
    token = "ghp_" + "a1B2c3D4e5" * 4
    number = made.say("s", "word " * 9_596 + "x " + token + " and on " * 900, reasoning="word " * 9_598 + "x" + token)
    seen = read(made.db, made.cap, [number])[number]
    assert "ghp_" not in seen.text and "ghp_" not in seen.reasoning
    assert len(seen.text.encode()) + seen.more == seen.size
