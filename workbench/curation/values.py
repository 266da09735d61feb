"""One spelling for values that are written in several ways: times, durations, sizes, dates, numbers, hosts with ports.

The text keeps its words; only the values in it are rewritten, so that whoever takes it apart sees equal values equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from workbench.curation.vocabulary import NUMBER_WORDS, spelled

_UNITS = {
    "s": "s sec secs second seconds sekunde sekunden segundo segundos 秒 秒钟 秒間",
    "min": "m min mins minute minutes minuten minuto minutos 分钟 分鐘 分間",
    "h": "h hr hrs hour hours stunde stunden std hora horas 小时 小時 時間",
    "d": "d day days tag tage tagen día días dia dias 天 日間 日间",
    "w": "week weeks wk wks woche wochen semana semanas 周 週間 星期",
    "mo": "month months monat monate monaten mes meses 个月 個月 ヶ月 か月",
    "y": "year years yr yrs jahr jahre jahren año años 年間",
    "ms": "ms millisecond milliseconds millisekunden 毫秒 ミリ秒",
    "kb": "kb", "mb": "mb", "gb": "gb g", "tb": "tb", "mib": "mib", "gib": "gib",
    "%": "% percent prozent",
}  # fmt: skip
# A longer unit by the shorter one it is counted in.
_INTO = {"w": ("d", 7), "min": ("s", 60), "h": ("s", 3600)}
_WORDS = {word: number for word, number in NUMBER_WORDS.items() if word != "one"} | {
    word: str(number)
    for words in (
        "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for number, word in enumerate(words.split())
    if word not in ("null", "ein", "uno", "once")
} | {"fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90",
     "hundred": "100", "dozen": "12"}  # fmt: skip
_MONTHS = (
    "jan enero januar", "feb", "mar mär marzo", "apr abr", "may mai mayo", "jun", "jul", "aug ago", "sep", "oct okt",
    "nov", "dec dez dic",
)  # fmt: skip
_HALVES = "凌晨|早上|上午|中午|下午|晚上|傍晚|午前|午後"
_CJK_DIGITS = {"一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}


@cache
def _unit() -> dict[str, str]:
    return {word: unit for unit, words in _UNITS.items() for word in words.split()}


@cache
def _month() -> dict[str, int]:
    return {start: number for number, starts in enumerate(_MONTHS, 1) for start in starts.split()}


def one_spelling(text: str) -> str:
    """The text with its values in one spelling: `2 pm` is 14:00, `two weeks` is 14d, `4,096` is 4096."""
    for pattern, change in _rules():
        text = pattern.sub(change, text)
    return text


@cache
def _rules() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]:
    months = "|".join(sorted((start for starts in _MONTHS for start in starts.split()), key=len, reverse=True))
    words = "|".join(sorted(_WORDS, key=len, reverse=True))
    units = "|".join(re.escape(unit) for unit in sorted(_unit(), key=len, reverse=True))
    rules: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
        (r"(?<![\w.])(\d{1,3}(?:,\d{3})+)(?![\w,]|\.\d)", lambda m: m[1].replace(",", "")),
        (r"(?<![A-Za-z0-9_.])(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?(?!\d)", lambda m: _date(m[1], m[2], m[3])),
        (r"(?<![\w.])(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\b", lambda m: _date(m[3], m[2], m[1])),
        (r"(?<!\d)(\d{1,2})月(\d{1,2})[日号]", lambda m: _date("", m[1], m[2])),
        (rf"(?i)\b(\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of |de )?({months})[a-zä]*\.?(?:,? (?:de )?(\d{{4}}))?\b",
         lambda m: _date(m[3] or "", m[2], m[1])),
        (rf"(?i)\b({months})[a-zä]*\.? (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?\b(?![:.]\d)",
         lambda m: _date(m[3] or "", m[1], m[2])),
        (rf"({_HALVES})? ?([\d一二两兩三四五六七八九十]{{1,3}})(?:点|點|時|时)(?!间|間)(半|\d{{1,2}}分)?", _cjk_time),
        (rf"({_HALVES}) ?(\d{{1,2}}):(\d\d)", lambda m: _clock(m[2], m[3], m[1])),
        (r"(?i)(?<![\w:.])(\d{1,2})(?::(\d\d))? ?([ap])\.?m\b\.?", lambda m: _clock(m[1], m[2] or "00", m[3])),
        (r"(?i)(?<![\w:.])(\d{1,2})(?:[:.](\d\d))? ?(?:uhr|o'clock|hrs)\b", lambda m: _clock(m[1], m[2] or "00", "")),
        (r"(?<![\w:.])(\d{1,2}):(\d\d)(?![\w:])", lambda m: _clock(m[1], m[2], "")),
        (r"(?i)\bmidnight\b|\bmitternacht\b|\bmedianoche\b", lambda m: " 00h00 "),
        (rf"(?i)\b({words})\b(?![-.]\w)", lambda m: _WORDS[spelled(m[1])]),
        (r"([一二两兩三四五六七八九十]{1,4})(?=天|周|小时|小時|分钟|分鐘|秒|个|個|次|年|月|份|行|条|句|页|人|台|时|時間|日間)",
         lambda m: str(_cjk_number(m[1]))),
        (rf"(?i)(?<![A-Za-z0-9_.:/-])(\d+(?:\.\d+)?)[ -]?({units})(?![A-Za-z0-9_/]|\.\w)", _measure),
        (r"\b(\d+)(?:st|nd|rd|th)\b", lambda m: m[1]),
        (r"(?<=[a-z0-9\]]):(\d{2,5})(?![\d:])", lambda m: f" {m[1]} "),
        (r"(?i)\b(?:under|below|less than|fewer than|<) (?=\d)", lambda m: "atmost "),
        (r"(?i)\b(?:over|above|more than|greater than|>) (?=\d)", lambda m: "atleast "),
        (r"(?i)\bhttps?://(?:www\.)?", lambda m: " "),
        (r"/(?:home|Users)/\w+/", lambda m: "~/"),
    )  # fmt: skip
    return tuple((re.compile(pattern), change) for pattern, change in rules)


def _date(year: str, month: str, day: str) -> str:
    number = int(month) if month.isdigit() else _month()[spelled(month)]
    return f" {year + '-' if year else ''}{number:02}-{int(day):02} "


def _clock(hour: str, minute: str, half: str) -> str:
    number = int(hour)
    if number > 24 or int(minute) > 59:
        return f"{hour}:{minute}"
    if half in ("p", "P", "下午", "晚上", "傍晚", "午後", "中午") and number < 12:
        number += 12
    elif half in ("a", "A", "凌晨", "午前", "早上", "上午") and number == 12:
        number = 0
    return f" {number:02}h{minute} "


def _cjk_time(match: re.Match[str]) -> str:
    hour = match[2] if match[2].isdigit() else str(_cjk_number(match[2]))
    minute = "30" if match[3] == "半" else (match[3] or "00").rstrip("分").zfill(2)
    return _clock(hour, minute, match[1] or "") if int(hour) <= 24 else match[0]


def _cjk_number(signs: str) -> int:
    tens, ten, ones = signs.rpartition("十")
    return (_CJK_DIGITS.get(tens, 1) if ten else 0) * 10 + _CJK_DIGITS.get(ones, 0)


def _measure(match: re.Match[str]) -> str:
    """A number with its unit as one word, longer units counted in shorter ones."""
    unit = _unit()[spelled(match[2])]
    number = float(match[1])
    if unit in _INTO:
        into, times = _INTO[unit]
        unit, number = into, number * times
    return f" {number:.15g}{unit} "
