"""Themes as files: where they lie and what stands in them. The default one is also data here, so that a start parses
no YAML. Nothing here needs Textual: the first look is drawn before that is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


def read(name: str, home: Path | None = None) -> tuple[Any, str]:
    """What a theme's file holds, unchecked, and the file's name ("" for the default one).

    Raises BadTheme when there is no such file, or it cannot be read.
    """
    if name == DEFAULT and (home is None or not (user_folder(home) / f"{name}.yaml").is_file()):
        return DEFAULT_DATA, ""
    path = files(home).get(name)
    if path is None:
        known = names(home)
        raise BadTheme(name, f"there is none.{nearest(name, known)} Known are {', '.join(known)}.")
    import yaml

    from workbench.home._yaml import error_line, error_text, fast_loader

    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=fast_loader()), path.name
    except (OSError, UnicodeDecodeError) as error:
        raise BadTheme(name, f"{path.name} cannot be read ({error}).") from error
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        where = f" at line {line}" if (line := error_line(error)) else ""
        raise BadTheme(name, f"{path.name} is not valid YAML{where} ({error_text(error)}).") from error
