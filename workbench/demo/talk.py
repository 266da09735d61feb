"""Conversations that read like work: topics, sentences with slots, code, tool calls and their output."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Message:
    """One row of `messages`, as far as the demo fills it; `gap` is seconds since the row before."""

    role: str
    content: str | None
    gap: float = 20.0
    tool_call_id: str | None = None
    tool_calls: str | None = None
    tool_name: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    active: int = 1
    compacted: int = 0
    copy_of: int | None = None
    """Position in the session of the row this one repeats, with its old time."""


@dataclass(frozen=True)
class Topic:
    """What a conversation is about; the lists fill the slots of the sentences."""

    area: str
    files: tuple[str, ...]
    things: tuple[str, ...]
    symptoms: tuple[str, ...]
    causes: tuple[str, ...]
    code: tuple[str, ...]


TOPICS = (
    Topic(
        "invoice import",
        ("crates/import/src/csv.rs", "crates/import/src/lib.rs", "crates/import/tests/bank.rs"),
        ("the CSV parser", "the settlement batch", "the rounding of cents", "the duplicate check"),
        ("rows with a comma in the memo are dropped", "the total is off by one cent", "umlauts arrive broken"),
        ("the file is ISO-8859-1 and was read as UTF-8", "the amount passes through f64", "quotes are not escaped"),
        (
            "```rust\nlet cents = (amount * Decimal::from(100)).round_dp_with_strategy(0, MidpointNearestEven);\n```",
            "```rust\nfn parse_amount(raw: &str) -> Result<i64, ImportError> {\n"
            '    raw.replace(".", "").replace(",", "").parse().map_err(ImportError::Amount)\n}\n```',
        ),
    ),
    Topic(
        "docker networking",
        ("compose.dev.yml", "docker/ledger.Dockerfile", "scripts/dev-up.sh"),
        ("the shared network", "the port mapping", "the health check", "the volume of the database"),
        (
            "the ledger container cannot resolve db",
            "port 5432 is taken after a restart",
            "the container starts before the database",
        ),
        ("both services sit in different networks", "depends_on has no condition", "an old container is kept alive"),
        (
            "```yaml\nservices:\n  ledger:\n    networks: [back]\n"
            "    depends_on:\n      db: {condition: service_healthy}\n```",
            "```sh\ndocker compose -f compose.dev.yml up -d db && docker compose logs --tail 20 ledger\n```",
        ),
    ),
    Topic(
        "kiosk screens",
        ("kiosk/views/checkin.py", "kiosk/static/app.css", "tests/screens/test_checkin.py"),
        ("the check-in form", "the idle timer", "the badge printer", "the language switch"),
        ("the form forgets the name after a pause", "the test fails only at 1280x800", "the printer queue blocks"),
        ("the session cookie expires too early", "a fixed width pushes the button out", "the timer is never reset"),
        (
            "```python\n@router.post('/checkin')\n"
            "async def checkin(form: CheckinForm, queue: BadgeQueue = Depends(queue)):\n"
            "    await queue.put(form.badge())\n```",
            "```css\n.form { width: min(100%, 42rem); }\n```",
        ),
    ),
    Topic(
        "backups and restores",
        ("ops/restic.timer", "ops/restore.sh", "docs/notes/restores.md"),
        ("the nightly snapshot", "the retention rule", "the restore rehearsal", "the alert on host mango"),
        ("the last snapshot is two days old", "prune takes four hours", "the restore misses the attachments"),
        ("the timer was masked after the upgrade", "the lock of an old run was left behind", "one path is excluded"),
        (
            "```sh\nrestic forget --keep-daily 14 --keep-monthly 6 --prune --dry-run\n```",
            "```ini\n[Timer]\nOnCalendar=*-*-* 02:30\nPersistent=true\n```",
        ),
    ),
    Topic(
        "database migrations",
        ("migrations/0042_entries.sql", "crates/store/src/entries.rs", "docs/notes/0.42.md"),
        ("the index on entries", "the nullable column", "the backfill", "the lock on the table"),
        (
            "the migration holds a lock for minutes",
            "the query plan changed after the upgrade",
            "the backfill stops at midnight",
        ),
        (
            "a default value rewrites all 41 million rows",
            "the statistics are stale",
            "the job is killed by its own timeout",
        ),
        (
            "```sql\nCREATE INDEX CONCURRENTLY entries_settled_at\n"
            "ON entries (settled_at) WHERE settled_at IS NOT NULL;\n```",
            "```sql\nUPDATE entries SET kind = 'fee' WHERE id BETWEEN $1 AND $2 AND kind IS NULL;\n```",
        ),
    ),
    Topic(
        "CI on host papaya",
        (".github/workflows/ci.yml", "Makefile", "scripts/cache-key.sh"),
        ("the build cache", "the flaky clock test", "the release job", "the runner's disk"),
        ("the job waits twenty minutes for a runner", "the cache is never hit", "the artifact is empty"),
        ("the cache key holds the date", "two runners share one folder", "the upload runs before the build"),
        (
            "```yaml\n- uses: actions/cache@v4\n  with:\n    key: cargo-${{ hashFiles('Cargo.lock') }}\n```",
            "```make\ntest:\n\tcargo test --workspace --locked\n```",
        ),
    ),
)

ASK = (
    "{symptom} since this morning. Can you look at {file}?",
    "I am back at {area}: {symptom}. What would you check first?",
    "Please explain what {thing} does in {file}, in three sentences.",
    "Before we change {thing}: which tests cover it?",
    "{symptom}, but only on the second run. Any idea?",
    "Could {cause} be the reason that {symptom}?",
    "Write a test for {thing} that fails today.",
    "How long would it take to rewrite {thing}, and what could break?",
    "Same question for {thing}. Keep it short.",
    "Is {thing} still needed after ticket LED-{number}?",
    "Show me the diff for {file} before you write it.",
    "What did we decide about {thing} last week?",
    "Let us park {area} at step {number} and write down what is open.",
)

FOUND = (
    "I looked at {file}: {cause}. That explains why {symptom}.",
    "Two options for {thing}: change {file} in place (about {number} lines), or put it behind a flag and drop it "
    "later. I would take the first.",
    "The reason is plain: {cause}. {thing_up} itself is fine.",
    "{thing_up} is covered by {number} tests; none of them reaches the case where {symptom}.",
    "Done. {file} changed in {number} lines, the suite is green. I did not touch {thing}.",
    "I cannot confirm that {cause}. What I see is that {symptom}, and only with the settings of staging.",
    "Short answer: yes. Longer answer: {cause}, so {thing} has to wait for it.",
    "Not yet. {thing_up} needs a decision first: keep the old behaviour for one release, or break it now.",
    "Measured: {number} ms before, {half} ms after. The rest is spent in {file}.",
    "Open points for {area}: {thing}, a note in the release notes, and a check that {symptom} cannot come back.",
)

TASKS = (
    "Thanks. Run the tests.",
    "Go on.",
    "Good, commit that with the reason in the message.",
    "No, undo that and try the other way.",
    "Which of the two is cheaper to take back?",
)

THOUGHTS = (
    "Robin wants the command first. The likely cause is that {cause}; check {file} before answering.",
    "Two readings of the question. {thing_up} is the smaller one, start there.",
    "The output does not show that {symptom}; do not claim it.",
)


def exchange(rng: random.Random, topic: Topic, ident: str, *, tools: float = 0.45) -> list[Message]:
    """One turn: what the user says, sometimes tool calls (with probability `tools`), and the answer.

    `ident` makes the ids of the calls unique.
    """
    slots = _slots(rng, topic)
    ask = rng.choice(TASKS) if rng.random() < 0.2 else _fill(rng.choice(ASK), slots)
    rows = [Message("user", ask, gap=rng.randint(20, 900))]
    if rng.random() < tools:
        rows += tool_call(rng, topic, f"call_{ident}")
    answer = _fill(rng.choice(FOUND), slots)
    if rng.random() < 0.35:
        answer += "\n\n" + rng.choice(topic.code)
    if rng.random() < 0.3:
        answer += "\n\n" + _fill(rng.choice(FOUND), _slots(rng, topic))
    thought = _fill(rng.choice(THOUGHTS), slots) if rng.random() < 0.25 else None
    rows.append(
        Message("assistant", answer, gap=rng.randint(3, 60), reasoning=thought, finish_reason="stop"),
    )
    return rows


def tool_call(rng: random.Random, topic: Topic, call_id: str) -> list[Message]:
    """A call of one of the usual tools and its output."""
    file = rng.choice(topic.files)
    name = rng.choice(("read_file", "terminal", "search_files", "patch"))
    if name == "read_file":
        arguments: dict[str, Any] = {"path": file, "offset": 1, "limit": 200}
        output = _listing(rng, topic)
    elif name == "terminal":
        arguments = {"command": rng.choice(("make test", f"git log --oneline -5 {file}", f"wc -l {file}"))}
        output = _terminal(rng, file)
    elif name == "search_files":
        arguments = {"pattern": rng.choice(topic.things).split()[-1], "path": file.rsplit("/", 1)[0]}
        output = "\n".join(f"{file}:{rng.randint(3, 400)}: {rng.choice(topic.causes)}" for _ in range(4))
    else:
        arguments = {"path": file, "old_string": "// open", "new_string": "// settled"}
        output = json.dumps({"success": True, "path": file, "replacements": 1})
    return call(call_id, name, arguments, output, gap=rng.randint(2, 30))


def call(
    call_id: str, name: str, arguments: dict[str, Any], output: str, *, gap: float = 5.0, said: str = ""
) -> list[Message]:
    """The two rows of a tool call: the assistant's request and the tool's reply."""
    function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
    request = json.dumps([{"id": call_id, "type": "function", "function": function}], ensure_ascii=False)
    return [
        Message("assistant", said, gap=gap, tool_calls=request, finish_reason="tool_calls"),
        Message("tool", output, gap=1.5, tool_call_id=call_id, tool_name=name),
    ]


def _slots(rng: random.Random, topic: Topic) -> dict[str, str]:
    thing, number = rng.choice(topic.things), rng.randint(4, 480)
    return {
        "area": topic.area,
        "file": rng.choice(topic.files),
        "thing": thing,
        "thing_up": thing[0].upper() + thing[1:],
        "symptom": rng.choice(topic.symptoms),
        "cause": rng.choice(topic.causes),
        "number": str(number),
        "half": str(number // 3 + 1),
    }


def _fill(sentence: str, slots: dict[str, str]) -> str:
    text = sentence.format_map(slots)
    return text[0].upper() + text[1:]


def _listing(rng: random.Random, topic: Topic) -> str:
    first = rng.randint(1, 60)
    lines = []
    for number in range(first, first + rng.randint(8, 40)):
        lines.append(f"{number:4}| // {rng.choice(topic.things)}: {rng.choice(topic.causes)}")
    return "\n".join(lines)


def _terminal(rng: random.Random, file: str) -> str:
    if rng.random() < 0.5:
        passed, failed = rng.randint(80, 420), rng.choice((0, 0, 0, 1))
        return f"running {passed + failed} tests\ntest result: {passed} passed; {failed} failed; 2 ignored"
    commits = (f"{rng.getrandbits(28):07x} {file.rsplit('/', 1)[-1]}: step {rng.randint(1, 30)}" for _ in range(5))
    return "\n".join(commits)
