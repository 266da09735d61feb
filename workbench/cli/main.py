"""From the command line to a verb, and from its errors to an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from workbench.cli.output import Output, prepare_streams, say
from workbench.cli.parser import parse
from workbench.cli.screen import Screen
from workbench.errors import WorkbenchError
from workbench.home import resolve
from workbench.workspace import Workspace

Verb = Callable[[Workspace, argparse.Namespace, Output], int]


def main(argv: Sequence[str] | None = None, *, screen: Screen) -> int:
    """Run the workbench; returns the exit code (0 done, 1 refused or findings, 2 wrong usage, 3 conflict or busy)."""
    prepare_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    output = Output(as_json="--json" in arguments)
    try:
        options = parse(arguments)
        code = _run(options, output, screen)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except WorkbenchError as error:
        output.error(error)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader (head, less) has gone; Python would complain again when it flushes stdout at exit.
        _give_up_stdout()
        return 0
    except OSError as error:
        # The result could not be printed (a full disk behind a redirection); the verb itself is through.
        _give_up_stdout()
        say(f"workbench: the result could not be printed ({error.strerror}); what the verb did is done.")
        return 1


def _give_up_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(options: argparse.Namespace, output: Output, screen: Screen) -> int:
    if options.verb == "demo":
        from workbench.cli.demo import demo

        return demo(options, output, screen)
    choice = resolve(options.home, options.profile)
    if options.verb is None:
        return screen(choice, read_only=options.read_only, theme=options.theme, now=None)
    workspace = Workspace.open(choice, read_only=options.read_only)
    try:
        code = _verb(options.verb)(workspace, options, output)
        for notice in workspace.notices:
            say(f"workbench: {notice}")
        return code
    finally:
        workspace.close()


def _verb(name: str) -> Verb:
    """The function behind a verb; each module is loaded only for its own verbs."""
    if name == "memory":
        from workbench.cli.memory import memory

        return memory
    if name in ("status", "prompt", "scan"):
        from workbench.cli import looking

        return {"status": looking.status, "prompt": looking.prompt, "scan": looking.scan_text}[name]
    if name == "alerts":
        from workbench.cli.alerts import alerts

        return alerts
    if name == "pending":
        from workbench.cli.pending import pending

        return pending
    if name == "sessions":
        from workbench.cli.sessions import sessions

        return sessions
    if name == "forget":
        from workbench.cli.forget import forget

        return forget
    if name == "watch":
        from workbench.cli.watch import watch

        return watch
    if name == "backups":
        from workbench.cli.backups import backups

        return backups
    from workbench.cli import past

    return {"history": past.history, "undo": past.undo, "redo": past.redo, "restore": past.restore}[name]
