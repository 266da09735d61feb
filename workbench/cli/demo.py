"""`workbench demo`: make a made-up home, and open it."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from datetime import datetime
from pathlib import Path

from workbench.cli.output import Output, door
from workbench.cli.screen import Screen
from workbench.demo import make
from workbench.errors import Usage
from workbench.home import resolve


def demo(options: argparse.Namespace, output: Output, screen: Screen) -> int:
    """Make the home in DIR, or in a temporary folder that is removed when the screen closes; then open it."""
    now = _moment(options.now)
    temporary = options.dir is None
    folder = Path(tempfile.mkdtemp(prefix="workbench-demo-")) / "home" if temporary else Path(options.dir)
    make(
        folder,
        seed=options.seed,
        now=now,
        sessions=options.sessions,
        messages=options.messages,
        progress=_progress if options.messages and sys.stderr.isatty() else None,
    )
    if options.make_only:
        if output.as_json:
            output.json({"success": True, "home": str(folder)})
        else:
            output.lines([door(str(folder))])
        return 0
    try:
        return screen(resolve(str(folder)), read_only=options.read_only, theme=options.theme, now=now)
    finally:
        if temporary:
            shutil.rmtree(folder.parent, ignore_errors=True)


def _moment(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        moment = float(text)
    except ValueError:
        try:
            moment = datetime.fromisoformat(text).timestamp()
        except (ValueError, OverflowError, OSError):
            raise Usage(f"“{text}” is neither Unix seconds nor an ISO date.") from None
    if not 0 <= moment < 32_503_680_000:  # up to the year 3000; NaN fails both
        raise Usage(f"“{text}” is not a time that a demo can have.")
    return moment


def _progress(done: int, total: int) -> None:
    width = 32
    filled = width * done // max(1, total)
    end = "\n" if done >= total else ""
    print(
        f"\r{'█' * filled}{'░' * (width - filled)} {done:,} of {total:,} messages", end=end, file=sys.stderr, flush=True
    )
