"""Writing of catalogs in a flavour, with their ``.hash``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.addressables.binary.writer import encode_binary
from assetdb_formats.addressables.errors import UnknownFlavourError, UnwritableError
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS, JsonFlavour
from assetdb_formats.addressables.hashes import content_hash
from assetdb_formats.addressables.json.writer import encode_json
from assetdb_formats.atomic import rewrite_file

if TYPE_CHECKING:
    from assetdb_formats.addressables.editing.content import Content
    from assetdb_formats.addressables.flavour import Flavour
    from assetdb_formats.addressables.model import Problem
    from assetdb_formats.addressables.opening import OpenCatalog

FLAVOUR_NAMES: Final = (
    *(f"json-{name}" for name in JSON_FLAVOURS),
    *(f"binary-{name}" for name in BINARY_FLAVOURS),
)
_NEWEST_JSON: Final = "1.28"
_COMMON_BINARY: Final = "2.0.8"


class WrittenFile(NamedTuple):
    """A file that was written; ``size`` in bytes.

    ``digits`` are what a ``.hash`` holds, or ``""`` for a catalog.
    """

    path: str
    size: int
    digits: str = ""


def flavour_named(name: str, content: Content) -> Flavour:
    """Return a flavour by its name.

    ``json`` and ``binary`` alone mean the content's flavour, or the usual one. Raises UnknownFlavourError.
    """
    if name == "json":
        return content.flavour if isinstance(content.flavour, JsonFlavour) else JSON_FLAVOURS[_NEWEST_JSON]
    if name == "binary":
        return BINARY_FLAVOURS[_COMMON_BINARY] if isinstance(content.flavour, JsonFlavour) else content.flavour
    kind, _, version = name.partition("-")
    if kind == "json" and version in JSON_FLAVOURS:
        return JSON_FLAVOURS[version]
    if kind == "binary" and version in BINARY_FLAVOURS:
        return BINARY_FLAVOURS[version]
    known = ("json", "binary", *FLAVOUR_NAMES)
    from difflib import get_close_matches  # noqa: PLC0415 - only on this error

    close = get_close_matches(name, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    error = UnknownFlavourError(f"there is no flavour {name!r}{hint} ({', '.join(known)})")
    error.known = known
    raise error


def encode_catalog(content: Content, flavour: Flavour | None = None, *, path: str = "") -> tuple[bytes, list[Problem]]:
    """Return a catalog's bytes in a flavour, and the losses.

    The default is the content's flavour. Raises UnwritableError for content without any form in it; ``path`` is the
    file it names.
    """
    flavour = flavour or content.flavour
    try:
        return encode_json(content, flavour) if isinstance(flavour, JsonFlavour) else encode_binary(content, flavour)
    except UnwritableError as error:
        raise error.at(path) from None
    except ValueError as error:  # a type's invalid GUID, text that cannot be encoded
        raise UnwritableError(str(error), path=path) from None


def hash_method_of(opened: OpenCatalog) -> str:
    """Return the method of an existing ``.hash``: ``md5``, ``spooky`` or ``none``."""
    if opened.hash_text is None:
        return "none"
    wanted = opened.hash_text.strip().lower()
    return "md5" if content_hash(opened.catalog.data, method="md5") == wanted else "spooky"


def hash_path_of(path: str) -> str:
    """Return where the ``.hash`` of a catalog at ``path`` belongs."""
    return f"{os.path.splitext(path)[0]}.hash"


def write_file(path: str, data: bytes) -> WrittenFile:
    """Replace a file as a whole, its permissions kept.

    Raises UnwritableError for a place where no file can be, or OSError.
    """
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise UnwritableError("there is no such folder", path=folder)
    if os.path.isdir(path):
        raise UnwritableError("is a folder; name a file in it", path=path)
    return WrittenFile(path, rewrite_file(path, [data]))


def write_catalog(path: str, data: bytes, *, hash_method: str = "none") -> list[WrittenFile]:
    """Write a catalog and its ``.hash``; return the files written.

    The ``.hash`` is made by ``spooky`` or ``md5``. A game with a patched catalog and the old hash keeps the catalog
    that it has. Raises UnwritableError for a path that cannot hold a catalog, or OSError.
    """
    beside = hash_path_of(path)
    if beside == path:
        raise UnwritableError("is where the hash of a catalog belongs; name the catalog", path=path)
    written = [write_file(path, data)]
    if hash_method != "none":
        digits = content_hash(data, method=hash_method)
        written.append(write_file(beside, digits.encode("ascii"))._replace(digits=digits))
    return written
