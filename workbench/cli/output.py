"""What the verbs print: one JSON object, or plain text that has gone through the door."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from workbench.errors import Ambiguous, NotFound, Usage, WorkbenchError

SCHEMA = 1
_RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_FLAGS = ("accept_loss", "accept_empty", "accept_blocked", "follow_link", "yes")


def accepted(options: argparse.Namespace) -> frozenset[str]:
    """The confirmations given on the command line."""
    return frozenset("--" + name.replace("_", "-") for name in _FLAGS if getattr(options, name, False))


def prepare_streams() -> None:
    """UTF-8 whatever the locale says; what cannot be encoded is shown as an escape instead of ending the verb."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


class Output:
    """Prints a verb's result; `as_json` decides the form."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    def json(self, data: dict[str, Any]) -> None:
        """Print one object; memory texts are exact here."""
        from workbench.text import json_text

        print(json_text({"schema": SCHEMA, **data}))

    def lines(self, lines: Iterable[str]) -> None:
        """Print our own lines; texts from disk must have gone through `door` or `one_line` before."""
        from workbench.text import reveal

        for line in lines:
            # The last guard: a text that missed the door still cannot steer the terminal.
            print(reveal(line).text if _RAW.search(line) else line)

    def error(self, error: WorkbenchError, reply: dict[str, Any] | None = None) -> None:
        """Print an error: the object on stdout with --json, else a sentence (and the entries meant) on stderr."""
        if self.as_json:
            self.json(reply if reply is not None else error.as_json())
            return
        say(f"workbench: {error}")
        listed: tuple[str, ...] = ()
        if isinstance(error, Ambiguous):
            listed = error.matches
        elif isinstance(error, NotFound):
            listed = error.closest
        from workbench.memory import entry_id

        for text in listed:
            say(f"  {entry_id(text)}  {one_line(text)}")


def say(text: str, stream: TextIO | None = None) -> None:
    """Print a sentence to stderr, control characters made visible."""
    from workbench.text import reveal

    print(reveal(text).text, file=stream or sys.stderr)


def door(text: str) -> str:
    """Text from disk for a terminal: control characters visible, secrets masked."""
    from workbench.text import shown

    return shown(text)


def one_line(text: str, width: int = 96) -> str:
    """The beginning of a text on one line, for lists; cut with an ellipsis."""
    from workbench.text import mask_head

    # Cut before the rest, with room for what masking shortens: an entry can have 50 MB.
    text = mask_head(text, width * 8 + 1000)
    flat = " ⏎ ".join(part.strip() for part in door(text).splitlines() if part.strip())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def read_text(argument: str, what: str = "text") -> str:
    """The argument itself, or all of stdin for `-`; one final newline of stdin is not part of the text.

    Raises Usage when stdin is a terminal or is not UTF-8.
    """
    if argument != "-":
        return argument
    if sys.stdin is None or sys.stdin.isatty():
        raise Usage(f"`-` reads the {what} from standard input; pipe it in.")
    try:
        text = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise Usage(f"The {what} on standard input is not UTF-8 (byte {error.start}).") from error
    return text.removesuffix("\n").removesuffix("\r")


def read_file(argument: str) -> str:
    """The content of a file given by path, or of stdin for `-`. Raises Usage when it cannot be read as UTF-8."""
    if argument == "-":
        return read_text("-", "draft")
    try:
        return Path(argument).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"{argument} cannot be read ({error}).") from error
