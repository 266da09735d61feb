"""The door from disk to screen: hidden characters made visible, credentials masked.

Every text that came from disk passes `shown` (or `reveal` and `mask`) before a face prints it.
"""

from __future__ import annotations

from workbench.text.door import TOKEN_CLOSE, TOKEN_OPEN, Revealed, joiner_belongs, json_text, reveal, unreveal
from workbench.text.secrets import (
    Secret,
    find_secrets,
    finished,
    mask,
    mask_head,
    mask_part,
    mask_piece,
    private_keys,
    secrets_in,
    shown,
    without_secrets,
)

__all__ = [
    "TOKEN_CLOSE",
    "TOKEN_OPEN",
    "Revealed",
    "Secret",
    "find_secrets",
    "finished",
    "joiner_belongs",
    "json_text",
    "mask",
    "mask_head",
    "mask_part",
    "mask_piece",
    "private_keys",
    "reveal",
    "secrets_in",
    "shown",
    "unreveal",
    "without_secrets",
]
