"""`python -m tests.all`: everything that must be green, in order: lint, format, types, contracts, tests.

With WORKBENCH_CLIENT=1 the tests against the real client run too, in a virtual environment made for it; a client
that cannot be installed is then a failure.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
CLIENT = ("hermes-agent==0.19.0", "pyyaml")


def run(title: str, *argv: str, **environment: str) -> None:
    """Run one check from the checkout's root; the first that fails ends everything."""
    sys.stdout.write(f"\n== {title}\n")
    sys.stdout.flush()
    ran = subprocess.run(argv, cwd=ROOT, env={**os.environ, **environment}, check=False)
    if ran.returncode != 0:
        sys.exit(f"{title} failed")


def make_client(folder: Path) -> Path:
    """Install the real client into its own environment; returns its Python."""
    run("the client's environment", sys.executable, "-m", "venv", str(folder))
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run("the real client", *pip, "--no-deps", *CLIENT)
    return python


def main() -> None:
    """Run all checks."""
    python = sys.executable
    scripts = Path(python).parent
    run("lint", python, "-m", "ruff", "check", ".")
    run("format", python, "-m", "ruff", "format", "--check", ".")
    run("types", python, "-m", "mypy")
    run("contracts", str(scripts / "lint-imports"))
    with tempfile.TemporaryDirectory(prefix="workbench-client-") as name:
        environment = {}
        if os.environ.get("WORKBENCH_CLIENT") == "1":
            known = os.environ.get("WORKBENCH_CLIENT_PYTHON")
            environment["WORKBENCH_CLIENT_PYTHON"] = known or str(make_client(Path(name) / "client"))
        else:
            sys.stdout.write("\nThe tests against the real client are left out; set WORKBENCH_CLIENT=1 for them.\n")
        run("tests", python, "-m", "pytest", *sys.argv[1:], **environment)


if __name__ == "__main__":
    main()
