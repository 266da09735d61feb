"""The Inbox area with the keyboard alone, on real files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.inbox.support import add, batch, put_skill, queue, queue_raw, remove, skill, swap
from tests.tui.support import NOW, Screen, entries, home_with, press, real_home, running, settle, text_of, toasts, until
from tests.tui.test_live import alive
from workbench.demo import make
from workbench.inbox import Decision
from workbench.tui.actions import of_scopes
from workbench.tui.parts.header import AreaTabs
from workbench.tui.screens.all_ready import AllReadyScreen
from workbench.tui.screens.inbox import InboxScreen
from workbench.tui.screens.sessions import SessionsScreen

CALM = "motion: reduced\n"


def inbox(pilot: Screen) -> InboxScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, InboxScreen)
    return screen


def calm(home: Path) -> Path:
    """No moment in which a decision stays in sight: what follows is there at once."""
    (home / "workbench").mkdir(mode=0o700, exist_ok=True)
    (home / "workbench" / "settings.yaml").write_text(CALM, encoding="utf-8")
    return home


def keys_of(pilot: Screen) -> list[str]:
    return [row.id for row in inbox(pilot).list.rows if not row.heading]


def plain(pilot: Screen) -> str:
    return " ".join(text_of(pilot).replace("│", " ").split())


def pending(home: Path) -> Mapping[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in sorted((home / "pending").rglob("*.json"))}


def everything(home: Path) -> Mapping[str, bytes]:
    """All of the agent's files."""
    found = (path for folder in ("memories", "pending", "skills") for path in (home / folder).rglob("*"))
    return {
        str(path.relative_to(home)): path.read_bytes() for path in found if path.suffix != ".lock" and path.is_file()
    }


async def to(pilot: Screen, key: str) -> None:
    """The cursor on a record, by the keyboard."""
    if not isinstance(pilot.app.screen_stack[0], InboxScreen):
        await press(pilot, "2")
    await press(pilot, "g")
    for _ in range(500):
        if inbox(pilot).list.cursor_id == key:
            return
        await press(pilot, "j")
    raise AssertionError(f"{key} is not in the queue")


# -- looking --------------------------------------------------------------------------------------------------------


def test_the_queue_in_groups_with_as_many_rows_as_the_tab_says(tmp_path: Path) -> None:
    home = make(tmp_path / "home", now=NOW)

    async def run() -> None:
        async with running(home, (200, 50)) as pilot:
            assert pilot.app.screen.query_one(AreaTabs).counts["inbox"] == 20, "before it was ever opened"
            await press(pilot, "2")
            rows = inbox(pilot).list.rows
            text = text_of(pilot)
            assert len(keys_of(pilot)) == 20 and "2 Inbox 20" in text and "waiting 20 · oldest 20 d" in text
            assert len({row.id for row in rows}) == len(rows)
            heads = {row.text: index for index, row in enumerate(rows) if row.heading}
            at = next(index for text, index in heads.items() if text.startswith("2 proposals · Staging host"))
            rivals = rows[at + 1 : at + 3]
            assert all("ready · rival" in row.text for row in rivals) and "[auto]" in rivals[0].text
            assert rows[-2].text.startswith("record   not the agent's"), "what cannot be decided comes last"
            for word in ("stale", "ambiguous", "lossy", "blocked", "over by 71", "there already", "no change"):
                assert any(f" {word}" in row.text for row in rows), word
            signs = {row.badge for row in rows if not row.heading}
            assert signs == {"✓", "⚠", "×", "=", "?"}, "a sign for each kind, never colour alone"

    asyncio.run(run())


def test_the_preview_shows_the_change_its_effect_and_what_becomes_of_a_rival(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["port 22 is open", "beta"], ["u"])
    queue(home, "aaaa1111", swap("port 22", "port 2222 is open"), created=NOW - 90_000)
    queue(home, "bbbb2222", remove("port 22"), created=NOW - 3 * 86_400, origin="background_review")

    async def run() -> None:
        async with running(home, (120, 40)) as pilot:
            await to(pilot, "memory/aaaa1111")
            text = plain(pilot)
            assert "− port 22 is open" in text and "+ port 2222 is open" in text
            assert "15 → 17 chars · MEMORY.md 1 % → 1 % (22 → 24 of 2,200) · nothing else changes" in text
            assert "rival: memory/bbbb2222 (remove in MEMORY.md, ready): after this one it is stale" in text
            assert "not pinned: it names its entry by a piece, “port 22”" in text
            await press(pilot, "k")
            assert "remove in MEMORY.md · from background review · 3 d" in plain(pilot)
            await press(pilot, "o")
            assert "1 remove: port 22 is open" in plain(pilot)
            await press(pilot, "o")
            assert '"old_text": "port 22"' in plain(pilot) and "· raw" in plain(pilot)
            await press(pilot, "o")
            assert "· raw" not in plain(pilot)

    asyncio.run(run())


def test_a_skill_is_shown_as_the_difference_of_its_file(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["m"])
    body = "\n".join(f"line {number}" for number in range(30))
    file = put_skill(home, text=f"---\nname: demo\ndescription: d\n---\n{body}\n")
    queue(home, "aaaa1111", skill("patch", old_string="line 20\n", new_string="line twenty\n"), subsystem="skills")
    queue(home, "bbbb1111", skill("patch", old_string="never there", new_string="x"), subsystem="skills")

    async def run() -> None:
        async with running(calm(home), (120, 40)) as pilot:
            await to(pilot, "skills/aaaa1111")
            text = plain(pilot)
            assert "changes skills/demo/SKILL.md" in text and "− line 20" in text and "+ line twenty" in text
            assert "lines unchanged" in text and "line 3 " not in text
            await press(pilot, "a")
            assert "line twenty" in file.read_text()
            text = plain(pilot)
            assert "needs the client" in text and "/skills approve bbbb1111" in text, (
                "loose matching is not ours to guess"
            )
            assert "− never there" in text, "what it proposes is shown all the same"
            await press(pilot, "a")
            assert "needs the client" in toasts(pilot)[-1]

    asyncio.run(run())


# -- deciding -------------------------------------------------------------------------------------------------------


def test_the_demo_inbox_is_emptied_with_the_keys_of_the_footer_and_comes_back(tmp_path: Path) -> None:
    home = calm(make(tmp_path / "home", now=NOW))
    before = everything(home)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2")
            footer = text_of(pilot).splitlines()[-1]
            assert all(f" {key}" in footer for key in ("a accept", "A all ready", "r refuse", "u undo"))
            await press(pilot, "A", "enter")
            assert "Accepted 5 records" in toasts(pilot)[-1]
            changes = 5
            while len(keys_of(pilot)) > 2:
                await press(pilot, "r" if inbox(pilot).why_disabled("accept") else "a")
                for key in ("e", "m", "p", "t", "y") if "type empty" in plain(pilot) else ():
                    await press(pilot, key)
                if len(pilot.app.screen_stack) > 1:
                    await press(pilot, "enter")
                changes += 1
            assert "not the agent's" in plain(pilot) and "unreadable" in plain(pilot), "those are nobody's to decide"
            assert len(pending(home)) == 2 and "waiting 2" in text_of(pilot)
            for _ in range(changes):
                await press(pilot, "u")
            assert "waiting 20" in text_of(pilot) and len(keys_of(pilot)) == 20

    asyncio.run(run())
    assert everything(home) == before, "byte for byte"


def test_a_decision_stays_in_sight_a_moment_before_the_next_row(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["m"])
    for name in ("aaaa1111", "bbbb2222", "cccc3333"):
        queue(home, name, add(f"fact {name}"))

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2", "a")
            assert "✓ accepted" in text_of(pilot) and inbox(pilot).list.cursor_id == "memory/aaaa1111"
            await pilot.press("r", "a", "r")
            assert "the next comes up" in toasts(pilot)[-1], "nothing is decided unseen"
            assert inbox(pilot).holding, "nor does a key that did nothing bring up what the next key then decides"
            await until(pilot, lambda: keys_of(pilot) == ["memory/bbbb2222", "memory/cccc3333"])
            assert inbox(pilot).list.cursor_id == "memory/bbbb2222"
            assert entries(home) == ["m", "fact aaaa1111"]
            await settle(pilot)
            await press(pilot, "r")
            assert "− refused" in text_of(pilot)
            await until(pilot, lambda: keys_of(pilot) == ["memory/cccc3333"])
            await settle(pilot)
            await press(pilot, "u")
            assert inbox(pilot).list.cursor_id == "memory/bbbb2222", "what came back is under the cursor"
            await press(pilot, "U")
            assert keys_of(pilot) == ["memory/cccc3333"]

    asyncio.run(run())


def test_keys_in_one_go_decide_about_one_record_without_the_moment_too(tmp_path: Path) -> None:
    home = calm(home_with(tmp_path, ["m"]))
    for name in ("aaaa1111", "bbbb2222", "cccc3333"):
        queue(home, name, add(f"fact {name}"))

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2")
            screen = inbox(pilot)
            preview = screen.preview
            assert preview is not None
            screen.after(Decision("refused", preview, None))
            assert "decided" in screen.why_disabled("accept"), "its row still stands there"
            await settle(pilot)
            assert screen.why_disabled("accept") == "", "what is read anew can be decided"

    asyncio.run(run())


def test_what_loses_something_is_asked_about_with_its_name(tmp_path: Path) -> None:
    home = calm(home_with(tmp_path, ["Staging listens on port 22 behind the vpn of quince", "b"]))
    queue(home, "aaaa1111", swap("port 22", "port 2200"))
    queue(home, "bbbb2222", add("Keys are in ~/.ssh"), created=2.0)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2")
            assert "lossy" in plain(pilot) and "lost:" in plain(pilot)
            await press(pilot, "a")
            text = plain(pilot)
            assert "this loses something" in text and "vpn" in text and "quince" in text
            await press(pilot, "escape")
            assert len(entries(home)) == 2 and "port 22 behind" in entries(home)[0]
            await press(pilot, "a", "enter")
            assert entries(home)[0] == "port 2200"
            assert "⚠ likely benign" in plain(pilot) and "likely_benign · " in plain(pilot)
            await press(pilot, "a")
            assert "looks harmless" in plain(pilot) and "hidden from the prompt" in plain(pilot)
            await press(pilot, "enter")
            assert entries(home)[-1] == "Keys are in ~/.ssh"

    asyncio.run(run())


def test_single_operations_of_a_batch_are_accepted_the_rest_waits(tmp_path: Path) -> None:
    home = calm(home_with(tmp_path, ["alpha", "beta"]))
    gone = {"action": "remove", "old_text": "never there"}
    queue(home, "aaaa1111", batch({"action": "add", "content": "one"}, gone, {"action": "add", "content": "two"}))

    async def run() -> None:
        async with running(home, (140, 40)) as pilot:
            await press(pilot, "2", "a")
            assert "never there" in toasts(pilot)[-1], "as a whole it is stale"
            await press(pilot, "e")
            assert "3 operations; o shows them" in toasts(pilot)[-1]
            await press(pilot, "o", "space", "j", "space")
            assert "a accept 2 of 3" in text_of(pilot) and "2 of 3 marked" in text_of(pilot)
            await press(pilot, "a")
            assert entries(home) == ["alpha", "beta", "one", "two"]
            assert "1 of its operations still wait" in " ".join(toasts(pilot)[-1].split())
            rest = json.loads((home / "pending" / "memory" / "aaaa1111.json").read_text())
            assert rest["payload"]["operations"] == [gone]
            await press(pilot, "u")
            assert entries(home) == ["alpha", "beta"]

    asyncio.run(run())


def test_another_text_is_previewed_and_accepted(tmp_path: Path) -> None:
    home = calm(home_with(tmp_path, ["port 22 is open", "b"]))
    queue(home, "aaaa1111", swap("port 22", "port 2222 is open"))
    file = put_skill(home)
    queue(home, "bbbb2222", skill("patch", old_string="two", new_string="zwei"), subsystem="skills", created=2.0)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2", "e")
            assert "edit and accept: replace in MEMORY.md" in text_of(pilot)
            await press(pilot, "!")
            await until(pilot, lambda: "accepts the record: MEMORY.md 19 → 22 chars" in plain(pilot))
            await press(pilot, "ctrl+s")
            assert entries(home)[0] == "port 2222 is open!"
            assert keys_of(pilot) == ["skills/bbbb2222"]
            await press(pilot, "e")
            assert "accepts the record:" in text_of(pilot)
            await press(pilot, "!", "ctrl+s")
            assert "zwei!" in file.read_text()
            await press(pilot, "u", "u")
            assert entries(home)[0] == "port 22 is open" and len(keys_of(pilot)) == 2

    asyncio.run(run())


def test_a_stale_record_is_aimed_at_an_entry(tmp_path: Path) -> None:
    home = calm(home_with(tmp_path, ["Shell is fish", "Editor is helix"]))
    queue(home, "aaaa1111", remove("Editor is vim"))

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2")
            assert "stale" in plain(pilot) and "it looks for: “Editor is vim”" in plain(pilot)
            await press(pilot, "greater_than_sign", "j", "enter")
            text = plain(pilot)
            assert "✓ ready" in text and "− Editor is helix" in text and "pinned: it names its entry" in text
            await press(pilot, "a")
            assert entries(home) == ["Shell is fish"]

    asyncio.run(run())


def test_marked_records_are_refused_with_a_reason(tmp_path: Path) -> None:
    home = calm(home_with(tmp_path, ["m"]))
    for name in ("aaaa1111", "bbbb2222", "cccc3333"):
        queue(home, name, add(f"fact {name}"))
    queue_raw(home, "dddd4444", "{ broken")

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2", "v", "j", "v")
            assert "2 marked" in text_of(pilot) and "R refuse 2" in text_of(pilot)
            await press(pilot, "asterisk", "R")
            assert "3 records are taken away" in plain(pilot) and "1 of the marked ones" in plain(pilot)
            await press(pilot, "n", "o", "enter")
            assert list(pending(home)) == ["pending/memory/dddd4444.json"] and entries(home) == ["m"]
            changes = inbox(pilot).workspace.history.changes(20)
            labels = [one.label for one in changes if one.kind == "edit"]
            assert len(labels) == 3 and all(
                label.startswith("refuse add") and label.endswith(": no") for label in labels
            )
            await press(pilot, "u", "u", "u")
            assert len(pending(home)) == 4

    asyncio.run(run())


def test_all_ready_shows_the_bar_after_each_step_and_stops_at_a_conflict(tmp_path: Path) -> None:
    home = calm(home_with(tmp_path, ["m"], ["u"], "memory: {memory_char_limit: 60}\n"))
    for number in range(4):
        queue(home, f"aaaa000{number}", add(f"fact number {number} "), created=float(number + 1))

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2", "A")
            text = plain(pilot)
            assert "3 would be accepted" in text and "1 stay" in text
            assert [share in text for share in (" 28 % add", " 55 % add", " 81 % add")] == [True] * 3
            assert "over by 5: Over budget" in text
            await press(pilot, "escape")
            assert entries(home) == ["m"]
            await press(pilot, "A")
            (home / "pending" / "memory" / "aaaa0001.json").unlink()
            await press(pilot, "enter")
            assert "1 of 3 accepted. Stopped at a conflict" in plain(pilot)
            await press(pilot, "escape")
            assert entries(home) == ["m", "fact number 0"] and len(keys_of(pilot)) == 2

    asyncio.run(run())


def test_four_hundred_records_are_listed_and_a_run_over_them_can_be_stopped(tmp_path: Path) -> None:
    home = calm(home_with(tmp_path, ["m"], ["u"], "memory: {memory_char_limit: 100000}\n"))
    for number in range(400):
        queue(home, f"{number:08x}", add(f"fact number {number}"), created=float(number + 1))

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2")
            assert "2 Inbox 400" in text_of(pilot) and len(keys_of(pilot)) == 400
            await press(pilot, "G")
            assert "fact number 399" in plain(pilot)
            await press(pilot, "A")
            screen = pilot.app.screen
            assert isinstance(screen, AllReadyScreen)
            await pilot.press("enter")
            await until(pilot, lambda: len(screen.steps) >= 2)
            await press(pilot, "escape")
            done = len(screen.steps)
            assert 2 <= done < 400 and f"{done} of 400 accepted. Stopped" in plain(pilot)
            await press(pilot, "escape")
            assert len(keys_of(pilot)) == 400 - done and len(entries(home)) == 1 + done

    asyncio.run(run())


def test_an_approval_says_that_a_provider_is_not_told(tmp_path: Path) -> None:
    home = calm(home_with(tmp_path, ["m"], config="memory: {provider: mnemo}\n"))
    queue(home, "aaaa1111", add("fact"))

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2", "a")
            assert "mnemo is told only by a running agent" in toasts(pilot)[-1]

    asyncio.run(run())


def test_a_credential_is_masked_until_it_is_revealed(tmp_path: Path) -> None:
    secret = "sk-" + "a1B2c3D4e5F6g7H8" * 3
    home = home_with(tmp_path, ["m"])
    queue(home, "aaaa1111", add(f"The key is {secret}"))

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2")
            for _ in range(3):
                assert secret[-12:] not in plain(pilot)
                await press(pilot, "o")
            await press(pilot, "y")
            assert "Copy it unmasked?" in plain(pilot)
            await press(pilot, "escape", "exclamation_mark")
            assert secret in plain(pilot)

    asyncio.run(run())


def test_the_mouse_selects_opens_and_decides(tmp_path: Path) -> None:
    home = calm(home_with(tmp_path, ["m"]))
    for name in ("aaaa1111", "bbbb2222"):
        queue(home, name, add(f"fact {name}"))

    async def run() -> None:
        async with running(home) as pilot:
            tabs = text_of(pilot).splitlines()[1]
            await pilot.click(offset=(tabs.index("Inbox 2") + 6, 1))
            await settle(pilot)
            row = next(y for y, line in enumerate(text_of(pilot).splitlines()) if "fact bbbb" in line)
            await pilot.click(offset=(20, row), times=2)
            await settle(pilot)
            assert inbox(pilot).list.cursor_id == "memory/bbbb2222" and inbox(pilot).reading
            lines = text_of(pilot).splitlines()
            await pilot.click(offset=(lines[-1].index("a accept") + 2, len(lines) - 1))
            await settle(pilot)
            assert entries(home) == ["m", "fact bbbb2222"] and keys_of(pilot) == ["memory/aaaa1111"]

    asyncio.run(run())


# -- while others write ---------------------------------------------------------------------------------------------


def test_a_proposal_that_lands_appears_and_leaves_the_cursor(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["m"])
    queue(home, "bbbb2222", add("fact b"), created=5.0)
    queue(home, "cccc3333", add("fact c"), created=6.0)

    async def run() -> None:
        async with alive(home) as pilot:
            await to(pilot, "memory/cccc3333")
            queue(home, "aaaa1111", add("fact a"), created=1.0)
            for _ in range(100):
                if "2 Inbox 3" in text_of(pilot):
                    break
                await pilot.pause(0.01)
            else:
                raise AssertionError("not within a second")
            assert keys_of(pilot)[0] == "memory/aaaa1111" and inbox(pilot).list.cursor_id == "memory/cccc3333"

    asyncio.run(run())


def test_a_record_that_changes_or_vanishes_under_its_preview_is_said(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["m"])
    file = queue(home, "aaaa1111", add("fact a"))
    queue(home, "bbbb2222", add("fact b"))

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2")
            queue(home, "aaaa1111", add("fact changed"))
            await press(pilot, "a")
            assert entries(home) == ["m"] and "changed since it was shown" in plain(pilot)
            await press(pilot, "escape")
            assert "memory/aaaa1111 was changed outside" in toasts(pilot)[-1] and "+ fact changed" in plain(pilot)
            file.unlink()
            inbox(pilot).reload()
            await settle(pilot)
            assert "memory/aaaa1111 is gone" in toasts(pilot)[-1] and "+ fact b" in plain(pilot)

    asyncio.run(run())


# -- nothing, and the gate ------------------------------------------------------------------------------------------


def test_an_empty_queue_explains_itself_and_the_gate_is_switched_exactly(tmp_path: Path) -> None:
    text = "# mine\nmemory:\n  write_approval: false  # ask\nskills: {write_approval: true}\n"
    home = home_with(tmp_path, ["m"], config=text)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2")
            said = plain(pilot)
            assert "Nothing waits for approval" in said and "memory off, skills on" in said and "W switches" in said
            await press(pilot, "W")
            said = plain(pilot)
            assert "− write_approval: false # ask" in said and "+ write_approval: true # ask" in said
            assert "would mean: memory writes wait here" in said and "from 0.19" in said
            size = pilot.app.size
            await press(pilot, "escape")
            await pilot.resize_terminal(80, 20)
            await press(pilot, "W")
            assert "m memory on" in plain(pilot) and "esc leave" in plain(pilot), "the keys stay in sight"
            await pilot.resize_terminal(size.width, size.height)
            await press(pilot, "m")
            assert (home / "config.yaml").read_text() == text.replace("false  #", "true  #")
            assert "approval: memory on" in text_of(pilot) and "memory on, skills on" in plain(pilot)
            await press(pilot, "u")
            assert (home / "config.yaml").read_text() == text and "memory off, skills on" in plain(pilot)
            queue(home, "aaaa1111", add("fact"))
            inbox(pilot).reload()
            await settle(pilot)
            assert "+ fact" in plain(pilot) and inbox(pilot).list.has_focus
            await press(pilot, "question_mark", "pagedown", *["pagedown"] * 12)
            assert "takes no claim on a record" in plain(pilot)

    asyncio.run(run())


def test_what_is_not_the_agents_is_left_alone_and_says_so(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["m"])
    queue_raw(home, "aaaa1111", "{ broken")
    queue(home, "bbbb2222", add("x"), provider="mnemo")
    before = pending(home)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "2")
            for _ in range(2):
                for key in ("a", "r", "e", "greater_than_sign", "E", "R"):
                    await press(pilot, key)
                    assert "left as it is" in toasts(pilot)[-1], key
                await press(pilot, "j")
            assert any("another program wrote it: mnemo" in said for said in toasts(pilot))
            assert any("not complete JSON" in said for said in toasts(pilot)) and pending(home) == before

    asyncio.run(run())


KEYS = [action for action in of_scopes("inbox", "app") if action.rank and action.id not in ("quit", "sessions")]


@pytest.mark.parametrize("state", ["full", "empty", "read-only"])
def test_every_footer_key_acts_or_gives_its_reason(tmp_path: Path, state: str) -> None:
    home = calm(home_with(tmp_path, ["one is about docker", "two", "three"], ["Name: Robin"]))
    if state != "empty":
        for number in range(40):
            queue(home, f"{number:08x}", add(f"fact {number}"), created=float(number + 1))

    async def run() -> None:
        async with running(home, (200, 50), read_only=state == "read-only") as pilot:
            await press(pilot, "2")
            for action in KEYS:
                screen = inbox(pilot)
                before = (text_of(pilot), pilot.app.clipboard, len(toasts(pilot)), screen.list.cursor_id)
                reason = screen.why_disabled(action.id)
                await press(pilot, action.keys[0])
                after = (text_of(pilot), pilot.app.clipboard, len(toasts(pilot)), screen.list.cursor_id)
                assert before != after, f"{action.id} did nothing and said nothing"
                assert not reason or reason in toasts(pilot), f"{action.id} is greyed without saying why"
                while len(pilot.app.screen_stack) > 1:
                    await press(pilot, "escape")
                while inbox(pilot)._back_to():
                    await press(pilot, "escape")
                pilot.app.clear_notifications()

    asyncio.run(run())


def test_one_key_looks_for_where_a_record_was_talked_about(tmp_path: Path) -> None:
    home = real_home(tmp_path)
    queue(home, "0a0b0c0d", add("The needle-haystack marker stands in the migration"), created=1.0)

    async def run() -> None:
        async with running(home, (200, 50)) as pilot:
            await press(pilot, "2", "slash", *"needle", "enter", "S")
            screen = pilot.app.screen
            assert isinstance(screen, SessionsScreen)
            await until(pilot, lambda: "needle" in text_of(pilot).splitlines()[2])
            await until(pilot, lambda: "Ledger schema migration" in text_of(pilot))

    asyncio.run(run())
