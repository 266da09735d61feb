"""The client's own answers (0.19): which home, which limits, which gates."""

from __future__ import annotations

import json
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from workbench.errors import NoHome
from workbench.home import resolve
from workbench.home.config import parse

# The client's start-up code needs packages that are not installed here, so its one function is taken out and run.
HOMES = """
import ast, json, os, pathlib, sys
import hermes_cli
source = (pathlib.Path(hermes_cli.__file__).parent / "main.py").read_text(encoding="utf-8")
wanted = [n for n in ast.parse(source).body if getattr(n, "name", "") == "_apply_profile_override"]
scope = {"sys": sys, "os": os, "Path": pathlib.Path}
exec(compile(ast.Module(wanted, []), "main.py", "exec"), scope)
from hermes_constants import get_hermes_home
out = []
for case in json.load(sys.stdin):
    os.environ.pop("HERMES_HOME", None)
    if case["env"] is not None:
        os.environ["HERMES_HOME"] = case["env"]
    pathlib.Path(case["root"], "active_profile").write_bytes(case["active"].encode("latin-1"))
    sys.argv = ["hermes"] + (["--profile=" + case["profile"]] if case["profile"] is not None else [])
    try:
        scope["_apply_profile_override"]()
        out.append(str(get_hermes_home()))
    except SystemExit:
        out.append(None)
print(json.dumps(out))
"""

CONFIGS = """
import json, os, pathlib, sys
from hermes_cli.config import load_config
from tools.memory_tool import load_on_disk_store
from tools.write_approval import write_approval_enabled
out = []
path = pathlib.Path(os.environ["HERMES_HOME"], "config.yaml")
for text in json.load(sys.stdin):
    # A new name each time: the client keeps the last good file of a path.
    home = path.parent / str(len(out))
    home.mkdir()
    os.environ["HERMES_HOME"] = str(home)
    (home / "config.yaml").write_text(text, encoding="utf-8", newline="")
    store = load_on_disk_store()
    out.append([store.memory_char_limit, store.user_char_limit,
                write_approval_enabled("memory"), write_approval_enabled("skills")])
print(json.dumps(out))
"""


def ask(client_python: str, code: str, question: Any, env: dict[str, str]) -> Any:
    done = subprocess.run(
        [client_python, "-c", code],
        input=json.dumps(question),
        env={"PYTHONHASHSEED": "0", "PATH": "", **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.client
def test_the_same_home(client_python: str, tmp_path: Path) -> None:
    for root in (tmp_path / ".hermes", tmp_path / "data"):
        for name in ("work", "play", "tmp"):
            (root / "profiles" / name).mkdir(parents=True)
    native, data = tmp_path / ".hermes", tmp_path / "data"
    envs = [None, "", "  ", str(native), str(data), f"{data}/profiles/play", f"{native}/profiles/play"]
    envs += [f"{native}/other", f"{data}/profiles/gone", f"{data}/"]
    actives = ["", "work\n", " WORK ", "default", "Default", "gone", "a b", "tmp", "\xff"]
    options = [None, "work", "Default", "gone", "tmp", "a b"]
    cases = [
        {"env": e, "active": a, "profile": o, "root": str(r)}
        for e, a, o, r in product(envs, actives, options, (native, data))
    ]
    theirs = ask(client_python, HOMES, cases, {"HOME": str(tmp_path)})
    for root in (native, data):
        (root / "active_profile").write_bytes(b"\xff")
    for case, wanted in zip(cases, theirs, strict=True):
        Path(str(case["root"]), "active_profile").write_bytes(str(case["active"]).encode("latin-1"))
        env = {} if case["env"] is None else {"HERMES_HOME": str(case["env"])}
        try:
            got: str | None = str(resolve(None, case["profile"], env=env, user_home=tmp_path).path)
        except NoHome:
            got = None
        assert got == wanted, case


@pytest.mark.client
def test_the_same_values(client_python: str, tmp_path: Path) -> None:
    numbers = ["5000", "3,500", "3500.9", "true", "null", '"3500"', ".inf", "1e4", "1:30", "-4", "0", "[1]", "0x10"]
    texts = [f"memory:\n  memory_char_limit: {a}\n  user_char_limit: {b}\n" for a, b in product(numbers, numbers)]
    gates = ["true", "on", '"on"', '" YES "', "1", '"1"', "approve", "enabled", "null", "off", "maybe", "[on]"]
    texts += [f"memory:\n  write_approval: {g}\nskills: {{write_approval: {g}}}\n" for g in gates]
    texts += ["", "memory:\n", "memory: [1]\n", "memory: x\n", "- a\n", "text\n", "memory: {\n", "a: 1\n---\nb: 2\n"]
    texts += ["\ufeffmemory:\r\n  memory_char_limit: 77\r\n", "memory: {user_char_limit: 5}\nmemory: {}\n"]
    theirs = ask(client_python, CONFIGS, texts, {"HERMES_HOME": str(tmp_path), "HOME": str(tmp_path)})
    for text, wanted in zip(texts, theirs, strict=True):
        got = parse(text.encode(), {})
        ours = [got.memory_char_limit, got.user_char_limit, got.memory_write_approval, got.skills_write_approval]
        assert ours == wanted, text
