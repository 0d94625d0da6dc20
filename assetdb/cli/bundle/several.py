"""Commands on several files: one that cannot be read does not keep the others from being answered."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from assetdb.cli.terminal import fail, printable
from formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def going_on(path: str, failed: list[str]) -> Iterator[None]:
    """Say why the file cannot be read, put it into ``failed``, and leave out the rest of the block."""
    try:
        yield
    except FormatError as error:
        fail(printable(str(error if error.path else error.at(path))))
        failed.append(path)
    except FileNotFoundError as error:  # it was there when its kind was looked up
        fail(printable(f"{error.filename}: {error.strerror}"))
        failed.append(path)


def verdict(count: int, unreadable: int, *, has_findings: bool) -> str:
    """Return the last line of `verify` on ``count`` bundles."""
    said = ["findings"] * has_findings + [f"{unreadable} unreadable"] * bool(unreadable)
    return f"{count} {'bundle' if count == 1 else 'bundles'}: {', '.join(said) or 'clean'}"
