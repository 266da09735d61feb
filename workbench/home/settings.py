"""The workbench's own settings: `<home>/workbench/settings.yaml`, written by hand.

The workbench itself only ever writes the theme that was chosen in the palette there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.errors import Unreadable
from workbench.files import read_bytes

CHOICES: Mapping[str, tuple[str, ...]] = {
    "glyphs": ("auto", "unicode", "ascii"),
    "motion": ("full", "reduced"),
    "backups": ("drift", "outside", "every", "off"),
}
KEYS = ("theme", *CHOICES, "keys")


@dataclass(frozen=True)
class SettingsProblem:
    """A setting that is not in force: `key` is dotted, or "" for the whole file; `why` is a sentence."""

    key: str
    why: str


@dataclass(frozen=True)
class Settings:
    """What is in force. `keys` maps ids of actions to key names; whether they exist is the screen's to say.

    `backups` says when a `.bak` is written beside a memory file: at an outside change that is more than the agent's
    ordinary writing (drift), at every outside change (outside), before our own writes as well (every), or never (off).
    """

    theme: str | None = None
    glyphs: str = "auto"
    motion: str = "full"
    backups: str = "drift"
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problems: tuple[SettingsProblem, ...] = ()


def settings_path(home: Path) -> Path:
    """Where the settings of a home are (or would be)."""
    return home / "workbench" / "settings.yaml"


def load_settings(home: Path) -> Settings:
    """Read the settings; never raises for their content: what cannot be used becomes a problem, named."""
    path = settings_path(home)
    try:
        data = read_bytes(path)
        if data is None:
            return Settings()
        return parse_settings(data.decode("utf-8-sig"), path.name)
    except Unreadable as error:
        return Settings(problems=(SettingsProblem("", f"{path.name} cannot be read ({error.why})."),))
    except UnicodeDecodeError as error:
        return Settings(problems=(SettingsProblem("", f"{path.name} cannot be read (not UTF-8, byte {error.start})."),))


def parse_settings(text: str, name: str = "settings.yaml") -> Settings:
    """Read settings from YAML text; `name` is the file named in the problems."""
    import yaml

    from workbench.home._yaml import error_line, error_text, fast_loader

    try:
        data = yaml.load(text, Loader=fast_loader())
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        where = f" at line {line}" if (line := error_line(error)) else ""
        return Settings(problems=(SettingsProblem("", f"{name} is not valid YAML{where} ({error_text(error)})."),))
    if data is None:
        return Settings()
    if not isinstance(data, dict):
        return Settings(problems=(SettingsProblem("", f"{name} does not hold keys and values."),))
    return _read(data, name)


def nearest(word: str, known: tuple[str, ...]) -> str:
    """A hint at the known word that was probably meant; "" when none is near."""
    import difflib

    close = difflib.get_close_matches(word, known, n=1)
    return f" Did you mean “{close[0]}”?" if close else ""


def _read(data: Mapping[Any, Any], name: str) -> Settings:
    problems: list[SettingsProblem] = []
    chosen: dict[str, Any] = {}
    for raw, value in data.items():
        key = str(raw)
        if key not in KEYS:
            problems.append(SettingsProblem(key, f"{name} has an unknown key “{key}”.{nearest(key, KEYS)}"))
        elif key == "keys":
            chosen["keys"] = _keymap(value, name, problems)
        elif key == "theme":
            if isinstance(value, str) and value:
                chosen["theme"] = value
            else:
                problems.append(SettingsProblem(key, f"{name}: theme must be a theme's name."))
        elif value in CHOICES[key]:
            chosen[key] = value
        elif value is False and "off" in CHOICES[key]:  # YAML reads a bare `off` so
            chosen[key] = "off"
        else:
            allowed = ", ".join(CHOICES[key])
            problems.append(SettingsProblem(key, f"{name}: {key} must be one of {allowed}, not “{value}”."))
    return Settings(**chosen, problems=tuple(problems))


def _keymap(value: object, name: str, problems: list[SettingsProblem]) -> dict[str, tuple[str, ...]]:
    """Read `keys: {memory.undo: f5, memory.edit: [e, f2]}`."""
    if not isinstance(value, dict):
        problems.append(SettingsProblem("keys", f"{name}: keys must map ids of actions to keys."))
        return {}
    keymap: dict[str, tuple[str, ...]] = {}
    for action, keys in value.items():
        listed = [keys] if isinstance(keys, str) else keys
        if isinstance(listed, list) and listed and all(isinstance(key, str) and key for key in listed):
            keymap[str(action)] = tuple(key.strip() for key in listed)
        else:
            problems.append(
                SettingsProblem(f"keys.{action}", f"{name}: keys.{action} must be a key or a list of keys.")
            )
    return keymap
