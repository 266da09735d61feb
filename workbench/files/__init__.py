"""Bytes on disk: read, lock, hash and replace safely. Knows nothing of what the files mean."""

from workbench.files.lock import locked
from workbench.files.places import check_owner, is_network_folder, is_silent_folder, real_target
from workbench.files.reading import digest, is_regular, read_bytes
from workbench.files.replace import Step, no_step, place_file, remove_file, replace_file, sweep, sync_folder

__all__ = [
    "Step",
    "check_owner",
    "digest",
    "is_network_folder",
    "is_regular",
    "is_silent_folder",
    "locked",
    "no_step",
    "place_file",
    "read_bytes",
    "real_target",
    "remove_file",
    "replace_file",
    "sweep",
    "sync_folder",
]
