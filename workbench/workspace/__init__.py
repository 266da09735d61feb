"""The one door to a home, for both faces."""

from workbench.workspace.workspace import Workspace

__all__ = ["Workspace"]
