"""Opening of any Unreal file: a path, bytes or a stream.

`open` is for a single file; folders are scanned (`scan_folder`) or opened as a build (`OpenBuild`).
"""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.files import open_file, read_file
from assetdb_formats.unreal.asset_registry import LARGEST, read_asset_registry
from assetdb_formats.unreal.asset_registry import MAGIC as REGISTRY_MAGIC
from assetdb_formats.unreal.containers.pak import MAGIC as PAK_MAGIC
from assetdb_formats.unreal.containers.pak import Pak, open_pak
from assetdb_formats.unreal.errors import MissingPartError, UnrealError, UnversionedPackageError
from assetdb_formats.unreal.files.inference import infer_version
from assetdb_formats.unreal.files.package_file import BytesSource, FileSource, read_header
from assetdb_formats.unreal.iostore.container import Container, open_container
from assetdb_formats.unreal.iostore.toc import MAGIC as TOC_MAGIC
from assetdb_formats.unreal.iostore.toc import Toc
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.packages.summary import PACKAGE_TAG
from assetdb_formats.unreal.problems import Problem, problem_of, unreadable
from assetdb_formats.unreal.scanning.scan import list_packages
from assetdb_formats.unreal.versions import PackageVersion, parse_version, releases_of
from assetdb_formats.unreal.zen.info import read_zen_header
from assetdb_formats.unreal.zen.package import FIRST_READ, header_size, parse_zen_package

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from assetdb_formats.unreal.asset_registry import AssetRegistry
    from assetdb_formats.unreal.containers.pak import OpenPak
    from assetdb_formats.unreal.files.package_file import Source
    from assetdb_formats.unreal.iostore.container import OpenContainer
    from assetdb_formats.unreal.zen.package import ZenPackage

    type_of_file = Package | ZenPackage | OpenContainer | OpenPak | Container | Pak | AssetRegistry

_TAG: Final = PACKAGE_TAG.to_bytes(4, "little")
_PAK_FOOTER: Final = 320
_LARGEST_STREAM: Final = 1 << 30  # bytes of a stream, which is read whole


class OpenPackage(NamedTuple):
    """A package and its version's origin: release, ``assumed``, ``inferred``."""

    package: Package
    version: str


def open_package(path: str, assume: PackageVersion | None = None) -> OpenPackage:
    """Open a .uasset or .umap, with only its header in memory.

    A version that it does not state is inferred.

    Args:
        path: the file.
        assume: the version, where the package states none.
    """
    try:
        data, _ = read_header(path)
        return _package(data, FileSource(path), assume)
    except UnrealError as error:
        raise error.at(path) from None


def _package(data: bytes, source: Source, assume: PackageVersion | None) -> OpenPackage:
    try:
        package = Package(data, assume, source)
    except UnversionedPackageError:
        inferred = infer_version(data, source)
        return OpenPackage(Package(data, inferred.version, source), f"inferred: {inferred}")
    version = releases_of(package.summary.version)
    return OpenPackage(package, f"assumed: {version}" if package.summary.unversioned else version)


def each_package(
    path: str,
    problems: list[Problem],
    *,
    assume: PackageVersion | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[str, OpenPackage]]:
    """Yield (file, package) of a file or folder, in path order.

    In a folder, failures go into ``problems``; for a single file they are raised.
    """
    if not os.path.isdir(path):
        yield path, open_package(path, assume)
        return
    files, skipped = list_packages(path)
    problems += [unreadable(each, reason) for each, reason in skipped]
    for number, file in enumerate(sorted(files)):
        if progress is not None:
            progress(number, len(files))
        whole = os.path.join(path, *file.path.split("/"))
        try:
            opened = open_package(whole, assume)
        except (UnrealError, OSError) as error:
            problems.append(problem_of(error, whole))
            continue
        yield whole, opened


def open(  # noqa: A001 - `assetdb_formats.unreal.open` reads as `gzip.open` does
    source: str | os.PathLike[str] | bytes | BinaryIO,
    *,
    key: bytes | None = None,
    version: str | PackageVersion | None = None,
) -> type_of_file:
    """Open one Unreal file.

    Args:
        source: a path, the bytes of a file, or a binary stream (read whole: at most 1 GiB).
        key: AES-256 key (32 bytes) of an encrypted container; see `parse_key`.
        version: of a package that states none: a release (``"5.3"``) or file versions; without, it is inferred.

    Returns:
        A `Package` (.uasset, .umap), a `ZenPackage` (what `extract` writes), an `AssetRegistry`, or a container: for a
        path an `OpenContainer` (.utoc) or `OpenPak` (.pak), context managers that close their files; for bytes or a
        stream a `Container` or `Pak`. A .utoc given as bytes has names and sizes of chunks, and no data.

    Raises:
        OSError: the path cannot be opened.
        UnrealError: it is of another kind, or damaged.
    """
    assume = parse_version(version) if isinstance(version, str) else version
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _open_bytes(bytes(source), key, assume)
    if isinstance(source, (str, os.PathLike)):
        return _open_path(os.fspath(source), key, assume)
    data = source.read(_LARGEST_STREAM + 1)
    if len(data) > _LARGEST_STREAM:
        raise UnrealError(f"a stream of more than {_LARGEST_STREAM:,} bytes; open it by its path")
    return _open_bytes(data, key, assume)


def _open_path(path: str, key: bytes | None, assume: PackageVersion | None) -> type_of_file:
    with open_file(path) as file:
        head = file.read(FIRST_READ)
        file.seek(0, io.SEEK_END)
        file.seek(max(0, file.tell() - _PAK_FOOTER))
        tail = file.read(_PAK_FOOTER)
    try:
        if head.startswith(REGISTRY_MAGIC):
            return read_asset_registry(read_file(path, largest=LARGEST))
        if head.startswith(TOC_MAGIC) or path.lower().endswith(".utoc"):
            return open_container(path, key=key)
        if _is_pak(tail) or path.lower().endswith(".pak"):
            return open_pak(path, key=key)
        if not head.startswith(_TAG) and header_size(head) > 0:
            return parse_zen_package(read_zen_header(path)[0])
    except UnrealError as error:
        raise (error if error.path else error.at(path)) from None
    return open_package(path, assume).package


def _open_bytes(data: bytes, key: bytes | None, assume: PackageVersion | None) -> type_of_file:
    if data.startswith(REGISTRY_MAGIC):
        return read_asset_registry(data)
    if data.startswith(TOC_MAGIC):
        return Container(Toc(data), _no_data, key=key, toc_size=len(data))
    if _is_pak(data[-_PAK_FOOTER:]):
        source = BytesSource(data)
        return Pak(source.read, len(data), key=key)
    if not data.startswith(_TAG) and header_size(data[:FIRST_READ]) > 0:
        return parse_zen_package(data)
    return _package(data, BytesSource(data), assume).package


def _is_pak(tail: bytes) -> bool:
    return PAK_MAGIC.to_bytes(4, "little") in tail


def _no_data(partition: int, offset: int, size: int) -> bytes:
    what = f"{size} bytes of partition {partition}: only the table of contents was given"
    raise MissingPartError(what, offset=offset, field="data")
