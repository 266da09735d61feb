"""The sessions of the demo home: a story that holds every shape the session browser must know."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from workbench.demo import texts
from workbench.demo.talk import TOPICS, Message, Topic, call, exchange

DAY = 86_400.0
MODEL = "acme/large-1"
TALKING = ("cli", "telegram", "discord")
CWD = "/home/robin/code/ledger"


@dataclass
class Session:
    """One row of `sessions` and its messages; times are Unix seconds."""

    id: str
    source: str
    started: float
    messages: list[Message] = field(default_factory=list)
    title: str | None = None
    parent: str | None = None
    config: dict[str, str] | None = None
    prompt: str | None = None
    end_reason: str | None = None
    cwd: str | None = None
    rewinds: int = 0
    archived: int = 0
    gap_scale: float = 1.0


class Teller:
    """Hands out ids and keeps the order of events; the same seed and time tell the same story."""

    def __init__(self, seed: int, now: float) -> None:
        self.rng = random.Random(seed)
        self.now = now
        self.sessions: list[Session] = []
        self.calls = 0
        self.memory: list[str] = []
        self.user: list[str] = []
        self.kept: list[tuple[float, tuple[str, ...], tuple[str, ...]]] = []

    def open(self, age: float, source: str = "cli", **fields: Any) -> Session:
        """A session that began `age` days ago."""
        started = round(self.now - age * DAY, 3)
        stamp = time.strftime("%Y%m%d_%H%M%S", time.gmtime(started))
        session = Session(f"{stamp}_{self.rng.getrandbits(24):06x}", source, started, **fields)
        if source in TALKING and session.end_reason is None:
            session.end_reason = "user_exit"
        if source == "cli":
            session.cwd = CWD
        self.sessions.append(session)
        return session

    def prompt(self, at: float) -> str:
        """The system prompt of a session that starts at `at`: the stores as they were left before."""
        blocks = [texts.SOUL.strip()]
        memory, user = next(((m, u) for when, m, u in reversed(self.kept) if when < at), ((), ()))
        for title, entries, limit in (
            ("MEMORY (your personal notes)", memory, 2200),
            ("USER PROFILE (who the user is)", user, 1375),
        ):
            joined = texts.DELIMITER.join(entries)
            if entries:
                percent = min(100, int((len(joined) / limit) * 100))
                head = f"{title} [{percent}% — {len(joined):,}/{limit:,} chars]"
                blocks.append("\n".join(("═" * 46, head, "═" * 46, joined)))
        return "\n\n".join(blocks)

    def say(self, session: Session, *pairs: tuple[str, str]) -> None:
        """Add messages as (role letter, text): `u` is the user, `a` the assistant."""
        for who, text in pairs:
            role = "user" if who == "u" else "assistant"
            gap = self.rng.randint(30, 300) if who == "u" else self.rng.randint(4, 40)
            session.messages.append(Message(role, text, gap=gap))

    def work(self, session: Session, topic: Topic, turns: int, tools: float = 0.45) -> None:
        """Add that many generated turns."""
        for _ in range(turns):
            self.calls += 1
            session.messages += exchange(self.rng, topic, f"{self.calls:05d}", tools=tools)

    def remember(self, session: Session, target: str, **arguments: Any) -> None:
        """A call of the memory tool that succeeded, kept in step with the store."""
        self.calls += 1
        store, limit = (self.user, 1375) if target == "user" else (self.memory, 2200)
        for step in arguments.get("operations", [arguments]):
            if step["action"] == "add":
                store.append(step["content"])
            else:
                at = next(i for i, entry in enumerate(store) if step["old_text"] in entry)
                store[at] = step["content"]
        self.kept.append((session.started, tuple(self.memory), tuple(self.user)))
        size = len(texts.DELIMITER.join(store))
        usage = f"{int((size / limit) * 100)}% — {size:,}/{limit:,} chars"
        reply = {"success": True, "done": True, "target": target, "usage": usage, "entry_count": len(store)}
        arguments = {"action": arguments.get("action"), "target": target, **arguments}
        session.messages += call(
            f"call_{self.calls:05d}",
            "memory",
            {k: v for k, v in arguments.items() if v is not None},
            json.dumps(reply, ensure_ascii=False),
        )

    def add(self, session: Session, target: str, content: str) -> None:
        """Remember one more entry."""
        self.remember(session, target, action="add", content=content)


def tell(seed: int, now: float) -> list[Session]:
    """All sessions, oldest first."""
    teller = Teller(seed, now)
    for chapter in CHAPTERS:
        chapter(teller)
    for session in teller.sessions:
        if session.source in TALKING:
            session.prompt = teller.prompt(session.started)
    return sorted(teller.sessions, key=lambda session: session.started)


def _setup(t: Teller) -> None:
    s = t.open(20.4, title="Ledger workspace setup")
    t.say(s, ("u", "Let us set up ~/code/ledger. It is a Rust workspace with axum and sqlx."))
    t.add(s, "memory", texts.LEDGER)
    t.say(s, ("a", "Noted. `make test` runs everything; CI will be GitHub Actions."))
    t.say(s, ("u", "I am Robin, in Lisbon. Keep answers short, the command first."))
    operations = [{"action": "add", "content": entry} for entry in (texts.NAME, texts.SHORT, texts.FLUENT)]
    t.remember(s, "user", operations=operations)
    t.say(s, ("a", "Understood."))
    t.work(s, TOPICS[0], 3)
    s = t.open(19.9, title="Staging host and its port")
    t.say(
        s,
        ("u", "ssh to 10.0.1.50 is refused. Did I forget something?"),
        ("a", "`ssh -p 2222 robin@10.0.1.50` works: the host listens on 2222, not on 22."),
        ("u", "Please keep that in mind."),
    )
    t.add(s, "memory", texts.PORT_OLD)
    t.say(s, ("a", "Kept. It's the only host on another port; user@host forms in scripts need `-p 2222` too."))


def _chinese(t: Teller) -> None:
    s = t.open(19.2, "telegram", title="大别山项目")
    t.say(
        s,
        ("u", "我们开始大别山项目的部署吧，这台机器用的是 Podman，不是 Docker。"),
        ("a", "好的。请先确认数据库版本：PostgreSQL 16 已经在本机运行吗？"),
        ("u", "是的，PostgreSQL 16，系统是 Debian 12。请记住这些，不要再问。"),
    )
    t.add(s, "memory", texts.CHINESE)
    t.say(
        s,
        ("a", "已经记下。下一步：用普通用户启动容器，`podman compose up -d`。"),
        ("u", "备份放在哪里？大别山的数据很重要。"),
        ("a", "每天晚上两点半备份到 mango，保留十四天。恢复演练安排在每月第一个星期一。"),
    )
    s = t.open(18.5, "discord", title="バックアップの確認")
    t.say(
        s,
        ("u", "昨日のバックアップは成功しましたか？ログを確認してください。"),
        ("a", "はい、成功しています。02:30 に開始し、所要時間は 11 分でした。"),
        ("u", "日本語のファイル名も復元できますか？"),
        ("a", "できます。先週の復元テストでは「請求書_三月.pdf」も正しく戻りました。"),
    )
    s = t.open(17.8, "telegram", title="Reiseplan Lissabon")
    t.say(
        s,
        ("u", "Wann fährt am Dienstag die Fähre nach Cacilhas, und wie komme ich danach zur Messe?"),
        ("a", "Alle zwanzig Minuten ab Cais do Sodré. Danach zehn Minuten zu Fuß; Straßenbahn lohnt nicht."),
        ("u", "Schreib mir eine kurze Liste für die Übergabe an Jürgen."),
        ("a", "- Schlüssel für den Kiosk\n- Zugang zu mango (nur lesen)\n- Größenprüfung der Rechnungen"),
    )


def _auth(t: Teller) -> None:
    first = t.open(16.6, title="Auth refactor", end_reason="compression")
    t.say(
        first,
        ("u", "Docker networking is broken in the dev compose file, and src/auth/mod.rs grew to 900 lines."),
        ("a", "I will read src/auth first; the compose file has no shared network."),
    )
    first.messages += call(
        "call_auth1",
        "read_file",
        {"path": "src/auth/mod.rs"},
        "pub fn parse_token(raw: &str) -> Result<Token, AuthError> {\n    todo!()\n}\n" + "// helper\n" * 120,
    )
    t.work(first, TOPICS[1], 7)
    second = t.open(16.1, title="Auth refactor #2", parent=first.id, end_reason="compression")
    t.say(second, ("a", "[Summary] src/auth is to be split into token.rs and session.rs; the network is fixed."))
    t.work(second, TOPICS[1], 6)
    third = t.open(15.7, title="Auth refactor #3", parent=second.id)
    t.say(third, ("u", "The split is merged. Update what you know about the project."))
    t.remember(third, "memory", action="replace", old_text="CI is GitHub Actions", content=texts.LEDGER_LATER)
    t.say(third, ("a", "Updated: token.rs and session.rs are part of the note now."))
    t.work(third, TOPICS[5], 3)
    for number in (1, 2):
        helper = t.open(15.6 - number / 50, "subagent", parent=third.id, config={"_delegate_from": third.id})
        t.say(
            helper,
            ("u", f"Task {number} of 2: list every caller of parse_token outside src/auth."),
            ("a", "Four callers: api/login.rs, api/refresh.rs, cron/expire.rs and one test."),
        )
    branch = t.open(15.4, title="Auth refactor (branch)", parent=third.id, config={"_branched_from": third.id})
    t.say(
        branch,
        ("u", "What if sessions lived in SQLite instead of Redis?"),
        ("a", "One writer is enough at your load; it saves a host, and costs you the shared expiry."),
    )


def _facts(t: Teller) -> None:
    s = t.open(14.3, title="How we work")
    t.say(s, ("u", "A few facts about operations, so that I need not repeat them."))
    for entry in (texts.BACKUPS, texts.DEPLOYS, texts.ALERTS, texts.DOCKER_ONE):
        t.add(s, "memory", entry)
    t.say(s, ("a", "Four notes kept."), ("u", "And about me."))
    operations = [{"action": "add", "content": entry} for entry in (texts.LANGUAGES, texts.MORNINGS)]
    t.remember(s, "user", operations=operations)
    t.work(s, TOPICS[3], 4)
    s = t.open(12.2, title="Kiosk: front desk")
    t.work(s, TOPICS[2], 3)
    t.add(s, "memory", texts.KIOSK)
    t.say(s, ("u", "The key for Grafana is in the vault; for the demo dashboards use the read only one."))
    t.work(s, TOPICS[2], 9)


def _images(t: Teller) -> None:
    s = t.open(11.4, "discord", title="Dashboard screenshot")
    parts = [
        {"type": "text", "text": "The kiwi dashboard shows a gap at 03:00, see the picture"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBORw0KGgo" * 40}},
    ]
    s.messages.append(Message("user", "\x00json:" + json.dumps(parts)))
    t.say(
        s,
        ("a", "The gap is the nightly restart of the collector, not lost data."),
        ("u", "100% sure? It's 40 minutes."),
    )
    t.say(s, ("a", "Yes: gateway/run.py logs the restart at 03:00 and the first sample at 03:41."))


def _long(t: Teller) -> None:
    s = t.open(10.5, title="Invoice import rewrite", gap_scale=0.2)
    t.say(s, ("u", "Today we rewrite the invoice import. Plan first, then one step at a time."))
    t.say(s, ("a", "1. fixtures from real files, 2. a parser without floats, 3. duplicate check, 4. switch over."))
    while len(s.messages) < 150:
        t.work(s, TOPICS[0], 1)
    for entry in (texts.INVOICES, texts.MIGRATIONS):
        t.add(s, "memory", entry)
    while len(s.messages) < 296:
        t.work(s, t.rng.choice((TOPICS[0], TOPICS[4])), 1)
    t.say(s, ("u", "Enough for today. Thank you."), ("a", "Open: the late settlement test, and the note for 0.42."))


def _undone(t: Teller) -> None:
    s = t.open(8.7, title="Weekly ops notes", rewinds=1)
    t.work(s, TOPICS[3], 3)
    s.messages += [
        Message("user", "Delete the snapshots older than a week on mango.", gap=90, active=0),
        Message("assistant", "That would remove the monthly ones too. Shall I?", gap=9, active=0),
    ]
    t.say(s, ("u", "List the snapshots older than a week on mango."), ("a", "Nineteen, six of them monthly."))
    t.work(s, TOPICS[5], 2)
    s = t.open(7.6, title="Compressed in place: runner disk")
    t.work(s, TOPICS[5], 6, tools=0.0)
    old = s.messages
    kept = range(len(old) - 4, len(old))
    s.messages = [Message(**{**vars(m), "active": 0, "compacted": 1}) for m in old]
    t.say(s, ("a", "[Summary] The runner's disk was full of old caches; a weekly prune is in place."))
    s.messages += [Message(**{**vars(old[i]), "copy_of": i}) for i in kept]
    t.work(s, TOPICS[5], 4)


def _later(t: Teller) -> None:
    s = t.open(6.3, title="Secrets, releases, reviews")
    for entry in (texts.GRAFANA, texts.DEPLOY_KEY, texts.RELEASE_NOTES, texts.HOSTS, texts.REVIEW):
        t.say(s, ("u", f"Keep this: {entry}"))
        t.add(s, "memory", entry)
    t.say(s, ("a", "Kept, all five."))
    s = t.open(4.2, title="Firewall move")
    t.say(s, ("u", "The firewall moved, ssh to staging is on 2200 now."))
    t.add(s, "memory", texts.PORT_NEW)
    t.say(s, ("a", "Noted. The old note about 2222 is still there; tell me if it should go."))
    operations = [{"action": "add", "content": entry} for entry in (texts.DECISIONS, texts.COMMUTE)]
    t.remember(s, "user", operations=operations)
    s = t.open(2.6, title="New laptop")
    for entry in (texts.TOOLS, texts.DOCKER_TWO):
        t.add(s, "memory", entry)
    t.calls += 1
    size = len(texts.DELIMITER.join(t.memory))
    refusal = {
        "success": False,
        "error": "No room for this entry.",
        "current_entries": t.memory,
        "usage": f"{size:,}/2,200",
    }
    fact = "The test import::late_settlement fails about once in forty runs because of the clock; rerun before digging"
    arguments = {"action": "add", "target": "memory", "content": fact}
    s.messages += call(f"call_{t.calls:05d}", "memory", arguments, json.dumps(refusal, ensure_ascii=False))
    t.say(s, ("a", "The memory is full; the note about the flaky test was not kept."))
    t.work(s, TOPICS[4], 3)


def _everyday(t: Teller) -> None:
    sources = ("cli", "cli", "cli", "telegram", "discord")
    for number in range(10):
        topic = TOPICS[number % len(TOPICS)]
        s = t.open(
            13.0 - number * 1.27,
            sources[number % len(sources)],
            title=f"{topic.area[0].upper()}{topic.area[1:]}, part {number + 1}",
        )
        t.work(s, topic, t.rng.randint(3, 9))
    for day in range(14):
        s = t.open(14.0 - day, "cron", end_reason="cron_complete")
        minutes = t.rng.randint(8, 14)
        t.say(
            s,
            ("u", "Report on the nightly backup of mango. One line."),
            ("a", f"Backup finished in {minutes} minutes, {t.rng.randint(120, 900)} MB new, no errors."),
        )
    s = t.open(9.1, title="Old experiment", archived=1)
    t.work(s, TOPICS[2], 2)
    s = t.open(0.05, end_reason="", gap_scale=0.2)
    t.work(s, TOPICS[1], 3)


CHAPTERS: tuple[Callable[[Teller], None], ...] = (
    _setup, _chinese, _auth, _facts, _images, _long, _undone, _later, _everyday,
)  # fmt: skip
