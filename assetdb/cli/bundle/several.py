"""Commands on several files: one that cannot be read does not keep the others from being answered."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from assetdb.cli.terminal import fail, printable
from formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHOWN_ALIKE: Final = 3
_NUMBER: Final = re.compile(r"\b(?:0x)?[0-9a-f]*\d[0-9a-f]*\b")


@contextmanager
def going_on(path: str, failed: list[str]) -> Iterator[None]:
    """Say why the file cannot be read, put it into ``failed``, and leave out the rest of the block."""
    try:
        yield
    except FormatError as error:
        fail(printable(str(error if error.path else error.at(path))))
        failed.append(path)
    except OSError as error:  # it went away since its kind was looked up, or its disk fails
        fail(printable(os_error(path, error)))
        failed.append(path)


def os_error(path: str, error: OSError) -> str:
    """Return what the system said of a file; an error from reading names none."""
    return f"{error.filename or path}: {error.strerror or error}"


def grouped(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines in their order, but of those that differ only in numbers the first three and how many more there are.

    A thousand objects with the same fault are one fault.
    """
    alike: dict[str, list[str]] = {}
    for line in lines:
        alike.setdefault(_NUMBER.sub("#", line), []).append(line)
    for found in alike.values():
        yield from found[:_SHOWN_ALIKE]
        if len(found) > _SHOWN_ALIKE:
            yield f"and {len(found) - _SHOWN_ALIKE:,} more like that"


def verdict(count: int, unreadable: int, *, has_findings: bool) -> str:
    """Return the last line of `verify` on ``count`` bundles."""
    said = ["findings"] * has_findings + [f"{unreadable} unreadable"] * bool(unreadable)
    return f"{count} {'bundle' if count == 1 else 'bundles'}: {', '.join(said) or 'clean'}"
