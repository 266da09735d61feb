"""Files that would break a reader, and homes that change under it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.inbox.support import (
    SKILL,
    add,
    batch,
    only,
    opened,
    put_skill,
    queue,
    queue_raw,
    record,
    remove,
    skill,
    statuses,
    swap,
)
from tests.snapshots import tree
from workbench.errors import Busy, Lossy, Unreadable, Usage, WorkbenchError
from workbench.files import locked
from workbench.inbox import STATUSES, Decided, Inbox, NotOurs, parse_record, waiting


def test_the_empty_queue_is_empty(home: Path) -> None:
    inbox = opened(home).inbox
    assert inbox.queue().records == ()
    assert inbox.previews() == ()
    (home / "pending").write_text("a file where a folder belongs")
    assert inbox.queue().total == 0


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not complete JSON"),
        (b"null", "not an object"),
        (b'"text"', "not an object"),
        (b"\xff\xfe{}", "not UTF-8 at byte 0"),
        (b"[" * 100_000, "nested too deeply"),
        (b"9" * 5000, "not complete JSON"),
        (b"{" + b" " * (1 << 20) + b"}", "larger than"),
        (json.dumps(record("aaaa1111", add("x" * 2_000_000))).encode(), "larger than"),
    ],
)
def test_unreadable_rows(home: Path, data: bytes, why: str) -> None:
    queue_raw(home, "aaaa1111", data)
    queue(home, "bbbb2222", add("still usable"))
    inbox = opened(home).inbox
    bad = inbox.find("aaaa1111")
    assert bad.status == "unreadable"
    assert why in bad.reason
    inbox.accept(inbox.find("bbbb2222"))
    assert (home / "pending" / "memory" / "aaaa1111.json").read_bytes() == data


@pytest.mark.parametrize(
    ("payload", "status"),
    [
        (batch(None), "unsupported"),
        ({"action": "batch", "target": "memory", "operations": {"0": {}}}, "unsupported"),
        ({"action": "batch", "target": "memory", "operations": []}, "unsupported"),
        (batch({"action": "move", "old_text": "a"}), "unsupported"),
        (batch({"action": "add", "content": "x", "target": "user"}), "unsupported"),
        (batch({"action": "batch", "operations": [add("x")]}), "unsupported"),
        ({"action": "normalise", "target": "memory"}, "unsupported"),
        ({"action": "add", "target": None, "content": "x"}, "unsupported"),
        ({"action": "add", "target": ["memory"], "content": "x"}, "unsupported"),
        ({"action": ["add"], "target": "memory"}, "unsupported"),
        (add(""), "blocked"),
        ({"action": "add", "target": "memory", "content": None}, "unsupported"),
        ({"action": "add", "content": "no target means memory"}, "ready"),
        (add("two\n§\nentries"), "blocked"),
        (remove(""), "unsupported"),
        (remove("alpha", id="0" * 12, entry="alpha"), "emptying"),
        (add("half \ud800"), "unsupported"),
        ({"action": "patch", "target": "memory", "old_text": "zz", "content": "x", "matched_entry": "alpha"}, "stale"),
    ],
)
def test_malformed_operations(home: Path, put: Callable[..., Path], payload: dict[str, Any], status: str) -> None:
    path = put(["alpha"])
    whole = record("aaaa1111", payload)
    whole["action"] = "add"
    queue_raw(home, "aaaa1111", json.dumps(whole))
    inbox = opened(home).inbox
    one = only(inbox)
    assert (one.status, bool(one.reason)) == (status, status != "ready")
    if status not in ("ready", "emptying"):
        with pytest.raises(WorkbenchError):
            inbox.accept(one)
        assert path.read_text() == "alpha"


def test_what_is_no_record_is_ignored(home: Path) -> None:
    for name in ("a.json.claim", "b.json.claimed", "c.json.tmp", ".mem_wb-1-d.json-x.tmp", "notes.txt"):
        queue_raw(home, "x", "{}").rename(home / "pending" / "memory" / name)
    (home / "pending" / "memory" / "applied").mkdir()
    (home / "pending" / "memory" / "folder.json").mkdir()
    (home / "pending" / "memory" / "applied" / "e.json").write_text("{}")
    inbox = opened(home).inbox
    assert inbox.queue().total == waiting(home).total == 0


def test_links_and_pipes_are_rows_and_never_followed(home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(record("outside1", add("from elsewhere"))))
    folder = queue(home, "aaaa1111", add("mine")).parent
    (folder / "linked.json").symlink_to(outside)
    (folder / "dangling.json").symlink_to(tmp_path / "nowhere")
    os.mkfifo(folder / "pipe.json")
    inbox = opened(home).inbox
    found = {one.record.id: (one.status, one.reason) for one in inbox.previews()}
    assert found["linked"] == found["dangling"] == ("unreadable", "it is a link, which is never followed")
    assert found["pipe"][0] == "unreadable"
    assert found["aaaa1111"][0] == "ready"
    assert waiting(home).total == len(found) == 4, "the header's number is the number of rows"
    with pytest.raises(NotOurs):
        inbox.refuse(inbox.find("linked").record)


def test_the_file_vanishes_between_list_and_accept(home: Path, put: Callable[..., Path]) -> None:
    path = put(["alpha"])
    gone = queue(home, "aaaa1111", add("x"))
    workspace = opened(home)
    one = only(workspace.inbox)
    gone.unlink()
    with pytest.raises(Decided, match="decided meanwhile"):
        workspace.inbox.accept(one)
    with pytest.raises(Decided, match="decided meanwhile"):
        workspace.inbox.refuse(one.record)
    assert path.read_text() == "alpha"
    assert not gone.exists()
    assert workspace.history.claims() == ()
    workspace.close()


def test_the_record_changes_while_its_preview_is_open(home: Path, put: Callable[..., Path]) -> None:
    path = put(["alpha"])
    queue(home, "aaaa1111", add("harmless"))
    workspace = opened(home)
    one = only(workspace.inbox)
    queue(home, "aaaa1111", add("something else"))
    with pytest.raises(Decided, match="changed since it was shown") as caught:
        workspace.inbox.accept(one)
    assert caught.value.exit_code == 3
    assert path.read_text() == "alpha"
    assert only(workspace.inbox).after == "something else"
    workspace.close()


def test_a_skill_record_changes_or_vanishes_while_its_preview_is_open(home: Path) -> None:
    path = put_skill(home)
    file = queue(home, "aaaa1111", skill("edit", content=SKILL + "harmless\n"), subsystem="skills")
    workspace = opened(home)
    one = only(workspace.inbox)
    queue(home, "aaaa1111", skill("edit", content=SKILL + "something else\n"), subsystem="skills")
    with pytest.raises(Decided, match="changed since it was shown"):
        workspace.inbox.accept(one)
    one = only(workspace.inbox)
    file.unlink()
    for act in (workspace.inbox.accept, lambda seen: workspace.inbox.edit(seen, SKILL)):
        with pytest.raises(Decided, match="decided meanwhile"):
            act(one)
    assert path.read_text() == SKILL
    workspace.close()


def test_a_record_becomes_a_link_while_its_preview_is_open(home: Path, tmp_path: Path) -> None:
    """Not even a link to the same bytes is followed: what lies outside is neither trusted nor removed."""
    file = queue(home, "aaaa1111", add("x"))
    workspace = opened(home)
    one = only(workspace.inbox)
    outside = file.rename(tmp_path / "outside.json")
    file.symlink_to(outside)
    for act in (workspace.inbox.accept, lambda seen: workspace.inbox.refuse(seen.record)):
        with pytest.raises(WorkbenchError):
            act(one)
    assert only(workspace.inbox).status == "unreadable"
    assert outside.exists()
    assert file.is_symlink()
    assert not (home / "memories" / "MEMORY.md").exists()
    workspace.close()


def test_all_is_accepted_while_others_decide(home: Path) -> None:
    """A record that vanishes between the list and its turn ends the run: somebody else is at work."""
    queue(home, "aaaa1111", add("one"), created=1.0)
    gone = queue(home, "bbbb2222", add("two"), created=2.0)
    queue(home, "cccc3333", add("three"), created=3.0)
    workspace = opened(home)
    seen = workspace.inbox.previews()
    gone.unlink()
    steps = workspace.inbox.accept_all(seen)
    assert [(step.would, type(step.error)) for step in steps] == [(True, type(None)), (False, Decided)]
    assert [one.record.id for one in workspace.inbox.previews()] == ["cccc3333"]
    workspace.close()


def test_a_skill_of_two_megabytes(home: Path) -> None:
    put_skill(home)
    big = skill("write_file", file_path="assets/x", file_content="x" * 2_000_000)
    queue(home, "aaaa1111", big, subsystem="skills")
    queue(home, "bbbb2222", skill("write_file", file_path="assets/x", file_content="x" * 100_001), subsystem="skills")
    queue(home, "cccc3333", add("x" * 900_000))
    assert statuses(opened(home).inbox) == {
        "aaaa1111": "unreadable",
        "bbbb2222": "over_budget",
        "cccc3333": "over_budget",
    }


def test_the_memory_moves_on_while_the_preview_is_open(home: Path, put: Callable[..., Path]) -> None:
    path = put(["host a", "b"])
    queue(home, "aaaa1111", swap("host a", "host a2"))
    workspace = opened(home)
    one = only(workspace.inbox)
    put(["c", "host a", "b"])
    workspace.inbox.accept(one)
    assert path.read_text() == "c\n§\nhost a2\n§\nb", "the entry is still there: applied to it by its text"
    queue(home, "bbbb2222", swap("host", "host a2 and 3"))
    one = only(workspace.inbox)
    put(["other host"])
    with pytest.raises(WorkbenchError, match="no longer there"):
        workspace.inbox.accept(one)  # a piece of text never selects another entry than was shown
    assert path.read_text() == "other host"
    workspace.close()


def test_memory_file_unreadable(home: Path, put: Callable[..., Path]) -> None:
    path = put(b"caf\xe9")
    queue(home, "aaaa1111", add("x"))
    queue(home, "bbbb2222", add("tea", "user"))
    workspace = opened(home)
    assert statuses(workspace.inbox) == {"aaaa1111": "blocked", "bbbb2222": "ready"}
    bad = workspace.inbox.find("aaaa1111")
    assert "cannot be read" in bad.reason
    with pytest.raises(Unreadable):
        workspace.inbox.accept(bad)
    assert [step.would for step in workspace.inbox.accept_all()] == [False, True]
    assert path.read_bytes() == b"caf\xe9"
    workspace.close()


def test_memory_file_turns_unreadable_under_the_preview(home: Path, put: Callable[..., Path]) -> None:
    put(["alpha"])
    file = queue(home, "aaaa1111", add("x"))
    workspace = opened(home)
    one = only(workspace.inbox)
    path = put(b"\xff")
    with pytest.raises(Unreadable):
        workspace.inbox.accept(one)
    assert (path.read_bytes(), file.exists()) == (b"\xff", True)
    workspace.close()


def test_memory_file_lossy(home: Path, put: Callable[..., Path]) -> None:
    path = put(["x" * 2300])
    queue(home, "aaaa1111", add("y"))
    workspace = opened(home)
    one = only(workspace.inbox)
    assert (one.status, type(one.refused)) == ("blocked", Lossy)
    with pytest.raises(Lossy):
        workspace.inbox.accept(one)
    assert len(path.read_text()) == 2300
    workspace.close()


def test_memory_file_locked(home: Path, put: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept all ends at a lock; the rest is not tried, and nothing is applied."""
    path = put(["alpha"])
    queue(home, "aaaa1111", add("x"))
    queue(home, "bbbb2222", add("y"))
    workspace = opened(home)
    real = workspace.history.commit
    monkeypatch.setattr(
        type(workspace.history), "commit", lambda self, *args, **more: real(*args, **{**more, "timeout": 0.05})
    )
    with locked([path]):
        steps = workspace.inbox.accept_all()
    assert [type(step.error) for step in steps] == [Busy]
    assert path.read_text() == "alpha"
    assert len(workspace.inbox.previews()) == 2
    workspace.close()


def test_a_store_that_is_switched_off_is_said(home: Path) -> None:
    (home / "config.yaml").write_text("memory: {user_profile_enabled: false}")
    queue(home, "aaaa1111", add("tea", "user"))
    one = only(opened(home).inbox)
    assert one.status == "ready"
    assert "switched off" in one.notes[0]


def test_400_records_at_once(home: Path, put: Callable[..., Path]) -> None:
    """All that are ready are applied in order, until the store is full; each later one says by how much."""
    path = put([])
    for number in range(400):
        queue(home, f"{number:08x}", add(f"fact {number:03d} " + "x" * 40), created=float(400 - number))
    workspace = opened(home)
    assert {one.status for one in workspace.inbox.previews()} == {"ready"}
    dry = workspace.inbox.accept_all(dry_run=True)
    assert path.read_text() == ""
    steps = workspace.inbox.accept_all()
    assert [(one.would, one.preview.chars_after) for one in dry] == [
        (one.would, one.preview.chars_after) for one in steps
    ]
    applied = [step for step in steps if step.would]
    assert len(applied) == 42
    assert path.read_text().startswith("fact 399 "), "oldest first"
    assert len(path.read_text()) <= 2200
    assert {step.preview.status for step in steps if not step.would} == {"over_budget"}
    assert workspace.inbox.queue().total == 358
    workspace.close()


def test_half_a_character_keeps_no_record_from_being_decided(home: Path) -> None:
    whole = record("aaaa1111", skill("delete", "half \ud800"), subsystem="skills")
    queue_raw(home, "aaaa1111", json.dumps(whole), "skills")
    workspace = opened(home)
    workspace.inbox.refuse(only(workspace.inbox).record, reason="because \udcff")
    assert workspace.inbox.queue().total == 0
    newest = workspace.history.changes()[0]
    assert "half \\ud800" in newest.label and "because \\udcff" in newest.label
    workspace.undo()
    assert only(workspace.inbox).record.id == "aaaa1111"
    workspace.close()


def test_names_that_are_not_utf_8_are_said_and_stop_nothing_else(home: Path) -> None:
    put_skill(home)
    queue(home, os.fsdecode(b"caf\xe9"), add("x"))
    names = {"a": "references/\ud800.md", "b": "references/\udce9.md"}
    for name, path in names.items():
        whole = record(name, skill("write_file", file_path=path, file_content="x"), subsystem="skills")
        queue_raw(home, name, json.dumps(whole), "skills")
    queue(home, "cccc3333", add("fine"))
    workspace = opened(home)
    steps = workspace.inbox.accept_all()
    assert [step.preview.record.id for step in steps if step.would] == ["cccc3333"]
    assert {step.preview.status for step in steps} == {"unreadable", "blocked", "ready"}
    assert all("not UTF-8" in step.reason for step in steps if not step.would)
    workspace.close()


def test_rows_are_capped_and_the_rest_is_counted(home: Path) -> None:
    for number in range(30):
        queue(home, f"{number:08x}", add(f"fact {number}"))
    found = opened(home).inbox.queue(rows=10)
    assert (len(found.records), found.more, found.total) == (10, 20, 30)


def test_a_record_beyond_the_cap_is_found_by_its_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, name in enumerate(("aaaa1111", "bbbb2222")):
        os.utime(queue(home, name, add(name)), (number, number))
    monkeypatch.setattr(Inbox.queue, "__defaults__", (1,))
    workspace = opened(home)
    assert workspace.inbox.queue().more == 1
    workspace.inbox.accept(workspace.inbox.find("bbbb"))
    assert workspace.documents()["memory"].texts == ("bbbb2222",)
    with pytest.raises(Usage, match="No record"):
        workspace.inbox.find("cccc")
    workspace.close()


def test_odd_dates(home: Path) -> None:
    for number, created in enumerate(["2026-09-01T00:00:00Z", "17.5", "soon", None, True, -5, 1e300, [1], "9" * 400]):
        queue(home, f"{number:08x}", add(f"fact {number}"), created=created)
    found = opened(home).inbox.queue().records
    assert len(found) == 9
    dates = {one.id: one.created_at for one in found}
    assert (dates["00000000"], dates["00000001"]) == (1788220800.0, 17.5)
    assert all(date is not None for date in dates.values()), "the file's own time stands in"


def test_a_byte_order_mark_is_read_and_said(home: Path) -> None:
    queue_raw(home, "aaaa1111", b"\xef\xbb\xbf" + json.dumps(record("aaaa1111", add("x"))).encode())
    one = only(opened(home).inbox)
    assert one.status == "ready"
    assert "byte order mark" in one.notes[0]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["action", "target", "content", "old_text", "matched_entry", "operations", "payload", "id", "name"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)
PAYLOADS = st.fixed_dictionaries(
    {"action": st.sampled_from(["add", "replace", "patch", "remove", "batch", "create", "delete"]) | JSON},
    optional={
        "target": st.sampled_from(["memory", "user", "team"]) | JSON,
        "content": st.sampled_from(["alpha", "new", ""]) | JSON,
        "old_text": st.sampled_from(["alpha", "a"]) | JSON,
        "matched_entry": st.sampled_from(["alpha", "beta"]) | JSON,
        "operations": JSON,
        "name": st.sampled_from(["demo", "../x", "/etc"]) | JSON,
        "file_path": JSON,
    },
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(payload=PAYLOADS, whole=JSON, subsystem=st.sampled_from(["memory", "skills"]))
def test_any_json_is_a_row_with_a_known_status(home: Path, payload: Any, whole: Any, subsystem: str) -> None:
    (home / "memories" / "MEMORY.md").write_text("alpha\n§\nbeta a")
    for path in home.glob("pending/*/*.json"):
        path.unlink()
    queue_raw(home, "aaaa1111", json.dumps(record("aaaa1111", payload, subsystem=subsystem)), subsystem)
    queue_raw(home, "bbbb2222", json.dumps(whole), subsystem)
    before = tree(home)
    previews = opened(home).inbox.previews()
    assert len(previews) == 2
    assert all(one.status in STATUSES and (one.reason or one.status == "ready") for one in previews)
    assert tree(home) == before


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_a_record(data: bytes) -> None:
    assert parse_record(data, Path("/nowhere/aaaa1111.json"), "memory").data == data
