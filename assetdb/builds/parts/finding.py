"""Discovery of parts in folders, zip archives and web players' data."""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.parts.facts import (
    ARCHIVE,
    CATALOG,
    CODE,
    CONTENT_LAYOUT,
    CONTENT_MANIFEST,
    LAYOUT,
    OTHER,
    RESOURCE,
    SERIALIZED,
    STATE,
)
from assetdb.errors import UsageError
from assetdb.system.identity import RACY, Identities
from assetdb_formats.addressables.binary.reader import MAGIC
from assetdb_formats.binary import FormatError
from assetdb_formats.files import words_of
from assetdb_formats.inputs import LIMITS, Archive, Folder, Input, InputError, find_inputs
from assetdb_formats.joined import Joined
from assetdb_formats.unityfs.archives.archive import is_archive
from assetdb_formats.unityfs.archives.webdata import UnpackedTooLargeError, WebData, may_be_web_data
from assetdb_formats.unityfs.serialized_files.serialized import HEADER_SIZE, is_serialized_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assetdb_formats.inputs import InputLimits

_CATALOG_MAGIC: Final = MAGIC.to_bytes(4, "little")
_SPLIT: Final = re.compile(r"(?P<name>.+)\.split(?P<number>\d{1,4})")
_RESOURCE: Final = re.compile(r"\.(?:ress|resource)$", re.IGNORECASE)
_CATALOG: Final = re.compile(r"(?:^|/)(?:[^/]*[_-])?catalog[^/]*\.(?:json|bin|bundle)$", re.IGNORECASE)
# Entities writes a list of its own of this name; Addressables' lies in `aa`.
_OF_ENTITIES: Final = re.compile(r"(?:^|/)StreamingAssets/catalog\.bin$", re.IGNORECASE)
_LAYOUT: Final = re.compile(r"(?:^|/)(?:[^/]*[_-])?buildlayout[^/]*\.(?:json|txt)$", re.IGNORECASE)
_CONTENT_LAYOUT: Final = re.compile(r"(?:^|/)ContentLayout\.json$")
_CONTENT_MANIFEST: Final = re.compile(r"(?:^|/)[0-9a-f]{32}\.json$")
_MANIFEST_HEAD: Final = re.compile(rb'\s*\{\s*"Version"\s*:\s*-?\d+\s*,\s*"BuildInfo"')
_STATE: Final = re.compile(r"(?:^|/)(?:[^/]*[_-])?addressables_content_state[^/]*\.bin$", re.IGNORECASE)
_CODE: Final = re.compile(
    r"(?:\.(?:dll|so|dylib|exe|dex|wasm|pdb|mdb)|(?:^|/)(?:global-metadata\.dat|[^/]*\.(?:wasm|framework)\.js[^/]*))$",
    re.IGNORECASE,
)
# With these names, a file without Unity's first bytes is damaged, not some other file.
_PLAYER_FILE: Final = re.compile(
    r"(?:^|/)(?:level\d+|mainData|globalgamemanagers(?:\.assets)?|[^/]+\.assets|unity[ _]default[ _]resources"
    r"|unity_builtin_extra|[0-9a-f]{32}\.cf)$"
)
_BUNDLE_FILE: Final = re.compile(r"\.unity3d$|(?:^|/)content\d+\.archive$|(?:^|/)CAB-[0-9a-f]{32}$", re.IGNORECASE)
_HEAD_OF_JSON: Final = 128
_NO_DATA: Final = re.compile(
    r"\.(?:meta|cs|png|jpe?g|psd|fbx|txt|md|json|xml|config|info|html|js|css|hash)$", re.IGNORECASE
)

_KINDS: Final = (
    (_RESOURCE, RESOURCE),
    (_CATALOG, CATALOG),
    (_LAYOUT, LAYOUT),
    (_CONTENT_LAYOUT, CONTENT_LAYOUT),
    (_STATE, STATE),
    (_CODE, CODE),
    (_NO_DATA, OTHER),
)


class Part(NamedTuple):
    """A part of a build on disk or in an archive.

    Attributes:
        name: for people: relative to the build, with ``/``.
        kind: one of :mod:`assetdb.builds.parts.facts`.
        disk: its bytes on disk: in a zip archive, compressed.
        identity: differs if the file does; ``""`` if it cannot be trusted.
        package: number of its archive in :attr:`Parts.packages`, or -1.
    """

    name: str
    input: Input
    kind: str
    disk: int
    identity: str
    package: int = -1


class Package(NamedTuple):
    """An archive with parts in it, or data of a web player.

    Attributes:
        compression: ``zip``, or how web data is compressed: ``""``, ``gzip``, ``brotli``.
        size: bytes of it on the disk.
        unpacked: bytes of its contents, including its table if that is packed, too.
    """

    name: str
    compression: str
    size: int
    unpacked: int


class Parts(NamedTuple):
    """A build's parts by name, the archives around them, and problems."""

    parts: tuple[Part, ...]
    packages: tuple[Package, ...]
    problems: tuple[str, ...]


def find_parts(paths: Sequence[str], *, now_ns: int, limits: InputLimits = LIMITS) -> Parts:
    """Find the parts at some paths.

    Raises:
        UsageError: no file there belongs to a build of Unity.
        FormatError: an archive that was named is damaged.
        OSError: a path cannot be read.
    """
    finding = _Finding(now_ns, limits)
    given: dict[str, str] = {}
    for path in paths:
        given.setdefault(os.path.realpath(path), path)  # one that is given twice is one
    prefixes: set[str] = set()
    places: dict[str, tuple[str, str]] = {}
    for real, path in given.items():
        # Two players of one name keep their files apart: what refers to sharedassets0.assets means its own player's.
        prefix = "" if len(given) == 1 else _unused(os.path.basename(os.path.abspath(path)), prefixes)
        places[real] = path, prefix
    folders = {real for real in given if os.path.isdir(real)}
    starts = tuple(os.path.join(folder, "") for folder in folders)
    if any(real.startswith(starts) for real in given):
        finding.known = {}
        places = {real: places[real] for real in sorted(given, key=lambda real: (real not in folders, real))}
    for path, prefix in places.values():
        finding.add(path, prefix)
    if not any(part.kind in (ARCHIVE, SERIALIZED, CATALOG, LAYOUT, STATE) for part in finding.parts):
        named = ", ".join(paths)
        what = "no bundle, no file of a player and no catalog" if finding.parts else "no file at all"
        raise UsageError(f"{named}: holds no build of Unity: {what}")
    return Parts(
        tuple(sorted(finding.parts, key=lambda part: part.name)), tuple(finding.packages), tuple(finding.problems)
    )


def _joined(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts, joined where they are in pieces.

    ``level0.split0``, ``level0.split1``, ... are one where all are there.
    """
    pieces: dict[str, dict[int, Part]] = {}
    for part in parts:
        match = _SPLIT.fullmatch(part.name)
        if match is None:
            yield part
        elif pieces.setdefault(match["name"], {}).setdefault(int(match["number"]), part) is not part:
            yield part  # .split0 and .split00
    for name, found in pieces.items():
        own = [found[number] for number in sorted(found)]
        if sorted(found) != list(range(len(found))):
            yield from own
            continue
        file = Joined(own[0].input.name.removesuffix(".split0"), name, [part.input for part in own]).input()
        identity = "+".join(part.identity for part in own) if all(part.identity for part in own) else ""
        kind = kind_of(name, file.size, file.head)
        yield Part(name, file, kind, sum(part.disk for part in own), identity, own[0].package)


def kind_of(name: str, size: int, head: Callable[[int], bytes]) -> str:
    """Return the kind of a file by name or first bytes.

    Raises FormatError or OSError, from ``head``.
    """
    if _CONTENT_MANIFEST.search(name) and _MANIFEST_HEAD.match(head(_HEAD_OF_JSON)):
        return CONTENT_MANIFEST
    for pattern, kind in _KINDS:
        if pattern.search(name):
            is_other = kind == CATALOG and _OF_ENTITIES.search(name) and head(len(_CATALOG_MAGIC)) != _CATALOG_MAGIC
            return OTHER if is_other else kind
    first = head(HEADER_SIZE)
    if is_archive(first):
        return ARCHIVE
    if is_serialized_file(first, size) or _PLAYER_FILE.search(name):
        return SERIALIZED
    return ARCHIVE if _BUNDLE_FILE.search(name) else OTHER


class _Finding:
    def __init__(self, now_ns: int, limits: InputLimits) -> None:
        self.parts: list[Part] = []
        self.packages: list[Package] = []
        self.problems: list[str] = []
        self._identities = Identities(now_ns)
        self._names: set[str] = set()
        self._limits = limits
        self._pieces: list[Part] = []  # parts of one path, before they are joined
        self.known: dict[str, str] | None = None  # file -> path of the command line, where one lies in another

    def add(self, path: str, prefix: str) -> None:
        """Add the parts at a path, joined ones under their name."""
        self._pieces = []
        self._find(path, prefix)
        for part in _joined(self._pieces):
            self._append(part)

    def _find(self, path: str, prefix: str) -> None:
        def refused(error: OSError) -> None:
            inside = os.path.relpath(os.fspath(error.filename), path).replace(os.sep, "/")
            self.problems.append(reason(f"{prefix}/{inside}" if prefix else inside, error))

        for file in find_inputs(path, lambda _: True, limits=self._limits, on_refused=refused):
            container = file.container
            if self._is_known(file, path):
                continue
            name = f"{prefix}/{file.member}" if prefix and file.name != path else file.member
            if isinstance(container, Archive):
                self._zipped(path, container, name)
                return  # the archive as a whole, at its first member
            if isinstance(container, Folder):
                try:
                    self._in_folder(file, name, prefix if prefix and file.name == path else name)
                except (FormatError, OSError) as error:
                    if file.name == path:
                        raise
                    self.problems.append(reason(name, error))

    def _is_known(self, file: Input, path: str) -> bool:
        """Whether a file was found below another path of the command line."""
        if self.known is None or file.path is None:
            return False
        return self.known.setdefault(os.path.realpath(file.path), path) != path

    def _in_folder(self, file: Input, name: str, folder: str) -> None:
        """Add a file; those in a web player's data under ``folder``."""
        path = file.path
        status = os.stat(path) if path is not None else None
        if status is None or not stat.S_ISREG(status.st_mode):
            return
        identity = self._identities.of(status)
        text = "" if identity == RACY else f"{identity:x}"
        if may_be_web_data(name):
            try:
                data = WebData(file, self._limits)
            except UnpackedTooLargeError:
                self._limits = self._limits._replace(freely=0)
                raise
            except InputError:
                if name.lower().endswith((".data.gz", ".data.br", ".data.unityweb")):
                    raise
            else:
                self._limits = _limits_beside(data, self._limits)
                self._web(data, folder, text)
                return
        kind = kind_of(name, status.st_size, file.head)
        self._pieces.append(Part(name, file, kind, status.st_size, text))

    def _web(self, data: WebData, name: str, identity: str) -> None:
        number = len(self.packages)
        self.packages.append(Package(name, data.compression, data.packed_size, data.unpacked_size))
        held = sorted((data.place(member), member) for member in data.names())
        for place, member in held:
            file = Input(f"{data.path}/{member}", data, member)
            kind = kind_of(member, place.size, file.head)
            start, end = (
                at * data.packed_size // data.unpacked_size for at in (place.offset, place.offset + place.size)
            )
            own = identity and f"{identity}/{place.offset:x}/{place.size:x}"
            self._pieces.append(Part(f"{name}/{member}", file, kind, end - start, own, number))

    def _zipped(self, path: str, archive: Archive, first: str) -> None:
        prefix = "" if first in archive.names() else first.partition("/")[0] + "/"
        number = len(self.packages)
        status = os.stat(path)
        identity = self._identities.of(status)
        members = list(archive.names())
        unpacked = sum(archive.size(member) for member in members)
        self.packages.append(Package(prefix.rstrip("/") or os.path.basename(path), "zip", status.st_size, unpacked))
        for member in members:
            file = Input(f"{path}/{member}", archive, member)
            size = archive.size(member)
            packed, checksum = archive.stored(member)
            text = "" if identity == RACY else f"{identity:x}/{checksum:x}/{size:x}"
            try:
                kind = kind_of(member, size, file.head)
            except (FormatError, OSError) as error:
                kind = kind_of(member, size, lambda _: b"")  # reported again when it is read
                if kind == OTHER:
                    self.problems.append(reason(prefix + member, error))
            self._pieces.append(Part(prefix + member, file, kind, packed, text, number))

    def _append(self, part: Part) -> None:
        self.parts.append(part._replace(name=_unused(part.name, self._names)))


def _unused(name: str, taken: set[str]) -> str:
    """Return a name, numbered if it is taken, and take it."""
    unused, number = name, 2
    while unused in taken:
        unused = f"{name} ({number})"
        number += 1
    taken.add(unused)
    return unused


def _limits_beside(data: WebData, limits: InputLimits) -> InputLimits:
    """Return the limits for other files beside unpacked web player data.

    These stay unpacked as long as the build is open, and 1,000 files of 1 MB of gzip may be 1 TB. Data that unpack to a
    usual size do not lower the limit.
    """
    if not data.compression:
        return limits
    beyond = max(0, data.unpacked_size - limits.ratio * data.packed_size)
    in_memory = max(1, limits.in_memory - data.unpacked_size)  # 0 would be no bound
    return limits._replace(freely=max(0, limits.freely - beyond), in_memory=in_memory)


def reason(name: str, error: FormatError | OSError) -> str:
    """Return why a file cannot be read, with its name."""
    return str(error.at(name)) if isinstance(error, FormatError) else f"{name}: {words_of(error)}"
