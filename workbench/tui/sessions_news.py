"""What the Sessions area asks, what it holds of an open conversation, and the messages its answers come in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.errors import WorkbenchError
from workbench.sessions.query import Query, parse
from workbench.sessions.rows import Message as Said
from workbench.tui.parts.header import HeaderFacts
from workbench.tui.parts.result_list import ResultRow
from workbench.tui.parts.talk_layout import Bodies
from workbench.tui.parts.talk_lines import Block
from workbench.tui.screen_text import one_line

if TYPE_CHECKING:
    from workbench.sessions.browse import Cursor
    from workbench.sessions.database import Database
    from workbench.sessions.found import Found
    from workbench.sessions.lineage import Conversation
    from workbench.sessions.outline import Outline

# Conversations of a first page of results.
RESULTS = 50


@dataclass(frozen=True)
class Asked:
    """A search: the words typed, the filters beside them (name to value), the order of the results."""

    text: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)
    order: str = "relevance"
    limit: int = RESULTS

    @property
    def query(self) -> str:
        """What is asked of the search: filters and words as one text.

        The filters stand first: behind the words they would end the one that is being typed.
        """
        named = [f'{name}:"{value}"' if " " in value else f"{name}:{value}" for name, value in self.filters.items()]
        return " ".join([*named, self.text])

    @property
    def typing(self) -> bool:
        """Whether the last word may still go on."""
        return not self.text.endswith(" ")

    @property
    def empty(self) -> bool:
        """Whether nothing is asked: the recent conversations are shown."""
        return not self.text.strip() and not self.filters

    def parsed(self, now: float) -> Query:
        """The query understood, as it stands while it is typed."""
        return parse(self.query, typing=self.typing, now=now)


# -- messages -------------------------------------------------------------------------------------------------------


@dataclass
class HomeRead(Message):
    """The home was looked at; `database` is ready to be asked."""

    request: int
    header: HeaderFacts
    database: Database


@dataclass
class RecentRead(Message):
    """A page of recent conversations; `first` of a new list, else one more page of it."""

    request: int
    rows: tuple[ResultRow, ...]
    following: Cursor | None
    hidden: Mapping[str, int]
    first: bool


@dataclass
class Searched(Message):
    """A search was answered, quickly or (`deep`) thoroughly."""

    request: int
    asked: Asked
    found: Found
    rows: tuple[ResultRow, ...]
    deep: bool


@dataclass(frozen=True)
class Talk:
    """An opened conversation: what it is, the order of its messages, what it took, its system prompt's text."""

    conversation: Conversation
    outline: Outline
    usage: str = ""
    prompt: str = ""
    preview: str = ""

    @property
    def title(self) -> str:
        """Its title, else what the user began with; through the door."""
        about = self.conversation
        return one_line(about.title or self.preview) or one_line(about.root)

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of its sessions."""
        return self.conversation.ids


@dataclass(frozen=True)
class Part:
    """Messages of a conversation in a row, and as they are shown; `start` is the position of the first."""

    messages: tuple[Said, ...]
    blocks: tuple[Block, ...]
    start: int
    total: int
    bodies: Bodies = field(default_factory=dict)


@dataclass
class TalkOpened(Message):
    """A conversation was opened around a message, at its start or at its end (`at`)."""

    request: int
    talk: Talk
    part: Part
    anchor: int | None
    at: str


@dataclass
class PageRead(Message):
    """More of the open conversation: before (-1) or after (1) what was there."""

    request: int
    direction: int
    part: Part
    talk: Talk | None = None


@dataclass
class HitsKnown(Message):
    """All messages of the open conversation that match, in reading order."""

    request: int
    hits: tuple[int, ...]


@dataclass
class Restyled(Message):
    """What is held of the open conversation, in another form."""

    request: int
    blocks: tuple[Block, ...]
    bodies: Bodies


@dataclass
class JumpFound(Message):
    """Where a jump leads: a message of the open conversation, None when there is none; `why` says so."""

    request: int
    message_id: int | None
    why: str = ""


@dataclass
class TalkGrown(Message):
    """The open conversation has other messages now."""

    request: int
    talk: Talk


@dataclass
class DatabaseMoved(Message):
    """The database was written to, or replaced."""


@dataclass
class AskFailed(Message):
    """Something that was asked could not be answered; `about` is what (list, search, talk)."""

    request: int
    about: str
    error: WorkbenchError


@dataclass
class ReasoningIndexed(Message):
    """Our index of the reasoning has grown; `done` when it is up to date, `why` when it cannot be written."""

    done: bool
    why: str = ""


@dataclass
class SourcesKnown(Message):
    """The sources that occur in the database."""

    sources: tuple[str, ...]


@dataclass
class Exported(Message):
    """A file was written; `notes` say what the client could not import."""

    path: Path
    bytes: int
    notes: tuple[str, ...]


@dataclass
class ExportGrown(Message):
    """An export is under way: conversations begun, of how many, and bytes written."""

    path: Path
    begun: int
    of: int
    bytes: int


@dataclass
class WordsChosen(Message):
    """The rarest words of a text that somebody came from."""

    words: tuple[str, ...]
