"""Whose file an entry belongs in, what says nothing, what has had its time, and the quiet line about quality."""

from __future__ import annotations

import pytest

from tests.curation.support import of_kind
from workbench.curation.hints import HINTS, hint
from workbench.curation.kinds import belongs_to, says_nothing, time_bound
from workbench.curation.suggestion import LOSES
from workbench.memory import Move

PERSON = [
    "User prefers short answers", "Name: Robin Vale; timezone Europe/Lisbon", "Prefers dark themes",
    "用户喜欢简短的回答",
    "Reviews: small commits, squash only on request", "Vegetarian and allergic to nuts", "She likes tea",
]  # fmt: skip
ENVIRONMENT = [
    "Staging host 10.0.1.50, SSH on port 2200", "Logs of the worker are in /var/log/ledger/worker.log",
    "The database server runs PostgreSQL 16, deployed from the branch main",
    "数据库在服务器 mango，端口 5433",
]  # fmt: skip
NEITHER = [
    "Tea is in the kitchen",
    "User table has 41 million rows in the database",
    "User prefers `rg` on host mango",
    "x",
]


@pytest.mark.parametrize("text", PERSON)
def test_the_person(text: str) -> None:
    assert belongs_to(text)[0] == "user"


@pytest.mark.parametrize("text", ENVIRONMENT)
def test_machines_and_projects(text: str) -> None:
    assert belongs_to(text)[0] == "memory"


@pytest.mark.parametrize("text", NEITHER)
def test_what_is_not_clear_stays_where_it_is(text: str) -> None:
    assert belongs_to(text)[0] == ""


def test_a_move_is_offered_only_while_the_other_file_has_room() -> None:
    (one,) = of_kind("belongs", [PERSON[0], "CI is GitHub Actions"])
    assert isinstance(one.operation, Move) and one.operation.to == "user"
    assert of_kind("belongs", [PERSON[0], "CI is GitHub Actions"], ["y" * 1360]) == []


@pytest.mark.parametrize("text", ["## Notes", "Key facts:", "---", "TODO", "q", "备注", "# Project Foo", "**Misc**"])
def test_what_says_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "茶",
        "👍",
        "Port: 22",
        "# Robin prefers tabs",
        "Notes are in docs/",
        "Key facts:\n- x",
        "C++ only",
    ],
)
def test_what_says_something(text: str) -> None:
    assert says_nothing(text) == ""


def test_a_heading_is_not_for_taking_unseen() -> None:
    heading, caption = of_kind("empty", ["## Notes", "# Project Foo", "Tea is warm"])
    assert (heading.texts, caption.texts) == (("# Project Foo",), ("## Notes",))
    assert heading.loss >= LOSES > caption.loss == 0


@pytest.mark.parametrize(
    "text",
    [
        "Completed the migration to mango", "2026-03-01: fixed the login bug", "Report is in /tmp/report-3.html",
        "Currently debugging the import", "Phase 2 done", "Session 12: refactored", "今天修复了登录",
    ],
)  # fmt: skip
def test_what_has_had_its_time(text: str) -> None:
    assert time_bound(text)


@pytest.mark.parametrize(
    "text",
    [
        "Always use /tmp/cache for scratch files",
        "Done means the tests pass when CI is green",
        "CI is GitHub Actions",
        "每天备份",
    ],
)
def test_lasting_rules_are_not_time_bound(text: str) -> None:
    assert time_bound(text) == ""


@pytest.mark.parametrize("rule", HINTS, ids=[rule.name for rule in HINTS])
def test_each_hint_fits_its_own_example(rule: object) -> None:
    example, says = rule.example, rule.says  # type: ignore[attr-defined]
    assert hint(example) == says


def test_an_ordinary_entry_gets_no_hint() -> None:
    assert hint("The cat is called Miso and sleeps on the router") is None
    assert hint("Never trust the clock of the kitchen radio") is None
