"""What stands on the terminal before Textual is loaded is what Textual paints then."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import TESTS
from tests.tui.support import NOW, home_with, real_home, text_of
from workbench.home import HomeChoice
from workbench.tui.app import WorkbenchApp
from workbench.tui.first_look import (
    LEAST,
    Curtain,
    Frame,
    Ink,
    depth,
    frame,
    header_facts,
    look,
    nearest_of_256,
    painted,
)
from workbench.tui.glyphs import Glyphs
from workbench.tui.home_view import HomeView, read_home
from workbench.workspace import Workspace

LONG = "A rule with many words that goes on and on, over more lines than a list gives one entry. " * 6
HOMES: dict[str, Callable[[Path], Path]] = {
    "real": real_home,
    "empty": lambda folder: home_with(folder),
    "one entry": lambda folder: home_with(folder, ["Only this"], [""]),
    "long, wide, twice": lambda folder: home_with(
        folder, [LONG, "本机运行 Debian 12，" * 9, "twice", "twice"], ["👩‍💻 é ﷺ"]
    ),
    "many": lambda folder: home_with(folder, [f"Entry {number}: a short fact" for number in range(120)]),
    "unreadable": lambda folder: home_with(folder, b"\xff\xfe broken", ["x"]),
    "lossy": lambda folder: home_with(folder, ["y" * 3_000], ["x"]),
    "over": lambda folder: home_with(folder, [f"{number} " + "z" * 300 for number in range(9)], ["x"]),
    "cosmetic": lambda folder: home_with(folder, b"one\r\n\xc2\xa7\r\ntwo", ["x"]),
    "switched off": lambda folder: home_with(
        folder, ["a"], ["b"], "memory:\n  user_profile_enabled: false\n  provider: honcho\n"
    ),
    "secret and hostile": lambda folder: home_with(
        folder, ["API key: sk-abcdefghijklmnopqrstuvwxyz123456", "a\x1b[2Jb\u202ec", "[/b] [red]x"], ["\x1b]52;c;x\x07"]
    ),
}


def opened(home: Path) -> Workspace:
    return Workspace.open(HomeChoice(home, home, "default", "default home"), clock=lambda: NOW)


def first_frame_of_app(home: Path, size: tuple[int, int]) -> list[str]:
    """The screen as the app paints it with what was read before, prior to any worker's answer."""

    async def run() -> str:
        workspace = opened(home)
        try:
            app = WorkbenchApp(workspace, now=NOW, home=read_home(workspace))
            async with app.run_test(size=size) as pilot:
                return text_of(pilot)
        finally:
            workspace.close()

    return asyncio.run(run()).splitlines()


def looked(home: Path, size: tuple[int, int]) -> tuple[HomeView, Frame]:
    workspace = opened(home)
    try:
        view = read_home(workspace)
        return view, frame(header_facts(workspace, view, NOW, None), view, Glyphs(), *size)
    finally:
        workspace.close()


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (121, 37), (200, 50)], ids=str)
@pytest.mark.parametrize("name", HOMES)
def test_the_first_look_is_the_first_frame(name: str, size: tuple[int, int], tmp_path: Path) -> None:
    home = HOMES[name](tmp_path)
    _, shown = looked(home, size)
    ours = shown.text.split("\n")
    theirs = first_frame_of_app(home, size)
    detail = size[1] - 1 - max(8, size[1] * 26 // 100) if size[0] >= 100 else size[1] - 1
    assert len(ours) == size[1] - 1
    for number, (left, right) in enumerate(zip(ours[1:detail], theirs[1:detail], strict=False), 1):
        # What the scanner and the scroll bar add later may stand where the look is still blank.
        calm = re.sub("[⚠▁▂▃▄▅▆▇█▎▌]", " ", right)
        assert re.sub("[▌]", " ", left).rstrip() == calm.rstrip(), number
    assert theirs[0].startswith(ours[0].split("   ")[0])


def test_every_line_is_as_wide_as_the_terminal_at_most(tmp_path: Path) -> None:
    from rich.cells import cell_len

    for number, (name, make) in enumerate(HOMES.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        home = make(folder)
        for size in ((80, 24), (120, 36), LEAST):
            _, shown = looked(home, size)
            assert max(cell_len(line) for line in shown.text.split("\n")) <= size[0], (name, size)


def test_it_is_drawn_without_textual_and_rich() -> None:
    code = (
        "import sys, workbench.tui.first_look;"
        "print([name for name in sys.modules if name.split('.')[0] in ('textual', 'rich')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_colours_of_256_are_those_rich_would_take() -> None:
    from rich.color import Color, ColorSystem

    for value in ("#7fb4ca", "#16181d", "#d6d9de", "#c8a97e", "#ffffff", "#000000", "#f6efe0", "#e07a72", "#363c48"):
        wanted = Color.parse(value).downgrade(ColorSystem.EIGHT_BIT).number
        assert nearest_of_256(*(int(value[at : at + 2], 16) for at in (1, 3, 5))) == wanted, value


def test_a_terminal_without_colours_gets_none() -> None:
    assert depth({"NO_COLOR": "1", "COLORTERM": "truecolor"}) == 0
    assert depth({"TERM": "xterm"}) == 0
    assert depth({"TERM": "xterm-256color"}) == 256
    assert depth({"TERM": "xterm", "COLORTERM": "truecolor"}) == 2**24
    assert Ink({"primary": "#ffffff"}, 0)("$primary bold") == "\x1b[0;1m"
    assert Ink({"primary": "#0a0b0c"}, 2**24)("$primary") == "\x1b[0;38;2;10;11;12m"


def test_a_huge_file_is_left_to_the_worker(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["x" * 1_200_000], ["y"])
    workspace = opened(home)
    assert look(workspace, Curtain(), None, NOW) is None


def test_nothing_painted_is_erased_again() -> None:
    shown = painted(Frame(((("ab", "$primary"),), (("cd", ""),)), 2), Ink({}, 0))
    assert shown == "\x1b[1;1H\x1b[0mab\x1b[0m\x1b[2;1H\x1b[0mcd\x1b[0m\x1b[0m\x1b[3;1H\x1b[J\x1b[0m"


if sys.platform != "win32":  # there are no pseudo terminals
    import fcntl
    import pty
    import select
    import struct
    import termios

    class Terminal:
        """A process in a pseudo-terminal of 120 by 36."""

        def __init__(self, home: Path, *more: str) -> None:
            self.master, self.slave = pty.openpty()
            fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
            self.before = termios.tcgetattr(self.slave)
            environment = {
                **os.environ,
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                "PYTHONPATH": str(TESTS.parent),
            }
            self.process = subprocess.Popen(
                [sys.executable, "-m", "workbench", "--home", str(home), *more],
                stdin=self.slave, stdout=self.slave, stderr=self.slave, env=environment, start_new_session=True,
            )  # fmt: skip
            self.seen = b""

        def until(self, text: str | None) -> None:
            """Read until a text was painted, or (None) until the process has ended."""
            deadline = time.monotonic() + 30
            while text is None or text.encode() not in self.seen:
                assert time.monotonic() < deadline, self.seen[-500:]
                ready, _, _ = select.select([self.master], [], [], 0.05)
                if ready:
                    self.seen += os.read(self.master, 65536)
                elif text is None and self.process.poll() is not None:
                    return

        def type(self, keys: str) -> None:
            os.write(self.master, keys.encode())

        def close(self) -> None:
            self.process.kill()
            self.process.wait()
            os.close(self.master)
            os.close(self.slave)

    def test_keys_pressed_before_the_screen_is_there_are_not_lost_and_not_echoed(tmp_path: Path) -> None:
        terminal = Terminal(real_home(tmp_path))
        try:
            terminal.until("chars left")
            assert b"? more" not in terminal.seen  # no key is offered before it is answered
            terminal.type("?")
            terminal.until("Write a new entry at the end")
            first = terminal.seen.index(b"chars left")
            assert b"?" not in terminal.seen[first:].split(b"\x1b[?1004h")[0].replace(b"\x1b[?", b"")
            terminal.type("\x11")
            terminal.until(None)
            assert terminal.seen.count(b"\x1b[?1049h") == 1
            assert terminal.seen.count(b"\x1b[?1049l") == 1
            assert termios.tcgetattr(terminal.slave) == terminal.before
        finally:
            terminal.close()

    def test_a_start_that_fails_gives_the_terminal_back(tmp_path: Path) -> None:
        home = real_home(tmp_path)
        (home / "workbench" / "themes").mkdir(parents=True, exist_ok=True)
        (home / "workbench" / "themes" / "odd.yaml").write_text(
            "name: odd\ncolours: {primary: '#ffffff', background: '#101010', nonsense: '#ffffff'}\nvariables: {}\n"
        )
        terminal = Terminal(home, "--theme", "odd")
        try:
            terminal.until(None)
            assert terminal.process.returncode == 2
            assert b"chars left" in terminal.seen and b"nonsense" in terminal.seen
            assert terminal.seen.rindex(b"\x1b[?1049l") < terminal.seen.index(b"nonsense")
            assert termios.tcgetattr(terminal.slave) == terminal.before
        finally:
            terminal.close()
