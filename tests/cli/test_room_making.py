"""`workbench memory suggest|plan|removed|draft`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran
from tests.snapshots import tree
from workbench.curation.drafts import as_json
from workbench.demo import make
from workbench.memory import Exact, Move, Remove
from workbench.workspace import Workspace

Run = Callable[..., Ran]
KEYS = {"id", "kind", "entries", "why", "freed", "loss", "confidence", "operation"}


def data(ran: Ran) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ran.out)
    assert found["schema"] == 1
    return found


@pytest.fixture(scope="module")
def made_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("demo") / "home", now=1_790_000_000)


@pytest.fixture
def demo(made_demo: Path, tmp_path: Path) -> Path:
    import shutil

    return Path(shutil.copytree(made_demo, tmp_path / "demo"))


def test_the_command_line_knows_every_kind() -> None:
    from workbench.cli.curation_options import KINDS as ON_THE_LINE
    from workbench.curation.suggestion import KINDS

    assert tuple(KINDS) == ON_THE_LINE


def test_looking_changes_nothing_and_names_every_reason(run: Run, demo: Path) -> None:
    before = tree(demo)
    found = data(run("memory", "suggest", "--json", folder=demo))["suggestions"]
    assert {one["kind"] for one in found} == {"belongs", "reworded", "in_skill", "contradiction", "shorter"}
    assert all(set(one) == KEYS and one["why"] for one in found)
    text = run("memory", "suggest", folder=demo)
    assert text.code == 0 and all(one["why"] in text.out and one["id"] in text.out for one in found)
    only = data(run("memory", "suggest", "memory", "--kind", "reworded", "--json", folder=demo))["suggestions"]
    assert [one["kind"] for one in only] == ["reworded"]
    assert data(run("memory", "suggest", "user", "--json", folder=demo))["suggestions"] == []
    everything = data(run("memory", "suggest", "--all", "--json", folder=demo))["suggestions"]
    assert {"copied"} <= {one["kind"] for one in everything}
    assert tree(demo) == before


def test_the_operation_of_a_suggestion_is_what_apply_reads(run: Run, demo: Path, tmp_path: Path) -> None:
    found = data(run("memory", "suggest", "--json", folder=demo))["suggestions"]
    one = next(one for one in found if one["kind"] == "shorter")
    file = tmp_path / "one.json"
    file.write_text(json.dumps(one["operation"]), "utf-8")
    before = data(run("memory", "list", "memory", "--json", folder=demo))["chars"]
    assert run("memory", "apply", str(file), folder=demo).code == 0
    assert data(run("memory", "list", "memory", "--json", folder=demo))["chars"] == before - one["freed"]


def test_the_plan_is_shown_then_applied_and_one_undo_takes_it_back(run: Run, demo: Path) -> None:
    memory = demo / "memories" / "MEMORY.md"
    before = memory.read_bytes()
    plan = data(run("memory", "plan", "--under", "80", "--json", folder=demo))
    assert plan["reached"] and plan["chars"] - plan["chars_after"] == plan["freed"] and len(plan["steps"]) < 10
    assert [step["percent_after"] for step in plan["steps"]][-1] < 80
    refused = run("memory", "plan", "--under", "80", "--apply", "--json", folder=demo)
    assert refused.code == 1 and data(refused)["kind"] == "needs_confirmation"
    assert memory.read_bytes() == before
    dry = run("memory", "plan", "--under", "80", "--dry-run", "--accept-loss", "--json", folder=demo)
    assert dry.code == 0 and data(dry)["percent_after"]["memory"] < 80 and memory.read_bytes() == before
    applied = run("memory", "plan", "--under", "80", "--apply", "--accept-loss", folder=demo)
    assert applied.code == 0 and "96 % → 79 %" in applied.out
    assert run("undo", folder=demo).code == 0
    assert memory.read_bytes() == before


def test_a_plan_that_falls_short_says_by_how_much(run: Run, put: Callable[..., Path]) -> None:
    put(["Tea is in the kitchen", "Miso is a cat"])
    ran = run("memory", "plan", "--free", "20")
    assert ran.code == 1 and "20 short of the goal" in ran.out
    assert run("memory", "plan", "--free", "20", "--apply").code == 1
    assert run("memory", "plan").code == 2
    assert run("memory", "plan", "--free", "20", "--under", "80").code == 2


def test_a_dismissal_holds_and_an_unknown_id_is_said(run: Run, put: Callable[..., Path]) -> None:
    put(["CI is GitHub Actions", "ci is GitHub actions."])
    (one,) = data(run("memory", "suggest", "--json"))["suggestions"]
    assert run("memory", "suggest", "--dismiss", one["id"][:6]).code == 0
    ran = run("memory", "suggest")
    assert ran.code == 0 and "nothing to suggest" in ran.out
    assert run("memory", "suggest", "--dismiss", "ffffffffffff").code == 2
    assert run("--read-only", "memory", "suggest", "--dismiss", one["id"]).code in (1, 2)


def test_a_file_that_cannot_be_read_is_not_called_tidy(run: Run, put: Callable[..., Path]) -> None:
    put(b"\xff broken")
    assert "MEMORY.md cannot be read" in run("memory", "suggest").out
    assert run("memory", "plan", "--free", "1").code == 1


def test_a_blob_is_to_be_split_first(run: Run, put: Callable[..., Path]) -> None:
    put(["x " * 1500, "CI is GitHub Actions", "CI is GitHub actions."])
    assert "split it first" in run("memory", "suggest").out
    ran = run("memory", "plan", "--free", "1", "--json")
    assert ran.code == 1 and data(ran)["kind"] == "lossy"


def test_what_vanished_is_listed_and_put_back(run: Run, put: Callable[..., Path]) -> None:
    put(["Tea is in the kitchen", "Miso is a cat"])
    run("memory", "remove", "memory", "#1")
    (item,) = data(run("memory", "removed", "--json"))["removed"]
    assert item["text"] == "Tea is in the kitchen" and item["whose"] == "you"
    assert "by you" in run("memory", "removed", "memory").out
    assert data(run("memory", "removed", "user", "--json"))["removed"] == []
    assert run("memory", "removed", "--put-back", item["id"]).code == 0
    assert run("memory", "list", "memory").out.index("Tea") < run("memory", "list", "memory").out.index("Miso")
    assert "no entry vanished" in run("memory", "removed").out


def test_drafts_headless(
    run: Run, put: Callable[..., Path], open_home: Callable[..., Workspace], tmp_path: Path
) -> None:
    path = put(["one", "two", "three"])
    assert "no drafts" in run("memory", "draft", "list").out
    assert run("memory", "draft", "apply").code == 2
    workspace = open_home()
    drafts = workspace.curation.drafts
    steps = (Remove("memory", Exact("one")), Move("memory", Exact("two"), "user"))
    draft = drafts.add(drafts.begin(workspace.documents()), *steps)
    shown = data(run("memory", "draft", "show", "--json"))
    assert shown["changes"] == json.loads(json.dumps(as_json(draft)["changes"])) and shown["conflicts"] == []
    assert shown["stores"]["memory"]["chars_after"] == 5
    file = tmp_path / "draft.json"
    file.write_text(json.dumps(as_json(draft)), "utf-8")
    assert run("memory", "apply", str(file), "--dry-run").code == 0, "the verb reads what a draft is written as"
    put(["zero", "two", "three"])
    conflicted = run("memory", "draft", "show")
    assert "conflict" in conflicted.out
    assert run("memory", "draft", "apply").code == 3
    path.write_text("one\n§\ntwo\n§\nthree")
    assert run("memory", "draft", "apply", "--dry-run").code == 0
    assert run("memory", "draft", "apply", str(draft.id)).code == 0
    assert path.read_text() == "three"
    again = drafts.begin(workspace.documents())
    assert run("memory", "draft", "drop", str(again.id)).code == 0
    assert data(run("memory", "draft", "list", "--json"))["drafts"] == []
