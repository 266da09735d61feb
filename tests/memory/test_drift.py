"""Drift is explained where it is, and every way out of it is planned before a byte is written."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import TESTS, Ran
from tests.snapshots import tree
from workbench.errors import Conflict, NeedsConfirmation, Usage
from workbench.memory import Add, Document, entry_id, parse, serialise
from workbench.memory.drift import MOST, Difference, drift
from workbench.memory.encodings import MIXED, candidates, decode
from workbench.memory.resolving import choices, compose, last_good, normalise, reencode, split, trim
from workbench.workspace import Workspace, resolving

CASES: list[dict[str, Any]] = json.loads((TESTS / "cases" / "memory_files.json").read_text("utf-8"))


def read(text: str | bytes, limit: int = 2200) -> Document:
    return parse(text.encode() if isinstance(text, str) else text, "memory", limit)


def kinds(text: str | bytes, limit: int = 2200) -> dict[str, Difference]:
    return {one.kind: one for one in drift(read(text, limit)).differences}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_case_is_explained_as_its_state_says(case: dict[str, Any]) -> None:
    raw = bytes.fromhex(case["raw_hex"]) if "raw_hex" in case else case["raw"].encode()
    document = read(raw)
    found = drift(document)
    assert found.any == (document.state not in ("ok", "missing"))
    if document.state != "unreadable":
        text = raw.decode()
        for one in found.differences:
            assert one.start is None or one.end is None or 0 <= one.start <= one.end <= len(text)
            assert one.line is None or 1 <= one.line <= text.count("\n") + text.count("\r") + 1
    if case.get("normalised"):
        assert found.ways == ("normalise",)


def test_where_each_thing_is() -> None:
    raw = "\ufeffone \n§\n\n two\r\n§\r\nthree\n"
    found = {one.kind: one for one in drift(read(raw)).differences}
    assert set(found) == {"bom", "crlf", "blanks", "outer_whitespace"}
    assert (found["bom"].start, found["bom"].end) == (0, 1)
    assert (found["crlf"].line, found["crlf"].count) == (4, 2)
    spans = [(one.line, raw[one.start : one.end]) for one in drift(read(raw)).differences if one.kind == "blanks"]
    assert spans == [(1, " "), (3, "\n ")]
    assert not found["outer_whitespace"].serious


def test_what_is_too_long_repeated_hollow_or_only_looks_like_a_delimiter() -> None:
    long = kinds("short\n§\n" + "x" * 30, 20)["too_long"]
    assert (long.line, long.start, long.end, long.entry) == (3, 8, 38, 1)
    assert "10 more" in long.text
    assert kinds("a\n§\n\n§\nb")["hollow"].line == 3
    assert "stray_delimiter" in kinds("§\na")
    assert not kinds("a\n§\nb")
    assert kinds("a\n§\na\n§\nb")["duplicate"].entry == 0
    assert kinds("a\n§ \nb")["spaced_delimiter"].serious is False
    assert kinds("a" * 15 + "\n§\n" + "b" * 15, 20)["over"].text.startswith("13 characters over")
    bytes_of = kinds(b"one\ncaf\xe9 \n")["not_utf8"]
    assert (bytes_of.line, bytes_of.start) == (2, 7)
    assert "0xE9" in bytes_of.text


def test_a_million_places_are_counted_not_listed() -> None:
    found = [one for one in drift(read("a \n§\n" * 5_000 + "a")).differences if one.kind == "blanks"]
    assert len(found) == MOST + 1
    assert found[-1].count == 5_000 - MOST


@given(st.lists(st.sampled_from(["one", "two", " ", "\n", "\r\n", "\r", "§", "\n§\n", "\ufeff", "- x"]), max_size=14))
def test_a_file_without_anything_serious_is_what_no_client_refuses_for_its_layout(parts: list[str]) -> None:
    document = read("".join(parts))
    found = drift(document)
    if document.state == "ok":
        assert not found.any
    if document.state == "cosmetic":
        assert found.any
        assert "normalise" in found.ways


@given(st.text(alphabet="ab §\n\r\ufeff-#", max_size=40))
def test_after_normalising_nothing_is_left_to_explain(text: str) -> None:
    document = read(text)
    after = read(serialise(document.texts))
    if after.texts == document.texts:
        assert not drift(after).any


NOTES = {
    "cp1252": "Prefers café au lait – naïve “quotes”\n§\nLives in Málaga",
    "gb18030": "用户喜欢简短的回答\n§\n项目使用 Rust 编写，测试在本地运行",
    "shift_jis": "短い返事が好きです\n§\nプロジェクトは Rust で書かれている",
    "big5": "使用者喜歡簡短的回答\n§\n這個專案使用 Rust，測試在本機執行",
    "utf-16-le": "Likes tea\n§\nLives in Lisbon",
    "utf-16-be": "Likes tea\n§\nLives in Lisbon",
}


@pytest.mark.parametrize("encoding", NOTES)
def test_the_likeliest_encoding_is_the_right_one(encoding: str) -> None:
    # Where the encoding has no section sign, a file in it cannot have two entries; then it is one.
    text = NOTES[encoding]
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("\n§\n", "\n")
        data = text.encode(encoding)
    if encoding.startswith("utf-16"):
        assert decode(data, encoding) == text  # these bytes are valid UTF-8 as well: only a mark tells
        data = "\ufeff".encode(encoding) + data
    ranked = candidates(data)
    assert ranked[0].encoding == encoding, [(one.encoding, one.score) for one in ranked]
    assert ranked[0].text == text


def test_latin_bytes_in_a_file_of_utf8_leave_the_rest_alone() -> None:
    data = "Prefers café\n§\nUses §7 — always\n§\n".encode() + "Málaga, 3 €".encode("cp1252")
    ranked = candidates(data)
    assert ranked[0].encoding == MIXED
    plan = reencode(read(data))
    assert plan.data == "Prefers café\n§\nUses §7 — always\n§\nMálaga, 3 €".encode()


def test_utf16_without_a_mark_and_odd_bytes() -> None:
    assert candidates("Uses é and ü".encode("utf-16-le"))[0].encoding == "utf-16-le"
    assert all(isinstance(one.text, str) for one in candidates(bytes(range(256)) * 40))
    with pytest.raises(Usage, match="no encoding"):
        reencode(read(b"caf\xe9"), "klingon")
    with pytest.raises(Usage, match="no encoding"):
        reencode(read(b"caf\xe9"), "base64")
    with pytest.raises(Usage, match="not big5"):
        reencode(read(b"caf\xe9"), "big5")
    with pytest.raises(Usage, match="UTF-8 already"):
        reencode(read("café"))


@given(st.binary(max_size=60))
def test_any_bytes_have_a_reading_that_can_be_written(data: bytes) -> None:
    document = read(data)
    if document.state == "unreadable":
        plan = reencode(document)
        assert plan.data is not None
        assert read(plan.data).state != "unreadable"


def test_a_split_makes_a_lossy_file_usable_and_loses_no_word() -> None:
    parts = [f"## Part {n}\n" + "\n".join(f"- fact {n}.{m} is that" for m in range(12)) for n in range(9)]
    document = read("first\n§\n" + "\n\n".join(parts), 900)
    plan = split(document)
    assert plan.operation is not None
    assert "becomes" in plan.said[0]
    chosen = split(document, {document.entries[1].id: (20,)})
    assert chosen.operation != plan.operation
    with pytest.raises(Usage):
        split(read("one\n§\ntwo"))


def test_trim_keeps_a_beginning_and_says_how_much() -> None:
    document = read("kept\n§\n" + "A sentence of words. " * 40, 400)
    plan = trim(document)
    assert plan.said[0].endswith("of 839 characters")
    with pytest.raises(Usage):
        trim(read("one"))


def test_the_last_good_version_is_neither_lossy_nor_unreadable_nor_empty() -> None:
    document = read("x" * 50, 40)
    versions = [("aa", b"x" * 50), ("bb", b"caf\xe9"), ("cc", b""), ("dd", b"y" * 41), ("ee", b"good"), ("ff", b"old")]
    assert last_good(document, versions).data == b"good"
    with pytest.raises(Usage):
        last_good(document, versions[:4])


def test_entries_of_several_versions_chosen_one_by_one() -> None:
    now, good, old = read("a\n§\nb, new\n§\nc"), read("a\n§\nb\n§\nc\n§\nd"), read("z\n§\na")
    rows = choices([("now", now), ("good", good), ("old", old)])
    assert [row.text for row in rows] == ["z", "a", "b", "b, new", "c", "d"]
    assert rows[1].sources == ("now", "good", "old")
    assert compose(now, ["a", "b", "d"]).data == "a\n§\nb\n§\nd".encode()
    for bad in (["a", "a"], ["a\n§\nb"], ["§\n"], ["x" * 3000]):
        with pytest.raises(Usage):
            compose(now, bad)


def test_normalise_says_what_it_changes() -> None:
    assert normalise(read("one \n§\ntwo\n")).said[0].startswith("blanks beside the §")
    with pytest.raises(Usage):
        normalise(read("one"))


# -- carried out ----------------------------------------------------------------------------------------------------


def test_resolving_is_one_change_set_and_keeps_the_bytes(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    odd = b"one\ncaf\xe9\n"
    path = put(odd)
    workspace = open_home()
    number = resolving.resolve(workspace, resolving.plan(workspace, "memory", "reencode"))
    assert number is not None
    assert path.read_bytes() == "one\ncafé\n".encode()
    change = workspace.history.change(number)
    assert workspace.history.bytes_of(change.files[0].before) == odd
    workspace.undo()
    assert path.read_bytes() == odd
    stale = resolving.plan(workspace, "memory", "reencode=latin-1")
    path.write_bytes(b"moved on \xe9")
    with pytest.raises(Conflict):
        resolving.resolve(workspace, stale)


def test_the_choice_among_versions_of_a_real_home(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["one", "two"])
    workspace = open_home()
    workspace.write(Add("memory", "three"))
    path.with_name("MEMORY.md.bak.7").write_text("zero\n§\none")
    path.write_text("one\n§\nfour\n")
    rows = resolving.choices(workspace, "memory")
    assert {row.text: row.sources[0] for row in rows} == {
        "zero": "MEMORY.md.bak.7", "one": "now", "two": "last good version", "three": "last good version",
        "four": "now",
    }  # fmt: skip
    plan = compose(workspace.documents()["memory"], ["one", "three", "four"])
    resolving.resolve(workspace, plan)
    assert path.read_text() == "one\n§\nthree\n§\nfour"
    with pytest.raises(NeedsConfirmation):
        resolving.resolve(workspace, compose(workspace.documents()["memory"], []))


def test_entries_of_several_versions_are_taken_by_version_number_and_id(
    put: Callable[..., Path], run: Callable[..., Ran], home: Path
) -> None:
    path = put(["one", "two"])
    assert run("memory", "add", "memory", "three").code == 0
    path.with_name("MEMORY.md.bak.7").write_text("zero\n§\none")
    path.write_text("one\n§\nfour\n")
    run("history")  # the backup of before that is due now
    before = tree(home)
    how = ("memory", "resolve", "memory", "--how", "entries")
    listed = run(*how, "--dry-run", "--json").json["choices"]
    assert [one["text"] for one in listed] == ["zero", "one", "two", "three", "four"]
    assert [one["number"] for one in listed] == [1, 2, 3, 4, 5]
    assert listed[1]["sources"][:2] == ["now", "last good version"]
    assert "#3" in run(*how, "--dry-run").out
    dry = run(*how, "--take", "now", "3", entry_id("zero")[:6], "--leave", "four", "--dry-run", "--json")
    assert (dry.code, dry.json["kind"]) == (2, "usage"), "an entry's text is no name of it"
    dry = run(*how, "--take", "now", "3", entry_id("zero")[:6], "--leave", entry_id("four"), "--dry-run", "--json")
    assert dry.json["entries"] == ["zero", "one", "two"]
    assert tree(home) == before, "looking changes nothing"
    assert run(*how, "--take", "now", "last", "--json").json["entries"] == ["one", "two", "three", "four"]
    assert path.read_bytes() == serialise(["one", "two", "three", "four"])
    assert run("undo").code == 0
    assert run(*how, "--leave", "five-is-nothing").code == 2
    assert run(*how, "--leave", "now").code == 1, "an empty store has to be agreed to"
    assert run(*how).code == 2, "which entries has to be said"
    assert run("memory", "resolve", "memory", "--how", "trim", "--take", "1").code == 2
    assert path.read_text() == "one\n§\nfour\n"


LONG = "first\n§\n" + "\n\n".join(f"## Part {n}\n" + "words and words. " * 20 for n in range(8))


@pytest.mark.parametrize(
    ("text", "how", "state"),
    [
        ("one \n§\ntwo", "normalise", "ok"),
        (LONG, "split", "over"),
        (LONG, "trim", "ok"),
        (b"caf\xe9", "reencode", "ok"),
        (b"caf\xe9", "reencode=cp1252", "ok"),
        (b"caf\xe9", "last-good", "ok"),
    ],
)
def test_the_verbs_explain_show_and_do(
    text: str | bytes, how: str, state: str, run: Callable[..., Ran], put: Callable[..., Path], home: Path
) -> None:
    put("good")
    run("history")
    path = put(text)
    before = tree(home)
    explained = run("memory", "drift", "--json")
    assert explained.code == 1
    assert how.partition("=")[0] in explained.json["stores"][0]["ways"]
    assert f"--how {how.partition('=')[0]}" in run("memory", "drift", "memory").out
    dry = run("memory", "resolve", "memory", "--how", how, "--dry-run", "--json")
    assert dry.json["success"], dry.out
    assert tree(home) == before, "looking changes nothing"
    if how == "trim":
        assert run("memory", "resolve", "memory", "--how", how).code == 1
    done = run("memory", "resolve", "memory", "--how", how, "--accept-loss", "--json")
    assert done.code == 0, done.out
    assert done.json["entries"] == dry.json["entries"]
    assert done.json["state"] == state
    assert path.read_bytes() == serialise(done.json["entries"])
    assert run("undo").code == 0
    assert path.read_bytes() == (text if isinstance(text, bytes) else text.encode())


def test_a_tidy_home_has_no_drift_and_a_wrong_way_is_wrong_usage(
    run: Callable[..., Ran], put: Callable[..., Path]
) -> None:
    put(["one", "two"])
    assert run("memory", "drift").code == 0
    assert run("memory", "resolve", "memory", "--how", "magic").code == 2
    assert run("memory", "resolve", "memory", "--how", "normalise").code == 2
    assert run("memory", "resolve", "memory", "--how", "last-good").code == 2


def test_a_file_that_went_to_the_wrong_place_is_trimmed_or_taken_back_but_not_cut_into_thousands_of_entries() -> None:
    huge = parse(("## part\nwords. \n\n" * 70_000).encode(), "memory", 2200)
    assert drift(huge).ways == ("trim", "last-good")
    with pytest.raises(Usage, match="more than 1,000,000 are not cut"):
        split(huge)
    begun = time.process_time()
    (said,) = trim(huge).said
    assert "keeps its first" in said
    assert time.process_time() - begun < 0.2
    assert drift(parse(("## part\nwords. \n\n" * 1_000).encode(), "memory", 2200)).ways[0] == "split"
