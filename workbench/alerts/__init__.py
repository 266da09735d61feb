"""One list of everything that needs a human, worst first: a pure function over what is known of a home."""

from __future__ import annotations

from workbench.alerts.alert import SEVERITIES, Action, Alert, alert_id
from workbench.alerts.judge import alerts
from workbench.alerts.opinions import Opinions
from workbench.alerts.view import Access, View, Waiting

__all__ = ["SEVERITIES", "Access", "Action", "Alert", "Opinions", "View", "Waiting", "alert_id", "alerts"]
