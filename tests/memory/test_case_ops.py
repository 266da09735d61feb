"""Every row of cases/memory_ops.json, previewed and written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TESTS
from workbench.errors import BadContent, NeedsConfirmation, OverBudget
from workbench.memory import apply, from_json
from workbench.workspace import Workspace

ROWS: list[dict[str, Any]] = json.loads((TESTS / "cases" / "memory_ops.json").read_text("utf-8"))
LIMITS = {"memory": 2200, "user": 1375}
REFUSALS = {"O01": BadContent, "O02": BadContent, "O06": OverBudget, "O08": BadContent}
WARNINGS = {"O04": "--accept-loss", "O05": "--accept-empty"}


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_row(row: dict[str, Any], put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    path = put(row["before"])
    before = path.read_bytes()
    operation = from_json(row["op"])
    outcome = apply({"memory": tuple(row["before"]), "user": ()}, operation, LIMITS)
    workspace = open_home()
    if "refused" in row:
        assert isinstance(outcome.refused, REFUSALS[row["id"]])
        with pytest.raises(REFUSALS[row["id"]]):
            workspace.write(operation)
        assert path.read_bytes() == before
        return
    if "warn" in row:
        assert [needed.flag for needed in outcome.confirm] == [WARNINGS[row["id"]]]
        with pytest.raises(NeedsConfirmation):
            workspace.write(operation)
        assert path.read_bytes() == before
        workspace.write(operation, accept=frozenset({WARNINGS[row["id"]]}))
    else:
        workspace.write(operation)
    expected = tuple(row.get("after", ()))
    assert outcome.after["memory"] == expected
    assert workspace.documents()["memory"].texts == expected


def test_the_sizes_named_in_the_refusals() -> None:
    by_id = {row["id"]: row for row in ROWS}

    def outcome(ident: str) -> Any:
        row = by_id[ident]
        return apply({"memory": tuple(row["before"]), "user": ()}, from_json(row["op"]), LIMITS)

    assert outcome("O01").refused.pieces == 2
    assert outcome("O06").refused.missing == 53
    what = outcome("O04").confirm[0].what
    assert "from 56 to 20 characters" in what
    assert "41 characters outside" in what
    assert "all 2 entries" in outcome("O05").confirm[0].what
    assert outcome("O07").effects[0].kind == "unchanged"
