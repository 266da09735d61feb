"""Themes are YAML files with a name and colours; the default one is also data here, so that a start parses no YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import Theme

from workbench.errors import WorkbenchError
from workbench.home.settings import nearest

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
        "wb-off": "#686f7c",
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

_KEYS = ("name", "dark", "ansi", "colours", "variables")
_STYLES = frozenset({"none", "bold", "dim", "italic", "underline", "reverse", "strike"})


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


def user_folder(home: Path) -> Path:
    """Where the themes of a home's owner lie."""
    return home / "workbench" / "themes"


def files(home: Path | None = None) -> dict[str, Path]:
    """The theme files by name: ours, then those of the home, which win."""
    folders = [folder()] if home is None else [folder(), user_folder(home)]
    return {path.stem: path for place in folders for path in sorted(place.glob("*.yaml"))}


def names(home: Path | None = None) -> tuple[str, ...]:
    """The themes there are, the default one first."""
    found = files(home).keys() | {DEFAULT}
    return (DEFAULT, *sorted(found - {DEFAULT}))


def load(name: str, home: Path | None = None) -> Theme:
    """A theme by its name. Raises BadTheme, saying which file and key are wrong."""
    if name == DEFAULT and (home is None or not (user_folder(home) / f"{name}.yaml").is_file()):
        return build(DEFAULT_DATA, DEFAULT)
    path = files(home).get(name)
    if path is None:
        known = names(home)
        raise BadTheme(name, f"there is none.{nearest(name, known)} Known are {', '.join(known)}.")
    import yaml

    from workbench.home._yaml import error_line, error_text, fast_loader

    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=fast_loader())
    except (OSError, UnicodeDecodeError) as error:
        raise BadTheme(name, f"{path.name} cannot be read ({error}).") from error
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        where = f" at line {line}" if (line := error_line(error)) else ""
        raise BadTheme(name, f"{path.name} is not valid YAML{where} ({error_text(error)}).") from error
    return build(data, name, path.name)


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
