"""What encoding a file that is not UTF-8 may be in, guessed from what its text would look like."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache

from workbench.memory.document import DELIMITER, universal_newlines

MIXED = "utf-8+cp1252"
# Enough to judge by; a file of 50 MB is decoded whole only when it is written.
SAMPLE = 64_000
_NAMES = ("cp1252", MIXED, "latin-1", "gb18030", "shift_jis", "big5")
_ALIASES = {
    "utf8": MIXED, "mixed": MIXED, "windows-1252": "cp1252", "iso-8859-1": "latin-1", "latin1": "latin-1",
    "gbk": "gb18030", "gb2312": "gb18030", "sjis": "shift_jis", "cp932": "shift_jis", "utf-16": "utf-16-le",
    "utf16": "utf-16-le",
}  # fmt: skip
# Han characters so frequent that running text always has some; a wrong decoding almost never does.
_FREQUENT = (
    "的一是不了在人有我他中上大和到以時要就出也你能而子那得下自之年作里用道行所然家事成多去法都同起看天分好小心本但因只想"
    "这个们来为国地说会可对生于着过发后种方经么学如现当没动面定还进部其些主样理她前开从实"
    "這個們來為國說會對於著過發後種經麼學現當沒動還進樣開從實用使喜歡喜欢項目项目使用"
)


@dataclass(frozen=True)
class Candidate:
    """One reading of the bytes: a codec's name, or `utf-8+cp1252` for UTF-8 with single bytes of the other in it.

    `text` is the beginning of what it yields, `score` from 0 to about 1.5: how much that looks like writing.
    """

    encoding: str
    text: str
    score: float


def candidates(data: bytes) -> tuple[Candidate, ...]:
    """The readings that are possible at all, the most plausible first; a byte order mark decides alone."""
    marked = _marked(data)
    if marked:
        return (Candidate(marked, decode(data, marked)[:SAMPLE], 1.5),)
    sample = _sample(data)
    names = [*_by_nulls(sample), *_NAMES]
    found: dict[str, Candidate] = {}
    for name in names:
        try:
            text = decode(sample, name)
        except (UnicodeDecodeError, ValueError):
            continue
        found.setdefault(text, Candidate(name, text, round(_plausible(text, name), 3)))
    return tuple(sorted(found.values(), key=lambda one: -one.score))


def decode(data: bytes, encoding: str) -> str:
    """Decode a file in the encoding of a candidate; a byte order mark is not part of the text.

    Raises UnicodeDecodeError where the bytes are not in it, ValueError for an encoding that is not known.
    """
    name = encoding.lower()
    name = _ALIASES.get(name, name)
    if name == MIXED:
        return _mixed(data)
    try:
        return data.decode(name).removeprefix("\ufeff")
    except LookupError as error:
        raise ValueError(f"there is no encoding “{encoding}”") from error


def known(encoding: str) -> bool:
    """Whether `decode` knows the encoding, by the names of candidates or those of Python's text codecs."""
    try:
        decode(b"", encoding)
    except (ValueError, TypeError, AttributeError):
        return False
    return True


def _mixed(data: bytes) -> str:
    """UTF-8 where it is, and single bytes of cp1252 between: somebody appended to a UTF-8 file in another encoding."""
    out: list[str] = []
    at = 0
    while at < len(data):
        try:
            out.append(data[at:].decode("utf-8"))
            break
        except UnicodeDecodeError as error:
            out.append(data[at : at + error.start].decode("utf-8"))
            bad = data[at + error.start : at + error.end]
            out.append(_western(bad))
            at += error.end
            if len(out) > 20_000:  # each step decodes the rest anew; a file like that is in no Western encoding
                out.append(_western(data[at:]))
                break
    return "".join(out).removeprefix("\ufeff")


def _western(data: bytes) -> str:
    """Five bytes have no character in cp1252; they stay what they are in Latin-1."""
    return "".join(bytes((byte,)).decode("cp1252", "ignore") or chr(byte) for byte in data)


def _marked(data: bytes) -> str:
    for mark, name in (
        (b"\xff\xfe\x00\x00", "utf-32"),
        (b"\x00\x00\xfe\xff", "utf-32"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if data.startswith(mark):
            try:
                decode(data, name)
            except UnicodeDecodeError:
                return ""
            return name
    return ""


def _by_nulls(sample: bytes) -> list[str]:
    """UTF-16 without its mark: in most writing every second byte is null."""
    half = max(1, len(sample) // 2)
    even, odd = sample[::2].count(0) / half, sample[1::2].count(0) / half
    if max(even, odd) < 0.2:
        return []
    return ["utf-16-le"] if odd > even else ["utf-16-be"]


def _sample(data: bytes) -> bytes:
    """The first part that has something to judge by, cut at a line's end so that no character is torn."""
    if len(data) <= SAMPLE:
        return data
    first = next((at for at, byte in enumerate(data) if byte > 0x7F), 0)
    begin = max(0, data.rfind(b"\n", 0, first) + 1)
    end = data.rfind(b"\n", begin, begin + SAMPLE)
    return data[begin : end if end > begin else begin + SAMPLE]


def _plausible(text: str, name: str) -> float:
    strange = [at for at, letter in enumerate(text) if letter > "\x7f" or (letter < " " and letter not in "\t\r\n")]
    bonus = 0.5 if DELIMITER in universal_newlines(text) else 0.0
    if not strange:
        return 0.5 + bonus
    worth = sum(_worth(text, at) for at in strange) / len(strange)
    # Many readings of the same bytes look alike; the encodings come in the order in which they are met.
    order = _NAMES.index(name) if name in _NAMES else 0
    return max(0.0, worth) + bonus - order * 0.001


def _worth(text: str, at: int) -> float:
    """How much one character beyond ASCII looks as if somebody had written it, from -2 to 1."""
    letter = text[at]
    kind = unicodedata.category(letter)
    if kind in ("Cc", "Cn", "Co", "Cs"):
        return -2.0
    around = (text[at - 1 : at], text[at + 1 : at + 2])
    if letter <= "\u024f":
        beside = sum(one > "\x7f" for one in around)
        if kind.startswith("L"):
            # One accent among ASCII letters is French; a row of them is another script read wrongly.
            return 1.0 - 0.6 * beside if any(one.isascii() and one.isalpha() for one in around) else 0.3 - 0.3 * beside
        return 0.7 if letter in "§«»°£©®·±¿¡" and not beside else 0.0
    if letter in "“”‘’–—…€„•™":
        return 0.8
    return _worth_eastern(letter, kind, around)


def _worth_eastern(letter: str, kind: str, around: tuple[str, str]) -> float:
    if "\uff61" <= letter <= "\uff9f":
        return 0.0  # half-width katakana: single bytes that Shift JIS gives to almost anything
    if "\u3040" <= letter <= "\u30ff":
        return 1.0
    lone = all(one.isascii() and (one.isalnum() or one == "") for one in around)
    if letter in _frequent():
        return 0.2 if lone else 1.0
    if kind == "Lo":
        return -0.3 if lone else 0.45
    return 0.5 if "\u3000" <= letter <= "\u303f" or "\uff00" <= letter <= "\uff60" else 0.1


@cache
def _frequent() -> frozenset[str]:
    return frozenset(_FREQUENT)
