"""What the columns of a message hold."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.sessions.content import STRUCTURED, content, decode, one_line, size_text, tool_calls
from workbench.text import mask


def test_parts_become_text_and_attachments() -> None:
    parts = [
        {"type": "text", "text": "look at kiwi"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "input_audio", "data": "x"},
        {"type": "text", "text": "and this"},
        "plain",
        {"type": "thinking"},
        7,
    ]
    said = content(STRUCTURED + json.dumps(parts))
    assert said.text == "look at kiwi\nand this\nplain\n[thinking]\n7"
    assert said.attachments == ("image", "audio")
    assert not said.broken
    assert "AAAA" not in said.text


@pytest.mark.parametrize("before", range(60, 121))
def test_a_line_is_never_cut_within_a_credential(before: int) -> None:
    key = "sk-" + "proj-aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW"
    for lead in ("", "API_KEY="):
        text = ("word " * 40)[: before - len(lead) - 1] + " " + lead + key + " and more " * 30
        assert "aB3dE" not in mask(one_line(text))
        calls, _ = tool_calls(json.dumps([{"function": {"name": "terminal", "arguments": json.dumps({"x": text})}}]))
        assert "aB3dE" not in mask(calls[0].summary)


KEYS = (
    "ghp_" + "a1B2c3D4e5" * 4,
    "eyJ" + "hbGciOiJIUzI1" * 30 + "." + "c3ViamVjdA9" * 60 + ".Sig",
    "token=" + "a1B2" * 9,
)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key[:4])
@pytest.mark.parametrize("blanks", [0, 60, 300, 398, 470, 476, 478])
def test_a_line_of_a_text_that_is_cut_shows_no_beginning_of_a_credential(key: str, blanks: int) -> None:
    for size in range(4, len(key) + 1, 3):
        cut = " " * blanks + key[:size]
        assert mask(one_line(cut, cut=True)) in ("…", "token=…", "••••••…", "ghp_••••••e5…"), cut
    whole = " " * blanks + key + " and on"
    assert key[8:14] not in mask(one_line(whole))


def test_a_word_too_long_to_be_a_credential_is_no_reason_to_show_nothing() -> None:
    assert (
        one_line("look at https://example.net/" + "path/" * 150)
        == ("look at https://example.net/" + "path/" * 50)[:119] + "…"
    )
    assert one_line("一" * 2000, cut=True) == "一" * 119 + "…"


def test_a_list_cut_short_gives_its_whole_parts() -> None:
    whole = STRUCTURED + json.dumps([{"type": "text", "text": "kept"}, {"type": "image_url", "image_url": "A" * 99}])
    assert content(whole[:60], cut=True) == content(STRUCTURED + '[{"type": "text", "text": "kept"}]')
    assert content(whole[:60]).broken


@pytest.mark.parametrize("body", ["", "{", "[", "not json", "[" * 100_000, '{"text": 5}', "null", "[null, true]"])
def test_whatever_stands_behind_the_mark_is_shown(body: str) -> None:
    assert content(STRUCTURED + body).text is not None
    assert content("plain " + body).text == "plain " + body


@given(st.text())
def test_text_is_never_changed_and_nothing_raises(text: str) -> None:
    if not text.startswith(STRUCTURED):
        assert content(text).text == text
    content(STRUCTURED + text)
    content(STRUCTURED + text, cut=True)
    tool_calls(text)


@given(st.binary())
def test_bytes_are_always_text(data: bytes) -> None:
    assert isinstance(decode(data), str)
    assert isinstance(decode(data, cut=True), str)


def test_a_character_cut_in_half_is_not_shown_as_damage() -> None:
    data = "日本語".encode()[:-1]
    assert decode(data, cut=True) == "日本"
    assert decode(data) == "日本\ufffd"
    assert (decode(None), decode(7), decode("x")) == ("", "7", "x")


def test_calls_say_what_they_are_about() -> None:
    raw = [
        {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "src/auth/mod.rs"}'}},
        {"id": "c2", "function": {"name": "terminal", "arguments": '{"timeout": 5, "command": "make\\n  test"}'}},
        {"id": "c3", "function": {"name": "memory", "arguments": '{"action": "add", "target": "user"}'}},
        {"call_id": "c4", "name": "search", "input": {"query": "kiwi"}},
        {"id": "c5", "function": {"name": "odd", "arguments": "{not json"}},
        {"id": "c6", "function": {"name": None, "arguments": None}},
        "nothing",
    ]
    calls, whole = tool_calls(json.dumps(raw))
    assert whole
    assert [call.summary for call in calls] == [
        "read_file src/auth/mod.rs",
        "terminal make test",
        "memory add user",
        "search kiwi",
        "odd {not json",
        "?",
        "?",
    ]
    assert [call.id for call in calls][:4] == ["c1", "c2", "c3", "c4"]
    assert tool_calls('{"function": {"name": "one"}}')[0][0].name == "one"
    assert (tool_calls("not json"), tool_calls(""), tool_calls("null"), tool_calls("7")) == (
        ((), False), ((), True), ((), True), ((), False),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (9_600, "9.6 kB"), (999_960, "1.0 MB"), (2_300_000, "2.3 MB"), (10**13, "10000.0 GB")],
)
def test_sizes(size: int, text: str) -> None:
    assert size_text(size) == text


def test_a_line_is_a_line() -> None:
    assert one_line("a\n\tb  c") == "a b c"
    assert one_line("x" * 200) == "x" * 119 + "…"
    assert one_line(" " * 5000 + "late", 10) == "…"
