"""The switches of config.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.inbox.support import opened
from workbench.errors import BadConfig, OutsideLink, Usage

CONFIG = "# mine\nmemory:\n  write_approval: false   # review\n  memory_char_limit: 2200\n"


def test_only_the_value_changes_and_undo_brings_it_back(home: Path) -> None:
    path = home / "config.yaml"
    path.write_text(CONFIG)
    workspace = opened(home)
    assert workspace.set_gate("memory", True) is not None
    assert path.read_text() == CONFIG.replace("false ", "true ")
    assert workspace.config.memory_write_approval
    assert workspace.set_gate("memory", True) is None, "it stands like that already"
    workspace.undo()
    assert path.read_text() == CONFIG
    assert not (home / "config.yaml.lock").exists()
    workspace.close()


def test_a_missing_config_is_made(home: Path) -> None:
    workspace = opened(home)
    workspace.set_gate("skills", True)
    assert workspace.config.skills_write_approval
    workspace.undo()
    assert not (home / "config.yaml").exists()
    workspace.close()


@pytest.mark.parametrize("data", [b"a: [", b"\xff", b"memory: {}\nmemory: {}\n", b"- 1\n"])
def test_a_config_that_cannot_be_edited_safely_is_left(home: Path, data: bytes) -> None:
    path = home / "config.yaml"
    path.write_bytes(data)
    workspace = opened(home)
    with pytest.raises(BadConfig):
        workspace.set_gate("memory", True)
    assert path.read_bytes() == data
    workspace.close()


def test_unknown_gates_and_links(home: Path, tmp_path: Path) -> None:
    workspace = opened(home)
    with pytest.raises(Usage):
        workspace.set_gate("team", True)
    outside = tmp_path / "config.yaml"
    outside.write_text(CONFIG)
    (home / "config.yaml").symlink_to(outside)
    with pytest.raises(OutsideLink):
        workspace.set_gate("memory", True)
    workspace.set_gate("memory", True, follow=True)
    assert "true" in outside.read_text()
    workspace.close()
