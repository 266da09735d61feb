"""First run: no home yet. A calm page says what one is and where it was looked for, and offers the demo."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message

from workbench.errors import NoHome, WorkbenchError
from workbench.tui.acting import Acting
from workbench.tui.actions import bindings
from workbench.tui.face import Face
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.screen_text import home_name, one_line

_WHY = {
    "missing": "there is no such folder.",
    "not_a_folder": "that is a file; a home is the folder that holds memories/.",
    "no_permission": "this user may not read it; run as its owner, or fix its permissions.",
    "no_profile": "there is no profile of that name.",
}
# Said by what decided; the default home needs no word.
_DECIDED = {"--home": "--home", "HERMES_HOME": "the variable HERMES_HOME"}


@dataclass
class DemoMade(Message):
    """The demo home is complete."""

    home: Path


@dataclass
class DemoFailed(Message):
    """It could not be made."""

    error: WorkbenchError


class FirstRunScreen(Acting[None]):
    """The page."""

    SCOPES = ("first",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("first")]
    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    FirstRunScreen { layout: vertical; align: center middle; }
    FirstRunScreen > #page { height: 1fr; align: center middle; }
    FirstRunScreen #box {
        width: 78; max-width: 96%; height: auto; max-height: 100%; border: round $wb-frame; padding: 1 2;
        border-title-color: $foreground; border-title-style: bold;
    }
    FirstRunScreen #about { height: auto; max-height: 100%; scrollbar-size-vertical: 1; }
    FirstRunScreen #making { height: auto; margin: 1 0 0 0; color: $wb-muted; display: none; }
    FirstRunScreen.-making #making { display: block; }
    """

    def __init__(self, error: NoHome) -> None:
        super().__init__()
        self.error = error
        self.making = False

    def compose(self) -> ComposeResult:
        """What a home is, where it was looked for, what can be done."""
        with Vertical(id="page"), Vertical(id="box") as box:
            logo = self.face.glyphs.logo
            box.border_title = Content(f"{logo} workbench")
            with VerticalScroll(id="about", can_focus=False):
                yield Plain(page(self.error))
            yield Plain(id="making")
        yield KeyLine()

    def on_mount(self) -> None:
        """Name the keys."""
        self.refresh_keys()

    def why_disabled(self, action_id: str) -> str:
        """One demo is enough."""
        return "The demo is being made." if action_id == "demo" and self.making else ""

    def do_demo(self) -> None:
        """Make the demo in a temporary folder, and open it."""
        self.making = True
        self.add_class("-making")
        self.refresh_keys()
        self.query_one("#making", Plain).say("Making the demo …")
        self._make()

    @work(thread=True, exit_on_error=False, group="demo")
    def _make(self) -> None:
        from workbench.demo import make

        app = self.app
        assert isinstance(app, FirstRunApp)
        try:
            app.folder = Path(tempfile.mkdtemp(prefix="workbench-demo-"))
            home = make(app.folder / "home")
        except WorkbenchError as error:
            self.post_message(DemoFailed(error))
        except OSError as error:
            from workbench.errors import WriteFailed

            self.post_message(DemoFailed(WriteFailed(Path(tempfile.gettempdir()), error.strerror or str(error))))
        else:
            self.post_message(DemoMade(home))

    @on(DemoMade)
    def demo_made(self, message: DemoMade) -> None:
        """Open it."""
        app = self.app
        assert isinstance(app, FirstRunApp)
        app.made = message.home
        app.exit()

    @on(DemoFailed)
    def demo_failed(self, message: DemoFailed) -> None:
        """Say why there is none."""
        self.making = False
        self.refresh_keys()
        self.query_one("#making", Plain).say(Content.styled(one_line(str(message.error)), "$error"))


def page(error: NoHome) -> Content:
    """The text of the page."""
    muted, plain, strong, key = "$wb-muted", "$foreground", "$foreground bold", "$wb-key"
    decided = one_line(error.reason) if error.reason and error.reason != "default home" else ""
    chosen = f"  ({decided} says so)" if decided in _DECIDED else f"  ({decided})" if decided else "  (the default)"
    return Content.assemble(
        ("No agent lives here yet.\n\n", strong),
        ("A home is the folder in which a Hermes agent keeps what it remembers:\n", plain),
        ("  memories/MEMORY.md   ", key), ("its own notes: projects, tools, lessons\n", muted),
        ("  memories/USER.md     ", key), ("what it knows of you\n", muted),
        ("  pending/             ", key), ("what it would like to write, waiting for you\n", muted),
        ("  state.db             ", key), ("its past sessions\n\n", muted),
        ("Looked for at\n", plain),
        (f"  {home_name(error.path)}", strong), (f"{chosen}\n", muted),
        (f"  {_WHY.get(error.why, _WHY['missing'])}\n\n", "$warning"),
        ("If there is one elsewhere\n", plain),
        ("  workbench --home DIR         ", key), ("opens that folder\n", muted),
        ("  workbench --profile NAME     ", key), ("opens a profile of the default home\n", muted),
        ("  HERMES_HOME=DIR workbench    ", key), ("as the agent itself is told\n\n", muted),
        ("Or press enter: the demo is a made-up home in a temporary folder, ", plain),
        ("removed when you leave. Nothing of yours is touched.", plain),
    )  # fmt: skip


class FirstRunApp(Face):
    """Shows the page; afterwards `made` is the demo's home, if it was wanted, and `folder` what is to be removed."""

    def __init__(self, error: NoHome, *, theme: str | None = None) -> None:
        super().__init__(None, theme=theme)
        self.error = error
        self.made: Path | None = None
        self.folder: Path | None = None

    def get_default_screen(self) -> FirstRunScreen:
        """The page is all there is."""
        return FirstRunScreen(self.error)
