"""`workbench watch`: follow a home, record and back up what others change, one line per fact until interrupted."""

from __future__ import annotations

import argparse
import json
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from workbench.cli.output import SCHEMA, Output, door, say
from workbench.workspace import Workspace
from workbench.workspace.following import Follower, Told


def watch(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench watch [--json]`: ends with exit 0 on Ctrl-C, SIGTERM, or when its reader has gone."""
    told: queue.SimpleQueue[Told | None] = queue.SimpleQueue()
    follower = Follower(workspace, told.put, polling=True if options.poll else None)
    with _interruptible(told):
        follower.start()
        try:
            while (one := told.get()) is not None:
                _print(one, as_json=output.as_json)
        except KeyboardInterrupt:
            return 0
        finally:
            follower.stop()
    return 0


@contextmanager
def _interruptible(told: queue.SimpleQueue[Told | None]) -> Iterator[None]:
    """Let a signal end the verb in order: what was being written is finished, nothing is printed in the middle."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), lambda number, frame: told.put(None)) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _print(one: Told, *, as_json: bool) -> None:
    if as_json:
        data: dict[str, Any] = {"schema": SCHEMA, "fact": one.fact, "path": one.path, "at": one.at, **one.more}
        sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
        sys.stdout.flush()  # a script reads line by line, and the next line may be hours away
        return
    clock = time.strftime("%H:%M:%S", time.localtime(one.at))
    try:
        sys.stdout.write(f"{clock}  {one.fact:<16} {door(one.sentence or one.path)}\n")
        sys.stdout.flush()
    except UnicodeEncodeError as error:
        say(f"workbench: {error.reason}")
