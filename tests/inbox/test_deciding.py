"""Accept, refuse, edit, retarget, accept all; and everything back with undo."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.inbox.support import add, batch, only, opened, queue, remove, statuses, swap
from tests.snapshots import tree
from workbench.errors import Ambiguous, NeedsConfirmation, NotFound, Usage
from workbench.inbox import Decided

LOSS, EMPTY = frozenset({"--accept-loss"}), frozenset({"--accept-empty"})


def contents(home: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and "workbench" not in path.parts and not path.name.endswith(".lock")
    }


def test_accept_is_one_change_and_undo_puts_both_files_back(home: Path, put: Callable[..., Path]) -> None:
    path = put(b"alpha \n\xc2\xa7\nbeta\n")  # not the client's own layout: undo must bring back the exact bytes
    file = queue(home, "aaaa1111", add("gamma"))
    file.write_bytes(file.read_bytes() + b"\n \n")
    before = contents(home)
    workspace = opened(home)
    done = workspace.inbox.accept(only(workspace.inbox), reason="because")
    assert (path.read_text(), file.exists()) == ("alpha\n§\nbeta\n§\ngamma", False)
    assert done.change is not None
    change = workspace.history.change(done.change)
    assert [one.path for one in change.files] == ["memories/MEMORY.md", "pending/memory/aaaa1111.json"]
    assert "because" in change.label
    kept = json.loads(change.operations)
    assert (kept["decision"], kept["reason"], kept["record"]["key"]) == ("approve", "because", "memory/aaaa1111")
    assert workspace.undo().exact
    assert contents(home) == before
    workspace.redo()
    assert not file.exists()
    workspace.undo()
    workspace.inbox.accept(only(workspace.inbox))  # the claim of the first time is not in the way
    assert sorted(path.name for path in home.rglob("*.lock")) == ["MEMORY.md.lock", "agent-files.lock"]
    assert workspace.history.claims() == ()
    workspace.close()


def test_refuse_keeps_the_record_and_the_reason(home: Path, put: Callable[..., Path]) -> None:
    put(["alpha"])
    file = queue(home, "aaaa1111", add("gamma"))
    before = contents(home)
    workspace = opened(home)
    done = workspace.inbox.refuse(only(workspace.inbox).record, reason="not a fact")
    assert not file.exists()
    assert done.change is not None
    assert workspace.history.change(done.change).label.endswith(": not a fact")
    workspace.undo()
    assert contents(home) == before
    workspace.close()


@pytest.mark.parametrize(
    ("payload", "given", "after"),
    [
        (add("alpha one"), frozenset(), "alpha one\n§\nbeta two"),
        (swap("alpha one", "alpha one"), frozenset(), "alpha one\n§\nbeta two"),
        (swap("one", "1"), LOSS, "1\n§\nbeta two"),
        (remove("alpha"), frozenset(), "beta two"),
        (batch({"action": "remove", "old_text": "alpha"}, {"action": "remove", "old_text": "beta"}), EMPTY, ""),
        (
            {"action": "patch", "target": "memory", "old_text": "one", "content": "1", "matched_entry": "alpha one"},
            frozenset(),
            "alpha 1\n§\nbeta two",
        ),
        (
            batch(
                {"action": "patch", "old_text": "two", "new_text": "2", "matched_entry": "beta two"},
                {"action": "add", "new_text": "gamma"},
            ),
            frozenset(),
            "alpha one\n§\nbeta 2\n§\ngamma",
        ),
    ],
)
def test_every_action(
    payload: dict[str, object], given: frozenset[str], after: str, home: Path, put: Callable[..., Path]
) -> None:
    path = put(["alpha one", "beta two"])
    queue(home, "aaaa1111", payload)
    workspace = opened(home)
    one = only(workspace.inbox)
    assert frozenset(one.needs) == given
    if given:
        with pytest.raises(NeedsConfirmation):
            workspace.inbox.accept(one)
    workspace.inbox.accept(one, given=given)
    assert path.read_text() == after
    assert workspace.inbox.queue().total == 0
    workspace.undo()
    assert (path.read_text(), workspace.inbox.queue().total) == ("alpha one\n§\nbeta two", 1)
    workspace.close()


def test_single_operations_of_a_batch(home: Path, put: Callable[..., Path]) -> None:
    path = put(["alpha", "beta"])
    payload = batch(
        {"action": "add", "content": "one"},
        {"action": "remove", "old_text": "gone"},
        {"action": "add", "content": "two"},
    )
    file = queue(home, "aaaa1111", payload, extra={"kept": [1, "é"]})
    before = contents(home)
    workspace = opened(home)
    assert only(workspace.inbox).status == "stale", "all or nothing"
    done = workspace.inbox.accept(only(workspace.inbox), numbers=[3, 1])
    assert (path.read_text(), done.left) == ("alpha\n§\nbeta\n§\none\n§\ntwo", 1)
    rest = json.loads(file.read_text())
    assert rest["payload"]["operations"] == [{"action": "remove", "old_text": "gone"}]
    assert rest["extra"] == {"kept": [1, "é"]}
    assert file.read_text() == json.dumps(rest, indent=2, ensure_ascii=False), "laid out as the client does"
    assert only(workspace.inbox).status == "stale"
    workspace.undo()
    assert contents(home) == before
    for wrong in ([0], [4], [-1]):
        with pytest.raises(Usage):
            workspace.inbox.accept(only(workspace.inbox), numbers=wrong)
    workspace.close()


def test_edit_and_accept_and_edit_and_keep(home: Path, put: Callable[..., Path]) -> None:
    path = put(["Staging listens on port 22", "b"])
    file = queue(home, "aaaa1111", swap("port 22", "port 2200"))
    before = contents(home)
    workspace = opened(home)
    one = only(workspace.inbox)
    assert one.status == "lossy"
    assert workspace.inbox.preview_edited(one, "Staging listens on port 2200").status == "ready"
    workspace.inbox.edit(one, "Staging listens on port 2200")
    assert (path.read_text(), file.exists()) == ("Staging listens on port 2200\n§\nb", False)
    workspace.undo()
    assert contents(home) == before
    workspace.inbox.edit(one, "Staging listens on port 2200 now", keep=True)
    again = only(workspace.inbox)
    assert again.record.payload["matched_entry"] == "Staging listens on port 22", "the pin a new client asks for"
    assert (again.status, again.after) == ("ready", "Staging listens on port 2200 now")
    workspace.undo()
    assert contents(home) == before
    queue(home, "bbbb2222", remove("b"))
    with pytest.raises(Usage, match="no text to edit"):
        workspace.inbox.edit(workspace.inbox.find("bbbb2222"), "x")
    workspace.close()


def test_editing_what_was_decided_is_a_conflict(home: Path) -> None:
    file = queue(home, "aaaa1111", add("x"))
    workspace = opened(home)
    one = only(workspace.inbox)
    file.unlink()
    for keep in (True, False):
        with pytest.raises(Decided):
            workspace.inbox.edit(one, "y", keep=keep)
    workspace.close()


def test_retarget_a_stale_one(home: Path, put: Callable[..., Path]) -> None:
    path = put(["Shell is fish, editor is helix", "other"])
    queue(home, "aaaa1111", swap("Editor is vim", "Editor is emacs"))
    workspace = opened(home)
    stale = only(workspace.inbox)
    assert stale.status == "stale"
    with pytest.raises(NotFound):
        workspace.inbox.retarget(stale, "nobody")
    workspace.inbox.retarget(stale, "Shell is fish, editor is helix")
    aimed = only(workspace.inbox)
    assert (aimed.status, aimed.before) == ("lossy", "Shell is fish, editor is helix"), "what it would drop is said"
    put(["Shell is fish, editor is helix 2", "other"])
    assert only(workspace.inbox).status == "stale", "a pin is never aimed anew"
    put(["Shell is fish, editor is helix", "other"])
    workspace.inbox.accept(only(workspace.inbox), given=LOSS)
    assert path.read_text() == "Editor is emacs\n§\nother"
    workspace.undo()
    workspace.undo()  # what the test itself wrote is recorded as somebody else's only when it lies on top
    assert only(workspace.inbox).record == stale.record
    queue(home, "bbbb2222", add("x"))
    with pytest.raises(Usage, match="about no entry"):
        workspace.inbox.retarget(workspace.inbox.find("bbbb2222"), "other")
    workspace.close()


def test_an_addition_goes_to_the_other_store(home: Path, put: Callable[..., Path]) -> None:
    path = put(["x" * 2190])
    put(["Likes tea"], "user")
    raw = queue(home, "aaaa1111", add("Prefers answers in Portuguese"))
    workspace = opened(home)
    inbox = workspace.inbox
    full = only(inbox)
    assert full.status == "over_budget"
    elsewhere = inbox.preview_readdressed(full, "user")
    assert (elsewhere.status, elsewhere.limit, elsewhere.record.target) == ("ready", 1375, "user")
    assert only(inbox).status == "over_budget", "looking changes nothing"
    decision = inbox.readdress(full, "user")
    assert decision.verdict == "retargeted"
    sent = only(inbox)
    assert (sent.status, sent.record.target) == ("ready", "user")
    assert json.loads(raw.read_bytes())["payload"] == {**add("Prefers answers in Portuguese", "user")}
    inbox.accept(sent)
    assert path.read_text() == "x" * 2190
    assert (home / "memories" / "USER.md").read_text() == "Likes tea\n§\nPrefers answers in Portuguese"
    workspace.undo()
    assert only(inbox).record.target == "user"
    workspace.undo()
    assert only(inbox).record == full.record
    workspace.close()


def test_an_addition_is_applied_in_the_other_store_at_once(home: Path, put: Callable[..., Path]) -> None:
    put(["Likes tea"], "user")
    queue(home, "aaaa1111", batch({"action": "add", "content": "One"}, {"action": "add", "content": "Two"}))
    workspace = opened(home)
    before = contents(home)
    done = workspace.inbox.readdress(only(workspace.inbox), "user", keep=False, reason="about me")
    assert (done.verdict, done.preview.record.target) == ("approved", "memory")
    assert (home / "memories" / "USER.md").read_text() == "Likes tea\n§\nOne\n§\nTwo"
    assert not (home / "memories" / "MEMORY.md").exists()
    assert workspace.inbox.previews() == ()
    workspace.undo()
    assert contents(home) == before
    workspace.close()


@pytest.mark.parametrize(
    ("payload", "to", "why"),
    [
        (add("x"), "memory", "already"),
        (add("x"), "team", "Unknown target"),
        (remove("Likes"), "user", "Only additions"),
        (batch({"action": "add", "content": "x"}, {"action": "remove", "old_text": "a"}), "user", "Only additions"),
        (batch(), "user", "Only additions"),
    ],
)
def test_what_cannot_go_to_the_other_store(home: Path, payload: dict[str, Any], to: str, why: str) -> None:
    raw = queue(home, "aaaa1111", payload).read_bytes()
    workspace = opened(home)
    for act in (workspace.inbox.preview_readdressed, workspace.inbox.readdress):
        with pytest.raises(Usage, match=why):
            act(only(workspace.inbox), to)
    assert only(workspace.inbox).record.data == raw
    workspace.close()


def test_sent_to_a_store_that_holds_it_already_or_is_switched_off(home: Path, put: Callable[..., Path]) -> None:
    put(["Likes tea"], "user")
    (home / "config.yaml").write_text("memory: {user_profile_enabled: false}")
    queue(home, "aaaa1111", add("Likes tea"))
    workspace = opened(home)
    there = workspace.inbox.preview_readdressed(only(workspace.inbox), "user")
    assert (there.status, "USER.md holds it already" in there.reason) == ("duplicate", True)
    assert any("switched off" in note for note in there.notes)
    workspace.close()


def test_an_ambiguous_one_is_retargeted(home: Path, put: Callable[..., Path]) -> None:
    path = put(["host a", "host b"])
    queue(home, "aaaa1111", remove("host"))
    workspace = opened(home)
    one = only(workspace.inbox)
    with pytest.raises(Ambiguous):
        workspace.inbox.accept(one)
    workspace.inbox.retarget(one, "host b")
    workspace.inbox.accept(only(workspace.inbox))
    assert path.read_text() == "host a"
    workspace.close()


def test_accept_all_simulates_in_order_and_skips_what_needs_a_look(home: Path, put: Callable[..., Path]) -> None:
    path = put(["alpha", "beta b", "gamma c d"])
    queue(home, "00000001", add("new fact"), created=1.0)
    queue(home, "00000002", swap("gamma", "gamma"), created=2.0)
    queue(home, "00000003", remove("new fact"), created=3.0)
    queue(home, "00000004", remove("beta b"), created=4.0)
    queue(home, "00000005", swap("beta b", "beta b c"), created=5.0)
    queue(home, "00000006", add("alpha"), created=6.0)
    queue(home, "00000007", add("last"), created=7.0)
    workspace = opened(home)
    before = tree(home)
    dry = workspace.inbox.accept_all(dry_run=True)
    assert tree(home) == before
    assert [step.would for step in dry] == [True, False, True, False, False, False, True]
    real = workspace.inbox.accept_all(reason="tidy")
    assert [step.would for step in real] == [step.would for step in dry]
    assert [step.preview.chars_after for step in real] == [step.preview.chars_after for step in dry]
    assert path.read_text() == "alpha\n§\nbeta b\n§\ngamma c d\n§\nlast"
    assert statuses(workspace.inbox) == {
        "00000002": "lossy",
        "00000004": "ready",
        "00000005": "ready",
        "00000006": "duplicate",
    }
    assert "rivals" in real[3].reason
    for _ in range(3):
        workspace.undo()
    assert path.read_text() == "alpha\n§\nbeta b\n§\ngamma c d"
    assert workspace.inbox.queue().total == 7
    workspace.close()


def test_accept_all_stops_at_a_conflict(home: Path, put: Callable[..., Path]) -> None:
    """Somebody decides one of the records while the first is being applied."""
    put(["alpha"])
    for number in (1, 2, 3):
        queue(home, f"0000000{number}", add(f"fact {number}"), created=float(number))
    workspace = opened(home)
    vanish = home / "pending" / "memory" / "00000002.json"
    workspace.subscribe(lambda: vanish.unlink(missing_ok=True))
    steps = workspace.inbox.accept_all()
    assert [step.would for step in steps] == [True, False]
    assert isinstance(steps[1].error, Decided)
    assert workspace.documents()["memory"].texts == ("alpha", "fact 1")
    workspace.close()


def test_names_of_records(home: Path) -> None:
    for name in ("abcd1111", "abcd2222", "ab"):
        queue(home, name, add(name))
    inbox = opened(home).inbox
    assert inbox.find("ab").record.id == "ab", "an exact name wins"
    assert inbox.find("abcd1").record.id == "abcd1111"
    assert inbox.find("memory/abcd2222").record.id == "abcd2222"
    for wrong in ("abcd", "nobody", "", "abc"):
        with pytest.raises(Usage):
            inbox.find(wrong)


def test_automatic_ones_are_told_apart(home: Path) -> None:
    queue(home, "aaaa1111", add("x"), origin="background_review")
    queue(home, "bbbb2222", add("y"), origin="assistant_tool")
    assert [one.record.automatic for one in opened(home).inbox.previews()] == [True, False]


def test_shrinking_is_said_without_a_change_of_status(home: Path, put: Callable[..., Path]) -> None:
    put(["the " * 20 + "end"])
    queue(home, "aaaa1111", swap("the", "the end"))
    one = only(opened(home).inbox)
    assert (one.status, one.shrinks) == ("ready", 8)


def test_cjk_is_lossy_by_pairs_of_characters(home: Path, put: Callable[..., Path]) -> None:
    put(["本机运行 Debian 12，用 Podman 代替 Docker"])
    queue(home, "aaaa1111", swap("Debian 12", "Debian 13"))
    queue(home, "bbbb2222", swap("Debian 12", "本机运行 Debian 13，用 podman 代替 ＤＯＣＫＥＲ"))
    assert statuses(opened(home).inbox) == {"aaaa1111": "lossy", "bbbb2222": "ready"}


def test_the_change_signal(home: Path) -> None:
    queue(home, "aaaa1111", add("x"))
    workspace = opened(home)
    told: list[int] = []
    workspace.subscribe(lambda: told.append(1))
    workspace.inbox.accept(only(workspace.inbox))
    workspace.set_gate("memory", True)
    assert told == [1, 1]
    assert workspace.config.memory_write_approval
    workspace.close()


def test_a_batch_may_go_on_with_what_it_wrote(home: Path, put: Callable[..., Path]) -> None:
    path = put(["alpha beta"])
    queue(
        home,
        "aaaa1111",
        batch(
            {"action": "patch", "old_text": "alpha", "new_text": "new"},
            {"action": "replace", "old_text": "new beta", "content": "new beta “2”"},
            {"action": "add", "content": "gamma"},
            {"action": "remove", "old_text": "gamma"},
            {"action": "replace", "old_text": 'beta "2"', "content": "new beta 2 at last"},
        ),
    )
    workspace = opened(home)
    one = only(workspace.inbox)
    assert one.status == "ready"
    workspace.inbox.accept(one)
    assert path.read_text() == "new beta 2 at last"
    workspace.close()


def test_no_closest_entry_is_sought_for_a_list(home: Path, put: Callable[..., Path]) -> None:
    """It takes a millisecond and more, for each stale record of a long queue."""
    put([f"Host {number} keeps its logs in /var/log/{number}" for number in range(18)])
    queue(
        home, "aaaa1111", batch({"action": "add", "content": "x"}, {"action": "remove", "old_text": "kubectl context"})
    )
    one = only(opened(home).inbox)
    assert one.status == "stale"
    assert isinstance(one.refused, NotFound)
    assert one.refused.closest == ()
