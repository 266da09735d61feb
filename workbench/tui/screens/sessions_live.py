"""The open conversation followed while the agent writes in it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from textual import on, work
from textual.timer import Timer

from workbench.errors import WorkbenchError
from workbench.tui.parts.transcript_view import TranscriptView
from workbench.tui.screens.sessions_reading import SessionsReading
from workbench.tui.sessions_facts import read_talk
from workbench.tui.sessions_news import AskFailed, DatabaseMoved, Searched, TalkGrown
from workbench.watch.settle import Pace

if TYPE_CHECKING:
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

# Seconds between two looks at whether the agent has written, for what makes no event; only the times of the files are
# asked for. With events a look follows at once, though a busy agent, which writes all the time, causes no more than two
# a second.
POLL_SECONDS = 1.0
LOOK_SECONDS = 0.5
# Seconds after which a thorough search that was asked anew counts as lost.
_PATIENCE = 10.0


class SessionsLive(SessionsReading):
    """New messages appear without losing the place; at the end they are followed."""

    def __init__(self, workspace: Workspace, glyphs: Glyphs, now: float | None = None) -> None:
        super().__init__(workspace, glyphs, now)
        self._stamp: tuple[object, ...] | None = None
        self._pace = Pace(LOOK_SECONDS)
        self._next_look: Timer | None = None
        self._searching_since: float | None = None
        self._search_again = False

    def on_mount(self) -> None:
        """Look now and then whether the agent has written."""
        super().on_mount()
        if self.now is None:
            self.set_interval(POLL_SECONDS, self._look)

    def database_written(self) -> None:
        """An event of the files: look at once, or as soon as the last look is long enough ago."""
        self._look(told=True)

    def _look(self, *, told: bool = False) -> None:
        live = getattr(self.app, "live", None)
        if not self.is_current or self.database is None or (live is not None and live.paused):
            return
        wait = self._pace.wait(time.monotonic())
        if not wait:
            self._look_at_files(told)
        elif told and self._next_look is None:
            self._next_look = self.set_timer(wait, self._look_late)

    def _look_late(self) -> None:
        self._next_look = None
        self._look(told=True)

    @work(thread=True, exclusive=True, exit_on_error=False, group="poll")
    def _look_at_files(self, told: bool) -> None:
        """Whether anything was written, without opening anything; `told`: something was, also at the first look."""
        assert self.database is not None
        try:
            stamp = self.database.stamp()
        except WorkbenchError:
            return
        before, self._stamp = self._stamp, stamp
        # Also when a newer look has begun meanwhile: that one only knows what came after this.
        if before != stamp and (before is not None or told):
            self.post_message(DatabaseMoved())

    @on(DatabaseMoved)
    def database_moved(self) -> None:
        """Show what has come, without losing the place."""
        self._list_again()
        talk, number, undone = self.talk, self.opening, self.undone
        if talk is not None:
            asked = talk.conversation.asked
            self.inquire(
                "interactive",
                "grow",
                lambda db, cap: read_talk(db, cap, asked, undone=undone),
                lambda grown: TalkGrown(number, grown),
                number,
            )

    def _list_again(self) -> None:
        """Read the list anew; a search that takes longer than the agent pauses is let come to its end first."""
        now, since = time.monotonic(), self._searching_since
        if self.asked.empty:
            self._searching_since = None
        elif since is not None and now < since + _PATIENCE:
            self._search_again = True
            return
        else:
            self._searching_since = now
        self.refresh_list()

    @on(Searched)
    @on(AskFailed)
    def list_answered(self, message: Searched | AskFailed) -> None:
        """A thorough search has ended: what was written meanwhile is looked for now."""
        if isinstance(message, Searched) and not message.deep:
            return
        self._searching_since = None
        if self._search_again:
            self._search_again = False
            self.set_timer(LOOK_SECONDS, self._list_again)

    @on(TalkGrown)
    def talk_grown(self, message: TalkGrown) -> None:
        """New messages at the end are followed, or announced; anything else is read anew around the current one."""
        if message.request != self.opening or self.talk is None:
            return
        before, now = self.talk.outline.ids, message.talk.outline.ids
        following = self.transcript.at_end
        self.talk = message.talk
        if now == before:
            self._say_talk()
            return
        self.hits = None
        if now[: len(before)] != before or not before:
            current = self.transcript.current
            self.open_at(self.talk.conversation.asked, current if current in now else None)
            return
        self._to_end = following
        self.fresh += 0 if following else len(now) - len(before)
        self.transcript.total += len(now) - len(before)
        self._ask_hits()
        self._say_talk()
        if following:
            self.more_wanted(TranscriptView.Wanted(self.transcript, 1))
