"""Small files of every kind, and one function that reads as much of each as the product ever does.

Shared by the tests and by ``scripts/fuzz/iostore.py``.
"""

from __future__ import annotations

import random
import struct
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.containers.pak import Pak
from assetdb_formats.unreal.errors import MissingPartError
from assetdb_formats.unreal.iostore.container import Container
from assetdb_formats.unreal.iostore.container_header import parse_container_header
from assetdb_formats.unreal.iostore.toc import Toc
from assetdb_formats.unreal.iostore.verify import Verification
from assetdb_formats.unreal.zen.import_names import Naming, paths_from_names
from assetdb_formats.unreal.zen.info import zen_info
from assetdb_formats.unreal.zen.legacy import guess_version, to_legacy
from assetdb_formats.unreal.zen.package import ZenForm, parse_zen_package
from assetdb_formats.unreal.zen.script_objects import parse_loader_globals, parse_script_objects
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.iostore.writer import (
    KEY,
    StoredPackage,
    Written,
    chunk_id,
    container_header,
    name_batch,
    names_apart,
    script_rows,
    write_container,
    zen_package,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAY_ENCRYPT: Final = find_spec("cryptography") is not None
"""Wine loads no cryptography: only the encrypted files are left out there."""

INTEGERS: Final = (-1, (1 << 31) - 1, -(1 << 31), 1 << 28)


class Sample(NamedTuple):
    """A small sound file, and how to read all of it."""

    name: str
    data: bytes
    read: Callable[[bytes], None]


def samples() -> list[Sample]:
    """Return sound small files: containers of each version, and everything that lies in them."""
    return [*_containers(), *_paks(), *_pieces()]


def _containers() -> Iterator[Sample]:
    for version in range(1, 11):
        kinds = ["BulkData", "ExportBundleData", "BulkData", "ShaderCode"]
        package = zen_package(0 if version < 5 else 2, "/Game/A", [("X", b"data")], [5], ["/Game/B"])
        chunks = [
            Written(
                chunk_id(number + 1, kind, version),
                package if kind == "ExportBundleData" else bytes([number]) * 90,
                f"Maps/{'x' * number}/f{number}" if version > 1 and number < 3 else None,
            )
            for number, kind in enumerate(kinds)
        ]
        header = container_header(5 if version > 4 else -1, [StoredPackage("/Game/A", ["/Game/B"])])
        chunks.append(Written(chunk_id(0x1234, "ContainerHeader", version), header))
        for method, encryption in (("Zlib", 0), ("None", 1)):
            if encryption and (version not in (3, 8, 10) or not MAY_ENCRYPT):
                continue
            files = write_container(
                version,
                chunks,
                method=method,
                block_size=64,
                partition_size=512,
                encryption=2 if encryption and version == 10 else encryption,
                signed=version in (5, 8),
                on_demand=version in (6, 9),
                tries=2 if version == 5 else 4000,
            )
            yield Sample(f"v{version}-{method}.utoc", files.toc, _container_reader(files.partitions))


def _container_reader(partitions: list[bytes]) -> Callable[[bytes], None]:
    def span(partition: int, offset: int, size: int) -> bytes:
        if partition >= len(partitions):
            raise MissingPartError("this partition is not there", offset=0, field="data")
        data = partitions[partition][offset : offset + size]
        if len(data) != size:
            raise FormatError("is cut short", offset=offset, field="data")
        return data

    def read(data: bytes) -> None:
        container = Container(Toc(data), span, key=KEY, toc_size=len(data))
        for _ in Verification(container).findings():
            pass
        container.paths()
        for index in range(len(container.toc)):
            container.read_chunk(index)

    return read


def _paks() -> Iterator[Sample]:
    files = [("Game/Content/A.uasset", bytes(300)), ("Game/b.uexp", b"short")]
    forms = [(3, "Zlib"), (5, "None"), (8, "Zlib"), (9, "None"), (11, "Zlib"), (12, "Zlib"), (14, "None"), (15, "Zlib")]
    for version, method in forms:
        key = KEY if version in (5, 11, 15) else None
        if key is not None and not MAY_ENCRYPT:
            continue
        data = write_pak(version, files, method=method, key=key, encrypted_index=version in (11, 15), block_size=128)
        yield Sample(f"v{version}.pak", data, _read_pak)


def _read_pak(data: bytes) -> None:
    def span(offset: int, size: int) -> bytes:
        part = data[offset : offset + size]
        if len(part) != size:
            raise FormatError("is cut short", offset=offset, field="data")
        return part

    pak = Pak(span, len(data), key=KEY)
    for entry in pak.entries:
        pak.is_intact(entry)
        pak.read_file(entry)


def _pieces() -> Iterator[Sample]:
    packages = [
        StoredPackage("/Game/A", ["/Game/B", "/Game/C"], [b"s" * 20], ["/Game/B"]),
        StoredPackage("/Game/B", ["/Game/A"]),
    ]
    for version in range(-1, 6):
        redirects = [("/Game/Old", "/Game/B")]
        data = container_header(version, packages, redirects=redirects, localized=["/Game/B"] if version else [])
        yield Sample(f"header-{version}", data, lambda data: void(parse_container_header(data)))
    for form in ZenForm:
        for versioned in (False, True):
            package = zen_package(
                form, "/Game/A", [("X", b"abc"), ("Y", b"")], [5], ["/Game/B"], versioned=versioned, bulk=1
            )
            yield Sample(f"zen-{form.name}-{versioned}", package, _read_package)
    names, rows = script_rows(["/Script/Engine", "/Script/Engine.Actor", "/Script/Engine.Actor:Tick"])
    yield Sample("script-objects", name_batch(names) + rows, _read_script_objects)
    apart = names_apart(names)
    yield Sample("loader-globals", rows, lambda data: void(parse_loader_globals(data, *apart)))


def _read_package(data: bytes) -> None:
    package = parse_zen_package(data)
    package.export_spans()
    package.names.wrong_hashes()
    naming = Naming(package, paths=paths_from_names(package))
    zen_info(data, package, naming)
    to_legacy(data, package, naming, guess_version(package))
    for number in range(len(package.exports)):
        package.export_path(number)


def _read_script_objects(data: bytes) -> None:
    objects = parse_script_objects(data)
    for index in objects.objects:
        objects.path(index)


def void(_: object) -> None:
    """Read for the errors alone."""


def truncations(data: bytes) -> Iterator[bytes]:
    """Yield the file cut at every byte."""
    for end in range(len(data)):
        yield data[:end]


def integers(data: bytes, step: int = 4) -> Iterator[bytes]:
    """Yield the file with every int32 set to each of the usual suspects."""
    for offset in range(0, len(data) - 3, step):
        for value in (*INTEGERS, len(data) + 1):
            yield data[:offset] + struct.pack("<i", value) + data[offset + 4 :]


def mutations(sources: list[Sample], count: int, seed: int) -> Iterator[tuple[Sample, bytes]]:
    """Yield ``count`` (sample, mutated bytes): flipped, overwritten, copied, cut and repeated."""
    rng = random.Random(seed)
    for _ in range(count):
        sample = rng.choice(sources)
        data = bytearray(sample.data)
        for _ in range(rng.choice((1, 1, 2, 4))):
            at = rng.randrange(len(data))
            size = rng.choice((1, 1, 2, 4, 8, 12))
            action = rng.randrange(6)
            if action == 0:
                data[at] ^= 1 << rng.randrange(8)
            elif action == 1:
                data[at : at + size] = rng.randbytes(size)
            elif action == 2:
                data[at : at + 4] = struct.pack("<i", rng.choice((*INTEGERS, len(data), rng.randrange(64))))
            elif action == 3:
                other = rng.randrange(len(data))
                data[at : at + size] = data[other : other + size]
            elif action == 4:
                del data[at : at + size]
            else:
                data[at:at] = data[at : at + 4 * size]
            if not data:
                data = bytearray(1)
        yield sample, bytes(data)


def survives(sample: Sample, data: bytes) -> bool:
    """Read damaged bytes: True if they were read, False if refused with the one error; anything else is raised."""
    try:
        sample.read(data)
    except FormatError as error:
        if error.offset is None or not error.field:
            message = f"{sample.name}: an error without offset or field: {error}"
            raise AssertionError(message) from error
        return False
    return True
