"""A memory file as the client reads it: entries, their size, and what state the file is in."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from workbench.errors import Unreadable
from workbench.files import read_bytes

DELIMITER = "\n§\n"
FILE_NAMES = {"memory": "MEMORY.md", "user": "USER.md"}
TARGETS = ("memory", "user")  # also the order in which their files are locked
BOM = "\ufeff"

_WINDOWS = os.name == "nt"
# Searched for line by line, and compiled by `re` only when somebody asks for hints.
_HEADING = r"(?m)^#{1,6} \S"
_OTHER_DELIMITER = r"(?m)^(-{3,}|\*{3,}|_{3,}|={3,})$"
_INDENTED = r"(?m)^[ \t]+§[ \t]*$"
_TRAILING = r"(?m)^§[ \t]+$"
_STRAY = r"(?m)^§$"


@dataclass(frozen=True)
class Entry:
    """One entry: its text, and how often the file repeats it (the reader keeps the first)."""

    text: str
    copies: int = 1

    @cached_property
    def id(self) -> str:
        """First 12 hex digits of the text's SHA-256; unique in a store, since exact duplicates are dropped."""
        return entry_id(self.text)

    @property
    def chars(self) -> int:
        """Length in code points."""
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Hint:
    """Something worth knowing about a file that changes nothing: `entry` is the index it is about, or None."""

    kind: str
    text: str
    entry: int | None = None


@dataclass(frozen=True)
class Document:
    """A memory file as it is on disk. All sizes are characters (code points); `data` is None when there is no file.

    `state` is missing, ok, cosmetic, over, lossy or unreadable; the worst one that applies.
    """

    target: str
    limit: int
    data: bytes | None
    entries: tuple[Entry, ...]
    state: str
    duplicates: int = 0
    error: str = ""
    error_offset: int | None = None
    client_text: str = ""

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The entries' texts in file order."""
        return tuple(entry.text for entry in self.entries)

    @cached_property
    def chars(self) -> int:
        """Size of the entries joined by the delimiter, as the client counts."""
        return count(self.texts)

    @property
    def percent(self) -> int:
        """Use of the limit in whole percent, cut like the client's but not clamped; 0 when the limit is 0 or less."""
        return percent(self.chars, self.limit)

    @property
    def left(self) -> int:
        """Characters left under the limit; negative when over."""
        return self.limit - self.chars

    @cached_property
    def hints(self) -> tuple[Hint, ...]:
        """Things worth knowing about the file that are no fault of it; looked for when somebody first asks."""
        return _hints(self.client_text.removeprefix(BOM), self.entries)

    @property
    def refused_by(self) -> dict[str, list[str]]:
        """What the client of a generation would refuse on this file as it is."""
        return _refusals(self)


def entry_id(text: str) -> str:
    """Return the id of an entry: the first 12 hex digits of the SHA-256 of its text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def count(texts: Sequence[str]) -> int:
    """Characters of the entries joined by the delimiter (3 a joint), as the client counts them."""
    return sum(map(len, texts)) + len(DELIMITER) * max(0, len(texts) - 1)


def percent(chars: int, limit: int) -> int:
    """Whole percent with the client's rounding: a float division first, so 638 of 2,200 is 28 (0.19)."""
    return int((chars / limit) * 100) if limit > 0 else 0


def split_text(text: str) -> list[str]:
    """Split like the client: on the full delimiter, strip each, drop the empty ones; duplicates stay."""
    return [piece for piece in (part.strip() for part in text.split(DELIMITER)) if piece]


def universal_newlines(text: str) -> str:
    """Turn CRLF and lone CR into LF, as reading in text mode does."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def serialise(texts: Sequence[str]) -> bytes:
    """Return the bytes the client writes for these entries: joined, no final newline, CRLF on Windows only."""
    text = DELIMITER.join(texts)
    return (text.replace("\n", "\r\n") if _WINDOWS else text).encode("utf-8")


def parse(data: bytes | None, target: str, limit: int, *, windows: bool = _WINDOWS) -> Document:
    """Read a memory file's bytes; never raises: what is not UTF-8 becomes a document in state *unreadable*."""
    if data is None:
        return Document(target, limit, None, (), "missing")
    try:
        raw = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Document(target, limit, data, (), "unreadable", error=error.reason, error_offset=error.start)
    text = universal_newlines(raw)
    body = text.removeprefix(BOM)
    pieces = split_text(body)
    copies = Counter(pieces)
    entries = tuple(Entry(piece, copies[piece]) for piece in dict.fromkeys(pieces))
    odd_lines = "\r" in (raw.replace("\r\n", "") if windows else raw)
    cosmetic = odd_lines or body is not text or body.strip() != DELIMITER.join(pieces)
    return Document(
        target,
        limit,
        data,
        entries,
        _state([entry.text for entry in entries], limit, cosmetic=cosmetic),
        duplicates=len(pieces) - len(entries),
        client_text=text,
    )


def read_document(path: Path, target: str, limit: int) -> Document:
    """Read and parse a memory file; a file that cannot be read becomes *unreadable* with the reason in `error`."""
    try:
        return parse(read_bytes(path), target, limit)
    except Unreadable as error:
        return Document(target, limit, None, (), "unreadable", error=error.why)


def _state(texts: Sequence[str], limit: int, *, cosmetic: bool) -> str:
    # With a limit of 0 or less every entry is "longer than the limit", but no split could ever help: that is over.
    if limit > 0 and any(len(text) > limit for text in texts):
        return "lossy"
    if count(texts) > max(limit, 0):
        return "over"
    return "cosmetic" if cosmetic else "ok"


def _hints(body: str, entries: Sequence[Entry]) -> tuple[Hint, ...]:
    found: list[Hint] = []
    repeated = sum(entry.copies - 1 for entry in entries)
    if repeated:
        found.append(Hint("duplicates", f"{repeated} exact copies; the agent drops them at its next write"))
    if entries and body != body.strip():
        found.append(Hint("outer_whitespace", "blank lines at the file's ends; harmless"))
    for index, entry in enumerate(entries):
        text = entry.text
        if re.search(_INDENTED, text):
            found.append(Hint("indented_delimiter", "an indented § is no delimiter: this is one entry", index))
        if re.search(_TRAILING, text):
            found.append(Hint("spaced_delimiter", "a § followed by spaces is no delimiter: this is one entry", index))
        if re.search(_STRAY, text):
            found.append(Hint("stray_delimiter", "a stray § line inside the entry; edit it away", index))
        if re.search(_OTHER_DELIMITER, text):
            found.append(Hint("other_delimiter", "--- does not separate entries; split it if these are several", index))
        if len(re.findall(_HEADING, text)) > 1:
            found.append(Hint("headings", "several headings in one entry; a replace would swap them all", index))
    return tuple(found)


def _refusals(document: Document) -> dict[str, list[str]]:
    """Rules measured on the clients: no drift check in 0.13 and 0.14; 0.19 compares a round trip and the longest
    entry before replace, remove and batch; 0.22 only the longest entry. A byte that is not UTF-8 stops all of them.
    """
    everything = ["add", "replace", "remove", "batch"]
    if document.state == "unreadable" and document.data is not None:
        return {
            "0.13": everything[:3],
            "0.14": everything[:3],
            "0.19": everything,
            "0.22": ["add", "patch", "remove", "batch"],
        }
    refused: dict[str, list[str]] = {}
    pieces = split_text(document.client_text)
    too_long = any(len(piece) > document.limit for piece in pieces)
    if document.client_text.strip() != DELIMITER.join(pieces) or too_long:
        refused["0.19"] = everything[1:]
    if too_long:
        refused["0.22"] = ["patch", "remove", "batch"]
    if document.chars > document.limit and document.entries:
        for client in ("0.13", "0.14", "0.19", "0.22"):
            refused[client] = ["add", *refused.get(client, [])]
    return refused
