"""Every row of cases/memory_files.json, on the file's bytes too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TESTS
from tests.snapshots import tree
from workbench.errors import Lossy, OverBudget, Unreadable
from workbench.memory import Add, Exact, Normalise, Remove, Replace, Split, parse, serialise
from workbench.workspace import Workspace

ROWS: list[dict[str, Any]] = json.loads((TESTS / "cases" / "memory_files.json").read_text("utf-8"))
LIMIT = 2200


def raw(row: dict[str, Any]) -> bytes:
    return bytes.fromhex(row["raw_hex"]) if "raw_hex" in row else row["raw"].encode("utf-8")


@pytest.fixture(params=ROWS, ids=[row["id"] for row in ROWS])
def row(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.param
    return found


def test_reads_as_the_case_says(row: dict[str, Any]) -> None:
    document = parse(raw(row), "memory", LIMIT, windows=False)
    assert document.state == row["state"]
    entries = row.get("entries")
    if isinstance(entries, list):
        assert list(document.texts) == entries
    elif isinstance(entries, int):
        assert len(document.entries) == entries
    if "chars" in row:
        assert document.chars == row["chars"]
    if "percent" in row:
        assert document.percent == row["percent"]
    if "error_offset" in row:
        assert document.error_offset == row["error_offset"]
    if "duplicates" in row:
        assert document.duplicates == row["duplicates"]
    if "normalised" in row:
        assert serialise(document.texts) == row["normalised"].encode("utf-8")


def test_hints_where_the_case_has_one(row: dict[str, Any]) -> None:
    kinds = {hint.kind for hint in parse(raw(row), "memory", LIMIT).hints}
    wanted = {
        "M08": "headings",
        "M11": "indented_delimiter",
        "M12": "duplicates",
        "M18": "other_delimiter",
        "M19": "spaced_delimiter",
        "M20": "stray_delimiter",
    }.get(row["id"])
    assert wanted is None or wanted in kinds
    assert "hint" not in row or kinds


def test_looking_changes_no_byte(
    row: dict[str, Any], home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    put(raw(row))
    before = tree(home)
    workspace = open_home()
    status = workspace.status()
    if row["state"] != "unreadable":
        workspace.prompt()
    assert status.stores["memory"].state == row["state"]
    assert tree(home) == before


def test_writes_are_refused_or_keep_every_entry(
    row: dict[str, Any], home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(raw(row))
    workspace = open_home()
    kept = workspace.documents()["memory"].texts
    refusal = {"unreadable": Unreadable, "lossy": Lossy, "over": OverBudget}.get(row["state"])
    if refusal is None:
        workspace.write(Add("memory", "a new fact"))
        assert workspace.documents()["memory"].texts == (*kept, "a new fact")
        workspace.undo()
    else:
        with pytest.raises(refusal):
            workspace.write(Add("memory", "a new fact"))
    assert path.read_bytes() == raw(row)


def test_cosmetic_files_can_be_normalised_and_back(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    for row in ROWS:
        if row["state"] != "cosmetic":
            continue
        path = put(raw(row))
        workspace = open_home()
        workspace.write(Normalise("memory"))
        assert path.read_bytes() == "\n§\n".join(row["entries"]).encode("utf-8")
        workspace.undo()
        assert path.read_bytes() == raw(row), row["id"]


def test_a_lossy_file_takes_split_and_trim_only(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    row = next(row for row in ROWS if row["id"] == "M07")
    path = put(raw(row))
    workspace = open_home()
    entry = workspace.documents()["memory"].texts[0]
    with pytest.raises(Lossy):
        workspace.write(Remove("memory", Exact(entry)), accept=frozenset({"--accept-empty"}))
    workspace.write(Split("memory", Exact(entry), (entry[:1200], entry[1200:])))
    assert workspace.documents()["memory"].state == "over"
    workspace.undo()
    assert path.read_bytes() == raw(row)
    workspace.write(Replace("memory", Exact(entry), entry[:900]))
    assert workspace.documents()["memory"].state == "ok"


def test_over_with_small_entries_takes_what_lowers_the_total(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    row = next(row for row in ROWS if row["id"] == "M21")
    put(raw(row))
    workspace = open_home()
    first = workspace.documents()["memory"].texts[0]
    with pytest.raises(OverBudget) as error:
        workspace.write(Replace("memory", Exact(first), first + "!"))
    assert error.value.missing == 118
    workspace.write(Replace("memory", Exact(first), first[:-10]))
    workspace.write(Remove("memory", Exact(first[:-10])))
    assert workspace.documents()["memory"].state == "ok"


def test_a_contained_entry_is_removed_alone(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    row = next(row for row in ROWS if row["id"] == "M22")
    put(raw(row))
    workspace = open_home()
    workspace.write(Remove("memory", Exact("Ana likes tea.")))
    assert workspace.documents()["memory"].texts == ("Ana likes tea. Also jam.",)


def test_what_each_generation_refuses() -> None:
    by_id = {row["id"]: parse(raw(row), "memory", LIMIT, windows=False).refused_by for row in ROWS}
    drift = ["replace", "remove", "batch"]
    assert by_id["M01"] == {"0.19": drift}
    assert by_id["M02"] == {"0.19": drift}
    assert by_id["M03"] == {"0.19": drift}
    assert by_id["M04"] == {}
    assert by_id["M05"] == {}, "0.19 keeps the BOM as part of the first entry and sees no drift"
    assert by_id["M07"]["0.19"] == ["add", *drift]
    assert by_id["M07"]["0.22"] == ["add", "patch", "remove", "batch"]
    assert by_id["M09"] == {}, "text mode reads CRLF as LF"
    assert by_id["M13"] == {client: ["add"] for client in ("0.13", "0.14", "0.19", "0.22")}
    assert "replace" in by_id["M06"]["0.19"]
