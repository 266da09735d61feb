from __future__ import annotations

import os
from pathlib import Path

import pytest

from workbench.errors import NoHome, Usage
from workbench.home import HomeChoice, check, profiles, resolve
from workbench.home import resolve as resolve_function


def make_root(root: Path, *names: str, active: bytes | None = None) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    for name in names:
        (root / "profiles" / name).mkdir(parents=True)
    if active is not None:
        (root / "active_profile").write_bytes(active)
    return root


def find(tmp: Path, hermes_home: str | None = None, home: str | None = None, profile: str | None = None) -> HomeChoice:
    env = {} if hermes_home is None else {"HERMES_HOME": hermes_home}
    return resolve_function(home, profile, env=env, user_home=tmp)


def test_the_default_home_needs_no_folder(tmp_path: Path) -> None:
    got = find(tmp_path)
    assert got == HomeChoice(tmp_path / ".hermes", tmp_path / ".hermes", "default", "default home")


def test_hermes_home_on_a_root(tmp_path: Path) -> None:
    got = find(tmp_path, str(tmp_path / "data"))
    assert (got.path, got.root, got.profile, got.reason) == (
        tmp_path / "data",
        tmp_path / "data",
        "default",
        "HERMES_HOME",
    )


def test_an_active_profile_overrides_hermes_home_on_a_root(tmp_path: Path) -> None:
    root = make_root(tmp_path / "data", "work", active=b"work\n")
    got = find(tmp_path, str(root))
    assert (got.path, got.root, got.profile) == (root / "profiles/work", root, "work")
    assert got.reason == "profile work, from active_profile"


def test_hermes_home_on_a_profile_beats_the_active_one(tmp_path: Path) -> None:
    root = make_root(tmp_path / ".hermes", "work", "play", active=b"work")
    got = find(tmp_path, str(root / "profiles/play"))
    assert (got.path, got.root, got.profile, got.reason) == (
        root / "profiles/play",
        root,
        "play",
        "HERMES_HOME",
    )


def test_an_option_beats_hermes_home_on_a_profile(tmp_path: Path) -> None:
    root = make_root(tmp_path / "data", "work", "play")
    got = find(tmp_path, str(root / "profiles/play"), profile="work")
    assert (got.path, got.reason) == (root / "profiles/work", "profile work, from --profile")


@pytest.mark.parametrize("name", ["default", "Default", " DEFAULT "])
def test_the_default_profile_by_option_ignores_the_active_one(tmp_path: Path, name: str) -> None:
    root = make_root(tmp_path / ".hermes", "work", active=b"work")
    got = find(tmp_path, profile=name)
    assert (got.path, got.profile, got.reason) == (root, "default", "profile default, from --profile")


@pytest.mark.parametrize("content", [b" work \n", b"work\r\n", b"\n\twork", b"WORK"])
def test_white_space_and_case_of_the_active_profile_do_not_count(tmp_path: Path, content: bytes) -> None:
    root = make_root(tmp_path / ".hermes", "work", active=content)
    assert find(tmp_path).path == root / "profiles/work"


@pytest.mark.parametrize("content", [b"", b" \n", b"default", b"default\n", b"\xff\xfe", b"caf\xe9"])
def test_an_active_profile_that_says_nothing(tmp_path: Path, content: bytes) -> None:
    root = make_root(tmp_path / ".hermes", "work", active=content)
    got = find(tmp_path)
    assert (got.path, got.profile, got.reason) == (root, "default", "default home")


def test_an_active_profile_that_is_a_folder(tmp_path: Path) -> None:
    root = make_root(tmp_path / ".hermes", "work")
    (root / "active_profile").mkdir()
    assert find(tmp_path).path == root


@pytest.mark.parametrize("content", [b"gone", b"two words", b"../work", b"-x", b"x" * 65, b"tmp", b"\xef\xbb\xbfwork"])
def test_an_active_profile_that_cannot_be_used(tmp_path: Path, content: bytes) -> None:
    make_root(tmp_path / ".hermes", "work", "tmp", active=content)
    with pytest.raises(NoHome) as caught:
        find(tmp_path)
    assert caught.value.why == "no_profile"
    assert "from active_profile" in caught.value.reason


def test_a_missing_profile_by_option(tmp_path: Path) -> None:
    make_root(tmp_path / ".hermes", "work")
    with pytest.raises(NoHome) as caught:
        find(tmp_path, profile="gone")
    assert caught.value.path == tmp_path / ".hermes/profiles/gone"


@pytest.mark.parametrize("value", ["", "   "])
def test_an_empty_hermes_home_is_the_default_home(tmp_path: Path, value: str) -> None:
    assert find(tmp_path, value).path == tmp_path / ".hermes"


def test_an_empty_hermes_home_follows_the_active_profile(tmp_path: Path) -> None:
    root = make_root(tmp_path / ".hermes", "work", active=b"work")
    assert find(tmp_path, "").path == root / "profiles/work"
    # The client takes "   " for a root of that name when it looks for the sticky profile.
    assert find(tmp_path, "   ").path == root


def test_hermes_home_inside_the_default_root(tmp_path: Path) -> None:
    root = make_root(tmp_path / ".hermes")
    got = find(tmp_path, str(root / "other"))
    assert (got.path, got.root, got.profile) == (root / "other", root, "custom")


def test_hermes_home_as_a_link_to_a_profile(tmp_path: Path) -> None:
    root = make_root(tmp_path / ".hermes", "work")
    (tmp_path / "link").symlink_to(root / "profiles/work")
    got = find(tmp_path, str(tmp_path / "link"))
    assert (got.root, got.profile) == (root, "work")


def test_the_supervised_gateway_ignores_the_active_profile(tmp_path: Path) -> None:
    root = make_root(tmp_path / ".hermes", "work", active=b"work")
    got = resolve_function(env={"HERMES_S6_SUPERVISED_CHILD": "1"}, user_home=tmp_path)
    assert got.path == root


def test_our_own_option_wins_over_everything(tmp_path: Path) -> None:
    make_root(tmp_path / ".hermes", "work", active=b"work")
    other = make_root(tmp_path / "other", "play", active=b"play")
    got = find(tmp_path, str(tmp_path / ".hermes"), home=str(other))
    assert (got.path, got.root, got.profile, got.reason) == (other, other, "default", "--home")
    assert find(tmp_path, home=str(other), profile="play").path == other / "profiles/play"


def test_our_own_option_on_a_profile(tmp_path: Path) -> None:
    root = make_root(tmp_path / "r", "play", "work")
    got = find(tmp_path, home=str(root / "profiles/play"))
    assert (got.root, got.profile) == (root, "play")
    assert find(tmp_path, home=str(root / "profiles/play"), profile="work").path == root / "profiles/work"


def test_our_own_option_with_tilde_and_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_root(tmp_path / "r", "play")
    assert find(tmp_path, home="~/r").path == root
    assert find(tmp_path, home="~").path == tmp_path
    monkeypatch.chdir(root / "profiles/play")
    assert find(tmp_path, home=".").profile == "play"
    assert find(tmp_path, home="../..").path == root.resolve()
    with pytest.raises(Usage):
        find(tmp_path, home=" ")


def test_root_behind_sudo_gets_the_users_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pwd = pytest.importorskip("pwd")
    theirs = make_root(tmp_path / "robin/.hermes", "work")
    entry = list(pwd.getpwuid(os.getuid()))
    entry[5] = str(tmp_path / "robin")
    monkeypatch.setattr("pwd.getpwnam", lambda name: pwd.struct_passwd(entry))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    got = resolve_function(profile="work", env={"SUDO_USER": "robin"}, user_home=tmp_path / "root")
    assert (got.path, got.root) == (theirs / "profiles/work", theirs)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(NoHome):
        resolve_function(profile="work", env={"SUDO_USER": "robin"}, user_home=tmp_path / "root")


def test_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(find(tmp_path, home=str(tmp_path)))
    (tmp_path / "file").write_text("x")
    for name, why in (("gone", "missing"), ("file", "not_a_folder"), ("file/inner", "missing")):
        with pytest.raises(NoHome) as caught:
            check(find(tmp_path, home=str(tmp_path / name)))
        assert (caught.value.why, caught.value.reason) == (why, "--home")
    monkeypatch.setattr("os.access", lambda *_: False)  # CI is root, whom no mode stops
    with pytest.raises(NoHome) as caught:
        check(find(tmp_path, home=str(tmp_path)))
    assert caught.value.why == "no_permission"


def test_profiles(tmp_path: Path) -> None:
    root = make_root(tmp_path / "r", "work", "art", "Big", "default", "a b", active=b"Work\n")
    (root / "profiles" / "file").write_text("x")
    got = profiles(root)
    assert [(p.name, p.path, p.active) for p in got] == [
        ("default", root, False),
        ("art", root / "profiles/art", False),
        ("work", root / "profiles/work", True),
    ]
    assert profiles(tmp_path / "gone") == ()
    alone = make_root(tmp_path / "alone")
    assert [(p.name, p.active) for p in profiles(alone)] == [("default", True)]


def test_resolve_reads_the_process_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "here"))
    assert resolve().path == tmp_path / "here"
