"""What we call drift the real client refuses, what we put right it takes, and its own writing needs no backup."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.client.test_memory_client import Ask, ask
from workbench.memory import parse
from workbench.memory.drift import drift
from workbench.workspace import Workspace, resolving

__all__ = ["ask"]
pytestmark = pytest.mark.client
LONG = "first\n§\n" + "\n\n".join(f"## Part {n}\n" + "words and words. " * 12 for n in range(14))


def call(ask: Ask, home: Path, **args: str) -> bool:
    answer = ask({"do": "call", "home": str(home), "args": {"target": "memory", **args}})
    return bool(answer.get("success"))


@pytest.mark.parametrize(
    ("data", "how"),
    [
        ("first\n\n§\nsecond", "normalise"),
        ("first \n§\nsecond", "normalise"),
        (LONG, "split"),
        (LONG, "trim"),
        ("first\n§\ncaf\u00e9".encode("cp1252"), "reencode"),
        ("first\n§\n".encode() + b"caf\xe9", "reencode"),
    ],
)
def test_refused_before_and_taken_after(
    data: str | bytes, how: str, home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace], ask: Ask
) -> None:
    path = put(data)
    found = drift(parse(path.read_bytes(), "memory", 2200))
    assert found.any
    assert how in found.ways
    for action in ("replace", "remove"):
        assert not call(ask, home, action=action, old_text="first", content="changed")
    workspace = open_home()
    for one in (home / "memories").glob("*.bak.*"):
        one.unlink()
    accept = frozenset({"--accept-loss"})
    assert resolving.resolve(workspace, resolving.plan(workspace, "memory", how), accept=accept) is not None
    # An entry longer than the limit is cut into entries that are too many together: what is left is to take some out.
    after: dict[str, str] = (
        {"action": "remove", "old_text": "first"}
        if how == "split"
        else {"action": "replace", "old_text": "first", "content": "changed"}
    )
    assert call(ask, home, **after)
    assert not path.read_bytes().startswith(b"first")
    assert not list((home / "memories").glob("*.bak.*")), "the client saw no drift"


def test_what_the_client_writes_needs_no_backup(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace], ask: Ask
) -> None:
    put(["one", "two", "three"])
    workspace = open_home()
    workspace.observe()
    for args in (
        {"action": "add", "content": "four"},
        {"action": "replace", "old_text": "two", "content": "two, edited"},
        {"action": "remove", "old_text": "three"},
    ):
        assert call(ask, home, **args)
        workspace.observe()
    assert workspace.history.changes(1)[0].hint == "client-shaped"
    assert not list((home / "memories").glob("*.bak.*"))


def test_the_clients_own_backups_are_listed_as_not_ours(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace], ask: Ask
) -> None:
    from workbench.workspace import keeping

    put("first \n§\nsecond")
    assert not call(ask, home, action="remove", old_text="second")
    (group,) = keeping.groups(open_home())
    assert not group.newest.ours
    assert keeping.document_of(open_home(), group.newest).texts == ("first", "second")
