"""A plan that was applied leaves a file that the real 0.19 client reads as the workbench does, and goes on writing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.client.test_memory_client import Ask
from tests.client.test_memory_client import ask as ask
from workbench.demo import make
from workbench.home import HomeChoice
from workbench.workspace import Workspace

pytestmark = pytest.mark.client


def test_the_client_goes_on_with_what_a_plan_left(ask: Ask, tmp_path: Path) -> None:
    home = make(tmp_path / "home", now=1_790_000_000)
    shutil.rmtree(home / "pending")
    (home / "config.yaml").unlink()  # approval would stage the client's own write
    workspace = Workspace.open(HomeChoice(home, home, "default", "a test"))
    plan = workspace.curation.plan("memory", under=80)
    workspace.write(plan.operation)
    documents = workspace.documents()
    workspace.close()
    seen = ask({"do": "entries", "home": str(home)})
    assert seen == {target: list(document.texts) for target, document in documents.items()}
    folded = next(text for text in documents["memory"].texts if text.startswith("Ops:\n"))
    arguments = {"action": "replace", "target": "memory", "old_text": "Alerts: pages", "content": f"{folded} at night"}
    assert ask({"do": "call", "home": str(home), "args": arguments})["success"]
    arguments = {"action": "add", "target": "memory", "content": "There is room again"}
    assert ask({"do": "call", "home": str(home), "args": arguments})["success"]
