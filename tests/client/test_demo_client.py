"""The real client (0.19) opens the demo home: its database, its search, its memory, its waiting writes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from workbench.demo import make, texts

CODE = """
import json, os, pathlib
home = pathlib.Path(os.environ["HERMES_HOME"])
from hermes_state import SessionDB
from tools.memory_tool import load_on_disk_store
from tools.threat_patterns import scan_for_threats
from tools import write_approval
db = SessionDB(db_path=home / "state.db")
found = db.search_messages("kiwi")
chinese = db.search_messages("大别山")
messages = db.get_messages(found[0]["session_id"])
db.close()
store = load_on_disk_store()
print(json.dumps({
    "kiwi": len(found),
    "chinese": len(chinese),
    "messages": len(messages),
    "memory": store.memory_entries,
    "user": store.user_entries,
    "prompt": store.format_for_system_prompt("memory"),
    "threats": [entry for entry in store.memory_entries if scan_for_threats(entry, scope="strict")],
    "pending": [len(write_approval.list_pending(name)) for name in ("memory", "skills")],
    "gates": [write_approval.write_approval_enabled(name) for name in ("memory", "skills")],
}))
"""


def ask(client_python: str, home: Path) -> Any:
    done = subprocess.run(
        [client_python, "-c", CODE],
        env={"HERMES_HOME": str(home), "HOME": str(home.parent), "PYTHONHASHSEED": "0", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.client
def test_the_client_reads_the_demo_home(client_python: str, tmp_path: Path) -> None:
    home = make(tmp_path / "home", now=1_760_000_000.0)
    got = ask(client_python, home)
    assert got["memory"] == list(texts.MEMORY)
    assert got["user"] == list(texts.USER)
    assert "[96% — 2,1" in got["prompt"] or "[BLOCKED:" in got["prompt"]
    assert got["threats"] == [texts.DEPLOY_KEY]
    assert (got["kiwi"], got["messages"]) == (1, 4)
    assert got["chinese"] >= 2
    assert got["pending"] == [14, 5]
    assert got["gates"] == [True, False]


@pytest.mark.client
def test_the_client_reads_a_bulk_home(client_python: str, tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    home = make(tmp_path / "home", now=1_760_000_000.0, sessions=5, messages=200)
    with closing(sqlite3.connect(home / "state.db")) as db:
        db.execute("UPDATE messages SET content = content || ' kiwi' WHERE id = 1")
        db.commit()
    got = ask(client_python, home)
    assert got["kiwi"] == 1
