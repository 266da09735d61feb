"""Verbs of the Sessions area that ask something first: filters, a jump, what hangs off a conversation, an export."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on, work
from textual.widget import Widget
from textual.worker import Worker

from workbench.errors import FileExists, WorkbenchError
from workbench.sessions.content import size_text
from workbench.sessions.errors import ExportStopped
from workbench.tui.keymap import shown
from workbench.tui.parts.plain import Plain
from workbench.tui.screen_text import one_line, safe
from workbench.tui.screens.sessions_live import SessionsLive
from workbench.tui.sessions_facts import export_to, sources_of
from workbench.tui.sessions_news import AskFailed, Exported, ExportGrown, SourcesKnown

if TYPE_CHECKING:
    from workbench.sessions.export_file import Steps
    from workbench.tui.screens.sessions_dialogs import ExportWish


class SessionsVerbs(SessionsLive):
    """What needs a dialog."""

    DEFAULT_CSS = """
    SessionsVerbs #exporting { height: 1; padding: 0 1; background: $panel; color: $foreground; display: none; }
    SessionsVerbs #exporting.-some { display: block; }
    """

    _steps: Steps | None = None  # of the export that is being written
    _writer: Worker[None] | None = None
    _wished: tuple[tuple[str, ...], ExportWish] | None = None

    def compose_area(self) -> Iterable[Widget]:
        """Below everything, how far an export is."""
        yield from super().compose_area()
        yield Plain(id="exporting")

    @property
    def exporting(self) -> bool:
        """Whether an export is being written."""
        return self._steps is not None

    def on_unmount(self) -> None:
        """Leaving does not wait for an export, and leaves no half of one behind."""
        super().on_unmount()
        if self._steps is not None:
            self._steps.stop.set()

    # -- filters ------------------------------------------------------------------------------------------------

    def do_filters(self) -> None:
        """Choose filters; the sources are asked of the database first."""
        if self.database is None or self.unreadable is not None:
            self._filters(())
            return
        self.inquire("interactive", "sources", sources_of, SourcesKnown, 0)

    @on(SourcesKnown)
    def sources_known(self, message: SourcesKnown) -> None:
        """Now they can be chosen from."""
        self._filters(message.sources)

    def _filters(self, sources: Sequence[str]) -> None:
        from workbench.tui.screens.sessions_dialogs import FiltersDialog, filters_of

        def chosen(text: str | None) -> None:
            if text is not None:
                self.search_for(replace(self.asked, filters=filters_of(text)))

        self.app.push_screen(FiltersDialog(self.asked.filters, sources), chosen)

    # -- jumping ------------------------------------------------------------------------------------------------

    def do_goto(self) -> None:
        """Ask for an id or a date."""
        from workbench.tui.screens.sessions_dialogs import AskDialog

        def typed(text: str | None) -> None:
            if text:
                self.ask_jump(text)

        lead = "A message id, or a date: 2025-10-11, 2025-10, 2025-10-11 14:30, 7d, yesterday."
        self.app.push_screen(AskDialog("go to", lead), typed)

    def do_related(self) -> None:
        """Choose a branch, a delegate, or what this came from."""
        from workbench.tui.parts.virtual_list import Row
        from workbench.tui.screens.sessions_dialogs import PickDialog

        if self.talk is None:
            return
        about = self.talk.conversation
        rows = []
        for each in (about.parent, *about.branches, *about.delegates):
            if each is not None:
                lead = f"{each.kind} of" if each is about.parent else each.kind
                rows.append(Row(each.id, f"{lead} · {one_line(each.title or each.id)} · {one_line(each.source)}"))

        def chosen(session_id: str | None) -> None:
            if session_id is not None:
                self.open_at(session_id, None, at="end", key=(session_id, None, self.asked.query))
                self.read_on(True)

        self.app.push_screen(PickDialog("related conversations", "What hangs off this conversation.", rows), chosen)

    # -- export -------------------------------------------------------------------------------------------------

    def do_export(self) -> None:
        """Write the open conversation, or stop the export that is being written."""
        if self._steps is not None:
            self._steps.stop.set()
            if self._writer is not None and self._writer.is_finished:
                self._export_over()  # its thread ended without a word
        elif self.talk is not None:
            about = self.talk.conversation
            self._export((about.asked,), f"One conversation: {self.talk.title}", _file_name(self.talk.title) + ".md")

    def do_export_all(self) -> None:
        """Write all results."""
        ids = tuple(each.session_id for each in self.results.values())
        more = f"; {shown('sessions.bottom')} in the list brings more" if len(ids) >= self.asked.limit else ""
        what = f"{len(ids):,} conversation{'' if len(ids) == 1 else 's'}, all that are listed{more}"
        self._export(ids, what, _file_name(self.asked.text or "search") + ".jsonl")

    def _export(self, ids: tuple[str, ...], what: str, name: str) -> None:
        from workbench.sessions.export import FORMATS
        from workbench.tui.screens.sessions_dialogs import ExportDialog

        forms = FORMATS if len(ids) == 1 else FORMATS[:2]

        def chosen(wish: ExportWish | None) -> None:
            if wish is not None:
                self._write(ids, wish, force=False)

        dialog = ExportDialog(what, name, forms=forms, folder=Path.cwd(), home=self.workspace.home)
        self.app.push_screen(dialog, chosen)

    def _write(self, ids: tuple[str, ...], wish: ExportWish, *, force: bool) -> None:
        from workbench.sessions.export_file import Steps

        def tell(begun: int, size: int) -> None:
            self.post_message(ExportGrown(wish.path, begun, len(ids), size))

        self._wished, self._steps = (ids, wish), Steps(wish.path, tell)
        self._writer = self._write_out(ids, wish, self._steps, undone=self.undone, force=force)
        self.refresh_keys()

    @work(thread=True, exit_on_error=False, group="export")
    def _write_out(self, ids: tuple[str, ...], wish: ExportWish, steps: Steps, *, undone: bool, force: bool) -> None:
        assert self.database is not None
        try:
            done = export_to(self.database, ids, self.workspace.home, wish, steps, undone=undone, force=force)
        except WorkbenchError as error:
            self.post_message(AskFailed(0, "export", error))
        else:
            self.post_message(Exported(wish.path, *done))

    @on(ExportGrown)
    def export_grown(self, message: ExportGrown) -> None:
        """Say how far it is, and how it ends early."""
        if self._steps is None:
            return
        name = one_line(message.path.name, masked=False)
        many = f"conversation {message.begun:,} of {message.of:,}, " if message.of > 1 else ""
        line = self.query_one("#exporting", Plain)
        line.say(f"{shown('sessions.export')} stops the export · {many}{size_text(message.bytes)} · {name}")
        line.set_class(True, "-some")

    def _export_over(self) -> None:
        self._steps = None
        self.query_one("#exporting").set_class(False, "-some")
        self.refresh_keys()

    @on(Exported)
    def exported(self, message: Exported) -> None:
        """Say where it is."""
        self._export_over()
        notes = "".join(f"\n{safe(note)}" for note in message.notes[:2])
        self.say(f"Written: {one_line(str(message.path), masked=False)}, {message.bytes:,} bytes.{notes}")

    def export_failed(self, message: AskFailed) -> None:
        """A file that is there is only replaced when somebody agrees."""
        from workbench.tui.parts.dialogs import ConfirmDialog

        self._export_over()
        wished = self._wished

        def agreed(yes: bool | None) -> None:
            if yes and wished is not None:
                self._write(*wished, force=True)

        if isinstance(message.error, FileExists):
            lead = f"{one_line(str(message.error.path), masked=False)} is there already. Replace it?"
            self.app.push_screen(ConfirmDialog("a file is there", lead, verb="replace it", danger=True), agreed)
        elif isinstance(message.error, ExportStopped):
            self.say(one_line(str(message.error), masked=False))
        else:
            self._error("nothing was exported", str(message.error))


def _file_name(title: str) -> str:
    """A title as a file's name: letters and digits of any script."""
    words = re.findall(r"\w+", one_line(title)[:60])
    return "-".join(words).lower() or time.strftime("conversation-%Y%m%d")
