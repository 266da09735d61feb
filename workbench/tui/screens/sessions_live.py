"""The open conversation followed while the agent writes in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on, work

from workbench.errors import WorkbenchError
from workbench.tui.parts.transcript_view import TranscriptView
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.sessions_reading import SessionsReading
from workbench.tui.sessions_facts import read_talk
from workbench.tui.sessions_news import DatabaseMoved, TalkGrown

if TYPE_CHECKING:
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

# Seconds between two looks at whether the agent has written; only the times of the files are asked for.
POLL_SECONDS = 1.0


class SessionsLive(SessionsReading):
    """New messages appear without losing the place; at the end they are followed."""

    def __init__(self, workspace: Workspace, glyphs: Glyphs, now: float | None = None) -> None:
        super().__init__(workspace, glyphs, now)
        self._stamp: tuple[object, ...] | None = None

    def on_mount(self) -> None:
        """Look now and then whether the agent has written."""
        super().on_mount()
        if self.now is None:
            self.set_interval(POLL_SECONDS, self._look)

    def _look(self) -> None:
        live = getattr(self.app, "live", None)
        if self.is_current and self.database is not None and not (live is not None and live.paused):
            self._look_at_files()

    @work(thread=True, exclusive=True, exit_on_error=False, group="poll")
    def _look_at_files(self) -> None:
        """Whether anything was written, without opening anything."""
        assert self.database is not None
        try:
            stamp = self.database.stamp()
        except WorkbenchError:
            return
        before, self._stamp = self._stamp, stamp
        if before is not None and before != stamp and not cancelled():
            self.post_message(DatabaseMoved())

    @on(DatabaseMoved)
    def database_moved(self) -> None:
        """Show what has come, without losing the place."""
        self.refresh_list()
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
