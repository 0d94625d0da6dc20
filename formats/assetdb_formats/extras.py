"""Optional libraries, imported on use, with installation advice.

One home for :class:`MissingExtraError`, whatever family of formats misses a library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from types import ModuleType


class MissingExtraError(FormatError):
    """Error of a missing optional library, with the command to install it."""


def import_extra(
    module: str, extra: str, what: str, *, field: str = "", error: type[MissingExtraError] = MissingExtraError
) -> ModuleType:
    """Import a module of an optional library.

    Args:
        module: the module.
        extra: the extra of this project that installs it, as ``aes``.
        what: what the data is, as ``compressed with LZ4``.
        field: the field of the error.
        error: the kind of error that the caller's family has for it.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise error(f"{what}: {advice(extra)}", field=field) from None


def advice(extra: str) -> str:
    """Return the line that installs an extra."""
    return f"pip install 'assetdb[{extra}]'"
