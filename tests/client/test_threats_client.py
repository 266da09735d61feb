"""Verdicts compared with the real client's scanner: the stored corpus, the cases, and thousands of assembled texts."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.conftest import TESTS
from tests.threats.fragments import texts
from workbench.threats import client_ids

pytestmark = pytest.mark.client
SCOPES = ("all", "context", "strict")
MANY = 3000


def _ask(python: str, questions: list[str]) -> tuple[str, list[list[list[str]]]]:
    """The client's version, and its ids at each scope for each text."""
    script = str(TESTS / "client" / "threat_verdicts.py")
    ran = subprocess.run([python, script], input=json.dumps(questions), capture_output=True, text=True, check=True)
    answer = json.loads(ran.stdout)
    return answer["version"], answer["verdicts"]


def _assembled() -> list[str]:
    found: list[str] = []

    @settings(
        max_examples=MANY,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        derandomize=True,  # some texts take the client minutes, which is not what is compared
    )
    @given(texts())
    def collect(text: str) -> None:
        found.append(text)

    collect()
    return found


def test_the_stored_verdicts_are_those_of_the_client(client_python: str) -> None:
    corpus: list[dict[str, Any]] = json.loads((TESTS / "threats" / "corpus.json").read_text("utf-8"))
    version, verdicts = _ask(client_python, [row["text"] for row in corpus])
    assert [row[version] for row in corpus] == verdicts


def test_the_cases_are_those_of_the_client(client_python: str) -> None:
    cases: list[dict[str, Any]] = json.loads((TESTS / "cases" / "threats.json").read_text("utf-8"))
    _, verdicts = _ask(client_python, [case["text"] for case in cases])
    assert [verdict[2] for verdict in verdicts] == [case["client"] for case in cases]


def test_assembled_texts_get_the_clients_verdict(client_python: str) -> None:
    questions = _assembled()
    assert len(questions) >= MANY * 9 // 10
    version, verdicts = _ask(client_python, questions)
    hit: set[str] = set()
    for text, verdict in zip(questions, verdicts, strict=True):
        assert [list(client_ids(text, scope, client=version)) for scope in SCOPES] == verdict, text
        hit.update(verdict[2])
    assert len(hit) > 30
