"""The rooms' borders: who imports what, and what stays out of a fresh interpreter."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import TESTS

PACKAGE = TESTS.parent / "workbench"
ROOMS = (
    "text", "files", "home", "threats", "history", "memory", "inbox", "curation", "sessions", "alerts",
    "workspace", "demo", "cli", "errors",
)  # fmt: skip
HEAVY = ("textual", "rich", "watchdog", "filelock", "yaml", "asyncio")


def loaded_after(code: str) -> set[str]:
    script = f"import sys, json\n{code}\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    return {name.partition(".")[0] for name in json.loads(ran.stderr.splitlines()[-1])}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_no_screen_and_nothing_heavy(room: str) -> None:
    assert loaded_after(f"import workbench.{room}").isdisjoint(HEAVY)


def test_the_headless_face_starts_light(tmp_path: Path) -> None:
    """A read verb on a home without a config needs neither yaml nor filelock; textual never."""
    (tmp_path / "memories").mkdir()
    code = "from workbench.__main__ import main\n"
    loaded = loaded_after(f"{code}main(['--home', {str(tmp_path)!r}, 'status'])")
    assert loaded.isdisjoint(HEAVY)
    loaded = loaded_after(f"{code}main(['--home', {str(tmp_path)!r}, 'memory', 'add', 'memory', 'x'])")
    assert loaded.isdisjoint({"textual", "rich", "watchdog", "yaml"})


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def test_files_stay_readable_in_one_sitting() -> None:
    long = {path.name: lines for path in sources() if (lines := len(path.read_text("utf-8").splitlines())) > 500}
    assert long == {}


def test_functions_stay_short() -> None:
    long: list[str] = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > 65:
                    long.append(f"{path.name}:{node.name} {lines}")
    assert long == []


def test_only_the_history_writes_files_of_the_agent() -> None:
    """`replace_file` and its like are called in the history alone; `open(..., "w")` nowhere below the faces."""
    callers: set[str] = set()
    for path in sources():
        room = path.relative_to(PACKAGE).parts[0]
        if room in ("files", "demo"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = getattr(getattr(node, "func", None), "id", getattr(getattr(node, "func", None), "attr", ""))
            if name in ("replace_file", "place_file", "remove_file", "write_text", "write_bytes"):
                callers.add(room)
    assert callers == {"history"}


def test_dot_env_is_never_opened(tmp_path: Path) -> None:
    """Every verb on a home with a .env, watched by an audit hook that sees each file that is opened."""
    (tmp_path / "memories").mkdir()
    (tmp_path / ".env").write_text("SECRET=1")
    (tmp_path / "config.yaml").write_text("memory: {memory_char_limit: 2200}")
    script = f"""
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
from workbench.__main__ import main
verbs = [["status"], ["memory", "list"], ["prompt"], ["scan"], ["memory", "add", "memory", "x"], ["history"], ["undo"]]
for verb in verbs:
    main(["--home", {str(tmp_path)!r}, *verb])
assert any(name.endswith("config.yaml") for name in opened)
assert not any(name.endswith(".env") for name in opened), opened
"""
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=PACKAGE.parent, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_no_lazy_name_of_the_memory_room_is_also_a_module() -> None:
    """A submodule that is loaded becomes an attribute of its package and would hide a lazy name."""
    import workbench.memory

    modules = {path.stem for path in (PACKAGE / "memory").glob("*.py")}
    assert modules.isdisjoint(workbench.memory.__all__)
    assert sorted(workbench.memory.__all__) == sorted(workbench.memory._MODULE)
