"""Ahead: what an area is made of is loaded, built and read while nobody needs the processor.

The first opening of an area is then what every later one is: one layout and one frame, with its content in it.
"""

from __future__ import annotations

import asyncio
import gc
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import App

# Seconds between two steps; a key that comes meanwhile is answered first.
PAUSE = 0.05


def load(modules: Sequence[str]) -> None:
    """Import modules of this package; for a thread."""
    for name in modules:
        import_module(f"workbench.tui.{name}")


async def build(app: App[None], modes: Sequence[str]) -> None:
    """Build the screens of modes that have not been shown yet, one after the other; each then reads by itself."""
    for mode in modes:
        await asyncio.sleep(PAUSE)
        if app._exit or not app.is_running:
            return
        # What Textual does at the first switch, without the switch; a mode that exists is left as it is.
        await app._init_mode(mode)
    await asyncio.sleep(PAUSE)
    # All this stays as long as the app. Looking through it again and again for garbage would make a key in every few
    # hundred wait for 50 ms.
    gc.freeze()
