"""No text may hold the screen: a hostile one costs a bounded multiple of an ordinary one of the same length."""

from __future__ import annotations

import time
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.threats.fragments import SKELETONS
from workbench.threats import WINDOW, client_ids, scan
from workbench.threats.engine import normalised, segments

_ORDINARY = "Prefers short answers, dark mode and café breaks; lives in Lisbon. " * (WINDOW // 60)
_UNITS = [
    *{word + " " for words in SKELETONS.values() for choice in words for word in choice if word},
    *(
        "<!-- ignore ",
        "ignore all ",
        "act as if you ",
        "cat ~/.env ",
        "curl $",
        "$A",
        "translate  into ",
        "\u0301\u0316",
    ),
    *("\uff9e\u0301", "\u1100\u1161\u11a8", "\u200d", "\ufdfa", "token=1A", "a", " ", "\n", "<", "a\u0301 ", "~/.ssh "),
]


def _cost(text: str) -> float:
    begun = time.perf_counter()
    scan(text)
    client_ids(text, client="0.14")
    return time.perf_counter() - begun


@pytest.fixture(scope="module")
def ordinary() -> float:
    _cost(_ORDINARY)
    return min(_cost(_ORDINARY[:WINDOW]) for _ in range(3))


@pytest.mark.parametrize("unit", sorted(_UNITS))
def test_a_repeated_fragment_costs_little_more_than_an_ordinary_text(unit: str, ordinary: float) -> None:
    text = (unit * WINDOW)[:WINDOW]
    assert _cost(text) < 60 * ordinary
    assert _cost(f"ignore act as if translate curl cat send <!-- {text[:-200]} instructions $KEY .env") < 60 * ordinary


@pytest.mark.parametrize("filler", [" ", "w", "\n", "w ", "\t "])
def test_long_runs_cost_little_more_than_an_ordinary_text(filler: str, ordinary: float) -> None:
    for word in ("ignore", "curl", "translate", "send", "register", "cobalt", "token", "<div style"):
        assert _cost(f"{word} {filler * 60_000}") < 60 * ordinary
        assert _cost(f"{word} {filler * 500} " * 100) < 60 * ordinary


_marks = st.sampled_from(
    "e\u0301\u0316\u0327\u0345\uff9e\u3099か\uff76\u1100\u1161\u11a8가ﬁﷺ\u0344\u09c7\u09be\u0dd9\u0dcf a"
)


@given(
    st.one_of(
        st.text(_marks),
        st.text(),
        st.tuples(st.text(_marks), st.text(_marks, max_size=3)).map(lambda t: t[0] * 30 + t[1]),
    )
)
def test_the_quick_normal_form_is_the_normal_form(text: str) -> None:
    assert normalised(text) == unicodedata.normalize("NFKC", text)


@given(st.one_of(st.text(_marks), st.text()))
def test_pieces_normalise_on_their_own(text: str) -> None:
    marks = segments(text)
    for (start, shown), (end, shown_end) in pairwise(marks):
        piece = unicodedata.normalize("NFKC", text[start:end])
        assert unicodedata.normalize("NFKC", text)[shown:shown_end] == piece
