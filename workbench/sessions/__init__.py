"""The agent's conversations in state.db, read only."""

from workbench.sessions.overview import Overview, overview

__all__ = ["Overview", "overview"]
