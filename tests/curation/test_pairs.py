"""Pairs of entries labelled by somebody who has not seen the rules: what is offered as the same must be the same."""

from __future__ import annotations

import json
import random
import re

import pytest

from tests.conftest import TESTS
from tests.tools.curation_pairs import judged, precision
from workbench.curation.rewording import reworded
from workbench.curation.wording import wording

FOLDER = TESTS / "curation"


@pytest.mark.parametrize(
    ("name", "same", "least"),
    [
        ("pairs.json", 50, 17),  # half of it made to mislead, the other half reworded as strongly as can be
        ("pairs2.json", 50, 24),  # natural ones: what agents write on different days
        ("pairs3.json", 51, 15),  # natural ones that no rule was made with: to be measured by, never tuned for
    ],
)
def test_offered_pairs_are_right(name: str, same: int, least: int) -> None:
    rows = judged(FOLDER / name)
    assert len(rows) == 100
    assert sum(row.same for row in rows) == same
    assert sum(bool(row.offered) and row.same for row in rows) >= least
    assert precision(rows) >= 0.9


def test_near_entries_that_state_two_facts_are_not_offered() -> None:
    """Written to mislead: a subject, rule or value is another one, or each has a fact of its own."""
    pairs = json.loads((FOLDER / "unlike.json").read_text("utf-8"))
    assert len(pairs) > 100
    wrong = [(one, other) for one, other in pairs if reworded(one, other) or reworded(other, one)]
    assert wrong == []


def test_a_copy_with_another_word_in_it_is_another_fact() -> None:
    """One template filled in twice: whatever word, name or number differs, nothing is offered."""
    rng = random.Random(7)
    rows = json.loads((FOLDER / "pairs2.json").read_text("utf-8"))
    texts = [row[side] for row in rows for side in ("a", "b")]
    places = [(text, match) for text in texts for match in re.finditer(r"[A-Za-z][a-z-]{3,}|\d+", text)]
    words = sorted({match[0] for _, match in places})
    tried = 0
    for text, match in rng.sample(places, 400):
        other = rng.choice([word for word in words if word[0].isdigit() == match[0][0].isdigit()])
        changed = text[: match.start()] + other + text[match.end() :]
        before, behind = ([one.form for one in wording(word).tokens] for word in (match[0], other))
        if before == behind or all(
            token.kind == "light" for word in (match[0], other) for token in wording(word).tokens
        ):
            continue
        tried += 1
        assert reworded(text, changed) is None, (match[0], other, text)
    assert tried > 300
