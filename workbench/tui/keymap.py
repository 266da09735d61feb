"""The user's own keys from settings.yaml: which are in force, and why the others are not.

What an action of the registry is bound to can be changed there by its id, `scope.id`. Every key that cannot be used
is named and left out; the action keeps its other keys, or the registry's when none is left.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from workbench.home.settings import SettingsProblem, nearest
from workbench.tui.actions import ACTIONS, AREAS, Action, key_name

if TYPE_CHECKING:
    from textual.binding import Binding, BindingsMap

FILE = "settings.yaml"
# The keys in force while the first look is drawn.
before_app: ContextVar[Keymap | None] = ContextVar("before_app", default=None)

# Their actions must work while somebody types, so no key that types or moves in a text can be theirs.
INPUT_SCOPES = frozenset({"editor", "typed", "palette"})
_TYPING = frozenset(
    {"enter", "tab", "backspace", "delete", "left", "right", "up", "down", "home", "end", "pageup", "pagedown"}
)
# The line of the search is an input of its own: enter and escape are what it understands.
_FIXED = frozenset({"find"})
# A terminal sends one code for both, the second name is the one that arrives.
_SAME = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+h": "backspace", "ctrl+[": "escape"}
_ALWAYS = {"ctrl+q": "leaves the workbench from anywhere", "ctrl+c": "copies what is selected"}
_SHORT = {"esc": "escape", "return": "enter", "del": "delete", "pgup": "pageup", "pgdn": "pagedown", "ins": "insert"}
_MODIFIERS = ("ctrl", "shift", "alt", "super", "meta", "hyper")


@dataclass(frozen=True)
class Keymap:
    """`keys` maps ids of actions (`scope.id`) to the keys that replace the registry's; `problems` name the rest."""

    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problems: tuple[SettingsProblem, ...] = ()

    def apply(self, actions: Iterable[Action]) -> tuple[Action, ...]:
        """The actions with the keys in force."""
        return tuple(
            replace(action, keys=keys) if (keys := self.keys.get(full_id(action))) else action for action in actions
        )

    def rebind(self, bindings: BindingsMap) -> BindingsMap:
        """A copy of a screen's bindings with the keys in force."""
        from textual.binding import BindingsMap

        out = BindingsMap()
        moved: dict[str, Binding] = {}
        for _, binding in bindings:
            if binding.id is not None and binding.id in self.keys:
                moved[binding.id] = binding
            else:
                out._add_binding(binding)
        for name, binding in moved.items():
            # In front of the input's own: a key chosen for the editor must reach it.
            first = name.partition(".")[0] in INPUT_SCOPES
            for key in self.keys[name]:
                out._add_binding(replace(binding, key=key, priority=first or binding.priority))
        return out


def full_id(action: Action) -> str:
    """How settings name an action."""
    return f"{action.scope}.{action.id}"


def shown(name: str) -> str:
    """The key of an action (`scope.id`) as people read it, for a sentence: the user's own when there is one.

    Asks the app that is running in this context; before there is one, `before_app`, and without either the registry.
    Raises KeyError for an action that is not in the registry.
    """
    action = _by_name()[name]
    keymap: object = before_app.get()
    if "textual" in sys.modules:
        from textual._context import active_app

        keymap = getattr(active_app.get(None), "keymap", keymap)
    keys = keymap.keys.get(name, action.keys) if isinstance(keymap, Keymap) else action.keys
    return key_name(keys[0])


@cache
def _by_name() -> Mapping[str, Action]:
    return {full_id(action): action for action in ACTIONS}


def read_keymap(wanted: Mapping[str, Sequence[str]], actions: Sequence[Action] = ACTIONS) -> Keymap:
    """Check `keys:` of the settings against the registry; never raises, what cannot be used becomes a problem."""
    known = {full_id(action): action for action in actions}
    problems: list[SettingsProblem] = []
    chosen: dict[str, tuple[str, ...]] = {}
    for name, keys in wanted.items():
        if name not in known:
            why = f"{FILE}: keys.{name}: there is no such action.{nearest(name, tuple(known))}"
            problems.append(SettingsProblem(f"keys.{name}", why))
            continue
        good = []
        for key in keys:
            wanted_key = normal(key)
            why = _refusal(known[name], key, wanted_key)
            if why:
                problems.append(SettingsProblem(f"keys.{name}", f"{FILE}: keys.{name}: {why}"))
            elif wanted_key not in good:
                good.append(wanted_key)
        if good:
            chosen[name] = tuple(good)
    _drop_clashes(chosen, actions, problems)
    return Keymap(chosen, tuple(problems))


def normal(key: str) -> str:
    """A key as Textual names it: `?` is question_mark, `F5` f5, `Ctrl+S` ctrl+s, `esc` escape, `shift+a` A."""
    from textual.keys import _character_to_key

    if len(key) == 1:
        return _character_to_key(key)
    *modifiers, base = key.split("+") if not key.endswith("+") else (*key[:-2].split("+"), "+")
    modifiers = sorted(name.strip().lower() for name in modifiers)
    base = base.strip()
    base = base.lower() if len(base) > 1 else base
    base = _SHORT.get(base, base)
    if modifiers == ["shift"] and len(base) == 1 and base.isalpha():
        return base.upper()
    if len(base) == 1:
        base = _character_to_key(base.lower() if modifiers else base)
    return "+".join((*modifiers, base))


def _printable(key: str) -> bool:
    from textual.keys import key_to_character

    character = key_to_character(key)
    return character is not None and character.isprintable()


@cache
def _named() -> frozenset[str]:
    from textual.keys import Keys

    return frozenset(key.value.rpartition("+")[2] for key in Keys if not key.value.startswith("<"))


def _exists(key: str) -> bool:
    *modifiers, base = key.split("+")
    return all(name in _MODIFIERS for name in modifiers) and (base in _named() or _printable(base))


def _refusal(action: Action, written: str, key: str) -> str:
    if action.scope in _FIXED:
        return "its keys belong to the line that is typed in and stay as they are."
    if not _exists(key):
        return f"“{written[:40]}” is no key.{nearest(key, tuple(sorted(_named())))}"
    if key in _SAME:
        return f"a terminal cannot tell {key} from {_SAME[key]}."
    if key in _ALWAYS:
        return f"{key} {_ALWAYS[key]} and cannot be given away."
    if action.scope in INPUT_SCOPES and (key in _TYPING or _printable(key)):
        return f"{key_name(key)} is typed into the text there; take a function key or one with ctrl."
    return ""


def _groups(actions: Sequence[Action]) -> dict[str, list[Action]]:
    """The actions that are bound together, by scope: an area also has those of the app."""
    areas = {area.id for area in AREAS}
    general = [action for action in actions if action.scope == "app"]
    groups: dict[str, list[Action]] = {}
    for action in actions:
        groups.setdefault(action.scope, list(general) if action.scope in areas else []).append(action)
    return groups


def _drop_clashes(
    chosen: dict[str, tuple[str, ...]], actions: Sequence[Action], problems: list[SettingsProblem]
) -> None:
    """Take away chosen keys that another action of the same screen has, until none is left.

    A key that is freed by another line of the settings is free; of two lines that want the same key the first wins.
    """
    groups, order = _groups(actions), list(chosen)
    while (found := _clash(chosen, groups, order)) is not None:
        name, key, other = found
        why = f"{key_name(key)} is “{other.label}” already ({full_id(other)})."
        problems.append(SettingsProblem(f"keys.{name}", f"{FILE}: keys.{name}: {why}"))
        left = tuple(one for one in chosen[name] if one != key)
        if left:
            chosen[name] = left
        else:
            del chosen[name]


def _clash(
    chosen: Mapping[str, tuple[str, ...]], groups: Mapping[str, Sequence[Action]], order: Sequence[str]
) -> tuple[str, str, Action] | None:
    for group in groups.values():
        claims: dict[str, list[Action]] = {}
        for action in group:
            for key in chosen.get(full_id(action), action.keys):
                claims.setdefault(key, []).append(action)
        for key, claimants in claims.items():
            mine = [action for action in claimants if full_id(action) in chosen]
            if len(claimants) > 1 and mine:
                loser = max(mine, key=lambda action: order.index(full_id(action)))
                other = next(action for action in claimants if action is not loser)
                return full_id(loser), key, other
    return None
