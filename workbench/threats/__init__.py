"""What the agent's own scanner would refuse in a text, where it stands, and what an owner should know about it."""

from __future__ import annotations

from workbench.threats.explain import explain
from workbench.threats.rules import WINDOW
from workbench.threats.scan import Finding, client_ids, harmless, scan

__all__ = ["WINDOW", "Finding", "client_ids", "explain", "harmless", "scan"]
