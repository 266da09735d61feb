"""PaletteScreen: whatever can be done here, found by typing. Themes are tried on while the cursor moves over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from workbench.tui import themes
from workbench.tui.acting import Acting
from workbench.tui.actions import AREAS, Action, bindings, key_name
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.fuzzy import Match, fuzzy
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.screen_text import one_line

HERE, GO_TO, THEME = "on this screen", "go to", "theme"
_MOVES = frozenset({"move", "dialog"})


@dataclass(frozen=True)
class PaletteEntry:
    """One line: `id` is an action's, or `theme:NAME`; `reason` says why it does nothing now."""

    id: str
    group: str
    label: str
    keys: str = ""
    about: str = ""
    reason: str = ""

    @property
    def text(self) -> str:
        """What stands in the list and is searched."""
        about = f"not now: {one_line(self.reason)}" if self.reason else self.about
        return f"{self.label} · {about}" if about else self.label

    @property
    def theme(self) -> str | None:
        """The theme it stands for."""
        kind, _, name = self.id.partition(":")
        return name if kind == "theme" else None


def entries_of(screen: Acting[Any], actions: Sequence[Action], theme_names: Sequence[str]) -> list[PaletteEntry]:
    """All lines for a screen: its verbs, the areas, the themes."""
    areas = {f"area_{area.id}" for area in AREAS}
    labels = {**screen.face.key_labels, **screen.key_labels}
    out: list[PaletteEntry] = []
    for action in actions:
        if action.group in _MOVES or action.id == "palette":
            continue
        keys = " ".join(key_name(key) for key in action.keys)
        group = GO_TO if action.id in areas else HERE
        label = f"Go to: {action.label}" if group == GO_TO else labels.get(action.id, action.label)
        about = "" if group == GO_TO else action.tooltip
        if not any(entry.id == action.id for entry in out):
            out.append(PaletteEntry(action.id, group, label, keys, about, screen.reason(action.id)))
    out += [PaletteEntry(f"theme:{name}", THEME, f"Theme: {one_line(name)}") for name in theme_names]
    order = {HERE: 0, GO_TO: 1, THEME: 2}
    return sorted(out, key=lambda entry: order[entry.group])


def open_palette(screen: Acting[Any]) -> None:
    """Show the palette over a screen and do there what is chosen."""
    names = themes.names(screen.face.home)
    entries = entries_of(screen, screen.actions(*screen.SCOPES), names)

    def chosen(action_id: str | None) -> None:
        if action_id is not None:
            screen.action_run(action_id)

    screen.app.push_screen(PaletteScreen(entries, screen.face.glyphs), chosen)


class PaletteScreen(Acting[str | None], ModalScreen[str | None]):
    """The result is the id of the action to do, or None; a theme is in force already."""

    SCOPES = ("palette",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("palette")]
    AUTO_FOCUS = "Input"
    DEFAULT_CSS = """
    PaletteScreen { align: center top; background: $background 40%; }
    PaletteScreen:ansi { background: ansi_default; }
    PaletteScreen > #box {
        width: 88; max-width: 96%; height: 22; max-height: 90%; margin: 1 0 0 0; border: round $wb-frame-focus;
        border-title-color: $foreground; border-title-style: bold; border-subtitle-color: $wb-muted;
        background: $surface;
    }
    PaletteScreen #typed { height: 1; margin: 0 1; background: $panel; }
    PaletteScreen #typed > Plain { width: 2; color: $wb-key; padding: 0 0 0 1; }
    PaletteScreen #typed > Input { width: 1fr; background: $panel; padding: 0 1; }
    PaletteScreen VirtualList { margin: 1 0; background: $surface; }
    """

    def __init__(self, entries: Sequence[PaletteEntry], glyphs: Glyphs) -> None:
        super().__init__()
        self.entries = {entry.id: entry for entry in entries}
        self.glyphs = glyphs
        self.theme_before = ""

    def compose(self) -> ComposeResult:
        """Where it is typed, what fits, keys."""
        with Vertical(id="box") as box:
            box.border_title = Content("palette")
            with Horizontal(id="typed"):
                yield Plain("›")
                yield _Typed(placeholder="an action, an area, a theme")
            yield VirtualList(lines=1, glyphs=self.glyphs)
            yield KeyLine()

    def on_mount(self) -> None:
        """Everything is listed before the first letter."""
        self.theme_before = self.face.theme
        # The input keeps the focus; the list is where its keys act, and is drawn so.
        self.list.can_focus = False
        self.list.has_focus = True
        self._list("")

    @property
    def list(self) -> VirtualList:
        """What fits."""
        return self.query_one(VirtualList)

    @property
    def current(self) -> PaletteEntry | None:
        """What stands under the cursor."""
        return self.entries.get(self.list.cursor_id or "")

    # -- finding ------------------------------------------------------------------------------------------------

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """List what fits, the best first."""
        event.stop()
        self._list(event.value)

    def _list(self, wanted: str) -> None:
        found = list(self._found(wanted))
        rows: list[Row] = []
        for group in dict.fromkeys(entry.group for entry, _ in found):
            rows.append(Row(f"#{group}", group, heading=True))
            rows += [Row(entry.id, entry.text, entry.keys) for entry, _ in found if entry.group == group]
        self.list.set_rows(rows, cursor=found[0][0].id if found else None)
        self.list.set_matches({entry.id: match.spans for entry, match in found})
        count = len(found)
        self.query_one("#box").border_subtitle = Content(f"{count} of {len(self.entries)}" if count else "nothing fits")
        self.refresh_keys()

    def _found(self, wanted: str) -> Iterator[tuple[PaletteEntry, Match]]:
        if not wanted.strip():
            yield from ((entry, Match(0, ())) for entry in self.entries.values())
            return
        found = [(entry, match) for entry in self.entries.values() if (match := fuzzy(wanted, entry.text))]
        best = {entry.group: 0 for entry, _ in found}
        for entry, match in found:
            best[entry.group] = max(best[entry.group], match.score)
        yield from sorted(found, key=lambda pair: (-best[pair[0].group], -pair[1].score))

    # -- trying themes on ---------------------------------------------------------------------------------------

    @on(VirtualList.CursorMoved)
    def moved(self) -> None:
        """A theme under the cursor is shown; leaving it brings back the one before."""
        entry = self.current
        self._show_theme((entry.theme if entry is not None else None) or self.theme_before)

    def _show_theme(self, name: str) -> str:
        """Show a theme; says why it cannot be shown."""
        if name == self.face.theme or not self.is_current:
            return ""
        if self.face.no_color:
            return "NO_COLOR is set: no theme is shown."
        try:
            self.face.use_theme(themes.load(name, self.face.home))
        except themes.BadTheme as error:
            return str(error)
        return ""

    # -- keys ---------------------------------------------------------------------------------------------------

    def why_disabled(self, action_id: str) -> str:
        """Something must fit."""
        return "Nothing fits what is typed." if action_id == "choose" and self.current is None else ""

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Enter in the input is the same key."""
        event.stop()
        self.action_run("choose")

    @on(VirtualList.Opened)
    def opened(self) -> None:
        """A double click is enter."""
        self.action_run("choose")

    def do_choose(self) -> None:
        """Do it, or keep the theme."""
        entry = self.current
        if entry is None:
            return
        if entry.theme is None:
            self.dismiss(entry.id)
            return
        problem = self._show_theme(entry.theme)
        if problem:
            self.say(problem, "warning")
            return
        self.face.keep_theme(entry.theme)
        self.dismiss(None)

    def do_close(self) -> None:
        """Leave everything as it was."""
        self._show_theme(self.theme_before)
        self.dismiss(None)

    def do_down(self) -> None:
        """Next line."""
        self.list.move(1)

    def do_up(self) -> None:
        """Previous line."""
        self.list.move(-1)

    def do_half_down(self) -> None:
        """Half a page down."""
        self.list.move_half(1)

    def do_half_up(self) -> None:
        """Half a page up."""
        self.list.move_half(-1)


class _Typed(Input):
    """What is pasted may hold anything; only one harmless line of it may stand here."""

    def _on_paste(self, event: events.Paste) -> None:
        # Textual would call the base class's handler as well, with the raw text.
        event.prevent_default()
        event.stop()
        self.insert_text_at_cursor(one_line(event.text[:200], masked=False))
