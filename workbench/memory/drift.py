"""Drift: what makes a memory file differ from the form the client writes, where, and what could be done about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.memory.document import BOM, Document, serialise
from workbench.memory.splitting import MOST_TO_SPLIT

# More places of one kind are counted, not listed: a file can have a million line ends.
MOST = 50


@dataclass(frozen=True)
class Difference:
    """One thing, or several of one kind: `text` says it in words, `count` how often it occurs.

    `line` counts from 1. `start` and `end` are code points of the file's text as it lies on the disk (line ends not
    folded), but bytes of the file for `not_utf8`; all three are None for what concerns the whole file. `entry` is the
    index of the entry meant. `serious` tells what an agent would refuse or hide from what is only worth knowing.
    """

    kind: str
    text: str
    line: int | None = None
    start: int | None = None
    end: int | None = None
    entry: int | None = None
    count: int = 1
    serious: bool = True


@dataclass(frozen=True)
class Drift:
    """What differs from the client's form. `tidy`: not a byte does; `ways` are the resolvers that help, best first.

    A way is `normalise`, `split`, `trim`, `reencode` or `last-good`; the last one needs a good version, which only
    the history knows.
    """

    target: str
    state: str
    tidy: bool
    differences: tuple[Difference, ...]
    refused_by: dict[str, list[str]]
    ways: tuple[str, ...]

    @property
    def any(self) -> bool:
        """Whether something is there that should be put right: more than a hint, or a state that is not fine."""
        return any(one.serious for one in self.differences)


def drift(document: Document) -> Drift:
    """Explain a file. Never raises; a missing file and one in the client's form have no differences."""
    tidy = document.data is None or (
        document.state != "unreadable" and document.data == serialise(document.texts) and not document.duplicates
    )
    found: list[Difference] = []
    if document.state == "unreadable":
        found.append(_undecodable(document))
    elif document.data is not None:
        raw = document.data.decode("utf-8")
        found += _encoding(raw)
        found += _gathered(_layout(raw))
        found += _sizes(document, raw)
        found += _hinted(document, raw)
    return Drift(document.target, document.state, tidy, tuple(found), document.refused_by, _ways(document, tidy, found))


def _ways(document: Document, tidy: bool, found: list[Difference]) -> tuple[str, ...]:
    if document.state == "unreadable":
        return ("reencode", "last-good") if document.data is not None else ()
    ways = []
    hints = {"other_delimiter", "headings", "indented_delimiter", "spaced_delimiter"}
    longest = max(map(len, document.texts), default=0)
    if longest <= MOST_TO_SPLIT and (document.state == "lossy" or any(one.kind in hints for one in found)):
        ways.append("split")
    if document.state == "lossy":
        ways += ["trim", "last-good"]
    if not tidy and document.state != "lossy":
        ways.append("normalise")
    return tuple(ways)


def _undecodable(document: Document) -> Difference:
    if document.data is None or document.error_offset is None:
        return Difference("no_access", f"the file cannot be read: {document.error}")
    at = document.error_offset
    line = document.data.count(b"\n", 0, at) + 1
    value = document.data[at]
    said = f"byte 0x{value:02X} at {at:,} (line {line:,}) is not UTF-8: {document.error}"
    return Difference("not_utf8", said, line, at, at + 1)


def _encoding(raw: str) -> Iterator[Difference]:
    if raw.startswith(BOM):
        yield Difference(
            "bom", "a byte order mark begins the file; agents up to 0.19 take it for text of the first entry", 1, 0, 1
        )
    pairs, alone = raw.count("\r\n"), raw.count("\r")
    alone -= pairs
    if pairs:
        at = raw.index("\r\n")
        many = f"{pairs:,} lines end" if pairs > 1 else "a line ends"
        yield Difference("crlf", f"{many} in CR LF", raw.count("\n", 0, at) + 1, at, at + 2, count=pairs)
    if alone:
        match = re.search("\r(?!\n)", raw)
        assert match is not None
        many = f"{alone:,} lone CRs stand" if alone > 1 else "a lone CR stands"
        line = len(re.findall("\r\n|\r|\n", raw[: match.start()])) + 1
        yield Difference("lone_cr", f"{many} where the agent reads a line end", line, *match.span(), count=alone)


def _layout(raw: str) -> Iterator[Difference]:
    """White space beside delimiters and at the ends, entries without text, repeated entries; one by one."""
    pieces = list(_pieces(raw))
    seen: dict[str, int] = {}
    for number, (start, end, line) in enumerate(pieces):
        text = raw[start:end]
        body = text.strip()
        first, last = number == 0, number == len(pieces) - 1
        if not body:
            if not (first or last):
                yield Difference("hollow", f"nothing stands between two § in line {line:,}", line, start, end)
            elif len(pieces) > 1:
                where = "begins with" if first else "ends in"
                yield Difference("outer_delimiter", f"the file {where} a § without an entry", line, start, end)
            elif text:
                yield Difference("outer_whitespace", "blanks without any entry", line, start, end, serious=False)
            continue
        before, after = len(text) - len(text.lstrip()), len(text) - len(text.rstrip())
        for blank, at, outer in ((before, start, first), (after, end - after, last)):
            if not blank:
                continue
            here = line + len(re.findall("\r\n|\r|\n", raw[start:at]))
            if outer:
                said = "blanks or empty lines at the file's " + ("beginning" if at == start else "end")
                yield Difference("outer_whitespace", said, here, at, at + blank, serious=False)
            else:
                side = "after" if at == start else "before"
                said = f"blanks {side} a § in line {here:,}"
                yield Difference("blanks", said, here, at, at + blank, entry=len(seen))
        folded = body.replace("\r\n", "\n").replace("\r", "\n")
        if folded in seen:
            said = f"an exact copy of entry #{seen[folded] + 1} in line {line:,}; the agent drops it at its next write"
            yield Difference("duplicate", said, line, start, end, entry=seen[folded], serious=False)
        seen.setdefault(folded, len(seen))


def _pieces(raw: str) -> Iterator[tuple[int, int, int]]:
    """(start, end, first line) of what lies between the client's delimiters, as it reads any kind of line end."""
    start, line = (1 if raw.startswith(BOM) else 0), 1
    begin = start
    for match in re.finditer(r"(\r\n|\r|\n)§(?:\r\n|\r|\n)", raw):
        if match.start() < begin:
            continue
        yield begin, match.start(), line
        line += len(re.findall("\r\n|\r|\n", raw[begin : match.end()]))
        begin = match.end()
    yield begin, len(raw), line


def _gathered(found: Iterator[Difference]) -> Iterator[Difference]:
    """Each kind's first places as they are, and the rest as a number."""
    counts: dict[str, int] = {}
    left: dict[str, Difference] = {}
    for one in found:
        counts[one.kind] = counts.get(one.kind, 0) + 1
        if counts[one.kind] <= MOST:
            yield one
        else:
            left.setdefault(one.kind, one)
    for kind, one in left.items():
        more = counts[kind] - MOST
        yield Difference(kind, f"and {more:,} more like these", one.line, count=more, serious=one.serious)


def _sizes(document: Document, raw: str) -> Iterator[Difference]:
    limit = document.limit
    for index, entry in enumerate(document.entries):
        if limit > 0 and entry.chars > limit:
            at, line = _place(raw, entry.text)
            said = (
                f"entry #{index + 1} alone has {entry.chars:,} characters, {entry.chars - limit:,} more than the whole "
                f"limit of {limit:,}"
            )
            yield Difference("too_long", said, line, at, None if at is None else at + entry.chars, index)
    if document.state == "over":
        over = document.chars - max(0, limit)
        yield Difference("over", f"{over:,} characters over the limit of {limit:,}: every add is refused")


def _hinted(document: Document, raw: str) -> Iterator[Difference]:
    for hint in document.hints:
        if hint.entry is not None and document.state != "missing":
            at, line = _place(raw, document.entries[hint.entry].text)
            end = None if at is None else at + document.entries[hint.entry].chars
            yield Difference(hint.kind, hint.text, line, at, end, hint.entry, serious=False)


def _place(raw: str, text: str) -> tuple[int | None, int | None]:
    """Where an entry's text lies; not found in a file whose line ends had to be folded."""
    at = raw.find(text)
    if at < 0:
        first = text.partition("\n")[0]
        at = raw.find(first)
        return None, (None if at < 0 else len(re.findall("\r\n|\r|\n", raw[:at])) + 1)
    return at, raw.count("\n", 0, at) + 1
