"""Files that do not hold what was written to them, and disks that hold no more: how both are recognized and told."""

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path

_FULL_SIGNS = ("no space left", "file too large", "disk quota exceeded", "out of disk space")
_FULL_NUMBERS = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


class FileDamaged(RuntimeError):
    """A stored file that is missing, cut or changed; the message names it and ends its sentence. Told to people as GenerationError or WorkLayoutError."""


class DiskFull(RuntimeError):
    """A write that found no room; the message says in which folder, and what still stands."""

    def __init__(self, folder: object) -> None:
        super().__init__(
            f"There is no room to write in {folder}: the disk is full, or a limit on files is reached. What was finished is kept, and what was "
            "published before still answers. Make room, then run the same command again."
        )


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or what it came from, says that nothing more can be written."""
    while error is not None:
        if isinstance(error, DiskFull) or getattr(error, "errno", None) in _FULL_NUMBERS or any(sign in str(error).lower() for sign in _FULL_SIGNS):
            return True
        error = error.__cause__ or error.__context__
    return False


@contextlib.contextmanager
def told_if_full(folder: Path) -> Iterator[None]:
    """A write of any engine, or of this program, that finds no room, as DiskFull."""
    try:
        yield
    except Exception as error:
        if is_full(error) and not isinstance(error, DiskFull):
            raise DiskFull(folder) from error
        raise
