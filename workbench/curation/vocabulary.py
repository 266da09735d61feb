"""The words by which two texts are compared: what says nothing, what means the same, what turns a meaning around.

Every list is short on purpose. A word that is missing costs a suggestion; a word too many would offer a wrong one.
"""

from __future__ import annotations

from functools import cache


def word_set(words: str) -> frozenset[str]:
    """The words of a text that holds nothing else."""
    return frozenset(words.split())


# Words that carry no fact of their own.
STOP = word_set("""
    a an the this that these those is are be been being am do does did has have it its of in on at to for from
    by with as and or so also please then there here their them they he she his her you your we our i my me us who
    which will would should must shall just very really quite already currently now always every each any all into
    onto via per about
""")
NEGATORS = word_set("""
    not no never none without cannot cant dont doesnt didnt isnt arent wont shouldnt mustnt neither nor avoid
    avoids instead avoided avoiding refuse refuses stop forbidden disallowed nicht kein keine keinen nie niemals
    ohne pas jamais sans nunca sin não nao sem non mai senza не нет никогда без لا لم لن ليس بدون غير לא אין אל
    בלי
""")
# Words that switch a fact off or on; they must be the same on both sides.
SIGNS = word_set("""
    off disabled disable false inactive down closed deny denied enabled enable true active
""")
# Words that limit a fact, date it or hedge it; they must be the same on both sides.
BOUNDS = word_set("""
    only unless except until till if when whenever while after before since otherwise but rather than
    optional optionally maybe perhaps sometimes usually often rarely might may formerly previously former old
    deprecated temporary temporarily planned legacy was were had longer almost least most more less fewer once some can
    could nur außer bis wenn solo sauf
    over under above below within out up between against
""")
# Small words that give the next word its part in the sentence.
ROLES = word_set("""
    from to into onto before after over than until then instead via through -> > → <- < ←
""")
# Words that say which of several things is meant: a text with one of them more is about something else.
SCOPES = word_set("""
    staging production development test testing local remote primary secondary master replica internal external
    public private client server frontend backend left right morning evening night weekend weekday windows linux
    macos android ios main backup upstream downstream debug release beta stable nightly first second third last next
    previous monday tuesday wednesday thursday friday saturday sunday old new read write input output source target
    home work personal company mobile desktop english german french spanish portuguese chinese japanese
""")
# Words that seldom tell two facts apart (`runs on port`, `the repo of`); one text may have some the other has not.
LIGHT_NOUNS = frozenset(("machin", "project", "repo", "her", "thing", "fil"))
# Those of them that say what is done: two different ones are only one fact when both are among the second set.
LIGHT_VERBS = frozenset(("use", "used", "locat", "listen", "need", "manag", "set", "call", "name", "work", "happen"))
LIGHT = LIGHT_NOUNS | LIGHT_VERBS
ANY_VERB = frozenset(("use", "used", "listen", "need", "manag", "happen"))
NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}
# Each line: words of which the first stands for all. Compared after the endings are taken off.
_ALIKE = """
use run utilize employ
prefer like want love favour favor
short concise brief terse
long lengthy verbose
answer reply response respond
folder directory dir
repo repository
database db
config configuration setting
postgres postgresql
javascript js
typescript ts
python py
kubernetes k8s
production prod
development dev
environment env
application app
document docs documentation doc
start launch begin boot
big large huge
locate live reside sit
delete remove erase
create make
fix repair
error failure
job task
nightly night
daily day
weekly week
monthly month
keep kept store retain save
build built
send sent
need require
package pkg
message msg
information info
machine box
password passwd
listen bind
timezone tz
username login
"""
_ENDINGS = ("", "e", "ed", "s", "es", "ing", "ion", "ation", "ment", "ly", "y")
# Chinese and Japanese: spellings of one meaning, and characters that only join others.
_CJK_ALIKE = (
    ("不要使用", "不用"), ("请勿使用", "不用"), ("禁止使用", "不用"), ("请不要", "不"), ("不可以", "不"),
    ("不可", "不"), ("不要", "不"), ("请勿", "不"), ("勿", "不"), ("别用", "不用"), ("使用", "用"),
    ("采用", "用"), ("運行", "跑"), ("运行", "跑"), ("喜欢", "偏好"), ("每日", "每天"), ("回复", "回答"),
    ("简洁", "简短"), ("代替", "替代"), ("所有", "一律"), ("全部", "一律"), ("主机", "机器"),
    ("当前", "目前"), ("这台", ""), ("端口号", "端口"), ("地址", ""), ("名字是", "叫"), ("名字叫", "叫"),
    ("这个", ""), ("用户", ""), ("請", ""), ("请", ""), ("してください", "する"), ("します", "する"),
)  # fmt: skip
CJK_JOINING = frozenset("的了着地得是在和与及就都也而且或把被将于以之用其该这那它们吗呢吧啊はがをにでともへのねよ")
CJK_NEGATORS = frozenset("不没沒無无未勿禁않못없")
CJK_NEGATIVE_ENDINGS = ("ない", "ません", "なく", "안 ")


@cache
def canonical() -> dict[str, str]:
    """Word (its ending taken off) to the word that stands for it."""
    found: dict[str, str] = {}
    for line in _ALIKE.strip().splitlines():
        first, *rest = (stem(word) for word in line.split())
        found |= dict.fromkeys(rest, first)
    return found


@cache
def scopes() -> frozenset[str]:
    """The words of scope as they stand in a fact: without endings, and by the word that stands for them."""
    roots = {stem(word) for word in SCOPES}
    return SCOPES | roots | {canonical().get(root, root) for root in roots}


@cache
def cjk_alike() -> tuple[tuple[str, str], ...]:
    """Spellings and what stands for them, the longest first."""
    return tuple(sorted(_CJK_ALIKE, key=lambda pair: -len(pair[0])))


def stem(word: str) -> str:
    """A word without its plural or verb ending: rough, but the same for both texts."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ing") and len(word) > 5:
        return _undoubled(word[:-3])
    if word.endswith("ed") and len(word) > 4:
        return _undoubled(word[:-2])
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _undoubled(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def kin(one: str, other: str) -> bool:
    """Whether two words differ only in a common ending (configure, configuration); never true of words of scope."""
    if one[:5] != other[:5]:
        return False
    if not (one.isascii() and other.isascii() and one.isalpha() and other.isalpha()):
        return False
    if one in scopes() or other in scopes():
        return False
    shared = same_beginning(one, other)
    return shared >= 5 and one[shared:] in _ENDINGS and other[shared:] in _ENDINGS


def same_beginning(one: str, other: str) -> int:
    """How many characters two words have in common from the first one on."""
    places = range(min(len(one), len(other)))
    return next((at for at in places if one[at] != other[at]), len(places))


def spelled(word: str) -> str:
    """A word that a pattern found without regard to case, as the tables spell it.

    To such a pattern the Turkish letters \u0130 and \u0131 are an i as well, but no case folding makes them one.
    """
    return word.replace("\u0130", "i").replace("\u0131", "i").casefold()
