"""Talking to the real client: a process of its own that answers a line of JSON with a line of JSON."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.conftest import TESTS


@contextmanager
def dialogue(python: str, script: str) -> Iterator[Callable[[dict[str, Any]], Any]]:
    """Start a script of this folder with the client's Python; what is yielded asks it. Its hash seed is fixed."""
    with subprocess.Popen(
        [python, str(TESTS / "client" / script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONHASHSEED": "0"},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def ask(question: dict[str, Any]) -> Any:
            stdin.write(json.dumps(question) + "\n")
            stdin.flush()
            return json.loads(stdout.readline())

        yield ask
        stdin.close()
