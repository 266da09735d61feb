"""Themes: from a file's data to what Textual draws with, every key and value checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import Theme

from workbench.home.settings import nearest
from workbench.tui.theme_files import DEFAULT, DEFAULT_DATA, BadTheme, files, folder, names, read, user_folder

__all__ = ["DEFAULT", "DEFAULT_DATA", "BadTheme", "build", "files", "folder", "load", "names", "user_folder"]

_COLOURS = (
    "primary", "secondary", "accent", "success", "warning", "error",
    "foreground", "background", "surface", "panel", "boost",
)  # fmt: skip

_KEYS = ("name", "dark", "ansi", "colours", "variables")
_STYLES = frozenset({"none", "bold", "dim", "italic", "underline", "reverse", "strike"})


def load(name: str, home: Path | None = None) -> Theme:
    """A theme by its name. Raises BadTheme, saying which file and key are wrong."""
    data, file = read(name, home)
    return build(data, name, file)


def build(data: Any, name: str, file: str = "") -> Theme:
    """Turn a theme file's data into a Textual theme. Raises BadTheme for what is missing, unknown or no colour."""
    where = f"{file}: " if file else ""
    colours, variables = _sections(data, name, where)
    theme = Theme(
        name=name,
        dark=_flag(data, "dark", True, name, where),
        ansi=_flag(data, "ansi", False, name, where),
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
        variables={**_base(data), **variables},
    )
    foreign = tuple(key for key in variables if key not in DEFAULT_DATA["variables"])
    if foreign:  # Textual's own names take a moment to list, so only when there is one to look up
        known = (*DEFAULT_DATA["variables"], *theme.to_color_system().generate())
        for key in foreign:
            if key not in known:
                raise BadTheme(name, f"{where}variables.{key} is unknown.{nearest(key, known)}")
    return theme


def _base(data: Mapping[str, Any]) -> Mapping[str, str]:
    """What a theme leaves out: the default's for a dark one, else made from its own foreground and background."""
    base: dict[str, str] = dict(DEFAULT_DATA["variables"])
    colours = data["colours"]
    if data.get("dark", True) or data.get("ansi"):
        return base
    ink, paper = (
        Color.parse(str(colours.get("foreground", "#222222"))),
        Color.parse(str(colours.get("background", "#ffffff"))),
    )
    mixed = {
        "wb-muted": 0.30, "wb-off": 0.52, "wb-frame": 0.78, "wb-frame-focus": 0.45, "wb-cursor": 0.90,
        "wb-cursor-blurred": 0.94, "wb-bar": 0.45, "wb-bar-empty": 0.80, "wb-match": 0.82, "wb-match-text": 0.0,
        "wb-finding": 0.86, "wb-finding-text": 0.0, "wb-key": 0.25,
    }  # fmt: skip
    return {**base, **{key: ink.blend(paper, share).hex for key, share in mixed.items()}}


def _sections(data: Any, name: str, where: str) -> tuple[dict[str, str], dict[str, str]]:
    """The two mappings of colours, every key and value checked."""
    if not isinstance(data, Mapping) or not isinstance(data.get("colours"), Mapping):
        raise BadTheme(name, f"{where}it needs a mapping with `name`, `dark` and `colours`.")
    for key in data:
        if str(key) not in _KEYS:
            raise BadTheme(name, f"{where}{key} is unknown.{nearest(str(key), _KEYS)}")
    colours = {str(key): str(value) for key, value in data["colours"].items()}
    variables = data.get("variables") or {}
    if not isinstance(variables, Mapping):
        raise BadTheme(name, f"{where}variables is no mapping.")
    for key in colours:
        if key not in _COLOURS:
            raise BadTheme(name, f"{where}colours.{key} is unknown.{nearest(key, _COLOURS)}")
    if "primary" not in colours:
        raise BadTheme(name, f"{where}colours.primary is missing.")
    given = {str(key): str(value) for key, value in variables.items()}
    for section, values in (("colours", colours), ("variables", given)):
        for key, value in values.items():
            _check_value(name, f"{where}{section}.{key}", key, value)
    return colours, given


def _flag(data: Mapping[str, Any], key: str, default: bool, name: str, where: str) -> bool:
    value = data.get(key, default)
    if not isinstance(value, bool):
        raise BadTheme(name, f"{where}{key} must be true or false, not {str(value)[:40]!r}.")
    return value


def _check_value(name: str, place: str, key: str, value: str) -> None:
    if key.endswith("-style"):
        if not set(value.split()) <= _STYLES:
            raise BadTheme(name, f"{place}: {value[:40]!r} is no style; known are {', '.join(sorted(_STYLES))}.")
        return
    try:
        Color.parse(value)
    except ColorParseError as error:
        raise BadTheme(name, f"{place}: {value[:40]!r} is no colour, write #rrggbb.") from error
