"""Each rule that shortens: what it does, and what it must leave alone."""

from __future__ import annotations

import pytest

from tests.curation.support import of_kind
from workbench.curation.folding import foldings
from workbench.curation.shorter import BREADCRUMB, RULES, shorten, without_user
from workbench.memory import Merge

BY_NAME = {rule.name: rule for rule in RULES}
DOES = [
    ("filler", "Note that CI needs a tag", "CI needs a tag"),
    ("filler", "Please remember: use uv", "Use uv"),
    ("filler", "- keep in mind that mango is slow", "- mango is slow"),
    ("filler", "It is important to note that the key is old", "The key is old"),
    ("filler", "**Important:** It is important to note that it is slow", "**Important:** It is slow"),
    ("wordy", "Restart it in order to load the key", "Restart it to load the key"),
    ("wordy", "Due to the fact that mango is slow, wait", "Because mango is slow, wait"),
    ("wordy", "In order to go, İn order to stop", "To go, To stop"),
    ("emphasis", "**Deploy** with `make ship`", "Deploy with `make ship`"),
    ("blanks", "mango  is   slow", "mango is slow"),
    ("line ends", "one  \ntwo", "one\ntwo"),
    ("empty lines", "one\n\n\n\ntwo", "one\n\ntwo"),
    ("separators", "one\n----------\ntwo", "one\n---\ntwo"),
]
LEAVES = [
    ("filler", "Remember to water the plants"),
    ("filler", "Notes are in docs/"),
    ("filler", "The sign says: note that it is wet"),
    ("filler", "`note that x` is printed"),
    ("filler", "“Note that mango is slow” is what he says"),
    ("wordy", "`in order to` is a macro"),
    ("wordy", 'The file is called "in order to"'),
    ("wordy", "see https://x.example/in order to"),
    ("emphasis", "2**3**4 is 2**81"),
    ("emphasis", "src/**/test/**"),
    ("emphasis", "`**kwargs` and **args"),
    ("emphasis", "```\n**bold** in code\n```"),
    ("emphasis", "注意**重要**事项"),
    ("emphasis", r"\**literal**"),
    ("blanks", "`a  b` is a key"),
    ("blanks", "| a  |  b |\n| 1  |  2 |"),
    ("blanks", "    indented  code"),
    ("blanks", 'say "a  b" twice'),
    ("blanks", "```\na  b\n"),
    ("line ends", "one\ntwo"),
    ("empty lines", "one\n\ntwo"),
    ("empty lines", "```\none\n\n\n\ntwo\n```"),
    ("separators", "a ---------- b"),
    ("separators", "one\n---\ntwo"),
    ("separators", "```\n----------\n```"),
]
WHOLE = [
    "https://x.example/a**b**c  ",
    "مهم جدا: الخادم على المنفذ 2222",
    "👩‍💻 and 👨‍👩‍👧 joiners stay",
    "C:\\Users\\Robin\\Notes **x",
    "a" * 7000,
    "x",
]


@pytest.mark.parametrize(("name", "text", "short"), DOES)
def test_what_a_rule_does(name: str, text: str, short: str) -> None:
    assert shorten(text, (BY_NAME[name],)) == (short, (BY_NAME[name],))


@pytest.mark.parametrize(("name", "text"), LEAVES)
def test_what_a_rule_leaves_alone(name: str, text: str) -> None:
    assert shorten(text, (BY_NAME[name],)) == (text, ())


@pytest.mark.parametrize("text", WHOLE)
def test_what_all_rules_leave_alone(text: str) -> None:
    assert shorten(text) == (text, ())


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("Key facts > Ops > Backups: mango", "Ops > Backups: mango"),
        ("Notes > Imported > Tea is warm", "Tea is warm"),
        ("Ops > Notes > Tea", "Ops > Notes > Tea"),
        ("Facts are facts", "Facts are facts"),
        ("key facts >", "key facts >"),
    ],
)
def test_levels_that_name_no_subject_go_from_a_lone_entry(text: str, short: str) -> None:
    assert shorten(text, (BREADCRUMB,))[0] == short


def test_every_rule_has_both_kinds_of_examples() -> None:
    assert {name for name, *_ in DOES} == {name for name, _ in LEAVES} == set(BY_NAME)


def test_neighbours_under_one_breadcrumb_become_one_entry() -> None:
    texts = ["Key facts > Ops > Backups: mango", "Key facts > Ops > Deploys: ask first", "Tea is in the kitchen"]
    (folding,) = foldings(texts, 2200)
    assert (folding.first, folding.last) == (0, 2)
    assert folding.text == "Ops:\nBackups: mango\nDeploys: ask first"
    (one,) = of_kind("shorter", texts)
    assert isinstance(one.operation, Merge) and one.freed == sum(map(len, texts[:2])) + 3 - len(folding.text)


@pytest.mark.parametrize(
    "texts",
    [
        ["Key facts > Ops > Backups: mango", "Tea is in the kitchen", "Key facts > Ops > Deploys: ask"],
        ["Ops > a\nb", "Ops > c\nd"],
        ["https://x.example/a: one", "https://x.example/a: two"],
        ["`cmd > file`: one", "`cmd > file`: two"],
        ["Key facts > Ops > " + "long " * 100, "Key facts > Ops > " + "list " * 100],
        ["Note: one", "Node: two"],
    ],
)
def test_what_is_not_folded(texts: list[str]) -> None:
    assert list(foldings(texts, 2200)) == []


def test_the_longest_common_beginning_is_folded() -> None:
    ops = [f"Key facts > Ops: fact {n}" for n in range(3)]
    build = [f"Key facts > Project > Build: fact {n}" for n in range(2)]
    assert [(one.first, one.last, one.text.split("\n")[0]) for one in foldings([*ops, *build], 2200)] == [
        (0, 3, "Ops:"), (3, 5, "Project > Build:"),
    ]  # fmt: skip
    mixed = ["Key facts > Ops > Backups: mango", "Key facts > Ops > Alerts: quiet"]
    assert [one.prefix for one in foldings(mixed, 2200)] == ["Key facts > Ops > "]


def test_a_label_shared_by_neighbours_is_folded_too() -> None:
    (folding,) = foldings(["Project ledger: tests with make", "Project ledger: CI is slow"], 2200)
    assert folding.text == "Project ledger:\ntests with make\nCI is slow"


def test_user_in_front_goes_in_user_md_alone_and_all_at_once() -> None:
    entries = ["User prefers tea", "The user dislikes noise", "User is vegetarian", "User likes what the user likes"]
    assert [without_user(text) for text in entries[:2]] == ["Prefers tea", "Dislikes noise"]
    assert without_user(entries[2]) == entries[2]
    (one,) = of_kind("shorter", [], entries)
    assert one.texts == (entries[0], entries[1]) and one.freed == 5 + 9
    assert of_kind("shorter", entries) == []
