"""Settings: what is in force, and that every mistake is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.home.settings import Settings, load_settings, parse_settings


def test_no_file_is_all_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings()


def test_values_in_force() -> None:
    text = "theme: paper\nglyphs: ascii\nmotion: reduced\nkeys:\n  memory.undo: f5\n  memory.edit: [e, f2]\n"
    found = parse_settings(text)
    assert (found.theme, found.glyphs, found.motion) == ("paper", "ascii", "reduced")
    assert found.keys == {"memory.undo": ("f5",), "memory.edit": ("e", "f2")}
    assert found.problems == ()


@pytest.mark.parametrize(
    ("text", "key", "words"),
    [
        ("thme: x", "thme", "Did you mean “theme”"),
        ("theme: [a]", "theme", "name"),
        ("glyphs: emoji", "glyphs", "auto, unicode, ascii"),
        ("keys: [1]", "keys", "map"),
        ("keys: {memory.undo: 5}", "keys.memory.undo", "a key or a list"),
        ("- a", "", "keys and values"),
        ("theme: [", "", "line"),
        ("theme: *x", "", "YAML"),
    ],
)
def test_mistakes_are_named_and_the_rest_stays_in_force(text: str, key: str, words: str) -> None:
    (problem,) = parse_settings(text + ("\nmotion: reduced" if key else "")).problems
    assert problem.key == key
    assert words in problem.why
    if key:
        assert parse_settings(text + "\nmotion: reduced").motion == "reduced"


def test_a_file_that_is_not_utf8_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "workbench").mkdir()
    (tmp_path / "workbench" / "settings.yaml").write_bytes(b"theme: \xff")
    assert "cannot be read" in load_settings(tmp_path).problems[0].why
