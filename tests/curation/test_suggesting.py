"""The list of suggestions: always applicable, honest about what it frees, the same every time, quick at any size."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import TESTS
from tests.curation.support import documents, of_kind
from tests.tools.curation_homes import homes
from tests.tools.curation_report import documents_of, offers, wrong
from workbench.curation.suggesting import MOST_OF_A_KIND, suggest
from workbench.curation.suggestion import KINDS, QUIET, together
from workbench.errors import OverBudget, Usage
from workbench.memory import Batch, apply, count, parse
from workbench.memory.loss import words

WORDS = (
    "use",
    "uv",
    "not",
    "pip",
    "port",
    "22",
    "2222",
    "host",
    "mango",
    "never",
    "docker",
    "the",
    "用",
    "不",
    "User likes",
)
HEADS = ("", "", "Note that ", "Key facts > Ops > ", "**Host:** ", "- ", "User ", "## ")
TAILS = ("", ".", "  ", ";", " in order to run", ":", " ✅", " /tmp/x.txt")
made = st.builds(
    lambda head, body, tail: (head + " ".join(body) + tail).strip(),
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8),
    st.sampled_from(TAILS),
)
free = st.text(max_size=60).map(lambda text: text.strip().replace("\r", "").replace("§", "")).filter(bool)
entries = st.lists(st.one_of(made, made, free), max_size=14, unique=True)
LOSSLESS = ("same", "contained", "belongs")


@settings(max_examples=150, deadline=None)
@given(entries, entries, st.sampled_from((60, 200, 2200)))
def test_every_suggestion_applies_and_says_the_truth(memory: list[str], user: list[str], limit: int) -> None:
    read = documents(memory, user, limit)
    stores = {target: document.texts for target, document in read.items()}
    limits = {target: document.limit for target, document in read.items()}
    found = suggest(read, everything=True, others={"work": memory[:2]}, skills={"ops": "use uv, never docker, port 22"})
    assert found == suggest(
        read, everything=True, others={"work": memory[:2]}, skills={"ops": "use uv, never docker, port 22"}
    )
    assert list(found) == sorted(found, key=lambda one: (-one.freed, one.loss, one.id))
    assert len({one.id for one in found}) == len(found)
    for one in found:
        outcome = apply(stores, one.operation, limits)
        outcome.check()
        assert count(stores[one.target]) - count(outcome.after[one.target]) == one.freed > 0
        assert one.why and one.loss >= 0 and 0 < one.confidence <= 1 and one.kind in KINDS
        gone = {text for texts in stores.values() for text in texts}
        gone -= {text for texts in outcome.after.values() for text in texts}
        assert gone <= set(one.texts), "nothing goes that the suggestion does not name"
        if one.kind in LOSSLESS:
            left = {word for texts in outcome.after.values() for text in texts for word in words(text)}
            assert {word for text in gone for word in words(text)} <= left


ROWS: list[dict[str, Any]] = json.loads((TESTS / "cases" / "memory_files.json").read_text("utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_every_case_file_can_be_looked_at(row: dict[str, Any]) -> None:
    raw = bytes.fromhex(row["raw_hex"]) if "raw_hex" in row else row["raw"].encode("utf-8")
    read = {"memory": parse(raw, "memory", 2200), "user": parse(None, "user", 1375)}
    stores = {target: document.texts for target, document in read.items()}
    for one in suggest(read, everything=True):
        apply(stores, one.operation, {"memory": 2200, "user": 1375}).check()
    if read["memory"].state == "unreadable":
        assert suggest(read, everything=True) == ()


ODD = [
    "a", "§ inside", "x" * 7000, "مهم: الخادم على المنفذ 2222 فقط", "‮reversed‬ text", "👩‍💻 commits 👨‍👩‍👧 often",
    "```py\nx  =  1\n```", "| a | b |\n|---|---|\n| 1 | 2 |", "https://x.example/a?b=c&d=e", "# Heading\n\n\n\nbody",
    "\u200bzero\u200bwidth", "İstanbul ı I", "ﬁne ligature", "e\u0301 é", "0", "-", "#", "user", "> > >", "a: b: c: d",
]  # fmt: skip


def test_odd_texts_of_all_lengths_are_looked_at_in_peace() -> None:
    twice = [*ODD, *(f"{text}." for text in ODD if len(text) > 3)]
    read = documents(twice, ODD[:8], 40_000)
    stores = {target: document.texts for target, document in read.items()}
    limits = {target: document.limit for target, document in read.items()}
    found = suggest(read, everything=True, others={"other": ODD}, skills={"odd": "\n".join(ODD)})
    assert found
    for one in found:
        apply(stores, one.operation, limits).check()


def test_a_store_with_an_over_long_entry_is_left_to_the_split() -> None:
    assert suggest(documents(["x" * 3000, "CI is GitHub Actions", "CI is GitHub actions."])) == ()


def near_copies(number: int) -> list[str]:
    rest = "keeps logs in /var/log; a job checks the disk every night, rotates the backups and mails a summary"
    return [f"Host {one} {rest} to port {2000 + one}" for one in range(number)]


def doubles(number: int) -> list[str]:
    texts = near_copies(number // 2)
    return [*texts, *(f"**{text}**." for text in texts)]


@pytest.mark.parametrize("made_of", [near_copies, doubles])
def test_thousands_of_near_copies_cost_no_comparison_of_all_pairs(made_of: Any) -> None:
    """Four times the entries must not cost ten times the work; a comparison of all pairs would cost sixteen times."""

    def cost(number: int) -> float:
        read = documents(made_of(number), (), 400_000)
        assert read["memory"].state == "ok"
        best = 1e9
        for _ in range(1 if number > 1000 else 3):
            start = time.process_time()
            found = suggest(read)
            best = min(best, time.process_time() - start)
        assert len(found) <= len(KINDS) * MOST_OF_A_KIND
        return best

    assert cost(2000) < 10 * cost(500)


def test_what_a_part_of_a_big_store_says_holds_for_all_of_it() -> None:
    texts = [*doubles(600), *(f"Key facts > Ops > H{n}: fact number {n}" for n in range(3)), "**Bold** words"]
    read = documents(texts, (), 400_000)
    stores = {target: document.texts for target, document in read.items()}
    limits = {target: document.limit for target, document in read.items()}
    found = suggest(read)
    assert {"same", "shorter"} <= {one.kind for one in found}
    for one in found[::20]:
        outcome = apply(stores, one.operation, limits)
        outcome.check()
        assert count(stores["memory"]) - count(outcome.after["memory"]) == one.freed


def test_dismissed_ones_stay_away_until_their_text_changes() -> None:
    texts = ["CI is GitHub Actions", "ci is GitHub actions."]
    (one,) = suggest(documents(texts))
    assert suggest(documents(texts), dismissed={one.id}) == ()
    assert len(suggest(documents([texts[0], "CI is github actions!"]), dismissed={one.id})) == 1


def test_quiet_kinds_come_when_they_are_asked_for() -> None:
    memory = ["2026-03-01: fixed the login, PR #12 merged", "Tea is in the kitchen"]
    others = {"work": ["Tea is in the kitchen."]}
    assert suggest(documents(memory), others=others) == ()
    assert {one.kind for one in suggest(documents(memory), others=others, everything=True)} == QUIET
    assert {one.kind for one in suggest(documents(memory), others=others, kinds_wanted=["copied"])} == {"copied"}
    with pytest.raises(Usage, match="nonsense"):
        suggest(documents(memory), kinds_wanted=["nonsense"])


def test_steps_that_a_skill_holds_become_its_name() -> None:
    skill = "# Ship\n1. Tag the commit vX.Y.Z\n2. Wait for CI\n3. Run ./ship.sh staging\n4. Run ./ship.sh prod\n"
    entry = "Deploys: tag vX.Y.Z, wait for CI, run ./ship.sh staging, then prod; ask before a Friday"
    (one,) = of_kind("in_skill", [entry], skills={"ship": skill, "tea": "Boil water."})
    assert getattr(one.operation, "content", "") == "Deploys: skill ship; ask before a Friday"
    assert of_kind("in_skill", [entry.replace("staging", "--force")], skills={"ship": skill}) == []
    assert of_kind("in_skill", [entry], skills={"tea": "Boil water."}) == []


def test_no_wrong_pair_is_offered_on_the_made_up_memories() -> None:
    problems = [
        problem for home in homes() for one in offers(home, documents_of(home)) if (problem := wrong(home, one))
    ]
    assert problems == []


def test_what_is_taken_together_applies_together() -> None:
    for home in homes():
        read = documents_of(home)
        stores = {target: document.texts for target, document in read.items()}
        limits = {target: document.limit for target, document in read.items()}
        batch = Batch(tuple(one.operation for one in together(offers(home, read, everything=True))))
        if batch.operations:
            outcome = apply(stores, batch, limits)
            assert outcome.refused is None or isinstance(outcome.refused, OverBudget)
