"""One subject with two values, and what only looks like it."""

from __future__ import annotations

import pytest

from tests.curation.support import clash, documents, of_kind
from workbench.curation.suggesting import suggest
from workbench.memory import Remove

CLASHES = [
    ("port", "Staging host 10.0.1.50 listens for SSH on port 2222, not 22",
     "Staging host 10.0.1.50 takes SSH on port 2200"),
    ("port", "数据库在端口 5433", "数据库在端口 5432"),
    ("version", "Kiosk runs on Python 3.11", "Kiosk runs on Python 3.12"),
    ("version", "Postgres 15 on mango", "Postgres 16 on mango"),
    ("time", "Backups run at 02:30 on mango", "Backups run at 03:30 on mango"),
    ("path", "The deploy key is in ~/.ssh/a_key", "The deploy key lives in ~/.ssh/b_key"),
    ("date", "Release 2.0 is due on 2026-03-01", "Release 2.0 is due on 2026-04-01"),
    ("host", "The database runs on host mango", "The database runs on host papaya"),
    ("address", "Staging is at 10.0.1.50", "Staging is at 10.0.1.60"),
    ("yes/no", "Use tabs for indentation", "Do not use tabs for indentation"),
    ("yes/no", "Docker is enabled on boot", "Docker is disabled on boot"),
]  # fmt: skip
NO_CLASHES = [
    ("Staging API on port 8080", "Prod API on port 9090"),
    ("CI uses Python 3.11", "Project ledger uses Python 3.12"),
    ("Host 17 answers on port 8017", "Host 18 answers on port 8018"),
    ("2026-03-01: fixed the login", "2026-03-02: fixed the export"),
    ("Tested with Python 3.11 and 3.12", "Tested with Python 3.12 and 3.13"),
    ("Staging listens on port 2222", "Staging listens on port 2222 and not on 22"),
    ("Runs on port 22", "Runs on port 80"),
    ("Use tabs", "Do not use spaces"),
    ("SSH on mango is on port 2222", "SSH on papaya is on port 2200"),
    ("The dog is fed at 08:00", "The cat is fed at 09:00"),
]


@pytest.mark.parametrize(("kind", "one", "other"), CLASHES)
def test_one_subject_two_values(kind: str, one: str, other: str) -> None:
    found = clash(one, other)
    assert found is not None and found.kind == kind


@pytest.mark.parametrize(("one", "other"), NO_CLASHES)
def test_two_subjects(one: str, other: str) -> None:
    assert clash(one, other) is None


def test_the_older_one_would_go_by_file_order_and_by_history() -> None:
    first, second = "Kiosk runs on Python 3.11", "Kiosk runs on Python 3.12"
    (one,) = of_kind("contradiction", [first, second])
    assert one.texts == (first, second) and "later in the file" in one.why
    assert one.operation == Remove("memory", one.operation.entry)  # type: ignore[union-attr]
    seen = {first: 200.0, second: 100.0}
    (two,) = [s for s in suggest(documents([first, second]), first_seen=lambda: seen) if s.kind == "contradiction"]
    assert two.texts == (second, first) and "history" in two.why
    assert two.loss > 0, "a contradiction is never free of doubt"


def test_the_history_is_asked_only_where_it_matters() -> None:
    def asked() -> dict[str, float]:
        raise AssertionError("there is no contradiction here")

    suggest(documents(["CI is GitHub Actions", "The cat is called Miso"]), first_seen=asked)
