"""No byte of a hostile memory file reaches the terminal as a control sequence, whatever screen shows it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

from tests.inbox.support import add, queue, queue_raw, remove, skill
from tests.sessions.databases import Made
from tests.tui.support import home_with

PAYLOADS = {
    "clipboard": "one \x1b]52;c;cHduZWQ=\x07 END",
    "title": "two \x1b]0;PWNED\x07 END",
    "colour": "three \x1b[31mRAWRED\x1b[2J END",
    "c1": "four \x9b31mCSI \x9d0;OSC \x90DCS END",
    "bell": "five \x07\x08\x0c\x00 END",
    "return": "six \rOVERWRITTEN\x0bEND",
    "bidi": "seven \u202etxt.exe\u202c \u2066x\u2069 \u200b END",
    "markup": "eight [/b] [@click=app.bell]x[/] [red]y END",
    "tags": "nine \U000e0041\U000e0042 \ufeff END",
    "separators": "ten \u2028 \u2029 \x85 END",
}
FORBIDDEN = [
    b"\x1b]52",
    b"\x1b]0;",
    b"\x1b[31mRAWRED",
    b"\x1b[2J END",
    b"\x07",
    b"\x00",
    b"\x0c",
    b"\rOVER",
    "\x9b".encode(),
    "\x9d".encode(),
    "\x90".encode(),
    "\x85".encode(),
    "\u202e".encode(),
    "\u202c".encode(),
    "\u2066".encode(),
    "\u2028".encode(),
    "\u2029".encode(),
    "\u200b".encode(),
    "\ufeff".encode(),
    "\U000e0041".encode(),
]
# Through every screen that shows an entry: list, detail, whole entry, editor, delete, find, help, the other pane.
KEYS = [
    "j",
    "k",
    "\r",
    "G",
    "\x1b",
    "e",
    "x",
    "\x1b",
    "\r",
    "d",
    "\x1b",
    "/",
    "END",
    "\r",
    "n",
    "*",
    # Merging and moving all of them, splitting one, another place for it.
    "m",
    "\x1b",
    ">",
    "\x1b",
    "\x1b",
    "\x1b",
    "s",
    "\x1b",
    "}",
    "\x1b",
    "?",
    "\x1b",
    # Putting right (there is a CR in it), the bytes, the backups, forgetting.
    "=",
    "j",
    "o",
    "\x1b",
    "B",
    "j",
    " ",
    "j",
    " ",
    "\x1b",
    "\x1b",
    "D",
    "\x1b",
    # The alerts: list, words, snooze, what was set aside, the fix.
    "4",
    "j",
    "\t",
    "\x1b",
    "w",
    "\x1b",
    "r",
    "o",
    "a",
    "\x1b",
    "\r",
    # Making room: suggestions, one compared and drafted, the plan, what vanished; the draft, and leaving it.
    "c",
    "\r",
    "!",
    "\x1b",
    "a",
    "A",
    "\x1b",
    "o",
    "\x1b",
    "\x1b",
    "b",
    "\x1b",
    # The other areas: the prompt and its difference, the history in all its views.
    "5",
    "o",
    "O",
    "6",
    "\r",
    "o",
    "o",
    "O",
    "\x1b",
    # Conversations: list, filters, a search with its results, one of them with tools, reasoning and prompt in full.
    "3",
    "f",
    "l",
    "\x1b",
    "/",
    "END",
    "\r",
    "\r",
    "t",
    "T",
    "g",
    "\r",
    "]",
    "\r",
    "!",
    "L",
    "\x1b",
    "J",
    "\x1b",
    "x",
    "\x1b",
    "z",
    "\x1b",
    "\x1b",
    "\x1b",
    "\x1b",
    "\r",
    "G",
    "1",
]
RUN = """
import sys
from pathlib import Path
from workbench.home import HomeChoice
from workbench.tui import run
home = Path(sys.argv[1])
sys.exit(run(HomeChoice(home, home, "de\\x1b]0;PWNED\\x07fault", "because \\x1b[31mRAWRED"), now=0.0))
"""


class Terminal:
    """A child on a pseudo terminal, and every byte it wrote."""

    def __init__(self, home: Path, rows: int, columns: int) -> None:
        import fcntl
        import pty
        import struct
        import termios

        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "ESCDELAY": "10"}
        root = str(Path(__file__).parents[2])
        self.child = subprocess.Popen(
            [sys.executable, "-c", RUN, str(home)], stdin=slave, stdout=slave, stderr=slave, env=env, cwd=root
        )
        os.close(slave)
        self.master = master
        self.seen = b""

    def read_until(self, marker: bytes, seconds: float = 20.0) -> None:
        deadline = time.monotonic() + seconds
        while marker not in self.seen and time.monotonic() < deadline:
            if not self._read(0.2):
                break
        assert marker in self.seen, self.seen[-400:]

    def read_until_quiet(self) -> None:
        while select.select([self.master], [], [], 0.06)[0] and self._read(0):
            pass

    def _read(self, seconds: float) -> bool:
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            piece = os.read(self.master, 65_536)
        except OSError:
            return False
        self.seen += piece
        return bool(piece)

    def press(self, keys: str) -> None:
        with contextlib.suppress(OSError):  # the child may have quit between two keys
            os.write(self.master, keys.encode())

    def close(self) -> int | None:
        """Quit, also from an editor that asks, and read to the end; None when the child had to be killed."""
        deadline = time.monotonic() + 10
        while self.child.poll() is None and time.monotonic() < deadline:
            self.press("\x11")
            self._read(0.1)
            self.press("\r")
            self._read(0.3)
        while select.select([self.master], [], [], 0)[0] and self._read(0):
            pass
        code = self.child.poll()
        self.child.kill()
        self.child.wait()
        os.close(self.master)
        return code


def hostile_talks(home: Path, texts: list[str]) -> None:
    """Conversations whose every column holds what a terminal must never get."""
    made = Made(home / "state.db", "inline-22")
    for number, text in enumerate(texts):
        call = [{"id": "c", "function": {"name": text, "arguments": text}}]
        made.session(f"s{number}{text[:9]}", text[4:14] if number % 2 else "cli", title=f"{number} {text}",
                     model=text, system_prompt=text, started_at=1_700_000_000.0)  # fmt: skip
        for role in ("user", "assistant", "tool", text):
            made.say(f"s{number}{text[:9]}", text, role, tool_calls=json.dumps(call), tool_name=text, reasoning=text,
                     timestamp=1_700_000_000.0)  # fmt: skip
    made.index()


if sys.platform != "win32":  # there are no pseudo terminals

    def test_hostile_entries_reach_the_terminal_only_as_tokens(tmp_path: Path) -> None:
        texts = list(PAYLOADS.values())
        home = home_with(tmp_path, texts, texts[:3], "memory:\n  memory_char_limit: 5000\n")
        (home / "memories" / "evil\x1b]0;PWNED\x07.md").write_text("x", encoding="utf-8")
        hostile_talks(home, texts)
        for number, text in enumerate(texts[:2]):
            (home / "memories" / f"MEMORY.md.bak.{number}").write_text(text, encoding="utf-8")
        (home / "memories" / "MEMORY.md.bak.\x1b]0;PWNED\x07").write_bytes(b"\xff\x1b]0;PWNED\x07")
        terminal = Terminal(home, 40, 120)
        try:
            terminal.read_until("‹ESC›".encode())
            terminal.read_until_quiet()
            for keys in KEYS:
                terminal.press(keys)
                terminal.read_until_quiet()
            for _ in texts:
                for keys in ("j", "e", "\x1b", "\r", "\x1b"):
                    terminal.press(keys)
                    terminal.read_until_quiet()
            for keys in ("\t", "j"):
                terminal.press(keys)
                terminal.read_until_quiet()
        finally:
            code = terminal.close()
        assert code == 0
        for wanted in ("‹ESC›", "‹BEL›", "‹U+202E›", "[/b]"):
            assert wanted.encode() in terminal.seen, wanted
        assert b"\x1b[22;0t" in terminal.seen and b"\x1b[23;0t" in terminal.seen, "the title is kept and put back"
        assert_clean(terminal.seen)

    def assert_clean(seen: bytes) -> None:
        """Textual's own is the shape of the mouse pointer; ours the title, which holds fixed words and a number."""
        seen = re.sub(rb"\x1b\]22;[a-z-]*\x07", b"", seen)
        seen = re.sub(rb"\x1b\]0;workbench(: \d+ alerts?)?\x1b\\", b"", seen)
        for payload in FORBIDDEN:
            at = seen.find(payload)
            assert at < 0, (payload, seen[max(0, at - 60) : at + 60])

    def test_hostile_records_reach_the_terminal_only_as_tokens(tmp_path: Path) -> None:
        """In the queue, in all three views of a record, in the editor, in every dialog of the inbox."""
        texts = list(PAYLOADS.values())
        home = home_with(tmp_path, texts, texts[:3], "memory:\n  memory_char_limit: 5000\n")
        (home / "config.yaml").write_text(f"# {texts[2]!r}\nmemory: {{memory_char_limit: 5000}}\n", "utf-8")
        everything = " ".join(texts)
        queue(home, "aaaa0000", add(everything), created=1.0, summary=everything, origin=everything)
        queue(home, "bbbb0000", remove(texts[2]), created=2.0)
        queue(home, "cccc0000", skill("patch", texts[0], old_string=texts[1]), subsystem="skills", created=3.0)
        queue_raw(home, "evil\x1b]0;PWNED\x07", "{" + everything)
        steps = (
            ("2", "oldest"), ("\r", "▌"), ("o", "operations"), ("o", "raw"), ("o", "operations"), ("e", "accept"),
            ("\x1b", "with reason"), ("\x1b", "▌"), ("A", "would be accepted"), ("\x1b", "waiting"),
            ("R", "refuse"), ("\x1b", "waiting"), ("j", "RAWRED"), (">", "aim it at"), ("\x1b", "waiting"),
            ("j", "needs"), ("W", "asking first"), ("\x1b", "waiting"), ("j", "unreadable"), ("a", "left as it is"),
        )  # fmt: skip
        terminal = Terminal(home, 40, 120)
        try:
            terminal.read_until("‹ESC›".encode())
            terminal.read_until(b"live")
            for key, marker in steps:
                terminal.read_until_quiet()
                at = len(terminal.seen)
                terminal.press(key)
                deadline = time.monotonic() + 10
                while marker.encode() not in terminal.seen[at:] and time.monotonic() < deadline:
                    terminal.read_until_quiet()
                assert marker.encode() in terminal.seen[at:], (key, marker)
        finally:
            code = terminal.close()
        assert code == 0
        assert_clean(terminal.seen)
