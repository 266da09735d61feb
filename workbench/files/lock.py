"""The lock that the agent's own client honours: an exclusive lock on `<file>.lock`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from workbench.errors import Busy, WriteFailed

# Clients block in flock(2) and wake at once, a poller only sees a lock that is free at that moment: with filelock's
# default of 50 ms it starves beside busy clients, with 1 ms it finishes within two to three times their time.
POLL_SECONDS = 0.001


@contextmanager
def locked(paths: Sequence[Path], *, timeout: float = 10.0) -> Iterator[None]:
    """Hold `<path>.lock` of every path, taken in the order given; release in reverse.

    The lock file lies beside the name given, also when that is a link, and stays afterwards: clients up to 0.22 lock
    the same inode, so unlinking it would let two writers in. `timeout` is in seconds for each lock.
    Raises Busy when another process keeps a lock, WriteFailed when the lock file cannot be made.
    """
    from filelock import FileLock, Timeout

    with ExitStack() as stack:
        for path in paths:
            lock = FileLock(
                str(path) + ".lock",
                timeout=timeout,
                mode=0o600,
                poll_interval=POLL_SECONDS,
                preserve_lock_file=True,
            )
            try:
                lock.acquire()
            except Timeout as error:
                raise Busy(path, timeout) from error
            except OSError as error:
                raise WriteFailed(Path(str(path) + ".lock"), error.strerror or str(error)) from error
            stack.callback(lock.release)
        yield
