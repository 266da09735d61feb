"""Which of the client's hits are probably an ordinary note.

The client blocks them all the same; `likely_benign` only means that the owner may keep the text after one
confirmation. A judge looks at a few hundred characters around the hit, on the same line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from workbench.text import joiner_belongs

_AROUND = 200

# Words that turn an everyday phrase back into what the pattern is meant for.
_CONTROL = (
    r"\b(?:c2|c&c|controller|operator|beacon\w*|implant\w*|payload\w*|teamserver|listener|botnet|swarm|hive|"
    r"register\w*|nodes?|endpoint|execut\w*|exfil\w*|shell|instructions?|orders)\b|https?://"
)
_SERVER = r"\b(?:server|host|agents?|headquarters|base|commander|handler|master)\b"
_ACTS_ON_CONTENT = (
    r"\b(?:writ(?:e|es|ing|ten)|wrote|append\w*|add(?:s|ed|ing)?|put(?:s|ting)?|cop(?:y|ies|ied|ying)|cp|mv|mov(?:e|es|ed|ing)|"
    r"tee|echo|cat|read(?:s|ing)?|print\w*|show(?:s|ing)?|upload\w*|send(?:s|ing)?|sent|scp|rsync|curl|wget|dump\w*|"
    r"exfil\w*|paste\w*|insert\w*|install\w*|overwrit\w*|replac\w*|modif\w*|edit\w*|chang(?:e|es|ed|ing)|creat(?:e|es|ing)|"
    r"delet\w*|remov\w*|rm|chmod|chown|output\w*|includ\w*|shar(?:e|es|ing)|leak\w*|steal\w*|post(?:s|ing)?|export\w*|tar|"
    r"zip|archiv\w*|base64|open(?:s|ing)?|get|fetch\w*|grab\w*|collect\w*|reveal\w*|display\w*|head|tail|less|more|sed|touch)\b|>"
)
_WARNING = (
    r"(?:\b(?:never|don['’]t|do not|avoid|must not|mustn['’]t|should not|shouldn['’]t|cannot|can['’]t|not to|"
    r"no need to|instead of|rather than)\s+)"
    r"(?:(?:ever|just|run|running|use|using|do|call|execute|try|simply|blindly|plain|the)\s+){0,3}[`\"'“]?$"
)
_EVERYDAY_MYTHIC = (
    r"\b(?:raids?|raiding|dungeons?|guild|warcraft|wow|keystones?|game|gaming|gamer|mtg|magic|arena|cards?|rarity|d&d|dnd|"
    r"campaign|quests?|loot|gear|mounts?|boss|creatures?|beasts?|heroes|novel|story|stories|myths?|legends?|plus|tier)\b"
)


@cache
def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _line(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after the hit on its line, at most `_AROUND` characters each."""
    before = text[max(0, start - _AROUND) : start].rpartition("\n")[2]
    after = text[end : end + _AROUND].partition("\n")[0]
    return before, after


def _mentions(pattern: str, *texts: str) -> bool:
    return any(_re(pattern).search(text) for text in texts)


def _check_in(text: str, start: int, end: int) -> bool:
    before, after = _line(text, start, end)
    return text[start : start + 5].lower() == "check" and not _mentions(
        f"{_CONTROL}|{_SERVER}", after[:80], before[-80:]
    )


def _framework_name(text: str, start: int, end: int) -> bool:
    before, after = _line(text, start, end)
    word = text[start:end].lower()
    if _mentions(_CONTROL, before, after):
        return False
    if word == "mythic":
        adjective = text[start:end].islower() and re.match(r" [a-z]", after) is not None
        return after.startswith("+") or adjective or _mentions(_EVERYDAY_MYTHIC, before, after)
    if word == "sliver":
        return _mentions(r"^ of\b", after) or _mentions(
            r"\b(?:a|the|thin|tiny|small|last|one|silver|wood(?:en)?|glass) $", before
        )
    if word == "havoc":
        return _mentions(
            r"\b(?:wreak\w*|play\w*|caus\w*|creat\w*|wrought|total|absolute|pure|such) $", before
        ) or _mentions(r"^ (?:with|among)\b", after)
    return False


def _tasks(text: str, start: int, end: int) -> bool:
    before, after = _line(text, start, end)
    return not text[start:end].lower().endswith("tasking") and not _mentions(f"{_CONTROL}|{_SERVER}", before, after)


def _network(text: str, start: int, end: int) -> bool:
    before, after = _line(text, start, end)
    return not _mentions(rf"{_CONTROL}|{_SERVER}|\byou must\b", before, after)


def _is_warning(text: str, start: int, end: int) -> bool:
    return _mentions(_WARNING, _line(text, start, end)[0])


def _not_a_secret_file(text: str, start: int, end: int) -> bool:
    before, after = _line(text, start, end)
    between = text[start + 3 : end].strip()
    if _is_warning(text, start, end) or re.search(r"\w$", before):
        return True
    if re.match(r"[\"'`]?/(?:sys|proc)/", between) and "environ" not in between:
        # The hit lies inside the first argument, a kernel file that holds no credential.
        return not re.search(r"[\s;|&]", between)
    if text[:end].lower().endswith(".env") and re.match(r"(?!rc\b)\w", after):
        return True
    animal = _mentions(r"\b(?:a|my|her|his|our|your|their|pet|named) $", before)
    return animal and not re.search(r"[/~$`]|\.\w", between)


def _only_mentions_ssh(text: str, start: int, end: int) -> bool:
    before, after = _line(text, start, end)
    return not _mentions(_ACTS_ON_CONTENT, before, after, text[start:end])


_JUDGES: dict[str, Callable[[str, int, int], bool]] = {
    "c2_heartbeat": _check_in,
    "known_c2_framework": _framework_name,
    "c2_task_pull": _tasks,
    "c2_network_connect": _network,
    "read_secrets": _not_a_secret_file,
    "env_var_unset_agent": _is_warning,
    "exfil_curl": _is_warning,
    "exfil_wget": _is_warning,
    "ssh_access": _only_mentions_ssh,
}


def level_of(pattern_id: str, text: str, start: int, end: int) -> str:
    """`likely_benign` or `blocks` for one hit at [start, end) of the NFKC text."""
    judge = _JUDGES.get(pattern_id)
    return "likely_benign" if judge is not None and judge(text, start, end) else "blocks"


def level_of_invisible(text: str, at: int) -> str:
    """The level of one invisible character: joiners within emoji and words, and a leading BOM, are likely benign."""
    if text[at] in "\u200c\u200d" and joiner_belongs(text, at):
        return "likely_benign"
    return "likely_benign" if at == 0 and text[0] == "\ufeff" else "blocks"
