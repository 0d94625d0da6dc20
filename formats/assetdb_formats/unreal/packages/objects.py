"""Imports and exports of a package.

Both tables stay bytes: a row is unpacked, and a record made, on first use. As objects the
rows of a map with 4,000 exports take six times the file, and a graph needs three columns of the imports and one of the
exports.

An *object index* (FPackageIndex) is 0 for nothing, ``n`` for export ``n - 1``, ``-n`` for import ``n - 1``.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from functools import lru_cache
from struct import Struct, error
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from assetdb_formats.unreal.versions import PackageVersion


class Import(NamedTuple):
    """An object of another package; "" for fields not stored."""

    class_package: str
    class_name: str
    outer_index: int
    object_name: str
    package_name: str
    optional: bool


class Export(NamedTuple):
    """An object of this package; absent fields are 0, False or empty.

    ``serial_offset`` counts from the start of the .uasset, also where the bytes are in the .uexp. ``dependencies`` are
    in the order of :data:`DEPENDENCIES`; ``script`` is the range of tagged properties, from ``serial_offset`` on.
    """

    class_index: int
    super_index: int
    template_index: int
    outer_index: int
    object_name: str
    object_flags: int
    serial_size: int
    serial_offset: int
    forced: bool
    not_for_client: bool
    not_for_server: bool
    package_guid: bytes
    inherited_instance: bool
    package_flags: int
    not_always_loaded_for_editor_game: bool
    asset: bool
    public_hash: bool
    dependencies: tuple[int, int, int, int, int]
    script: tuple[int, int]


DEPENDENCIES: Final = (
    "first_dependency",
    "serialize_before_serialize",
    "create_before_serialize",
    "serialize_before_create",
    "create_before_create",
)
"""The columns that make up `Export.dependencies`."""
_FLAGS: Final = (
    *("forced", "not_for_client", "not_for_server", "inherited_instance"),
    *("not_always_loaded_for_editor_game", "asset", "public_hash"),
)


class _Layout(NamedTuple):
    row: Struct
    columns: dict[str, int]


def _make_layout(*fields: tuple[str, str, bool]) -> _Layout:
    """Return the layout of (name, ``struct`` code, whether the version has it)."""
    present = [(name, code) for name, code, there in fields if there]
    row = Struct("<" + "".join(code for _, code in present))
    return _Layout(row, {name: number for number, (name, _) in enumerate(present)})


DEEPEST: Final = 100  # objects in each other; real ones reach 9
LONGEST_PATH: Final = 4096  # characters: a row of 28 bytes would make 100 names of text
_OWNED_IMPORT: Final = 40  # bytes of an import that names its package, from UE5 1003 on


@lru_cache(maxsize=256)
def _import_layout(version: PackageVersion, owned: bool) -> _Layout:  # noqa: FBT001 - a cache key
    return _make_layout(
        ("class_package", "I", True),
        ("class_package_number", "i", True),
        ("class_name", "I", True),
        ("class_name_number", "i", True),
        ("outer_index", "i", True),
        ("object_name", "I", True),
        ("object_name_number", "i", True),
        ("package_name", "I", owned),
        ("package_name_number", "i", owned),
        ("optional", "i", version.ue5 >= 1003),
    )


@lru_cache(maxsize=256)
def _export_layout(version: PackageVersion, unversioned_properties: bool) -> _Layout:  # noqa: FBT001 - a cache key
    ue4, ue5 = version
    size = "q" if ue4 >= 511 else "i"
    preload = ue4 >= 507
    script = ue5 >= 1010 and not unversioned_properties
    return _make_layout(
        ("class_index", "i", True),
        ("super_index", "i", True),
        ("template_index", "i", ue4 >= 508),
        ("outer_index", "i", True),
        ("object_name", "I", True),
        ("object_name_number", "i", True),
        ("object_flags", "I", True),
        ("serial_size", size, True),
        ("serial_offset", size, True),
        ("forced", "i", True),
        ("not_for_client", "i", True),
        ("not_for_server", "i", True),
        ("package_guid", "16s", ue5 < 1005),
        ("inherited_instance", "i", ue5 >= 1006),
        ("package_flags", "I", True),
        ("not_always_loaded_for_editor_game", "i", ue4 >= 365),
        ("asset", "i", ue4 >= 485),
        ("public_hash", "i", ue5 >= 1003),
        *((name, "i", preload) for name in DEPENDENCIES),
        ("script_start", "q", script),
        ("script_end", "q", script),
    )


def import_size(version: PackageVersion, *, editor: bool) -> int:
    """Bytes of one import."""
    return _import_layout(version, editor).row.size


def export_size(version: PackageVersion, *, unversioned_properties: bool) -> int:
    """Bytes of one export."""
    return _export_layout(version, unversioned_properties).row.size


class Rows:
    """The rows of a table, each unpacked on access."""

    __slots__ = ("_row", "_view")

    def __init__(self, row: Struct, view: memoryview) -> None:
        self._row = row
        self._view = view

    def __len__(self) -> int:
        return len(self._view) // self._row.size

    def __getitem__(self, number: int) -> tuple[Any, ...]:
        if number < 0:
            raise IndexError(number)
        try:
            return self._row.unpack_from(self._view, number * self._row.size)
        except error:
            raise IndexError(number) from None

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self._row.iter_unpack(self._view)


class _Table:
    """Rows of one layout, and the names that their name columns index."""

    field = ""
    named: tuple[str, ...] = ()

    def __init__(self, data: bytes, offset: int, count: int, layout: _Layout, names: list[str]) -> None:
        size = count * layout.row.size
        if count < 0 or (count and not 0 <= offset <= len(data) - size):
            raise UnrealError(
                f"{count} of {layout.row.size} bytes at {offset} do not lie in {len(data)} bytes",
                offset=offset,
                field=self.field,
            )
        self.offset = offset
        self.end = offset + size
        self.layout = layout
        self.names = names
        self.rows = Rows(layout.row, memoryview(data)[offset : offset + size] if size else memoryview(b""))

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, field: str) -> array[int]:
        """Return one column of int32 numbers, for all rows."""
        place = self.layout.columns[field]
        return array("i", [row[place] for row in self.rows])

    def name(self, row: tuple[Any, ...], field: str) -> str:
        """Return the name that a column of a row is."""
        place = self.layout.columns[field]
        index, number = row[place], row[place + 1]
        if index >= len(self.names):
            raise self._bad_name(field, place)
        return f"{self.names[index]}_{number - 1}" if number else self.names[index]

    def check(self) -> None:
        """Check that every name is in the name table."""
        limit = len(self.names)
        for field in self.named:
            place = self.layout.columns.get(field)
            if place is not None and len(self.rows) and max([row[place] for row in self.rows]) >= limit:
                raise self._bad_name(field, place)

    def _bad_name(self, field: str, place: int) -> UnrealError:
        number = next(number for number, row in enumerate(self.rows) if row[place] >= len(self.names))
        return UnrealError(
            f"names number {self.rows[number][place]} of {len(self.names)}",
            offset=self.offset + number * self.layout.row.size,
            field=f"{self.field}[{number}].{field}",
        )


class ImportTable(_Table):
    """The imports of a package."""

    field = "imports"
    named = ("class_package", "class_name", "object_name", "package_name")

    def __init__(
        self,
        data: bytes,
        offset: int,
        count: int,
        names: list[str],
        version: PackageVersion,
        *,
        editor: bool,
        end: int,
    ) -> None:
        # 5.8 cooks the package of an import too, without a new version: only the table's size shows it.
        owned = (editor and version.ue4 >= 520) or (version.ue5 >= 1018 and end - offset == count * _OWNED_IMPORT > 0)
        super().__init__(data, offset, count, _import_layout(version, owned), names)

    def __iter__(self) -> Iterator[Import]:
        columns = self.layout.columns
        outer, optional = columns["outer_index"], columns.get("optional")
        owned = "package_name" in columns
        for row in self.rows:
            yield Import(
                self.name(row, "class_package"),
                self.name(row, "class_name"),
                row[outer],
                self.name(row, "object_name"),
                self.name(row, "package_name") if owned else "",
                optional is not None and row[optional] != 0,
            )

    def records(self) -> list[Import]:
        """Return all imports with their names."""
        return list(self)

    def packages(self) -> list[tuple[int, str]]:
        """Return (row number, name) of the imports that are packages themselves."""
        names = self.names
        try:
            package = names.index("Package")
        except ValueError:
            return []
        kind = self.layout.columns["class_name"]
        name = self.layout.columns["object_name"]
        try:
            return [
                (number, f"{names[row[name]]}_{row[name + 1] - 1}" if row[name + 1] else names[row[name]])
                for number, row in enumerate(self.rows)
                if row[kind] == package and not row[kind + 1]
            ]
        except IndexError:
            raise self._bad_name("object_name", name) from None


class ExportTable(_Table):
    """The exports of a package."""

    field = "exports"
    named = ("object_name",)

    def __init__(
        self,
        data: bytes,
        offset: int,
        count: int,
        names: list[str],
        version: PackageVersion,
        *,
        unversioned_properties: bool,
    ) -> None:
        super().__init__(data, offset, count, _export_layout(version, unversioned_properties), names)

    def __iter__(self) -> Iterator[Export]:
        return map(self._record, self.rows)

    def record(self, number: int) -> Export:
        """Return one export."""
        return self._record(self.rows[number])

    def records(self) -> list[Export]:
        """Return all exports with their names."""
        return list(self)

    def _record(self, row: tuple[Any, ...]) -> Export:
        value: defaultdict[str, Any] = defaultdict(int, zip(self.layout.columns, row, strict=True))
        value["object_name"] = self.name(row, "object_name")
        value["package_guid"] = value["package_guid"] or b""
        value["dependencies"] = tuple(value[name] for name in DEPENDENCIES)
        value["script"] = value["script_start"], value["script_end"]
        value.update({name: value[name] != 0 for name in _FLAGS})
        return Export._make(value[name] for name in Export._fields)


class ObjectPaths:
    """Full paths of imports and exports, cached for their outers.

    A path is ``package.object:inner.inner``; an export's is without the package.
    """

    def __init__(self, imports: ImportTable, exports: ExportTable) -> None:
        self._tables = (imports, exports)
        self._outers = (imports.column("outer_index"), exports.column("outer_index"))
        self._found: dict[int, tuple[str, int]] = {0: ("", 0)}

    def path(self, index: int) -> str:
        """Return the path of an object index; "" for 0.

        Raises:
            UnrealError: if the chain of outers leaves the tables or comes back to itself.
        """
        return self._resolve(index)[0]

    def check(self) -> None:
        """Check that every chain of outers ends, without making a single path."""
        sound = {0: 0}  # to the depth
        for side, sign in ((0, -1), (1, 1)):
            for number, outer in enumerate(self._outers[side], 1):
                if sound.get(outer, DEEPEST) < DEEPEST:
                    continue
                chain, current = self._chain(sign * number, sound)
                depth = sound[current]
                if depth + len(chain) > DEEPEST:
                    raise self._too_deep(sign * number)
                # Leaves are not kept: nothing comes by there again.
                for link in reversed(chain[1:]):
                    depth += 1
                    sound[link] = depth

    def _chain(self, index: int, known: Container[int]) -> tuple[list[int], int]:
        """Return the objects outwards from ``index``, up to a ``known`` one."""
        chain: list[int] = []
        current = index
        while current not in known:
            if len(chain) >= DEEPEST:
                if current in chain:
                    raise UnrealError("the chain of outers comes back to itself", field=f"object {index}.outer_index")
                raise self._too_deep(index)
            chain.append(current)
            current = self._outer(current, index)
        return chain, current

    @staticmethod
    def _too_deep(index: int) -> UnrealError:
        return UnrealError(f"lies in more than {DEEPEST} others", field=f"object {index}.outer_index")

    def _resolve(self, index: int) -> tuple[str, int]:
        """Return (path, depth) of an object."""
        found = self._found
        chain, current = self._chain(index, found)
        path, depth = found[current]
        if chain and current == 0 and chain[-1] > 0:
            depth = 1
        for link in reversed(chain):
            name = self._name(link)
            path = f"{path}{'.' if depth == 1 or depth > 2 else ':'}{name}" if path else name
            depth += 1
            if depth > DEEPEST:
                raise self._too_deep(index)
            if len(path) > LONGEST_PATH:
                raise UnrealError(f"has a path of over {LONGEST_PATH} characters", field=f"object {index}.outer_index")
            if link != index:  # there are many leaves, and the path of each is wanted once
                found[link] = (path, depth)
        return path, depth

    def _outer(self, index: int, start: int) -> int:
        table = self._outers[index > 0]
        row = index - 1 if index > 0 else -index - 1
        if row >= len(table):
            raise UnrealError(
                f"index {index} is outside the {len(table)} {'exports' if index > 0 else 'imports'}",
                field=f"object {start}.outer_index",
            )
        return table[row]

    def _name(self, index: int) -> str:
        table = self._tables[index > 0]
        return table.name(table.rows[index - 1 if index > 0 else -index - 1], "object_name")


def pack_import(version: PackageVersion, values: dict[str, int]) -> bytes:
    """Return an import as cooked, from columns by name, or 0."""
    layout = _import_layout(version, owned=False)
    return layout.row.pack(*(values.get(name, 0) for name in layout.columns))


def pack_export(version: PackageVersion, *, unversioned_properties: bool, values: dict[str, int]) -> bytes:
    """Return an export as stored, from columns by name, or 0."""
    layout = _export_layout(version, unversioned_properties)
    absent: dict[str, Any] = {"package_guid": bytes(16)}
    return layout.row.pack(*(values.get(name, absent.get(name, 0)) for name in layout.columns))
