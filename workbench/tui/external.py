"""Editing an entry in the user's own editor: a private temporary file, the terminal lent out, the text read back."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from workbench.memory.document import universal_newlines
from workbench.text import reveal, unreveal
from workbench.tui.keymap import shown

if TYPE_CHECKING:
    from textual.app import App

FILE_NAME = "entry.md"


@dataclass(frozen=True)
class EditedOutside:
    """The text as it was left (None: there is none to speak of), and a sentence when something failed."""

    text: str | None
    problem: str = ""


def editor_command(env: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The command of $VISUAL, else $EDITOR, as words; empty when neither is set or its quotes do not close."""
    env = os.environ if env is None else env
    try:
        return tuple(shlex.split(env.get("VISUAL", "").strip() or env.get("EDITOR", "").strip(), posix=os.name != "nt"))
    except ValueError:
        return ()


def edit_outside(app: App[None], before: str, command: Sequence[str] | None = None) -> EditedOutside:
    """Lend the terminal to the user's editor with `before` in a file of mode 0600; blocks until the editor ends.

    The file holds the revealed form of the text, the one the editor of the workbench shows, and a final line feed; it
    and its folder are removed afterwards. The text comes back even when the editor reports a failure, if it differs.
    """
    command = editor_command() if command is None else tuple(command)
    if not command:
        return EditedOutside(None, f"Neither VISUAL nor EDITOR names an editor; {shown('memory.edit')} edits here.")
    if shutil.which(command[0]) is None:
        return EditedOutside(None, f"The editor “{command[0]}” was not found; {shown('memory.edit')} edits here.")
    try:
        folder = Path(tempfile.mkdtemp(prefix="workbench-"))  # 0700: nobody else reads what is in it
    except OSError as error:
        return EditedOutside(
            None, f"There is no room for a temporary file ({error.strerror}); {shown('memory.edit')} edits here."
        )
    kept = False
    try:
        return _edited(app, folder / FILE_NAME, before, command)
    except UnicodeDecodeError:
        kept = True  # somebody's work: it is not ours to throw away because we cannot read it
        return EditedOutside(None, f"What the editor saved is not UTF-8; it is kept in {folder}, nothing was changed.")
    except SuspendNotSupported:
        return EditedOutside(None, f"This terminal cannot be lent to an editor; {shown('memory.edit')} edits here.")
    except OSError as error:
        return EditedOutside(None, f"“{command[0]}” could not be used ({error.strerror}); nothing was changed.")
    finally:
        if not kept:
            shutil.rmtree(folder, ignore_errors=True)  # with the editor's own copies beside it


# Editors that go to a line when the file's name follows `+LINE`.
_GO_TO_LINE = frozenset({"vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "mg", "ne"})


def why_no_editor() -> str:
    """Why no editor can be called, as a sentence; "" when one can."""
    return "" if editor_command() else "Neither VISUAL nor EDITOR names an editor."


def open_outside(app: App[None], path: Path, line: int = 0) -> str:
    """Lend the terminal to the user's editor with a file of theirs, at a line (0: no matter); what failed, or "".

    Blocks until the editor ends. The file is theirs to write: nothing of it is read or written here.
    """
    command = editor_command()
    if not command:
        return why_no_editor()
    if shutil.which(command[0]) is None:
        return f"The editor “{command[0]}” was not found."
    goes = line > 0 and Path(command[0]).name in _GO_TO_LINE
    argv = [*command, *([f"+{line}"] if goes else []), str(path)]
    try:
        with app.suspend(), _deaf_to_interrupts():
            code = subprocess.run(argv, check=False).returncode
    except SuspendNotSupported:
        return f"This terminal cannot be lent to an editor; the file is {path}."
    except OSError as error:
        return f"“{command[0]}” could not be used ({error.strerror})."
    if code < 0:
        return f"“{command[0]}” was stopped by signal {-code}."
    return f"“{command[0]}” ended with {code}." if code else ""


def _edited(app: App[None], path: Path, before: str, command: Sequence[str]) -> EditedOutside:
    shown = f"{reveal(before).text}\n"
    with os.fdopen(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8", newline=""
    ) as out:
        out.write(shown)
    with app.suspend(), _deaf_to_interrupts():
        code = subprocess.run([*command, str(path)], check=False).returncode
    try:
        now = universal_newlines(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        return EditedOutside(None, "The editor left no file behind; nothing was changed.")
    text = unreveal(now).strip() if now != shown else before
    if code == 0:
        return EditedOutside(text)
    ended = f"“{command[0]}” ended with {code}" if code > 0 else f"“{command[0]}” was stopped by signal {-code}"
    if text == before:
        return EditedOutside(None, f"{ended}; nothing was changed.")
    return EditedOutside(text, f"{ended}; what it had saved is shown, nothing is written yet.")


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """A ctrl+c meant for the editor reaches every program of the terminal; it must not end this one."""
    former = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)
