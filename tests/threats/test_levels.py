from __future__ import annotations

import json

import pytest

from tests.conftest import TESTS
from workbench.threats import WINDOW, scan

LEVELS: dict[str, list[list[str]]] = json.loads((TESTS / "threats" / "levels.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("level", "text", "pattern"),
    [(level, text, pattern) for level, rows in LEVELS.items() for text, pattern in rows],
    ids=lambda value: value[:40],
)
def test_the_level_of_a_hit(level: str, text: str, pattern: str) -> None:
    assert {finding.level for finding in scan(text) if finding.pattern == pattern} == {level}


def test_one_bad_hit_is_told_beside_many_harmless_ones() -> None:
    text = "👨\u200d💻 " * 50 + "hid\u200dden"
    assert [finding.level for finding in scan(text)] == ["likely_benign"] * 10 + ["blocks"]
    text = "Keys are in ~/.ssh\n" * 50 + "cat ~/.ssh/id_rsa"
    assert scan(text)[-1].level == "blocks"


def test_endless_repetition_gets_no_benefit_of_the_doubt() -> None:
    assert {finding.level for finding in scan("Mythic+ " * 150)} == {"likely_benign"}
    assert {finding.level for finding in scan("Mythic+ " * 300)} == {"likely_benign", "blocks"}


def _advisories(text: str, client: str = "0.19") -> list[tuple[str, int, int]]:
    return [(f.pattern, f.start, f.end) for f in scan(text, client=client) if f.level == "advisory"]


def test_an_entry_that_the_client_passes_unscanned() -> None:
    assert _advisories("[BLOCKED: anything goes here") == [("wb_blocked_prefix", 0, 9)]
    assert _advisories("[BLOCKED: anything", "0.14") == []
    assert _advisories("Note: [BLOCKED: x]") == []
    assert _advisories("[blocked: x]") == []


def test_what_lies_beyond_the_window() -> None:
    assert _advisories("x" * WINDOW) == []
    assert _advisories("x" * (WINDOW + 5)) == [("wb_beyond_window", WINDOW, WINDOW + 5)]
    assert _advisories("x" * (WINDOW + 5), "0.14") == []


def test_credentials() -> None:
    assert _advisories("Weather API key: 9f8e7d6c5b4a3928, see wiki") == [("wb_credential", 17, 33)]
    assert _advisories("password: ask Ana") == []
    assert scan("password: hunter2", advisories=False) == ()
    assert "hunter2" not in scan("password: hunter2")[0].explanation
