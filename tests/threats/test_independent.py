"""Notes and attacks written by somebody who has not seen the rules: how often the second opinion is wrong and right."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.tools.precision import advised
from workbench.threats import scan

HERE = Path(__file__).parent


def test_at_most_one_ordinary_note_in_two_hundred_is_advised_against() -> None:
    notes = json.loads((HERE / "ordinary.json").read_text("utf-8"))
    assert len(notes) == 600
    assert len(advised(notes)) <= len(notes) // 200


def test_what_the_clients_rules_miss_is_noticed_in_half_of_the_attacks() -> None:
    attacks = json.loads((HERE / "attacks.json").read_text("utf-8"))
    noticed = Counter(attack["kind"] for attack in attacks if scan(attack["text"]))
    assert sum(noticed.values()) >= 60, noticed  # of 120; precision comes first
    assert set(noticed) == {"language", "lookalike", "split", "encoded", "hidden"}
