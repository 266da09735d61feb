"""Three hundred generated writes of skills, one on top of the other, approved by the real 0.19 client and by us."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.client.test_pending_client import (
    NEW,
    Approve,
    client_approves,
    folders,
    skill_files,
    skills_home,
    twins,
    waiting_files,
    we_approve,
)
from tests.inbox.support import queue, skill

pytestmark = pytest.mark.client
__all__ = ["client_approves"]

NAMES = ("demo", "other", "fresh", "fresh", "ops.v2", "a_b-c", "9lives", "mail", "Bad Name", "nobody", "..")
PATHS = (
    "references/a.md", "references/a.md", "references/new.md", "scripts/deep/run.sh", "assets/x", "assets/x/y",
    "templates/é.txt", "notes/x.md", "../x", "/etc/x", "references", "SKILL.md",
)  # fmt: skip
WORDS = ("one", "two", "three\n", "# Fresh", "do it", "é", "日本", "\ttab", "oo", "x" * 40, "nowhere", "---")


def body(rng: random.Random) -> str:
    if rng.random() < 0.15:
        return rng.choice(
            ("", "no front matter", "---\nname: x\n---\nbody\n", "---\nname: [\n---\nb\n", NEW + "y" * 100_000)
        )
    lines = "\n".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 5)))
    return f"{rng.choice(('', '', chr(0xFEFF)))}{NEW}{lines}\n"


def piece(rng: random.Random, files: dict[str, bytes]) -> str:
    """A text to patch: a word, or a stretch of a file as it is now."""
    if rng.random() < 0.2 or not files:
        return rng.choice(WORDS)
    text = rng.choice(sorted(files.items()))[1].decode("utf-8").replace("\r\n", "\n")
    start = rng.randrange(max(1, len(text)))
    return text[start : start + rng.randrange(1, 25)] or "one"


def payload_for(rng: random.Random, files: dict[str, bytes]) -> dict[str, Any]:
    """A payload as 0.19 stages it, mostly meaningful for the skills there are."""
    there = sorted({path.split("/")[-2] for path in files if path.endswith("/SKILL.md")})
    name = rng.choice(there) if there and rng.random() < 0.85 else rng.choice(NAMES)
    action = rng.choice(
        ("create", "create", "edit", "patch", "patch", "write_file", "write_file", "remove_file", "delete")
    )
    if action == "create":
        name = rng.choice(NAMES)
        return skill(action, name, content=body(rng), category=rng.choice((None, None, "tools", "ops", "Bad/One", "")))
    if action == "edit":
        return skill(action, name, content=body(rng))
    if action == "patch":
        where = rng.choice((None, None, rng.choice(PATHS)))
        return skill(
            action,
            name,
            old_string=piece(
                rng, {path: data for path, data in files.items() if path.endswith(f"{name}/{where or 'SKILL.md'}")}
            ),
            new_string=rng.choice(("", "1", *WORDS)),
            file_path=where,
            replace_all=rng.random() < 0.3,
        )
    if action == "delete":
        return skill(action, name, absorbed_into=rng.choice((None, None, *there, "nobody", "")))
    own = [path.split(f"{name}/")[-1] for path in files if f"{name}/" in path and not path.endswith("SKILL.md")]
    if action == "remove_file" and own and rng.random() < 0.7:
        return skill(action, name, file_path=rng.choice(sorted(own)))
    content = {"file_content": rng.choice(WORDS) * rng.randrange(3)} if action == "write_file" else {}
    return skill(action, name, file_path=rng.choice(PATHS), **content)


def test_300_generated_skill_records(home: Path, client_approves: Approve) -> None:
    """Wherever both apply, files, used folders and queue are the same; we apply nothing that the client refuses.

    Where only the client applies, the record says so beforehand: it needs the client, or a file under the name
    SKILL.md would not be checked there. Such a case is counted, and both go on from what they had before.
    """
    rng = random.Random(19)
    skills_home(home)
    theirs, ours = twins(home)
    seen_as: Counter[str] = Counter()
    for number in range(300):
        files = skill_files(ours)
        if not files:
            skills_home(theirs)
            skills_home(ours)
            files = skill_files(ours)
        payload = payload_for(rng, files)
        name = f"{number:08x}"
        for copy in (theirs, ours):
            queue(copy, name, payload, subsystem="skills")
        reply = client_approves(theirs, "skills", name)
        seen, error = we_approve(ours, name)
        if reply["applied"] and error is not None:
            named_skill = payload.get("file_path") == "SKILL.md" and payload["action"] in ("write_file", "remove_file")
            assert seen.status == "unsupported" or named_skill, (payload, seen.status, seen.reason)
            seen_as["theirs alone"] += 1
            shutil.rmtree(theirs)
            shutil.copytree(ours, theirs)
            continue
        assert reply["applied"] == (error is None), (payload, reply, seen.status, seen.reason)
        assert skill_files(ours) == skill_files(theirs), payload
        if error is None:
            # The client leaves a folder above the one it emptied, we do not.
            left = [name for name in folders(theirs) if not any((theirs / name).iterdir())]
            assert [name for name in folders(theirs) if name not in left] == folders(ours), payload
            seen_as[f"applied {payload['action']}"] += 1
        else:
            seen_as["refused"] += 1
        assert waiting_files(ours) == waiting_files(theirs)
    every = ("create", "edit", "patch", "write_file", "remove_file", "delete")
    assert all(seen_as[f"applied {action}"] >= 3 for action in every), seen_as
    assert seen_as["refused"] >= 50, seen_as
    assert seen_as["theirs alone"] < 40, seen_as
