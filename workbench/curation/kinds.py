"""What sort of entry a text is: about the person, about the environment, an empty caption, bound to a time."""

from __future__ import annotations

import re
from functools import cache

from workbench.curation.vocabulary import word_set

# -- whose store it belongs to --------------------------------------------------------------------------------------

_PERSON = (
    (3, r"^(?:the )?user(?:'s)?\b(?! (?:name|table|account|group|id|data|service|story|stories|model|guide|agent)\b)"),
    (3, r"^(?:name|pronouns|birthday|born|timezone|time zone|nationality|mother tongue|job|role|occupation)\b ?:"),
    (3, r"^(?:he|she|they) (?:is|are|has|have|likes?|prefers?|wants?|works?|lives?)\b"),
    (3, r"^(?:strongly |generally |usually )?(?:prefers?|likes?|dislikes?|hates?|loves?|enjoys?|speaks|wants)\b"),
    (3, r"^(?:lives in|works (?:as|at|for)|fluent in|native speaker|learning|allergic|vegetarian|vegan)\b"),
    (2, r"\b(?:prefers?|dislikes?|pet peeve|favou?rite|native language|mother tongue|day job|hobby|hobbies)\b"),
    (2, r"\b(?:wife|husband|partner|daughter|son|kids|children|birthday|allergic|vegetarian)\b"),
    (1, r"\b(?:on request|ask me|unless asked|without being asked|please|no emoji|no praise|tone)\b"),
    (1, r"\b(?:small|short|concise|brief|formal|polite|plain) (?:commits|answers|replies|messages|sentences|tone)\b"),
    (1, r"^(?:reviews?|answers?|replies|tone|communication|meetings?|explanations?|feedback|commits?)(?: style)?\b ?:"),
    (3, r"^用户|^使用者|^我(?:喜欢|偏好|住|叫|是)|^ユーザー"),
    (2, r"喜欢|偏好|偏爱|讨厌|时区|母语|好み"),
)  # fmt: skip
_ENVIRONMENT = (
    (3, r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\bport \d|\blocalhost\b|\w+://"),
    (3, r"(?<!\w)(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]+)+|\b[A-Za-z]:\\\w|~/\S"),
    (2, r"`[^`]+`|\b[\w-]+\.(?:py|rs|ts|js|go|toml|ya?ml|json|sh|md|sql|service|conf)\b"),
    (2, r"\b(?:server|host|database|cluster|container|docker|podman|kubernetes|systemd|nginx|postgres\w*|redis|api)\b"),
    (2, r"\b(?:installed|runs? on|deployed|branch|repo(?:sitory)?|endpoint|cron|daemon|env(?:ironment)? variable)\b"),
    (1, r"\bv?\d+\.\d+(?:\.\d+)?\b"),
    (2, r"端口 ?\d"),
    (2, r"服务器|数据库|容器|端口|安装|部署|仓库|サーバー|データベース"),
)


@cache
def _compiled(which: str) -> tuple[tuple[int, re.Pattern[str]], ...]:
    rows = _PERSON if which == "person" else _ENVIRONMENT
    return tuple((points, re.compile(pattern, re.IGNORECASE)) for points, pattern in rows)


def belongs_to(text: str) -> tuple[str, int]:
    """The store a text belongs to ("" when it is not clear), and how sure that is in points from 2 up.

    Who the user is goes to USER.md, facts about machines and projects to MEMORY.md (the client's own instruction to
    the agent, 0.19 and 0.22).
    """
    sample = re.sub(r"^[\W_]+", "", text[:600])
    person = sum(points for points, pattern in _compiled("person") if pattern.search(sample))
    environment = sum(points for points, pattern in _compiled("environment") if pattern.search(sample))
    if person >= 2 and environment == 0:
        return "user", person
    if environment >= 3 and person == 0:
        return "memory", environment
    return "", 0


# -- what says nothing ----------------------------------------------------------------------------------------------

_CAPTION_WORDS = word_set("""
    notes note key facts fact misc miscellaneous general info information important memory memories user profile
    preferences preference environment projects project todo todos settings details other others setup overview
    summary section context tools about things to remember my the and of for none empty n/a na tbd nothing yet
    entries items list lists background history personal technical stuff end start begin untitled new heading
    notizen allgemein notas datos divers
""")
# A heading with one of these may be a fact of its own: `# Robin prefers tabs`.
_STATING = word_set("""
    is are has have uses use prefers prefer likes like runs run lives live needs need wants want must never always not
    no do don't avoid dislikes hates loves speaks works owns keeps keep only wear calls
""")
HEADING = "it is a heading with nothing under it"
_CJK_CAPTIONS = word_set("""
    备注 笔记 说明 其他 待办 记录 重要 信息 用户 记忆 メモ その他 備考 메모
""")


def says_nothing(text: str) -> str:
    """Why an entry holds no fact, as a piece of a sentence; "" when it may hold one."""
    if len(text) > 80 or "\n" in text.strip():
        return ""
    bare = text.strip().strip("#*_=-–—:：.…·•~[]()<>§|\"' \t")
    if not any(char.isalnum() for char in bare):
        # A sign of its own may mean something to somebody (an emoji); a rule or a dash does not.
        return "it is only a line of signs" if text.isascii() or not bare else ""
    if len(bare) == 1 and bare.isascii():
        return "it is a single letter"
    words = [word.strip(".,:;()").casefold() for word in re.split(r"[\s/&+>|-]+", bare) if word]
    if bare in _CJK_CAPTIONS or all(word in _CAPTION_WORDS or not word for word in words):
        return "it is a caption with nothing under it"
    caption = text.lstrip().startswith("#") or text.rstrip().endswith((":", "："))
    if caption and len(words) <= 4 and not re.search(r"[\d/\\@=`~]", bare) and not _STATING & set(words):
        return HEADING
    return ""


# -- what has had its time ------------------------------------------------------------------------------------------

_RULE = (
    r"\b(?:always|never|must|should|prefers?|use|avoid|don't|do not|when|if|every|whenever|each)\b|一律|总是|不要|每"
)
_FINISHED = "it tells of finished work"
_GOING_ON = "it tells what was going on at a time"
_TIMED = (
    (_FINISHED, r"^(?:\W{0,3})(?:done|completed|finished|fixed|merged|resolved|shipped|released|deployed|implemented"
                r"|migrated|added|removed|refactored|updated|created|upgraded)\b(?!:? means)"),
    (_FINISHED, r"\b(?:phase|step|milestone|sprint|task|ticket|pr|issue) ?#?\d+ (?:is |was )?"
                r"(?:done|complete[d]?|finished|merged|closed)\b|✅"),
    (_FINISHED, r"\b(?:successfully|just) (?:completed|finished|fixed|merged|deployed|migrated)\b"),
    ("it names a temporary path", r"(?<!\w)/(?:tmp|var/tmp|private/tmp)/[\w.-]+|\\Temp\\"),
    (_GOING_ON, r"\b(?:today|yesterday|tomorrow|this (?:week|morning|afternoon|session|month)"
                r"|last (?:week|night|session)|right now|at the moment|next session)\b"),
    (_GOING_ON, r"\b(?:in progress|to be continued|left off)\b"),
    (_GOING_ON, r"\bcurrently (?:working|debugging|waiting|investigating|fixing|writing|blocked)\b"),
    ("it is a dated note", r"^(?:\W{0,3})(?:on |as of )?\d{4}-\d{2}-\d{2}\b|^(?:\W{0,3})(?:session|day|week) \d+\b"),
    (_FINISHED, r"已完成|已修复|已合并|已部署|完成了"),
    (_GOING_ON, r"今天|昨天|明天|本周|正在进行|暂时"),
)  # fmt: skip


@cache
def _timed() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((why, re.compile(pattern, re.IGNORECASE)) for why, pattern in _TIMED)


def time_bound(text: str) -> str:
    """Why an entry looks as if it had had its time, as a piece of a sentence; "" for what reads like a lasting rule."""
    sample = text[:1_000]
    if re.search(_RULE, sample, re.IGNORECASE):
        return ""
    return next((why for why, pattern in _timed() if pattern.search(sample)), "")
