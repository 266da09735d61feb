"""What the terminal itself is told: fixed words and a number, and everything as it was at the end."""

from __future__ import annotations

from workbench.home.settings import parse_settings
from workbench.tui.telling import Telling


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
