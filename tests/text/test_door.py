from __future__ import annotations

import json
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.text import TOKEN_CLOSE, TOKEN_OPEN, joiner_belongs, json_text, reveal, unreveal

_ANY = st.characters(exclude_categories=())
_NASTY = st.sampled_from(
    [
        "\x1b", "\x00", "\t", "\r", "\n", "\u202e", "\u2066", "\u200d", "\u200c", "\ufeff", "\ud800", "\udc00",
        "\U000e0041", TOKEN_OPEN, TOKEN_CLOSE, "ESC", "U+202E", "‹ESC›", "‹U+2039›", "‹U+10FFFF›", "‹tab›", "e\u0301",
        "👨", "می", "क्", "\ufe0f", "\u2028", "a",
    ]
)  # fmt: skip
texts = st.one_of(st.text(_ANY), st.lists(st.one_of(_NASTY, st.text(_ANY, max_size=2)), max_size=30).map("".join))


@given(texts)
def test_unreveal_is_the_inverse_for_every_string(text: str) -> None:
    assert unreveal(reveal(text).text) == text


@given(texts)
def test_revealing_twice_and_back_twice_is_the_identity(text: str) -> None:
    once = reveal(text).text
    assert unreveal(unreveal(reveal(once).text)) == text


@given(texts)
def test_offsets_lead_there_and_back(text: str) -> None:
    revealed = reveal(text)
    shown_at = [revealed.to_shown(i) for i in range(len(text) + 1)]
    assert shown_at == sorted(set(shown_at))
    assert shown_at[0] == 0
    assert shown_at[-1] == len(revealed.text)
    assert [revealed.to_original(j) for j in shown_at] == list(range(len(text) + 1))
    for i, (start, end) in enumerate(pairwise(shown_at)):
        assert unreveal(revealed.text[start:end]) == text[i]
        assert {revealed.to_original(j) for j in range(start, end)} == {i}


@given(texts)
def test_nothing_that_steers_a_terminal_survives(text: str) -> None:
    shown = reveal(text).text
    for i, char in enumerate(shown):
        category = unicodedata.category(char)
        assert category not in ("Cc", "Zl", "Zp", "Cs") or char == "\n"
        if char in "\u200c\u200d":
            assert joiner_belongs(shown, i)
        elif category == "Cf":
            assert char.isprintable() or char in _DRAWN_FORMATS


_DRAWN_FORMATS = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"


def test_every_format_character_but_the_drawn_ones_gets_a_token() -> None:
    kept = [
        char
        for char in map(chr, range(0x110000))
        if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs") and reveal(char).text == char
    ]
    assert "".join(kept) == "\n" + _DRAWN_FORMATS


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb", "a‹tab›b"),
        ("\x1b[2J\x1b]0;title\x07", "‹ESC›[2J‹ESC›]0;title‹BEL›"),
        ("line\r\nnext", "line‹CR›\nnext"),
        ("\x00json:", "‹NUL›json:"),
        ("del\x7f csi\x9b31m", "del‹DEL› csi‹U+009B›31m"),
        ("abc\u202edcba\u202c", "abc‹U+202E›dcba‹U+202C›"),
        ("\u2066x\u2069 \u200e\u200f\u061c", "‹U+2066›x‹U+2069› ‹U+200E›‹U+200F›‹U+061C›"),
        ("\ufeffstart", "‹U+FEFF›start"),
        ("ig\xadnore", "ig‹U+00AD›nore"),
        ("a\u200bb\u2060c\u2063d", "a‹U+200B›b‹U+2060›c‹U+2063›d"),
        ("one\u2028two\u2029three\x85", "one‹U+2028›two‹U+2029›three‹NEL›"),
        ("hi\U000e0068\U000e0069\U000e007f", "hi‹U+E0068›‹U+E0069›‹U+E007F›"),
        ("\ud83d\udc00", "‹U+D83D›‹U+DC00›"),
        ("blank\u3164name \u115f", "blank‹U+3164›name ‹U+115F›"),
        ("✈\ufe0f\ufe0e\ufe0f", "✈\ufe0f‹U+FE0E›‹U+FE0F›"),
        ("a\U000e0100\U000e0101", "a\U000e0100‹U+E0101›"),
        ("plain\u200dword", "plain‹U+200D›word"),
        ("👩\u200d", "👩‹U+200D›"),
        ("می\u200c\u200cنویسد", "می‹U+200C›‹U+200C›نویسد"),
        ("‹ESC›", "‹U+2039›ESC›"),
        ("‹U+2039›ESC›", "‹U+2039›U+2039›ESC›"),
        ("‹citation›", "‹citation›"),
        ("‹\x1b›", "‹‹ESC››"),
    ],
)
def test_the_tokens(text: str, shown: str) -> None:
    assert reveal(text).text == shown
    assert unreveal(shown) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Likes 👨\u200d💻 and 👩\u200d👩\u200d👧\u200d👦, 🏳\ufe0f\u200d🌈, 👩🏽\u200d🚀, ❤\ufe0f\u200d🔥",
        "می\u200cنویسد و نمی\u200cخواهم",
        "क्\u200dष, श्री\u200cमान्, ന\u0d4d\u200d",
        "記憶・记忆・メモ・기억",
        "naïve café — “quotes” §",
        "\ue0b0 powerline, \U000f0001 private, \u0378 unassigned",
        "tab-free code:\n    return x\n",
    ],
)
def test_ordinary_writing_stays_as_it_is(text: str) -> None:
    revealed = reveal(text)
    assert revealed.text == text
    assert revealed.offsets == ()


def test_five_thousand_combining_marks_pass() -> None:
    text = "Z" + "\u0301\u0489" * 2500 + "\x1b"
    assert reveal(text).text == text[:-1] + "‹ESC›"


def test_a_token_typed_by_hand_becomes_its_character() -> None:
    assert unreveal("x‹tab›y‹U+1F600›") == "x\ty😀"
    assert unreveal("‹U+110000› ‹u+202e› ‹U+41›") == "‹U+110000› ‹u+202e› ‹U+41›"


@given(texts)
def test_json_is_exact_and_steers_no_terminal(text: str) -> None:
    written = json_text({text: [text]})
    assert json.loads(written) == {text: [text]}
    assert not {c for c in written if unicodedata.category(c) == "Cc" or c in "\u2028\u2029\u202e\u2066\u2069"}
