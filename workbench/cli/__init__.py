"""The headless face: verbs with plain or JSON output, started without textual and rich."""

from workbench.cli.main import main

__all__ = ["main"]
