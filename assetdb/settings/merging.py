"""``[merge]`` of ``assetdb.toml``: files of which a merge takes one side.

::

    [merge]
    ours = ["Assets/Generated/**"]     # what a tool of the team generates
    theirs = ["*.lighting"]
"""

from __future__ import annotations

import os

from assetdb.errors import ConfigurationError
from assetdb.settings.project import CONFIGURATION_NAME, folder_and_parents

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

SIDES: Final = ("ours", "theirs")


def sides_of(path: str) -> str:
    """Return the side that a file's nearest ``assetdb.toml`` takes, or ``""``.

    Args:
        path: the file, relative to the working directory.

    Raises:
        ConfigurationError: the configuration is wrong.
    """
    whole = os.path.abspath(path)
    for folder in folder_and_parents(os.path.dirname(whole)):
        place = os.path.join(folder, CONFIGURATION_NAME)
        if os.path.isfile(place):
            return _side(place, os.path.relpath(whole, folder).replace(os.sep, "/"))
    return ""


def read_merge(values: object) -> Mapping[str, tuple[str, ...]]:
    """Return the patterns of each side.

    Raises:
        ConfigurationError: it is no table, has an unknown key, or a value that is no list of patterns, or of too many.
    """
    if not isinstance(values, dict):
        raise ConfigurationError(f"merge: a table is expected, not {values!r}")
    found = {}
    for key, patterns in values.items():
        if key not in SIDES:
            raise ConfigurationError(f"merge: no key {key!r} (keys are {', '.join(SIDES)})")
        if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns):
            raise ConfigurationError(f"merge: {key}: a list of patterns is expected, not {patterns!r}")
        from assetdb.settings.patterns import refuse_many  # noqa: PLC0415 - few projects have the table
        from assetdb_formats.globs import path_matcher  # noqa: PLC0415 - few projects have the table

        refuse_many(f"merge: {key}", patterns)
        try:
            path_matcher(patterns)
        except ValueError as error:
            raise ConfigurationError(f"merge: {key}: {error}") from error
        found[key] = tuple(patterns)
    return found


def _side(place: str, path: str) -> str:
    from assetdb.settings.user import read_toml  # noqa: PLC0415 - few projects have the file
    from assetdb_formats.globs import path_matcher  # noqa: PLC0415 - the same

    values = read_toml(place) or {}
    try:
        for side, patterns in read_merge(values.get("merge", {})).items():
            if patterns and path_matcher(patterns)(path):
                return side
    except ConfigurationError as error:
        raise ConfigurationError(f"{place}: {error}") from error
    return ""
