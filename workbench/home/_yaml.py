"""What reading and editing YAML share; PyYAML itself is imported when first needed."""

from __future__ import annotations

from typing import Any


def fast_loader() -> Any:
    """PyYAML's safe loader, the C one where it was built: the client (0.19) reads with the same."""
    import yaml

    return getattr(yaml, "CSafeLoader", None) or yaml.SafeLoader


def error_line(error: Exception) -> int:
    """The line (from 1) a YAML error points at, 0 if it points nowhere."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return 0 if mark is None else int(mark.line) + 1


def error_text(error: Exception) -> str:
    """The reason of a YAML error in one line, without the quoted source (it may hold a secret)."""
    problem = getattr(error, "problem", None) or getattr(error, "reason", None)
    return str(problem or error).splitlines()[0] if str(problem or error) else type(error).__name__
