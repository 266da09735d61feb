"""Approvals compared with the real 0.19 client, on copies of one home."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client.dialogue import dialogue
from tests.inbox.support import SKILL, add, batch, opened, put_skill, queue, queue_raw, record, remove, skill, swap
from workbench.errors import WorkbenchError
from workbench.inbox import Preview

pytestmark = pytest.mark.client
ACCEPT = frozenset({"--accept-loss", "--accept-empty", "--accept-blocked"})
Approve = Callable[[Path, str, str], dict[str, Any]]


@pytest.fixture
def client_approves(client_python: str) -> Iterator[Approve]:
    """One client process that approves records by their id."""
    with dialogue(client_python, "approver.py") as talk:
        yield lambda home, subsystem, ident: talk({"home": str(home), "subsystem": subsystem, "id": ident})


def memory_files(home: Path) -> dict[str, bytes]:
    paths = {name: home / "memories" / name for name in ("MEMORY.md", "USER.md")}
    return {name: path.read_bytes() if path.exists() else b"" for name, path in paths.items()}


def skill_files(home: Path) -> dict[str, bytes]:
    root = home / "skills"
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def waiting_files(home: Path) -> list[str]:
    return sorted(str(path.relative_to(home)) for path in home.glob("pending/*/*.json"))


def we_approve(home: Path, name: str) -> tuple[Preview, WorkbenchError | None]:
    workspace = opened(home)
    seen = workspace.inbox.find(name)
    try:
        workspace.inbox.accept(seen, given=ACCEPT)
    except WorkbenchError as error:
        return seen, error
    finally:
        workspace.close()
    return seen, None


def twins(home: Path) -> tuple[Path, Path]:
    """Two copies of a home: the client's and ours."""
    theirs, ours = home.with_name("theirs"), home.with_name("ours")
    for copy in (theirs, ours):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(home, copy)
    return theirs, ours


def test_every_record_of_the_019_home(unpack: Callable[[str], Path], client_approves: Approve) -> None:
    theirs, ours = twins(unpack("0.19.0"))
    names = waiting_files(theirs)
    assert len(names) == 6
    for name in names:
        _, subsystem, file = name.split("/")
        reply = client_approves(theirs, subsystem, file.removesuffix(".json"))
        _, error = we_approve(ours, f"{subsystem}/{file.removesuffix('.json')}")
        assert (reply["applied"], error) == (True, None)
        assert memory_files(ours) == memory_files(theirs)
        assert skill_files(ours) == skill_files(theirs)
        assert waiting_files(ours) == waiting_files(theirs)


WORDS = [
    "port 2222",
    "日本語の設定",
    "tea",
    "~/code/ledger",
    "it's",
    "§7",
    "naïve",
    "x" * 300,
    "line\nbreak",
    "  pad  ",
]


def payload_for(rng: random.Random, stores: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    """A payload as 0.19 stages it, mostly meaningful for the stores."""
    target = rng.choice(("memory", "memory", "user"))
    content = f"{rng.choice(WORDS)} {rng.randrange(40)}"
    entry = rng.choice(stores[target]) if stores[target] else "zz"
    start = rng.randrange(len(entry))
    piece = rng.choice((entry, entry[start : start + 3], entry[start : start + 9], "nowhere")) or "zz"
    action = rng.choice(("add", "add", "replace", "remove", "batch"))
    if action == "batch":
        operations = [
            {"action": "remove", "old_text": piece},
            {"action": "add", "content": content},
            {"action": "replace", "old_text": content, "content": content + " too"},
        ]
        return batch(*rng.sample(operations, rng.choice((1, 2, 3))), target=target)
    if action == "add":
        return add(content if rng.random() < 0.8 else entry, target)
    payload = swap(piece, content) if action == "replace" else remove(piece)
    return {**payload, "target": target}


def test_300_generated_records(home: Path, client_approves: Approve) -> None:
    """Wherever the client applies, so do we, and both leave the same bytes and the same queue.

    Ours is kinder where 0.22 is: an entry's whole text selects it although others contain it, and quotes, dashes and
    white space are folded; those are counted and taken over. One difference the other way round: a replace by the text
    of another entry, where the client writes an exact duplicate that it drops at its next write, and we do not.
    """
    rng = random.Random(22)
    theirs, ours = twins(home)
    applied = kinder = doubled = refused = 0
    for number in range(300):
        workspace = opened(ours)
        stores = {target: document.texts for target, document in workspace.documents().items()}
        workspace.close()
        payload = payload_for(rng, stores)
        for copy in (theirs, ours):
            queue(copy, f"{number:08x}", payload)
        reply = client_approves(theirs, "memory", f"{number:08x}")
        seen, error = we_approve(ours, f"memory/{number:08x}")
        if not reply["applied"] and error is None:
            kinder += 1
            assert seen.status in ("ready", "lossy", "emptying", "no_op", "duplicate"), payload
            assert "matched" in reply["said"], (payload, reply)
            shutil.rmtree(theirs)
            shutil.copytree(ours, theirs)
            continue
        assert reply["applied"] == (error is None), (payload, reply, error)
        texts = (
            memory_files(theirs)["MEMORY.md"].decode().split("\n§\n"),
            memory_files(theirs)["USER.md"].decode().split("\n§\n"),
        )
        if any(len(set(one)) < len(one) for one in texts):
            doubled += 1
            shutil.rmtree(theirs)
            shutil.copytree(ours, theirs)
            continue
        assert memory_files(ours) == memory_files(theirs), payload
        assert waiting_files(ours) == waiting_files(theirs)
        if error is None:
            applied += 1
        else:
            refused += 1
            for copy in (theirs, ours):
                (copy / "pending" / "memory" / f"{number:08x}.json").unlink()
    assert applied > 120
    assert refused > 30
    assert doubled < 10


# Where the client applies and we do not, each with its reason.
STRICTER: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    (
        "0.19 ignores the pin and hits another entry than was reviewed",
        swap("host", "z", matched_entry="host"),
        {},
        "stale",
    ),
    ("0.19 applies an unknown target to MEMORY.md", add("x", "team"), {}, "unsupported"),
    ("a line of § would be read back as two entries", add("one\n§\ntwo"), {}, "blocked"),
    (
        "0.19 ignores the store that an operation of a batch names",
        batch({"action": "add", "content": "x", "target": "user"}),
        {},
        "unsupported",
    ),
    ("0.19 does not look at who wrote the record", add("x"), {"provider": "mnemo"}, "unsupported"),
    ("0.19 goes by the folder and not by what the record says", add("x"), {"says": "skills"}, "unsupported"),
    ("what looks empty is not: a replace by a stray delimiter", swap("host a", "§"), {}, "blocked"),
]


@pytest.mark.parametrize("row", STRICTER, ids=[row[0] for row in STRICTER])
def test_where_we_refuse_and_the_client_applies(
    row: tuple[str, dict[str, Any], dict[str, Any], str], home: Path, put: Callable[..., Path], client_approves: Approve
) -> None:
    _, payload, more, status = row
    put(["host a", "other"])
    whole = {**record("aaaa1111", payload), **more}
    if "says" in whole:
        whole["subsystem"] = whole.pop("says")
    queue_raw(home, "aaaa1111", json.dumps(whole))
    theirs, ours = twins(home)
    before = memory_files(ours)
    assert client_approves(theirs, "memory", "aaaa1111")["applied"]
    seen, error = we_approve(ours, "aaaa1111")
    assert seen.status == status
    assert error is not None
    assert memory_files(ours) == before
    assert waiting_files(ours) == ["pending/memory/aaaa1111.json"]


@pytest.mark.parametrize(
    ("payload", "flag"),
    [
        (swap("first half", "only this"), "--accept-loss"),
        (batch({"action": "remove", "old_text": "first"}, {"action": "remove", "old_text": "other"}), "--accept-empty"),
    ],
)
def test_where_we_ask_and_the_client_applies(
    payload: dict[str, Any], flag: str, home: Path, put: Callable[..., Path], client_approves: Approve
) -> None:
    """A replace that drops what nobody named, and a batch that empties a store: the same bytes, once agreed to."""
    put(["first half, second half", "other"])
    queue(home, "aaaa1111", payload)
    theirs, ours = twins(home)
    seen, error = we_approve(ours, "aaaa1111")
    assert seen.needs == (flag,)
    assert error is None
    assert client_approves(theirs, "memory", "aaaa1111")["applied"]
    assert memory_files(ours) == memory_files(theirs)


def test_a_record_whose_inner_id_differs_stays_with_the_client(home: Path, client_approves: Approve) -> None:
    """0.19 removes the file that the inner id names: its record stays and would be applied again."""
    queue_raw(home, "mismatch", json.dumps(record("zzzz9999", add("x"))))
    theirs, ours = twins(home)
    assert client_approves(theirs, "memory", "mismatch")["applied"]
    _, error = we_approve(ours, "mismatch")
    assert error is None
    assert memory_files(ours) == memory_files(theirs)
    assert (waiting_files(theirs), waiting_files(ours)) == (["pending/memory/mismatch.json"], [])


# -- skills ---------------------------------------------------------------------------------------------------------

NEW = "---\nname: fresh\ndescription: A fresh one\n---\n# Fresh\ndo it\n"
SKILLS: list[dict[str, Any]] = [
    skill("create", "fresh", content=NEW),
    skill("create", "fresh", content=NEW, category="ops"),
    skill("create", "fresh", content="\ufeff" + NEW),
    skill("create", "fresh.v2_x-1", content=NEW.replace("\n", "\r\n")),
    skill("create", "Fresh", content=NEW),
    skill("create", "demo", content=NEW),
    skill("create", "fresh", content="no front matter"),
    skill("create", "fresh", content="---\nname: x\ndescription: " + "d" * 1025 + "\n---\nbody\n"),
    skill("create", "fresh", content=NEW + "x" * 100_000),
    skill("edit", content=NEW),
    skill("edit", "nobody", content=NEW),
    skill("edit", content="---\nname: x\n---\nbody\n"),
    skill("patch", old_string="two\n", new_string="2\n"),
    skill("patch", old_string="two", new_string=""),
    skill("patch", old_string="e", new_string="E"),
    skill("patch", old_string="o", new_string="0", replace_all=True, file_path="references/a.md"),
    skill("patch", old_string="oo", new_string="0", replace_all=True, file_path="references/a.md"),
    skill("patch", old_string="one", new_string="tab \\t and \\n"),
    skill("patch", old_string="crlf\nlines", new_string="lf\nlines", file_path="references/crlf.md"),
    skill("patch", old_string="name: demo\n", new_string=""),
    skill("patch", old_string="one", new_string="one"),
    skill("patch", old_string="x", new_string="y", file_path="references/none.md"),
    skill("write_file", file_path="scripts/deep/run.sh", file_content="echo é\n"),
    skill("write_file", file_path="references/a.md", file_content=""),
    skill("write_file", file_path="../../x", file_content="x"),
    skill("write_file", file_path="notes/x.md", file_content="x"),
    skill("write_file", "nobody", file_path="assets/x", file_content="x"),
    skill("write_file", file_path="SKILL.md", file_content=NEW),
    skill("remove_file", file_path="references/a.md"),
    skill("remove_file", file_path="scripts/only.sh"),
    skill("remove_file", file_path="references/none.md"),
    skill("delete"),
    skill("delete", absorbed_into="other"),
    skill("delete", absorbed_into="nobody"),
    skill("delete", absorbed_into="demo"),
    skill("delete", "nobody"),
]


def skills_home(home: Path) -> None:
    folder = put_skill(home, category="tools").parent
    put_skill(home, "other")
    for name, text in (
        ("references/a.md", "foo oooo one"),
        ("references/crlf.md", "a\r\ncrlf\r\nlines\r\n"),
        ("scripts/only.sh", "#!/bin/sh\n"),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(text.encode())


def folders(home: Path) -> list[str]:
    return sorted(str(path.relative_to(home)) for path in (home / "skills").rglob("*") if path.is_dir())


@pytest.mark.parametrize("number", range(len(SKILLS)), ids=[f"{n}-{one['action']}" for n, one in enumerate(SKILLS)])
def test_skills_leave_the_same_files_and_folders(number: int, home: Path, client_approves: Approve) -> None:
    skills_home(home)
    queue(home, "aaaa1111", SKILLS[number], subsystem="skills")
    theirs, ours = twins(home)
    reply = client_approves(theirs, "skills", "aaaa1111")
    seen, error = we_approve(ours, "aaaa1111")
    assert reply["applied"] == (error is None), (reply, seen.status, seen.reason)
    assert skill_files(ours) == skill_files(theirs)
    if error is None:
        assert folders(ours) == folders(theirs)
        assert waiting_files(ours) == []


STRICTER_SKILLS: list[tuple[str, dict[str, Any], str]] = [
    (
        "the client matches a patch loosely; that is its own rule",
        skill("patch", old_string="one\n  two", new_string="1\n2"),
        "unsupported",
    ),
    (
        "the client writes any text to SKILL.md by way of a file",
        skill("write_file", file_path="SKILL.md", file_content="bare"),
        "blocked",
    ),
    (
        "the client removes SKILL.md by way of a file and leaves the rest as no skill",
        skill("remove_file", file_path="SKILL.md"),
        "blocked",
    ),
    (
        "the client makes a folder in the skill for a second SKILL.md",
        skill("write_file", file_path="inner/SKILL.md", file_content=NEW),
        "blocked",
    ),
    (
        "the client turns a tab written as an escape into a tab",
        skill("patch", old_string="tab\there", new_string="tab\\tthere", file_path="references/tab.md"),
        "unsupported",
    ),
    (
        "the client follows a link that stays in the skill",
        skill("write_file", file_path="references/linked/x.md", file_content="x"),
        "blocked",
    ),
]


@pytest.mark.parametrize("row", STRICTER_SKILLS, ids=[row[0] for row in STRICTER_SKILLS])
def test_where_we_refuse_a_skill_and_the_client_applies(
    row: tuple[str, dict[str, Any], str], home: Path, client_approves: Approve
) -> None:
    _, payload, status = row
    skills_home(home)
    references = home / "skills" / "tools" / "demo" / "references"
    (references / "tab.md").write_text("tab\there\n")
    queue(home, "aaaa1111", payload, subsystem="skills")
    theirs, ours = twins(home)
    for copy in (theirs, ours):
        (copy / "skills" / "tools" / "demo" / "references" / "linked").symlink_to("../scripts")
    before = skill_files(ours)
    assert client_approves(theirs, "skills", "aaaa1111")["applied"]
    seen, error = we_approve(ours, "aaaa1111")
    assert seen.status == status
    assert error is not None
    assert skill_files(ours) == before
    assert SKILL.encode() in before.values()
