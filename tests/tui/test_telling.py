"""What the terminal itself is told: fixed words and a number, and everything as it was at the end."""

from __future__ import annotations

from workbench.history.turns import Turns
from workbench.home.settings import parse_settings
from workbench.memory import parse
from workbench.tui.alive import settled_sentence
from workbench.tui.telling import Telling
from workbench.watch.keeper import Settled


def telling(title: str = "on", bell: str = "off", notify: str = "off") -> tuple[Telling, list[str]]:
    sent: list[str] = []
    one = Telling(sent.append)
    one.settings(title=title, bell=bell, notify=notify)
    return one, sent


def test_the_title_counts_what_is_open_and_goes_back() -> None:
    one, sent = telling()
    one.alerts(2)
    one.alerts(2)
    one.alerts(1)
    one.alerts(0)
    one.leave()
    one.leave()
    assert sent == [
        "\x1b[22;0t\x1b]0;workbench\x1b\\",
        "\x1b]0;workbench: 2 alerts\x1b\\",
        "\x1b]0;workbench: 1 alert\x1b\\",
        "\x1b]0;workbench\x1b\\",
        "\x1b[23;0t",
    ]
    one.come_back()
    assert sent[-1] == "\x1b[22;0t\x1b]0;workbench\x1b\\"


def test_nothing_is_sent_when_everything_is_off() -> None:
    one, sent = telling("off")
    one.alerts(0)
    one.alerts(3)
    one.leave()
    assert sent == []


def test_only_more_than_before_is_worth_a_sound() -> None:
    one, sent = telling("off", "on", "osc9")
    one.alerts(2)
    one.alerts(1)
    assert sent == [], "what was open at the start is no news, and less is none either"
    one.alerts(2)
    assert sent == ["\x07", "\x1b]9;workbench: 2 alerts\x1b\\"]
    one.settings(title="off", bell="off", notify="osc777")
    one.alerts(3)
    assert sent[2:] == ["\x1b]777;notify;workbench;3 alerts\x1b\\"]


def test_switching_the_title_off_gives_it_back_at_once() -> None:
    one, sent = telling()
    one.settings(title="off", bell="off", notify="off")
    assert sent[-1] == "\x1b[23;0t"


def test_bare_on_and_off_are_understood() -> None:
    found = parse_settings("title: off\nbell: on\nnotify: osc9\nglyphs: on")
    assert (found.title, found.bell, found.notify) == ("off", "on", "osc9")
    assert [problem.key for problem in found.problems] == ["glyphs"]


def test_what_a_change_came_to_is_said_with_the_key_that_helps() -> None:
    before, gone = parse(b"one", "user", 100), parse(None, "user", 100)
    vanished = Settled("user", before, gone, version="a" * 64)
    assert settled_sentence(vanished) == "USER.md is gone; = in its pane of the Memory area puts it back."
    quarrel = Settled("user", before, parse(b"two", "user", 100), turns=Turns(("a" * 64, "b" * 64), 4))
    said = settled_sentence(quarrel)
    assert said.startswith("Two programs overwrite USER.md in turn, 4 times by now.") and "has to stop" in said
    assert settled_sentence(Settled("user", before, parse(b"two", "user", 100))) == ""
