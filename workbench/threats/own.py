"""The owner's own patterns: `<home>/workbench/patterns.yaml`, written by hand, read whenever its bytes change.

```yaml
patterns:
  - id: customer
    pattern: 'acme\\s+corp'
    scope: all          # all, memory, user or context (files of a folder)
    level: warning      # critical, error, warning or info
    explanation: Customers are not named in memory.
```
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from workbench.errors import Unreadable
from workbench.files import read_bytes
from workbench.home.settings import nearest
from workbench.threats.rules import WINDOW
from workbench.threats.scan import PER_PATTERN, Finding

PREFIX = "own:"
SLOW = "wb_own_slow"
SCOPES = ("all", "memory", "user", "context")
LEVELS = ("critical", "error", "warning", "info")
KEYS = ("id", "pattern", "scope", "level", "explanation")
MOST_PATTERNS = 50
MOST_BYTES = 64 * 1024
_OVERLAP = 512
_SECONDS = 1.0


@dataclass(frozen=True)
class OwnPattern:
    """One pattern that is in force; it is searched without regard to case."""

    id: str
    pattern: str
    scope: str = "all"
    level: str = "warning"
    explanation: str = ""


@dataclass(frozen=True)
class PatternProblem:
    """Why a pattern is not in force: `line` counts from 1 (0: unknown), `why` is a sentence that names the file."""

    line: int
    why: str


@dataclass(frozen=True)
class OwnPatterns:
    """The patterns in force, and what is wrong with the others."""

    patterns: tuple[OwnPattern, ...] = ()
    problems: tuple[PatternProblem, ...] = ()

    def level_of(self, finding: Finding) -> str:
        """The level its owner gave to the pattern of a finding; `warning` for what is no pattern of theirs."""
        return next((one.level for one in self.patterns if PREFIX + one.id == finding.pattern), "warning")

    def find(self, text: str, scope: str | None = None) -> tuple[Finding, ...]:
        """The hits in the first 65,536 characters, at most ten a pattern, as advisories; `scope` None takes all.

        After a second the rest is left out, and a finding says so.
        """
        wanted = [one for one in self.patterns if scope is None or one.scope in ("all", scope)]
        if not wanted:
            return ()
        return tuple(sorted(_hits(text[:WINDOW], wanted), key=lambda one: (one.start, one.end, one.pattern)))


NONE = OwnPatterns()


def patterns_path(home: Path) -> Path:
    """Where the patterns of a home are (or would be)."""
    return home / "workbench" / "patterns.yaml"


def load_patterns(home: Path) -> OwnPatterns:
    """Read the patterns; never raises for their content. What was read before is not read again until it changes."""
    path = patterns_path(home)
    try:
        data = read_bytes(path)
    except Unreadable as error:
        return OwnPatterns(problems=(PatternProblem(0, f"{path.name} cannot be read ({error.why})."),))
    return NONE if data is None else parse_patterns(data, path.name)


@lru_cache(maxsize=8)
def parse_patterns(data: bytes, name: str = "patterns.yaml") -> OwnPatterns:
    """The patterns in `data`, the bytes of the file called `name` in the problems.

    Each is tried in a helper process first and refused when it could take long; see `selftest`.
    """
    import yaml

    from workbench.home._yaml import error_line, error_text

    if len(data) > MOST_BYTES:
        return OwnPatterns(problems=(PatternProblem(0, f"{name} is larger than {MOST_BYTES:,} bytes."),))
    try:
        # No tags and no aliases are followed: only nodes with their lines are asked for.
        root = yaml.compose(data.decode("utf-8-sig"), Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return OwnPatterns(problems=(PatternProblem(line, f"{name} line {line} is not UTF-8."),))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        line = error_line(error)
        return OwnPatterns(problems=(PatternProblem(line, f"{name} line {line} is not YAML ({error_text(error)})."),))
    return NONE if root is None else _Reader(name).read(root)


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[PatternProblem] = []

    def flag(self, node: Any, why: str) -> None:
        line = node.start_mark.line + 1
        self.problems.append(PatternProblem(line, f"{self.name} line {line}: {why}"))

    def read(self, root: Any) -> OwnPatterns:
        from workbench.threats.selftest import verdicts

        found: list[tuple[Any, OwnPattern]] = []
        for item in self._items(root):
            made = self._pattern(item)
            if made is None:
                continue
            if any(made.id == other.id for _, other in found):
                self.flag(item, f"the id “{made.id}” is used twice, the second pattern is not in force.")
            elif len(found) >= MOST_PATTERNS:
                self.flag(item, f"only {MOST_PATTERNS} patterns are used, this one and those after it are not.")
                break
            else:
                found.append((item, made))
        refused = verdicts([made.pattern for _, made in found])
        for item, made in found:
            if why := refused[made.pattern]:
                self.flag(item, f"the pattern “{made.id}” is refused: {why}.")
        kept = tuple(made for _, made in found if not refused[made.pattern])
        return OwnPatterns(kept, tuple(sorted(self.problems, key=lambda problem: problem.line)))

    def _items(self, root: Any) -> Iterator[Any]:
        import yaml

        if not isinstance(root, yaml.MappingNode):
            self.flag(root, "a key “patterns” with a list is expected.")
            return
        for key, value in root.value:
            if key.value != "patterns":
                self.flag(key, f"unknown key “{_short(key)}”.{nearest(_short(key), ('patterns',))}")
            elif not isinstance(value, yaml.SequenceNode):
                self.flag(value, "patterns must be a list.")
            else:
                yield from value.value

    def _pattern(self, item: Any) -> OwnPattern | None:
        import yaml

        if not isinstance(item, yaml.MappingNode):
            self.flag(item, f"a pattern is written as keys and values: {', '.join(KEYS)}.")
            return None
        values: dict[str, str] = {}
        known = len(self.problems)
        for key, value in item.value:
            word = _short(key)
            if word not in KEYS:
                self.flag(key, f"unknown key “{word}”.{nearest(word, KEYS)}")
            elif not isinstance(value, yaml.ScalarNode) or not value.value.strip():
                self.flag(value, f"{word} must be a text.")
            elif word in _CHOICES and value.value not in _CHOICES[word]:
                allowed = _CHOICES[word]
                hint = nearest(_short(value), allowed)
                self.flag(value, f"{word} must be one of {', '.join(allowed)}, not “{_short(value)}”.{hint}")
            else:
                values[word] = value.value
        for word in ("id", "pattern"):
            if word not in values and len(self.problems) == known:
                self.flag(item, f"the pattern has no {word}.")
        return OwnPattern(**values) if len(self.problems) == known else None


_CHOICES = {"scope": SCOPES, "level": LEVELS}


def _short(node: Any) -> str:
    return str(node.value)[:40] if isinstance(node.value, str) else "?"


def _hits(text: str, patterns: list[OwnPattern]) -> Iterator[Finding]:
    from workbench.threats.selftest import SLICE

    deadline = time.monotonic() + _SECONDS
    told: dict[str, int] = {}
    reached: dict[str, int] = {}
    for begin in range(0, max(1, len(text)), SLICE - _OVERLAP):
        piece = text[begin : begin + SLICE]
        for one in patterns:
            if time.monotonic() > deadline:
                why = "Your own patterns took longer than a second on this text; what follows was not searched."
                yield Finding(SLOW, "advisory", begin, len(text), why)
                return
            for hit in _compiled(one.pattern).finditer(piece):
                start, end = begin + hit.start(), begin + hit.end()
                if start == end or start < reached.get(one.id, 0) or told.get(one.id, 0) >= PER_PATTERN:
                    continue
                reached[one.id], told[one.id] = end, told.get(one.id, 0) + 1
                yield Finding(PREFIX + one.id, "advisory", start, end, one.explanation or _UNSAID)
        if begin + SLICE >= len(text):
            return


_UNSAID = "One of your own patterns is found here."


@lru_cache(maxsize=200)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
