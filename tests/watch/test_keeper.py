"""What others make of the memory files is recorded at once, judged when it has settled, and backed up from before."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.errors import NotBackedUp, NothingTo, WriteFailed
from workbench.memory import Add, parse
from workbench.memory.reasons import REASONS, why_backup
from workbench.watch.keeper import GONE_SECONDS, Settled
from workbench.watch.reader import MOST_AT_ONCE, Reader
from workbench.workspace import Workspace

ENTRIES = ["one", "two", "three", "four"]


class Scene:
    """A home with four entries that somebody looks at by hand, with a clock of its own."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.now = 100.0
        workspace.keeper.followed = True
        self.look()
        assert self.settle() == ()

    def look(self) -> None:
        for target, document in self.workspace.documents().items():
            self.workspace.keeper.record(target, document, self.now)

    def then(self, data: bytes | str | None, seconds: float = 0.01) -> None:
        self.now += seconds
        path = self.workspace.memory.path("memory")
        if data is None:
            path.unlink()
        else:
            path.write_bytes(data.encode() if isinstance(data, str) else data)
        self.look()

    def settle(self, seconds: float = 1.5) -> tuple[Settled, ...]:
        self.now += seconds
        return self.workspace.keeper.settle(self.now)

    def backups(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted((self.workspace.home / "memories").glob("*.bak.*"))]


@pytest.fixture
def scene(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> Scene:
    put(ENTRIES)
    return Scene(open_home())


BEFORE = "\n§\n".join(ENTRIES).encode()


@pytest.mark.parametrize(
    ("after", "why"),
    [
        ("one\n§\ntwo\n§\nthree\n§\nfour\n§\nfive", ""),
        ("one\n§\ntwo\n§\nthree", ""),
        ("one\n§\ntwo", ""),
        ("one\n§\ntwo\n§\nthree\n§\nfour\n", "by_hand"),
        ("one\r\n§\r\ntwo\r\n§\r\nthree\r\n§\r\nfour", "by_hand"),
        ("one", "halved"),
        ("", "emptied"),
        (b"caf\xe9", "unreadable"),
        ("one\n§\ntwo\n§\nthree\n§\n" + "x" * 2300, "lossy"),
        ("\n§\n".join([*ENTRIES, "x" * 1500, "y" * 1500]), "over"),
        (None, "gone"),
    ],
)
def test_a_backup_of_before_when_it_is_more_than_ordinary_writing(
    after: str | bytes | None, why: str, scene: Scene
) -> None:
    scene.then(after)
    assert scene.workspace.history.latest(scene.workspace.memory.path("memory")) is not None
    (settled,) = scene.settle()
    assert (settled.why, settled.error) == (why, None)
    assert why == "" or why in REASONS
    assert scene.backups() == ([BEFORE] if why else [])
    assert settled.gone == (after is None)


def test_the_settings_choose(scene: Scene) -> None:
    before, tidy, other = (
        parse(data, "memory", 2200) for data in (BEFORE, BEFORE + "\n§\nfive".encode(), BEFORE + b"\n")
    )
    assert [why_backup(before, tidy, mode) for mode in ("drift", "outside", "every", "off")] == [
        "", "outside", "outside", "",
    ]  # fmt: skip
    assert why_backup(before, other, "off") == ""
    settings = scene.workspace.home / "workbench" / "settings.yaml"
    settings.write_text("backups: off\n")
    scene.then("one")
    assert scene.settle()[0].why == ""
    settings.write_text("backups: every\n")
    stood = scene.workspace.memory.path("memory").read_bytes()
    scene.workspace.write(Add("memory", "ours"))
    assert scene.backups() == [stood], "before our own writes as well"


def test_when_the_disk_is_full_a_write_that_must_be_backed_up_is_refused(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scene.workspace.home / "workbench" / "settings.yaml").write_text("backups: every\n")

    def full(path: Path, data: bytes, **_: object) -> bool:
        raise WriteFailed(path, "No space left on device")

    monkeypatch.setattr("workbench.history.backups.place_file", full)
    for write in (lambda: scene.workspace.write(Add("memory", "ours")), lambda: scene.workspace.undo()):
        with pytest.raises((NotBackedUp, NothingTo)):
            write()
    assert scene.workspace.memory.path("memory").read_bytes() == BEFORE
    assert scene.backups() == []


@pytest.mark.parametrize("between", [[""], [None], ["", "one\n§\ntw"], [None, "", "one"]])
def test_moments_of_an_editor_are_recorded_but_not_judged(between: list[str | None], scene: Scene) -> None:
    for moment in between:
        scene.then(moment)
        assert scene.settle(0.0) == ()
    scene.then("one\n§\ntwo\n§\nthree\n§\nfour, edited\n")
    (settled,) = scene.settle(0.2)
    assert settled.why == "by_hand"
    assert scene.backups() == [BEFORE], "what stood before the burst, not a moment of it"
    path = scene.workspace.memory.path("memory")
    assert len(scene.workspace.history.changes(path=path)) == len(between) + 2


def test_a_file_that_goes_is_told_late_and_not_when_it_comes_back(scene: Scene) -> None:
    scene.then(None)
    assert scene.settle(GONE_SECONDS - 0.1) == ()
    scene.then(BEFORE)
    assert scene.settle(5.0) == ()
    assert scene.backups() == []
    scene.then(None)
    (settled,) = scene.settle(GONE_SECONDS)
    assert settled.gone
    assert settled.version is not None
    scene.workspace.restore(settled.version, "memory")
    assert scene.workspace.memory.path("memory").read_bytes() == BEFORE, "put back"


def test_a_writer_that_never_rests_is_judged_all_the_same(scene: Scene) -> None:
    told: list[Settled] = []
    for number in range(200):
        scene.then("\n§\n".join([*ENTRIES, f"burst {number}"]) + "\n", 0.005)
        told += scene.workspace.keeper.settle(scene.now)
    assert len(told) >= 1
    told += scene.settle()
    assert told[-1].after.texts[-1] == "burst 199"
    assert len(scene.workspace.history.changes(1000)) == 201, "every version that was read"
    assert scene.backups()[0] == BEFORE
    assert len(scene.backups()) == len(set(scene.backups()))


def test_what_others_did_before_our_own_write_is_judged_and_ours_is_not(scene: Scene) -> None:
    scene.then("one\n")
    scene.workspace.write(Add("memory", "ours"))
    scene.look()
    (settled,) = scene.settle(0.0)
    assert (settled.why, settled.after.texts) == ("halved", ("one",))
    assert scene.backups() == [BEFORE]
    assert scene.settle() == ()


def test_what_our_own_write_found_unseen_is_judged_too(scene: Scene) -> None:
    scene.workspace.memory.path("memory").write_bytes(b"one\n")  # nobody looks
    scene.workspace.write(Add("memory", "ours"))
    scene.look()
    assert [one.why for one in scene.settle(0.0)] == ["halved"]
    assert scene.backups() == [BEFORE]


def test_what_changed_while_nobody_looked_is_found_at_the_next_start(
    scene: Scene, home: Path, open_home: Callable[..., Workspace]
) -> None:
    scene.workspace.close()
    scene.workspace.memory.path("memory").write_bytes(b"one\r\n")
    later = open_home()
    later.observe()
    assert later.notices == []
    assert scene.backups() == [BEFORE]
    later.observe()
    assert len(scene.backups()) == 1


def test_a_backup_that_fails_is_carried_and_the_history_has_the_bytes(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise NotBackedUp(Path("MEMORY.md"), "ab" * 32, "No space left on device")

    monkeypatch.setattr("workbench.history.backups.keep", full)
    scene.then("one\n")
    (settled,) = scene.settle()
    assert isinstance(settled.error, NotBackedUp)
    assert settled.version is not None
    assert scene.workspace.history.bytes_of(settled.version) == BEFORE


def test_two_writers_in_turn_are_told(scene: Scene) -> None:
    for _ in range(2):
        scene.then("theirs")
        scene.then(BEFORE)
    scene.then("theirs")
    assert scene.settle()[0].turns is not None


def test_a_clock_that_goes_backwards_names_a_backup_and_breaks_nothing(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    put(ENTRIES)
    at = [1_790_000_000.0]
    scene = Scene(open_home(clock=lambda: at[0]))
    scene.then("one\n")
    scene.settle()
    at[0] -= 86_400
    scene.then("two\n")
    scene.settle()
    names = sorted(path.name for path in (scene.workspace.home / "memories").glob("*.bak.*"))
    assert names == ["MEMORY.md.bak.1789913600", "MEMORY.md.bak.1790000000"]


def test_read_only_records_and_writes_nothing(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    put(ENTRIES)
    scene = Scene(open_home(read_only=True))
    scene.then("one\n")
    (settled,) = scene.settle()
    assert (settled.why, settled.backup) == ("", None)
    assert not (scene.workspace.home / "workbench").exists()


def test_fifty_megabytes_are_recorded_within_seconds(scene: Scene) -> None:
    begun = time.monotonic()
    scene.then("x" * 50_000_000)
    (settled,) = scene.settle()
    assert settled.why == "lossy"
    assert time.monotonic() - begun < 10


def test_what_is_heard_of_is_read_at_once_and_handed_over_in_order(home: Path, put: Callable[..., Path]) -> None:
    reader = Reader(home)
    for text in ("one", "two", "two", "three"):
        reader.first(put(text))
    put("four").unlink()
    reader.first(home / "memories" / "MEMORY.md")
    reader.first(home / "memories" / "diary.md")
    assert reader.taken("memory") == (b"one", b"two", b"three", None)
    assert reader.taken("memory") == reader.taken("user") == ()


def test_a_huge_file_is_not_read_again_for_every_piece_that_it_grows_by(home: Path, put: Callable[..., Path]) -> None:
    reader = Reader(home)
    reader.first(put("x" * (MOST_AT_ONCE + 1)))
    assert reader.taken("memory") == ()
    reader.first(put("x" * MOST_AT_ONCE))
    assert [len(data or b"") for data in reader.taken("memory")] == [MOST_AT_ONCE]
