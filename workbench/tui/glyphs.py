"""The few signs the screen draws itself, with a plain form for terminals that cannot show them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Glyphs:
    """Signs of one cell each; `logo` stands in the header, `full` and `empty` draw the usage bar."""

    logo: str = "⚕"
    cursor: str = "▌"
    mark: str = "●"
    warning: str = "⚠"
    more: str = "…"
    full: str = "━"
    empty: str = "─"
    times: str = "×"
    tick: str = "✓"
    gone: str = "\u2212"
    rule: str = "│"


PLAIN = Glyphs(
    logo="+", cursor=">", mark="*", warning="!", more="~", full="#", empty="-", times="x", tick="v",
    gone="-", rule="|",
)  # fmt: skip


def choose(env: Mapping[str, str] | None = None, setting: str = "auto") -> Glyphs:
    """The signs that the settings ask for (`unicode`, `ascii`); with `auto` those that the terminal can show.

    That is the plain ones where the locale names another character set than UTF-8 or the terminal is the bare console.
    """
    if setting != "auto":
        return PLAIN if setting == "ascii" else Glyphs()
    env = os.environ if env is None else env
    locale = env.get("LC_ALL") or env.get("LC_CTYPE") or env.get("LANG") or ""
    _, _, charset = locale.partition(".")
    other = bool(charset) and charset.partition("@")[0].lower().replace("-", "") != "utf8"
    return PLAIN if other or env.get("TERM") in ("linux", "dumb") else Glyphs()
