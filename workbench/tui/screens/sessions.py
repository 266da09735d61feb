"""The Sessions area: what its keys do, and why one may do nothing now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType

from workbench.text import find_secrets
from workbench.tui.actions import bindings
from workbench.tui.keymap import shown
from workbench.tui.parts.search_line import SearchLine
from workbench.tui.parts.talk_lines import TOOLS
from workbench.tui.parts.transcript_view import TranscriptView
from workbench.tui.parts.virtual_list import VirtualList
from workbench.tui.screens.sessions_verbs import SessionsVerbs
from workbench.tui.screens.sessions_view import ORDERS
from workbench.tui.sessions_news import Asked, WordsChosen

if TYPE_CHECKING:
    from workbench.sessions.rows import Message as Said

ALWAYS = frozenset({"help", "quit", "find", "filters", "keep", "close"})
# What acts on the conversation that is open, and on one message of it.
ON_TALK = frozenset(
    {"next_turn", "previous_turn", "goto", "part_up", "part_down", "related", "tools", "thoughts", "copy_id", "export"}
)
ON_MESSAGE = frozenset({"reveal", "copy"})


class SessionsScreen(SessionsVerbs):
    """The verbs over conversations."""

    SCOPES = ("sessions", "app")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("sessions", "app")]

    @property
    def typing(self) -> bool:
        """Whether keys are letters now."""
        return self.line.box.has_focus

    @property
    def key_scopes(self) -> tuple[str, ...]:
        """While a search is typed, its keys."""
        return ("find",) if self.typing else self.SCOPES

    @property
    def key_labels(self) -> Mapping[str, str]:
        """What a key means here and now."""
        tools = TOOLS[(TOOLS.index(self.look.tools) + 1) % len(TOOLS)]
        order = ORDERS[(ORDERS.index(self.asked.order) + 1) % len(ORDERS)]
        return {
            "keep": "to the results",
            "close": "leave the box",
            "open": "unfold" if self.reading else "read",
            "view": ("hide undone" if self.undone and self._some_undone else "undone") if self.reading else order,
            "tools": f"tools {tools}",
            "thoughts": "hide reasoning" if self.look.reasoning else "reasoning",
            "reveal": "mask" if self.transcript.current in self.look.revealed else "reveal",
            "pane": "list" if self.reading else "read",
            "export": "stop export" if self.exporting else "export",
        }

    @property
    def _some_undone(self) -> bool:
        return self.talk is not None and bool(self.talk.outline.undone)

    @property
    def message(self) -> Said | None:
        """The message that keys act on."""
        return self.said.get(self.transcript.current or 0)

    # -- why not ------------------------------------------------------------------------------------------------

    def why_disabled(self, action_id: str) -> str:
        """The reason a key does nothing now; "" when it works."""
        if action_id == "area_sessions":
            return "This is the Sessions area."
        if action_id in ALWAYS or action_id.startswith("area_"):
            return ""
        if action_id == "back":
            return "" if self._back_to() else f"This is the outermost level; {shown('app.quit')} quits."
        return self._why_nothing_here() or self._why_not_now(action_id)

    def _why_nothing_here(self) -> str:
        if self.unreadable is not None:
            return "state.db cannot be read; the area says why."
        if self.database is None:
            return "The home is still being read."
        return "" if self.list.rows else "No conversation is listed here."

    def _why_not_now(self, action_id: str) -> str:
        if action_id in ("export", "export_all") and self.workspace.read_only:
            return "Opened with --read-only: nothing is written, no export either."
        if self.exporting and action_id in ("export", "export_all"):
            stop = f"An export is being written; {shown('sessions.export')} stops it."
            return "" if action_id == "export" else stop
        if action_id in ("next", "previous"):
            return "Nothing is being searched; / starts." if self.asked.empty else ""
        if action_id == "export_all" and self.asked.empty:
            return "Nothing is searched; x exports the conversation, / finds several to export."
        if action_id == "view" and not self.reading and self.asked.empty:
            return "Recent conversations have one order, the newest first; a search has three."
        if action_id in ON_TALK | ON_MESSAGE and self.talk is None:
            return "No conversation is open; enter opens the one under the cursor."
        return self._why_not_read(action_id)

    def _why_not_read(self, action_id: str) -> str:
        talk = self.talk
        if talk is None:
            return ""
        about = talk.conversation
        match action_id:
            case "view" if self.reading and not self._some_undone:
                return "Nothing was taken back in this conversation."
            case "part_up" | "part_down" if len(about.segments) < 2:
                return "This conversation was never compressed: it is one session."
            case "part_up" if self.segment == 0:
                return "This is the first session of the conversation."
            case "part_down" if self.segment + 1 >= len(about.segments):
                return "This is the last session of the conversation."
            case "related" if not (about.branches or about.delegates or about.parent):
                return "No branch and no delegate hangs off this conversation."
            case "reveal" if (block := self.transcript.current_block) is None or not block.secret:
                return "The current message holds no credential."
            case "copy" if self.message is None:
                return "No message is the current one."
            case "copy" if (said := self.message) is not None and not (said.text or said.calls):
                return "The current message has no text."
            case "next_turn" | "previous_turn" | "goto" if not len(talk.outline):
                return "This conversation has no messages."
        return ""

    # -- moving -------------------------------------------------------------------------------------------------

    def do_down(self) -> None:
        """Next conversation, or a line down."""
        self.transcript.scroll_lines(1) if self.reading else self.list.move(1)

    def do_up(self) -> None:
        """Previous conversation, or a line up."""
        self.transcript.scroll_lines(-1) if self.reading else self.list.move(-1)

    def do_half_down(self) -> None:
        """Half a screen down."""
        self.transcript.scroll_half(1) if self.reading else self.list.move_half(1)

    def do_half_up(self) -> None:
        """Half a screen up."""
        self.transcript.scroll_half(-1) if self.reading else self.list.move_half(-1)

    def do_top(self) -> None:
        """The first conversation, or the beginning of this one."""
        self.to_end(-1) if self.reading else self.list.move(-len(self.list.rows))

    def do_bottom(self) -> None:
        """The last conversation listed so far, or the end of this one."""
        self.to_end(1) if self.reading else self.list.move(len(self.list.rows))

    def do_open(self) -> None:
        """Read the conversation; in it, unfold the current message."""
        if not self.reading:
            self.open_row()
            self.read_on(True)
            return
        current = self.transcript.current
        if current is not None:
            self.restyle(replace(self.look, opened=self.look.opened ^ {current}))

    @on(VirtualList.Opened)
    @on(TranscriptView.Opened)
    def opened(self) -> None:
        """A double click."""
        self.action_run("open")

    def do_pane(self) -> None:
        """The other pane."""
        if self.reading:
            self.set_class(False, "-zoomed")
            self.read_on(False)
        else:
            self.open_row()
            self.read_on(True)

    do_pane_back = do_pane

    def do_zoom(self) -> None:
        """The conversation over the whole screen, and back."""
        if not self.zoomed:
            self.open_row()
        self.zoom(not self.zoomed)

    def _back_to(self) -> str:
        """What one level back would end: "" at the outermost level."""
        if self.typing:
            return "box"
        if self.zoomed:
            return "zoom"
        if self.reading:
            return "reading"
        return "" if self.asked.empty else "search"

    def do_back(self) -> None:
        """One level back; never quits."""
        match self._back_to():
            case "box":
                self.read_on(False)
            case "zoom":
                self.zoom(False)
            case "reading":
                self.read_on(False)
            case "search":
                self.line.box.value = ""
                self.search_for(Asked("", {}, self.asked.order))

    # -- searching ----------------------------------------------------------------------------------------------

    def do_find(self) -> None:
        """Type what is searched."""
        self.set_class(False, "-reading")
        self.zoom(False)
        self.set_focus(self.line.box)
        self.refresh_keys()

    @on(SearchLine.Kept)
    def search_kept(self) -> None:
        """Back to the results."""
        self.read_on(False)

    def do_keep(self) -> None:
        """Enter in the box, by mouse."""
        self.read_on(False)

    def do_close(self) -> None:
        """Escape in the box, by mouse."""
        self.read_on(False)

    def do_view(self) -> None:
        """In the list another order; in a conversation, what was taken back."""
        if self.reading:
            self.undone = not self.undone
            assert self.talk is not None
            self.open_at(self.talk.conversation.asked, self.transcript.current)
            return
        order = ORDERS[(ORDERS.index(self.asked.order) + 1) % len(ORDERS)]
        self.search_for(replace(self.asked, order=order))

    def do_next(self) -> None:
        """The next hit, here or in the next conversation."""
        self._step(1)

    def do_previous(self) -> None:
        """The previous hit, here or in the previous conversation."""
        self._step(-1)

    def _step(self, direction: int) -> None:
        row = self.list.cursor_id
        if self.compact and not self.reading:
            self.read_on(True)
        if self.open_key is None or self.open_key[0] != row:
            self.open_row()
            return
        if self.step_hit(direction):
            return
        self.list.move(direction)
        if self.list.cursor_id == row:
            self.say("That was the last hit." if direction > 0 else "That was the first hit.")
        else:
            self.open_row()

    def look_for(self, words: tuple[str, ...]) -> None:
        """Search for any of these words, the best match first."""
        text = " OR ".join(words)
        self.line.box.value = text
        self.search_for(Asked(text, {}, "relevance"))

    @on(WordsChosen)
    def words_chosen(self, message: WordsChosen) -> None:
        """What an entry was come from with."""
        if message.words:
            self.look_for(message.words)
        else:
            self.say("None of its words occurs in any conversation.")

    # -- one conversation ---------------------------------------------------------------------------------------

    def do_next_turn(self) -> None:
        """The user's next turn."""
        self.ask_turn(1)

    def do_previous_turn(self) -> None:
        """The user's previous turn."""
        self.ask_turn(-1)

    def do_part_up(self) -> None:
        """The session before, of the same conversation."""
        self._part(self.segment - 1)

    def do_part_down(self) -> None:
        """The session after, of the same conversation."""
        self._part(self.segment + 1)

    def _part(self, number: int) -> None:
        lines = self.talk.outline if self.talk is not None else None
        if lines is not None and 0 <= number < len(lines.starts):
            first, after = lines.bounds(number)
            if first < after:
                self.go_to_message(lines.ids[first])

    def do_tools(self) -> None:
        """Tools as one line each, in full, or not at all."""
        tools = TOOLS[(TOOLS.index(self.look.tools) + 1) % len(TOOLS)]
        self.restyle(replace(self.look, tools=tools))

    def do_thoughts(self) -> None:
        """What the agent thought, or not."""
        self.restyle(replace(self.look, reasoning=not self.look.reasoning))

    def do_reveal(self) -> None:
        """Show or mask the credentials of the current message."""
        current = self.transcript.current
        if current is not None:
            self.restyle(replace(self.look, revealed=self.look.revealed ^ {current}))

    def do_copy_id(self) -> None:
        """Copy the command that goes on with this conversation."""
        if self.talk is not None:
            command = f"hermes --resume {self.talk.conversation.tip.id}"
            self.app.copy_to_clipboard(command)
            self.say(f"Copied: {command}")

    def do_copy(self) -> None:
        """Copy the message's text; asks when that shows a credential."""
        from workbench.tui.parts.dialogs import ConfirmDialog

        message = self.message
        if message is None:
            return
        # Many a message of the agent says nothing and only calls tools.
        text = message.text or "\n".join(f"{call.name} {call.arguments}" for call in message.calls)

        def copied(yes: bool | None) -> None:
            if yes and message is not None:
                self.app.copy_to_clipboard(text)
                cut = "; the rest is only in an export" if message.more else ""
                self.say(f"Copied: {len(text):,} characters{cut}.")

        if message.id not in self.look.revealed and find_secrets(text):
            lead = "The message holds a credential. Copy it unmasked?"
            self.app.push_screen(ConfirmDialog("a credential", lead, verb="copy"), copied)
        else:
            copied(True)
