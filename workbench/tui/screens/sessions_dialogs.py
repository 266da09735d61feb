"""Questions of the Sessions area: a text, one of several, filters, where an export goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from workbench.sessions.export import FORMATS
from workbench.sessions.export_file import form_of
from workbench.tui.actions import bindings
from workbench.tui.parts.dialogs import Dialog
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.search_line import Box
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.screen_text import one_line

ENDINGS = {"jsonl": ".jsonl", "markdown": ".md", "html": ".html"}


class AskDialog(Dialog[str | None]):
    """One line of text; the result is None when it was left."""

    SCOPES = ("ask",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("ask")]
    AUTO_FOCUS = "Input"

    def __init__(self, title: str, lead: str, *, value: str = "", check: Callable[[str], str] = lambda _: "") -> None:
        """`check` says why a text cannot be taken, "" when it can."""
        super().__init__(title, lead)
        self.value = value
        self.check = check

    def compose_more(self) -> ComposeResult:
        """The place to type."""
        yield Box(self.value)

    def why_disabled(self, action_id: str) -> str:
        """An empty text asks for nothing."""
        text = self.query_one(Input).value.strip()
        if action_id != "confirm":
            return ""
        return self.check(text) if text else "Type it first."

    @on(Input.Changed)
    def typed_on(self) -> None:
        """The key becomes possible while it is typed."""
        self.refresh_keys()

    @on(Input.Submitted)
    def submitted(self) -> None:
        """Enter inside the input is the same key."""
        self.action_run("confirm")

    def do_confirm(self) -> None:
        """Take it."""
        self.dismiss(self.query_one(Input).value.strip())

    def do_close(self) -> None:
        """Leave."""
        self.dismiss(None)


class PickDialog(Dialog[str | None]):
    """One of several rows; the result is its id, None when it was left."""

    SCOPES = ("choose",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("choose")]
    AUTO_FOCUS = "VirtualList"
    DEFAULT_CSS = "PickDialog VirtualList { height: 12; margin: 0 1 1 1; background: $surface; }"

    def __init__(self, title: str, lead: str, rows: Sequence[Row]) -> None:
        super().__init__(title, lead)
        self.rows = tuple(rows)

    def compose_more(self) -> ComposeResult:
        """The rows."""
        yield VirtualList(lines=2, glyphs=self.face.glyphs)

    @property
    def list(self) -> VirtualList:
        """The rows."""
        return self.query_one(VirtualList)

    def on_mount(self) -> None:
        """All rows at once."""
        self.list.set_rows(self.rows)
        super().on_mount()

    @on(VirtualList.Opened)
    def opened(self) -> None:
        """A double click."""
        self.action_run("confirm")

    def do_confirm(self) -> None:
        """This one."""
        self.dismiss(self.list.cursor_id)

    def do_down(self) -> None:
        """Next row."""
        self.list.move(1)

    def do_up(self) -> None:
        """Previous row."""
        self.list.move(-1)

    def do_close(self) -> None:
        """None of them."""
        self.dismiss(None)


# -- filters --------------------------------------------------------------------------------------------------------

ANY = "any"
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "role": ("user", "assistant", "tool"),
    "after": ("today", "7d", "30d", "365d"),
    "before": ("today", "7d", "30d", "365d"),
    "title": (),
    "in": ("reasoning",),
}
_ABOUT = {
    "source": "where the conversation was held",
    "role": "who said it",
    "after": "not older than this (2025-10-11, 7d)",
    "before": "older than",
    "title": "words of the title",
    "in": "what the agent thought, not what was said",
}


class FiltersDialog(PickDialog):
    """Filters by choosing; the result is their names and values, as JSON-free text `name=value` a line, or None."""

    DEFAULT_CSS = "FiltersDialog VirtualList { height: 6; }"
    SCOPES = ("filters",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("filters")]

    def __init__(self, values: Mapping[str, str], sources: Sequence[str]) -> None:
        super().__init__("filters", "They count for the search in the box; without words they find by themselves.", ())
        self.values = dict(values)
        self.choices = {"source": tuple(sources), **_CHOICES}
        self.rows = self._rows()

    def _rows(self) -> tuple[Row, ...]:
        return tuple(
            Row(
                name,
                f"{name:<7} {one_line(self.values.get(name, ANY)):<12} {_ABOUT[name]}",
                look="come" if name in self.values else "",
            )
            for name in self.choices
        )

    def _show(self) -> None:
        self.list.set_rows(self._rows())
        self.refresh_keys()

    @on(VirtualList.CursorMoved)
    def other_row(self) -> None:
        """Keys may mean less on another row."""
        self.refresh_keys()

    def why_disabled(self, action_id: str) -> str:
        """Some filters can only be typed, and only one that is set can be taken away."""
        name = self.list.cursor_id or "source"
        if action_id in ("next_value", "previous_value") and not self.choices[name]:
            return f"There is no list of values for {name}; e types one."
        if action_id == "clear" and not self.values:
            return "No filter is set."
        return ""

    def _turn(self, step: int) -> None:
        name = self.list.cursor_id
        if name is None:
            return
        values = (ANY, *self.choices[name])
        now = self.values.get(name, ANY)
        at = values.index(now) if now in values else 0
        chosen = values[(at + step) % len(values)]
        self.values.pop(name, None)
        if chosen != ANY:
            self.values[name] = chosen
        self._show()

    def do_next_value(self) -> None:
        """The next value of this filter."""
        self._turn(1)

    def do_previous_value(self) -> None:
        """The value before."""
        self._turn(-1)

    def do_write(self) -> None:
        """Type a value."""
        name = self.list.cursor_id
        if name is None:
            return

        def typed(value: str | None) -> None:
            if value is not None and name is not None:
                self.values[name] = value.replace('"', " ").strip()
                self._show()

        self.app.push_screen(AskDialog(name, _ABOUT[name], value=self.values.get(name, "")), typed)

    def do_clear(self) -> None:
        """No filter at all."""
        self.values.clear()
        self._show()

    def do_confirm(self) -> None:
        """Search with these."""
        self.dismiss("\n".join(f"{name}={value}" for name, value in self.values.items()))


def filters_of(text: str) -> dict[str, str]:
    """What a FiltersDialog chose."""
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


# -- export ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExportWish:
    """Where an export goes, in which form (jsonl, markdown, html), and whether credentials stay masked."""

    path: Path
    form: str
    masked: bool


class ExportDialog(Dialog[ExportWish | None]):
    """The file's name decides its form."""

    SCOPES = ("export",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("export")]
    AUTO_FOCUS = "Input"

    def __init__(self, what: str, name: str, *, forms: Sequence[str] = FORMATS, folder: Path, home: Path) -> None:
        """`folder` is where a relative name leads; nothing is written among the agent's own files in `home`."""
        super().__init__("export", what)
        self.name_given = name
        self.forms = tuple(forms)
        self.folder = folder
        self.home = home
        self.masked = True

    def compose_more(self) -> ComposeResult:
        """The place for the name, and what it will be."""
        yield Box(self.name_given)
        yield Plain(id="wish")

    def on_mount(self) -> None:
        """Say what enter would do."""
        super().on_mount()
        self._say()

    @property
    def wish(self) -> ExportWish:
        """What stands in the dialog now."""
        typed = self.query_one(Input).value.strip()
        path = self.folder / (Path(typed).expanduser() if typed.startswith("~") else Path(typed))
        return ExportWish(path, form_of(path), self.masked)

    def why_disabled(self, action_id: str) -> str:
        """A name is needed, outside of what belongs to the agent."""
        typed = self.query_one(Input).value.strip()
        if action_id != "confirm":
            return ""
        if not typed or typed.endswith(("/", "\\")):
            return "Type the name of a file."
        wish = self.wish
        if wish.form not in self.forms:
            return "An HTML page holds one conversation; name a .jsonl or .md file for several."
        if self.home in wish.path.parents and self.home / "workbench" not in wish.path.parents:
            return "The agent's home is left alone; name a file somewhere else."
        return ""

    def _say(self) -> None:
        wish = self.wish
        hidden = "credentials masked" if wish.masked else "credentials as they are"
        self.query_one("#wish", Plain).say(f" {wish.form} · {hidden} · {one_line(str(wish.path), masked=False)}\n")
        self.refresh_keys()

    @on(Input.Changed)
    def typed_on(self) -> None:
        """The form follows the name."""
        if self.is_mounted:
            self._say()

    @on(Input.Submitted)
    def submitted(self) -> None:
        """Enter inside the input is the same key."""
        self.action_run("confirm")

    def do_form(self) -> None:
        """Another form: the ending of the name."""
        box = self.query_one(Input)
        path = Path(box.value.strip() or "conversation")
        at = self.forms.index(self.wish.form) if self.wish.form in self.forms else -1
        following = self.forms[(at + 1) % len(self.forms)]
        known = path.suffix.lower() in (".jsonl", ".md", ".markdown", ".html", ".htm")
        box.value = str(path.with_suffix(ENDINGS[following]) if known else f"{path}{ENDINGS[following]}")
        self._say()

    def do_masked(self) -> None:
        """Mask credentials, or not."""
        self.masked = not self.masked
        self._say()

    def do_confirm(self) -> None:
        """Write it."""
        self.dismiss(self.wish)

    def do_close(self) -> None:
        """Write nothing."""
        self.dismiss(None)
