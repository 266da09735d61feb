"""`workbench sessions …`, as a script would call it."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import VERSIONS, Ran
from tests.sessions.made import Made
from tests.snapshots import tree
from workbench.__main__ import main
from workbench.cli import sessions_export
from workbench.sessions.export_file import Steps

LONG, AUTH, TALK = "20251018_090000_long01", "20251012_080000_d4e5f8", "20251016_120000_dc0001"
BEARER = "abcdefghijklmnopqrstuvwxyz012345"


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def call(folder: Path, *argv: str) -> Ran:
        code = main(["--home", str(folder), "sessions", *argv])
        captured = capfd.readouterr()
        return Ran(code, captured.out, captured.err)

    return call


@pytest.mark.parametrize("version", VERSIONS)
def test_every_verb_answers_and_leaves_no_trace(
    unpack: Callable[[str], Path], run: Callable[..., Ran], version: str
) -> None:
    home = unpack(version)
    before = tree(home)
    verbs = (["list"], ["show", AUTH], ["scroll", LONG, "403"], ["export", AUTH], ["stats"])
    for verb in verbs:
        for extra in ([], ["--json"], ["--read-only"]):
            ran = run(home, *verb, *extra)
            assert (ran.code, ran.err) == (0, "")
            assert "\x1b" not in ran.out
    assert tree(home) == before


def test_the_contract_of_list(unpack: Callable[[str], Path], run: Callable[..., Ran]) -> None:
    found = run(unpack("0.19.0"), "list", "--limit", "3", "--json").json
    assert found.keys() == {"schema", "conversations", "more", "hidden"}
    assert found["hidden"] == {"subagent": 1, "cron": 30}
    assert found["more"] is True
    assert len(found["conversations"]) == 3
    assert found["conversations"][0].keys() == {
        "session_id", "root_id", "title", "source", "started_at", "last_active", "messages", "segments", "preview",
        "model", "cwd", "archived", "automatic", "branch_of",
    }  # fmt: skip


def test_list_for_people(unpack: Callable[[str], Path], run: Callable[..., Ran]) -> None:
    home = unpack("0.19.0")
    lines = run(home, "list", "--limit", "5").out.splitlines()
    assert len(lines) == 7
    assert lines[5].startswith("… more; --limit 10")
    assert lines[6] == "hidden: 1 subagent (--source shows them)"
    assert run(home, "list", "--title", "nothing like it").out.startswith("no conversation fits")
    subagents = run(home, "list", "--source", "subagent")
    assert "20251012_081000_sub001" in subagents.out
    assert "hidden" not in subagents.out
    auth = run(home, "list", "--title", "auth refactor #3").out
    assert "14 messages · 3 sessions" in auth


def test_the_contract_of_scroll(unpack: Callable[[str], Path], run: Callable[..., Ran]) -> None:
    home = unpack("0.19.0")
    found = run(home, "scroll", LONG, "403", "--window", "2", "--json").json
    assert found.keys() == {"schema", "session_id", "anchor", "messages", "messages_before", "messages_after"}
    assert (found["session_id"], found["anchor"]) == (LONG, 403)
    assert [each["id"] for each in found["messages"]] == [401, 402, 403, 404, 405]
    assert (found["messages_before"], found["messages_after"]) == (302, 297)
    assert found["messages"][2].keys() == {"id", "role", "content", "timestamp", "state", "session_id"}
    across = run(home, "scroll", AUTH, "19", "--window", "3", "--json").json
    assert [each["id"] for each in across["messages"]] == [16, 17, 18, 19, 20, 21, 22]
    within = run(home, "scroll", AUTH, "19", "--window", "3", "--segment", "--json").json
    assert [each["id"] for each in within["messages"]] == [19, 20, 21, 22]
    dated = run(home, "scroll", LONG, "2025-10-18T09:30:00+00:00", "--window", "0", "--json").json
    assert dated["messages"][0]["timestamp"] >= 1760779800
    undone = run(home, "scroll", "20251020_090000_rw0001", "703", "--json").json
    assert [(each["id"], each["state"]) for each in undone["messages"]][-1] == (703, "undone")
    everything = run(home, "scroll", "20251020_090000_rw0001", "703", "--undone", "--json").json
    assert [each["id"] for each in everything["messages"]] == [701, 702, 703, 704]


def test_show_gives_the_beginning_and_the_end(unpack: Callable[[str], Path], run: Callable[..., Ran]) -> None:
    home = unpack("0.19.0")
    found = run(home, "show", LONG, "--json").json
    assert (found["total"], found["omitted"], len(found["messages"])) == (600, 570, 30)
    assert run(home, "show", LONG, "--all", "--json").json["omitted"] == 0
    text = run(home, "show", LONG).out
    assert "570 messages between" in text
    assert "Step 0:" in text
    auth = run(home, "show", "Auth refactor", "--json", "--system-prompt").json
    assert [each["session_id"] for each in auth["segments"]][2] == AUTH
    assert [each["kind"] for each in (*auth["branches"], *auth["delegates"])] == ["branch", "delegate"]
    assert auth["system_prompt"].startswith("You are a calm")
    call = next(each for each in auth["messages"] if each.get("tool_calls"))["tool_calls"][0]
    assert (call["name"], call["result"]) == ("read_file", 11)
    plain = run(home, "show", AUTH, "--reasoning", "--system-prompt", "--tools", "full").out
    assert "── goes on as" in plain
    assert "~ The services" in plain
    assert "more lines" not in plain
    assert "more lines" in run(home, "show", AUTH).out
    assert "tool read_file" not in run(home, "show", AUTH, "--tools", "off").out


def test_credentials_are_masked_unless_revealed(unpack: Callable[[str], Path], run: Callable[..., Ran]) -> None:
    home = unpack("0.19.0")
    for verb in (["show", TALK], ["scroll", TALK, "97"], ["export", TALK]):
        for form in ([], ["--json"]):
            assert BEARER not in run(home, *verb, *form).out
            assert BEARER in run(home, *verb, *form, "--reveal").out


def test_what_is_told_of_a_delegate_is_masked_too(unpack: Callable[[str], Path], run: Callable[..., Ran]) -> None:
    home = unpack("0.19.0")
    token = "ghp_" + "a1B2c3D4e5" * 4
    (child,) = run(home, "show", "Auth refactor", "--json").json["delegates"]
    with closing(sqlite3.connect(home / "state.db")) as db, db:
        db.execute("UPDATE sessions SET source = ? WHERE id = ?", (f"x {token}", child["id"]))
    assert token not in run(home, "show", "Auth refactor", "--json").out


@pytest.mark.parametrize(
    ("argv", "code", "kind"),
    [
        (["show", "nobody"], 1, "session_not_found"),
        (["show", "2025"], 1, "session_not_found"),
        (["scroll", LONG, "1"], 1, "message_not_found"),
        (["scroll", LONG, "never"], 2, "usage"),
        (["scroll", LONG, "99999999999999999999"], 2, "usage"),
        (["list", "--after", "never"], 2, "usage"),
        (["list", "--limit", "-1"], 2, "usage"),
        (["export"], 2, "usage"),
        (["export", LONG, "--all"], 2, "usage"),
        (["export", LONG, AUTH, "--format", "html"], 2, "usage"),
        (["export", LONG, "nobody", "-o", "x.jsonl"], 1, "session_not_found"),
        (["export", LONG, "-o", "missing/x.jsonl"], 1, "write_failed"),
    ],
)
def test_what_cannot_be_done_is_said(
    unpack: Callable[[str], Path],
    run: Callable[..., Ran],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    argv: list[str],
    code: int,
    kind: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(unpack("0.19.0"), *argv, "--json")
    assert (ran.code, ran.json["kind"], ran.json["success"]) == (code, kind, False)
    assert not (tmp_path / "x.jsonl").exists()


def test_a_home_without_a_database(home: Path, run: Callable[..., Ran]) -> None:
    for verb in (["list"], ["show", "x"], ["stats"]):
        assert run(home, *verb, "--json").json["kind"] == "database_unreadable"


def test_an_export_never_writes_over_a_file_unasked(
    unpack: Callable[[str], Path], run: Callable[..., Ran], tmp_path: Path
) -> None:
    home = unpack("0.19.0")
    target = tmp_path / "out.md"
    ran = run(home, "export", AUTH, "-o", str(target), "--json").json
    assert (ran["success"], ran["format"], ran["bytes"]) == (True, "markdown", target.stat().st_size)
    assert target.stat().st_mode & 0o077 == 0
    target.write_text("mine")
    assert run(home, "export", AUTH, "-o", str(target), "--json").json["kind"] == "file_exists"
    assert target.read_text() == "mine"
    failed = run(home, "export", "nobody", "-o", str(target), "--force", "--json")
    assert (failed.json["kind"], target.read_text()) == ("session_not_found", "mine")
    assert run(home, "export", AUTH, "-o", str(target), "--force").out.startswith("1 conversation as markdown")
    assert target.read_text().startswith("# Auth refactor #3")
    assert (
        run(home, "export", AUTH, "-o", str(tmp_path / "x.html"), "--read-only", "--json").json["kind"] == "read_only"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hermes-0.19.0", "out.md"]


def test_an_export_never_writes_over_a_file_of_the_home(
    unpack: Callable[[str], Path], run: Callable[..., Ran], tmp_path: Path
) -> None:
    home = unpack("0.22.2")
    (tmp_path / "link").symlink_to(home / "memories")
    before = tree(home)
    for path in (home / "state.db", home / "memories" / "MEMORY.md", tmp_path / "link" / "MEMORY.md"):
        assert run(home, "export", AUTH, "-o", str(path), "--force", "--json").code == 2
    assert tree(home) == before
    assert run(home, "export", AUTH, "-o", str(home / "new.md")).code == 0


def test_how_far_an_export_is_stands_on_a_terminal_only(
    unpack: Callable[[str], Path], run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = unpack("0.19.0")
    monkeypatch.setattr(sessions_export, "Steps", partial(Steps, every=0.0))
    quiet = run(home, "export", "--all", "-o", str(tmp_path / "quiet.jsonl"), "--json")
    assert quiet.err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    loud = run(home, "export", "--all", "-o", str(tmp_path / "loud.jsonl"), "--json")
    assert "\r\x1b[K40 conversations, " in loud.err
    assert loud.err.endswith("\r\x1b[K"), "nothing of it is left standing"
    assert loud.json["bytes"] == quiet.json["bytes"]
    assert (tmp_path / "loud.jsonl").read_bytes() == (tmp_path / "quiet.jsonl").read_bytes()


def test_everything_listed_is_exported(unpack: Callable[[str], Path], run: Callable[..., Ran], tmp_path: Path) -> None:
    home = unpack("0.19.0")
    target = tmp_path / "all.jsonl"
    ran = run(home, "export", "--all", "-o", str(target), "--json").json
    rows = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert len(ran["conversations"]) == 40
    assert len(rows) == 42
    assert len({row["id"] for row in rows}) == 42
    twice = run(home, "export", AUTH, "20251011_090000_d4e5f6", "--format", "jsonl").out.splitlines()
    assert len(twice) == 3


def test_stats(unpack: Callable[[str], Path], run: Callable[..., Ran]) -> None:
    home = unpack("0.19.0")
    found = run(home, "stats", "--json").json
    assert (found["sessions"], found["messages"], found["index"]) == (44, 714, "ok")
    text = run(home, "stats").out
    assert text.startswith("44 sessions (1 archived) · 714 messages · ")
    assert "tools: memory 3, read_file 1, terminal 1" in text


def test_hostile_rows_reach_no_terminal(home: Path, run: Callable[..., Ran]) -> None:
    made = Made("0.19", str(home / "state.db"))
    bad = "\x1b]0;owned\x07\u202e\r[bold]x[/]"
    made.session("s" + bad, title=bad, source=bad, model=bad, cwd=bad)
    made.say("s" + bad, bad, bad, tool_name=bad, reasoning=bad, tool_calls='[{"function": {"name": "\\u001b[2J"}}]')
    made.db.close()
    for verb in (["list"], ["show", "s" + bad, "--reasoning"], ["stats"]):
        ran = run(home, *verb)
        assert ran.code == 0
        assert not set("\x1b\x07\r\u202e") & set(ran.out)
        assert "‹ESC›" in ran.out


@pytest.mark.parametrize("verb", [["list"], ["show", "s"], ["scroll", "s", "2"], ["stats"], ["search", "said"],
                                  ["export", "s"], ["export", "s", "--format", "markdown"],
                                  ["export", "s", "--format", "html"]], ids=" ".join)  # fmt: skip
def test_no_name_shows_a_credential(home: Path, run: Callable[..., Ran], verb: list[str]) -> None:
    made = Made("0.22", str(home / "state.db"))
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
    made.session("s", title="t", source=token, model=token, end_reason=token)
    made.say("s", "said by you")
    made.say(
        "s", "", "assistant", tool_calls=json.dumps([{"id": "c1", "function": {"name": token, "arguments": "{}"}}])
    )
    made.say("s", "said by it", "tool", tool_name=token, tool_call_id="c1")
    made.say("s", "said by nobody", token)
    made.db.close()
    for extra in ([], ["--json"]) if verb[0] != "export" else ([],):
        ran = run(home, *verb, *extra)
        assert ran.code == 0
        assert "ghp_" in ran.out and token not in ran.out
