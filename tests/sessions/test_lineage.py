"""Which sessions are one conversation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import VERSIONS
from tests.sessions.made import Made
from workbench.errors import SessionNotFound
from workbench.sessions.database import Database
from workbench.sessions.lineage import children_of, conversation, find, roots
from workbench.sessions.schema import look

CHAIN = ("20251011_090000_d4e5f6", "20251011_140000_d4e5f7", "20251012_080000_d4e5f8")
BRANCH, DELEGATE = "20251012_082000_br0001", "20251012_081000_sub001"


@pytest.mark.parametrize("version", VERSIONS)
def test_the_three_sessions_of_a_home_are_one_conversation(unpack: Callable[[str], Path], version: str) -> None:
    with Database(unpack(version) / "state.db").connection() as db:
        cap = look(db)
        assert roots(db, cap, [*CHAIN, BRANCH, DELEGATE]) == {
            **dict.fromkeys(CHAIN, CHAIN[0]),
            BRANCH: BRANCH,
            DELEGATE: DELEGATE,
        }
        for asked in CHAIN:
            talk = conversation(db, cap, asked)
            assert (talk.ids, talk.root, talk.title, talk.asked) == (CHAIN, CHAIN[0], "Auth refactor #3", asked)
            assert [(each.id, each.kind) for each in talk.branches] == [(BRANCH, "branch")]
            assert [(each.id, each.kind) for each in talk.delegates] == [(DELEGATE, "delegate")]
        branch = conversation(db, cap, BRANCH)
        assert branch.ids == (BRANCH,)
        assert branch.parent is not None
        assert (branch.parent.id, branch.parent.kind) == (CHAIN[2], "branch")


@pytest.mark.parametrize(("generation", "together"), [("0.13", False), ("0.19", True), ("0.22", True)])
def test_only_without_marks_must_a_child_start_after_its_parent_ended(generation: str, together: bool) -> None:
    made = Made(generation)
    made.session("parent")
    made.end("parent")
    made.session("child", "parent", started_at=1.0)
    assert roots(made.db, made.cap, ["child"]) == {"child": "parent" if together else "child"}


@pytest.mark.parametrize("generation", ["0.13", "0.19", "0.22"])
def test_a_child_that_starts_late_enough_continues_in_every_generation(generation: str) -> None:
    made = Made(generation)
    made.session("parent")
    made.end("parent")
    made.session("child", "parent")
    assert conversation(made.db, made.cap, "parent").ids == ("parent", "child")


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"mark": "_branched_from"}, "branch"),
        ({"mark": "_delegate_from"}, "delegate"),
        ({"mark": "_reset_from"}, "reset"),
        ({"source": "tool"}, "delegate"),
        ({"source": "subagent"}, "delegate"),
    ],
)
def test_marked_children_are_kept_apart(more: dict[str, str], kind: str) -> None:
    made = Made("0.22")
    made.session("parent")
    made.end("parent")
    made.session("child", "parent", **more)
    talk = conversation(made.db, made.cap, "parent")
    assert talk.ids == ("parent",)
    assert [each.kind for each in (*talk.branches, *talk.delegates)] == [kind]
    assert roots(made.db, made.cap, ["child"]) == {"child": "child"}


@pytest.mark.parametrize("config", ["{bad", "[1]", '{"_branched_from": null}', '{"other_from": 1}', ""])
def test_a_config_without_a_readable_mark_is_no_mark(config: str) -> None:
    made = Made()
    made.session("parent")
    made.end("parent")
    made.session("child", "parent", model_config=config)
    assert conversation(made.db, made.cap, "child").ids == ("parent", "child")


def test_a_parent_that_did_not_end_by_compression_is_not_continued() -> None:
    made = Made()
    made.session("parent")
    made.end("parent", "user_exit")
    made.session("child", "parent")
    talk = conversation(made.db, made.cap, "child")
    assert talk.ids == ("child",)
    assert talk.parent is not None
    assert talk.parent.kind == "delegate"


def test_a_branch_from_before_the_mark_is_told_by_how_its_parent_ended() -> None:
    made = Made("0.13")
    made.session("parent")
    made.end("parent", "branched")
    made.session("child", "parent")
    assert [each.kind for each in conversation(made.db, made.cap, "parent").branches] == ["branch"]


def test_of_several_continuations_the_one_that_went_on_is_followed() -> None:
    made = Made()
    made.session("parent")
    made.end("parent")
    made.session("closed", "parent")
    made.end("closed", "ws_orphan_reap")
    made.session("live", "parent", started_at=5.0)
    assert conversation(made.db, made.cap, "parent").ids == ("parent", "live")
    made.session("went-on", "parent", started_at=4.0)
    made.end("went-on")
    made.session("tip", "went-on")
    talk = conversation(made.db, made.cap, "parent")
    assert talk.ids == ("parent", "went-on", "tip")
    assert {each.id: each.kind for each in talk.branches} == {"closed": "sibling", "live": "sibling"}
    made.say("live")
    made.session("live-too", "parent")
    made.say("live-too")
    made.db.execute("DELETE FROM sessions WHERE id = 'went-on'")
    # Both live: the one with the newest message.
    assert conversation(made.db, made.cap, "parent").ids == ("parent", "live-too")
    made.say("live")
    assert conversation(made.db, made.cap, "parent").ids == ("parent", "live")


def test_a_sibling_that_is_asked_for_is_read_with_its_own_beginning() -> None:
    made = Made()
    made.session("parent")
    made.end("parent")
    made.session("main", "parent")
    made.session("other", "parent")
    made.end("other", "user_exit")
    talk = conversation(made.db, made.cap, "other")
    assert talk.ids == ("parent", "other")
    assert [each.id for each in talk.branches] == ["main"]
    assert talk.only("other").ids == ("other",)
    with pytest.raises(SessionNotFound):
        talk.only("main")


def test_missing_parents_and_unknown_sessions() -> None:
    made = Made()
    made.session("orphan", "gone")
    assert conversation(made.db, made.cap, "orphan").ids == ("orphan",)
    assert roots(made.db, made.cap, ["orphan", "nobody"]) == {"orphan": "orphan", "nobody": "nobody"}
    assert roots(made.db, made.cap, []) == {}
    with pytest.raises(SessionNotFound):
        conversation(made.db, made.cap, "nobody")


@given(
    st.lists(
        st.tuples(st.integers(-1, 9), st.sampled_from(["compression", "user_exit", None]), st.booleans()),
        min_size=1,
        max_size=10,
    )
)
@settings(max_examples=150, deadline=None)
def test_every_tangle_has_one_root_for_all_that_belongs_together(rows: list[tuple[int, str | None, bool]]) -> None:
    """Any parents, cycles and self-references included: `roots` and `conversation` agree, and nothing is met twice."""
    made = Made()
    for number, (parent, reason, marked) in enumerate(rows):
        parent_id = f"s{parent}" if parent >= 0 else None
        more = {"mark": "_branched_from"} if marked else {}
        made.session(f"s{number}", parent_id, end_reason=reason, ended_at=None if reason is None else 1.0, **more)
    cap = made.cap
    ids = [f"s{number}" for number in range(len(rows))]
    found = roots(made.db, cap, ids)
    for ident in ids:
        talk = conversation(made.db, cap, ident)
        assert talk.root == found[ident]
        assert ident in talk.ids
        assert len(set(talk.ids)) == len(talk.ids)
        assert {found[each] for each in talk.ids} == {talk.root}


def test_roots_take_one_query_a_step_however_many_are_asked() -> None:
    made = Made()
    for number in range(1500):
        made.session(f"s{number}", f"s{number - 1}" if number % 3 else None, end_reason="compression")
    cap = made.cap
    asked: list[str] = []
    made.db.set_trace_callback(asked.append)
    found = roots(made.db, cap, [f"s{number}" for number in range(1500)])
    made.db.set_trace_callback(None)
    assert found == {f"s{number}": f"s{number - number % 3}" for number in range(1500)}
    assert len(asked) < 10


def test_children_of_many_parents_are_grouped() -> None:
    made = Made()
    made.session("a")
    made.session("b", "a")
    made.session("c", "a")
    made.session("self", "self")
    found = children_of(made.db, made.cap, ["a", "self"])
    assert {parent: [each.id for each in each_one] for parent, each_one in found.items()} == {"a": ["b", "c"]}


def test_a_session_is_found_by_id_beginning_and_title() -> None:
    made = Made()
    for ident, title in (("2025_a1", "One"), ("2025_a2", "Two"), ("2026_b", "大别山项目")):
        made.session(ident, title=title)
    cap = made.cap
    assert find(made.db, cap, "2025_a1") == "2025_a1"
    assert find(made.db, cap, "2026") == "2026_b"
    assert find(made.db, cap, "Two") == "2025_a2"
    assert find(made.db, cap, "大别山项目") == "2026_b"
    with pytest.raises(SessionNotFound) as raised:
        find(made.db, cap, "2025")
    assert raised.value.matches == ("2025_a1", "2025_a2")
    for wanted in ("", "nothing", "%"):
        with pytest.raises(SessionNotFound) as raised:
            find(made.db, cap, wanted)
        assert raised.value.matches == ()
