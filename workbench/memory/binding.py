"""Frozen dataclasses that are made by the thousand."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def bound(kind: type[T], **fields: Any) -> T:
    """A frozen dataclass with these fields; its own way binds each by a call, left out or not.

    Fields without a plain default have to be given; what `__post_init__` would do is not done.
    """
    made = object.__new__(kind)
    object.__setattr__(made, "__dict__", fields)
    return made
