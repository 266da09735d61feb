"""Credentials in running text: where they are, and the text with them masked.

The shapes are those people write into notes (`Label API key: v`, `Token=v`, `host (user/password)`) and those that
vendors issue. Precision comes first: a placeholder, a path, a plain word, a date or the name of an environment
variable is not a credential. Every quantifier is bounded, so the time grows with the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from workbench.text.door import reveal

DOTS = "••••••"

# kind: (literal start, what follows). The start alone says who issued it and may stay visible.
_ISSUED: tuple[tuple[str, str, str], ...] = (
    ("github", "gh[opusr]_", r"[A-Za-z0-9]{20,255}"),
    ("github", "github_pat_", r"[A-Za-z0-9_]{22,255}"),
    ("gitlab", "gl(?:pat|ptt|rt|dt|cbt)-", r"[\w.-]{20,300}"),
    ("anthropic", "sk-ant-", r"[\w-]{20,300}"),
    ("openai", "sk-(?:proj-|svcacct-|admin-|or-v1-)", r"[\w-]{20,300}"),
    ("api_key", "sk-", r"[A-Za-z0-9]{20,200}"),
    ("stripe", "[sr]k_(?:live|test)_", r"[A-Za-z0-9]{16,255}"),
    ("stripe", "whsec_", r"[A-Za-z0-9+/=]{20,255}"),
    ("slack", "xox[abeoprs]-", r"[A-Za-z0-9-]{10,255}"),
    ("slack", "xapp-", r"[A-Za-z0-9-]{20,255}"),
    ("aws", "A(?:KIA|SIA)", r"[A-Z0-9]{16}"),
    ("google", "AIza", r"[\w-]{35}"),
    ("google", "ya29\\.", r"[\w-]{20,500}"),
    ("google", "GOCSPX-", r"[\w-]{20,60}"),
    ("huggingface", "hf_", r"[A-Za-z0-9]{20,100}"),
    ("npm", "npm_", r"[A-Za-z0-9]{30,60}"),
    ("pypi", "pypi-", r"[\w-]{40,500}"),
    ("sendgrid", "SG\\.", r"[\w-]{16,40}\.[\w-]{16,80}"),
    ("shopify", "shp(?:at|ca|pa|ss)_", r"[A-Fa-f0-9]{32}"),
    ("digitalocean", "do[opr]_v1_", r"[a-f0-9]{64}"),
    ("tailscale", "tskey-", r"[\w-]{20,100}"),
    ("docker", "dckr_(?:pat|oat)_", r"[\w-]{20,100}"),
    ("linear", "lin_(?:api|oauth)_", r"[A-Za-z0-9]{30,80}"),
    ("notion", "(?:ntn|secret)_", r"[A-Za-z0-9]{40,60}"),
    ("groq", "gsk_", r"[A-Za-z0-9]{40,80}"),
    ("xai", "xai-", r"[A-Za-z0-9]{60,100}"),
    ("replicate", "r8_", r"[A-Za-z0-9]{30,50}"),
    ("perplexity", "pplx-", r"[A-Za-z0-9]{40,60}"),
    ("nvidia", "nvapi-", r"[\w-]{40,100}"),
    ("tavily", "tvly-", r"[\w-]{20,80}"),
    ("sentry", "sntry[us]_", r"[\w+/=-]{40,400}"),
    ("age", "AGE-SECRET-KEY-1", r"[A-Z0-9]{50,64}"),
    ("jwt", "eyJ", r"[\w-]{10,2000}\.[\w-]{10,4000}\.[\w-]{0,1000}"),
)

_PASSWORD_LABELS = (
    "pass(?:word|phrase|wd|code|wort)?|pwd|kennwort|contraseña|senha|mot\\ de\\ passe|пароль|密[码碼]|パスワード|"
    "비밀번호|(?:wi-?fi|sim|card)\\ pin|pin(?:\\ code)?"
)
_KEY_LABELS = (
    "(?:(?:api|access|secret|private|license|encryption|signing|auth)[\\ _-]?)(?:access[\\ _-]?)?key|"
    "(?:(?:api|auth|access|refresh|bot|session|bearer|id)[\\ _-]?)?token|(?:client[\\ _-]?|app[\\ _-]?)?secret|"
    "credentials?|密钥|密鑰|令牌|トークン|chave|clave"
)
# Words that follow a label in ordinary notes and code; a value that is one of them says nothing.
_NOT_VALUE_WORDS = """
    none null nil true false yes no required optional changed rotated expired missing unknown unset empty
    hidden redacted removed secret secrets password passwords passwort passwd pass token tokens apikey key
    keys value string bytes text input default example changeme placeholder stored invalid valid manager
    field prompt reset policy auth basic bearer admin root user username name login here there below above
    pending todo tbd n/a same self vault env 1password bitwarden keepass keepassxc lastpass keychain
    dashlane enpass protonpass doppler infisical base64 base64url sha256 sha512 sha-256 bcrypt argon2 argon2id scrypt
    pbkdf2 hs256 rs256 es256 oauth oauth2 oauth2.0 utf8 utf-8 md5 hmac x509 uuid4 uuid ed25519 rsa4096
    rsa2048 aes256 aes-256 jwt totp 2fa mfa
"""
_LOGIN_WORDS = """
    admin administrator root user ubuntu debian pi guest test postgres mysql oracle sa ftp www deploy git centos
    ec2-user hermes service backup operator support
"""
_NOT_VALUES = frozenset(_NOT_VALUE_WORDS.split())
_LOGINS = frozenset(_LOGIN_WORDS.split())
_LOGIN_HOST = r"(?P<host>[A-Za-z0-9][\w.-]{1,60})"


@dataclass(frozen=True)
class Secret:
    """One credential: its kind, and where its *value* (never its label) starts and ends, in code points.

    `keep` is how many characters at the start only name the issuer and may stay readable.
    """

    kind: str
    start: int
    end: int
    keep: int = 0


@cache
def _issued() -> re.Pattern[str]:
    rows = "|".join(f"(?P<_{i}>(?P<s{i}>{start}){rest})" for i, (_, start, rest) in enumerate(_ISSUED))
    return re.compile(rf"(?<![A-Za-z0-9_])(?=[A-Za-z])(?:{rows})(?![A-Za-z0-9])", re.ASCII)


@cache
def _shapes() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Shapes told by their form alone: kind, a literal of each, and the pattern; the value is the group `v`."""
    return (
        ("telegram", ":", re.compile(r"(?<![\w:])(?P<v>[0-9]{8,10}:[A-Za-z0-9_-]{35})(?![\w-])")),
        ("url_password", "://", re.compile(r"://[^\s/:@]{0,100}:(?P<v>[^\s/@]{3,200})@(?=[\w\[])")),
        ("bearer", "earer", re.compile(r"(?<!\w)[Bb]earer[ \t]{1,4}(?P<v>[\w.~+/=-]{16,2000})", re.ASCII)),
        ("bearer", "EARER", re.compile(r"(?<!\w)[Bb]EARER[ \t]{1,4}(?P<v>[\w.~+/=-]{16,2000})", re.ASCII)),
    )


@cache
def _labelled() -> re.Pattern[str]:
    return re.compile(
        rf"""(?<![A-Za-z0-9])(?:(?P<password>{_PASSWORD_LABELS})|(?P<key>{_KEY_LABELS}))(?![a-z0-9а-я]|[ _-]?id\b)
        (?:[_-][a-z0-9_-]{{1,20}})?+[\"'`*)]{{0,3}}(?:\ \([^()\n]{{1,30}}\))?
        (?P<sep>\s?(?::=|=>|[:=：＝])[*_]{{0,2}}[ \t]{{0,3}}\n?[ \t]{{0,3}}
        |\ (?:is|ist|es|é|est)\ (?:now\ )?|[是为は为]\s?|\ )
        (?:(?P<quote>["'`“])(?P<quoted>[^"'`”\n]{{4,300}})["'`”]|(?P<bare>[^\s"'`“”<>,;，。；、]{{4,300}}))""",
        re.IGNORECASE | re.VERBOSE,
    )


@cache
def _login() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w.-]){_LOGIN_HOST}\ ?[(（](?P<user>[\w.@+-]{{1,40}})\ ?/\ ?(?P<v>[^\s/()（）\"']{{4,64}})[)）]"
    )


@cache
def _innocent() -> re.Pattern[str]:
    """Values that look like something else: placeholders, names, paths, dates, versions, calls."""
    return re.compile(
        r"""(?ix)
        [<\[{(].*|.*[>\]}]                          # <your key>, [redacted], {{ x }}
        |[$%].*|.*\$\{.*                            # $TOKEN, ${X}, %X%
        |(.)\1{3,}.{0,4}|.*(?:\*{3}|•{3}|x{4}|\.{3}|…).*  # xxxx, ***, sk-...
        |(?:your|my|the|dein|ihr|votre)[-_].*|.*(?:example|placeholder|changeme|replace[-_]?me|redacted|dummy).*
        |[~./\\].*|[a-z]:\\.*|[a-z][a-z0-9+.-]*://.*|(?:op|vault|file|env|secret|secretsmanager|ssm):.*
        |[\w.-]+(?:/[\w.-]+)*/[\w.-]+\.[a-z]{2,5}   # folder/file.txt
        |\w+\.(?:env|json|ya?ml|toml|txt|md|py|js|ts|sh|pem|key|ini|cfg|conf|kdbx|gpg|asc)
        |\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T_].*)?|\d{1,2}:\d{2}.*
        |v?\d+(?:\.\d+)+(?:[-+.]?(?:rc|a|b|beta|alpha|dev|post)\d*)?
        |[\d.,]+(?:k|m|kb|mb|gb|s|ms|h|d|min|chars?|bytes|bits?|days?|hours?|tokens?)?[%€$]?
        |[a-z_][\w.]*[(\[].*                        # get_password(), os.environ["X"]
        |(?:process|os|env|self|args|config|settings|secrets|cfg|options|request|ctx|data)\.[\w.]*
        """
    )


def _letters_and_more(value: str) -> bool:
    """Whether letters stand beside digits, or capitals beyond the first letter beside small ones."""
    letters = value.lower() != value.upper()
    digits = re.search(r"\d", value) is not None
    mixed = len(value) >= 12 and value[1:] != value[1:].lower() and value != value.upper()
    return letters and (digits or mixed)


def _env_name(value: str) -> bool:
    return value.isupper() and "_" in value and re.fullmatch(r"(?:[A-Z_]*+\d){0,2}[A-Z_]*+", value) is not None


def _could_be_value(value: str) -> bool:
    return not (value.lower() in _NOT_VALUES or _env_name(value) or _innocent().fullmatch(value))


def _is_password(value: str, sep: str, quoted: bool) -> bool:
    if value.isdigit():
        return len(value) >= 4
    if not _could_be_value(value):
        return False
    if _letters_and_more(value):
        return True
    symbol = any(not c.isalnum() and c not in "-_'’.:" for c in value)
    if symbol and len(value) >= 6 and any(c.isalpha() for c in value) and value[-1] != "?":
        return "/" not in value and "|" not in value
    # An assignment without a space, or quotes, make a plain word a value rather than part of a sentence.
    tight = quoted or sep == "="
    return len(value) >= 6 and value.isalnum() and value.isascii() and (tight or len(value) >= 20)


def _is_key(value: str) -> bool:
    # The cheap tests come first: a hostile text can hold a label at every sixth character.
    if len(value) < 8 or (value.count("/") > 2 and len(value) < 40):
        return False
    if not _letters_and_more(value) and not (len(value) >= 24 and value.isalnum() and value.isascii()):
        return False
    # CachedAccessToken, asyncio.TimerHandle: the name of a type.
    if re.fullmatch(r"(?:[a-z_]{1,40}\.){0,4}(?:[A-Z][a-z]{2,30}){2,8}", value) or ("/" in value and len(value) < 30):
        return False
    words = re.split(r"[-_./:]", value)
    if len(words) > 1 and all(word.isalpha() and word[1:] == word[1:].lower() for word in words if word):
        return False
    return _could_be_value(value)


def _judge(found: re.Match[str]) -> Secret | None:
    quoted = found["quoted"] is not None
    group = "quoted" if quoted else "bare"
    value, sep = found[group], found["sep"].strip()
    if " " in value:
        return None
    if not quoted:
        value = value.rstrip(".?:*_)]}" if "(" not in value else ".*_")
    # Without a separator only a quoted or clearly generated value counts: "the token budget" is prose.
    if len(value) < 4:
        return None
    if not sep and not (_letters_and_more(value) and (quoted or (len(value) >= 20 and _is_key(value)))):
        return None
    is_password = found["password"] is not None
    if not (_is_password(value, sep, quoted) if is_password else _is_key(value)):
        return None
    label = found["password"].lower() if is_password else ""
    if (label == "pass" and (value.isdigit() or not sep)) or ("pin" in label.split() and not value.isdigit()):
        return None
    start = found.start(group)
    return Secret("password" if is_password else "key", start, start + len(value))


# Literals of which every issued form, and (after case folding) every label, holds one: most notes need no search.
_ISSUED_HINTS = ("_", "-", "AKIA", "ASIA", "AIza", "ya29.", "SG.", "eyJ")
_LABEL_HINTS = (
    "pass", "pwd", "pin", "key", "token", "secret", "credential", "code", "kennwort", "contraseña", "senha", "пароль",
    "密", "パスワード", "비밀번호", "令牌", "トークン", "chave", "clave",
)  # fmt: skip


def _folded(text: str) -> str:
    """The text as IGNORECASE sees it, as far as hints go; its length may differ."""
    return text.lower() if text.isascii() else text.replace("\u0131", "i").casefold()


def _from_labels(text: str) -> Iterator[Secret]:
    if not _any_of(_LABEL_HINTS, text):
        return
    pattern, at = _labelled(), 0
    while found := pattern.search(text, at):
        secret = _judge(found)
        if secret is not None:
            yield secret
        # A refused value may itself be the next label: "Token: password: v".
        at = secret.end if secret is not None else found.end("key" if found["key"] else "password")


def _from_logins(text: str) -> Iterator[Secret]:
    if "(" not in text and "（" not in text:
        return
    for found in _login().finditer(text):
        value, host = found["v"], found["host"]
        named = re.search(r"\.[A-Za-z]{2,12}$|^\d{1,3}(?:\.\d{1,3}){3}$", host) is not None
        known = found["user"].lower() in _LOGINS or "@" in found["user"]
        if not _could_be_value(value) or not (known or named):
            continue
        if (known and named) or _letters_and_more(value):
            yield Secret("login", found.start("v"), found.end("v"))


def private_keys(text: str) -> Iterator[Secret]:
    """The private keys in PEM form, each from its first line to its last; one without a last line ends with the text.

    Every part of such a key is secret, but only its first line tells: who cuts a piece of a text asks the whole.
    """
    at = text.find("-----BEGIN ")
    while at >= 0:
        head = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----").match(text, at)
        if head is None:
            at = text.find("-----BEGIN ", at + 1)
            continue
        tail = text.find("-----END ", head.end())
        close = text.find("-----", tail + 9) if tail >= 0 else -1
        end = close + 5 if close >= 0 else len(text)
        yield Secret("private_key", at, end)
        at = text.find("-----BEGIN ", end)


def _from_forms(text: str) -> Iterator[Secret]:
    issued = _issued().finditer(text) if _holds(_ISSUED_HINTS, text) else ()
    for found in issued:
        row = int((found.lastgroup or "_0")[1:])
        start = len(found[f"s{row}"])
        body = found[0][start:]
        if _ISSUED[row][0] == "jwt":
            yield Secret("jwt", found.start(), found.end())
        elif (any(c.isdigit() for c in body) or len(set(body)) > 14) and not re.search(r"(.)\1{5}|example", body, re.I):
            yield Secret(_ISSUED[row][0], found.start(), found.end(), start)
    for kind, hint, pattern in _shapes():
        if hint not in text:
            continue
        for found in pattern.finditer(text):
            value = found["v"]
            if kind != "url_password":
                if not _letters_and_more(value) or not _could_be_value(value):
                    continue
            elif value.lower() in _NOT_VALUES or _innocent().fullmatch(value) or _env_name(value):
                continue
            yield Secret(kind, found.start("v"), found.end("v"))


def _merged(secrets: Sequence[Secret]) -> Iterator[Secret]:
    """Overlapping finds as one; the more telling kind (the one that names an issuer) gives the name."""
    last: Secret | None = None
    for secret in sorted(secrets, key=lambda s: (s.start, -s.end)):
        if last is None:
            last = secret
        elif secret.start >= last.end:
            yield last
            last = secret
        else:
            generic = last.kind in ("password", "key", "bearer")
            kind = secret.kind if generic else last.kind
            keep = secret.keep if secret.start == last.start and generic else last.keep
            last = Secret(kind, last.start, max(last.end, secret.end), keep)
    if last is not None:
        yield last


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Every credential of the text, in order and without overlaps. Linear time; never raises."""
    found = [*_from_forms(text), *_from_labels(text), *_from_logins(text), *private_keys(text)]
    return tuple(_merged(found)) if found else ()


def without_secrets(texts: Sequence[str]) -> list[str]:
    """Texts in which `find_secrets` finds nothing, told by few searches; a doubtful one is left out.

    Only the literals that occur in one of the texts are looked for in each.
    """
    joined = "\n".join(texts)
    folded = _folded(joined)
    labels = [hint for hint in _LABEL_HINTS if hint in folded]
    forms = [
        ([hint for hint in hints if hint in joined], pattern)
        for hints, pattern in (
            (_ISSUED_HINTS, _issued()),
            (("(", "（"), _login()),
            *(((hint,), pattern) for _, hint, pattern in _shapes()),
        )
    ]
    # None of these runs over the end of a line, so a form that the joined texts lack is in none of them.
    forms = [(hints, pattern) for hints, pattern in forms if hints and pattern.search(joined)]
    keys = "-----BEGIN " in joined

    def doubtful(text: str) -> bool:
        for hints, pattern in forms:
            if _holds(hints, text) and pattern.search(text):
                return True
        return (keys and "-----BEGIN " in text) or (_any_of(labels, text) and _labelled().search(text) is not None)

    if not (forms or keys):
        return [text for text in texts if not (_any_of(labels, text) and _labelled().search(text))]
    return [text for text in texts if not doubtful(text)]


def _any_of(hints: Sequence[str], text: str) -> bool:
    folded = _folded(text) if hints else ""
    return _holds(hints, folded)


def _holds(hints: Sequence[str], text: str) -> bool:
    for hint in hints:  # noqa: SIM110 - `any` makes a generator, which takes as long as the search
        if hint in text:
            return True
    return False


def mask(text: str, secrets: Iterable[Secret] | None = None) -> str:
    """The text with each credential as dots; an issuer's prefix, and the last two characters of a long one, stay.

    `secrets` are those of `find_secrets(text)`, found anew when None. The number of dots says nothing of the length.
    """
    pieces: list[str] = []
    done = 0
    for secret in find_secrets(text) if secrets is None else secrets:
        tail = text[secret.end - 2 : secret.end] if secret.keep and secret.end - secret.start >= 20 else ""
        pieces += (text[done : secret.start + secret.keep], DOTS, tail)
        done = secret.end
    pieces.append(text[done:])
    return "".join(pieces)


def secrets_in(text: str, start: int, end: int) -> tuple[Secret, ...]:
    """The credentials of `text[start:end]`, in characters of `text` and no wider than the piece.

    They are known by what stands around them, of which no more is looked at than a credential can be long.
    """
    low = max(0, start - _BESIDE)
    low = max(0, low - _run(text[max(0, low - _LONGEST) : low][::-1]) - _LABEL)
    high = min(len(text), end + _BESIDE)
    high += _run(text[high : high + _LONGEST])
    keys = [key for key in private_keys(text) if key.start < end and key.end > start]
    found = [Secret(one.kind, one.start + low, one.end + low, one.keep) for one in find_secrets(text[low:high])]
    merged = _merged([*found, *keys])
    return tuple(_clipped(one, start, end) for one in merged if one.start < end and one.end > start)


def _clipped(secret: Secret, start: int, end: int) -> Secret:
    first, last = max(secret.start, start), min(secret.end, end)
    return Secret(secret.kind, first, last, min(secret.keep, last - first) if secret.start >= start else 0)


# A label and the longest value that may hold any sign; and what the long forms are made of, with the longest of them.
_BESIDE = 500
_LONGEST = 8_000
_LABEL = 60


@cache
def _signs() -> re.Pattern[str]:
    return re.compile(r"[\w.~+/=-]+", re.ASCII)


def _run(text: str) -> int:
    found = _signs().match(text)
    return found.end() if found else 0


def finished(text: str) -> str:
    """A text that was cut somewhere, without the word at its end: it may be the beginning of a credential.

    A word longer than any credential is none.
    """
    tail = text[-_LONGEST:]
    if not tail.strip() or tail[-1].isspace():
        return text
    word = len(tail.split()[-1])
    return text if word >= _LONGEST else text[: len(text) - word]


def mask_head(text: str, size: int) -> str:
    """The first `size` characters of a text, of any length, with its credentials as dots: those cut in two as well."""
    secrets = secrets_in(text, 0, min(size, len(text)))
    return mask(text[:size], secrets)


def mask_part(text: str, start: int, end: int) -> str:
    """`text[start:end]` with its credentials as dots, known by what stands around them in the whole text."""
    part = [
        Secret(one.kind, max(one.start, start) - start, min(one.end, end) - start, one.keep * (one.start >= start))
        for one in find_secrets(text)
        if one.start < end and one.end > start
    ]
    return mask(text[start:end], part)


def mask_piece(text: str, piece: str) -> str:
    """A piece of `text` as `mask_part` gives it: its end, its beginning, else where it stands first."""
    whole = text.rstrip()
    start = len(whole) - len(piece) if whole.endswith(piece) else text.find(piece)
    return mask(piece) if start < 0 else mask_part(text, start, start + len(piece))


def shown(text: str, masked: bool = True) -> str:
    """What a face may print of a text from disk: credentials masked unless told otherwise, then `reveal`."""
    return reveal(mask(text) if masked else text).text
