"""Directories with facts, made of a few words for each asset."""

from __future__ import annotations

from typing import NamedTuple

from assetdb.scan.asset import encode_rows
from assetdb.scan.directory import DirectoryFacts, utf8
from assetdb.scan.fast_path import Columns
from assetdb_formats.codecs.bincode import string


class Given(NamedTuple):
    """An asset of a directory: file name, number of its GUID, type, sub-assets and links."""

    file: str
    number: int
    kind: bytes = b"28"
    subs: tuple[tuple[int, int, str], ...] = ()
    references: tuple[int, ...] = ()
    candidates: tuple[int, ...] = ()


def guid(number: int) -> bytes:
    return number.to_bytes(16, "big")


def packed(numbers: tuple[int, ...]) -> bytes:
    return b"".join(map(guid, numbers))


def directory(path: bytes, *assets: Given, folders: dict[bytes, int] | None = None) -> DirectoryFacts:
    """Return a directory with assets, and folders by name with the numbers of their GUIDs."""
    columns = Columns()
    for given in assets:
        stem = given.file.rpartition(".")[0].encode()
        subs = [(file_id, kind, name.encode()) for file_id, kind, name in given.subs]
        body = string(stem) + encode_rows(subs) + string(utf8(path) + b"/" + given.file.encode())
        keys = tuple(b"%d:%b" % (kind, name) for _, kind, name in subs)
        links = packed(given.references), packed(given.candidates)
        columns.add((guid(given.number).hex().encode(), given.kind + b":" + stem, body, keys, b"", *links))
    names = folders or {}
    return DirectoryFacts(
        *(path, 1, b"", b"", b"", b"", b"", *columns.packed()),
        *(packed(tuple(names.values())), b"/".join(names)),
        pair_count=len(assets),
    )


def by_path(*found: DirectoryFacts) -> dict[bytes, DirectoryFacts]:
    return {each.path: each for each in found}
