from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.home import Config, load
from workbench.home.config import parse


def read(text: str) -> Config:
    return parse(text.encode(), {})


def test_no_file_is_all_defaults_without_yaml(tmp_path: Path) -> None:
    assert load(tmp_path) == Config()
    code = (
        "import sys, pathlib; from workbench.home import load; load(pathlib.Path(sys.argv[1]));"
        "sys.exit('yaml' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False).returncode == 0


@pytest.mark.parametrize("text", ["", "# only a comment\n", "{}", "[]", "memory:\n", "memory: ~\nskills:\n", "~"])
def test_nothing_said_is_nothing_wrong(text: str) -> None:
    assert read(text) == Config(exists=True)


def test_a_hand_edited_file() -> None:
    got = read(
        "# mine\nmemory:\n  memory_enabled: true\n  user_profile_enabled: off  # for now\n"
        "  memory_char_limit: 3_500\n  user_char_limit: 900\n  write_approval: on\n  provider: ' honcho '\n"
        "skills:\n  write_approval: 'Approve'\ndisplay:\n  memory_notifications: verbose\n"
        "security:\n  redact_secrets: no\nauxiliary:\n  background_review: {provider: acme, model: small-1}\n"
        "sessions: {auto_prune: true, retention_days: 30}\ncompression: {in_place: false}\n"
    )
    assert got == Config(
        user_profile_enabled=False,
        memory_char_limit=3500,
        user_char_limit=900,
        memory_write_approval=True,
        skills_write_approval=True,
        provider="honcho",
        memory_notifications="verbose",
        redact_secrets=False,
        review_provider="acme",
        review_model="small-1",
        auto_prune=True,
        retention_days=30,
        compression_in_place=False,
        exists=True,
    )
    assert (got.limit("memory"), got.limit("user")) == (3500, 900)


# (text of memory_char_limit, text of user_char_limit) -> limits in force, keys flagged; asked of client 0.19
LIMITS: list[tuple[str, str | None, tuple[int, int], list[str]]] = [
    ("5000", '"x"', (5000, 1375), ["memory.user_char_limit"]),
    ("3,500", "900", (2200, 1375), ["memory.memory_char_limit", "memory.user_char_limit"]),
    ("3,500", None, (2200, 1375), ["memory.memory_char_limit"]),
    ("3500.9", None, (3500, 1375), ["memory.memory_char_limit"]),
    ("3500.0", None, (3500, 1375), []),
    ("true", None, (1, 1375), ["memory.memory_char_limit"]),
    ("null", "5", (2200, 1375), ["memory.memory_char_limit", "memory.user_char_limit"]),
    ('"3500"', None, (3500, 1375), ["memory.memory_char_limit"]),
    (".inf", None, (2200, 1375), ["memory.memory_char_limit"]),
    ("1e4", None, (2200, 1375), ["memory.memory_char_limit"]),
    ("1:30", None, (90, 1375), []),
    ("-4", None, (-4, 1375), ["memory.memory_char_limit"]),
    ("0", None, (0, 1375), ["memory.memory_char_limit"]),
    ("[1]", None, (2200, 1375), ["memory.memory_char_limit"]),
]


@pytest.mark.parametrize(("memory", "user", "limits", "flagged"), LIMITS)
def test_limits(memory: str, user: str | None, limits: tuple[int, int], flagged: list[str]) -> None:
    text = f"memory:\n  memory_char_limit: {memory}\n" + (f"  user_char_limit: {user}\n" if user else "")
    got = read(text)
    assert (got.memory_char_limit, got.user_char_limit) == limits
    assert [p.key for p in got.problems] == flagged
    for problem in got.problems:
        assert problem.in_force == got.limit(problem.key.split(".")[1].split("_")[0])
        assert problem.line == (3 if "user" in problem.key else 2)
        assert problem.why.endswith(".")


@pytest.mark.parametrize(
    ("raw", "on", "flagged"),
    [
        ("true", True, False),
        ("on", True, False),
        ('"on"', True, False),
        ('" YES "', True, False),
        ('"1"', True, False),
        ("enabled", True, False),
        ("1", False, True),
        ("0", False, True),
        ("null", False, True),
        ("off", False, False),
        ('"off"', False, False),
        ("aprove", False, True),
        ("[on]", False, True),
    ],
)
def test_gates(raw: str, on: bool, flagged: bool) -> None:
    got = read(f"skills:\n  write_approval: {raw}\n")
    assert got.skills_write_approval is on
    assert bool(got.problems) is flagged


@pytest.mark.parametrize(
    ("raw", "on", "flagged"),
    [('"false"', True, True), ("false", False, False), ("0", False, False), ("null", False, True), ("[]", False, True)],
)
def test_switches_count_by_truth(raw: str, on: bool, flagged: bool) -> None:
    got = read(f"memory:\n  memory_enabled: {raw}\n")
    assert (got.memory_enabled, bool(got.problems)) == (on, flagged)


@pytest.mark.parametrize(
    ("raw", "on", "flagged"),
    [("on", True, False), ("1", True, False), ("null", True, False), ("off", False, False), ("enabled", False, True)],
)
def test_redaction(raw: str, on: bool, flagged: bool) -> None:
    got = read(f"security:\n  redact_secrets: {raw}\n")
    assert (got.redact_secrets, bool(got.problems)) == (on, flagged)


@pytest.mark.parametrize(
    ("raw", "mode", "flagged"),
    [
        ("off", "off", False),
        ("on", "on", False),
        ("Verbose", "verbose", False),
        ("''", "on", False),
        ("loud", "on", True),
    ],
)
def test_notifications(raw: str, mode: str, flagged: bool) -> None:
    got = read(f"display:\n  memory_notifications: {raw}\n")
    assert (got.memory_notifications, bool(got.problems)) == (mode, flagged)


@pytest.mark.parametrize("text", ["memory: [1]\n", "memory: text\n", "memory:\n  nudge_interval: ten\n"])
def test_mistakes_that_switch_the_memory_off(text: str) -> None:
    got = read(text)
    assert (got.memory_enabled, got.user_profile_enabled) == (False, False)
    assert len(got.problems) == 1


def test_keys_written_twice() -> None:
    got = read("memory:\n  memory_char_limit: 5\nmemory:\n  user_char_limit: 6\n  user_char_limit: 7\n")
    assert (got.memory_char_limit, got.user_char_limit) == (2200, 7)
    assert [(p.key, p.line) for p in got.problems] == [("memory", 3), ("memory.user_char_limit", 5)]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"a: 1\nmemory: {b: 1\n", 3),
        (b"a: 1\n\tb: 2\n", 2),
        (b"just text\n", 1),
        (b"- a\n", 1),
        (b"a: 1\nb: \xff\n", 2),
        (b"a: 1\n---\nb: 2\n", 2),
        (b"a: 2024-13-45\n", 0),
        (b"a: *x\n", 1),
        (b"{[a]: 1}\n", 0),
    ],
)
def test_a_file_that_cannot_be_read_leaves_the_defaults(tmp_path: Path, data: bytes, line: int) -> None:
    (tmp_path / "config.yaml").write_bytes(data)
    got = load(tmp_path)
    assert got.problems[0].key == "config.yaml"
    assert line in (0, got.problems[0].line)
    assert got == Config(exists=True, problems=got.problems)


def test_a_folder_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").mkdir()
    assert len(load(tmp_path).problems) == 1


def test_bom_crlf_and_environment() -> None:
    got = parse("\ufeffmemory:\r\n  memory_char_limit: ${LIMIT}\r\n  provider: ${NONE}\r\n".encode(), {"LIMIT": "77"})
    assert (got.memory_char_limit, got.provider) == (77, "${NONE}")


def test_merge_keys_and_anchors_are_followed() -> None:
    got = read("base: &b\n  memory_char_limit: 9\nmemory:\n  <<: *b\n  user_char_limit: 8\n")
    assert (got.memory_char_limit, got.user_char_limit, got.problems) == (9, 8, ())


@given(
    st.one_of(
        st.binary(max_size=80),
        st.text(max_size=80).map(str.encode),
        st.text(alphabet="memory:_charlit \n-&*!|>{}[]'\"#0on~<", max_size=80).map(str.encode),
    )
)
def test_nothing_in_the_file_raises(data: bytes) -> None:
    got = parse(data, {})
    assert isinstance(got.memory_char_limit, int)
