"""Dialogs: confirm, confirm by a typed word, conflict, error. Each names its keys from the registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from workbench.tui.acting import Acting
from workbench.tui.actions import bindings
from workbench.tui.keymap import shown
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.screen_text import safe

ResultT = TypeVar("ResultT")


class Dialog(Acting[ResultT], ModalScreen[ResultT]):
    """A box over the screen: title, text that scrolls when it is long, keys."""

    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 70%; }
    Dialog:ansi { background: ansi_default; }
    Dialog > #box {
        width: 72; max-width: 94%; height: auto; max-height: 90%;
        border: round $wb-frame-focus; border-title-color: $foreground; border-title-style: bold;
        background: $surface; padding: 1 1 0 1;
    }
    Dialog.-danger > #box { border: round $warning; }
    Dialog.-error > #box { border: round $error; }
    Dialog #body { height: auto; max-height: 16; margin: 0 1 1 1; scrollbar-size-vertical: 1; background: $surface; }
    Dialog #lead { height: auto; margin: 0 1 1 1; }
    Dialog #quote { height: auto; color: $foreground; background: $panel; padding: 0 1; }
    Dialog Input { margin: 0 1 1 1; height: 1; border: none; background: $panel; padding: 0 1; }
    """
    AUTO_FOCUS = "#body"

    def __init__(self, title: str, lead: str | Content, quote: str | Content = "") -> None:
        super().__init__()
        self.dialog_title = title
        self.lead = lead
        self.quote = quote

    def compose(self) -> ComposeResult:
        """Title, what it is about, the text it is about, keys."""
        with Vertical(id="box") as box:
            box.border_title = Content(self.dialog_title)
            yield Plain(self.lead, id="lead")
            if self.quote:
                with VerticalScroll(id="body"):
                    yield Plain(self.quote, id="quote")
            yield from self.compose_more()
            yield KeyLine()

    def compose_more(self) -> ComposeResult:
        """What a kind of dialog has besides."""
        yield from ()

    def on_mount(self) -> None:
        """Name the keys."""
        self.refresh_keys()


class ConfirmDialog(Dialog[bool]):
    """Yes or no; the result is True for yes."""

    SCOPES = ("confirm",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("confirm")]

    def __init__(
        self, title: str, lead: str | Content, quote: str | Content = "", *, verb: str = "yes", danger: bool = False
    ) -> None:
        super().__init__(title, lead, quote)
        self.verb = verb
        self.set_class(danger, "-danger")

    @property
    def key_labels(self) -> Mapping[str, str]:
        """The key says what it does."""
        return {"confirm": self.verb}

    def do_confirm(self) -> None:
        """Yes."""
        self.dismiss(True)

    def do_close(self) -> None:
        """No."""
        self.dismiss(False)


class TypedDialog(Dialog[bool]):
    """Yes only by typing a word: for the few steps that are hard to take back."""

    SCOPES = ("typed",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("typed")]
    AUTO_FOCUS = "Input"

    def __init__(self, title: str, lead: str, word: str, quote: str | Content = "") -> None:
        super().__init__(title, lead, quote)
        self.word = word
        self.add_class("-danger")

    def compose_more(self) -> ComposeResult:
        """The place to type."""
        yield Input(placeholder=f"type {self.word}")

    def why_disabled(self, action_id: str) -> str:
        """The word must stand there."""
        typed = self.query_one(Input).value.strip()
        return f"Type {self.word} first." if action_id == "confirm" and typed != self.word else ""

    @on(Input.Changed)
    def typed_on(self) -> None:
        """The key becomes possible with the last letter."""
        self.refresh_keys()

    @on(Input.Submitted)
    def submitted(self) -> None:
        """Enter inside the input is the same key."""
        self.action_run("confirm")

    def do_confirm(self) -> None:
        """Yes."""
        self.dismiss(True)

    def do_close(self) -> None:
        """No."""
        self.dismiss(False)


class ErrorDialog(Dialog[None]):
    """A refusal with its whole text, which can be copied."""

    SCOPES = ("error",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("error")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title, safe(text))
        self.text = text
        self.add_class("-error")

    def do_copy(self) -> None:
        """Copy the message."""
        self.app.copy_to_clipboard(self.text)
        self.say("Message copied.")

    def do_close(self) -> None:
        """Close."""
        self.dismiss(None)


class ConflictDialog(Dialog[str | None]):
    """The entry changed underneath: `yours`, `theirs` (None: it is gone) and `before`, each by key.

    The result is `as_new`, `over` (yours over theirs), `take`, or None for back.
    """

    SCOPES = ("conflict",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("conflict")]
    DEFAULT_CSS = "ConflictDialog > #box { width: 84; } ConflictDialog #body { height: 10; }"

    def __init__(self, store: str, yours: str, theirs: str | None, before: str) -> None:
        super().__init__("changed by somebody else", "", " ")
        self.store = store
        self.texts = {"yours": yours, "theirs": theirs, "before": before}
        self.view = "theirs"
        self.add_class("-danger")

    def on_mount(self) -> None:
        """Begin with what is new to the user."""
        super().on_mount()
        self._show("theirs")

    def _show(self, view: str) -> None:
        self.view = view
        said = f"The entry in {self.store} was changed or removed meanwhile; nothing was written.\n\n"
        lead = Content(said)
        for number, name in enumerate(self.texts, 1):
            style = "$foreground bold underline" if name == view else "$wb-muted"
            lead += Content.assemble((f"{number} ", "$wb-key bold"), (name, style), "   ")
        self.query_one("#lead", Plain).say(lead)
        text = self.texts[view]
        quote = Content.styled("The entry is no longer in the store.", "$wb-muted") if text is None else safe(text)
        self.query_one("#quote", Plain).say(quote)
        self.refresh_keys()

    def why_disabled(self, action_id: str) -> str:
        """Only an entry that is still there can be overwritten."""
        if action_id == "over" and self.texts["theirs"] is None:
            return (
                "The entry is gone, there is nothing to put yours over; "
                f"{shown('conflict.as_new')} adds it as a new one."
            )
        return ""

    def do_show_yours(self) -> None:
        """The text that was to be saved."""
        self._show("yours")

    def do_show_theirs(self) -> None:
        """What the store holds now."""
        self._show("theirs")

    def do_show_before(self) -> None:
        """The entry as it was seen."""
        self._show("before")

    def do_as_new(self) -> None:
        """Keep yours as a new entry."""
        self.dismiss("as_new")

    def do_over(self) -> None:
        """Yours over theirs."""
        self.dismiss("over")

    def do_take(self) -> None:
        """Take theirs."""
        self.dismiss("take")

    def do_copy(self) -> None:
        """Copy yours."""
        self.app.copy_to_clipboard(self.texts["yours"] or "")
        self.say("Your text is copied.")

    def do_close(self) -> None:
        """Back to where the text is."""
        self.dismiss(None)
