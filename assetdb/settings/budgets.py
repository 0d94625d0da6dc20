"""``[budget]`` of ``assetdb.toml``: how large a build and its parts may be.

::

    [budget]
    build = "200 MiB"              # all of it, on disk
    download = "5 MiB"             # of an update from the build it is compared with
    duplicates = 10                # objects that several files have

    [budget.bundle]                # each bundle of such a name; so file, group, label, folder, type, assembly
    "ui_*" = "4 MiB"
    "*" = "+2 %"                   # more than in the build it is compared with
    [budget.folder]
    "Assets/Art/Characters" = "+500 KiB"
"""

from __future__ import annotations

import re
from fractions import Fraction

from assetdb.errors import ConfigurationError
from assetdb.settings.patterns import refuse_many
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

BUILD: Final = "build"
DOWNLOAD: Final = "download"
DUPLICATES: Final = "duplicates"
SINGLE: Final = (BUILD, DOWNLOAD, DUPLICATES)
"""Kinds of budgets of the whole."""
FILE: Final = "file"
BUNDLE: Final = "bundle"
GROUP: Final = "group"
LABEL: Final = "label"
FOLDER: Final = "folder"
TYPE: Final = "type"
ASSEMBLY: Final = "assembly"
NAMED: Final = (FILE, BUNDLE, GROUP, LABEL, FOLDER, TYPE, ASSEMBLY)
"""Kinds of budgets with names."""

_SIZE: Final = re.compile(r"(?P<more>\+?)[ ]*(?P<number>\d{1,15}(?:\.\d{1,6})?)[ ]*(?P<unit>[A-Za-z]*|%)", re.ASCII)
_UNITS: Final = {
    "": 1,
    "B": 1,
    "kB": 10**3,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KiB": 1 << 10,
    "MiB": 1 << 20,
    "GiB": 1 << 30,
}
_PERCENT: Final = "%"


class Limit(NamedTuple):
    """The most that something may have.

    Attributes:
        text: as it is written.
        most: bytes or a number, exactly; of more than there was, if ``more``.
        more: whether it is compared with another build.
        percent: whether ``most`` is a percentage of what there was.
    """

    text: str
    most: Fraction
    more: bool = False
    percent: bool = False

    def allowed(self, before: int) -> int:
        """Return the most that is allowed, given the former size."""
        if not self.more:
            return int(self.most)
        return before + int(before * self.most / 100 if self.percent else self.most)  # also over 2**53


class Budget(NamedTuple):
    """A limit of one kind; ``pattern`` is ``""`` for the whole build."""

    kind: str
    pattern: str
    limit: Limit

    @property
    def key(self) -> str:
        """Its place in the settings."""
        return f"budget.{self.kind}" + (f".{self.pattern!r}" if self.pattern else "")


def read_budgets(values: object) -> tuple[Budget, ...]:
    """Return the budgets of the table ``[budget]``.

    Raises:
        ConfigurationError: it has an unknown key, or a value that is no limit.
    """
    found = []
    for kind, value in _table("budget", values).items():
        if kind in SINGLE:
            found.append(Budget(kind, "", _limit(f"budget.{kind}", value, is_number=kind == DUPLICATES)))
        elif kind in NAMED:
            rows = _table(f"budget.{kind}", value)
            refuse_many(f"budget.{kind}", rows)
            found += [Budget(kind, name, _limit(f"budget.{kind}.{name!r}", limit)) for name, limit in rows.items()]
        else:
            raise ConfigurationError(f"budget: there is no {kind!r} (keys are {', '.join((*SINGLE, *NAMED))})")
    return tuple(found)


def _table(where: str, value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ConfigurationError(f"{where} is {value!r}: it must be a table")
    return value


def _limit(where: str, value: object, *, is_number: bool = False) -> Limit:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return Limit(f"{value:,}", Fraction(value))
    match = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    unit = match["unit"] if match is not None else ""
    is_known = (not unit or unit == _PERCENT) if is_number else unit in (*_UNITS, _PERCENT)
    if match is None or not isinstance(value, str) or not is_known or (unit == _PERCENT and not match["more"]):
        examples = '3, "+1" or "+2 %"' if is_number else f'"40 MiB", "+500 KiB" or "+2 %" (units are {_known_units()})'
        raise ConfigurationError(f"{where} is {value!r}: it must be like {examples}")
    number = Fraction(match["number"])
    is_percent = unit == _PERCENT
    return Limit(value.strip(), number if is_percent else number * _UNITS[unit], bool(match["more"]), is_percent)


def _known_units() -> str:
    return ", ".join(unit for unit in _UNITS if unit)
