"""The right half of the Sessions area: a conversation opened around a message, read both ways."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual import on, work
from textual.content import Content
from textual.timer import Timer

from workbench.sessions.query import begun
from workbench.tui.parts.plain import Plain, entitle
from workbench.tui.parts.talk_layout import bodies
from workbench.tui.parts.talk_lines import PROMPT_ID, Block, Look, blocks, prompt_block
from workbench.tui.parts.transcript_view import TranscriptView
from workbench.tui.parts.virtual_list import VirtualList
from workbench.tui.screen_text import one_line
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.sessions_view import BEGUN, HIDDEN, NONE, REST, TYPING_REST, SessionsView
from workbench.tui.sessions_facts import (
    day,
    first_hit,
    hits_of,
    jump,
    look_with,
    more_of,
    neighbour,
    open_talk,
    rarest_words,
)
from workbench.tui.sessions_news import (
    Asked,
    AskFailed,
    DatabaseMoved,
    HitsKnown,
    JumpFound,
    PageRead,
    Part,
    Restyled,
    Talk,
    TalkOpened,
    WordsChosen,
)

if TYPE_CHECKING:
    from workbench.sessions.rows import Message as Said
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace


class SessionsReading(SessionsView):
    """The conversation under the cursor, beside the list or instead of it."""

    def __init__(self, workspace: Workspace, glyphs: Glyphs, now: float | None = None) -> None:
        super().__init__(workspace, glyphs, now)
        self.talk: Talk | None = None
        self.said: dict[int, Said] = {}
        self.look = Look()
        self.wanted_text = ""  # a text whose rarest words are to be searched
        self.undone = False  # whether what was taken back is shown
        self.hits: tuple[int, ...] | None = None  # None: not known yet
        self.visited: set[int] = set()
        self._way = 1  # the direction of the last step from hit to hit
        self.fresh = 0
        self.opening = 0
        self.open_key: tuple[str, int | None, str] | None = None
        self._place = ""
        self._said_lineage = ("", 0)
        self._turning: set[int] = set()
        self._to_end = False
        self._rest: Timer | None = None
        self._rested_at: tuple[str | None, str, bool] | None = None

    def home_known(self) -> None:
        """Somebody may have come from a text, to look for it."""
        text, self.wanted_text = self.wanted_text, ""
        if text and self.database is not None:
            self.inquire("interactive", "words", lambda db, cap: rarest_words(db, cap, text), WordsChosen, self.request)

    # -- opening ------------------------------------------------------------------------------------------------

    @on(VirtualList.CursorMoved, "#results")
    def cursor_moved(self) -> None:
        """Open what stands under the cursor beside the list, when it has come to rest."""
        here = (self.list.cursor_id, self.asked.query, self.compact and not self.reading)
        if here == self._rested_at:
            return  # the list was only read anew, or refined: what is open stays open
        self._rested_at = here
        if self._rest is not None:
            self._rest.stop()
            self._rest = None
        if not self.compact or self.reading:
            typing = self.line.box.has_focus
            self._rest = self.set_timer(TYPING_REST if typing else REST, self._rested)
        self.refresh_keys()

    def search_for(self, asked: Asked) -> None:
        """Another text to look for: what stands under the cursor is opened once the typing rests."""
        if self._rest is not None:
            self._rest.reset()
        super().search_for(asked)

    def _rested(self) -> None:
        self._rest = None
        self.open_row()

    @property
    def quiet(self) -> bool:
        """Whether nothing waits for a pause in the keys."""
        return self._pause is None and self._rest is None

    def list_shown(self) -> None:
        """An emptied list leaves no conversation beside it, and says what else could be tried."""
        found = self.found
        nothing = not self.list.rows and found is not None and found.complete and found.engine != "none"
        none = self.query_one("#none", Plain)
        none.set_class(nothing, "-some")
        if nothing and found is not None:
            filters = " ".join(f"source:{one_line(name)}" for name, count in sorted(found.hidden.items()) if count)
            word = one_line(begun(self.asked.text))
            none.say(HIDDEN.format(filters) if filters else BEGUN.format(word) if word else NONE)
        if not self.list.rows:
            self.opening += 1
            self.talk, self.open_key, self.hits = None, None, None
            self.transcript.show((), 0, 0)
            self._say_talk()

    def open_row(self) -> None:
        """Open the conversation under the cursor around its first hit, or at its end."""
        row = self.list.cursor_id
        if row is None:
            return
        hit = first_hit(self.results.get(row))
        anchor = hit.message_id if hit is not None else None
        key = (row, anchor, self.asked.query)
        if key == self.open_key:
            return
        found = self.results.get(row)
        self.open_at(found.session_id if found is not None else row, anchor, key=key)

    def open_at(
        self, session_id: str, anchor: int | None, *, at: str = "anchor", key: tuple[str, int | None, str] | None = None
    ) -> None:
        """Open a conversation around a message, at its start or its end; the same one again keeps what was opened."""
        self.opening += 1
        self.open_key = key if key is not None else self.open_key
        same = self.talk is not None and session_id in self.talk.names
        query = self.asked.parsed(self.moment) if not self.asked.empty else None
        kept = self.look if same else replace(self.look, revealed=frozenset(), opened=frozenset())
        self.look = look_with(replace(kept, width=self.transcript.scrollable_content_region.width), query)
        if not same or key is not None:
            self.hits, self.visited = None, set()
        if at == "anchor" and anchor is None:
            at = "end"
        number, look, undone = self.opening, self.look, self.undone
        self._turning = set()
        self.inquire(
            "interactive",
            "talk",
            lambda db, cap: open_talk(db, cap, session_id, anchor, at, look, undone=undone),
            lambda found: TalkOpened(number, *found, "end" if found[2] is None and at == "anchor" else at),
            number,
        )

    @on(TalkOpened)
    def talk_opened(self, message: TalkOpened) -> None:
        """Show it, and find all its hits."""
        if message.request != self.opening:
            return
        self.talk, part = message.talk, message.part
        self.look = replace(self.look, names=message.talk.names)
        self.said = {each.id: each for each in part.messages}
        self.fresh = 0
        if message.anchor is not None:
            self.visited.add(message.anchor)
        self.transcript.know(part.bodies)
        self.transcript.show(*self._placed(part), anchor=message.anchor, at=message.at)
        self._say_talk()
        self._ask_hits()
        self.refresh_keys()

    def _placed(self, part: Part) -> tuple[tuple[Block, ...], int, int]:
        """A part as the view takes it: the system prompt counts as one message before the first."""
        assert self.talk is not None
        if not self.talk.prompt:
            return part.blocks, part.start, part.total
        if part.start:
            return part.blocks, part.start + 1, part.total + 1
        return (prompt_block(self.talk.prompt, self.look), *part.blocks), 0, part.total + 1

    def _ask_hits(self) -> None:
        talk = self.talk
        if talk is None or self.asked.empty or self.hits is not None:
            return
        query, number = self.asked.parsed(self.moment), self.opening
        self.inquire(
            "background",
            "hits",
            lambda db, cap: hits_of(db, cap, talk, query),
            lambda found: HitsKnown(number, found),
            number,
        )

    @on(HitsKnown)
    def hits_known(self, message: HitsKnown) -> None:
        """n and N know where to go."""
        if message.request == self.opening:
            self.hits = message.hits
            self._say_place()
            self.refresh_keys()

    # -- reading on ---------------------------------------------------------------------------------------------

    @on(TranscriptView.Wanted)
    def more_wanted(self, message: TranscriptView.Wanted) -> None:
        """Read on in a direction before the end of what is held comes into sight."""
        talk, way = self.talk, message.direction
        held = [block.id for block in self.transcript.blocks if block.id != PROMPT_ID]
        if talk is None or not held or way in self._turning:
            return
        self._turning.add(way)
        edge, number = held[0 if way < 0 else -1], self.opening
        look = replace(self.look, width=self.transcript.scrollable_content_region.width)
        self.inquire(
            "interactive",
            f"page {way}",
            lambda db, cap: more_of(db, cap, talk, edge, way, look),
            lambda part: PageRead(number, way, part),
            number,
        )

    @on(PageRead)
    def page_read(self, message: PageRead) -> None:
        """Put it where it belongs."""
        if message.request != self.opening:
            return
        self._turning.discard(message.direction)
        part = message.part
        self.said.update({each.id: each for each in part.messages})
        self.transcript.know(part.bodies)
        placed, start, total = self._placed(part)
        if message.direction < 0:
            self.transcript.add_before(placed, start, total)
        else:
            self.transcript.add_after(placed, total)
        held = {block.id for block in self.transcript.blocks}
        self.said = {number: each for number, each in self.said.items() if number in held}
        if self._to_end and self.transcript.complete_after:
            self._to_end = False
            self.transcript.scroll_ends(1)
        self._say_place()

    @on(AskFailed)
    def page_failed(self, message: AskFailed) -> None:
        """A message at the edge that is gone: look at what the conversation is now."""
        if message.about.startswith("page") and message.request == self.opening:
            self._turning.clear()
            self.post_message(DatabaseMoved())

    def to_end(self, direction: int) -> None:
        """The conversation's beginning (-1) or end (1), reading it when it is not held."""
        view, talk = self.transcript, self.talk
        there = view.complete_before if direction < 0 else view.complete_after
        if talk is None or there:
            view.scroll_ends(direction)
        else:
            self.open_at(talk.conversation.asked, None, at="start" if direction < 0 else "end")

    @on(TranscriptView.Moved)
    def moved(self) -> None:
        """Say where in the conversation this is."""
        if self.fresh and self.transcript.at_end:
            self.fresh = 0
            self._say_fresh()
        self._say_place()
        self.refresh_keys()

    # -- what is said of it -------------------------------------------------------------------------------------

    def _say_talk(self) -> None:
        talk = self.talk
        title = ""
        if talk is not None:
            about = talk.conversation
            parts = [talk.title, one_line(about.source), one_line(about.tip.model or "")]
            parts.append(day(about.segments[0].started_at, self.moment))
            title = " · ".join(part for part in parts if part)
        entitle(self.query_one("#talk"), title=title)
        self._say_place()
        self._say_fresh()

    def _say_place(self) -> None:
        talk, parts = self.talk, []
        if talk is not None and self.transcript.blocks:
            shift = 1 if talk.prompt else 0
            first, last = (max(0, at - shift) for at in self.transcript.in_sight())
            parts = [f"{first:,} before · {max(0, len(talk.outline) - last):,} after"]
            if talk.outline.undone:
                parts.append(f"{talk.outline.undone:,} taken back {'shown' if self.undone else 'hidden'}")
            if self.hits:
                at = self.hits.index(self.transcript.current) + 1 if self.transcript.current in self.hits else 0
                many = f"{len(self.hits):,} hit{'' if len(self.hits) == 1 else 's'}"
                parts.append(f"hit {at} of {len(self.hits):,}" if at else many)
        elif talk is not None:
            parts = ["no messages"]
        place, said = " · ".join(parts), self._lineage()
        # Every line scrolled comes here; what says the same is not laid out anew.
        if place != self._place:
            self._place = place
            entitle(self.query_one("#talk"), subtitle=place)
        # Two contents are equal when their texts are, whatever part of them stands out.
        if (said.plain, self.segment) != self._said_lineage:
            self._said_lineage = (said.plain, self.segment)
            line = self.query_one("#lineage", Plain)
            line.set_class(bool(said), "-some")
            line.say(said)

    @property
    def segment(self) -> int:
        """Which of the conversation's sessions the current message belongs to, from 0."""
        current = self.said.get(self.transcript.current or 0)
        return current.segment if current is not None else 0

    def _lineage(self) -> Content:
        """The sessions this went through, what hangs off it, and what it took."""
        talk = self.talk
        if talk is None:
            return Content("")
        about, line = talk.conversation, Content("")
        if about.parent is not None:
            line += Content(f"{about.parent.kind} of {one_line(about.parent.title or about.parent.id)}")
            line += Content(" · " if len(about.segments) > 1 else "")
        if len(about.segments) > 1:
            for number in range(len(about.segments)):
                style = "$foreground bold underline" if number == self.segment else "$wb-muted"
                name = f"#{number + 1}" if number else "root"
                line += Content(" → " if number else "") + Content.styled(name, style)
        else:
            line += Content("root") if about.parent is None and (about.branches or about.delegates) else Content("")
        for many, name in ((len(about.branches), "branch"), (len(about.delegates), "delegate")):
            if many:
                ending = "" if many == 1 else "es" if name == "branch" else "s"
                line += Content(f" · {many} {name}{ending}")
        if talk.usage:
            line += Content(f"{' · ' if line else ''}{talk.usage}")
        return line

    def _say_fresh(self) -> None:
        line = self.query_one("#fresh", Plain)
        line.set_class(self.fresh > 0, "-some")
        line.say(f"{self.fresh:,} new message{'' if self.fresh == 1 else 's'} below · G")

    # -- other forms --------------------------------------------------------------------------------------------

    def restyle(self, look: Look) -> None:
        """Show what is held in another way."""
        look = self.look = replace(look, width=self.transcript.scrollable_content_region.width)
        held = tuple(self.said[block.id] for block in self.transcript.blocks if block.id in self.said)
        self._restyle(self.opening, held, look, self.talk)

    @work(thread=True, exclusive=True, exit_on_error=False, group="restyle")
    def _restyle(self, request: int, held: tuple[Said, ...], look: Look, talk: Talk | None) -> None:
        made = blocks(held, look)
        if talk is not None and talk.prompt:
            made = (prompt_block(talk.prompt, look), *made)
        if not cancelled():
            self.post_message(Restyled(request, made, bodies(made, look.width)))

    @on(Restyled)
    def restyled(self, message: Restyled) -> None:
        """The same messages, drawn anew."""
        if message.request == self.opening:
            self.transcript.know(message.bodies)
            self.transcript.replace(message.blocks)
            self.refresh_keys()

    # -- jumping ------------------------------------------------------------------------------------------------

    def go_to_message(self, message_id: int) -> None:
        """Bring a message of the open conversation into sight, reading around it when it is not held."""
        if not self.transcript.go_to(message_id) and self.talk is not None:
            self.open_at(self.talk.conversation.asked, message_id)

    def ask_jump(self, wanted: str) -> None:
        """Find where an id or a date leads."""
        talk, number, now = self.talk, self.opening, self.moment
        if talk is not None:
            self.inquire(
                "interactive",
                "jump",
                lambda db, cap: jump(db, cap, talk, wanted, now),
                lambda found: JumpFound(number, *found),
                number,
            )

    def ask_turn(self, step: int) -> None:
        """Find the user's turn before or after the current message."""
        talk, current = self.talk, self.transcript.current
        if talk is not None and current is not None:
            number = self.opening
            self.inquire(
                "interactive",
                "jump",
                partial(neighbour, talk=talk, message_id=current, step=step),
                lambda found: JumpFound(number, *found),
                number,
            )

    @on(JumpFound)
    def jump_found(self, message: JumpFound) -> None:
        """Go there, or say why not."""
        if message.request != self.opening:
            return
        if message.message_id is None:
            self.say(message.why or "There is no message there.")
        else:
            self.go_to_message(message.message_id)

    def step_hit(self, direction: int) -> bool:
        """To the next or previous hit; False when this conversation has no other one."""
        talk, hits = self.talk, self.known_hits
        if talk is None or not hits:
            return False
        at = talk.outline.position(self.transcript.current or 0)
        places = {hit: talk.outline.position(hit) or 0 for hit in hits}
        here = -1 if at is None else at
        if direction != self._way:
            # Who turns around wants to see again what was passed.
            self._way, self.visited = direction, {self.transcript.current or 0} & set(hits)
        # Those on the other side come after the end, so that no hit is passed by on the way to the next conversation.
        unseen = [hit for hit in hits if hit not in self.visited]
        chosen = [hit for hit in unseen if (places[hit] - here) * direction > 0] or unseen
        if not chosen:
            return False
        hit = chosen[0] if direction > 0 else chosen[-1]
        self.visited.add(hit)
        self.go_to_message(hit)
        return True

    @property
    def known_hits(self) -> tuple[int, ...]:
        """The hits of the open conversation: all of them, or those the search has shown so far."""
        if self.hits is not None:
            return self.hits
        found = self.results.get(self.open_key[0]) if self.open_key is not None else None
        return tuple(sorted(hit.message_id for hit in found.shown if hit.message_id)) if found is not None else ()
