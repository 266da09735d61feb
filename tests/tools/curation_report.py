"""`python -m tests.tools.curation_report`: what the suggestions do on forty made-up memories; `--list` prints each one.

Counts the files at 80 % and more that a plan alone brings below, the characters a step frees, the suggestions that are
wrong by what is known of the entries, and the time to the suggestions of 120 entries. Nothing here is asserted.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import partial

from tests.tools.curation_homes import FACTS, Home, Line, _Bank, homes
from workbench.curation.planning import Plan, plan
from workbench.curation.suggesting import suggest
from workbench.curation.suggestion import KINDS, QUIET, Suggestion
from workbench.memory import Document, parse, serialise

SAME = ("same", "contained", "reworded")


def main() -> None:
    """Print the table, and with --list every suggestion for counting by hand."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.curation_report", description=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    made = homes(options.seed)
    say = sys.stdout.write
    rows: dict[str, list[tuple[bool, ...]]] = defaultdict(list)
    steps: list[int] = []
    offered: Counter[str] = Counter()
    doubtful: list[str] = []
    found_again = [0, 0]
    for home in made:
        documents = documents_of(home)
        plans = {everything: planned(home, documents, everything=everything) for everything in (False, True)}
        full = documents["memory"].percent >= 80
        rows[home.shape].append((full, *(full and plans[everything].reached for everything in (False, True))))
        steps += [step.suggestion.freed for step in plans[True].steps]
        suggestions = offers(home, documents)
        offered.update(one.kind for one in suggestions)
        doubtful += [f"{home.shape} {home.number}: {problem}" for one in suggestions if (problem := wrong(home, one))]
        found_again[0] += len(known_pairs(home))
        found_again[1] += sum(one.kind in SAME for one in suggestions)
        if options.list:
            for one in suggestions:
                say(f"{home.shape} {home.number}  {one.kind}  frees {one.freed}  {one.why}\n")
                say("".join(f"      {text!r}\n" for text in one.texts))
    say("| shape | files at 80 % and more | below 80 % without losing an entry | by the plan |\n")
    say("|---|---|---|---|\n")
    for shape, results in rows.items():
        counts = [str(sum(column)) for column in zip(*results, strict=True)]
        say(f"| {shape} | {' | '.join(counts)} |\n")
    everyone = [result for results in rows.values() for result in results]
    totals = [str(sum(column)) for column in zip(*everyone, strict=True)]
    say(f"| all | {' | '.join(totals)} |\n\n")
    say(
        f"characters freed a step of a plan: median {statistics.median(steps):.0f}, mean {statistics.mean(steps):.0f}\n"
    )
    say(f"suggestions offered: {sum(offered.values())} ({', '.join(f'{k} {n}' for k, n in offered.most_common())})\n")
    say(f"facts that stand in a memory twice: {found_again[0]}, offered as such: {found_again[1]}\n")
    say(f"wrong by what is known of the entries: {len(doubtful)}\n" + "".join(f"  {line}\n" for line in doubtful))
    say(f"120 entries: {timed(120) * 1000:.0f} ms of work; 2,000 near copies: {timed(2000) * 1000:.0f} ms\n")


def documents_of(home: Home) -> dict[str, Document]:
    """The home's files as the workbench reads them."""
    return {
        "memory": parse(serialise([line.text for line in home.memory]), "memory", home.limit),
        "user": parse(serialise([line.text for line in home.user]), "user", home.user_limit),
    }


def offers(home: Home, documents: Mapping[str, Document], *, everything: bool = False) -> tuple[Suggestion, ...]:
    """What is suggested for a home."""
    return suggest(documents, others=home.others, skills=home.skills, everything=everything)


def planned(home: Home, documents: Mapping[str, Document], *, everything: bool) -> Plan:
    """The plan that gets MEMORY.md of a home under 80 %."""
    kinds = [kind for kind in KINDS if kind not in QUIET or (everything and kind == "time_bound")]
    look = partial(suggest, others=home.others, skills=home.skills, kinds_wanted=kinds)
    return plan(documents, "memory", look, under=80)


def known_pairs(home: Home) -> list[str]:
    """The facts that stand in the two files more than once."""
    return [fact for fact, number in Counter(line.fact for line in home.memory + home.user).items() if number > 1]


def wrong(home: Home, one: Suggestion) -> str:
    """Why a suggestion is wrong by what is known of its entries; "" when nothing speaks against it."""
    lines = {line.text: line for line in home.memory + home.user}
    about = [lines[text] for text in one.texts]
    texts = " / ".join(text[:90] for text in one.texts)
    if one.kind in SAME and len({line.fact for line in about}) > 1:
        return f"{one.kind} of two facts: {texts}"
    if one.kind == "contradiction" and not all(line.group == "clash" for line in about):
        return f"no contradiction: {texts}"
    if one.kind == "belongs" and _stray(about[0], one) is False:
        return f"belongs where it is: {texts}"
    if one.kind == "empty":
        return f"says something: {texts}"
    return ""


def _stray(line: Line, one: Suggestion) -> bool:
    about_person = line.group == "person" or "prefers" in line.text or line.fact.startswith("用户")
    return about_person == (one.target == "memory")


def entries_of(number: int) -> list[str]:
    """So many entries: facts that differ, or for more than 200 copies that differ in their numbers alone."""
    if number <= 200:
        rng = random.Random(number)
        lines = [line.text for _ in range(4) for line in _Bank(rng).lines(FACTS, "fact")]
        return [f"{text} ({place})" for place, text in enumerate(lines)][:number]
    rest = "keeps its logs in /var/log, is checked every night, and mails a summary to the team when a disk is full"
    return [f"Host {one} answers on port {2000 + one}, {rest}; seen by {one % 7}" for one in range(number)]


def timed(entries: int) -> float:
    """Seconds of processor time to the suggestions for so many entries, below a limit of 400,000 characters."""
    documents = {
        "memory": parse(serialise(entries_of(entries)), "memory", 400_000),
        "user": parse(b"Likes tea", "user", 1375),
    }
    times = []
    for _ in range(3):
        start = time.process_time()
        suggest(documents)
        times.append(time.process_time() - start)
    return statistics.median(times)


if __name__ == "__main__":
    main()
