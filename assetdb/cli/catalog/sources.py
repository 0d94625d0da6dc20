"""Finds a catalog and what lies beside it: in a file, a folder of a build, a StreamingAssets tree, an APK or a zip."""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from assetdb.errors import UsageError
from formats.addressables.layout import BuildLayout, read_layout
from formats.addressables.reading import read_catalog
from formats.addressables.settings import Settings, read_settings
from formats.addressables.verify import BundleFile
from formats.binary import FormatError
from formats.files import open_file, read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from formats.addressables.catalog import Catalog

_CATALOG: Final = re.compile(r"(?:[^/]*[_-])?catalog[^/]*\.(?:json|bin|bundle)", re.IGNORECASE)
_LARGEST: Final = 1 << 29  # bytes of a file that is worth reading as a catalog; the largest known one has 4 MB
_BROKEN: Final = (zipfile.BadZipFile, NotImplementedError, RuntimeError)
_FOLDERS: Final = 20_000  # folders of a tree that are looked into before giving up
_RUNTIME_PATH: Final = "{UnityEngine.AddressableAssets.Addressables.RuntimePath}"
_SKIPPED: Final = frozenset({".git", "node_modules", "Temp", "obj"})


class Source(NamedTuple):
    """A catalog file: ``name`` as people see it, its bytes, and how to read or measure a neighbour."""

    name: str
    data: bytes
    read: Callable[[str], bytes | None]  # a file beside the catalog, by a path relative to it
    size: Callable[[str], int | None]  # its bytes without reading it
    open: Callable[[str], BinaryIO | None]  # the same file as a stream, for what is too large to be held


class Opened(NamedTuple):
    """A catalog with what was found beside it."""

    source: Source
    catalog: Catalog
    settings: Settings | None
    hash_text: str | None


def open_catalog(path: str, *, salvage: bool = False, intended_prefixes: bool = False) -> Opened:
    """Find and read the catalog at ``path``. Raises UsageError, FormatError (with its path) or OSError."""
    source = find_source(path)
    try:
        catalog = read_catalog(source.data, salvage=salvage, intended_prefixes=intended_prefixes)
    except FormatError as error:
        raise error.at(source.name) from None
    catalog.path = source.name
    settings = None
    raw = source.read("settings.json")
    if raw is not None:
        try:
            settings = read_settings(raw)
        except FormatError as error:
            raise error.at(f"settings.json beside {source.name}") from None
    stem = re.split(r"[/\\]", source.name)[-1].rpartition(".")[0]
    text = source.read(f"{stem}.hash")
    return Opened(source, catalog, settings, text[:64].decode("ascii", "replace") if text is not None else None)


def find_layout(opened: Opened, path: str | None) -> BuildLayout | None:
    """Return the build layout that was named, or the one beside the catalog. Raises FormatError or OSError."""
    if path is not None:
        raw: bytes | None = read_file(path, largest=_LARGEST)
        name = path
    else:
        raw, name = opened.source.read("buildlayout.json"), f"buildlayout.json beside {opened.source.name}"
    if raw is None:
        return None
    try:
        return read_layout(raw)
    except FormatError as error:
        raise error.at(name) from None


def bundle_files(opened: Opened, folder: str | None) -> Callable[[str], BundleFile | None]:
    """Return what finds a bundle by its internal id: beside the catalog, or by its name in ``folder``.

    The result raises KeyError for a bundle that is on a server (and no folder is given) or under an unknown token.
    """

    def find(internal_id: str) -> BundleFile | None:
        path = internal_id.replace("\\", "/")
        if path.startswith(_RUNTIME_PATH):
            relative = path.removeprefix(_RUNTIME_PATH).lstrip("/")
            size = opened.source.size(relative)
            if size is not None:
                return BundleFile(size, lambda: _content_crc(opened.source.open(relative)))
            if folder is None:
                return None
        elif folder is None:
            raise KeyError(internal_id)
        parts = [part for part in path.partition("?")[0].split("/") if part not in ("", ".", "..")]
        assert folder is not None  # noqa: S101 - both branches above leave only so
        for start in range(len(parts)):  # names of bundles may hold folders: the longest tail that is there
            place = os.path.join(folder, *parts[start:])
            if os.path.isfile(place):
                return BundleFile(os.path.getsize(place), lambda: _content_crc(open_file(place)))  # noqa: B023 - returned at once; closed there
        return None

    return find


def _content_crc(stream: BinaryIO | None) -> int:
    from formats.unityfs.bundle import content_crc32  # noqa: PLC0415 - only where bundles lie beside the catalog

    if stream is None:
        raise FormatError("the bundle went away")
    with stream:
        return content_crc32(stream)


def find_source(path: str) -> Source:
    """Find the one catalog at ``path``. Raises UsageError where there is none, or more than one to choose from."""
    if os.path.isdir(path):
        return _from_folder(path)
    if not os.path.exists(path):
        raise UsageError(f"{path}: there is no such file or folder")
    with open_file(path) as stream:
        is_zip = zipfile.is_zipfile(stream)
    return _from_archive(path) if is_zip else _from_file(path)


def _from_file(path: str) -> Source:
    data = read_file(path, largest=_LARGEST)
    folder = os.path.dirname(os.path.abspath(path))

    def place(relative: str) -> str | None:
        full = below(folder, relative)
        return full if full is not None and os.path.isfile(full) else None

    def read(relative: str) -> bytes | None:
        full = place(relative)
        return None if full is None else read_file(full, largest=_LARGEST)

    def size(relative: str) -> int | None:
        full = place(relative)
        return None if full is None else os.path.getsize(full)

    def open_beside(relative: str) -> BinaryIO | None:
        full = place(relative)
        return None if full is None else open_file(full)

    return Source(path, data, read, size, open_beside)


def below(folder: str, relative: str, paths: ModuleType = os.path) -> str | None:
    """Return the path of a file that a catalog names, or None if it is not below ``folder``.

    Compared as text: ``commonpath`` raises ValueError for the drive ``D:`` that a name can lead to on Windows.
    """
    full: str = paths.normpath(paths.join(folder, relative))
    return full if full.startswith(paths.join(folder, "")) else None


def _from_folder(folder: str) -> Source:
    found = sorted(_walk(folder))
    if not found:
        raise UsageError(f"{folder}: holds no catalog (catalog*.json, .bin or .bundle)")
    return _from_file(os.path.join(folder, _choose(folder, found)))


def _walk(folder: str) -> Iterator[str]:
    for seen, (place, folders, files) in enumerate(os.walk(folder)):
        if seen > _FOLDERS:
            raise UsageError(f"{folder}: has over {_FOLDERS:,} folders; name one nearer to the catalog")
        folders[:] = sorted(set(folders) - _SKIPPED)
        for name in files:
            if _CATALOG.fullmatch(name):
                yield os.path.relpath(os.path.join(place, name), folder).replace(os.sep, "/")


def _choose(where: str, found: list[str]) -> str:
    """Take the catalog that a game reads first: catalog.json, .bin or .bundle in a folder aa; or the only one."""
    local = [name for name in found if re.fullmatch(r"(?:.*/)?aa/(?:[^/]+/)?catalog\.(?:json|bin|bundle)", name)]
    local = local or [name for name in found if re.fullmatch(r"(?:.*/)?catalog\.(?:json|bin|bundle)", name)]
    candidates = local or found
    if len(candidates) > 1:
        listed = "".join(f"\n  {name}" for name in candidates[:20])
        more = f"\n  and {len(candidates) - 20} more" if len(candidates) > 20 else ""
        raise UsageError(f"{where}: holds {len(candidates)} catalogs, name one:{listed}{more}")
    return candidates[0]


def _from_archive(path: str) -> Source:
    """Read from an APK, AAB, IPA, OBB or zip. Only the members that are asked for are unpacked."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = {info.filename: info.file_size for info in archive.infolist() if not info.is_dir()}
            found = sorted(name for name in members if _CATALOG.fullmatch(name.rpartition("/")[2]))
            if not found:
                raise UsageError(f"{path}: holds no catalog (catalog*.json, .bin or .bundle)")
            name = _choose(path, found)
            data = _unpack(archive, name, path)
    except _BROKEN as error:
        raise UsageError(f"{path}: {error}") from None
    base = name.rpartition("/")[0]

    def member(relative: str) -> str | None:
        full = f"{base}/{relative}".lstrip("/")
        return full if full in members and ".." not in relative.split("/") else None

    def read(relative: str) -> bytes | None:
        full = member(relative)
        if full is None:
            return None
        with zipfile.ZipFile(path) as archive:
            return _unpack(archive, full, path)

    def size(relative: str) -> int | None:
        full = member(relative)
        return None if full is None else members[full]

    def open_member(relative: str) -> BinaryIO | None:
        content = read(relative)
        return None if content is None else BytesIO(content)

    return Source(f"{path}/{name}", data, read, size, open_member)


def _unpack(archive: zipfile.ZipFile, name: str, path: str) -> bytes:
    if archive.getinfo(name).file_size > _LARGEST:
        raise UsageError(f"{path}: {name} is over {_LARGEST >> 20} MB, which no catalog is")
    try:
        with archive.open(name) as stream:
            return stream.read(_LARGEST)
    except (*_BROKEN, zlib.error, EOFError) as error:
        raise UsageError(f"{path}: {name}: {str(error) or 'is cut off'}") from None
