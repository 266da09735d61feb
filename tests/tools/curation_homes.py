# ruff: noqa: E501 — a fact and its other wording stand on one line
"""Forty made-up memories in the shapes that real ones have, with what is in them known, so that suggestions can be counted.

Facts of everyday agents, some of them twice in other words, some that only look alike. Every entry knows the fact it
states: two entries of one fact say the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

DELIMITER = "\n§\n"

# Each line is one fact in one or more wordings. {names} are filled in for each home.
FACTS = """
Project {proj} lives in ~/code/{proj}; {lang} {ver}, tests run with `{test}` | {proj} repo: ~/code/{proj}, {lang} {ver}, run `{test}` for tests
{host} is the staging server, {ip}, SSH on port {port}, user deploy | Staging server {host} ({ip}): SSH port {port}, user is deploy
Production database is PostgreSQL {pg} on {host2}, port {dbport}; never run migrations without a dump first
The staging database listens on port {dbport2} on {host}
CI for {proj} is GitHub Actions; the release workflow needs the tag vX.Y.Z | {proj}: CI runs on GitHub Actions, release workflow needs tag vX.Y.Z
Backups go to {host2} with restic every night at {time}, 14 daily and 6 monthly snapshots are kept
Docker on this machine needs no sudo, the account {user} is in the docker group | Don't use sudo with docker here: account {user} is in the docker group
The API of {proj} is rate limited to {num} requests a minute per token
Never force-push to main in {proj}; branches are named feature/<ticket> | Do not force-push to main in {proj}; branches are named feature/<ticket>
`make lint` fails on Python 3.13 because of an old plugin; use 3.12 for {proj} until it is replaced
Home Assistant runs at http://{ip}:8123, the long-lived token is in ~/.config/ha/token
The NAS {host2} exports /volume1/media over NFS; mount with vers=4.1, else files show as nobody
{proj} uses uv for packages; pip install breaks the lock file | In {proj} packages are managed with uv; pip install breaks the lock file
Logs of the worker are in /var/log/{proj}/worker.log and rotate daily; errors have the prefix WRK-
Telegram bot of {proj} is @{proj}_helper_bot; messages longer than 4096 characters are split at blank lines
Cron on {host} is in UTC, the machine itself is in {tz}; convert before promising times
DNS for {proj}.example is at the registrar, TTL 300; changes are live after five minutes
Frontend build needs Node {node}; Node {node2} breaks the css step with an out-of-memory error
The invoices come as CSV with decimal commas in ISO-8859-1; convert before parsing
{host} has 8 GB of RAM; do not start more than two browsers at once or the OOM killer takes the database
The wiki is generated with mkdocs, source under docs/, theme material; publish with `mkdocs gh-deploy`
SSL certificates are renewed by certbot on {host}; the hook reloads nginx | certbot on {host} renews the SSL certificates and its hook reloads nginx
Search needs the trigram index; without it the query takes {num} ms instead of 4
Vault path for secrets is kv/{proj}/prod; ask {user} for access, never print values
Redis on {host} is only for sessions and may be flushed
Timestamps in the API are Unix milliseconds, in the database they are timestamptz
The printer in the hallway is {ip2}, IPP only, needs A4 set explicitly
Kubernetes context for staging is {proj}-stg, for production {proj}-prd; check `kubectl config current-context` first
Sentry project is {proj}-web; ignore the ResizeObserver error, it is a browser bug
Use `just` in {proj}, not make; `just --list` shows the recipes
Deploys to production only Monday to Thursday before 15:00
The mail gateway drops attachments over 20 MB without a bounce
The old API v1 is switched off on {date}; clients must use v2
Model downloads are cached in /data/models; the disk is 90 % full, clean before a new one
Feature flags are in LaunchDarkly, environment key {proj}-{num}; default is off
pgvector index lists={num}; rebuild it after more than 10 % new rows
The scanner at the door writes to /srv/inbox as {user}; files appear about a minute late
Grafana dashboards are provisioned from ops/grafana; edits in the browser are lost at the next restart
Test users are alice@example.test and bob@example.test, password in the test vault
"""

PERSON = """
User's name is {Name}; timezone {tz} | Name: {Name}. Timezone: {tz}
User prefers short answers with the command first | The user likes concise answers, command first
{Name} works as a {job} and writes mostly {lang}
User dislikes emoji and exclamation marks in replies
User wants to see a diff before any file is written
Speaks {speak} and English; comments in code are always English
User is vegetarian and allergic to nuts; keep that in mind for recipes
Prefers dark themes, fish shell and the helix editor
User reads on the phone in the morning, so keep messages under ten lines before 9:00
{Name} has two children, {kid} and {kid2}; school ends at 15:30
User prefers metric units and 24-hour times
User calls the assistant Sparrow
"""

# What the client's instruction says not to store.
NARRATIVE = """
Completed the migration of {proj} to {host2} on {date}, all tests pass
{date}: fixed the login bug in {proj}, commit {hash}, PR #{num} merged
Currently debugging the import job; next step is to check /tmp/{proj}-dump.sql
Session {small}: refactored the parser, phase 2 done, phase 3 in progress
Temporary file for the report is /tmp/report-{num}.html
Task #{num} finished, waiting for review by {user}
"""

WORDY = """
**Important:** It is important to note that {host} must be restarted in order to pick up new certificates
Note that the tests of {proj} have to be run on a daily basis, due to the fact that the feed changes every night
Please remember that {user}  is the  only one with access to {host2}
**{proj}**: **deploy** with `./ship.sh`,  **check** the dashboard afterwards
"""

CJK = """
用户叫{Name}，时区 Asia/Shanghai | 用户名字是{Name}，时区 Asia/Shanghai
项目 {proj} 在 ~/code/{proj}，使用 Python {pyver} 和 FastAPI，测试命令 `pytest -q`
测试服务器 {host} 的地址是 {ip}，SSH 端口 {port}，用户 deploy
数据库是 PostgreSQL {pg}，端口 {dbport}，迁移之前必须先备份
不要用 sudo 运行容器，账号 {user} 已在 docker 组里 | 请不要使用 sudo 运行容器，账号 {user} 已在 docker 组里
每天凌晨 {time} 用 restic 备份到 {host2}，保留 14 天
用户喜欢简短的回答，先给命令再解释
飞书机器人的消息不能超过 4000 字，超过就分段发送
前端构建需要 Node {node}，更高版本会在 css 步骤内存不足
日志在 /var/log/{proj}/，错误以 WRK- 开头
生产环境只在周一到周四 15:00 之前部署
接口限流是每分钟 {num} 次，超过返回 429
发票是 GBK 编码的 CSV，先转码再解析
Redis 只存会话，可以清空
证书由 certbot 自动续期，续期后会重启 nginx
备份服务器 {host2} 只能从内网访问
"""

# Pairs that look alike and are not the same: (one, other). None of them may be offered as a duplicate.
TRAPS = """
The staging database of {proj} is on {host}, port {dbport} | The production database of {proj} is on {host}, port {dbport}
Use uv and not pip in {proj} | Use pip and not uv in {proj}2
Backups of {host} go to {host2} | Backups of {host2} go to {host}
Worker A of {proj} handles mail, worker B handles reports | Worker B of {proj} handles mail, worker C handles reports
{Name} prefers tea in the morning | {Name} prefers tea in the evening
Deploy {proj} with `make ship` | Deploy {proj} with `make ship` only after the tests
"""

# Pairs where one subject has two values: the first was written earlier.
CLASHES = """
SSH on {host} is on port {port} | SSH on {host} listens on port {port2}
{proj} runs on Python 3.11 | {proj} runs on Python 3.12
Backups of {proj} start at 02:00 | Backups of {proj} start at 03:30
"""


@dataclass(frozen=True)
class Line:
    """One entry and the fact it states: equal facts say the same; `group` is the bank it came from."""

    text: str
    fact: str
    group: str


@dataclass
class Home:
    """One made-up memory; limits are characters."""

    shape: str
    number: int
    limit: int = 2200
    user_limit: int = 1375
    memory: list[Line] = field(default_factory=list)
    user: list[Line] = field(default_factory=list)
    others: dict[str, list[str]] = field(default_factory=dict)
    skills: dict[str, str] = field(default_factory=dict)

    def size(self) -> int:
        """Characters of MEMORY as the client counts them."""
        return len(DELIMITER.join(line.text for line in self.memory))


def homes(seed: int = 11) -> list[Home]:
    """Forty homes: full ones, churning ones, breadcrumb imports, CJK, copied profiles, blobs, and some over the limit."""
    shapes: list[tuple[str, int, Callable[[Home, random.Random], None]]] = [
        ("full", 12, _full),
        ("churning", 6, _churning),
        ("breadcrumbs", 6, _breadcrumbs),
        ("cjk", 6, _cjk),
        ("copied", 4, _copied),
        ("blob", 3, _blob),
        ("over", 3, _over),
    ]
    made = []
    for shape, number, fill in shapes:
        for index in range(number):
            home = Home(shape, index)
            fill(home, random.Random(f"{seed} {shape} {index}"))
            made.append(home)
    return made


class _Bank:
    """Hands out facts of a bank in a random order, each once, filled in for one home."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        pick = rng.choice
        self.slots: dict[str, object] = {
            "proj": pick(("tideline", "orchard", "papertrail", "kestrel", "hazel", "lantern")),
            "lang": pick(("Rust", "Python", "Go", "TypeScript")),
            "ver": pick(("1.83", "3.12", "1.22", "5.4")),
            "pyver": pick(("3.11", "3.12")),
            "test": pick(("make test", "pytest -q", "just check", "npm test")),
            "host": pick(("fern", "moss", "cedar")),
            "host2": pick(("otter", "heron", "stoat")),
            "ip": f"192.168.{rng.randint(1, 9)}.{rng.randint(10, 250)}",
            "ip2": f"10.20.{rng.randint(1, 9)}.{rng.randint(10, 250)}",
            "port": rng.randint(2200, 2299),
            "port2": rng.randint(4400, 4499),
            "dbport": rng.randint(5433, 5449),
            "dbport2": rng.randint(6433, 6449),
            "pg": rng.randint(13, 17),
            "time": f"0{rng.randint(1, 5)}:{rng.randint(10, 59)}",
            "user": pick(("mara", "jonas", "ines", "tariq")),
            "num": rng.randint(100, 990),
            "small": rng.randint(3, 40),
            "tz": pick(("Europe/Berlin", "America/Bogota", "Asia/Tokyo", "Africa/Nairobi")),
            "node": pick((18, 20)),
            "node2": pick((22, 23)),
            "date": f"2026-0{rng.randint(1, 9)}-{rng.randint(10, 28)}",
            "Name": pick(("Mara Lindt", "Jonas Ferro", "Ines Duarte", "Tariq Aziz")),
            "job": pick(("nurse who codes", "backend developer", "teacher", "data engineer")),
            "speak": pick(("Portuguese", "German", "Swahili", "Japanese")),
            "kid": "Noa",
            "kid2": "Ruben",
            "hash": f"{rng.getrandbits(28):07x}",
        }

    def lines(self, bank: str, group: str) -> list[Line]:
        """The facts of a bank in random order, one wording each."""
        rows = [row for row in bank.strip().splitlines() if row]
        self.rng.shuffle(rows)
        return [Line(self.fill(row.split(" | ")[0]), row, group) for row in rows]

    def again(self, line: Line) -> Line | None:
        """The same fact in its other wording; None when the bank knows only one."""
        wordings = line.fact.split(" | ")
        return Line(self.fill(wordings[1]), line.fact, "reworded") if len(wordings) > 1 else None

    def pair(self, bank: str, group: str) -> list[Line]:
        """Both sides of a pair of a bank, as two facts."""
        row = self.rng.choice(bank.strip().splitlines())
        return [Line(self.fill(side), f"{row}#{number}", group) for number, side in enumerate(row.split(" | "))]

    def fill(self, text: str) -> str:
        return text.format(**self.slots)


def _up_to(home: Home, share: float, lines: list[Line]) -> None:
    for line in lines:
        if home.size() + len(line.text) + 3 <= share * home.limit:
            home.memory.append(line)


def _people(home: Home, bank: _Bank, number: int) -> None:
    home.user += bank.lines(PERSON, "person")[:number]


def _spread(home: Home, bank: _Bank, extra: list[Line]) -> None:
    for line in extra:
        home.memory.insert(bank.rng.randint(0, len(home.memory)), line)


def _full(home: Home, rng: random.Random) -> None:
    bank = _Bank(rng)
    _people(home, bank, rng.randint(4, 8))
    facts = bank.lines(FACTS, "fact")
    extra = bank.lines(NARRATIVE, "narrative")[: rng.randint(0, 3)]
    if rng.random() < 0.5:
        extra += bank.lines(WORDY, "wordy")[: rng.randint(1, 2)]
    if rng.random() < 0.4:
        extra += [line for line in bank.lines(PERSON, "person") if line not in home.user][:1]
    again = [bank.again(line) for line in facts[:8]]
    extra += [line for line in again if line is not None][: rng.randint(0, 2)]
    if rng.random() < 0.5:
        extra += bank.pair(TRAPS, "trap")
    if rng.random() < 0.3:
        extra += bank.pair(CLASHES, "clash")
    room = sum(len(line.text) + 3 for line in extra)
    _up_to(home, rng.uniform(0.86, 0.99) - room / home.limit, facts)
    _spread(home, bank, extra)


def _churning(home: Home, rng: random.Random) -> None:
    bank = _Bank(rng)
    _people(home, bank, 5)
    facts = bank.lines(FACTS, "fact")
    extra = bank.lines(NARRATIVE, "narrative")[:4]
    # An agent that met “full” adds a fact again in other words once there is room.
    again = [bank.again(line) for line in facts]
    extra += [line for line in again if line is not None][:2]
    room = sum(len(line.text) + 3 for line in extra)
    _up_to(home, 0.95 - room / home.limit, facts)
    _spread(home, bank, extra)


def _breadcrumbs(home: Home, rng: random.Random) -> None:
    bank = _Bank(rng)
    _people(home, bank, 4)
    heads = ["Key facts > Ops: ", "Key facts > Project > Build: ", "Notes > Infrastructure > ", "Imported > Home: "]
    facts = bank.lines(FACTS, "fact")
    rng.shuffle(heads)
    for head in heads[: rng.randint(2, 4)]:
        for line in facts[: rng.randint(2, 5)]:
            facts.remove(line)
            if home.size() + len(head + line.text) < 0.93 * home.limit:
                home.memory.append(Line(head + line.text, line.fact, "breadcrumb"))
    _up_to(home, rng.uniform(0.85, 0.97), facts)


def _cjk(home: Home, rng: random.Random) -> None:
    bank = _Bank(rng)
    home.limit = 900
    lines = bank.lines(CJK, "cjk")
    again = [bank.again(line) for line in lines]
    extra = [line for line in again if line is not None][:1] if rng.random() < 0.6 else []
    extra += bank.lines(NARRATIVE, "narrative")[:1]
    room = sum(len(line.text) + 3 for line in extra)
    _up_to(home, rng.uniform(0.84, 0.96) - room / home.limit, lines + bank.lines(FACTS, "fact"))
    _spread(home, bank, extra)


def _copied(home: Home, rng: random.Random) -> None:
    _full(home, rng)
    home.others = {"work": [line.text for line in home.memory], "travel": [line.text for line in home.memory[:6]]}


def _blob(home: Home, rng: random.Random) -> None:
    bank = _Bank(rng)
    _people(home, bank, 4)
    lines = bank.lines(FACTS, "fact")
    text = "\n".join(f"- {line.text}" for line in lines)[: home.limit + rng.randint(100, 900)]
    home.memory.append(Line(text, "blob", "blob"))


def _over(home: Home, rng: random.Random) -> None:
    bank = _Bank(rng)
    _people(home, bank, 4)
    extra = bank.lines(NARRATIVE, "narrative")[:2] + bank.lines(WORDY, "wordy")[:2]
    _up_to(home, rng.uniform(1.05, 1.4), bank.lines(FACTS, "fact"))
    _spread(home, bank, extra)
