"""The made-up person's memory, settings and skills.

MEMORY.md stands at about 96 % of its 2,200 characters, USER.md at about half of its 1,375: the shape real homes
have. The entries hold what a curator meets: a shared breadcrumb, a duplicate in other words, a contradiction, a
credential, a false alarm of the agent's scanner.
"""

from __future__ import annotations

DELIMITER = "\n§\n"

LEDGER = "Project ~/code/ledger is a Rust 1.83 workspace: axum + sqlx, tests run with `make test`, CI is GitHub Actions"
LEDGER_LATER = f"{LEDGER}; auth is split into token.rs and session.rs"
PORT_OLD = "Staging host 10.0.1.50 listens for SSH on port 2222, not 22"
PORT_NEW = "Staging host 10.0.1.50 takes SSH on port 2200 since the firewall moved in spring"
CHINESE = "本机运行 Debian 12，PostgreSQL 16，用 Podman 代替 Docker；容器一律以普通用户运行，不要用 sudo"
BACKUPS = (
    "Key facts > Ops > Backups: restic to host mango every night at 02:30, keeps 14 daily and 6 monthly snapshots; "
    "a restore is rehearsed on the first Monday of the month"
)
DEPLOYS = (
    "Key facts > Ops > Deploys: tag vX.Y.Z, wait for CI, `./deploy.sh staging`, check /healthz for five minutes, "
    "then prod; ask before deploying on a Friday; no force push"
)
ALERTS = (
    "Key facts > Ops > Alerts: pages go to the phone only between 08:00 and 22:00, the rest waits in #ops-quiet; "
    "disk alerts on papaya are noise below 90 %"
)
DOCKER_ONE = "Do not use sudo for docker: the account robin is already in the docker group"
DOCKER_TWO = "Never use sudo for docker, the robin account is in the docker group already"
GRAFANA = "Grafana API key: glsa_not-a-real-key-demo-only-0000 (read only, dashboards only)"
DEPLOY_KEY = (
    "The deploy key is in ~/.ssh/ledger_deploy; ask before making a new one, the old key is known to both hosts"
)
KIOSK = (
    "Kiosk is the Python front desk app in ~/code/kiosk: FastAPI, uv for packages, pytest -q before each commit, "
    "screens tested with Playwright at 1280x800"
)
INVOICES = (
    "Invoice import: the bank's CSV is ISO-8859-1 with decimal commas and CRLF; amounts are cents (i64) everywhere, "
    "rounding is half to even; parser: crates/import/src/csv.rs"
)
MIGRATIONS = (
    "Migrations of ledger are run by hand with `sqlx migrate run` after a dump; the table entries has 41 million rows, "
    "so no ALTER that rewrites it in the daytime"
)
RELEASE_NOTES = (
    "Release notes: plain sentences under docs/notes/, one file a version, newest first; name every changed config key"
)
HOSTS = "Hosts: mango (backups), papaya (CI runners), lychee (staging, 10.0.1.50), quince (prod); all reached over wg0"
REVIEW = "Reviews: small commits, tests in the same commit, the reason in the message; squash only on request"
TOOLS = "Shell is fish, editor is helix, terminal is foot; rg and fd are installed, no npm on this machine"

MEMORY = (
    LEDGER_LATER,
    PORT_OLD,
    CHINESE,
    BACKUPS,
    DEPLOYS,
    ALERTS,
    DOCKER_ONE,
    KIOSK,
    INVOICES,
    MIGRATIONS,
    GRAFANA,
    DEPLOY_KEY,
    RELEASE_NOTES,
    HOSTS,
    REVIEW,
    PORT_NEW,
    TOOLS,
    DOCKER_TWO,
)

NAME = "Name: Robin Vale; timezone Europe/Lisbon; staff backend engineer at a small payments company"
SHORT = "Prefers short answers with the command first, no emoji, no praise"
FLUENT = "Fluent in Rust and Python; Go is new, so explain its idioms when they matter"
LANGUAGES = "Writes English and Portuguese, reads German, is learning Chinese and likes a Chinese sentence now and then"
MORNINGS = "Deep work until 12:00: answers messages only after lunch, so collect questions instead of asking one by one"
DECISIONS = (
    "Wants to see two options with their costs before a decision, and the diff before a file is written; dislikes "
    "being asked to confirm things that can be undone"
)
COMMUTE = "Takes the ferry to Cacilhas on Tuesdays and Thursdays; there is no network between 08:10 and 08:35"

USER = (NAME, SHORT, FLUENT, LANGUAGES, MORNINGS, DECISIONS, COMMUTE)

WORK_MEMORY = (
    "Client portal runs at portal.example.test; staging data are reset every Sunday at 04:00",
    DOCKER_ONE,
    BACKUPS,
    "Standup is at 09:45 in the channel of the 👩‍💻 team; post the three lines before 09:30",
    "Tickets are named PAY-<number>; branch names start with the ticket",
    HOSTS,
)
WORK_USER = (NAME, "At work: formal tone with clients, first names inside the team")

DIARY = """# Diary

## A quiet week
Moved the backups to mango and slept better. The ferry was late twice.

## Things to try
- a smaller window for the import job
- tea instead of the third coffee
"""

SOUL = "You are a calm and exact assistant. You say what you did, what you did not do, and what you are unsure of.\n"
WORK_SOUL = "You are a careful colleague. Nothing leaves the company's machines.\n"

CONFIG = """# Settings of the agent, edited by hand. Keep the comments.
model:
  default: acme/large-1      # the big one; small-1 is fine for cron
  provider: acme

memory:
  memory_enabled: true
  user_profile_enabled: true
  memory_char_limit: 2200    # about 800 tokens
  user_char_limit: 1375
  write_approval: on         # nothing is saved before I have seen it
  nudge_interval: 10
  provider: ""               # no second store

skills:
  write_approval: false      # reviewed in git anyway
  creation_nudge_interval: 10

display:
  memory_notifications: verbose

sessions:
  auto_prune: false
  retention_days: 90

auxiliary:
  background_review: {provider: auto, model: ""}

security:
  redact_secrets: true
"""

WORK_CONFIG = """# The profile for work: a smaller memory, no approvals.
model:
  default: acme/small-1
memory:
  memory_char_limit: 1600
  write_approval: false
"""

DEPLOY_SKILL = """---
name: deploy-ledger
description: Deploy the ledger service to staging and prod without surprises
---
# Deploy ledger

1. Tag the commit: `git tag vX.Y.Z && git push --tags`
2. Wait for CI to turn green.
3. Run `./deploy.sh staging`.
4. Watch `/healthz` for five minutes.
5. Run `./deploy.sh prod`.

If step 4 fails, run `./deploy.sh staging --back`, then tell Robin.
If step 5 fails, run `./deploy.sh prod --back`, then tell Robin.
"""

NOTES_SKILL = """---
name: release-notes
description: Turn merged changes into release notes in plain sentences
---
# Release notes

- Collect the merges since the last tag with `git log --merges`.
- One sentence for each change a user can notice.
- Name every changed config key.
"""

NEW_SKILL = """---
name: restore-rehearsal
description: Rehearse a restore of the nightly backup on host mango
---
# Restore rehearsal

1. `restic -r sftp:mango:/srv/restic snapshots --latest 1`
2. Restore into `/tmp/rehearsal`, never over live data.
3. Run `make verify DB=/tmp/rehearsal/ledger.db`.
4. Write the duration into docs/notes/restores.md.
"""
