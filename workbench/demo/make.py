"""Builds a whole home: plain files, waiting writes, sessions, a second profile."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

from workbench.demo import pending, texts
from workbench.errors import Usage, WriteFailed
from workbench.home.resolve import default_home

MESSAGES_PER_SESSION = 40


def make(
    folder: Path,
    *,
    seed: int = 7,
    now: float | None = None,
    sessions: int | None = None,
    messages: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Build a demo home, as client 0.19 would have left it, in `folder` and return the folder.

    `now` is in Unix seconds (the clock by default). The same `seed` and `now` give the same bytes in every text
    file and the same rows in state.db. With `sessions` or `messages` the story is replaced by that many generated
    ones (the other number follows at 40 messages a session); `progress` then gets (done, total) in messages.

    Raises Usage when the folder holds anything, is no folder, or is or lies in the user's own default home, and
    for numbers that make no sense; WriteFailed when the system refuses a write.
    """
    count = _size(sessions, messages)
    _refuse_real(folder)
    when = time.time() if now is None else float(now)
    try:
        _write_files(folder, seed, when)
        _write_database(folder / "state.db", seed, when, count, progress)
        _close_up(folder, when)
    except OSError as error:
        raise WriteFailed(
            folder, error.strerror or str(error), "The demo home is incomplete; delete it and try again."
        ) from error
    return folder


def _size(sessions: int | None, messages: int | None) -> tuple[int, int] | None:
    if sessions is None and messages is None:
        return None
    if messages is None:
        messages = (sessions or 0) * MESSAGES_PER_SESSION
    if sessions is None:
        sessions = max(1, messages // MESSAGES_PER_SESSION)
    if sessions < 1 or messages < sessions:
        raise Usage(f"A demo of {sessions} sessions needs at least as many messages, and at least one of each.")
    return sessions, messages


def _refuse_real(folder: Path) -> None:
    """An empty default home is refused too: the agent would take the made-up memory for its own."""
    try:
        if folder.is_dir():
            if any(folder.iterdir()):
                raise Usage(f"{folder} is not empty; name a new folder for the demo home.")
        elif folder.exists() or folder.is_symlink():
            raise Usage(f"{folder} is not a folder; name a new folder for the demo home.")
    except OSError as error:
        raise Usage(f"{str(folder)[:200]} cannot be a folder ({error.strerror}).") from error
    if Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(default_home(os.environ))):
        raise Usage(f"{folder} is where the agent keeps its own home; name another folder for the demo home.")


def _write_files(folder: Path, seed: int, now: float) -> None:
    work = "profiles/work"
    contents = {
        "memories/MEMORY.md": texts.DELIMITER.join(texts.MEMORY),
        "memories/USER.md": texts.DELIMITER.join(texts.USER),
        "memories/diary.md": texts.DIARY,
        "config.yaml": texts.CONFIG,
        "SOUL.md": texts.SOUL,
        "skills/ops/deploy-ledger/SKILL.md": texts.DEPLOY_SKILL,
        "skills/release-notes/SKILL.md": texts.NOTES_SKILL,
        f"{work}/memories/MEMORY.md": texts.DELIMITER.join(texts.WORK_MEMORY),
        f"{work}/memories/USER.md": texts.DELIMITER.join(texts.WORK_USER),
        f"{work}/config.yaml": texts.WORK_CONFIG,
        f"{work}/SOUL.md": texts.WORK_SOUL,
    }
    records = pending.files(random.Random(seed), now)
    contents |= {f"pending/{name}": text for name, text in records.items()}
    for name, text in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    for empty in ("sessions", "cron", "logs"):
        (folder / empty).mkdir()


def _write_database(
    path: Path,
    seed: int,
    now: float,
    count: tuple[int, int] | None,
    progress: Callable[[int, int], None] | None,
) -> None:
    import sqlite3

    from workbench.demo import bulk, store, story

    try:
        if count is None:
            store.write_story(path, story.tell(seed, now))
        else:
            bulk.write_bulk(path, seed, now, *count, progress)
    except sqlite3.Error as error:
        raise WriteFailed(path, str(error), "The demo home is incomplete; delete its folder and try again.") from error


def _close_up(folder: Path, now: float) -> None:
    """Modes as the client leaves them (files 0600, folders 0700), and times that agree with `now`."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.chmod(0o700 if path.is_dir() else 0o600)
        os.utime(path, (now, now))
    folder.chmod(0o700)
