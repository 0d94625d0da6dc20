"""Conversion of a zen package to .uasset and .uexp.

Most of a legacy header is in the zen header. The rest is inferred:

- An import without an index is the package of other imports.
- Imports are sorted by class and path. That gives the places of the packages, and bounds for a class that nothing else
  tells.
- An export depends on the engine's own code by its class, template, outer and super.

What is not kept is left out: the flags "inherited instance" and "not always loaded", other dependencies on the engine's
own code, GUID, source hash, soft references; "asset" is written where usual. `LegacyPackage.unknown` has the rest.
"""

from __future__ import annotations

import re
import zlib
from itertools import pairwise
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.objects import DEPENDENCIES, export_size, import_size, pack_export, pack_import
from assetdb_formats.unreal.packages.payloads import RESOURCE_ROWS
from assetdb_formats.unreal.packages.summary import (
    FILTER_EDITOR_ONLY,
    PACKAGE_TAG,
    UNVERSIONED_PROPERTIES,
    pack_summary,
)
from assetdb_formats.unreal.strings import string_bytes
from assetdb_formats.unreal.versions import NEWEST_UE4, NEWEST_UE5, PackageVersion
from assetdb_formats.unreal.zen import object_index
from assetdb_formats.unreal.zen.dependencies import ExportDependencies, read_dependencies
from assetdb_formats.unreal.zen.package import ZenForm

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb_formats.unreal.zen.import_names import Naming
    from assetdb_formats.unreal.zen.package import ZenPackage

_TAG: Final = PACKAGE_TAG.to_bytes(4, "little")
_CORE: Final = "/Script/CoreUObject"
_ENGINE: Final = "/Script/Engine"
_NUMBERED: Final = re.compile(r"(.+)_(0|[1-9][0-9]{0,8})", re.DOTALL)
_FIRST_RESOURCE_2: Final = 1013
_FIRST_UE5: Final = 1000
_FIRST_RESOURCES: Final = 1009
_FIRST_SCRIPT_EXTENT: Final = 1010
_NAME_HASH: Final = Struct("<HH")
_PUBLIC: Final = 1  # of the object flags
_CLASS_DEFAULT: Final = 0x10
# Classes that an object directly in a package of native code can have, and a Blueprint's class.
_NATIVE: Final = ("ScriptStruct", "Enum", "Class", "DelegateFunction", "Function", "SparseDelegateFunction")
_GENERATED: Final = {
    "BlueprintGeneratedClass": _ENGINE,
    "AnimBlueprintGeneratedClass": _ENGINE,
    "WidgetBlueprintGeneratedClass": "/Script/UMG",
}


class LegacyPackage(NamedTuple):
    """The two files, and counts of facts that could not be known."""

    header: bytes
    exports: bytes
    unknown: dict[str, int]


class _Import(NamedTuple):
    """An import: outer and class; ``known`` if they are certain."""

    path: str  # with one kind of mark behind the package: /Script/Engine.Actor.Tick
    class_package: str
    class_name: str
    known: bool

    @property
    def package(self) -> str:
        return _split(self.path)[0]

    @property
    def name(self) -> str:
        package, inner = _split(self.path)
        return inner[-1] if inner else package

    @property
    def key(self) -> str:
        """The sort key of imports."""
        return f"{self.class_name} {self.path}".lower()


def _split(path: str) -> tuple[str, list[str]]:
    head, slash, last = path.rpartition("/")
    first, *inner = re.split(r"[.:]", last)
    return f"{head}{slash}{first}", inner


def guess_version(package: ZenPackage, toc_version: int = 0, header_version: int | None = None) -> PackageVersion:
    """Return the file version that a package was cooked with.

    It is inferred from the package and its container. Of releases with the same layouts the oldest is taken.

    Raises:
        UnrealError: it states an unknown version.
    """
    if package.versioning is not None:
        _, ue4, ue5, *_ = package.versioning
        if ue4 != NEWEST_UE4 or not _FIRST_UE5 <= ue5 <= NEWEST_UE5:
            raise UnrealError(f"file version UE4 {ue4}, UE5 {ue5} is not known", offset=0, field="versioning")
        return PackageVersion(ue4, ue5)
    if package.form is ZenForm.ENGINE_4:
        return PackageVersion(522, 0)
    if package.form is ZenForm.GRAPH_DATA:
        if header_version in (0, 1):
            return PackageVersion(522, 1004)
        return PackageVersion(522, 1009 if package.bulk_data else 1008)
    if package.form is ZenForm.DEPENDENCY_BUNDLES:
        return PackageVersion(522, 1013 if toc_version >= 8 else 1012 if toc_version >= 6 else 1009)
    return PackageVersion(522, 1017)


def to_legacy(
    data: bytes, package: ZenPackage, naming: Naming, version: PackageVersion, classes: Mapping[int, str] | None = None
) -> LegacyPackage:
    """Return the legacy form of ``package``, which was read from ``data``.

    Args:
        data: the zen package, whole.
        package: its tables.
        naming: what names the objects it refers to.
        version: the file version to write; it stays unstated where the zen package states none.
        classes: index -> path of the class of objects in other packages, where that is known.

    Raises:
        UnrealError: the exports' data does not lie in ``data``, or a table does not close.
    """
    return _Converter(data, package, naming, version, classes or {}).convert()


def _base(text: str) -> str:
    """Return a name without its number: ``Mesh`` of ``Mesh_0``."""
    numbered = _NUMBERED.fullmatch(text)
    return text if numbered is None else numbered[1]


def _candidates(path: str) -> tuple[str, ...]:
    """Return possible classes of an import by its path; empty for any."""
    inner = _split(path)[1]
    if path.startswith("/Script/") and len(inner) == 1:
        return _NATIVE
    if path.startswith("/Script/") and not inner[0].startswith("Default__"):
        return ("DelegateFunction",) if inner[-1].endswith("__DelegateSignature") else ("Function",)
    if len(inner) == 1 and inner[0].endswith("_C"):
        return tuple(_GENERATED)
    return ()


class _Converter:
    def __init__(
        self, data: bytes, package: ZenPackage, naming: Naming, version: PackageVersion, classes: Mapping[int, str]
    ) -> None:
        self._data = data
        self._package = package
        self._naming = naming
        self._version = version
        self._unknown: dict[str, int] = {}
        self._imports = self._resolve_imports(classes)
        self._by_path = {found.path.lower(): -number for number, found in reversed(list(enumerate(self._imports, 1)))}
        self._index = {index: -number for number, index in reversed(list(enumerate(package.imports, 1)))}
        self._names, self._referenced = self._make_names()
        self._places = {name.lower(): number for number, name in reversed(list(enumerate(self._names)))}

    def _say(self, what: str) -> None:
        self._unknown[what] = self._unknown.get(what, 0) + 1

    # --- imports -----------------------------------------------------------------------------------------------

    def _resolve_imports(self, classes: Mapping[int, str]) -> list[_Import]:
        package = self._package
        found: list[_Import | None] = []
        as_classes = {export.class_ for export in package.exports}
        defaults = set()
        scripts = self._naming.scripts
        if scripts is not None:
            defaults = {each.default_of for each in scripts.objects.values()}
        for index in package.imports:
            path = self._naming.name(index)
            if path == "":
                found.append(None)  # the package of others
                continue
            if path is None:
                self._say("imports that nothing names")
                path = f"/Script/Unknown.{index:016x}"
            plain = path.replace(":", ".")
            class_path = classes.get(index)
            if class_path is None:
                class_path = self._certain_class(index, plain, as_classes, defaults)
            owner, inner = _split(class_path or ".")
            found.append(_Import(plain, owner, inner[-1] if inner else "", known=class_path is not None))
        self._place_packages(found)
        placed = [each or _Import("None", _CORE, "Package", known=False) for each in found]
        self._guess_classes(placed)
        have = {each.path.lower() for each in placed}
        for each in list(placed):  # a package or an outer that no import was left for
            owner, inner = _split(each.path)
            for depth in range(len(inner)):
                path = ".".join([owner, *inner[:depth]])
                if path.lower() not in have and path != "None":
                    have.add(path.lower())
                    kind = "Package" if not depth else "Class"
                    placed.append(_Import(path, _CORE, kind, known=not depth))
        return placed

    def _certain_class(self, index: int, path: str, as_classes: set[int], defaults: set[int]) -> str | None:
        """Return the path of an import's class where it is certain."""
        owner, inner = _split(path)
        if not inner:
            return f"{_CORE}.Package"
        scripts = self._naming.scripts
        if scripts is not None and index in scripts.objects:
            class_index = scripts.objects[index].default_of
            if object_index.kind(class_index) == object_index.SCRIPT:
                return self._naming.name(class_index)
        if len(inner) == 1 and inner[0].startswith("Default__"):
            return f"{owner}.{inner[0].removeprefix('Default__')}"
        if index in defaults or (index in as_classes and object_index.kind(index) == object_index.SCRIPT):
            return f"{_CORE}.Class"
        return None

    def _place_packages(self, found: list[_Import | None]) -> None:
        """Name the packages among the imports, sorted among themselves."""
        free = [number for number, each in enumerate(found) if each is None]
        there = {each.path.lower() for each in found if each is not None}
        needed = {each.package for each in found if each is not None}
        spare = [name for name in self._naming.imported if name not in needed and name.startswith("/")]
        wanted = {name.lower(): name for name in (*spare, *needed) if name.lower() not in there}
        for name in [each.lower() for each in spare]:
            if len(wanted) > len(free):
                wanted.pop(name, None)
        missing = len(free) - len(wanted)
        for _ in range(missing):
            self._say("imports of packages that nothing names")
        for number, name in zip(free, sorted(wanted), strict=False):
            found[number] = _Import(wanted[name], _CORE, "Package", known=True)

    def _guess_classes(self, found: list[_Import]) -> None:
        """Infer classes of imports from their order, "class path"."""
        keys = [each.key if each.known else "" for each in found]
        in_order = all(before <= after for before, after in pairwise(filter(None, keys)))
        classes = {each.name: each.package for each in found if each.class_name == "Class"}
        named: list[str] = []
        if self._package.form is ZenForm.ENGINE_4:  # which keeps every name: the class's is one of them
            stored = set(self._package.names.names)
            named = [name for name in classes if name in stored]
        following = [""] * len(found)
        upper = "\U0010ffff"
        for number in range(len(found) - 1, -1, -1):
            following[number] = upper
            upper = keys[number] or upper
        lower = ""
        for number, each in enumerate(found):
            if not each.known and each.path != "None":
                candidates = _candidates(each.path) or named
                fitting = [
                    name
                    for name in candidates
                    if in_order and lower <= f"{name} {each.path}".lower() <= following[number]
                ]
                name = (fitting or candidates or ["Object"])[0]
                owner = classes.get(name) or _GENERATED.get(name) or self._class_package(name)
                found[number] = _Import(each.path, owner, name, known=len(fitting) == 1)
                if len(fitting) == 1:
                    keys[number] = found[number].key
                elif candidates:
                    self._say("classes of imports, guessed")
                else:
                    self._say("classes of imports, written as Object")
            lower = keys[number] or lower

    def _class_package(self, name: str) -> str:
        if name in ("Object", *_NATIVE):
            return _CORE
        scripts = self._naming.scripts
        if scripts is not None:
            for index, each in scripts.objects.items():
                if each.name == name and object_index.kind(each.outer) != object_index.NONE:
                    return _split(scripts.path(index) or "")[0] or _CORE
        return _ENGINE

    # --- names -------------------------------------------------------------------------------------------------

    def _make_names(self) -> tuple[list[str], int]:
        """Return the name table, and the count that export data use.

        The names that export data use are at the start of the table: cooking writes them first, all others behind them,
        sorted. Zen packages add the names of exports and of the package at the end.
        """
        package = self._package
        stored = package.names.names
        tail = [*dict.fromkeys(_base(export.name) for export in package.exports)]
        tail.append(_base(package.name))
        referenced = len(stored)
        if package.form is not ZenForm.ENGINE_4:
            wanted = list(dict.fromkeys(tail))
            first_place = {name: place for place, name in reversed(list(enumerate(stored)))}
            while referenced and wanted and stored[referenced - 1] == wanted[-1]:
                wanted.pop()
                referenced -= 1
                while wanted and first_place.get(wanted[-1], referenced) < referenced:
                    if stored[referenced - 1] == wanted[-1]:
                        break
                    wanted.pop()
        first = list(stored[:referenced])
        have = {name.lower() for name in first}
        more: dict[str, str] = {}
        for name in (*tail, *self._import_names()):
            if name.lower() not in have:
                more.setdefault(name.lower(), name)
        return first + [more[name] for name in sorted(more)], referenced

    def _import_names(self) -> list[str]:
        return [_base(name) for each in self._imports for name in (each.class_package, each.class_name, each.name)]

    def _name(self, column: str, text: str) -> dict[str, int]:
        """Return the two columns of a name: its place and its number."""
        numbered = _NUMBERED.fullmatch(text)
        base, number = (text, 0) if numbered is None else (numbered[1], int(numbered[2]) + 1)
        return {column: self._places[base.lower()], f"{column}_number": number}

    # --- the whole ---------------------------------------------------------------------------------------------

    def convert(self) -> LegacyPackage:
        package, version = self._package, self._version
        exports, starts = self._export_data()
        names = b"".join(
            string_bytes(name) + _NAME_HASH.pack(0, zlib.crc32(name.encode("utf-32-le", "surrogatepass")) & 0xFFFF)
            for name in self._names
        )
        dependencies, preload = self._preload()
        unversioned_properties = bool(package.flags & UNVERSIONED_PROPERTIES)
        resources = self._resources()
        values: dict[str, object] = {
            "licensee_version": package.versioning.licensee if package.versioning else 0,
            "custom_version_data": b"".join(
                key + number.to_bytes(4, "little", signed=True)
                for key, number in (package.versioning.custom if package.versioning else ())
            ),
            "package_name": package.name if version.ue5 else "None",
            "package_flags": package.flags | FILTER_EDITOR_ONLY,
            "name_count": len(self._names),
            "export_count": len(package.exports),
            "import_count": len(self._imports),
            "generations": [(len(package.exports), len(self._names))],
            "preload_dependency_count": len(preload),
            "names_referenced_from_exports": self._referenced,
            "total_header_size": 0,
            **dict.fromkeys(("name_offset", "import_offset", "asset_registry_offset", "bulk_data_offset"), 0),
        }
        unversioned = package.versioning is None
        start = len(pack_summary(version, unversioned=unversioned, values=values))
        values["name_offset"] = start
        values["import_offset"] = at = start + len(names)
        at += len(self._imports) * import_size(version, editor=False)
        values["export_offset"] = at
        at += len(package.exports) * export_size(version, unversioned_properties=unversioned_properties)
        values["cell_export_offset"] = values["cell_import_offset"] = values["depends_offset"] = at
        at += 4 * len(package.exports)
        values["asset_registry_offset"] = at
        values["preload_dependency_offset"] = at = at + 4
        at += 4 * len(preload)
        if resources:
            values["data_resource_offset"] = at
        size = at + len(resources)
        values["total_header_size"] = size
        values["bulk_data_offset"] = size + len(exports) - len(_TAG)
        if version.ue5 >= _FIRST_SCRIPT_EXTENT and not unversioned_properties:
            self._unknown["where the tagged properties of exports end"] = len(package.exports)
        header = b"".join(
            [
                pack_summary(version, unversioned=unversioned, values=values),
                names,
                *(self._pack_import(each) for each in self._imports),
                *(
                    self._pack_export(number, size + starts[number], dependencies[number], unversioned_properties)
                    for number in range(len(package.exports))
                ),
                bytes(4 * len(package.exports)),  # what exports depend on: cooked packages have it as preload lists
                bytes(4),  # no asset registry data
                b"".join(each.to_bytes(4, "little", signed=True) for each in preload),
                resources,
            ]
        )
        return LegacyPackage(header, exports, self._unknown)

    def _pack_import(self, found: _Import) -> bytes:
        owner, inner = _split(found.path)
        outer = self._by_path.get(".".join([owner, *inner[:-1]]).lower(), 0) if inner else 0
        return pack_import(
            self._version,
            {
                **self._name("class_package", found.class_package),
                **self._name("class_name", found.class_name),
                "outer_index": outer,
                **self._name("object_name", found.name),
            },
        )

    def _pack_export(self, number: int, offset: int, dependencies: tuple[int, ...], unversioned: bool) -> bytes:  # noqa: FBT001
        export = self._package.exports[number]
        outermost = object_index.kind(export.outer) == object_index.NONE
        public = bool(export.flags & _PUBLIC)
        return pack_export(
            self._version,
            unversioned_properties=unversioned,
            values={
                "class_index": self._reference(export.class_),
                "super_index": self._reference(export.super_),
                "template_index": self._reference(export.template),
                "outer_index": self._reference(export.outer),
                **self._name("object_name", export.name),
                "object_flags": export.flags,
                "serial_size": export.size,
                "serial_offset": offset,
                "not_for_client": int(export.filter == 1),
                "not_for_server": int(export.filter == 2),
                "asset": int(outermost and public and not export.flags & _CLASS_DEFAULT),
                "public_hash": int(
                    self._package.form is not ZenForm.ENGINE_4 and bool(export.public_hash) and not public
                ),
                **dict(zip(DEPENDENCIES, dependencies, strict=True)),
            },
        )

    def _reference(self, index: int) -> int:
        """Return an FPackageObjectIndex as a legacy object index."""
        kind = object_index.kind(index)
        if kind == object_index.EXPORT:
            number = object_index.value(index)
            if number >= len(self._package.exports):
                what = f"an export refers to export {number} of {len(self._package.exports)}"
                raise UnrealError(what, offset=self._package.tables.exports, field="exports")
            return number + 1
        if kind == object_index.NONE:
            return 0
        found = self._index.get(index)
        if found is None:
            self._say("objects that are not among the imports")
            return 0
        return found

    def _export_data(self) -> tuple[bytes, list[int]]:
        """Return the bytes of the .uexp, and each export's start."""
        package, data = self._package, self._data
        spans = package.export_spans()
        for number, (start, size) in enumerate(spans):
            if start < 0 or start + size > len(data):
                what = f"{size} bytes at {start} do not lie in {len(data)}"
                raise UnrealError(what, offset=package.tables.exports + 72 * number, field=f"exports[{number}]")
            if size != package.exports[number].size:
                what = f"{package.exports[number].size} bytes that no bundle has"
                raise UnrealError(what, offset=package.tables.exports + 72 * number, field=f"exports[{number}]")
        if not package.bundle_ordered:
            body = data[package.header_size :]
            return body if body.endswith(_TAG) else body + _TAG, [start - package.header_size for start, _ in spans]
        order = sorted(range(len(spans)), key=lambda number: package.exports[number].offset)
        starts = [0] * len(spans)
        parts: list[bytes] = []
        done = 0
        for number in order:
            start, size = spans[number]
            starts[number] = done
            parts.append(data[start : start + size])
            done += size
            if done > len(data):
                raise UnrealError("exports share their data", offset=package.tables.exports, field="exports")
        end = max((start + size for start, size in spans), default=package.header_size)
        parts.append(data[end:].removesuffix(_TAG))  # bulk data behind the exports
        return b"".join(parts) + _TAG, starts

    def _preload(self) -> tuple[list[tuple[int, ...]], list[int]]:
        """Return (first, four counts) per export, and the list they index."""
        package = self._package
        stored = read_dependencies(self._data, package).exports
        preload: list[int] = []
        rows: list[tuple[int, ...]] = []
        if package.exports and not stored:
            self._say("dependencies of exports: up to 5.2 there are only arcs between bundles")
        for number, export in enumerate(package.exports):
            known = stored[number] if number < len(stored) else ExportDependencies((), (), (), ())
            classes = [self._reference(index) for index in (export.class_, export.template)]
            outers = [self._reference(index) for index in (export.outer, export.super_)]
            parts = [
                known.serialize_before_serialize,
                known.create_before_serialize,
                tuple(dict.fromkeys([*known.serialize_before_create, *filter(None, classes)])),
                tuple(dict.fromkeys([*known.create_before_create, *filter(None, outers)])),
            ]
            rows.append((len(preload), *map(len, parts)))
            for part in parts:
                preload += part
        return rows, preload

    def _resources(self) -> bytes:
        """Return the table of bulk data."""
        bulk = self._package.bulk_data
        if not bulk or self._version.ue5 < _FIRST_RESOURCES:
            return b""
        outer = 1 if len(self._package.exports) == 1 else 0
        version = 2 if self._version.ue5 >= _FIRST_RESOURCE_2 else 1
        rows = []
        for each in bulk:
            if not outer:
                self._say("exports that bulk data belongs to")
            tail = (each.offset, each.duplicate_offset, each.size, each.size, outer, each.flags)
            rows.append(RESOURCE_ROWS[version].pack(*(0,) * version, *tail))
        return version.to_bytes(4, "little") + len(rows).to_bytes(4, "little") + b"".join(rows)
