"""The difference by similarity, and its inverse."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.memory import difference, invert, summary
from workbench.memory.loss import loss, words

STAGING = "Staging host 10.0.1.50 listens for SSH on port 2222, not 22"
WORDS = st.text("abcdefgh ", min_size=3, max_size=20).map(str.strip).filter(bool)
ENTRIES = st.lists(WORDS, max_size=8, unique=True)


def kinds(before: list[str], after: list[str]) -> list[str]:
    return [change.kind for change in difference(before, after)]


def test_an_edited_entry_is_one_change() -> None:
    changes = difference([STAGING, "tea"], [STAGING.replace("2222, not 22", "2200"), "tea"])
    assert [(c.kind, c.before == STAGING) for c in changes] == [("edited", True), ("same", False)]
    assert changes[0].ratio >= 0.5


def test_another_fact_is_a_removal_and_an_addition() -> None:
    assert kinds([STAGING], ["Prefers short answers with the command first"]) == ["added", "removed"]


def test_order_is_kept_and_removed_entries_stand_where_they_stood() -> None:
    assert [c.before or c.after for c in difference(["a1", "b2", "c3"], ["a1", "c3", "d4"])] == ["a1", "b2", "c3", "d4"]


def test_one_moved_entry_is_one_move() -> None:
    assert kinds(["a1", "b2", "c3", "d4"], ["b2", "c3", "d4", "a1"]).count("moved") == 1


def test_summary_counts() -> None:
    assert summary(difference([STAGING, "zz"], [STAGING + "!", "qq", "rr"])) == "+2 −1 ~1"
    assert summary(difference(["a"], ["a"])) == ""


def test_two_thousand_alike_entries_are_compared_by_neighbourhood() -> None:
    before = [f"host {n:04d} listens on port {n + 1000}" for n in range(1000)]
    after = [text.replace("listens", "waits") for text in before]
    assert kinds(before, after).count("edited") == 1000


@settings(max_examples=300)
@given(ENTRIES, ENTRIES)
def test_every_entry_of_both_sides_is_accounted_for(before: list[str], after: list[str]) -> None:
    changes = difference(before, after)
    assert sorted(c.before for c in changes if c.before is not None) == sorted(before)
    assert [c.after for c in changes if c.after is not None] == after


@settings(max_examples=300)
@given(ENTRIES, ENTRIES)
def test_inverting_on_the_same_state_gives_the_former_entries(before: list[str], after: list[str]) -> None:
    result, conflicts = invert(before, after, after)
    assert sorted(result) == sorted(before)
    assert conflicts == ()


@settings(max_examples=300)
@given(ENTRIES, ENTRIES, st.lists(st.text("xyz", min_size=25, max_size=30), max_size=3, unique=True))
def test_inverting_keeps_what_others_added_meanwhile(before: list[str], after: list[str], more: list[str]) -> None:
    result, conflicts = invert(before, after, [*after, *more])
    assert set(more) <= set(result)
    assert set(before) <= set(result)
    assert conflicts == ()


def test_an_entry_that_is_gone_is_a_conflict() -> None:
    result, conflicts = invert(["a"], ["a", "new fact"], ["a"])
    assert result == ("a",)
    assert [c.kind for c in conflicts] == ["added"]


def test_loss_counts_words_and_numbers_only() -> None:
    assert (
        loss(STAGING, "port 2222, not 22", "Staging host 10.0.1.50 listens for SSH on port 2200 since the move") is None
    )
    lost = loss("Rules: no force push; run tests first; ask before deploy", "run tests first", "run unit tests first")
    assert lost is not None
    assert lost.dropped == ("Rules: no force push;", "; ask before deploy")
    assert (lost.chars_before, lost.chars_after, lost.chars_outside) == (56, 20, 41)


def test_loss_in_chinese_goes_by_pairs() -> None:
    entry = "本机运行 Debian 12，用 Podman 代替 Docker"
    assert words("代替服务") == ("代替", "替服", "服务")
    assert loss(entry, "Debian 12", "本机运行 Debian 13，用 Podman 代替 Docker") is None
    lost = loss(entry, "Debian 12", "运行 Debian 13")
    assert lost is not None
    assert "本机" in lost.words


def test_texts_of_megabytes_are_compared_by_their_ends() -> None:
    begun = time.process_time()
    old = "lines and lines. " * 200_000
    (edit,) = difference([old], ["A title. " + old + "More."])
    assert (edit.kind, round(edit.ratio, 3)) == ("edited", 1.0)
    assert [one.kind for one in difference([old], ["x" + old[::-1] + "y"])] == ["added", "removed"]
    assert [one.kind for one in difference([old], ["short"])] == ["added", "removed"]
    assert time.process_time() - begun < 1.0
