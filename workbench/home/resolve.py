"""Which home is meant and why: the client's rules, plus our own `--home`.

Everything here mirrors client 0.19; the order of the rules is in `resolve`. Nothing is written, and apart from
`active_profile` and the existence of a named profile nothing is read.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from workbench.errors import NoHome, Unreadable, Usage
from workbench.files import is_folder, read_bytes

DEFAULT = "default"
CUSTOM = "custom"
# The client refuses these as profile names (0.19), even when such a folder exists.
RESERVED = frozenset({"hermes", "test", "tmp", "root", "sudo"})


@dataclass(frozen=True)
class HomeChoice:
    """The home in use: its folder, the root that owns the profiles, the profile's name and what decided.

    `profile` is `default` for the root itself, a profile's name, or `custom` for a folder inside the default
    root that is no profile (the client's own word for it).
    """

    path: Path
    root: Path
    profile: str
    reason: str


@dataclass(frozen=True)
class ProfileInfo:
    """One profile of a root; `active` says that the root's `active_profile` names it."""

    name: str
    path: Path
    active: bool = False


def resolve(
    home: str | None = None,
    profile: str | None = None,
    *,
    env: Mapping[str, str] | None = None,
    user_home: Path | None = None,
) -> HomeChoice:
    """Find the home as client 0.19 does; the folder itself need not exist (see `check`).

    `home` (our `--home`) wins over everything; with `profile` it means the root whose `profiles/<profile>` is
    used. Then: `profile`; HERMES_HOME if it is a profile's folder; the root's `active_profile`; HERMES_HOME;
    the default home. `env` defaults to the process environment, `user_home` to the user's folder.

    Raises NoHome (`no_profile`) when a profile is named that does not exist or cannot exist, (`no_permission`)
    when that cannot be found out: the client then falls back to another home with a warning, which would show
    the wrong memory here. Raises Usage for an empty `home`.
    """
    env = os.environ if env is None else env
    if home is not None:
        return _from_option(home, profile, user_home)
    root = _client_root(env, user_home)
    raw = env.get("HERMES_HOME", "")
    if profile is not None:
        if raw and not raw.strip() and profile.strip().lower() == DEFAULT:
            root = default_home(env, user_home)  # a blank root is given up when the home is finally read
        return _named(root, profile, "from --profile", env)
    if raw and Path(raw).parent.name == "profiles":
        return _plain(Path(raw.strip()), root, "HERMES_HOME")
    # The client's supervised gateway has a fixed identity and ignores the sticky profile.
    sticky = None if env.get("HERMES_S6_SUPERVISED_CHILD") else read_active_profile(root)
    if sticky is not None:
        return _named(root, sticky, "from active_profile", env)
    if raw.strip():
        return _plain(Path(raw.strip()), root, "HERMES_HOME")
    native = default_home(env, user_home)
    return HomeChoice(native, native, DEFAULT, "default home")


def check(choice: HomeChoice) -> None:
    """Raise NoHome (`missing`, `not_a_folder`, `no_permission`) unless the home is a folder this user can read."""
    try:
        mode = choice.path.stat().st_mode
    except PermissionError:
        raise NoHome(choice.path, "no_permission", choice.reason) from None
    except OSError:
        raise NoHome(choice.path, "missing", choice.reason) from None
    if not stat.S_ISDIR(mode):
        raise NoHome(choice.path, "not_a_folder", choice.reason)
    if not os.access(choice.path, os.R_OK | os.X_OK):
        raise NoHome(choice.path, "no_permission", choice.reason)


def profiles(root: Path) -> tuple[ProfileInfo, ...]:
    """The default profile (if `root` is a folder) and the named ones, in order of their names, as 0.19 lists them.

    A `profiles/` folder that cannot be listed counts as empty; entries with invalid names are left out.
    """
    active = (read_active_profile(root) or DEFAULT).strip().lower()
    found = []
    if is_folder(root):
        found.append(ProfileInfo(DEFAULT, root, active == DEFAULT))
    try:
        entries = sorted((root / "profiles").iterdir())
    except OSError:
        entries = []
    for entry in entries:
        if entry.name != DEFAULT and _name_pattern().fullmatch(entry.name) and is_folder(entry):
            found.append(ProfileInfo(entry.name, entry, active == entry.name))
    return tuple(found)


def read_active_profile(root: Path) -> str | None:
    """The name in `<root>/active_profile`, or None where there is none, it is `default`, or it cannot be read.

    An unreadable or undecodable file is passed over, as the client (0.19) does.
    """
    try:
        name = (read_bytes(root / "active_profile") or b"").decode("utf-8").strip()
    except (Unreadable, UnicodeDecodeError):
        return None
    return None if name in ("", DEFAULT) else name


def default_home(env: Mapping[str, str], user_home: Path | None = None) -> Path:
    """The home used when nothing names one: `~/.hermes`, on Windows `%LOCALAPPDATA%\\hermes`.

    Raises NoHome where the system knows no home folder for the user.
    """
    if sys.platform == "win32":
        local = env.get("LOCALAPPDATA", "").strip()
        return (Path(local) if local else _user_home(user_home) / "AppData" / "Local") / "hermes"
    return _user_home(user_home) / ".hermes"


@cache
def _name_pattern() -> re.Pattern[str]:
    return re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def _user_home(user_home: Path | None) -> Path:
    if user_home is not None:
        return user_home
    try:
        return Path.home()
    except RuntimeError:
        raise NoHome(Path("~"), "missing", "this user has no home folder") from None


def _client_root(env: Mapping[str, str], user_home: Path | None) -> Path:
    """The folder whose `profiles/` and `active_profile` count (0.19); HERMES_HOME is taken unstripped here."""
    raw = env.get("HERMES_HOME", "")
    native = default_home(env, user_home)
    if not raw:
        return native
    path = Path(raw)
    if _real(path).is_relative_to(_real(native)):
        return native
    return path.parent.parent if path.parent.name == "profiles" else path


def _real(path: Path) -> Path:
    """The path with its links followed; unlike Path.resolve it does not raise on a loop before Python 3.13."""
    return Path(os.path.realpath(path))


def _plain(path: Path, root: Path, reason: str) -> HomeChoice:
    """A home named by its path: the profile is read off the path."""
    real, real_root = _real(path), _real(root)
    if path.parent.name == "profiles":
        name = path.name
    elif real == real_root:
        name = DEFAULT
    elif real.parent == real_root / "profiles" and _name_pattern().fullmatch(real.name):
        name = real.name
    else:
        name = CUSTOM
    return HomeChoice(path, root, name, reason)


def _named(root: Path, wanted: str, origin: str, env: Mapping[str, str]) -> HomeChoice:
    """A home named by its profile; case and outer white space do not count, as in the client."""
    name = wanted.strip().lower()
    if name == DEFAULT:
        return HomeChoice(root, root, DEFAULT, f"profile default, {origin}")
    if not _name_pattern().fullmatch(name):
        why = f"{name!r} {origin} is not a profile name"
        raise NoHome(root / "profiles" / name, "no_profile", why)
    path = root / "profiles" / name
    reason = f"profile {name}, {origin}"
    if name in RESERVED:
        raise NoHome(path, "no_profile", f"{reason}; the agent reserves this name")
    try:
        found = path.is_dir()
    except PermissionError:
        raise NoHome(path, "no_permission", reason) from None
    if not found:
        theirs = _sudo_home(name, env)
        if theirs is None:
            raise NoHome(path, "no_profile", reason)
        return HomeChoice(theirs, theirs.parent.parent, name, f"{reason}, of the user behind sudo")
    return HomeChoice(path, root, name, reason)


def _sudo_home(name: str, env: Mapping[str, str]) -> Path | None:
    """Under sudo, the invoking user's profile of that name: root looks into that user's default home (0.19)."""
    user = env.get("SUDO_USER", "").strip()
    if sys.platform == "win32" or not user or user == "root" or os.geteuid() != 0:
        return None
    import pwd

    try:
        path = Path(pwd.getpwnam(user).pw_dir) / ".hermes" / "profiles" / name
        return path if path.is_dir() else None
    except (KeyError, OSError):
        return None


def _from_option(home: str, profile: str | None, user_home: Path | None) -> HomeChoice:
    """Our `--home`: no sticky profile and no environment; a given profile is looked up beside the path's own."""
    if not home.strip():
        raise Usage("--home is empty; name the folder that holds memories/.")
    path = _expand(home, user_home)
    is_profile = path.parent.name == "profiles"
    root = path.parent.parent if is_profile else path
    if profile is not None:
        return _named(root, profile, "from --profile under --home", {})
    return HomeChoice(path, root, path.name if is_profile else DEFAULT, "--home")


def _expand(home: str, user_home: Path | None) -> Path:
    path = Path(home)
    if path.parts and path.parts[0] == "~":
        path = _user_home(user_home).joinpath(*path.parts[1:])
    elif home.startswith("~"):
        try:
            path = path.expanduser()
        except RuntimeError:
            return path.absolute()  # no such user: a folder of that name, if anything
    # Without this, `--home .` inside a profile would not know the profile's name.
    return _real(path) if ".." in path.parts else path.absolute()
