"""Figures of a whole database."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import VERSIONS
from tests.sessions.made import Made
from workbench.sessions.database import Database
from workbench.sessions.schema import look
from workbench.sessions.stats import index_state, stats


@pytest.mark.parametrize("version", VERSIONS)
def test_the_figures_of_a_home(unpack: Callable[[str], Path], version: str) -> None:
    path = unpack(version) / "state.db"
    with Database(path).connection() as db:
        found = stats(db, look(db), path)
        (messages,) = db.execute("SELECT count(*) FROM messages").fetchone()
    later = version in ("0.19.0", "0.22.2")
    assert (found.sessions, found.archived, found.messages) == (43 + later, int(later), messages)
    assert (found.sources["cron"], found.sources["subagent"]) == (30, 1)
    assert sum(found.roles.values()) == sum(found.months.values()) == found.sampled == messages
    assert found.months[time.strftime("%Y-%m", time.localtime(1_760_400_000))] >= 700
    assert found.tools == {"memory": 3, "read_file": 1, "terminal": 1}
    assert found.usage.input_tokens > 800_000
    assert found.usage.cost is not None
    assert found.first == 1_760_000_000
    assert (found.index, found.bytes >= path.stat().st_size) == ("ok", True)


def test_absurd_rows_do_not_hide_the_others(tmp_path: Path) -> None:
    made = Made("0.19", str(tmp_path / "state.db"))
    made.session("a", started_at=5e246, input_tokens="odd", estimated_cost_usd="odd")
    made.session("b", started_at=1000.0, input_tokens=5, source=None)
    made.say("b", role=None, timestamp="abc")
    made.say("b", role="tool", timestamp=float("inf"))
    found = stats(made.db, made.cap, tmp_path / "state.db")
    assert (found.first, found.last) == (1000.0, 1000.0)
    assert (found.usage.input_tokens, found.sources) == (5, {"cli": 1})
    assert (found.roles, found.months, found.tools) == ({"None": 1, "tool": 1}, {"?": 2}, {"?": 1})
    assert found.index == "absent"
    made.db.close()


def test_states_of_the_index() -> None:
    cap = replace(Made().cap, fts="inline")
    assert index_state(cap) == "ok"
    assert index_state(replace(cap, fts=None)) == "absent"
    assert index_state(replace(cap, damaged="why")) == "damaged"
    assert index_state(replace(cap, meta={"fts_stale": "1"})) == "stale"
    assert index_state(replace(cap, meta={"fts_rebuild_high_water": "9"})) == "rebuilding"
