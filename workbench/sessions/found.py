"""What a search answers: conversations with their hits, and what has to be said about the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.text import Secret, mask


@dataclass(frozen=True)
class Snippet:
    """A piece of a message on one line. `highlights` are (start, end) in code points of `text`; so are `secrets`."""

    text: str
    highlights: tuple[tuple[int, int], ...] = ()
    secrets: tuple[Secret, ...] = ()

    def masked(self) -> Snippet:
        """The same with each credential as dots; a highlight that lay in one is moved to its edge."""
        if not self.secrets:
            return self
        moved: list[tuple[int, int]] = []
        for start, end in self.highlights:
            moved.append((self._shown(start), self._shown(end)))
        return Snippet(mask(self.text, self.secrets), tuple(mark for mark in moved if mark[0] < mark[1]))

    def _shown(self, at: int) -> int:
        before = 0
        for secret in self.secrets:
            if secret.end <= at:
                before = secret.end
            elif secret.start < at:
                at = secret.start
                break
        return len(mask(self.text[:before], [s for s in self.secrets if s.end <= before])) + at - before


@dataclass(frozen=True)
class Hit:
    """One message (or title) that matches. `when` is Unix seconds, None when the database holds no usable time.

    `role` is the message's, or "session_title"; `state` is "live" or "compacted".
    """

    session_id: str
    message_id: int | None
    role: str
    when: float | None
    snippet: Snippet
    state: str = "live"


@dataclass(frozen=True)
class Result:
    """One conversation: the session that owns its first hit, the root of its lineage, and how many hits were seen."""

    session_id: str
    root_id: str
    title: str | None
    source: str
    when: float | None
    hits: int
    shown: tuple[Hit, ...]
    archived: bool = False

    @property
    def first(self) -> Hit:
        """The hit that the conversation is shown with."""
        return self.shown[0]


@dataclass(frozen=True)
class Found:
    """The answer to a query.

    `engine`: index, scan (no usable index), titles, filters, none. `note` says what was not searched or not
    understood, `banner` what is wrong with the index; both "" when all is well. `hidden` counts, by source,
    conversations (sessions, where the lineage was not followed) that matched but are not among `results`. `complete`
    is False while a deeper pass may find more or order better; `ordered` is the order the results are in.
    """

    query: str
    engine: str
    results: tuple[Result, ...] = ()
    note: str = ""
    banner: str = ""
    hidden: Mapping[str, int] = field(default_factory=dict)
    complete: bool = True
    ordered: str = "newest"

    @property
    def hits(self) -> int:
        """Matching messages seen; a lower bound unless the search is complete and the page not full."""
        return sum(result.hits for result in self.results)

    def as_json(self, *, reveal: bool = False) -> dict[str, Any]:
        """The object of the headless contract; snippets are masked unless `reveal`."""
        rows = []
        for result in self.results:
            snippet = result.first.snippet if reveal else result.first.snippet.masked()
            title = result.title if reveal or result.title is None else mask(result.title)
            source, role = (each if reveal else mask(each) for each in (result.source, result.first.role))
            rows.append(
                {
                    "session_id": result.session_id,
                    "root_id": result.root_id,
                    "title": title,
                    "source": source,
                    "when": result.when,
                    "match_message_id": result.first.message_id,
                    "role": role,
                    "snippet": snippet.text,
                    "highlights": [list(mark) for mark in snippet.highlights],
                    "hits": result.hits,
                }
            )
        note = "; ".join(part for part in (self.banner, self.note) if part)
        return {
            "query": self.query,
            "engine": self.engine,
            "note": note,
            "results": rows,
            "hidden": {mask(name): count for name, count in self.hidden.items()},
            "complete": self.complete,
        }
