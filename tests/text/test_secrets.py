from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.text import (
    find_secrets,
    finished,
    mask,
    mask_head,
    mask_part,
    mask_piece,
    reveal,
    secrets,
    shown,
    without_secrets,
)
from workbench.text.secrets import DOTS

_CASES = json.loads((Path(__file__).parent / "secrets.json").read_text(encoding="utf-8"))


def _values(text: str) -> list[tuple[str, str]]:
    return [(s.kind, text[s.start : s.end]) for s in find_secrets(text)]


@pytest.mark.parametrize("case", _CASES["secret"], ids=lambda case: case["text"][:40])
def test_finds_the_value_and_not_its_label(case: dict[str, str]) -> None:
    # A "~" splits prefixes in the file, so that no scanner takes made-up examples for real credentials.
    text, value = case["text"].replace("~", ""), case["value"].replace("~", "")
    assert _values(text) == [(case["kind"], value)]


@pytest.mark.parametrize("text", _CASES["innocent"])
def test_leaves_innocent_text_alone(text: str) -> None:
    assert _values(text.replace("~", "")) == []
    assert mask(text) == text


def test_the_corpus_is_large_enough() -> None:
    assert len(_CASES["secret"]) >= 40
    assert len(_CASES["innocent"]) >= 60


@pytest.mark.parametrize("case", _CASES["secret"], ids=lambda case: case["text"][:40])
def test_a_mask_shows_at_most_the_issuer_and_two_characters(case: dict[str, str]) -> None:
    text, value = case["text"].replace("~", ""), case["value"].replace("~", "")
    masked = mask(text)
    assert value not in masked
    assert DOTS in masked
    (secret,) = find_secrets(text)
    body = value[secret.keep :]
    assert all(body[i : i + 3] not in masked.replace(text[: secret.start], "") for i in range(len(body) - 2))


def test_masks_several_and_keeps_the_rest() -> None:
    text = (
        "NAS (admin/"
        + "Kx7pine44) and DB_PASSWORD=swordfish, then token "
        + "ghp_"
        + "0123456789abcdefghijABCDEFGHIJ012345."
    )
    assert mask(text) == f"NAS (admin/{DOTS}) and DB_PASSWORD={DOTS}, then token ghp_{DOTS}45."
    assert mask(text, ()) == text


def test_a_private_key_without_its_end_is_masked_to_the_end_of_the_text() -> None:
    head = "-----BEGIN OPENSSH " + "PRIVATE KEY-----"
    assert mask(f"key:\n{head}\nabc\ndef") == f"key:\n{DOTS}"
    whole = f"{head}\nabc\n-----END OPENSSH PRIVATE KEY-----"
    assert mask(f"{whole} then {whole} end") == f"{DOTS} then {DOTS} end"
    assert mask("-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----").startswith("-----BEGIN CERT")


def test_a_part_is_masked_by_what_stands_around_it_in_the_whole() -> None:
    text = "db password: hun~ter2X9z for all, again hun~ter2X9z.".replace("~", "")
    value = "hun~ter2X9z".replace("~", "")
    at = text.index(value)
    assert mask(value) == value, "alone it is a word like any other"
    assert mask_part(text, at, at + len(value)) == DOTS
    assert mask_part(text, at + 3, at + 6) == DOTS
    assert mask_part(text, 0, 2) == "db"
    assert mask_piece(text, f"{value} for all") == f"{DOTS} for all"
    assert mask_piece("x password: " + value + " ", value) == DOTS
    assert mask_piece(text, "nowhere") == "nowhere"


def test_shown_masks_then_reveals() -> None:
    text = "Password: Tr0ub4dor\x1b[0m\tnext"
    assert shown(text) == f"Password: {DOTS}‹tab›next"
    assert shown(text, masked=False) == reveal(text).text


_WORD = st.sampled_from(
    [
        "password",
        "token",
        "api key",
        ":",
        "=",
        " ",
        "\n",
        '"',
        "'",
        "hunter2",
        "Tr0ub4dor&3",
        "ghp_",
        "x" * 30,
        "eyJ",
        ".",
        "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsT",
        "://",
        "user:",
        "@host",
        "(",
        "/",
        ")",
        "root",
        "bearer ",
        "-----BEGIN ",
        "PRIVATE KEY-----",
        "sk-ant-",
        "AKIA",
        "1234567890:",
    ]
)


@given(st.lists(_WORD, max_size=30).map("".join))
def test_finds_are_ordered_disjoint_and_inside(text: str) -> None:
    at = 0
    for secret in find_secrets(text):
        assert at <= secret.start < secret.end <= len(text)
        assert 0 <= secret.keep < secret.end - secret.start
        at = secret.end


@pytest.mark.parametrize(
    "unit",
    [
        "password ",
        "Token: ",
        "eyJa.",
        "://a:",
        ":",
        "a (",
        "1",
        "w",
        "token_",
        "-----BEGIN ",
        "password:'",
        "key: x (",
        "sk-",
    ],
)
def test_time_grows_with_the_length(unit: str) -> None:
    def cost(length: int) -> float:
        text = unit * (length // len(unit))
        # The thread's own time: what else runs on the machine does not count.
        begun = time.thread_time()
        find_secrets(text)
        return time.thread_time() - begun

    # Eight times the text: a quadratic search would need 64 times as long, in every round. A linear one is measured
    # again until the best times of both are undisturbed ones.
    cost(1000)
    small, large = cost(15_000), cost(120_000)
    for _ in range(20):
        if large < 30 * small:
            break
        small, large = min(small, cost(15_000)), min(large, cost(120_000))
    assert large < 30 * small, f"{large / small:.0f} times the time for eight times the text"


_PIECES = st.sampled_from(
    [row["text"].replace("~", "") for rows in _CASES.values() for row in rows if isinstance(row, dict)]
    + [row.replace("~", "") for row in _CASES["innocent"]]
    + [
        "pa\u017fsword: ",
        "to\u212aen=",
        "p\u0131n 4711",
        "SECRET: ",
        "\n",
        "§",
        "«",
        "(",
        "x",
        "Bearer ",
        "密码: Xy9!kk22",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(_PIECES, max_size=3).map("".join), max_size=6))
def test_what_is_told_without_searching_is_what_a_search_finds(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "_ISSUED_HINTS", ("",))
        patch.setattr(secrets, "_LABEL_HINTS", ("",))
        thorough = [find_secrets(text) for text in texts]
    assert [find_secrets(text) for text in texts] == thorough
    without = without_secrets(texts)
    assert {text for text, found in zip(texts, thorough, strict=True) if found}.isdisjoint(without)


LONG_FORMS = (
    "eyJ" + "hbGciOiJIUzI1" * 30 + "." + "c3ViamVjdA9" * 60 + "." + "SflKxwRJSM7" * 8,
    "Bearer " + "a1B2c3D4~e5" * 120,
    "https://robin:" + "x9Y8/z7".replace("/", "-") * 25 + "@example.net/",
    "ghp_" + "a1B2c3D4e5" * 4,
    "API_KEY=" + "q7W6e5R4" * 30,
)


@pytest.mark.parametrize("form", LONG_FORMS, ids=lambda form: form[:8])
def test_a_credential_cut_in_two_is_masked_on_both_sides_however_long_it_is(form: str) -> None:
    text = "note " * 300 + form + " and on" * 300
    (whole,) = find_secrets(text)
    value = text[whole.start : whole.end]
    for cut in range(whole.start + 12, whole.end - 1, 7):
        assert mask_head(text, cut) == mask(text[: whole.start], ()) + value[: whole.keep] + DOTS + (
            value[cut - whole.start - 2 : cut - whole.start] if whole.keep and cut - whole.start >= 20 else ""
        )
        (right,) = secrets.secrets_in(text, cut, cut + 160)
        assert (right.start, right.keep) == (cut, 0) and right.end == min(whole.end, cut + 160)


def test_a_text_cut_somewhere_ends_with_a_whole_word() -> None:
    assert finished("the token ghp_a1B2c3D4e") == "the token "
    assert finished("the token ") == "the token " and finished("") == ""
    assert finished("x" * 9_000) == "x" * 9_000


def test_a_piece_is_judged_at_the_price_of_the_piece() -> None:
    text = "a1B2-" * 2_000_000 + " token: " + "a1B2" * 8
    began = time.perf_counter()
    assert mask_head(text, 300) == text[:300]
    assert time.perf_counter() - began < 1


def test_an_ordinary_text_is_told_from_a_secret_at_once() -> None:
    hidden = "token: " + "a1B2" * 8
    assert without_secrets(["the tests pass: all of them", hidden, "- a list_item (of two)"]) == [
        "the tests pass: all of them",
        "- a list_item (of two)",
    ]
