"""The one door to a home, for both faces."""

from workbench.workspace.status import Status, StoreStatus
from workbench.workspace.workspace import Workspace

__all__ = ["Status", "StoreStatus", "Workspace"]
