"""What the Sessions area shows on its left: the search and its results, or recent conversations; layout and asking."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from textual import events, on, work
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from workbench.errors import WorkbenchError
from workbench.sessions.errors import DatabaseBusy, DatabaseUnreadable, Superseded
from workbench.tui.parts.plain import Plain, entitle
from workbench.tui.parts.result_list import ResultList, ResultRow
from workbench.tui.parts.search_line import SearchLine
from workbench.tui.parts.transcript_view import TranscriptView
from workbench.tui.screen_text import one_line, safe
from workbench.tui.screens.area import Unavailable, header_facts
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.two_panes import TwoPanes, panes_css
from workbench.tui.sessions_facts import AT_ONCE, RECENT, answer, index_reasoning, recent_rows
from workbench.tui.sessions_news import Asked, AskFailed, HomeRead, ReasoningIndexed, RecentRead, Searched

if TYPE_CHECKING:
    import sqlite3

    from workbench.sessions.browse import Cursor
    from workbench.sessions.database import Database
    from workbench.sessions.found import Found, Result
    from workbench.sessions.schema import Capability
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

T = TypeVar("T")
# Seconds without a key before the thorough pass, and before the conversation under the cursor is opened beside it.
PAUSE, REST = 0.16, 0.07
# Seconds after the rows of an answer, until what is said around them follows.
AROUND = 0.02
# While somebody types, the keys come first.
TYPING_REST = 0.5
# Seconds that our index of the reasoning may grow before other questions have their turn.
SLICE = 0.4
# Seconds after which a locked database is asked again.
BUSY_AGAIN = 2.0
ORDERS = ("relevance", "newest", "oldest")
EMPTY = (
    "No sessions yet. Here stands every conversation with the agent, once there is one: it writes them into state.db "
    "by itself. Start one with `hermes`, or look at a made-up home with `workbench demo`."
)
# Below a search that has looked everywhere.
NONE = (
    "Nothing that was said, and no title, has all of this in one message. Fewer words find more; so do the beginning "
    "of a word (dep*) and one of two (docker OR podman)."
)
# Below one whose last word has just been begun.
BEGUN = "Nothing has “{}” as a word of its own. From the third letter on, words that begin so are found as well."
# Below one that has found what is not listed, with the filters that list it.
HIDDEN = "All that has this is hidden; {} in the query shows it."


class SessionsView(TwoPanes):
    """Lists and their searching. Only handlers of messages touch widgets; the database's threads answer."""

    AREA = "sessions"
    AUTO_FOCUS = "#results"
    DEFAULT_CSS = (
        panes_css("SessionsView", "found", "talk", "width: 36%; min-width: 40;")
        + """
    SessionsView #lineage { height: auto; max-height: 3; padding: 0 1; color: $wb-muted; display: none; }
    SessionsView #lineage.-some { display: block; }
    SessionsView #fresh { height: 1; padding: 0 1; background: $panel; color: $warning; display: none; }
    SessionsView #fresh.-some { display: block; }
    SessionsView #none { height: auto; padding: 1 2; color: $wb-muted; display: none; }
    SessionsView #none.-some { display: block; }
    SessionsView #nothing { height: 1fr; }
    """
    )

    def __init__(self, workspace: Workspace, glyphs: Glyphs, now: float | None = None) -> None:
        super().__init__(workspace, glyphs, now)
        self.database: Database | None = None
        self.asked = Asked()
        self.found: Found | None = None
        self.results: Mapping[str, Result] = {}
        self.hidden: Mapping[str, int] = {}
        self.following: Cursor | None = None
        self.unreadable: WorkbenchError | None = None
        self.listing = 0  # the number of the newest question about the list
        self._loading = False
        self._pause: Timer | None = None
        self._indexing = False
        self._failure = ""

    def compose_area(self) -> Iterable[Widget]:
        """The search, the results, the conversation."""
        yield SearchLine()
        yield Plain(EMPTY, id="nothing")
        with Horizontal(id="panes"):
            with Vertical(id="found") as found:
                found.border_title = Content("recent conversations")
                yield Plain(NONE, id="none")
                yield ResultList(glyphs=self.glyphs, id="results")
            with Vertical(id="talk"):
                yield Plain(id="lineage")
                yield TranscriptView(glyphs=self.glyphs, id="transcript")
                yield Plain(id="fresh")

    @property
    def list(self) -> ResultList:
        """The conversations."""
        return self.query_one(ResultList)

    @property
    def transcript(self) -> TranscriptView:
        """The one that is read."""
        return self.query_one(TranscriptView)

    @property
    def line(self) -> SearchLine:
        """The search."""
        return self.query_one(SearchLine)

    @property
    def moment(self) -> float:
        """Now, in Unix seconds."""
        return self.now if self.now is not None else self.workspace.clock()

    @property
    def right(self) -> Widget:
        """The conversation."""
        return self.transcript

    # -- asking -------------------------------------------------------------------------------------------------

    def inquire(
        self,
        lane: str,
        topic: str,
        question: Callable[[sqlite3.Connection, Capability], T],
        made: Callable[[T], Message],
        request: int,
    ) -> None:
        """Ask the database in one of its threads; a newer question of the same topic takes the place of this one."""
        if self.database is not None:
            # Put into the lane from here, so that the order of the questions is the order of the keys.
            self._wait(topic, self.database.run(lane, question, topic=topic), made, request)

    def _wait(self, topic: str, future: Future[T], made: Callable[[T], Message], request: int) -> None:
        waiting = partial(self._answered, topic, future, made, request)
        self.run_worker(waiting, thread=True, exclusive=True, exit_on_error=False, group=topic)

    def _answered(self, topic: str, future: Future[Any], made: Callable[[Any], Message], request: int) -> None:
        try:
            result = future.result()
        except Superseded:
            return
        except WorkbenchError as error:
            self.post_message(AskFailed(request, topic, error))
            return
        if not cancelled():
            self.post_message(made(result))

    def on_unmount(self) -> None:
        """Leaving does not wait for a question nobody needs an answer to any more."""
        if self.database is not None:
            self.database.interrupt()

    # -- reading ------------------------------------------------------------------------------------------------

    def load(self, request: int) -> None:
        """Look at the home, then at its database."""
        self._read(request)

    @work(thread=True, exclusive=True, exit_on_error=False, group="home")
    def _read(self, request: int) -> None:
        try:
            read = HomeRead(request, header_facts(self.workspace, self.now), self.workspace.sessions)
        except WorkbenchError as error:
            self.post_message(Unavailable(request, error))
            return
        if not cancelled():
            self.post_message(read)

    @on(HomeRead)
    def home_read(self, message: HomeRead) -> None:
        """Ask for what is to be shown."""
        if message.request != self.request:
            return
        self.show_header(message.header)
        self.database = message.database
        self.refresh_list()
        self.home_known()

    def home_known(self) -> None:
        """The database can be asked now."""

    def refresh_list(self) -> None:
        """Ask anew for what the list shows; the cursor stays where it is."""
        if self.asked.empty:
            self._ask_recent(first=True, most=max(RECENT, len(self.list.rows)))
        else:
            self._search(deep=True)

    def _ask_recent(self, *, first: bool, most: int = RECENT) -> None:
        self.listing += 1
        number, now, cursor = self.listing, self.moment, None if first else self.following
        self._loading = True
        self.inquire(
            "interactive",
            "list",
            lambda db, cap: recent_rows(db, cap, cursor, most, now),
            lambda found: RecentRead(number, *found, first),
            number,
        )

    @on(RecentRead)
    def recent_read(self, message: RecentRead) -> None:
        """Show a page of recent conversations."""
        if message.request != self.listing or not self.asked.empty:
            return
        self._loading = False
        self.found, self.results = None, {}
        self.following = message.following
        rows: tuple[ResultRow, ...] = message.rows
        if message.first:
            self.hidden = message.hidden
        else:
            known = {row.id for row in self.list.rows}
            rows = (*_results(self.list), *(row for row in rows if row.id not in known))
        self._show(rows, None)

    def _show(self, rows: tuple[ResultRow, ...], cursor: str | None) -> None:
        self.unreadable, self._failure = None, ""
        self.set_class(not rows and self.asked.empty, "-nothing")
        if not rows and self.asked.empty:
            self.query_one("#nothing", Plain).say(EMPTY)
        self.list.set_rows(rows, cursor=cursor)
        # The rows come first: what is said around them has a frame of its own.
        self.set_timer(AROUND, partial(self._tell, self.listing))

    def _tell(self, listing: int) -> None:
        if listing == self.listing:
            found = self.query_one("#found")
            # The quick answer of each key is in the order of time: a title that says so would flicker.
            if self._pause is None or self.found is None or "results" not in (found.border_title or ""):
                entitle(found, title=self._list_title())
            self.list_shown()
            self.say_found()
            self.refresh_keys()

    def _list_title(self) -> str:
        return "recent conversations" if self.asked.empty else f"results · {self.order_shown}"

    @property
    def order_shown(self) -> str:
        """The order the results are in, which a thorough pass may still change."""
        found = self.found
        return found.ordered if found is not None and (found.results or not found.complete) else self.asked.order

    def list_shown(self) -> None:
        """Other rows are in the list."""

    @on(ResultList.Scrolled)
    def list_scrolled(self) -> None:
        """Read on in time."""
        if self._loading or not self.list.rows or not self.list.near_end():
            return
        if self.asked.empty:
            if self.following is not None:
                self._ask_recent(first=False)
        elif len(self.list.rows) >= self.asked.limit:
            self.asked = Asked(self.asked.text, self.asked.filters, self.asked.order, self.asked.limit * 3)
            self._loading = True
            self._search(deep=True, quick=False)

    # -- searching ----------------------------------------------------------------------------------------------

    @on(SearchLine.Typed)
    def typed(self, message: SearchLine.Typed) -> None:
        """The newest matches at every key, everything else after a pause."""
        if message.text != self.asked.text:
            self.search_for(Asked(message.text, self.asked.filters, self.asked.order))

    def search_for(self, asked: Asked) -> None:
        """Show what another query finds; without one, recent conversations."""
        self.asked = asked
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
        if self.database is not None:
            # What an older text is still asked thoroughly would only hold up the rows of this one.
            self.database.interrupt("background", "deep")
        if asked.empty:
            self.found = None
            self._ask_recent(first=True)
            return
        self._search(deep=False)
        self._pause = self.set_timer(PAUSE, self._paused)

    def _paused(self) -> None:
        self._pause = None
        self._search(deep=True, quick=False)

    def _search(self, *, deep: bool, quick: bool = True) -> None:
        """Ask in both threads, or in one; answers to older questions are dropped."""
        if quick:
            self.listing += 1
        number, asked, home, now = self.listing, self.asked, self.workspace.home, self.moment
        for thorough in (False, True):
            if (thorough and not deep) or (not thorough and not quick):
                continue
            self.inquire(
                "background" if thorough else "interactive",
                "deep" if thorough else "list",
                partial(answer, asked=asked, home=home, now=now, deep=thorough),
                partial(_answer_made, number, asked, thorough),
                number,
            )

    @on(Searched)
    def searched(self, message: Searched) -> None:
        """Show what was found; what a thorough pass adds comes in place, without moving the selection."""
        if message.request != self.listing or message.asked != self.asked:
            return
        if not message.deep and self.found is not None and self._answered_deeply(message.asked):
            return  # the list was only asked anew, and knows more than a quick look
        self._loading = False
        other = self.found is None or self.found.query != message.found.query
        self.found = message.found
        self._deep_for = message.asked if message.deep else None
        self.results = {each.root_id: each for each in message.found.results}
        self._show(message.rows, message.rows[0].id if other and message.rows else None)
        if message.deep:
            self._grow_reasoning()

    _deep_for: Asked | None = None

    def _answered_deeply(self, asked: Asked) -> bool:
        return self._deep_for == asked

    def say_found(self) -> None:
        """The count, the filters and what has to be said about the answer."""
        chips = [("in" if name == "in" else name, one_line(value)) for name, value in self.asked.filters.items()]
        found, notes = self.found, []
        if self.asked.empty:
            shown = sum(1 for row in self.list.rows if row.look != "faint")
            parts = [f"{shown:,}{'+' if self.following is not None else ''} conversation{'' if shown == 1 else 's'}"]
            last = self.hidden.get("cron", 0)
            parts += [f"{last:,} cron, last"] if last else []
            hidden = {name: count for name, count in self.hidden.items() if name != "cron"}
        elif found is None:
            parts, hidden = ["searching"], {}
        else:
            limit = self.asked.limit if self._answered_deeply(self.asked) else min(self.asked.limit, AT_ONCE)
            many = "" if found.complete and len(found.results) < limit else "+"
            count = len(found.results)
            parts = [f"{count:,}{many if count else ''} conversation{'' if count == 1 and not many else 's'}"]
            parts += [f"{found.hits:,}{many} hit{'' if found.hits == 1 and not many else 's'}"] if found.hits else []
            hidden = dict(found.hidden)
            notes = [safe(said) for said in (found.banner, found.note) if said]
            parts += [] if found.complete or found.engine == "none" else ["looking further"]
        if any(hidden.values()):
            named = ", ".join(f"{count:,} {one_line(name)}" for name, count in sorted(hidden.items()) if count)
            parts.append(f"hidden: {named}")
        if self._failure:
            notes.append(self._failure)
        said = " · ".join(parts)
        entitle(self.query_one("#found"), subtitle=said if self.compact else "")
        self.line.say("" if self.compact else said, chips, notes)

    # -- the index of the reasoning -----------------------------------------------------------------------------

    def _grow_reasoning(self) -> None:
        """Build our own index in slices, while somebody looks for what it holds."""
        asked = self.asked
        if self.workspace.read_only or self._indexing or not asked.parsed(self.moment).reasoning:
            return
        if self.found is None or self.found.complete:
            return
        self._indexing = True
        home = self.workspace.home
        self.inquire(
            "background",
            "reasoning",
            lambda db, cap: index_reasoning(db, cap, home, SLICE),
            lambda done: ReasoningIndexed(*done),
            self.listing,
        )

    @on(ReasoningIndexed)
    def reasoning_indexed(self, message: ReasoningIndexed) -> None:
        """Search again in what has been indexed; that leads to the next slice."""
        self._indexing = False
        if message.why:
            self._failure = f"the reasoning cannot be indexed ({safe(message.why)})"
            self.say_found()
        elif self.asked.parsed(self.moment).reasoning:
            self._search(deep=True, quick=False)

    # -- what goes wrong ----------------------------------------------------------------------------------------

    @on(AskFailed)
    def ask_failed(self, message: AskFailed) -> None:
        """A database that cannot be read is a state of the screen, not an accident."""
        error = message.error
        if message.about == "export":
            self.export_failed(message)
            return
        self._loading = False
        if message.about == "reasoning":
            self._indexing = False
        if isinstance(error, DatabaseUnreadable) and not self.list.rows:
            self.unreadable = error
            self.set_class(True, "-nothing")
            self.query_one("#nothing", Plain).say(_sentence(error))
            self.line.say("", [], [])
            self.list.set_rows(())
        else:
            self._failure = safe(str(error))
            self.say_found()
            if isinstance(error, DatabaseBusy):
                self.set_timer(BUSY_AGAIN, self.refresh_list)
        self.refresh_keys()

    def export_failed(self, message: AskFailed) -> None:
        """Nothing was written."""

    def fit(self, width: int, height: int) -> None:
        """The count stands where there is room for all of it."""
        self.say_found()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The box of the search has keys of its own; what the base does of the panes comes too."""
        self.refresh_keys()


def _answer_made(number: int, asked: Asked, deep: bool, found: tuple[Found, tuple[ResultRow, ...]]) -> Searched:
    return Searched(number, asked, *found, deep)


def _results(rows: ResultList) -> tuple[ResultRow, ...]:
    return tuple(row for row in rows.rows if isinstance(row, ResultRow))


def _sentence(error: DatabaseUnreadable) -> str:
    if error.why in ("missing", "empty"):
        return f"{error}\n\n{EMPTY}"
    return f"{safe(str(error))}\n\nIt is looked at again whenever it changes; the other areas work all the same."
