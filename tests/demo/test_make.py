from __future__ import annotations

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from workbench.demo import make, story, texts
from workbench.errors import Usage, WriteFailed
from workbench.home import HomeChoice, load, profiles
from workbench.workspace import Workspace

NOW = 1_760_000_000.0


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("demo") / "home", now=NOW)


def text_files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith("state.db")
    }


def rows(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(query).fetchall()


def all_rows(path: Path) -> dict[str, list[Any]]:
    names = [name for (name,) in rows(path, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return {name: rows(path, f"SELECT * FROM {name}") for name in names if "fts" not in name}


def records(home: Path, subsystem: str = "memory") -> list[dict[str, Any]]:
    found = []
    for path in sorted((home / "pending" / subsystem).glob("*.json")):
        try:
            found.append(json.loads(path.read_bytes()))
        except json.JSONDecodeError:
            continue
    return found


def test_the_same_seed_and_time_make_the_same_home(home: Path, tmp_path: Path) -> None:
    again = make(tmp_path / "again", now=NOW)
    assert text_files(again) == text_files(home)
    assert all_rows(again / "state.db") == all_rows(home / "state.db")


def test_another_seed_makes_another_story(home: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other", seed=8, now=NOW)
    assert text_files(other).keys() != text_files(home).keys()
    assert all_rows(other / "state.db")["messages"] != all_rows(home / "state.db")["messages"]


def test_the_stores_are_as_full_as_promised(home: Path) -> None:
    memory = (home / "memories/MEMORY.md").read_text("utf-8")
    user = (home / "memories/USER.md").read_text("utf-8")
    assert 0.95 <= len(memory) / 2200 <= 0.97
    assert 0.45 <= len(user) / 1375 <= 0.55
    for text, entries in ((memory, texts.MEMORY), (user, texts.USER)):
        assert text.split(texts.DELIMITER) == list(entries)
        assert all(entry == entry.strip() and "\n" not in entry for entry in entries)
        assert len(set(entries)) == len(entries)
    sizes = sorted(map(len, texts.MEMORY))
    assert 90 <= sizes[len(sizes) // 2] <= 150
    assert sum(entry.startswith("Key facts > Ops > ") for entry in texts.MEMORY) >= 3


def test_modes_and_layout(home: Path) -> None:
    for path in [home, *home.rglob("*")]:
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path
    assert (home / "memories/diary.md").exists()
    assert len(list((home / "skills").rglob("SKILL.md"))) == 2
    assert [p.name for p in profiles(home)] == ["default", "work"]
    assert {p.name for p in home.glob("state.db*")} == {"state.db"}


def test_the_settings_are_read_without_a_problem(home: Path) -> None:
    got = load(home)
    assert got.problems == ()
    assert (got.memory_write_approval, got.skills_write_approval, got.provider) == (True, False, "")
    assert load(home / "profiles/work").memory_char_limit == 1600


def matching(old: str | None, store: tuple[str, ...]) -> int:
    return sum(old is not None and old in entry for entry in store)


def test_every_status_of_a_waiting_write_is_there(home: Path) -> None:
    stores = {"memory": texts.MEMORY, "user": texts.USER}
    found: set[str] = set()
    size = len(texts.DELIMITER.join(texts.MEMORY))
    for record in records(home):
        payload = record["payload"]
        if "action" not in record:
            found.add("unsupported")
            continue
        store = stores[payload["target"]]
        if payload["action"] == "batch":
            removed = [step["old_text"] for step in payload["operations"] if step["action"] == "remove"]
            assert all(matching(old, store) == 1 for old in removed)
            found.add("emptying" if len(removed) == len(store) else "ready batch")
            continue
        content, old = payload["content"], payload["old_text"]
        if payload["action"] == "add":
            if content in store:
                found.add("duplicate")
            elif "Ignore all previous" in content:
                found.add("blocked")
            elif payload["target"] == "memory" and size + 3 + len(content) > 2200:
                found.add("over_budget")
            else:
                found.add("ready add")
        elif matching(old, store) == 0:
            found.add("stale")
        elif matching(old, store) > 1:
            found.add("ambiguous")
        elif content in store:
            found.add("no_op")
        elif len(content or "") < 60:
            found.add("lossy")
        else:
            found.add("replace")
    assert found == {
        "unsupported", "emptying", "ready batch", "duplicate", "blocked", "over_budget", "ready add", "stale",
        "ambiguous", "no_op", "lossy", "replace",
    }  # fmt: skip
    rivals = [r for r in records(home) if r.get("action") == "replace" and "10.0.1.50" in r["payload"]["content"]]
    assert len(rivals) == 2
    broken = [p for p in (home / "pending/memory").glob("*.json") if not p.read_bytes().endswith(b"}")]
    assert len(broken) == 1


def test_some_waiting_writes_lie_near_a_session(home: Path) -> None:
    workspace = Workspace.open(HomeChoice(home, home, "default", "a test"), clock=lambda: NOW)
    origins = [workspace.origin_of(one.record) for one in workspace.inbox.previews()]
    titles = [origin.title for origin in origins if origin is not None]
    assert titles == ["Firewall move", "New laptop", "Backups and restores, part 10"]
    workspace.close()


def test_waiting_writes_have_the_clients_shape(home: Path) -> None:
    origins = set()
    for subsystem in ("memory", "skills"):
        for record in records(home, subsystem):
            if "action" not in record:
                continue
            path = home / "pending" / subsystem / f"{record['id']}.json"
            assert path.read_text("utf-8") == json.dumps(record, indent=2, ensure_ascii=False)
            assert list(record) == ["id", "subsystem", "action", "summary", "origin", "created_at", "payload"]
            assert record["subsystem"] == subsystem
            assert NOW - 21 * 86_400 <= record["created_at"] < NOW
            origins.add(record["origin"])
    assert origins == {"assistant_tool", "background_review", "foreground"}
    assert {r["action"] for r in records(home, "skills")} == {"create", "patch", "delete", "write_file"}


def test_the_database_is_sound_and_searchable(home: Path) -> None:
    path = home / "state.db"
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    assert rows(path, "PRAGMA journal_mode") == [("wal",)]
    assert rows(path, "SELECT version FROM schema_version") == [(22,)]
    count = rows(path, "SELECT count(*) FROM messages")
    for table in ("messages_fts", "messages_fts_trigram"):
        rows(path, f"INSERT INTO {table}({table}) VALUES ('integrity-check')")
        assert rows(path, f"SELECT count(*) FROM {table}") == count
    assert rows(path, "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'docker networking'")
    assert rows(path, "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'kiwi'")
    assert rows(path, "SELECT rowid FROM messages_fts_trigram WHERE messages_fts_trigram MATCH '\"大别山\"'")


def test_every_shape_of_a_session_is_there(home: Path) -> None:
    path = home / "state.db"
    sources = {source for (source,) in rows(path, "SELECT DISTINCT source FROM sessions")}
    assert sources == {"cli", "telegram", "discord", "cron", "subagent"}
    chain = rows(
        path,
        "SELECT a.title, b.title, c.title FROM sessions a JOIN sessions b ON b.parent_session_id = a.id "
        "JOIN sessions c ON c.parent_session_id = b.id WHERE a.end_reason = 'compression' "
        "AND b.end_reason = 'compression' AND b.started_at >= a.ended_at AND c.started_at >= b.ended_at",
    )
    assert ("Auth refactor", "Auth refactor #2", "Auth refactor #3") in chain
    configs = {next(iter(json.loads(c))) for (c,) in rows(path, "SELECT model_config FROM sessions") if c}
    assert configs == {"_branched_from", "_delegate_from"}
    states = set(rows(path, "SELECT DISTINCT active, compacted FROM messages"))
    assert states == {(1, 0), (0, 0), (0, 1)}
    copies = rows(
        path,
        "SELECT count(*) FROM messages a JOIN messages b ON a.session_id = b.session_id AND a.content = b.content "
        "AND a.timestamp = b.timestamp AND a.id < b.id WHERE a.compacted = 1 AND b.active = 1",
    )
    assert copies == [(4,)]
    assert rows(path, "SELECT count(*) FROM messages WHERE instr(content, 'json:[') = 2") == [(1,)]
    assert 280 <= rows(path, "SELECT max(message_count) FROM sessions")[0][0] <= 320
    assert 400 <= rows(path, "SELECT count(*) FROM messages")[0][0] <= 1500
    assert rows(path, "SELECT max(timestamp) < 1760000000 FROM messages") == [(1,)]
    assert rows(path, "SELECT count(*) FROM sessions WHERE end_reason IS NULL AND source = 'cli'") == [(1,)]


def test_counts_in_the_sessions_agree_with_their_messages(home: Path) -> None:
    wrong = rows(
        home / "state.db",
        "SELECT id FROM sessions s WHERE message_count <> "
        "(SELECT count(*) FROM messages m WHERE m.session_id = s.id AND active = 1) "
        "OR ended_at < (SELECT max(timestamp) FROM messages m WHERE m.session_id = s.id)",
    )
    assert wrong == []


def test_the_memory_calls_lead_to_the_stores(home: Path) -> None:
    stores: dict[str, list[str]] = {"memory": [], "user": []}
    query = "SELECT tool_calls FROM messages WHERE tool_calls LIKE '%\"memory\"%' ORDER BY id"
    for (calls,) in rows(home / "state.db", query):
        arguments = json.loads(json.loads(calls)[0]["function"]["arguments"])
        store = stores[arguments["target"]]
        for step in arguments.get("operations", [arguments]):
            if step["action"] == "replace":
                (at,) = [i for i, entry in enumerate(store) if step["old_text"] in entry]
                store[at] = step["content"]
            else:
                store.append(step["content"])
    assert stores["memory"][:-1] == list(texts.MEMORY)  # the last add was refused: no room
    assert stores["user"] == list(texts.USER)


def test_prompts_hold_the_memory_of_their_time() -> None:
    told = {s.title: s for s in story.tell(7, NOW)}
    assert texts.PORT_OLD not in (told["Ledger workspace setup"].prompt or "")
    assert texts.PORT_OLD in (told["Auth refactor"].prompt or "")
    latest = told["New laptop"].prompt or ""
    assert texts.PORT_NEW in latest
    assert texts.TOOLS not in latest


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("mine")
    with pytest.raises(Usage):
        make(tmp_path, now=NOW)
    with pytest.raises(Usage):
        make(tmp_path / "note", now=NOW)
    assert [p.name for p in tmp_path.iterdir()] == ["note"]


@pytest.mark.parametrize("name", [".hermes", ".hermes/profiles/demo"])
def test_the_real_home_is_refused_even_when_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.raises(Usage):
        make(tmp_path / name, now=NOW)
    assert not (tmp_path / ".hermes").exists()


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    assert make(tmp_path, now=NOW, sessions=1, messages=1) == tmp_path
    assert (tmp_path / "memories/MEMORY.md").exists()


@pytest.mark.parametrize(("sessions", "messages"), [(0, None), (None, 0), (5, 4), (-1, 10)])
def test_numbers_that_make_no_sense(tmp_path: Path, sessions: int | None, messages: int | None) -> None:
    with pytest.raises(Usage):
        make(tmp_path / "d", sessions=sessions, messages=messages)
    assert not (tmp_path / "d").exists()


def test_a_refused_write_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(WriteFailed, match="No space left"):
        make(tmp_path / "d", now=NOW)


def test_bulk(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    home = make(
        tmp_path / "a", now=NOW, sessions=50, messages=2000, progress=lambda done, total: told.append((done, total))
    )
    path = home / "state.db"
    assert rows(path, "SELECT count(*) FROM sessions") == [(50,)]
    assert rows(path, "SELECT count(*), min(id), max(id) FROM messages") == [(2000, 1, 2000)]
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    for table in ("messages_fts", "messages_fts_trigram"):
        rows(path, f"INSERT INTO {table}({table}) VALUES ('integrity-check')")
        assert rows(path, f"SELECT count(*) FROM {table}") == [(2000,)]
    assert rows(path, "SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'the'")[0][0] > 500
    assert 0.03 < rows(path, "SELECT avg(instr(content, '，') > 0) FROM messages")[0][0] < 0.3
    assert told[0] == (0, 2000)
    assert told[-1] == (2000, 2000)
    assert told == sorted(told)
    # The triggers are in place for whoever writes next.
    with closing(sqlite3.connect(path)) as db:
        db.execute(
            "INSERT INTO messages(session_id, role, content, timestamp) SELECT id, 'user', 'zyzzyva', 1 "
            "FROM sessions LIMIT 1"
        )
        db.commit()
        assert db.execute("SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'zyzzyva'").fetchall() == [(2001,)]
    again = make(tmp_path / "b", now=NOW, sessions=50, messages=2000)
    assert all_rows(again / "state.db")["sessions"] == all_rows(path)["sessions"]


def test_one_number_is_enough(tmp_path: Path) -> None:
    path = make(tmp_path / "a", now=NOW, messages=120) / "state.db"
    assert rows(path, "SELECT count(*) FROM sessions") == [(3,)]
    path = make(tmp_path / "b", now=NOW, sessions=2) / "state.db"
    assert rows(path, "SELECT count(*) FROM messages") == [(80,)]
