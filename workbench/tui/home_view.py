"""What a home's memory looks like on a screen, as immutable values; read without Textual."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.home import check
from workbench.memory import TARGETS
from workbench.text import find_secrets
from workbench.tui.screen_text import safe

if TYPE_CHECKING:
    from workbench.home import Config
    from workbench.memory import Document, Entry
    from workbench.workspace import Workspace

# Longer entries are masked and shown in part; the whole text is a keystroke away.
LIST_CHARS = 4_000


@dataclass(frozen=True)
class EntryView:
    """One entry as a list shows it: its place from 1, its text through the door, whether it holds a credential."""

    entry: Entry
    number: int
    text: str
    secret: bool


@dataclass(frozen=True)
class StoreView:
    """One store as it is on disk."""

    document: Document
    enabled: bool
    entries: tuple[EntryView, ...]

    @property
    def target(self) -> str:
        """memory or user."""
        return self.document.target

    def find(self, entry_id: str | None) -> EntryView | None:
        """The entry with this id."""
        return next((view for view in self.entries if view.entry.id == entry_id), None)


@dataclass(frozen=True)
class HomeView:
    """Both stores and the configuration in force, from one reading."""

    stores: Mapping[str, StoreView]
    config: Config


def read_home(workspace: Workspace) -> HomeView:
    """Read both files and the configuration. Raises WorkbenchError, NoHome too: a home that is gone is not empty."""
    check(workspace.choice)
    workspace.refresh()
    documents = workspace.documents()
    return HomeView(
        {target: _store(documents[target], workspace.enabled(target)) for target in TARGETS}, workspace.config
    )


def drafted_home(home: HomeView, texts: Mapping[str, tuple[str, ...]]) -> HomeView:
    """The home as it would be with other entries; a store whose entries stay is shown just as it is."""
    from workbench.memory import parse, serialise

    stores = dict(home.stores)
    for target, store in home.stores.items():
        if texts[target] != store.document.texts:
            document = parse(serialise(texts[target]), target, store.document.limit)
            stores[target] = _store(document, store.enabled)
    return HomeView(stores, home.config)


def _store(document: Document, enabled: bool) -> StoreView:
    return StoreView(
        document, enabled, tuple(_entry(entry, number) for number, entry in enumerate(document.entries, 1))
    )


def _entry(entry: Entry, number: int) -> EntryView:
    head = entry.text[:LIST_CHARS]
    # A secret that the cut would halve could escape its mask: look at the whole, show the head.
    secret = bool(find_secrets(entry.text))
    text = safe(entry.text)[:LIST_CHARS] if secret else safe(head, masked=False)
    return EntryView(entry, number, text, secret)
