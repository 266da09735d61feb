"""Waiting writes of skills: which files under `skills/` they would change, computed by the code that applies them.

Rules and figures are those of client 0.19. Where its own rule is richer than can be copied safely (loose matching of
a patch, its security scan, batches of 0.22, skills outside of the home) the record needs the client.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from workbench.errors import Unreadable, WorkbenchError
from workbench.files import is_folder, is_link, is_there, read_bytes
from workbench.inbox.preflight import Preview, decoded
from workbench.inbox.records import Record, is_text
from workbench.memory.document import universal_newlines

MAX_CHARS = 100_000
MAX_FILE_BYTES = 1 << 20
MAX_NAME = 64
MAX_DESCRIPTION = 1024
# Ours: what a deletion may take along and still be put back from the history.
MAX_DELETED_FILES = 200
MAX_DELETED_BYTES = 16 << 20
SUPPORT = frozenset({"references", "templates", "scripts", "assets"})
# Folders in which the client looks for no skill.
_SKIPPED = frozenset(
    {
        ".git", ".github", ".hub", ".archive", ".venv", "venv", "node_modules", "site-packages", "__pycache__", ".tox",
        ".nox", ".pytest_cache", ".mypy_cache", ".ruff_cache",
    }
)  # fmt: skip

_ID = "\0id"  # stands for the record's id in a sentence, until the record is known

Read = Callable[[Path], bytes | None]
Writes = dict[Path, bytes | None]


class SkillRefused(WorkbenchError):
    """A skill's record cannot be applied: `status` is the preview's word, `why` a sentence."""

    kind = "skill_refused"
    status: str
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(frozen=True)
class Skills:
    """The skills of a home: folders by name, and what the client's configuration adds.

    `external` says that skills outside of the home are configured, `guarded` that the client scans what it writes,
    `keep` are the names of pinned skills, which it never deletes. `changed` are files as they will be once earlier
    records of a sequence are applied (None: gone); see `after`.
    """

    root: Path
    folders: Mapping[str, tuple[Path, ...]]
    external: bool = False
    guarded: bool = False
    keep: frozenset[str] = frozenset()
    changed: Mapping[Path, bytes | None] = field(default_factory=dict)

    def read(self, path: Path) -> bytes | None:
        """The bytes of a file as it is, or will be by then; None when there is none. Raises Unreadable."""
        if path in self.changed:
            return self.changed[path]
        if any(data is not None and path in file.parents for file, data in self.changed.items()):
            raise Unreadable(path, "it is a folder")
        if self.changed and is_folder(path) and not is_link(path):
            left = (Path(where) / name for where, _, names in os.walk(path) for name in names)
            if all(file in self.changed for file in left):
                return None  # a folder goes with its last file
        return read_bytes(path)


def read_skills(home: Path) -> Skills:
    """Find the skills of a home and the settings that matter. Never raises; what cannot be read counts as absent."""
    root = home / "skills"
    folders: dict[str, list[Path]] = {}
    for folder, names, files in os.walk(root):
        has_skill = "SKILL.md" in files
        skipped = _SKIPPED | SUPPORT if has_skill else _SKIPPED
        names[:] = sorted(name for name in names if name not in skipped)
        if has_skill:
            folders.setdefault(Path(folder).name, []).append(Path(folder))
    external, guarded = _settings(home)
    found = {name: tuple(paths) for name, paths in folders.items()}
    return Skills(root, found, external, guarded, _pinned(root))


def _settings(home: Path) -> tuple[bool, bool]:
    import yaml

    try:
        data = yaml.safe_load(read_bytes(home / "config.yaml") or b"")
    except (Unreadable, yaml.YAMLError, RecursionError, ValueError):
        return False, False
    section = data.get("skills") if isinstance(data, dict) else None
    if not isinstance(section, dict):
        return False, False
    guard = section.get("guard_agent_created")
    return bool(section.get("external_dirs")), guard is True or str(guard).lower() in ("true", "yes", "on", "1")


def _pinned(root: Path) -> frozenset[str]:
    try:
        data = json.loads(read_bytes(root / ".usage.json") or b"{}")
    except (Unreadable, ValueError, RecursionError):
        return frozenset()
    if not isinstance(data, dict):
        return frozenset()
    return frozenset(name for name, row in data.items() if isinstance(row, dict) and row.get("pinned"))


def after(skills: Skills, writes: Mapping[Path, bytes | None]) -> Skills:
    """The skills once `writes` are made, as `read_skills` would find them, for simulating a sequence."""
    folders = {name: list(paths) for name, paths in skills.folders.items()}
    for path, data in writes.items():
        if path.name != "SKILL.md":
            continue
        here = folders.setdefault(path.parent.name, [])
        if data is None and path.parent in here:
            here.remove(path.parent)
        elif data is not None and path.parent not in here and not _out_of_sight(path.parent, skills):
            here.append(path.parent)
    found = {name: tuple(sorted(paths)) for name, paths in folders.items() if paths}
    return replace(skills, folders=found, changed={**skills.changed, **writes})


def _out_of_sight(folder: Path, skills: Skills) -> bool:
    """Whether a folder lies where no skill is looked for."""
    parts = folder.relative_to(skills.root).parts
    known = {path for paths in skills.folders.values() for path in paths}
    return any(
        part in _SKIPPED or (part in SUPPORT and skills.root.joinpath(*parts[:at]) in known)
        for at, part in enumerate(parts)
    )


# -- preview --------------------------------------------------------------------------------------------------------


def preflight_skill(record: Record, skills: Skills, payload: Mapping[str, Any] | None = None) -> Preview:
    """Preview a skill's record against the files as they are, with another `payload` when it was edited."""
    if record.problem:
        return Preview(record, record.problem, record.why, notes=record.notes)
    images: dict[Path, bytes | None] = {}

    def read(path: Path) -> bytes | None:
        if not is_text(str(path.relative_to(skills.root))):
            raise SkillRefused("blocked", "A file's name in it is not UTF-8, which the history cannot hold.")
        images[path] = skills.read(path)
        return images[path]

    try:
        writes = changes(payload or record.payload, skills, read)
    except SkillRefused as error:
        error.why = error.why.replace(_ID, record.id)
        shown = next((data for data in images.values() if data is not None), None)
        return Preview(record, error.status, error.why, found=decoded(shown), notes=record.notes, refused=error)
    except Unreadable as error:
        return Preview(record, "blocked", str(error), notes=record.notes, refused=error)
    return _judged(record, writes, {path: images.get(path) for path in writes})


def _judged(record: Record, writes: Writes, images: Mapping[Path, bytes | None]) -> Preview:
    same = all(writes[path] == images[path] for path in writes)
    preview = Preview(
        record,
        "no_op" if same else "ready",
        "The files are like that already; approving only clears the record." if same else "",
        limit=MAX_CHARS,
        notes=record.notes,
        images=images,
        writes=writes,
    )
    then = len(preview.after or "")
    return replace(preview, chars=len(preview.before or ""), chars_after=then, percent_after=100 * then // MAX_CHARS)


# -- the changes ----------------------------------------------------------------------------------------------------


def changes(payload: Mapping[str, Any], skills: Skills, read: Read) -> Writes:
    """The bytes a payload gives to each file (None removes it). Raises SkillRefused or Unreadable."""
    action, name = payload.get("action"), payload.get("name")
    if skills.guarded:
        raise _needs_client("skills.guard_agent_created is on, so the agent scans what it writes")
    if not isinstance(name, str) or not name or re.search(r"[/\\\x00]", name) or name in (".", ".."):
        raise SkillRefused("blocked", "The skill's name would lead out of skills/; nothing is written there.")
    build = _ACTIONS.get(str(action))
    if build is None:
        raise _needs_client(f"“{action}” of a skill is a rule of newer agents")
    return build(payload, name, skills, read)


def _needs_client(why: str) -> SkillRefused:
    return SkillRefused("unsupported", f"{why}: needs the client, `/skills approve {_ID}` in a session of the agent.")


def _create(payload: Mapping[str, Any], name: str, skills: Skills, read: Read) -> Writes:
    content, category = _content(payload, "content"), payload.get("category")
    _check_name(name, "name")
    parts = [name]
    if category is not None and not isinstance(category, str):
        raise SkillRefused("blocked", "The category must be text.")
    if category and category.strip():
        _check_name(category.strip(), "category")
        # The client checks the stripped name and uses the other; only one that is its own is copied.
        if category != category.strip():
            raise _needs_client("The category has spaces around it")
        parts.insert(0, category)
    _check_front_matter(content)
    path = _inside(skills, skills.root.joinpath(*parts, "SKILL.md"))
    known = skills.folders.get(name, ())
    if known:
        data = read(known[0] / "SKILL.md")
        if known == (path.parent,) and data == _encode(content):
            return {path: data}
        raise SkillRefused("stale", f"There is a skill “{name}” by now; what was proposed as new would replace it.")
    if skills.external:
        raise _needs_client("Skills outside of the home are configured, and one of them may have this name")
    if read(path) is not None:
        raise SkillRefused("stale", f"There is a {path.name} at that place by now.")
    read(path)
    return {path: _encode(content)}


def _edit(payload: Mapping[str, Any], name: str, skills: Skills, read: Read) -> Writes:
    content = _content(payload, "content")
    _check_front_matter(content)
    path = _inside(skills, _folder(name, skills) / "SKILL.md")
    read(path)
    return {path: _encode(content)}


def _patch(payload: Mapping[str, Any], name: str, skills: Skills, read: Read) -> Writes:
    old, new = payload.get("old_string"), payload.get("new_string")
    if not isinstance(old, str) or not old or not isinstance(new, str):
        raise SkillRefused("blocked", "A patch needs the text to find and the text to put there.")
    folder = _folder(name, skills)
    path = _support_file(payload, folder, skills) if payload.get("file_path") else folder / "SKILL.md"
    path = _inside(skills, path)
    data = read(path)
    if data is None:
        raise SkillRefused("stale", f"{path.name} is no longer in the skill “{name}”.")
    try:
        text = universal_newlines(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Unreadable(path, error.reason, error.start) from error
    if old == new:
        raise SkillRefused("no_op", "The text to find and the text to put there are the same.")
    found = text.count(old)
    if not found:
        raise _needs_client(
            f"The text to replace is not in {path.name} as it stands; the agent may still match it loosely"
        )
    if found > 1 and not payload.get("replace_all"):
        raise SkillRefused("ambiguous", f"The text to replace is {found} times in {path.name}; it must be there once.")
    if "\\t" in new and "\t" in old:
        raise _needs_client("The new text spells a tab as an escape, which the agent turns into one")
    result = text.replace(old, new)
    _check_size(result)
    if path == folder / "SKILL.md":
        _check_front_matter(result)
    return {path: _encode(result)}


def _write_file(payload: Mapping[str, Any], name: str, skills: Skills, read: Read) -> Writes:
    content = payload.get("file_content")
    if not isinstance(content, str):
        raise SkillRefused("blocked", "The record holds no text for the file.")
    path = _inside(skills, _support_file(payload, _folder(name, skills), skills))
    _check_size(content)
    data = _encode(content)
    if len(data) > MAX_FILE_BYTES:
        raise SkillRefused("over_budget", f"The file would have {len(data):,} of {MAX_FILE_BYTES:,} bytes.")
    if path.name == "SKILL.md" and path.parent.name == name:
        _check_front_matter(content)  # the client does not ask here (0.19), and would lose the skill
    read(path)
    return {path: data}


def _remove_file(payload: Mapping[str, Any], name: str, skills: Skills, read: Read) -> Writes:
    folder = _folder(name, skills)
    path = _inside(skills, _support_file(payload, folder, skills))
    if path == folder / "SKILL.md":
        raise SkillRefused("blocked", "Without its SKILL.md the skill is gone; that would be a deletion.")
    if read(path) is None:
        raise SkillRefused("stale", f"{path.name} is no longer in the skill “{name}”.")
    return {path: None}


def _delete(payload: Mapping[str, Any], name: str, skills: Skills, read: Read) -> Writes:
    folder = _inside(skills, _folder(name, skills))
    if name in skills.keep:
        raise SkillRefused("blocked", f"The skill “{name}” is pinned; unpin it in the agent first.")
    heir = payload.get("absorbed_into")
    if isinstance(heir, str) and heir.strip():
        if heir.strip() == name:
            raise SkillRefused("blocked", "A skill cannot be absorbed into itself.")
        if heir.strip() not in skills.folders:
            raise SkillRefused("stale", f"The skill “{heir.strip()}” that was to take it over is not there.")
    writes: Writes = {}
    size = 0
    for path in _files_of(folder, name, skills):
        size += len(read(path) or b"")
        writes[path] = None
        if len(writes) > MAX_DELETED_FILES or size > MAX_DELETED_BYTES:
            raise _needs_client("The skill is too large to be kept in the history")
    return writes


def _files_of(folder: Path, name: str, skills: Skills) -> Iterator[Path]:
    """Every file of a skill, those of its sub-folders too."""
    for where, names, files in os.walk(folder):
        for entry in (*names, *files):
            if is_link(Path(where) / entry):
                raise SkillRefused("blocked", f"The skill “{name}” holds a link ({entry}); delete it by hand.")
        there = (Path(where) / entry for entry in sorted(files))
        yield from (path for path in there if path not in skills.changed)
    yield from (path for path, data in skills.changed.items() if data is not None and path.is_relative_to(folder))


_ACTIONS: Mapping[str, Callable[[Mapping[str, Any], str, Skills, Read], Writes]] = {
    "create": _create,
    "edit": _edit,
    "patch": _patch,
    "write_file": _write_file,
    "remove_file": _remove_file,
    "delete": _delete,
}


# -- checks ---------------------------------------------------------------------------------------------------------


def _folder(name: str, skills: Skills) -> Path:
    found = skills.folders.get(name, ())
    if not found:
        if skills.external:
            raise _needs_client(f"“{name}” is not among this home's skills, and others are configured")
        raise SkillRefused("stale", f"There is no skill “{name}”.")
    if len(found) > 1:
        raise SkillRefused("ambiguous", f"{len(found)} skills are named “{name}”; the agent would take any of them.")
    return found[0]


def _support_file(payload: Mapping[str, Any], folder: Path, skills: Skills) -> Path:
    """The file a `file_path` names: SKILL.md itself, or a file below one of the four support folders."""
    named = payload.get("file_path")
    if not isinstance(named, str) or not named or "\x00" in named:
        raise SkillRefused("blocked", "The record names no file.")
    parts = PurePosixPath(named.replace("\\", "/")).parts
    if ".." in parts or PurePosixPath(named).is_absolute() or re.match(r"[A-Za-z]:", named) or "\\" in named:
        raise SkillRefused("blocked", "The file's path would lead out of the skill; nothing is written there.")
    if parts == ("SKILL.md",):
        return folder / "SKILL.md"
    if len(parts) < 2 or parts[0] not in SUPPORT:
        raise SkillRefused("blocked", f"Files of a skill lie below {', '.join(sorted(SUPPORT))}.")
    return folder.joinpath(*parts)


def _inside(skills: Skills, path: Path) -> Path:
    """The path, once no part of it below `skills/` is a link: what is previewed is what is written."""
    root = skills.root
    if not path.is_relative_to(root):
        raise SkillRefused("blocked", "The path would lead out of skills/.")
    for part in (root, *(root.joinpath(*path.relative_to(root).parts[:n]) for n in range(1, len(path.parts)))):
        if is_link(part):
            raise SkillRefused("blocked", f"{part.name} is a link; a write through it could end anywhere.")
        if part == path:
            break
        if skills.changed.get(part) is not None or (
            is_there(part) and not is_folder(part) and part not in skills.changed
        ):
            raise SkillRefused("blocked", f"{part.name} is a file where a folder is needed.")
    return path


@cache
def _name_pattern() -> re.Pattern[str]:
    return re.compile(r"[a-z0-9][a-z0-9._-]*")


def _check_name(name: str, what: str) -> None:
    if len(name) > MAX_NAME or not _name_pattern().fullmatch(name):
        raise SkillRefused(
            "blocked", f"The {what} must be at most {MAX_NAME} of a–z, 0–9, “.”, “_” and “-”, a letter or digit first."
        )


def _content(payload: Mapping[str, Any], key: str) -> str:
    content = payload.get(key)
    if not isinstance(content, str) or not content:
        raise SkillRefused("blocked", "The record holds no text for SKILL.md.")
    return content


def _check_size(text: str) -> None:
    if len(text) > MAX_CHARS:
        raise SkillRefused("over_budget", f"The file would have {len(text):,} of {MAX_CHARS:,} characters.")


def _check_front_matter(content: str) -> None:
    """A block between lines of `---` that is a mapping with a name and a description, and text after it (0.19)."""
    import yaml

    _check_size(content)
    text = content.lstrip("\ufeff")
    end = re.search(r"\n---\s*\n", text[3:]) if text.startswith("---") else None
    if end is None:
        raise SkillRefused("blocked", "SKILL.md must begin with a closed block of front matter between lines of ---.")
    try:
        data = yaml.safe_load(text[3 : end.start() + 3])
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise SkillRefused("blocked", "The front matter of SKILL.md is not YAML that can be read.") from error
    if not isinstance(data, dict) or "name" not in data or "description" not in data:
        raise SkillRefused("blocked", "The front matter of SKILL.md needs a name and a description.")
    if len(str(data["description"])) > MAX_DESCRIPTION:
        raise SkillRefused("blocked", f"The description has more than {MAX_DESCRIPTION:,} characters.")
    if not text[end.end() + 3 :].strip():
        raise SkillRefused("blocked", "SKILL.md holds nothing after its front matter.")


def _encode(text: str) -> bytes:
    """The bytes the client writes: text mode, so line ends become the system's."""
    try:
        return (text if os.linesep == "\n" else text.replace("\n", os.linesep)).encode("utf-8")
    except UnicodeEncodeError as error:
        raise SkillRefused("blocked", "The text holds half of a character (a lone surrogate).") from error
