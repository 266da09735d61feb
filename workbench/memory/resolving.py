"""Plans that put a drifted file right: what each would write, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from workbench.errors import Unreadable, Usage
from workbench.files import digest
from workbench.memory.document import DELIMITER, FILE_NAMES, Document, count, entry_id, parse, serialise
from workbench.memory.encodings import Candidate, candidates, decode
from workbench.memory.layout import layout_changes
from workbench.memory.operations import Batch, Exact, Normalise, Operation, Replace, Split
from workbench.memory.splitting import LONG, MOST_TO_SPLIT, pieces_of, places, propose_cuts

LAST_GOOD = "last good version"
HOWS = ("normalise", "split", "trim", "last-good", "reencode", "entries")


@dataclass(frozen=True)
class Plan:
    """One way to put a file right. `base` is the SHA-256 of the bytes it was made for.

    Either an `operation`, checked and applied like any other, or the whole new bytes in `data`. `said` tells in
    phrases what happens; `after` is the file as it would be, as far as the plan knows it alone.
    """

    how: str
    target: str
    base: str | None
    said: tuple[str, ...]
    operation: Operation | None = None
    data: bytes | None = None
    label: str = ""


@dataclass(frozen=True)
class Choice:
    """One entry out of several versions of a file: its text, and the names of the versions that have it."""

    text: str
    sources: tuple[str, ...]


def normalise(document: Document) -> Plan:
    """Write the file as the client would. Raises Unreadable, Usage when nothing would change."""
    _readable(document)
    said = layout_changes(document)
    if not said:
        raise Usage(f"{FILE_NAMES[document.target]} is in the agent's own form already.")
    return Plan("normalise", document.target, _base(document), said, Normalise(document.target))


def split(document: Document, cuts: Mapping[str, Sequence[int]] | None = None) -> Plan:
    """Cut what is too long at headings, bullets, paragraphs, `---` or stray §; else what only looks like several.

    `cuts` gives, by entry id, the places (characters of the entry) instead of those proposed. Raises Unreadable, Usage
    when no entry can be cut, or one is longer than a million characters.
    """
    _readable(document)
    long = [entry for entry in document.entries if 0 < document.limit < entry.chars]
    hinted = {hint.entry for hint in document.hints if hint.kind != "stray_delimiter"}
    chosen = long or [entry for index, entry in enumerate(document.entries) if index in hinted]
    operations: list[Operation] = []
    said = []
    for entry in chosen:
        if entry.chars > MOST_TO_SPLIT:
            raise Usage(
                f"Entry {entry.id} has {entry.chars:,} characters; more than {MOST_TO_SPLIT:,} are not cut into "
                "entries. Take the last good version, or trim it."
            )
        most = document.limit if entry in long else None
        where = (cuts or {}).get(entry.id) or propose_cuts(entry.text, most)
        pieces = pieces_of(entry.text, where)
        if len(pieces) > 1:
            operations.append(Split(document.target, Exact(entry.text), pieces))
            longest = max(map(len, pieces))
            said.append(f"entry {entry.id} becomes {len(pieces)} entries, the longest of {longest:,} characters")
    if not operations:
        raise Usage(f"No entry of {FILE_NAMES[document.target]} shows where it could be cut.")
    return Plan("split", document.target, _base(document), tuple(said), _one(operations))


def trim(document: Document) -> Plan:
    """Shorten every entry that is longer than the limit, at the end of a line or sentence.

    An only such entry is fitted into the room that the others leave, if that is at least a quarter of the limit. What
    is cut off stays in the history. Raises Unreadable, Usage when no entry is too long.
    """
    _readable(document)
    long = [entry for entry in document.entries if 0 < document.limit < entry.chars]
    if not long:
        raise Usage(f"No entry of {FILE_NAMES[document.target]} is longer than its limit.")
    others = [entry.text for entry in document.entries if entry not in long]
    room = document.limit - count(others) - (len(DELIMITER) if others else 0)
    most = room if len(long) == 1 and 4 * room >= document.limit else document.limit
    operations: list[Operation] = []
    said = []
    for entry in long:
        kept = _shortened(entry.text, most)
        # Naming only what stays makes the rest a loss that has to be agreed to.
        operations.append(Replace(document.target, Exact(entry.text), kept, kept))
        said.append(f"entry {entry.id} keeps its first {len(kept):,} of {entry.chars:,} characters")
    return Plan("trim", document.target, _base(document), tuple(said), _one(operations))


def _shortened(text: str, most: int) -> str:
    """The beginning of a text within `most` characters, to the end of a line or sentence if there is one."""
    near = text[: most + 2 * LONG]  # what comes later decides nothing, and may be megabytes
    at = max((place for place in places(near) if place <= most), default=0)
    kept = text[: at if at > most // 2 else most].strip()
    while kept.endswith("§") and kept.rpartition("\n")[2].strip() == "§":  # a stray § line must not end an entry
        kept = kept.removesuffix("§").strip()
    return kept


def last_good(document: Document, versions: Iterable[tuple[str, bytes]]) -> Plan:
    """Take the newest version (name, bytes; newest first) that is neither unreadable nor lossy nor empty.

    Raises Usage when there is none that differs from what the file holds.
    """
    for name, data in versions:
        if data == document.data:
            continue
        then = parse(data, document.target, document.limit)
        if then.state not in ("unreadable", "lossy") and then.entries:
            said = f"the file gets the exact bytes of version {name[:12]}: {len(then.entries)} entries, {then.state}"
            label = f"restore {FILE_NAMES[document.target]} to its last good version {name[:12]}"
            return Plan("last-good", document.target, _base(document), (said,), data=data, label=label)
    raise Usage(f"The history holds no good version of {FILE_NAMES[document.target]} to take.")


def reencode(document: Document, encoding: str = "") -> Plan:
    """Write the file's text in UTF-8, decoded with `encoding` or with the most plausible candidate.

    Raises Usage when the file is UTF-8 already, when the encoding is not known, or when the bytes are not in it.
    """
    if document.data is None or document.state != "unreadable":
        raise Usage(f"{FILE_NAMES[document.target]} is UTF-8 already; there is nothing to re-encode.")
    name = encoding or readings(document)[0].encoding
    try:
        text = decode(document.data, name)
    except UnicodeDecodeError as error:
        raise Usage(f"{FILE_NAMES[document.target]} is not {name} (byte {error.start}: {error.reason}).") from error
    except ValueError as error:
        raise Usage(f"{error}.") from error
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Usage(f"Read as {name} the file holds half characters, which UTF-8 cannot store.") from error
    then = parse(data, document.target, document.limit)
    said = f"read as {name} and written as UTF-8: {len(then.entries)} entries, {then.chars:,} characters, {then.state}"
    label = f"re-encode {FILE_NAMES[document.target]} from {name}"
    return Plan("reencode", document.target, _base(document), (said,), data=data, label=label)


def readings(document: Document) -> tuple[Candidate, ...]:
    """The encodings an unreadable file may be in, most plausible first; never empty for one with bytes."""
    return candidates(document.data) if document.data is not None else ()


def choices(versions: Sequence[tuple[str, Document]]) -> tuple[Choice, ...]:
    """All entries of several versions of a file ("on disk now", "last good version", a backup), each once.

    In the order of the first version; an entry that only another one has follows the entry it follows there.
    """
    order: list[str] = []
    sources: dict[str, list[str]] = {}
    for name, document in versions:
        before: str | None = None
        for text in document.texts:
            if text not in sources:
                sources[text] = []
                order.insert(0 if before is None else order.index(before) + 1, text)
            sources[text].append(name)
            before = text
    return tuple(Choice(text, tuple(sources[text])) for text in order)


def take(choices: Sequence[Choice], wanted: Sequence[str], unwanted: Sequence[str] = ()) -> tuple[str, ...]:
    """The texts of the choices that are wanted and not unwanted, in their order.

    Each word is a version ("now", "last" for the last good version, the name of a backup), the number of a choice (1
    is the first), or the beginning of an entry's id, 4 digits at least. Raises Usage for a word that fits none, or
    several entries.
    """
    taken = {text for word in wanted for text in _meant(choices, word)}
    taken -= {text for word in unwanted for text in _meant(choices, word)}
    return tuple(one.text for one in choices if one.text in taken)


def _meant(choices: Sequence[Choice], word: str) -> tuple[str, ...]:
    source = LAST_GOOD if word == "last" else word
    found = tuple(one.text for one in choices if source in one.sources)
    if found:
        return found
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 7 else 0
    if 0 < number <= len(choices):
        return (choices[number - 1].text,)
    found = tuple(one.text for one in choices if len(word) >= 4 and entry_id(one.text).startswith(word.lower()))
    if len(found) != 1:
        problem = f"fits {len(found)} entries, add more digits" if found else "is no version, number or id of an entry"
        raise Usage(f"“{word}” {problem}; `--how entries --dry-run` lists them.")
    return found


def compose(document: Document, texts: Sequence[str]) -> Plan:
    """Make the file of these entries, chosen one by one. Raises Usage when they cannot be a file."""
    data = serialise(texts)
    then = parse(data, document.target, document.limit)
    if then.texts != tuple(texts):
        raise Usage("These entries would be read back differently; leave out the repeated or odd ones.")
    if document.limit > 0 and then.chars > document.limit and then.chars >= document.chars > 0:
        raise Usage(
            f"These entries have {then.chars:,} characters, {then.chars - document.limit:,} more than the limit; "
            "choose fewer."
        )
    said = f"the file gets {len(texts)} chosen entries, {then.chars:,} characters"
    label = f"{FILE_NAMES[document.target]} put together from several versions"
    return Plan("entries", document.target, _base(document), (said,), data=data, label=label)


def _one(operations: Sequence[Operation]) -> Operation:
    return operations[0] if len(operations) == 1 else Batch(tuple(operations))


def _base(document: Document) -> str | None:
    return None if document.data is None else digest(document.data)


def _readable(document: Document) -> None:
    if document.state == "unreadable":
        from pathlib import Path

        raise Unreadable(Path(FILE_NAMES[document.target]), document.error, document.error_offset)
