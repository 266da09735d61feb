"""Cuts: where they are proposed, what pieces they make, and that they lose nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import WorkbenchError
from workbench.memory import Exact, Split, apply, parse
from workbench.memory.applying import clean
from workbench.memory.layout import is_tidy, layout_changes
from workbench.memory.splitting import pieces_of, places, propose_cuts

PROPOSED: dict[str, tuple[str, tuple[str, ...]]] = {
    "separators win": (
        "# One\nfirst\n\nstill first\n---\n# Two\nsecond",
        ("# One\nfirst\n\nstill first", "# Two\nsecond"),
    ),
    "odd section signs": ("first\n  §\nsecond\n§ \nthird\n§", ("first", "second", "third")),
    "headings": ("intro\n# One\na\n\nb\n## Two\nc", ("intro", "# One\na\n\nb", "## Two\nc")),
    "title and section stay together": ("# Notes\n\n## One\na\n## Two\nb", ("# Notes\n\n## One\na", "## Two\nb")),
    "paragraphs": ("one\nstill one\n\n\ntwo\n\nthree", ("one\nstill one", "two", "three")),
    "bullets": ("- one\n  - inner\n- two\n* three", ("- one\n  - inner", "- two", "* three")),
    "introduced bullets": ("Deploys:\n1. tag\n2) wait", ("Deploys:\n1. tag", "2) wait")),
    "indented bullets": ("  • one\n      • inner\n  • two", ("• one\n      • inner", "• two")),
    "no structure": ("One line. Another sentence; and more.", ("One line. Another sentence; and more.",)),
    "two plain lines": ("one\ntwo", ("one\ntwo",)),
    "nothing on one side": ("---\nonly\n---", ("only",)),
}


@pytest.mark.parametrize("name", PROPOSED)
def test_proposals(name: str) -> None:
    text, wanted = PROPOSED[name]
    assert pieces_of(text, propose_cuts(text)) == wanted


def test_too_long_pieces_are_cut_further_and_filled_up() -> None:
    text = "# One\n" + "- a bullet of some length\n" * 4 + "# Two\nshort"
    assert max(map(len, pieces_of(text, propose_cuts(text)))) > 60
    assert max(map(len, pieces_of(text, propose_cuts(text, 60)))) <= 60
    sentences = "Ten chars. " * 30
    pieces = pieces_of(sentences, propose_cuts(sentences, 100))
    assert [len(piece) for piece in pieces] == [98, 98, 98, 32]


def test_a_blob_without_any_sign_can_be_cut() -> None:
    for blob in ("z" * 2_000, "word " * 500, "字" * 900, "e" + "\u0301" * 900):
        pieces = pieces_of(blob, propose_cuts(blob, 500))
        assert "".join("".join(pieces).split()) == "".join(blob.split())
        assert len(pieces) > 1 or "\u0301" in blob
        assert max(map(len, pieces)) <= 500 or "\u0301" in blob, "marks are not taken from their letter"


def test_places_are_lines_and_sentences() -> None:
    text = "One. Two; three\n\n  four 3.5 e.g. this, J. Doe\n五。六\n  12. first. second"
    shown = [text[at:].split("\n")[0][:5].rstrip() for at in places(text)]
    assert shown == ["Two;", "three", "  fou", "五。六", "六", "  12.", "secon"]


lines = st.lists(
    st.one_of(
        st.sampled_from(["", "---", "§", " § ", "# head", "- item", "  - sub", "1. one", "a. b; c", "字。字"]),
        st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40),
    ),
    max_size=25,
)


@given(lines, st.one_of(st.none(), st.integers(1, 80)), st.data())
def test_pieces_are_entries_and_lose_no_letter(raw: list[str], most: int | None, data: st.DataObject) -> None:
    try:
        text = clean("\n".join(raw))
    except WorkbenchError:
        return
    allowed = places(text)
    cuts = propose_cuts(text, most)
    assert list(cuts) == sorted(set(cuts)) and set(cuts) <= set(allowed)
    assert all(0 < at < len(text) for at in allowed)
    some = data.draw(st.sets(st.sampled_from(allowed))) if allowed else set()
    for chosen in (cuts, some):
        pieces = pieces_of(text, chosen)
        assert all(clean(piece) == piece for piece in pieces)
        assert [c for c in "".join(pieces) if c.isalnum()] == [c for c in text if c.isalnum()]
    if len(pieces_of(text, cuts)) == len(set(pieces_of(text, cuts))) > 1:
        outcome = apply({"memory": (text,)}, Split("memory", Exact(text), pieces_of(text, cuts)), {"memory": 9_000})
        assert not outcome.confirm and outcome.after["memory"] == pieces_of(text, cuts)


def test_layout_changes_name_everything_that_normalise_changes() -> None:
    data = "\ufeffone  \r\n§\r\n two\n§\n\n§\ntwo\rmore\n§\none\n\n".encode()
    document = parse(data, "memory", 500, windows=False)
    said = layout_changes(document)
    assert not is_tidy(document)
    assert said == (
        "the byte order mark at the beginning goes",
        "line ends become LF (2 CR LF, 1 lone CR)",
        "blanks beside the § in line 2 go",
        "1 empty entry between two § goes",
        "blanks and empty lines at the file's ends go",
        "1 exact copy goes, the first one stays",
    )


def test_a_tidy_file_has_nothing_to_change() -> None:
    for data in (None, b"", "one\n§\ntwo".encode(), b"\xff"):
        assert layout_changes(parse(data, "memory", 500)) == ()
    assert layout_changes(parse(b"one\n", "memory", 500)) == ("blanks and empty lines at the file's ends go",)
