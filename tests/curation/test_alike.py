"""Which entries say the same, and above all which do not."""

from __future__ import annotations

import pytest

from tests.curation.support import of_kind, pair

SAME = [
    ("Uses uv for packages.", "uses UV for packages"),
    ("Ｕｓｅｓ ｕｖ for packages", "Uses uv for packages"),
    ("Don’t push to main!", "don't push to main"),
    ("**CI** is GitHub Actions", "CI is GitHub Actions."),
    ("数据库在本机。", "数据库在本机"),
    ("- CI is slow", "CI is slow"),
]
REWORDED = [
    ("Do not use sudo for docker: the account robin is in the docker group",
     "Never use sudo for docker, the robin account is in the docker group already"),
    ("PostgreSQL 16 runs on port 5433", "Postgres 16 listens on port 5433"),
    ("Tests are run with pytest -q before each commit", "Run tests with pytest -q before every commit"),
    ("The deploy key lives in ~/.ssh/ledger_deploy", "Deploy key is in ~/.ssh/ledger_deploy"),
    ("User prefers concise answers", "The user likes short answers."),
    ("CI uses GitHub Actions", "GitHub Actions is used for CI"),
    ("Kiosk is in ~/code/kiosk; run pytest -q before each commit; uses FastAPI",
     "Kiosk lives in ~/code/kiosk, uses FastAPI, run pytest -q before each commit"),
    ("Project uses pnpm instead of npm", "Use pnpm, not npm, in this project"),
    ("Never store secrets in the repository", "Secrets must not be stored in the repo"),
    ("Production deploys happen on Tuesdays", "Deploys to production are on Tuesday"),
    ("请不要使用 sudo 运行容器", "不要用 sudo 运行容器"),
    ("本机运行 Debian 12，用 Podman 代替 Docker", "这台本机运行Debian 12，使用Podman替代Docker"),
    ("Backups go to mango every night, 14 daily snapshots are kept",
     "Backups go to mango every night, 14 daily snapshots are kept; restores are rehearsed in spring"),
]  # fmt: skip
DIFFERENT = [
    ("Staging database runs on port 5433", "Prod database runs on port 5433"),
    ("Staging host listens on port 2222", "Staging host listens on port 2200"),
    ("Use uv, not pip", "Use pip, not uv"),
    ("Use uv instead of pip for packages", "Use pip instead of uv for packages"),
    ("Service A depends on service B", "Service B depends on service A"),
    ("User worked at Acme as a data engineer", "User works at Acme as a data engineer"),
    ("User had a dog called Miso", "User has a dog called Miso"),
    ("The rate limit is 100 requests per project", "The rate limit is 100 requests per user"),
    ("User is learning Spanish at the evening school", "User is teaching Spanish at the evening school"),
    ("Backups go from mango to papaya", "Backups go from papaya to mango"),
    ("Code in English, comments in German", "Code in German, comments in English"),
    ("Ledger uses Postgres for storage and Kiosk uses Redis for storage",
     "Ledger uses Redis for storage and Kiosk uses Postgres for storage"),
    ("Never commit directly to the main branch", "Commit directly to the main branch"),
    ("All tests must pass before merging a branch", "Some tests must pass before merging a branch"),
    ("Docker service is enabled on boot", "Docker service is disabled on boot"),
    ("Deploy the ledger on Friday", "Deploy the ledger on Friday only after asking"),
    ("The API listens on port 8080", "The Kiosk API listens on port 8080"),
    ("Write the parser in C", "Write the parser in C++"),
    ("Config is src/Auth/mod.rs", "Config is src/auth/mod.rs"),
    ("Reads .env at the start", "Reads env at the start"),
    ("The ledger uses Python 3.11 for tests", "The ledger used to use Python 3.11 for tests"),
    ("The host mango has two disks", "The host mango has three disks"),
    ("Retry while the code != 5 in the log", "Retry while the code = 5 in the log"),
    ("Override __init__ in the base class", "Override init in the base class"),
    ("Keep chat messages under 10 lines", "Keep chat messages over 10 lines"),
    ("SSH tunnel opens from mango at night", "SSH tunnel opens to mango at night"),
    ("User lives in Lisbon near the river", "User works in Lisbon near the river"),
    ("The script reads input.csv and writes output.csv", "The script reads output.csv and writes input.csv"),
    ("Tests must pass on Linux", "Tests must pass on Linux and macOS"),
    ("The builder image is based on Alpine", "The build image is based on Alpine"),
    ("Redis cache TTL is 60 seconds", "Redis cache TTL is 60 minutes"),
    ("Latency of search must stay < 40 ms", "Latency of search must stay > 40 ms"),
    ("测试环境的数据库在端口 5433", "生产环境的数据库在端口 5433"),
    ("容器用 docker 运行", "容器不用 docker 运行"),
    ("バックアップは毎日実行する", "バックアップは毎日実行しない"),
    ("Meetings are in the morning on Monday", "Meetings are in the evening on Monday"),
    ("Is the staging host reachable over wg0?", "The staging host is reachable over wg0"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_case_punctuation_and_width_make_no_difference(one: str, other: str) -> None:
    found = pair(one, other)
    assert found is not None and found.kind == "same"


@pytest.mark.parametrize(("one", "other"), REWORDED)
def test_other_words_for_one_fact(one: str, other: str) -> None:
    found = pair(one, other)
    assert found is not None and found.kind in ("reworded", "contained")
    again = pair(other, one)
    assert again is not None, "the order of the file does not decide"


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_alike_is_not_the_same(one: str, other: str) -> None:
    assert pair(one, other) is None
    assert pair(other, one) is None


def test_contained_goes_and_the_longer_one_stays() -> None:
    short = "CI is GitHub Actions"
    long = "Project ledger: CI is GitHub Actions, releases need a tag"
    (one,) = of_kind("contained", [short, long])
    assert one.texts == (short, long)
    assert one.freed == len(short) + 3


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("Use sudo for docker", "Never use sudo for docker on this machine"),
        ("Deploys on Friday afternoon", "Deploys on Friday afternoon only when robin agrees"),
        ("The API listens on 8080", "When testing, the API listens on 8080"),
        ("port 22", "SSH is on port 2222"),
        ("a", "a b c"),
        ("用 sudo 运行容器", "不要用 sudo 运行容器"),
    ],
)
def test_a_text_inside_another_is_not_always_said_by_it(inner: str, outer: str) -> None:
    assert pair(inner, outer) is None


def test_of_two_wordings_the_one_in_the_wrong_file_goes() -> None:
    memory = ["User prefers concise answers in chat", "CI is GitHub Actions"]
    (one,) = of_kind("reworded", memory, ["The user likes short answers in chat."])
    assert one.entries[0][0] == "memory"
    assert "USER.md" in one.why


def test_a_long_text_is_compared_by_its_normal_form_only() -> None:
    page = "word " * 2000
    found = pair(page, page.upper())
    assert found is not None and found.kind == "same"
    other = page.replace("word", "term", 900)
    assert pair(page, other) is None
