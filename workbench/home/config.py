"""What config.yaml says, what is in force instead where it cannot be read, and why.

The rules are client 0.19's: defaults are merged under the file, an empty section counts as absent, and every
value is read with the leniency (or lack of it) the client has. `.env` is never opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.errors import Unreadable
from workbench.files import read_bytes
from workbench.home import _yaml

MEMORY_LIMIT = 2200
USER_LIMIT = 1375
# No memory has this many characters; beyond it numbers are a mistake, and slow to print.
HUGE = 10**12
GATE_WORDS = frozenset({"on", "true", "yes", "1", "approve", "enabled"})
REDACT_WORDS = frozenset({"1", "true", "yes", "on"})
OFF_WORDS = frozenset({"off", "false", "no", "0", "", "none", "disabled"})
NOTIFICATIONS = ("off", "on", "verbose")

Plain = bool | int | float | str


@dataclass(frozen=True)
class Problem:
    """A value that does not do what it says: `raw` as written, `in_force` what the client uses, `why` a sentence.

    `key` is dotted, or `config.yaml` for the file itself; `line` counts from 1, 0 where unknown.
    """

    key: str
    raw: str
    in_force: Plain
    why: str
    line: int = 0


@dataclass(frozen=True)
class Config:
    """The values in force for one home; limits are characters (code points), the defaults are those of 0.19."""

    memory_enabled: bool = True
    user_profile_enabled: bool = True
    memory_char_limit: int = MEMORY_LIMIT
    user_char_limit: int = USER_LIMIT
    memory_write_approval: bool = False
    skills_write_approval: bool = False
    provider: str = ""
    nudge_interval: int = 10
    skill_nudge_interval: int = 10
    memory_notifications: str = "on"
    redact_secrets: bool = True
    review_provider: str = "auto"
    review_model: str = ""
    auto_prune: bool = False
    retention_days: int = 90
    compression_enabled: bool = True
    compression_in_place: bool = True
    problems: tuple[Problem, ...] = ()
    exists: bool = False

    def limit(self, target: str) -> int:
        """The limit of the store `memory` or `user`, in characters."""
        return self.user_char_limit if target == "user" else self.memory_char_limit


def load(home: Path) -> Config:
    """Read `<home>/config.yaml`. Never raises for its content: what cannot be read becomes a `Problem`.

    No file means all defaults and no problem.
    """
    path = home / "config.yaml"
    try:
        data = read_bytes(path)
    except Unreadable as error:
        return Config(exists=True, problems=(_file_problem(f"config.yaml cannot be read ({error.why})."),))
    if data is None:
        return Config()
    return parse(data)


def parse(data: bytes, env: Mapping[str, str] | None = None) -> Config:
    """The configuration in `data`, the bytes of a config.yaml; `env` fills `${NAME}` (the process's by default)."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Config(exists=True, problems=(_file_problem("config.yaml is not UTF-8.", line),))
    import yaml

    loader = _yaml.fast_loader()(text)
    try:
        node = loader.get_single_node()
        lines, repeated = _survey(node)
        raw = {} if node is None else loader.construct_document(node)
    except (yaml.YAMLError, ValueError, TypeError, OverflowError, RecursionError) as error:
        why = f"config.yaml is not valid YAML ({_yaml.error_text(error)})."
        return Config(exists=True, problems=(_file_problem(why, _yaml.error_line(error)),))
    finally:
        loader.dispose()
    if raw and not isinstance(raw, dict):
        why = "config.yaml does not hold keys and values."
        return Config(exists=True, problems=(_file_problem(why, 1),))
    reader = _Reader(raw or {}, lines, os.environ if env is None else env)
    for key, line in repeated:
        reader.flag(
            key, "", "the last one",
            "The key is written twice; 0.19 takes the last one, newer clients (0.22) refuse the file.", line,
        )  # fmt: skip
    return _read(reader)


def _file_problem(why: str, line: int = 0) -> Problem:
    return Problem("config.yaml", "", "defaults", f"{why} A client that starts now works with all defaults.", line)


def _survey(node: Any) -> tuple[dict[str, int], list[tuple[str, int]]]:
    """Lines of all keys of the two upper levels (dotted), and the keys written twice there."""
    lines: dict[str, int] = {}
    repeated: list[tuple[str, int]] = []
    for key, line, value in _pairs(node):
        if key in lines:
            repeated.append((key, line))
            lines = {k: v for k, v in lines.items() if not k.startswith(key + ".")}
        lines[key] = line
        for inner, inner_line, deeper in _pairs(value):
            name = f"{key}.{inner}"
            if name in lines:
                repeated.append((name, inner_line))
            lines[name] = inner_line
            for last, last_line, _ in _pairs(deeper):
                lines[f"{name}.{last}"] = last_line
    return lines, repeated


def _pairs(node: Any) -> Iterator[tuple[str, int, Any]]:
    import yaml

    if not isinstance(node, yaml.MappingNode):
        return
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
            yield key.value, key.start_mark.line + 1, value


_MISSING = object()


@dataclass
class _Reader:
    """Looks values up as the client's merge does and collects what is wrong with them."""

    data: Mapping[Any, Any]
    lines: Mapping[str, int]
    env: Mapping[str, str]
    problems: list[Problem] = field(default_factory=list)

    def section(self, name: str) -> Mapping[Any, Any] | None:
        """A section by name; an absent or empty one is `{}`, one that is no mapping is None."""
        found = self.data.get(name)
        if found is None:
            return {}
        return found if isinstance(found, dict) else None

    def get(self, key: str) -> Any:
        """The value at the dotted `key`, `_MISSING` where the defaults apply; `${NAME}` is filled from `env`."""
        *names, last = key.split(".")
        node: Any = self.data
        for name in names:
            node = node.get(name)
            if not isinstance(node, dict):
                return _MISSING
        value = node.get(last, _MISSING)
        if isinstance(value, str) and "${" in value:
            return re.sub(r"\$\{([^}]+)\}", lambda m: self.env.get(m[1], m[0]), value)
        return value

    def flag(self, key: str, raw: object, in_force: Plain, why: str, line: int | None = None) -> None:
        where = self.lines.get(key, 0) if line is None else line
        self.problems.append(Problem(key, _shown(raw), in_force, why, where))


def _shown(raw: object) -> str:
    """A value as its owner would write it."""
    if raw is None:
        return "null"
    if isinstance(raw, bool):
        return str(raw).lower()
    if isinstance(raw, int) and abs(raw) > HUGE:
        return "a number of very many digits"
    if isinstance(raw, dict | list | tuple | set):  # an alias can make it larger than any memory
        return f"a {type(raw).__name__} of {len(raw)}"
    return str(raw)[:120]


def _read(reader: _Reader) -> Config:
    enabled, profile_enabled = _stores(reader)
    memory_limit, user_limit = _limits(reader)
    found = Config(
        memory_enabled=enabled,
        user_profile_enabled=profile_enabled,
        memory_char_limit=memory_limit,
        user_char_limit=user_limit,
        memory_write_approval=_gate(reader, "memory.write_approval"),
        skills_write_approval=_gate(reader, "skills.write_approval"),
        provider=_provider(reader),
        nudge_interval=_whole(reader, "memory.nudge_interval", 10),
        skill_nudge_interval=_whole(reader, "skills.creation_nudge_interval", 10),
        memory_notifications=_notifications(reader),
        redact_secrets=_redact(reader),
        review_provider=_text(reader, "auxiliary.background_review.provider", "auto"),
        review_model=_text(reader, "auxiliary.background_review.model", ""),
        auto_prune=_truth(reader, "sessions.auto_prune", False),
        retention_days=_whole(reader, "sessions.retention_days", 90),
        compression_enabled=_truth(reader, "compression.enabled", True),
        compression_in_place=_truth(reader, "compression.in_place", True),
        exists=True,
    )
    problems = sorted(reader.problems, key=lambda p: p.line)
    return Config(**{**vars(found), "problems": tuple(problems)})


def _stores(reader: _Reader) -> tuple[bool, bool]:
    """Whether each store reaches the prompt; some mistakes elsewhere in the section switch both off (0.19)."""
    if reader.section("memory") is None:
        why = "The section memory holds no keys and values, so the agent starts without its memory."
        reader.flag("memory", reader.data.get("memory"), False, why)
        return False, False
    on = _truth(reader, "memory.memory_enabled", True)
    profile_on = _truth(reader, "memory.user_profile_enabled", True)
    nudge = reader.get("memory.nudge_interval")
    if nudge is not _MISSING and _as_int(nudge) is None:
        why = "This is not a number; the agent gives up on the section and starts without its memory."
        reader.flag("memory.nudge_interval", nudge, 10, why)
        return False, False
    return on, profile_on


def _limits(reader: _Reader) -> tuple[int, int]:
    """Both limits as 0.19 uses them to apply writes: read in order, given up at the first that is no number.

    So an unreadable memory limit takes the user limit down with it; the other way round, the memory limit that
    was read before stays. The running agent does no conversion: it compares what the file holds.
    """
    limits = {"memory.memory_char_limit": MEMORY_LIMIT, "memory.user_char_limit": USER_LIMIT}
    failed = ""
    for key, default in limits.items():
        raw = reader.get(key)
        if raw is _MISSING:
            continue
        number = _as_int(raw)
        if failed:
            if number != default:
                why = f"Not in force, because {failed} cannot be read as a number."
                reader.flag(key, raw, default, why)
            continue
        if number is None:
            failed = key
            why = "This is not a number; approvals use the default and the running agent fails at every write."
            reader.flag(key, raw, default, why)
            continue
        limits[key] = number
        _odd_limit(reader, key, raw, number)
    return limits["memory.memory_char_limit"], limits["memory.user_char_limit"]


def _odd_limit(reader: _Reader, key: str, raw: object, number: int) -> None:
    """Flag a limit that was read, but is probably not what its owner meant."""
    if number < 0:
        why = "A negative limit makes every add fail."
    elif number == 0:
        why = "A limit of 0 makes every add fail."
    elif isinstance(raw, bool):
        why = "A switch stands where a number belongs; it counts as 1 character."
    elif isinstance(raw, str):
        why = "The number is written as text; approvals understand it, the running agent fails at every write."
    elif isinstance(raw, float) and raw != number:
        why = "Characters are whole; approvals cut the fraction off."
    else:
        return
    reader.flag(key, raw, number, why)


def _as_int(raw: object) -> int | None:
    """What `int()` makes of a YAML value, None where it fails or the number cannot be meant."""
    if not isinstance(raw, bool | int | float | str):
        return None
    try:
        number = int(raw)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) <= HUGE else None


def _gate(reader: _Reader, key: str) -> bool:
    """An approval gate: only real booleans and a few words switch it on (0.19); a bare YAML 1 does not."""
    raw = reader.get(key)
    if raw is _MISSING or isinstance(raw, bool):
        return raw is True
    if isinstance(raw, str):
        word = raw.strip().lower()
        if word in GATE_WORDS:
            return True
        if word in OFF_WORDS:
            return False
    why = "The agent does not understand this, so writes are not held for approval; use true or false."
    reader.flag(key, raw, False, why)
    return False


def _truth(reader: _Reader, key: str, default: bool) -> bool:
    """A switch that 0.19 reads by truthiness: any text that is not empty is on, even "off"."""
    raw = reader.get(key)
    if raw is _MISSING:
        return default
    on = bool(raw)
    if on and isinstance(raw, str) and raw.strip().lower() in OFF_WORDS:
        reader.flag(key, raw, on, "Text in quotes always counts as on; write false without quotes.")
    elif not isinstance(raw, bool | int | str):
        reader.flag(key, raw, on, f"A switch is expected here; this counts as {'on' if on else 'off'}.")
    return on


def _whole(reader: _Reader, key: str, default: int) -> int:
    raw = reader.get(key)
    if raw is _MISSING:
        return default
    number = _as_int(raw)
    if number is None:
        if not any(p.key == key for p in reader.problems):
            reader.flag(key, raw, default, "This is not a number, so the default counts.")
        return default
    return number


def _text(reader: _Reader, key: str, default: str) -> str:
    raw = reader.get(key)
    if raw is _MISSING or raw is None:
        return default
    if not isinstance(raw, str):
        reader.flag(key, raw, default, "Text is expected here, so the default counts.")
        return default
    return raw.strip()


def _provider(reader: _Reader) -> str:
    raw = reader.get("memory.provider")
    if raw is _MISSING or not raw:
        return ""
    if not isinstance(raw, str):
        reader.flag("memory.provider", raw, "", "A provider's name is text, so none is loaded.")
        return ""
    return raw.strip()


def _notifications(reader: _Reader) -> str:
    key = "display.memory_notifications"
    raw = reader.get(key)
    if raw is _MISSING or (not raw and raw is not False):
        return "on"
    if isinstance(raw, bool):
        return "on" if raw else "off"
    word = str(raw).lower()
    if word not in NOTIFICATIONS:
        reader.flag(key, raw, "on", "The agent knows off, on and verbose; anything else counts as on.")
        return "on"
    return word


def _redact(reader: _Reader) -> bool:
    """Whether the agent hides secrets: 0.19 compares the lower-cased text of the value with four words."""
    key = "security.redact_secrets"
    raw = reader.get(key)
    if raw is _MISSING or raw is None:
        return True
    word = str(raw).lower()
    if word in REDACT_WORDS:
        return True
    if word not in OFF_WORDS:
        reader.flag(key, raw, False, "The agent does not understand this and stops hiding secrets.")
    return False
