"""What all tests share: homes to work on, a workspace, the real client."""

from __future__ import annotations

import io
import json
import os
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.__main__ import main
from workbench.home import HomeChoice
from workbench.workspace import Workspace

TESTS = Path(__file__).parent
VERSIONS = ("0.13.0", "0.14.0", "0.19.0", "0.22.2")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests against the real client run with WORKBENCH_CLIENT=1; a missing client is then a failure, not a skip."""
    if os.environ.get("WORKBENCH_CLIENT") == "1":
        return
    chosen = [item for item in items if item.get_closest_marker("client") is None]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen


@pytest.fixture
def client_python() -> str:
    """The Python of a venv that holds hermes-agent 0.19.0 and PyYAML, named by WORKBENCH_CLIENT_PYTHON."""
    python = os.environ.get("WORKBENCH_CLIENT_PYTHON", "")
    assert python and Path(python).exists(), "WORKBENCH_CLIENT_PYTHON must name the real client's Python"
    return python


@pytest.fixture
def unpack(tmp_path: Path) -> Callable[[str], Path]:
    """Unpack a copy of a home that a real client version wrote."""

    def unpacked(version: str) -> Path:
        with tarfile.open(TESTS / "homes" / f"hermes-{version}.tar.xz") as archive:
            archive.extractall(tmp_path, filter="data")
        return tmp_path / f"hermes-{version}"

    return unpacked


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home with a memories folder."""
    folder = tmp_path / "home"
    (folder / "memories").mkdir(parents=True)
    return folder


@pytest.fixture
def put(home: Path) -> Callable[..., Path]:
    """Write a memory file of the home: bytes as they are, text as UTF-8, or a list of entries."""

    def write(content: bytes | str | list[str], target: str = "memory") -> Path:
        path = home / "memories" / {"memory": "MEMORY.md", "user": "USER.md"}[target]
        if isinstance(content, list):
            content = "\n§\n".join(content)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def open_home(home: Path, request: pytest.FixtureRequest) -> Callable[..., Workspace]:
    """Open the home (or another one) as a workspace that is closed after the test."""

    def opened(folder: Path | None = None, **options: object) -> Workspace:
        path = folder or home
        workspace = Workspace.open(HomeChoice(path, path, "default", "a test"), **options)  # type: ignore[arg-type]
        request.addfinalizer(workspace.close)
        return workspace

    return opened


class Ran:
    """What a verb answered."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.out)
        assert data["schema"] == 1
        return data


@pytest.fixture
def run(home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run a verb as the command line does, on the home or another `folder`."""

    def call(*argv: str, stdin: str | bytes = "", folder: Path | None = None) -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = main(["--home", str(folder or home), *argv])
        captured = capfd.readouterr()
        return Ran(code, captured.out, captured.err)

    return call
