"""The README never lies: its tables, its commands and its links."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.conftest import TESTS
from tests.tools.readme import README, rendered

TEXT = README.read_text("utf-8")


def test_tables_are_fresh() -> None:
    assert rendered(TEXT) == TEXT, "run python -m tests.tools.readme"


def test_ci_runs_the_documented_test_command() -> None:
    block = TEXT.split("<!-- test command -->")[1].split("<!-- end -->")[0]
    assert "tests.all" in block
    assert "<!-- test command -->" in (TESTS.parent / ".ci" / "run").read_text()


def test_links_and_pictures_exist() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", TEXT)
    assert targets
    assert [target for target in targets if not (TESTS.parent / target).exists()] == []


def test_dependencies_are_the_five_and_pinned_for_the_lock() -> None:
    project = tomllib.loads((TESTS.parent / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.split(r"[=<>]", one)[0] for one in project["dependencies"]}
    assert names == {"textual", "rich", "watchdog", "pyyaml", "filelock"}
    assert "filelock>=3.30.3,<5" in project["dependencies"], "older ones unlink the client's lock"
    assert project["requires-python"] == ">=3.11"


def test_top_level_is_as_agreed() -> None:
    known = {"workbench", "tests", "themes", "screenshots", "README.md", "LICENSE", "pyproject.toml"}
    import subprocess

    listed = subprocess.run(["git", "ls-files"], cwd=TESTS.parent, capture_output=True, text=True, check=False).stdout
    top = {Path(name).parts[0] for name in listed.splitlines()} or known
    assert {name for name in top if not name.startswith(".")} <= known
