"""Any number of messages for benchmarks: words as in Zipf's law, half Chinese in some sessions, rows streamed."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

from workbench.demo import schema
from workbench.demo.store import MESSAGE_FIELDS, SESSION_FIELDS, Row, building, insert
from workbench.demo.story import MODEL

Progress = Callable[[int, int], None]
STEP = 5_000
VOCABULARY = 6_000
CHINESE_SHARE = 0.2
# The logarithm of the median number of words: people write little, agents more, tools most.
LENGTHS = {"user": 3.2, "assistant": 4.2, "tool": 5.5}
# Messages that hold a name of their own, such as a commit: they make the vocabulary as wide as real ones are.
NAMED_SHARE = 0.15
SOURCES = ("cli", "telegram", "discord", "cron", "subagent", "slack")
SOURCE_WEIGHTS = (50, 18, 10, 12, 7, 3)
COMMON = (
    "the of and to in is for that with on server error file test config deploy docker gateway memory session token "
    "backup cache index query migration network port login build release invoice ledger kiosk staging prod branch "
    "commit review timeout retry queue worker schema column parser report alert snapshot restore"
)
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri sto pla gre"
CHARACTERS = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所"
    "民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日"
    "数据库服务器网络部署测试备份恢复项目文件配置错误日志缓存索引查询"
)


def write_bulk(
    path: Path, seed: int, now: float, sessions: int, messages: int, progress: Progress | None = None
) -> None:
    """Write a state.db of exactly that many sessions and messages, spread over the two years before `now`.

    Memory use does not grow with `messages`. `progress` gets (done, total) in messages; a third of the work is
    rows, the rest is the full text.
    """
    rng = random.Random(seed)
    tell = progress or (lambda done, total: None)
    lengths = _lengths(rng, sessions, messages)
    span = 730 * 86_400.0
    starts = sorted(round(now - span * (1 - rng.random() ** 0.7), 3) for _ in range(sessions))
    with building(path) as db:
        insert(db, "sessions", SESSION_FIELDS, _sessions(rng, starts, lengths))
        chinese = random.Random(seed + 1)
        mixed = [chinese.random() < CHINESE_SHARE for _ in range(sessions)]
        ids = [row[0] for row in db.execute("SELECT id FROM sessions ORDER BY rowid")]
        rows = _messages(random.Random(seed + 2), ids, starts, lengths, mixed)
        insert(db, "messages", MESSAGE_FIELDS, _counted(rows, messages, tell))
        schema.create_indexes(db)
        schema.create_full_text(db)
        for part, table in enumerate(schema.FULL_TEXT, 1):
            _fill(db, table, part, messages, tell)
        schema.create_triggers(db)
    tell(messages, messages)


def _fill(db: sqlite3.Connection, table: str, part: int, messages: int, tell: Progress) -> None:
    text = schema.indexed_text("messages")
    for low in range(0, messages, STEP):
        db.execute(
            f"INSERT INTO {table}(rowid, content) SELECT id, {text} FROM messages WHERE id > ? AND id <= ?",
            (low, low + STEP),
        )
        tell((part * messages + min(low + STEP, messages)) // 3, messages)


def _counted(rows: Iterator[Row], total: int, tell: Progress) -> Iterator[Row]:
    for done, row in enumerate(rows):
        if done % STEP == 0:
            tell(done // 3, total)
        yield row


def _lengths(rng: random.Random, sessions: int, messages: int) -> list[int]:
    """How many messages each session has: at least one, most of them short, a few very long."""
    weights = [rng.lognormvariate(0, 1.1) for _ in range(sessions)]
    share = (messages - sessions) / sum(weights)
    lengths = [1 + int(weight * share) for weight in weights]
    for extra in range(messages - sum(lengths)):
        lengths[extra % sessions] += 1
    return lengths


def _sessions(rng: random.Random, starts: list[float], lengths: list[int]) -> Iterator[Row]:
    words = _words(rng)
    for number, (start, length) in enumerate(zip(starts, lengths, strict=True), 1):
        stamp = time.strftime("%Y%m%d_%H%M%S", time.gmtime(start))
        source = rng.choices(SOURCES, SOURCE_WEIGHTS)[0]
        title = None
        if source not in ("cron", "subagent"):
            title = f"{' '.join(rng.choices(words[:400], k=3)).capitalize()} {number}"
        ended = round(start + length * 30.0 + 1, 3)
        tokens = 600 * length
        yield (
            f"{stamp}_{number:06x}", source, None, None, None, MODEL, None, None, None, start, ended,
            "cron_complete" if source == "cron" else "user_exit", length, length // 8, tokens, tokens // 4,
            tokens // 2, tokens // 10, round(tokens * 3e-6, 4), None, None, title, length // 2, 0, 0,
        )  # fmt: skip


def _messages(
    rng: random.Random, ids: list[str], starts: list[float], lengths: list[int], mixed: list[bool]
) -> Iterator[Row]:
    words, marks = _words(rng), _weights(VOCABULARY)
    chinese = ["".join(rng.choices(CHARACTERS, k=rng.choice((1, 2, 2, 2, 3)))) for _ in range(VOCABULARY // 4)]
    chinese_marks = _weights(len(chinese))
    calls = 0
    for session, start, length, half in zip(ids, starts, lengths, mixed, strict=True):
        previous = ""
        for number in range(length):
            role = "user" if number % 2 == 0 else "assistant"
            call_id = name = request = None
            if role == "user" and previous:
                role, call_id, name = "tool", previous, "terminal"
            previous = ""
            count = int(rng.lognormvariate(LENGTHS[role], 0.7)) + 3
            if half and rng.random() < 0.5:
                content = "，".join(_clauses(rng, chinese, chinese_marks, count)) + "。"
            else:
                content = " ".join(rng.choices(words, cum_weights=marks, k=count)).capitalize() + "."
            if rng.random() < NAMED_SHARE:
                content += f" Commit {rng.getrandbits(32):08x}."
            if role == "assistant" and rng.random() < 0.12 and number + 1 < length:
                calls += 1
                previous = f"call_{calls:07d}"
                request = (
                    f'[{{"id": "{previous}", "type": "function", "function": '
                    f'{{"name": "terminal", "arguments": "{{\\"command\\": \\"make {words[calls % 300]}\\"}}"}}}}]'
                )
            when = round(start + number * 30.0, 3)
            yield (session, role, content, call_id, request, name, when, None, None, 1, 0)


def _clauses(rng: random.Random, words: list[str], marks: list[float], count: int) -> Iterator[str]:
    for _ in range(count // 6 + 1):
        yield "".join(rng.choices(words, cum_weights=marks, k=5))


def _words(rng: random.Random) -> list[str]:
    """Frequent real words first, then made-up ones: searching for a rare word needs one that exists."""
    words = COMMON.split()
    syllables = SYLLABLES.split()
    seen = set(words)
    while len(words) < VOCABULARY:
        word = "".join(rng.choices(syllables, k=rng.randint(2, 4)))
        if word not in seen:
            seen.add(word)
            words.append(word)
    return words


def _weights(count: int) -> list[float]:
    """Cumulative weights: the n-th word is n times rarer than the first."""
    return list(accumulate(1 / rank for rank in range(1, count + 1)))
