"""`python -m tests.tools.screenshots`: draw the demo home and write `screenshots/*.svg`; a test holds their text."""

from __future__ import annotations

import asyncio
import html
import os
import re
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tests.tui.support import NOW, press, running, settle, until
from workbench.demo import make
from workbench.tui import themes

FOLDER = Path(__file__).parent.parent.parent / "screenshots"
SHOTS: Mapping[str, tuple[tuple[int, int], tuple[str, ...], str | None]] = {
    "memory": ((120, 36), ("G", "k", "k", "k", "k", "k", "k"), None),
    "editor": ((120, 36), ("j", "e"), None),
    "move": ((120, 36), ("G", "k", "space", "k", "space", "greater_than_sign"), None),
    "inbox": ((120, 36), ("2", "G", "k", "k", "k", "k", "k", "k"), None),
    "sessions": ((120, 36), ("3", "slash", *"docker", "enter", "tab"), None),
    "alerts": ((120, 36), ("4",), None),
    "room": ((120, 36), ("c", "A"), None),
    "prompt": ((120, 36), ("5", "right_square_bracket"), None),
    "history": ((120, 36), ("j", "d", "enter", "j", "d", "enter", "u", "6"), None),
    "small": ((80, 24), ("j",), "light"),
    **{f"theme-{name}": ((100, 32), ("j",), name) for name in themes.names()},
}
# What Textual makes up anew for every drawing.
_UNIQUE = re.compile(r"terminal-\d+")
# A picture must not load fonts from elsewhere; a reader's own monospaced one does.
_FONT_FILES = re.compile(r"\s*@font-face\s*\{[^}]*\}")
_FONTS = "font-family: Fira Code, Menlo, DejaVu Sans Mono, Noto Sans Mono CJK SC, monospace"


def draw(name: str) -> str:
    """One picture as SVG, always the same for the same code: fixed home, clock, time zone and size."""
    size, keys, theme = SHOTS[name]
    with tempfile.TemporaryDirectory() as folder:
        fixed = {"HOME": folder, "USERPROFILE": folder, "TZ": "UTC", "LANG": "C.UTF-8", "COLORTERM": "truecolor"}
        saved = {key: os.environ.get(key) for key in fixed}
        os.environ.update(fixed)
        if hasattr(time, "tzset"):
            time.tzset()
        try:
            home = make(Path(folder) / "agent", now=NOW).rename(Path(folder) / ".hermes")

            async def run() -> str:
                async with running(home, size, theme=theme) as pilot:
                    await press(pilot, *keys)
                    for _ in range(3):  # an area may wait for a pause in the keys, and its answer for another one
                        await until(pilot, lambda: getattr(pilot.app.screen, "quiet", True))
                        await settle(pilot)
                    return pilot.app.export_screenshot(title="workbench", simplify=True)

            svg = _FONT_FILES.sub("", asyncio.run(run()))
            return _UNIQUE.sub(f"workbench-{name}", svg).replace("font-family: Fira Code, monospace", _FONTS)
        finally:
            for key, value in saved.items():
                if value is None:
                    del os.environ[key]
                else:
                    os.environ[key] = value


def text_in(svg: str) -> str:
    """The text of a picture, for comparing; colours and positions are left to the eye."""
    return html.unescape("\n".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))).replace("\xa0", " ")


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name in SHOTS:
        (FOLDER / f"{name}.svg").write_text(draw(name), encoding="utf-8")


if __name__ == "__main__":
    main()
