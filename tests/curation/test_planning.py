"""Plans: the cheapest steps that reach a goal, in an order in which they apply."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.curation.support import documents
from tests.curation.test_suggesting import entries
from workbench.curation.planning import plan
from workbench.curation.suggesting import suggest
from workbench.curation.suggestion import LOSES
from workbench.demo import texts
from workbench.errors import Usage
from workbench.memory import apply, count, percent

SKILLS = {"deploy-ledger": texts.DEPLOY_SKILL, "release-notes": texts.NOTES_SKILL}


def test_the_demo_goes_from_96_to_below_80_percent_in_fewer_than_ten_steps() -> None:
    read = documents(texts.MEMORY, texts.USER)
    assert read["memory"].percent == 96
    made = plan(read, "memory", partial(suggest, skills=SKILLS), under=80)
    assert made.reached and len(made.steps) < 10
    assert made.steps[-1].percent_after < 80
    assert all(len(step.suggestion.why) > 20 for step in made.steps)
    stores = {target: document.texts for target, document in read.items()}
    outcome = apply(stores, made.operation, {"memory": 2200, "user": 1375})
    outcome.check()
    assert count(outcome.after["memory"]) == made.chars_after == made.steps[-1].chars_after
    assert percent(count(outcome.after["user"]), 1375) < 80, "the other file is not filled up instead"


@settings(max_examples=80, deadline=None)
@given(
    entries,
    entries,
    st.one_of(st.tuples(st.just("free"), st.integers(1, 300)), st.tuples(st.just("under"), st.integers(1, 100))),
)
def test_a_plan_applies_as_one_batch_and_its_bars_are_true(
    memory: list[str], user: list[str], goal: tuple[str, int]
) -> None:
    read = documents(memory, user, 400)
    if goal[0] == "free" and goal[1] > read["memory"].chars:
        with pytest.raises(Usage):
            plan(read, "memory", suggest, free=goal[1])
        return
    look = partial(suggest, everything=True)
    made = plan(read, "memory", look, **{goal[0]: goal[1]})
    assert made == plan(read, "memory", look, **{goal[0]: goal[1]})
    stores = {target: document.texts for target, document in read.items()}
    limits = {target: document.limit for target, document in read.items()}
    now = stores
    for step in made.steps:
        before = count(now["memory"])
        now = dict(apply(now, step.suggestion.operation, limits).after)
        assert count(now["memory"]) == step.chars_after == before - step.suggestion.freed
    if made.steps:
        outcome = apply(stores, made.operation, limits)
        assert outcome.refused is None and outcome.after == now
    assert made.chars_after == count(now["memory"])
    assert made.reached == (made.chars_after <= made.goal)
    if goal[0] == "under" and made.reached:
        assert percent(made.chars_after, 400) < goal[1] or made.chars_after == 0


def test_nothing_is_planned_that_is_not_needed() -> None:
    memory = [
        "CI is GitHub Actions",
        "ci is github actions.",
        "Tea  is in  the kitchen",
        "SSH on mango is on port 22",
        "SSH on mango is on port 2222",
    ]
    made = plan(documents(memory), "memory", suggest, free=20)
    assert [step.suggestion.kind for step in made.steps] == ["same"]
    assert made.loss == 0 and made.losing == ()
    more = plan(documents(memory), "memory", suggest, free=50)
    assert more.reached and [one.kind for one in more.losing] == ["contradiction"]
    assert more.losing[0].loss >= LOSES


def test_small_steps_without_loss_are_better_than_a_big_one_with() -> None:
    small = [f"Fact number {n}  is  here" for n in range(4)]
    memory = ["SSH on mango is on port 22 and works", "SSH on mango is on port 2222", *small]
    alone = plan(documents(memory), "memory", suggest, free=9)
    assert [step.suggestion.kind for step in alone.steps] == ["contradiction"], "eight are not enough"
    memory.append("**Tea** is  in  the kitchen")
    made = plan(documents(memory), "memory", suggest, free=7)
    assert made.reached and made.losing == ()


def test_a_later_step_may_build_on_an_earlier_one() -> None:
    memory = [f"Key facts > Ops > H{n}: **note** that  fact number {n} stands here" for n in range(3)]
    made = plan(documents(memory), "memory", suggest, free=66)
    assert made.reached and len(made.steps) > 1
    assert (
        "**"
        not in apply({"memory": tuple(memory), "user": ()}, made.operation, {"memory": 2200, "user": 1375}).after[
            "memory"
        ][0]
    )


def test_what_cannot_be_reached_is_said() -> None:
    made = plan(documents(["Tea is in the kitchen", "Miso is a cat"]), "memory", suggest, free=30)
    assert not made.reached and made.steps == () and made.freed == 0


@pytest.mark.parametrize(
    "goal", [{}, {"free": 1, "under": 80}, {"free": 0}, {"under": 0}, {"free": 10_000}, {"under": 1001}]
)
def test_goals_that_make_no_sense(goal: dict[str, int]) -> None:
    with pytest.raises(Usage):
        plan(documents(["Tea is in the kitchen"]), "memory", suggest, **goal)


def test_a_store_without_a_limit_can_still_be_planned_for() -> None:
    made = plan(documents(["CI is slow today", "ci is slow today."], limit=0), "memory", suggest, free=5)
    assert made.reached and made.steps[0].percent_after == 0
