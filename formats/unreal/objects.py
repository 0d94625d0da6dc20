"""Imports and exports: the objects that a package needs, and the ones it holds.

Both tables are kept as rows of one ``struct`` and turned into records only when they are asked for: a graph needs
three columns of the imports and one of the exports.

An *object index* (FPackageIndex) is 0 for nothing, ``n`` for export ``n - 1``, ``-n`` for import ``n - 1``.
"""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from formats.unreal.versions import PackageVersion


class Import(NamedTuple):
    """An object of another package. ``package_name`` is "" where the version has no such field."""

    class_package: str
    class_name: str
    outer_index: int
    object_name: str
    package_name: str
    optional: bool


class Export(NamedTuple):
    """An object of this package; fields that the version does not have are 0, False or empty.

    ``serial_offset`` counts from the start of the .uasset, also where the bytes are in the .uexp.
    ``dependencies`` are (first, serialize before serialize, create before serialize, serialize before create,
    create before create); ``script`` is the range of tagged properties, relative to ``serial_offset``.
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


class _Layout(NamedTuple):
    row: Struct
    # Moves a row, with the values of absent fields behind it, into one fixed order.
    pick: Callable[[tuple[Any, ...]], tuple[Any, ...]]
    absent: tuple[Any, ...]
    columns: dict[str, int]


def _make_layout(fields: list[tuple[str, str, bool]], absent: dict[str, Any]) -> _Layout:
    present = [(name, code) for name, code, there in fields if there]
    missing = [name for name, _, there in fields if not there]
    order = [name for name, _ in present] + missing
    return _Layout(
        row=Struct("<" + "".join(code for _, code in present)),
        pick=itemgetter(*(order.index(name) for name, _, _ in fields)),
        absent=tuple(absent.get(name, 0) for name in missing),
        columns={name: number for number, (name, _) in enumerate(present)},
    )


_OWNED_IMPORT: Final = 40  # bytes of an import that names its package, from UE5 1003 on


@lru_cache(maxsize=256)
def _import_layout(version: PackageVersion, owned: bool) -> _Layout:  # noqa: FBT001 - a cache key
    return _make_layout(
        [
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
        ],
        {"package_name": -1},
    )


@lru_cache(maxsize=256)
def _export_layout(version: PackageVersion, unversioned_properties: bool) -> _Layout:  # noqa: FBT001 - a cache key
    ue4, ue5 = version
    size = "q" if ue4 >= 511 else "i"
    preload = ue4 >= 507
    script = ue5 >= 1010 and not unversioned_properties
    return _make_layout(
        [
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
            ("not_always_loaded", "i", ue4 >= 365),
            ("asset", "i", ue4 >= 485),
            ("public_hash", "i", ue5 >= 1003),
            ("first_dependency", "i", preload),
            ("serialize_before_serialize", "i", preload),
            ("create_before_serialize", "i", preload),
            ("serialize_before_create", "i", preload),
            ("create_before_create", "i", preload),
            ("script_start", "q", script),
            ("script_end", "q", script),
        ],
        {"package_guid": b""},
    )


def import_size(version: PackageVersion, *, editor: bool) -> int:
    """Bytes of one import."""
    return _import_layout(version, editor).row.size


def export_size(version: PackageVersion, *, unversioned_properties: bool) -> int:
    """Bytes of one export."""
    return _export_layout(version, unversioned_properties).row.size


class _Table:
    """Rows of one layout, and the names that their name columns index."""

    field = ""

    def __init__(self, data: bytes, offset: int, count: int, layout: _Layout, names: list[str]) -> None:
        size = count * layout.row.size
        if count < 0 or (count and not 0 <= offset <= len(data) - size):
            raise FormatError(
                f"{count} of {layout.row.size} bytes at {offset} do not lie in {len(data)} bytes",
                offset=offset,
                field=self.field,
            )
        self.offset = offset
        self.layout = layout
        self.names = names
        # One pass in C; the records come from these when somebody asks.
        self.rows: list[tuple[Any, ...]] = list(layout.row.iter_unpack(data[offset : offset + size]))

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, field: str) -> list[int]:
        """Return one column of numbers, for all rows."""
        place = self.layout.columns[field]
        return [row[place] for row in self.rows]

    def name_column(self, field: str) -> list[str]:
        """Return one column of names, for all rows.

        Raises:
            FormatError: if a row names what is not in the name table.
        """
        place = self.layout.columns[field]
        names = self.names
        try:
            return [
                f"{names[row[place]]}_{row[place + 1] - 1}" if row[place + 1] else names[row[place]]
                for row in self.rows
            ]
        except IndexError:
            raise self._bad_name(field, place) from None

    def _bad_name(self, field: str, place: int) -> FormatError:
        number = next(number for number, row in enumerate(self.rows) if row[place] >= len(self.names))
        return FormatError(
            f"names number {self.rows[number][place]} of {len(self.names)}",
            offset=self.offset + number * self.layout.row.size,
            field=f"{self.field}[{number}].{field}",
        )


class ImportTable(_Table):
    """The imports of a package."""

    field = "imports"

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
        # 5.8 cooks the package of an import too, and wrote no new version down: where the table ends tells.
        owned = (editor and version.ue4 >= 520) or (version.ue5 >= 1018 and end - offset == count * _OWNED_IMPORT > 0)
        super().__init__(data, offset, count, _import_layout(version, owned), names)

    def records(self) -> list[Import]:
        """Return all imports with their names.

        Raises:
            FormatError: if one names what is not in the name table.
        """
        columns = self.layout.columns
        optional = columns.get("optional")
        return list(
            map(
                Import,
                self.name_column("class_package"),
                self.name_column("class_name"),
                self.column("outer_index"),
                self.name_column("object_name"),
                self.name_column("package_name") if "package_name" in columns else [""] * len(self.rows),
                [row[optional] != 0 for row in self.rows] if optional is not None else [False] * len(self.rows),
            )
        )

    def packages(self) -> list[tuple[int, str]]:
        """Return (row number, name) of the imports that are packages themselves.

        Raises:
            FormatError: if one names what is not in the name table.
        """
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
        return iter(self.records())

    def records(self) -> list[Export]:
        """Return all exports with their names.

        Raises:
            FormatError: if one names what is not in the name table.
        """
        pick, absent = self.layout.pick, self.layout.absent
        found = []
        for row, name in zip(self.rows, self.name_column("object_name"), strict=True):
            value = pick(row + absent)
            flags = (value[9] != 0, value[10] != 0, value[11] != 0)
            assets = (value[15] != 0, value[16] != 0, value[17] != 0)
            found.append(
                Export._make(
                    (
                        *value[:4],
                        name,
                        *value[6:9],
                        *flags,
                        value[12],
                        value[13] != 0,
                        value[14],
                        *assets,
                        value[18:23],
                        value[23:25],
                    )
                )
            )
        return found


class ObjectPaths:
    """Full paths of imports and exports, each worked out once.

    A path is ``package.object:inner.inner``; of an export the package is left out where ``package_name`` is "".
    """

    def __init__(
        self,
        imports: tuple[list[str], list[int]],
        exports: tuple[list[str], list[int]],
        package_name: str = "",
    ) -> None:
        """``imports`` and ``exports`` are (object names, outer indices)."""
        self._names = (imports[0], exports[0])
        self._outers = (imports[1], exports[1])
        self._package_name = package_name
        self._found: dict[int, tuple[str, int]] = {0: ("", 0)}

    def path(self, index: int) -> str:
        """Return the path of an object index; "" for 0.

        Raises:
            FormatError: if the chain of outers leaves the tables or comes back to itself.
        """
        return self._resolve(index)[0]

    def _resolve(self, index: int) -> tuple[str, int]:
        """Return (path, depth): depth 1 is a package (or an export without one), 2 what is directly in it."""
        found = self._found
        chain: list[int] = []
        seen: set[int] = set()
        current = index
        while current not in found:
            if current in seen:
                raise FormatError("the chain of outers comes back to itself", field=f"object {index}.outer_index")
            seen.add(current)
            chain.append(current)
            current = self._outer(current, index)
        if chain and current == 0 and chain[-1] > 0 and self._package_name:
            path, depth = self._package_name, 1
        else:
            path, depth = found[current]
            if not chain:
                return path, depth
            if current == 0 and chain[-1] > 0:
                depth = 1
        for link in reversed(chain):
            name = self._name(link)
            path = f"{path}{'.' if depth == 1 or depth > 2 else ':'}{name}" if path else name
            depth += 1
            found[link] = (path, depth)
        return path, depth

    def _outer(self, index: int, asked: int) -> int:
        table = self._outers[index > 0]
        row = index - 1 if index > 0 else -index - 1
        if row >= len(table):
            raise FormatError(
                f"index {index} is outside the {len(table)} {'exports' if index > 0 else 'imports'}",
                field=f"object {asked}.outer_index",
            )
        return table[row]

    def _name(self, index: int) -> str:
        return self._names[index > 0][index - 1 if index > 0 else -index - 1]


def pack_import(version: PackageVersion, *, editor: bool, values: dict[str, int]) -> bytes:
    """Return one import as it is stored, from its columns by name; those that are not given are 0."""
    layout = _import_layout(version, editor)
    return layout.row.pack(*(values.get(name, 0) for name in layout.columns))


def pack_export(version: PackageVersion, *, unversioned_properties: bool, values: dict[str, int]) -> bytes:
    """Return one export as it is stored, from its columns by name; those that are not given are 0."""
    layout = _export_layout(version, unversioned_properties)
    absent: dict[str, Any] = {"package_guid": bytes(16)}
    return layout.row.pack(*(values.get(name, absent.get(name, 0)) for name in layout.columns))
