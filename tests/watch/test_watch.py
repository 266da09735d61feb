"""Facts arrive for what changed, and only for that."""

from __future__ import annotations

import queue
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.files import replace_file
from workbench.watch import Debounce, Fact, HomeBack, HomeGone, MemoryChanged, QueueChanged, SettingsChanged, Watcher
from workbench.watch.facts import fact_about

Start = Callable[..., "queue.Queue[Fact]"]


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    running: list[Watcher] = []

    def started(**options: bool) -> queue.Queue[Fact]:
        facts: queue.Queue[Fact] = queue.Queue()
        watcher = Watcher(home, facts.put, **options)
        watcher.start()
        running.append(watcher)
        return facts

    yield started
    for watcher in running:
        watcher.stop()


def next_fact(facts: queue.Queue[Fact], kind: type[Fact], name: str) -> Fact:
    """The next fact of this kind about this name; others on the way are dropped. Fails after ten seconds."""
    while True:
        fact = facts.get(timeout=10)
        if type(fact) is kind and fact.path.name == name:
            return fact


@pytest.mark.parametrize("polling", [False, True])
def test_every_way_of_writing_is_seen(polling: bool, home: Path, put: Callable[..., Path], start: Start) -> None:
    path = put("one")
    facts = start(polling=polling)
    path.write_text("truncated and written")
    next_fact(facts, MemoryChanged, "MEMORY.md")
    replace_file(path, b"replaced atomically")
    next_fact(facts, MemoryChanged, "MEMORY.md")
    path.rename(path.with_name("old.md"))
    next_fact(facts, MemoryChanged, "MEMORY.md")
    path.write_text("made again, longer")
    next_fact(facts, MemoryChanged, "MEMORY.md")
    path.unlink()
    next_fact(facts, MemoryChanged, "MEMORY.md")
    (home / "config.yaml").write_text("memory: {}")
    next_fact(facts, SettingsChanged, "config.yaml")


@pytest.mark.parametrize("polling", [False, True])
def test_folders_that_appear_later_are_watched(polling: bool, home: Path, start: Start) -> None:
    facts = start(polling=polling)
    queue_folder = home / "pending" / "memory"
    queue_folder.mkdir(parents=True)
    (queue_folder / "aa.json").write_text("{}")
    next_fact(facts, QueueChanged, "aa.json")


def test_a_linked_file_is_seen_at_its_target(home: Path, tmp_path: Path, start: Start) -> None:
    real = tmp_path / "dotfiles" / "MEMORY.md"
    real.parent.mkdir()
    real.write_text("one")
    (home / "memories" / "MEMORY.md").symlink_to(real)
    facts = start()
    real.write_text("two")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == real


def test_a_home_that_goes_and_comes_back(home: Path, put: Callable[..., Path], start: Start) -> None:
    put("one")
    facts = start()
    home.rename(home.with_name("away"))
    next_fact(facts, HomeGone, home.name)
    home.with_name("away").rename(home)
    next_fact(facts, HomeBack, home.name)
    (home / "memories" / "MEMORY.md").write_text("two, after the return")
    next_fact(facts, MemoryChanged, "MEMORY.md")


def test_a_memories_folder_that_is_replaced_is_watched_again(
    home: Path, put: Callable[..., Path], start: Start
) -> None:
    put("one")
    facts = start()
    shutil.rmtree(home / "memories")
    next_fact(facts, MemoryChanged, "MEMORY.md")
    (home / "memories").mkdir()
    put("two")
    next_fact(facts, MemoryChanged, "MEMORY.md")


def test_reading_and_passing_files_are_no_facts(home: Path, put: Callable[..., Path], start: Start) -> None:
    path = put("one")
    facts = start()
    path.read_bytes()
    for name in ("MEMORY.md.lock", ".mem_wb-1-MEMORY.md-x.tmp", ".mem_ab.tmp", ".MEMORY.md.swp", "MEMORY.md~"):
        (path.parent / name).write_text("")
    marker = home / "config.yaml"
    marker.write_text("")
    assert facts.get(timeout=10).path == marker, "nothing came before it"


def test_which_paths_mean_what(home: Path) -> None:
    def kind(name: str) -> str:
        fact = fact_about(home / name, home)
        return type(fact).__name__ if fact else ""

    assert kind("memories/MEMORY.md") == "MemoryChanged"
    assert kind("memories/diary.md") == "MemoryChanged"
    assert kind("memories/deep/x.md") == ""
    assert kind("pending/skills/ab.json") == "QueueChanged"
    assert kind("pending/skills/ab.json.tmp") == ""
    assert kind("state.db-wal") == "SessionsChanged"
    assert kind("state.db-shm") == ""
    assert kind("workbench/themes/mine.yaml") == "SettingsChanged"
    assert kind("workbench/history.db-wal") == ""
    assert kind(".env") == ""


def test_a_burst_acts_once_after_quiet_and_never_later_than_the_longest() -> None:
    clock = Debounce()
    assert clock.hit(0.0) == pytest.approx(0.15)
    assert not clock.due(0.1)
    assert clock.due(0.15)
    assert not clock.due(9.0)
    at = 10.0
    for _ in range(20):
        at += 0.1
        due = clock.hit(at)
    assert due == pytest.approx(10.1 + 0.5)
    assert clock.due(at)
