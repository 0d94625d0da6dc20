"""The objects of a package: the properties of each export, walked to the end, and what they refer to."""

from __future__ import annotations

from struct import Struct, error
from typing import TYPE_CHECKING, Final, NamedTuple

from formats.binary import FormatError
from formats.unreal.strings import string_at
from formats.unreal.values import ObjectReference, Opaque, Property, References, ValueDecoder

if TYPE_CHECKING:
    from formats.unreal.objects import Export
    from formats.unreal.package import Package
    from formats.unreal.usmap import Mappings

CLASS_DEFAULT_OBJECT: Final = 0x10
DATA_TABLES: Final = frozenset({"DataTable", "CompositeDataTable", "CurveTable"})
_I32: Final = Struct("<i")


class ExportProperties(NamedTuple):
    """What one export holds.

    ``properties`` are its own; ``rows`` those of a DataTable, by row name. ``end`` is the offset (in the package) after
    the properties and the object's GUID; what the class wrote behind them is the ``tail``, of which ``tail.size`` bytes
    were passed over. ``opaque`` are values inside that were passed over as bytes. ``source_files`` is the JSON that
    import data has before its properties: from which files an asset was imported.
    """

    properties: list[Property]
    rows: list[tuple[str, list[Property]]]
    guid: bytes
    references: References
    opaque: list[Opaque]
    end: int
    tail: Opaque
    source_files: str


class PropertyReader:
    """Reads the exports of one package.

    Args:
        package: the package; of an editor file its data is the whole file.
        export_data: the .uexp, where the package was cooked into two files.
        mappings: the .usmap that unversioned properties need.

    Raises:
        FormatError: if properties are unversioned and ``mappings`` is None.
    """

    def __init__(self, package: Package, export_data: bytes | None = None, mappings: Mappings | None = None) -> None:
        self.package = package
        self._data = package.data if export_data is None else export_data
        self._base = 0 if export_data is None else package.summary.total_header_size
        self._exports: list[Export] = package.exports.records()
        self._unversioned = package.summary.unversioned_properties
        self._mappings = mappings
        if self._unversioned and mappings is None:
            raise FormatError("its properties are unversioned: a .usmap is needed to read them", field="properties")

    def __len__(self) -> int:
        return len(self._exports)

    def read(self, number: int) -> ExportProperties:
        """Read export ``number``.

        Raises:
            FormatError: if its bytes do not lie in the file, or a tag is damaged.
        """
        export = self._exports[number]
        field = f"exports[{number}] {export.object_name}"
        start = export.serial_offset - self._base
        end = start + export.serial_size
        if export.serial_size < 0 or start < 0 or end > len(self._data):
            raise FormatError(
                f"{export.serial_size} bytes at {export.serial_offset} do not lie in the file",
                offset=export.serial_offset,
                field=field,
            )
        decoder = ValueDecoder(self.package, self._data, unversioned=self._unversioned)
        decoder.budget = 64 + 4 * export.serial_size
        try:
            return self._read(decoder, export, start, end)
        except FormatError as caught:
            place = None if caught.offset is None else caught.offset + self._base
            raise FormatError(caught.what, offset=place, field=f"{field}: {caught.field}") from None
        except (error, IndexError):
            raise FormatError("the properties are cut off", offset=end + self._base, field=field) from None

    def _read(self, decoder: ValueDecoder, export: Export, start: int, end: int) -> ExportProperties:
        class_name = self.package.class_name(export.class_index)
        position = start
        source_files = ""
        if class_name.endswith("ImportData") and self.package.summary.editor:
            source_files, position = self._source_files(decoder, position)
        if self._unversioned and self._mappings is not None:
            from formats.unreal.unversioned import UnversionedReader  # noqa: PLC0415 - most packages are tagged

            unversioned = UnversionedReader(decoder, self._mappings)
            properties, position = unversioned.read(class_name, position, end)
        else:
            if self.package.summary.version.ue5 >= 1011 and start < end:
                # What was serialized beside the properties: bit 1 adds the operation that overrode the object.
                position += 2 if decoder.data[position] & 2 else 1
            properties, position = decoder.read_tagged(class_name, position, end) if start < end else ([], position)
        guid = b""
        if not export.object_flags & CLASS_DEFAULT_OBJECT and end - position >= 4:
            (present,) = _I32.unpack_from(decoder.data, position)
            if present == 0:
                position += 4
            elif present == 1 and end - position >= 20:
                guid = decoder.data[position + 4 : position + 20]
                position += 20
        rows: list[tuple[str, list[Property]]] = []
        if class_name in DATA_TABLES and class_name != "CurveTable":
            rows, position = self._rows(decoder, self._row_struct(properties), position, end)
        return ExportProperties(
            properties,
            rows,
            guid,
            decoder.references,
            [Opaque(passed.offset + self._base, passed.size) for passed in decoder.opaque],
            position + self._base,
            Opaque(position + self._base, end - position),
            source_files,
        )

    def _source_files(self, decoder: ValueDecoder, position: int) -> tuple[str, int]:
        """Read the JSON before an import data's properties (UE4 464 on); "" and the same place where there is none.

        Subclasses are by the dozen (FbxStaticMeshImportData, InterchangeAssetImportData), so it is told by its look.
        """
        if self.package.summary.version.ue4 < 464:
            return "", position
        try:
            text, after = string_at(decoder.data, position, "source_files")
        except FormatError:
            return "", position
        return (text, after) if text.startswith("[") else ("", position)

    def _row_struct(self, properties: list[Property]) -> str:
        """Return the name of the struct that a DataTable's rows are of; only unversioned rows need it."""
        for prop in properties:
            if prop.name == "RowStruct" and isinstance(prop.value, ObjectReference):
                return self.package.class_name(prop.value.object_index) if prop.value.object_index else ""
        return ""

    def _rows(
        self, decoder: ValueDecoder, struct: str, position: int, end: int
    ) -> tuple[list[tuple[str, list[Property]]], int]:
        """Read the rows of a DataTable: their references count, though no header lists them in old packages."""
        (count,) = _I32.unpack_from(decoder.data, position)
        if count < 0 or count * 16 > end - position:
            raise FormatError(f"counts {count} rows", offset=position, field="rows")
        position += 4
        rows = []
        for _ in range(count):
            name = decoder.tags.name(position)
            properties, position = decoder.read_struct(struct, position + 8, end)
            rows.append((name, properties))
        return rows, position
