"""Themes are YAML files with a name and colours; the default one is also data here, so that a start parses no YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import Theme

from workbench.errors import WorkbenchError

# Equal to themes/dark.yaml; a test holds that.
DEFAULT_DATA: Mapping[str, Any] = {
    "name": "dark",
    "dark": True,
    "colours": {
        "primary": "#7fb4ca",
        "secondary": "#9cabca",
        "accent": "#c8a97e",
        "success": "#8cb48c",
        "warning": "#d9a65b",
        "error": "#e07a72",
        "foreground": "#d6d9de",
        "background": "#16181d",
        "surface": "#1c1f26",
        "panel": "#232730",
    },
    "variables": {
        "wb-muted": "#8b919d",
        "wb-off": "#565c68",
        "wb-key": "#7fb4ca",
        "wb-frame": "#363c48",
        "wb-frame-focus": "#6a93a6",
        "wb-cursor": "#2a3441",
        "wb-cursor-blurred": "#1f242c",
        "wb-cursor-style": "none",
        "wb-bar": "#6d9c8c",
        "wb-bar-empty": "#3a404c",
        "wb-match": "#5a4a1f",
        "wb-match-text": "#f2dfae",
        "wb-finding": "#4a2b2b",
        "wb-finding-text": "#f2b8b0",
    },
}
DEFAULT = str(DEFAULT_DATA["name"])

_COLOURS = (
    "primary", "secondary", "accent", "success", "warning", "error",
    "foreground", "background", "surface", "panel", "boost",
)  # fmt: skip


@dataclass
class BadTheme(WorkbenchError):
    """A theme that does not exist, or whose file cannot be used."""

    kind = "usage"
    exit_code = 2
    name: str
    why: str

    def __str__(self) -> str:
        return f"Theme “{self.name}”: {self.why}"


def folder() -> Path:
    """Where the themes lie: beside the package in a wheel, in the checkout otherwise."""
    package = Path(__file__).resolve().parent.parent
    shipped = package / "_themes"
    return shipped if shipped.is_dir() else package.parent / "themes"


def names() -> tuple[str, ...]:
    """The themes there are, the default one first."""
    found = {path.stem for path in folder().glob("*.yaml")} | {DEFAULT}
    return (DEFAULT, *sorted(found - {DEFAULT}))


def load(name: str) -> Theme:
    """A theme by its name. Raises BadTheme, saying which file and key are wrong."""
    if name == DEFAULT:
        return build(DEFAULT_DATA, DEFAULT)
    path = folder() / f"{name}.yaml"
    if name not in names():
        raise BadTheme(name, f"there is none; known are {', '.join(names())}.")
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadTheme(name, f"{path.name} cannot be read ({error}).") from error
    return build(data, name)


def build(data: Any, name: str) -> Theme:
    """Turn a theme file's data into a Textual theme. Raises BadTheme for a missing, unknown or unreadable colour."""
    if not isinstance(data, Mapping) or not isinstance(data.get("colours"), Mapping):
        raise BadTheme(name, "it needs a mapping with `name`, `dark` and `colours`.")
    colours = {str(key): str(value) for key, value in data["colours"].items()}
    variables = data.get("variables", {})
    if not isinstance(variables, Mapping):
        raise BadTheme(name, "`variables` is no mapping.")
    unknown = [key for key in colours if key not in _COLOURS]
    if unknown or "primary" not in colours:
        problem = f"unknown colour {unknown[0]}" if unknown else "`primary` is missing"
        raise BadTheme(name, f"{problem}; known are {', '.join(_COLOURS)}.")
    given = {str(key): str(value) for key, value in variables.items()}
    for key, value in (*colours.items(), *given.items()):
        if key != "wb-cursor-style":
            _check_colour(name, key, value)
    return Theme(
        name=name,
        dark=bool(data.get("dark", True)),
        ansi=bool(data.get("ansi", False)),
        primary=colours["primary"],
        secondary=colours.get("secondary"),
        accent=colours.get("accent"),
        success=colours.get("success"),
        warning=colours.get("warning"),
        error=colours.get("error"),
        foreground=colours.get("foreground"),
        background=colours.get("background"),
        surface=colours.get("surface"),
        panel=colours.get("panel"),
        boost=colours.get("boost"),
        variables={**DEFAULT_DATA["variables"], **given},
    )


def _check_colour(name: str, key: str, value: str) -> None:
    try:
        Color.parse(value)
    except ColorParseError as error:
        raise BadTheme(name, f"{key}: {value!r} is no colour.") from error
