"""All alerts of a home, in order."""

from __future__ import annotations

from workbench.alerts.alert import SEVERITIES, Alert
from workbench.alerts.entries import about_entries
from workbench.alerts.opinions import Opinions
from workbench.alerts.stores import about_stores
from workbench.alerts.surroundings import about_surroundings
from workbench.alerts.view import View


def alerts(view: View, opinions: Opinions | None = None) -> tuple[Alert, ...]:
    """Everything that needs a human, worst first, then in the order of the files. Each id occurs once.

    Pure: the same view gives the same alerts; `opinions` only spares scanning a text again.
    """
    opinions = opinions or Opinions()
    found = [*about_stores(view), *about_entries(view, opinions), *about_surroundings(view)]
    distinct = {one.id: one for one in reversed(found)}
    once = [one for one in found if distinct.get(one.id) is one]
    return tuple(sorted(once, key=lambda one: SEVERITIES.index(one.severity)))
