"""Companion files of a catalog: layouts, content states, settings, hashes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from assetdb_formats.addressables.companions.content_state import ContentState, read_content_state
from assetdb_formats.addressables.companions.layout import BuildLayout, read_layout
from assetdb_formats.addressables.companions.settings import Settings, read_settings
from assetdb_formats.addressables.errors import (
    AddressablesError,
    CatalogNotFoundError,
    CompanionNotFoundError,
    as_own_error,
)
from assetdb_formats.addressables.hashes import content_hash
from assetdb_formats.addressables.opening import LARGEST, find_catalogs, open_input, read_hash_text
from assetdb_formats.binary import FormatError
from assetdb_formats.inputs import file_input, find_inputs

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.addressables.opening import OpenCatalog
    from assetdb_formats.inputs import Input

_LAYOUT: Final = re.compile(r"(?:[^/]*[_-])?buildlayout[^/]*\.(?:json|txt)", re.IGNORECASE)
_STATE: Final = re.compile(r"(?:[^/]*[_-])?addressables_content_state[^/]*\.bin", re.IGNORECASE)
_SETTINGS: Final = re.compile(r"(?:[^/]*[_-])?settings\.json", re.IGNORECASE)
_HASH: Final = re.compile(r"(?:[^/]*[_-])?catalog[^/]*\.hash", re.IGNORECASE)
_SETTINGS_HEAD: Final = 1 << 20  # bytes in which the locations of catalogs begin
_DIGITS: Final = re.compile(r"[0-9a-f]{32}")
_METHODS: Final = ("spooky", "md5")

_Facts = TypeVar("_Facts")


class HashFile(NamedTuple):
    """A ``.hash`` file, or a catalog without one.

    Attributes:
        name: the ``.hash`` file, or None where the catalog has none.
        digits: the content of the ``.hash`` file; None without that file.
        catalog: the catalog beside it, or None where there is none of that name.
        method: how the digits were made, ``spooky`` or ``md5``; None where they do not fit the catalog.
        right: the digits of the catalog by each method; empty without a catalog.
    """

    name: str | None
    digits: str | None
    catalog: str | None
    method: str | None
    right: dict[str, str]

    @property
    def is_wrong(self) -> bool:
        """Whether a catalog and its digits are there and do not match."""
        return self.digits is not None and self.catalog is not None and self.method is None


def find_layouts(path: str) -> list[Input]:
    """Return a path's build layouts: ``buildlayout*.json`` and ``.txt``."""
    return _found(path, _LAYOUT, "build layout (buildlayout*.json or .txt)")


def find_content_states(path: str) -> list[Input]:
    """Return the content states of a path: ``addressables_content_state*.bin``. Raises AddressablesError or OSError."""
    return _found(path, _STATE, "content state (addressables_content_state.bin)")


def find_settings(path: str) -> list[Input]:
    """Return each ``settings.json`` of a path that Addressables wrote.

    Some editors write files of that name too. Raises AddressablesError or OSError.
    """
    found = _found(path, _SETTINGS, "settings.json of Addressables")
    if len(found) == 1 and found[0].name == path:
        return found
    own = [one for one in found if b'"m_CatalogLocations"' in one.head(_SETTINGS_HEAD)]
    if not own:
        raise _nothing(path, "settings.json of Addressables")
    return own


def find_hashes(path: str) -> list[Input]:
    """Return a path's ``.hash`` files and catalogs, one of each pair.

    A pair is named by its catalog. Raises AddressablesError or OSError.
    """
    try:
        catalogs = find_catalogs(path)
    except CatalogNotFoundError:
        return _found(path, _HASH, "catalog and no .hash file")
    return catalogs


def layout_for(opened: OpenCatalog, path: str | None = None) -> BuildLayout | None:
    """Return the build layout at a path or beside a catalog.

    None where there is none. Raises AddressablesError with the file's name, or OSError.
    """
    if path is not None:
        found = find_layouts(path)
        if len(found) > 1:
            listed = "".join(f"\n  {one.name}" for one in found[:20])
            raise AddressablesError(f"holds {len(found)} build layouts, name one:{listed}", path=path)
        return open_layout(found[0])
    file = opened.beside("buildlayout.json")
    return None if file is None else _read(file, read_layout, f"buildlayout.json beside {opened.name}")


def read_hash_file(path: str) -> str:
    """Return the first 64 characters of a ``.hash`` file."""
    return read_hash_text(file_input(path))


def open_layout(file: Input) -> BuildLayout:
    """Read a build layout. Raises AddressablesError with the file's name, or OSError."""
    return _read(file, read_layout)


def open_content_state(file: Input) -> ContentState:
    """Read a content state. Raises AddressablesError with the file's name, or OSError."""
    return _read(file, read_content_state)


def open_settings(file: Input) -> Settings:
    """Read settings. Raises AddressablesError with the file's name, or OSError."""
    return _read(file, read_settings)


def check_hash(file: Input) -> HashFile:
    """Compare a catalog with the ``.hash`` beside it, given either."""
    stem = re.split(r"[/\\]", file.name)[-1].rpartition(".")[0]
    if not file.name.endswith(".hash"):
        beside = file.beside(f"{stem}.hash")
        return _checked(file, beside)
    for suffix in ("json", "bin", "bundle"):
        catalog = file.beside(f"{stem}.{suffix}")
        if catalog is not None:
            return _checked(catalog, file)
    return HashFile(file.name, _digits(file), None, None, {})


def _checked(catalog: Input, file: Input | None) -> HashFile:
    data = open_input(catalog, salvage=True).catalog.data  # of a catalog.bundle the catalog inside
    right = {method: content_hash(data, method=method) for method in _METHODS}
    digits = None if file is None else _digits(file)
    method = next((method for method, expected in right.items() if expected == digits), None)
    return HashFile(None if file is None else file.name, digits, catalog.name, method, right)


def _digits(file: Input) -> str:
    digits = read_hash_text(file).strip().lower()
    if not _DIGITS.fullmatch(digits):
        raise AddressablesError("is not a hash of 32 hexadecimal digits", offset=0, path=file.name)
    return digits


def _read(file: Input, read: Callable[[bytes], _Facts], name: str = "") -> _Facts:
    try:
        return read(file.read(largest=LARGEST))
    except FormatError as error:
        raise as_own_error(error, name or file.name) from None


def _found(path: str, names: re.Pattern[str], what: str) -> list[Input]:
    try:
        found = list(find_inputs(path, lambda member: names.fullmatch(member.rpartition("/")[2]) is not None))
    except FormatError as error:
        raise as_own_error(error, path) from None
    if not found:
        raise _nothing(path, what)
    return found


def _nothing(path: str, what: str) -> CompanionNotFoundError:
    return CompanionNotFoundError(f"holds no {what}", path=path)
