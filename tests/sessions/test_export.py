"""Exports: what they hold, what they mask, and that they cannot do harm."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import VERSIONS
from tests.sessions.made import Made
from workbench.sessions.content import STRUCTURED
from workbench.sessions.database import Database
from workbench.sessions.errors import ExportStopped
from workbench.sessions.export import Choice, jsonl, markdown
from workbench.sessions.export_file import Steps, pieces_of, write
from workbench.sessions.export_html import html
from workbench.sessions.lineage import conversation
from workbench.sessions.schema import look

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6"
PLAIN = Choice(masked=False)


def exported(made: Made, session: str = "s", choice: Choice = PLAIN) -> list[dict[str, Any]]:
    text = "".join(jsonl(made.db, made.cap, conversation(made.db, made.cap, session), choice))
    return [json.loads(line) for line in text.splitlines()]


def rendered(made: Made, form: Callable[..., Any], choice: Choice = PLAIN, session: str = "s") -> str:
    return "".join(form(made.db, made.cap, conversation(made.db, made.cap, session), choice))


@pytest.mark.parametrize("version", VERSIONS)
def test_every_conversation_of_a_home_can_be_exported(unpack: Callable[[str], Path], version: str) -> None:
    with Database(unpack(version) / "state.db").connection() as db:
        cap = look(db)
        ids = [row[0] for row in db.execute("SELECT id FROM sessions")]
        for ident in ids:
            talk = conversation(db, cap, ident)
            lines = "".join(jsonl(db, cap, talk, Choice())).splitlines()
            assert [json.loads(line)["id"] for line in lines] == list(talk.ids)
            assert "".join(markdown(db, cap, talk, Choice())).startswith("# ")
            assert "".join(html(db, cap, talk, Choice())).endswith("</html>\n")
        auth = "".join(jsonl(db, cap, conversation(db, cap, "20251012_080000_d4e5f8"), PLAIN)).splitlines()
    first, *_, last = [json.loads(line) for line in auth]
    assert [each["id"] for each in first["messages"]] == [9, 10, 11, 12, 13, 14]
    assert first["messages"][1]["tool_calls"][0]["function"]["name"] == "read_file"
    assert last["system_prompt"].startswith("You are a calm")


def test_messages_hold_what_goes_on_and_the_rest_stands_beside() -> None:
    made = Made("0.19")
    made.session("s")
    made.say("s", "archived", active=0, compacted=1)
    made.say("s", "live")
    made.say("s", "taken back", active=0)
    (only,) = exported(made)
    assert [each["content"] for each in only["messages"]] == ["live"]
    assert [each["content"] for each in only["compacted_messages"]] == ["archived"]
    assert "undone_messages" not in only
    (more,) = exported(made, choice=Choice(masked=False, undone=True))
    assert [each["content"] for each in more["undone_messages"]] == ["taken back"]


def test_what_would_break_an_import_is_put_right() -> None:
    made = Made("0.22")
    made.session("s", model_config="{bad", started_at=float("inf"), title=5)
    made.say(
        "s", STRUCTURED + '[{"type": "text", "text": "kiwi \\ud800"}]', token_count="many", timestamp=float("-inf")
    )
    made.say("s", STRUCTURED + "[{broken", tool_calls="not json", tool_call_id=7)
    made.say("s", b"\x00\xff", None)
    (only,) = exported(made)
    assert (only["model_config"], only["model_config_raw"], only["started_at"]) == (None, "{bad", None)
    assert only["title"] == "5"
    one, two, three = only["messages"]
    assert one["content"] == [{"type": "text", "text": "kiwi \ud800"}]
    assert (one["token_count"], one["timestamp"]) == (None, None)
    assert two["content"] == STRUCTURED + "[{broken"
    assert (two["tool_calls"], two["tool_calls_raw"], two["tool_call_id"]) == (None, "not json", "7")
    assert (three["role"], three.get("content")) == ("unknown", None)


def test_what_the_client_cannot_import_is_said() -> None:
    made = Made("0.19")
    made.session("s")
    made.say("s", "x" * (6 * 1024 * 1024))
    made.session("t")
    made.say("t")
    said: list[str] = []
    for session in ("s", "t"):
        for _ in jsonl(made.db, made.cap, conversation(made.db, made.cap, session), PLAIN, said.append):
            pass
    assert len(said) == 1
    assert "s has 1 messages and 6.3 MB" in said[0]


def secret_talk() -> Made:
    made = Made("0.22")
    made.session("s", title=f"use {TOKEN}", system_prompt=f"key {TOKEN}", cwd="/home/robin")
    arguments = json.dumps({"password": "hunter2-and-more", "note": f'say "{TOKEN}"'})
    calls = json.dumps([{"id": "c1", "function": {"name": "login", "arguments": arguments}}])
    made.say("s", STRUCTURED + json.dumps([{"type": "text", "text": f"my token is {TOKEN}"}]))
    made.say("s", f"the token {TOKEN}", "assistant", tool_calls=calls, reasoning=f"so {TOKEN}")
    made.say("s", json.dumps({"out": TOKEN}), "tool", tool_call_id="c1", tool_name="login")
    return made


def test_credentials_are_masked_unless_told_otherwise() -> None:
    made = secret_talk()
    masked = "".join(jsonl(made.db, made.cap, conversation(made.db, made.cap, "s"), Choice()))
    assert TOKEN not in masked
    assert "hunter2" not in masked
    (only,) = [json.loads(line) for line in masked.splitlines()]
    call = only["messages"][1]["tool_calls"][0]["function"]
    assert json.loads(call["arguments"]).keys() == {"password", "note"}
    assert json.loads(only["messages"][2]["content"]).keys() == {"out"}
    assert only["id"] == "s"
    plain = "".join(jsonl(made.db, made.cap, conversation(made.db, made.cap, "s"), PLAIN))
    assert plain.count(TOKEN) == 7
    for form in (markdown, html):
        assert TOKEN not in rendered(made, form, Choice())
        assert TOKEN in rendered(made, form)


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_page_holds_no_code_and_shows_hostile_text_as_text() -> None:
    made = Made("0.19")
    hostile = "</pre><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m\u202e&amp;"
    calls = json.dumps([{"id": hostile, "function": {"name": hostile, "arguments": hostile}}])
    made.session("s", title=hostile, source=hostile, model=hostile)
    made.end("s")
    made.session("t" + hostile, "s")
    made.say("s", hostile, hostile)
    made.say("s", hostile, "tool", tool_name=hostile)
    made.say("t" + hostile, hostile, "assistant", tool_calls=calls, reasoning=hostile)
    text = rendered(made, html)
    page = Page()
    page.feed(text)
    assert page.tags.isdisjoint({"script", "img", "iframe", "link", "a"})
    assert not {name for name in page.attributes if name.startswith("on") or name in ("src", "href")}
    assert page.text.count("<script>alert(1)</script>") >= 8
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "default-src 'none'" in text


def test_markdown_fences_hold_whatever_a_tool_says() -> None:
    made = Made("0.19")
    made.session("s", title="Talk", cwd="/work")
    made.say("s", "a\n```\nb\n`````\nc", "tool", tool_name="cat")
    made.say("s", "**bold**\x07", "assistant", reasoning="one\ntwo")
    made.say("s", "gone", active=0)
    text = rendered(made, markdown)
    assert "``````\na\n```\nb\n`````\nc\n``````" in text
    assert "**bold**‹BEL›" in text
    assert "> one\n> two" in text
    assert "gone" not in text
    assert "- Folder: /work" in text
    again = rendered(made, markdown, Choice(masked=False, undone=True))
    assert "taken back" in again
    assert "gone" in again


def test_a_conversation_of_several_sessions_says_where_it_goes_on() -> None:
    made = Made("0.19")
    made.session("s")
    made.say("s", "first part")
    made.end("s")
    made.session("t", "s")
    made.say("t", "second part")
    for form in (markdown, html):
        text = rendered(made, form, session="t")
        assert text.index("first part") < text.index("goes on as t") < text.index("second part")
    assert [each["id"] for each in exported(made, "t")] == ["s", "t"]
    assert exported(made, "t")[1]["parent_session_id"] == "s"


@pytest.mark.parametrize("force", [False, True])
def test_a_stopped_export_leaves_what_stood_there(tmp_path: Path, force: bool) -> None:
    made = Made("0.22")
    for name in ("a", "b", "c"):
        made.session(name)
        made.say(name, f"said in {name}")
    path = tmp_path / "out.jsonl"
    if force:
        path.write_text("mine")
    told: list[tuple[int, int]] = []

    def tell(begun: int, size: int) -> None:
        told.append((begun, size))
        if begun == 2:
            steps.stop.set()

    steps = Steps(path, tell, every=0.0)
    talks = steps.of(conversation(made.db, made.cap, name) for name in ("a", "b", "c"))
    pieces = pieces_of(made.db, made.cap, talks, "jsonl", PLAIN, list[str]().append)
    with pytest.raises(ExportStopped, match=r"Stopped; out\.jsonl was not written"):
        write(tmp_path / "home", path, pieces, force=force, step=steps.step)
    assert [begun for begun, _ in told] == sorted(begun for begun, _ in told) and told[-1][0] == 2
    assert [size for _, size in told] == sorted({size for _, size in told})
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == ([("out.jsonl", "mine")] if force else [])


def test_an_export_that_is_done_at_once_says_nothing_on_the_way(tmp_path: Path) -> None:
    told: list[int] = []
    steps = Steps(tmp_path / "x", lambda begun, size: told.append(size), every=3_600.0)
    assert write(tmp_path / "home", steps.path, ["one", "two"], force=False, step=steps.step) == 6
    assert not told and not steps.told
