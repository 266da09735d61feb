"""Typed errors: each carries what is needed to act, and says it once.

`kind` is the stable word of the headless contract; `str(error)` is the one sentence both faces show. They
compare by identity, as exceptions must.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, dataclass_transform


@dataclass_transform(eq_default=False)
class WorkbenchError(Exception):
    """Base of everything the workbench refuses or cannot do; `exit_code` is the headless one.

    Subclasses declare their fields like a dataclass; they are bound here, because building thirty dataclasses takes
    longer than reading a memory file, at every start.
    """

    kind: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1
    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        own = (name for name, kind in cls.__annotations__.items() if not kind.startswith("ClassVar"))
        cls._fields = (*cls._fields, *own)

    def __init__(self, *values: object, **named: object) -> None:
        if len(values) == len(self._fields) and not named:  # a list of a thousand records makes hundreds
            super().__init__(*values)
            vars(self).update(zip(self._fields, values, strict=True))
            return
        given = {**dict(zip(self._fields, values, strict=False)), **named}
        missing = [name for name in self._fields if name not in given and not hasattr(type(self), name)]
        if missing or len(values) > len(self._fields) or not given.keys() <= set(self._fields):
            raise TypeError(f"{type(self).__name__} takes {', '.join(self._fields)}")
        super().__init__(*values)
        for name, value in given.items():
            setattr(self, name, value)

    def __str__(self) -> str:
        return self.kind

    def as_json(self) -> dict[str, Any]:
        """The error object of the headless contract: success, kind, error and the fields, paths as text."""
        out: dict[str, Any] = {"success": False, "kind": self.kind, "error": str(self)}
        for name in self._fields:
            value = getattr(self, name)
            out[name] = str(value) if isinstance(value, Path) else value
        return out


class Usage(WorkbenchError):
    """The request itself is wrong (exit 2): an unknown target, an index out of range."""

    kind: ClassVar[str] = "usage"
    exit_code: ClassVar[int] = 2
    message: str

    def __str__(self) -> str:
        return self.message


class NoHome(WorkbenchError):
    """There is no usable home at `path`; `why` is `missing`, `not_a_folder`, `no_permission` or `no_profile`."""

    kind: ClassVar[str] = "no_home"
    path: Path
    why: str
    reason: str = ""

    def __str__(self) -> str:
        origin = f" ({self.reason})" if self.reason else ""
        if self.why == "not_a_folder":
            return f"{self.path}{origin} is a file, not a Hermes home; point --home at the folder that holds memories/."
        if self.why == "no_permission":
            return f"{self.path}{origin} cannot be read by this user; run as its owner or fix its permissions."
        if self.why == "no_profile":
            return (
                f"There is no profile folder {self.path}{origin}; "
                "name another with --profile, or create it with the agent."
            )
        return (
            f"There is no Hermes home at {self.path}{origin}; "
            "point --home at one, or run `workbench demo` to look around."
        )


class Unreadable(WorkbenchError):
    """A file exists but cannot be read as text; it is never treated as empty (DESIGN promise 1)."""

    kind: ClassVar[str] = "unreadable"
    path: Path
    why: str
    offset: int | None = None

    def __str__(self) -> str:
        if self.offset is not None:
            return (
                f"{self.path.name} is not UTF-8 at byte {self.offset} ({self.why}); it is left as it is. "
                "Restore a good version with `workbench restore`, or re-encode the file."
            )
        return f"{self.path.name} cannot be read ({self.why}); fix its permissions, nothing was changed."


class OutOfReach(WorkbenchError):
    """The system refused a file or folder in the middle of something else."""

    kind: ClassVar[str] = "out_of_reach"
    path: Path
    why: str

    def __str__(self) -> str:
        return f"{self.path} is out of reach ({self.why}); whether anything was done, `workbench history` says."


class Conflict(WorkbenchError):
    """The file moved on and the entry meant is no longer there (exit 3).

    `yours` is the text that was to be written, `theirs` the store's entries now, `before` the entry as seen.
    """

    kind: ClassVar[str] = "conflict"
    exit_code: ClassVar[int] = 3
    target: str
    before: str
    yours: str
    theirs: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"The entry meant in {self.target} is no longer there, someone changed it meanwhile; "
            "nothing was written. Look at the store again and repeat the change on what it holds now."
        )


class Busy(WorkbenchError):
    """Another process held the lock for `seconds`, or (0) changed the file at every attempt (exit 3)."""

    kind: ClassVar[str] = "busy"
    exit_code: ClassVar[int] = 3
    path: Path
    seconds: float

    def __str__(self) -> str:
        if not self.seconds:
            return (
                f"{self.path.name} keeps being changed by another program; nothing was written. Try again in a moment."
            )
        return (
            f"{self.path.name} has been locked by another program for {self.seconds:g} s; nothing was written. "
            "Try again when the agent is idle."
        )


class OverBudget(WorkbenchError):
    """The result would exceed the store's limit. All figures are characters (code points)."""

    kind: ClassVar[str] = "over_budget"
    target: str
    chars: int
    chars_after: int
    limit: int

    @property
    def missing(self) -> int:
        """Characters by which the result exceeds the limit."""
        return self.chars_after - self.limit

    def __str__(self) -> str:
        return (
            f"Over budget by {self.missing:,}: {self.target} would hold {self.chars_after:,} of {self.limit:,} "
            f"characters (now {self.chars:,}). Shorten the text or free {self.missing:,} characters first."
        )

    def as_json(self) -> dict[str, Any]:
        """The error object, with `missing` added."""
        return {**super().as_json(), "missing": self.missing}


class Blocked(WorkbenchError):
    """Text that an operation adds matches a threat pattern.

    `findings` are (pattern, level, start, end, explanation), start and end in characters of that text.
    """

    kind: ClassVar[str] = "blocked"
    target: str
    findings: tuple[tuple[str, str, int, int, str], ...]

    @property
    def patterns(self) -> str:
        """The pattern ids, in order, joined for reading."""
        return ", ".join(dict.fromkeys(f[0] for f in self.findings))

    def __str__(self) -> str:
        return (
            f"Refused: the text matches {self.patterns}. {self.findings[0][4]} "
            "The agent would hide such an entry from its prompt; reword it."
        )


class NeedsConfirmation(WorkbenchError):
    """The change is allowed, but only after its own confirmation.

    `what` says what is at stake, `flag` is the headless way to agree.
    """

    kind: ClassVar[str] = "needs_confirmation"
    what: str
    flag: str

    def __str__(self) -> str:
        return f"{self.what} Confirm with {self.flag}."


class NotFound(WorkbenchError):
    """No entry matches; `entries` are the store's entries, `closest` the nearest ones."""

    kind: ClassVar[str] = "not_found"
    target: str
    wanted: str
    entries: tuple[str, ...] = ()
    closest: tuple[str, ...] = ()

    def __str__(self) -> str:
        # Entries are not quoted here: a face that shows them masks their credentials.
        return f"No entry of {self.target} matches “{self.wanted[:80]}”; `workbench memory list` shows them all."


class Ambiguous(WorkbenchError):
    """Several distinct entries match a text that must select one."""

    kind: ClassVar[str] = "ambiguous"
    target: str
    wanted: str
    matches: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"“{self.wanted[:80]}” is in {len(self.matches)} entries of {self.target}; "
            "use an entry's id, or more of its text."
        )


class BadContent(WorkbenchError):
    """The text cannot be one entry: `why`: empty, delimiter, stray_delimiter, surrogate, round_trip."""

    kind: ClassVar[str] = "bad_content"
    why: str
    pieces: int = 0

    def __str__(self) -> str:
        if self.why == "empty":
            return "The text is empty; to take an entry away, remove it."
        if self.why == "delimiter":
            return (
                f"The text would be read back as {self.pieces} entries, because a line of it is a bare “§”. "
                "Add them one by one, or change that line."
            )
        if self.why == "surrogate":
            return "The text holds half of a character (a lone surrogate) that no UTF-8 file can store; remove it."
        if self.why == "round_trip":
            return (
                "The file would be read back differently, because an entry of this store begins or ends with a stray "
                "“§” line or an invisible mark. Repair that entry first."
            )
        return "The text would put a stray “§” line at the edge of an entry; remove that line."


class Lossy(WorkbenchError):
    """The store holds an entry longer than its limit; only split, trim and restore are safe on it."""

    kind: ClassVar[str] = "lossy"
    target: str
    longest: int
    limit: int

    def __str__(self) -> str:
        return (
            f"{self.target} holds one entry of {self.longest:,} characters, more than the whole limit of "
            f"{self.limit:,}; the agent refuses to edit such a file. "
            "Split it, shorten it, or restore an earlier version first."
        )


class ReadOnly(WorkbenchError):
    """The workbench was started with --read-only, or the file system is."""

    kind: ClassVar[str] = "read_only"
    path: Path
    why: str = "started with --read-only"

    def __str__(self) -> str:
        return f"{self.path} cannot be changed ({self.why}); nothing was written."


class ForeignOwner(WorkbenchError):
    """The folder belongs to another user: a file replaced in it would change owner and lock the agent out."""

    kind: ClassVar[str] = "foreign_owner"
    path: Path
    owner: int

    def __str__(self) -> str:
        return (
            f"{self.path} belongs to user {self.owner}, not to you; a write would take the file away from the agent. "
            "Run the workbench as that user."
        )


class OutsideLink(WorkbenchError):
    """A memory file is a link to a place outside the home; asked about once per target."""

    kind: ClassVar[str] = "outside_link"
    path: Path
    leads_to: Path

    def __str__(self) -> str:
        return (
            f"{self.path.name} is a link that leads out of the home, to {self.leads_to}. "
            "Allow writing there once with --follow-link; it is remembered for this target."
        )


class WriteFailed(WorkbenchError):
    """The operating system refused a write; what stood before still stands."""

    kind: ClassVar[str] = "write_failed"
    path: Path
    why: str
    advice: str = "Nothing was lost; free space or fix the permissions and repeat."

    def __str__(self) -> str:
        return f"{self.path} could not be written ({self.why}). {self.advice}"


class NotBackedUp(WorkbenchError):
    """A `.bak` of what `path` held could not be written; the bytes are in the history as version `sha256`."""

    kind: ClassVar[str] = "not_backed_up"
    path: Path
    sha256: str
    why: str

    def __str__(self) -> str:
        return (
            f"What {self.path.name} held before could not be kept as a backup beside it ({self.why}); its exact bytes "
            f"are in the history as version {self.sha256[:12]}."
        )


class HistoryUnavailable(WorkbenchError):
    """Nothing can be recorded, so nothing is written (DESIGN promise 1)."""

    kind: ClassVar[str] = "history_unavailable"
    path: Path
    why: str

    def __str__(self) -> str:
        return (
            f"{self.path} cannot record the change ({self.why}), so nothing was written. "
            "Make the folder writable or free some space, then repeat."
        )


class Stale(WorkbenchError):
    """A draft was made on another version of the file and names entries by substring (exit 3)."""

    kind: ClassVar[str] = "stale"
    exit_code: ClassVar[int] = 3
    target: str

    def __str__(self) -> str:
        return (
            f"{self.target} has changed since the draft was made, and the draft names entries by a piece of their "
            "text, which could mean another entry by now. Nothing was written; make the draft again."
        )


class DraftMoved(WorkbenchError):
    """A draft was changed, applied or dropped elsewhere since it was read (exit 3)."""

    kind: ClassVar[str] = "draft_moved"
    exit_code: ClassVar[int] = 3
    number: int

    def __str__(self) -> str:
        return f"Draft {self.number} was changed in another window meanwhile; nothing was done. Look at it and repeat."


class DamagedVersion(WorkbenchError):
    """The history's copy of a version is not what was recorded; it is never written anywhere."""

    kind: ClassVar[str] = "damaged_version"
    sha256: str

    def __str__(self) -> str:
        return (
            f"The history's copy of version {self.sha256[:12]} is damaged and was not used; nothing was changed. "
            "Choose another version."
        )


class Forgotten(DamagedVersion):
    """The version was forgotten for good at its owner's wish; `sha256` is the name that stands in its place."""

    kind: ClassVar[str] = "forgotten"

    def __str__(self) -> str:
        return "This version was forgotten for good, as its owner asked; nothing was changed. Choose another version."


class NothingTo(WorkbenchError):
    """There is nothing to undo, redo or restore."""

    kind: ClassVar[str] = "nothing"
    what: str

    def __str__(self) -> str:
        return f"There is nothing to {self.what}."


class SessionNotFound(WorkbenchError):
    """No session, or more than one, is meant by `wanted` (an id, the beginning of one, a title)."""

    kind: ClassVar[str] = "session_not_found"
    wanted: str
    matches: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.matches:
            return f"“{self.wanted[:80]}” is the beginning of several sessions: {', '.join(self.matches)}."
        return f"There is no session “{self.wanted[:80]}”; `workbench sessions list` shows what is there."


class MessageNotFound(WorkbenchError):
    """The conversation of `session_id` holds no message with the id `message_id`."""

    kind: ClassVar[str] = "message_not_found"
    session_id: str
    message_id: int

    def __str__(self) -> str:
        return f"Message {self.message_id} is not part of the conversation of {self.session_id}."


class FileExists(WorkbenchError):
    """A file stands where an export would go."""

    kind: ClassVar[str] = "file_exists"
    path: Path

    def __str__(self) -> str:
        return f"{self.path} exists; name another file, or agree to lose it with --force."


class BadConfig(WorkbenchError):
    """config.yaml (or another YAML text) cannot be edited safely; `line` counts from 1."""

    kind: ClassVar[str] = "bad_config"
    what: str
    line: int = 0

    def __str__(self) -> str:
        where = f" at line {self.line}" if self.line else ""
        return f"The YAML text cannot be edited safely{where}: {self.what}. Edit it by hand; nothing was changed."
