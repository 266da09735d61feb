"""Facts arrive for what changed, and only for that."""

from __future__ import annotations

import errno
import os
import queue
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.files import replace_file
from workbench.watch import (
    Debounce,
    Fact,
    HomeBack,
    HomeGone,
    MemoryChanged,
    QueueChanged,
    SettingsChanged,
    Watcher,
    observers,
)
from workbench.watch import watcher as watching
from workbench.watch.facts import fact_about
from workbench.watch.observers import Heard, Lost, Observer
from workbench.watch.reader import Reader
from workbench.watch.settle import Pace
from workbench.watch.watcher import TURN_SECONDS

REAL = observers.observe
# Every kind of observer there is on this system.
KINDS = [REAL, observers.General] if sys.platform == "linux" else [observers.General]
Start = Callable[..., "queue.Queue[Fact]"]


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    running: list[Watcher] = []

    def started(polling: bool | None = None) -> queue.Queue[Fact]:
        facts: queue.Queue[Fact] = queue.Queue()
        watcher = Watcher(home, facts.put, polling=polling)
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
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"
    replace_file(path, b"replaced atomically")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"
    path.rename(path.with_name("old.md"))
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"
    path.write_text("made again, longer")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"
    path.unlink()
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"
    (home / "config.yaml").write_text("memory: {}")
    assert next_fact(facts, SettingsChanged, "config.yaml").path == home / "config.yaml"


@pytest.mark.parametrize("polling", [False, True])
def test_folders_that_appear_later_are_watched(polling: bool, home: Path, start: Start) -> None:
    facts = start(polling=polling)
    queue_folder = home / "pending" / "memory"
    queue_folder.mkdir(parents=True)
    (queue_folder / "aa.json").write_text("{}")
    assert next_fact(facts, QueueChanged, "aa.json").path == home / "pending" / "memory" / "aa.json"


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
    assert next_fact(facts, HomeGone, home.name).path == home
    home.with_name("away").rename(home)
    assert next_fact(facts, HomeBack, home.name).path == home
    (home / "memories" / "MEMORY.md").write_text("two, after the return")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"


def test_a_home_that_cannot_be_looked_at_for_a_while_is_gone_and_comes_back(
    home: Path, put: Callable[..., Path], start: Start
) -> None:
    """Without permission, or with its network share away, `stat` itself fails; a name too long does so as well."""
    put("one")
    facts = start()
    home.rename(home.with_name("away"))
    home.symlink_to("x" * 300)
    assert next_fact(facts, HomeGone, home.name).path == home
    home.unlink()
    home.with_name("away").rename(home)
    assert next_fact(facts, HomeBack, home.name).path == home


def test_a_memories_folder_that_is_replaced_is_watched_again(
    home: Path, put: Callable[..., Path], start: Start
) -> None:
    put("one")
    facts = start()
    shutil.rmtree(home / "memories")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"
    (home / "memories").mkdir()
    put("two")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"


def test_a_home_replaced_by_another_between_two_looks_is_told_and_watched(
    home: Path, put: Callable[..., Path], start: Start
) -> None:
    put("one")
    other = home.with_name("other")
    shutil.copytree(home, other)
    facts = start()
    home.rename(home.with_name("away"))
    other.rename(home)
    assert next_fact(facts, HomeGone, home.name).path == home
    assert next_fact(facts, HomeBack, home.name).path == home
    put("two, in the other one")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"


def test_what_an_unmounted_home_leaves_is_no_home(home: Path, put: Callable[..., Path], start: Start) -> None:
    put("one")
    facts = start()
    home.rename(home.with_name("mounted"))
    home.mkdir()
    assert next_fact(facts, HomeGone, home.name).path == home
    home.rmdir()
    home.with_name("mounted").rename(home)
    assert next_fact(facts, HomeBack, home.name).path == home


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE])
def test_without_watches_it_polls_and_says_so_until_there_are_some_again(
    number: int, home: Path, put: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[Observer] = []

    def observe(heard: Heard, lost: Lost) -> Observer:
        if left:
            return left.pop()
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("workbench.watch.observers.observe", observe)
    monkeypatch.setattr("workbench.watch.watcher.AGAIN_SECONDS", 0.0)
    put("one")
    facts: queue.Queue[Fact] = queue.Queue()
    modes: queue.Queue[str] = queue.Queue()
    watcher = Watcher(home, facts.put, on_mode=lambda: modes.put(watcher.mode))
    watcher.start()
    assert (modes.get(timeout=10), watcher.why) == ("polling", os.strerror(number))
    put("two, without an event")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"
    left.append(REAL(watcher._heard, watcher._went))
    assert (modes.get(timeout=10), watcher.why) == ("live", ""), "there are watches again"
    put("three, with an event")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"
    watcher.stop()
    assert not [thread for thread in threading.enumerate() if "workbench-watch" in thread.name]


def test_a_share_that_tells_nothing_is_polled(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.watch.watcher.is_silent_folder", lambda folder: folder == home)
    watcher = Watcher(home, lambda fact: None)
    watcher.start()
    assert (watcher.mode, watcher.why) == ("polling", "a network file system")
    watcher.stop()


def test_a_change_whose_event_was_lost_is_found_by_looking(
    home: Path, put: Callable[..., Path], start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The queue of the system overflows, or a program writes through a memory map."""
    put("one")
    monkeypatch.setattr(Watcher, "_heard", lambda watcher, path: None)
    facts = start()
    put("two")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"
    put("and three")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"


def test_no_event_waits_for_the_other_half_of_a_rename(home: Path, put: Callable[..., Path], start: Start) -> None:
    """A file moved out of the folder has no second half; what is written after it is told at once all the same."""
    path = put("one")
    facts = start()
    begun = time.monotonic()
    for number in range(5):
        put("one again")
        path.rename(home.parent / "elsewhere.md")
        (home / "memories" / f"diary-{number}.md").write_text("dear diary")
        assert next_fact(facts, MemoryChanged, f"diary-{number}.md").path == home / "memories" / f"diary-{number}.md"
    assert time.monotonic() - begun < 1.5, "half a second each otherwise"


def test_what_changed_is_read_before_anything_else_is_done_about_it(
    home: Path, put: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No queue, no other look at the disk: reading comes first, then the bookkeeping, then the telling."""
    order: list[str] = []

    def about(path: Path, home: Path) -> Fact:
        order.append("about")
        return MemoryChanged(path)

    monkeypatch.setattr(watching, "_stamp", lambda path: order.append("stamp"))
    monkeypatch.setattr(watching, "fact_about", about)
    watcher = Watcher(home, lambda fact: order.append("fact"), first=lambda path: order.append("read"))
    watcher._heard(put("one"))
    assert order == ["read", "about", "stamp", "fact"]
    watcher._heard(home / "memories" / "MEMORY.md.lock")
    assert order[4:] == ["about", "stamp", "fact"], "what is no memory file is not read"


def test_a_thread_that_computes_gives_way_while_somebody_watches(home: Path) -> None:
    found = sys.getswitchinterval()
    sys.setswitchinterval(10 * TURN_SECONDS)
    try:
        watcher = Watcher(home, lambda fact: None)
        watcher.start()
        during = sys.getswitchinterval()
        watcher.stop()
        after = sys.getswitchinterval()
    finally:
        sys.setswitchinterval(found)
    assert during == pytest.approx(TURN_SECONDS)
    assert after == pytest.approx(10 * TURN_SECONDS)


def test_the_thread_that_hears_is_the_one_that_reads(home: Path, put: Callable[..., Path]) -> None:
    threads: queue.Queue[str] = queue.Queue()
    watcher = Watcher(
        home, lambda fact: None, first=lambda path: threads.put(threading.current_thread().name), polling=False
    )
    watcher.start()
    put("one")
    name = threads.get(timeout=10)
    running = {thread.name for thread in threading.enumerate()}
    watcher.stop()
    assert name in running
    assert sys.platform != "linux" or (name, len([one for one in running if "watch" in one])) == ("workbench-watch", 2)


def test_a_version_that_is_replaced_while_it_is_being_read_is_read_to_its_end(
    home: Path, put: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = put("the version that stood"), os.open

    def opened(name: Path, flags: int, *more: int) -> int:
        handle = real(name, flags, *more)
        monkeypatch.setattr(os, "open", real)
        replace_file(path, b"the next one")  # between opening and reading
        return handle

    monkeypatch.setattr(os, "open", opened)
    reader = Reader(home)
    reader.first(path)
    reader.first(path)
    assert reader.taken("memory") == (b"the version that stood", b"the next one")


@pytest.mark.parametrize("kind", KINDS)
def test_every_observer_tells_what_changed_and_which_folder_went(
    kind: Callable[[Heard, Lost], Observer], home: Path, put: Callable[..., Path]
) -> None:
    heard: queue.Queue[Path] = queue.Queue()
    lost: queue.Queue[Path | None] = queue.Queue()
    observer = kind(heard.put, lost.put)
    folder = home / "pending" / "memory"
    folder.mkdir(parents=True)
    for one in (home / "memories", folder):
        observer.watch(one)
    path = put("one")
    while heard.get(timeout=10) != path:
        pass
    folder.rmdir()
    assert lost.get(timeout=10) == folder
    observer.forget(home / "memories")
    with pytest.raises(OSError, match=r"No such|no such"):
        observer.watch(home / "nowhere")
    observer.stop()
    assert not [thread for thread in threading.enumerate() if "watch" in type(thread).__module__ + thread.name.lower()]


def test_what_the_system_dropped_is_looked_for(home: Path, put: Callable[..., Path], start: Start) -> None:
    """The queue of events ran over: every file is compared, not the two memories alone."""
    facts: queue.Queue[Fact] = queue.Queue()
    (home / "pending" / "memory").mkdir(parents=True)
    watcher = Watcher(home, facts.put)
    watcher.start()
    watcher._end_live()  # deaf
    (home / "pending" / "memory" / "aa.json").write_text("{}")
    watcher._went(None)
    assert next_fact(facts, QueueChanged, "aa.json").path == home / "pending" / "memory" / "aa.json"
    watcher.stop()


def test_a_link_aimed_elsewhere_is_followed(home: Path, start: Start, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "MEMORY.md").write_text("there before")
    facts = start()
    (home / "memories" / "MEMORY.md").symlink_to(elsewhere / "MEMORY.md")
    assert next_fact(facts, MemoryChanged, "MEMORY.md").path == home / "memories" / "MEMORY.md"
    (elsewhere / "MEMORY.md").write_text("written after")
    seen = next_fact(facts, MemoryChanged, "MEMORY.md")
    while seen.path.read_text() != "written after":  # the new link comes first
        seen = next_fact(facts, MemoryChanged, "MEMORY.md")
    assert (home / "memories" / "MEMORY.md").samefile(seen.path)


def test_a_burst_of_200_writes_ends_with_the_last_one(home: Path, put: Callable[..., Path], start: Start) -> None:
    facts = start()
    for number in range(200):
        put(f"write {number}")
    seen = b""
    while seen != b"write 199":
        seen = next_fact(facts, MemoryChanged, "MEMORY.md").path.read_bytes()
    assert seen == (home / "memories" / "MEMORY.md").read_bytes(), "nothing was written after what was told last"


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
    assert kind("workbench/patterns.yaml") == "SettingsChanged"
    assert kind("workbench/settings.yaml") == "SettingsChanged"
    assert kind("workbench/settings.yaml~") == ""
    assert kind("") == ""
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


def test_a_writer_that_never_rests_causes_two_looks_a_second() -> None:
    pace = Pace(0.5)
    looks = [number / 100 for number in range(1_000) if not pace.wait(number / 100)]
    assert looks == [pytest.approx(number / 2) for number in range(20)]
    assert pace.wait(9.75) == pytest.approx(0.25)
    assert pace.wait(10.0) == 0.0, "asking does not put it off"
