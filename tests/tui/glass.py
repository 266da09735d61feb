"""What a terminal shows after some bytes: just enough of an emulator for what Textual sends."""

from __future__ import annotations

import re

from rich.cells import cell_len

_TOKEN = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\|\x1b[^\[\]P]|\r|\n|[^\x1b\r\n]+"
)


class Glass:
    """A screen of cells; `feed` takes what is new of the stream."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.x = self.y = 0
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Draw; a sequence or character that is not complete yet waits for the rest."""
        data, self._rest = self._rest + data, b""
        text = data.decode("utf-8", "surrogateescape")
        while text and "\udc80" <= text[-1] <= "\udcff":
            self._rest = text[-1].encode("utf-8", "surrogateescape") + self._rest
            text = text[:-1]
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                self._rest = text[at:].encode("utf-8", "surrogateescape") + self._rest
                return
            self._take(found[0])
            at = found.end()

    def _take(self, token: str) -> None:
        if token == "\r":
            self.x = 0
        elif token == "\n":
            self.y = min(self.y + 1, self.rows - 1)
        elif token.startswith("\x1b["):
            self._steer(token)
        elif not token.startswith("\x1b"):
            for char in token:
                self._put(char)

    def _steer(self, token: str) -> None:
        if token[-1] == "H":
            row, _, column = token[2:-1].partition(";")
            self.y, self.x = int(row or 1) - 1, int(column or 1) - 1
        elif token == "\x1b[2J":
            self.cells = [[" "] * self.columns for _ in range(self.rows)]

    def _put(self, char: str) -> None:
        width = cell_len(char)
        if width and 0 <= self.y < self.rows and 0 <= self.x < self.columns:
            self.cells[self.y][self.x] = char
            for more in range(1, width):
                if self.x + more < self.columns:
                    self.cells[self.y][self.x + more] = ""
            self.x += width

    @property
    def text(self) -> str:
        """The screen, one line a row."""
        return "\n".join("".join(row).rstrip() for row in self.cells)
