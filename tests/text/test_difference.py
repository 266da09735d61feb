"""Differences by words and lines spell both texts exactly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.text.difference import Piece, compare_lines, compare_words

TEXTS = st.text("ab c,中文\n.", max_size=40)


def spell(pieces: tuple[Piece, ...], without: str) -> str:
    return "".join(piece.text for piece in pieces if piece.kind != without)


@given(TEXTS, TEXTS)
def test_words_spell_both_texts(before: str, after: str) -> None:
    pieces = compare_words(before, after)
    assert spell(pieces, "come") == before
    assert spell(pieces, "gone") == after
    assert all(piece.text for piece in pieces)


@given(TEXTS, TEXTS)
def test_lines_spell_both_texts(before: str, after: str) -> None:
    rows = compare_lines(before, after)
    left = [spell(row.left, "come") for row in rows if row.left is not None]
    right = [spell(row.right, "gone") for row in rows if row.right is not None]
    assert "\n".join(left) == before
    assert "\n".join(right) == after
    assert [row.left_number for row in rows if row.left_number] == list(range(1, before.count("\n") + 2))


def test_a_changed_word_is_marked_alone() -> None:
    pieces = compare_words("SSH on port 2222, not 22", "SSH on port 2200 since May")
    assert pieces[0] == Piece("same", "SSH on port ")
    assert [piece.kind for piece in pieces] == ["same", "gone", "come"]


def test_one_chinese_character_is_a_word() -> None:
    assert [piece.text for piece in compare_words("用旧服务", "用新服务") if piece.kind != "same"] == ["旧", "新"]


def test_blanks_between_changes_do_not_split_them() -> None:
    kinds = [piece.kind for piece in compare_words("one two three", "uno dos three")]
    assert kinds == ["gone", "come", "same"]


def test_lines_alike_are_one_row_and_others_two() -> None:
    rows = compare_lines("keep\nhost a on port 1\nold", "keep\nhost a on port 2\nquite another thing")
    assert [row.kind for row in rows] == ["same", "changed", "gone", "come"]


def test_a_huge_change_is_not_compared_by_words() -> None:
    before, after = "a b " * 5000, "c d " * 5000
    assert compare_words(before, after) == (Piece("gone", before), Piece("come", after))


def test_ten_thousand_blank_lines_are_compared_in_a_bounded_number_of_steps() -> None:
    before, after = "\n" * 10_000, "x" + "\n" * 9_990
    rows = compare_lines(before, after)
    assert sum(row.left is not None for row in rows) == 10_001
    assert sum(row.right is not None for row in rows) == 9_991
