"""How two wordings are held against each other: values in one spelling, what is light, what turns a meaning."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.curation.rewording import reworded
from workbench.curation.values import one_spelling
from workbench.curation.wording import wording


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("at 2 pm", "at 14:00"),
        ("at 3 am", "at 03:00"),
        ("kept two weeks", "kept 14 days"),
        ("60 seconds", "1 min"),
        ("4,096 characters", "4096 characters"),
        ("24 GB", "24GB"),
        ("1 June 2024", "2024-06-01"),
        ("2024年6月1日", "2024-06-01"),
        ("01.06.2024", "2024-06-01"),
        ("March 14", "14 March"),
        ("下午3点", "15:00"),
        ("凌晨两点半", "02:30"),
        ("保留十四天", "保留 两周"),
        ("on ha.lan:8123", "on http://ha.lan 8123"),
        ("um 17 Uhr", "um 17:00"),
    ],
)
def test_a_value_has_one_spelling(one: str, other: str) -> None:
    assert one_spelling(one).split() == one_spelling(other).split()


@pytest.mark.parametrize("text", ["v1.2.3", "192.168.1.50", "may be 5 of them", "3f9c2ab", "one of these"])
def test_what_is_no_such_value_stays_as_it_is(text: str) -> None:
    assert one_spelling(text).split() == text.split()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kept 14 days", "kept 14 weeks"),
        ("20 MB", "20 MiB"),
        ("2 pm", "2 am"),
        ("5 min", "5 s"),
        ("9:00", "19:00"),
        ("1048576 KB", "1048577 KB"),
        ("20000001 s", "20000002 s"),
    ],
)
def test_values_that_differ_stay_apart(one: str, other: str) -> None:
    assert one_spelling(one) != one_spelling(other)


@pytest.mark.parametrize(
    "text", ["keep fıve copies", "5 MİN", "5 mın", "Dİc 5", "5 of dıc", "SİX times", "ın spıte of it", "İnstead of it"]
)
def test_turkish_letters_that_a_pattern_takes_for_an_i_are_in_no_ones_way(text: str) -> None:
    assert reworded(f"Wait: {text}, then go on with the nightly export", f"Wait: {text}") is None
    assert wording(text).tokens


def test_tokens_know_what_they_are() -> None:
    kinds = {token.form: token.kind for token in wording("Login for Orchard is in ~/.config/orchard, port 8081").tokens}
    assert kinds["orchard"] == "name"
    assert kinds["~/.config/orchard"] == "code"
    assert kinds["8081"] == "value"
    assert kinds["port"] == kinds["is"] == "light"


def test_german_nouns_are_not_taken_for_names() -> None:
    kinds = {
        token.kind for token in wording("Die Sicherung liegt auf der Platte im Keller und ist verschlüsselt").tokens
    }
    assert kinds == {"light", "word"}


ONE = [
    ("Deploys need a green CI run and an approval from Ines.",
     "Before a deploy CI must be green and Ines has to approve."),
    ("Amounts in ledger are integer cents in the DB, floats are forbidden.",
     "Ledger stores amounts in the database as integer cents, never floats."),
    ("数据库每天凌晨3点自动备份到 NAS，保留 7 天。", "每天 03:00 数据库会自动备份到 NAS，备份保留一周。"),
    ("用户妻子对海鲜过敏，订餐厅要注意。", "订餐时注意：用户的妻子海鲜过敏。"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ONE)
def test_other_words_clauses_and_spellings_are_seen_through(one: str, other: str) -> None:
    assert reworded(one, other) is not None
    assert reworded(other, one) is not None


def test_the_one_that_says_more_is_told() -> None:
    less = "Home Assistant VM (4GB) sits on Proxmox node pve2, URL http://ha.lan:8123."
    more = "Home Assistant is at http://ha.lan:8123, runs as a VM with 4 GB on Proxmox node pve2; nightly snapshot."
    assert reworded(less, more) == (False, True)
    assert reworded(more, less) == (True, False)


BASE = ("Orchard's nightly export reads the order table on host fern, writes orders.csv to /srv/out "
        "and mails a summary to Ines at 06:30.")  # fmt: skip
AGAIN = ("Nightly export of orchard: reads the order table (host fern), result is /srv/out/orders.csv, "
         "summary mailed to Ines at 6:30 am.")  # fmt: skip


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        ("6:30 am", "7:30 am"),
        ("/srv/out/orders.csv", "/srv/in/orders.csv"),
        ("to Ines", "to Tariq"),
        ("Nightly", "Weekly"),
        ("reads the order table", "does not read the order table"),
    ],
)
def test_one_value_of_many_that_differs_is_enough(what: str, instead: str) -> None:
    assert reworded(BASE, AGAIN) is not None
    assert what in AGAIN
    assert reworded(BASE, AGAIN.replace(what, instead)) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Backup job copies mango's disk to papaya each night.",
            "Each night papaya's disk is copied to mango (backup job).",
        ),
        (
            "Tests use ruff for linting and black for formatting.",
            "For formatting tests use ruff, black is for linting.",
        ),
        ("Never reply in English to Petra.", "Replies to Petra are in English."),
        (
            "Cron на atlas работает в UTC: 06:00 там, 09:00 в Москве.",
            "O cron do atlas está em UTC: 06:00 lá, 09:00 em Recife.",
        ),
        ("", "Petra"),
        ("?", "!"),
    ],
)
def test_what_is_turned_around_is_another_fact(one: str, other: str) -> None:
    assert reworded(one, other) is None
    assert reworded(other, one) is None


def test_pages_are_not_compared() -> None:
    page = "Grafana is at http://grafana.lan:3000 and login is via SSO. " * 40
    assert reworded(page, page) is None


PIECES = st.sampled_from(
    ["2 pm", "31. 13. 2024", "99:99", "十" * 40, "١٢", "²", "1,000,000", "w/o", "`", "'s", "not", "a_b.c/", "->",
     "不", "\u200d", "\ud800", "Ines", "~/x", "port", "8080", "ない", "\n", "？", "-", "é", "und", "ist", "C++"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30), st.lists(PIECES, max_size=30), st.sampled_from(["", " "]))
@settings(max_examples=150, deadline=None)
def test_whatever_stands_there_is_compared_the_same_both_ways(one: list[str], other: list[str], blank: str) -> None:
    left, right = blank.join(one), blank.join(other)
    forth, back = reworded(left, right), reworded(right, left)
    assert (forth is None) == (back is None)
    assert forth is None or back is None or forth == back[::-1]
