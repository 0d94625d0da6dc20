"""Properties of each export, with the references in them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from struct import Struct, error
from typing import TYPE_CHECKING, Any, Final, NamedTuple, overload

from assetdb_formats.unreal.classes.bodies import may_write_itself, read_body, states_no_properties
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.package_file import BytesSource
from assetdb_formats.unreal.properties.decoded import ObjectReference, Opaque, Property, References
from assetdb_formats.unreal.properties.value_decoder import ValueDecoder
from assetdb_formats.unreal.strings import string_at

if TYPE_CHECKING:
    from assetdb_formats.unreal.codecs.compression import OodleDecoder
    from assetdb_formats.unreal.files.package_file import Source
    from assetdb_formats.unreal.packages.objects import Export
    from assetdb_formats.unreal.packages.package import Package
    from assetdb_formats.unreal.properties.usmap import Mappings

CLASS_DEFAULT_OBJECT: Final = 0x10
DATA_TABLES: Final = frozenset({"DataTable", "CompositeDataTable", "CurveTable"})
_LARGEST_EXPORT: Final = 64 << 20
_I32: Final = Struct("<i")


class ExportProperties(NamedTuple):
    """The properties of one export.

    ``properties`` are its own; ``rows`` a DataTable's rows, with names. ``end`` is the offset (in the package) after
    the properties and the object's GUID; the class's own data behind them is the ``tail``, of which ``tail.size`` bytes
    were skipped. ``opaque`` are values inside that were skipped as bytes. ``source_files`` is the JSON in front of the
    properties of import data: the files that an asset was imported from.

    ``writes_itself`` means that the class wrote no properties at all: ``body`` is its custom data, or None where the
    layout is unknown, and the tail is the whole export.
    """

    properties: list[Property]
    rows: Sequence[tuple[str, list[Property]]]
    guid: bytes
    references: References
    opaque: list[Opaque]
    end: int
    tail: Opaque
    source_files: str
    writes_itself: bool = False
    body: dict[str, Any] | None = None


class TableRows(Sequence[tuple[str, list[Property]]]):
    """The rows of a DataTable, decoded on access to save memory."""

    def __init__(self, decoder: ValueDecoder, struct: str, starts: array[int], end: int) -> None:
        self._decoder = decoder
        self._struct = struct
        self._starts = starts
        self._end = end

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, number: int) -> tuple[str, list[Property]]: ...
    @overload
    def __getitem__(self, number: slice) -> list[tuple[str, list[Property]]]: ...
    def __getitem__(self, number: int | slice) -> tuple[str, list[Property]] | list[tuple[str, list[Property]]]:
        """Return the name and the properties of a row."""
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        position = self._starts[number]
        decoder = self._decoder
        references, opaque = decoder.references.mark(), len(decoder.opaque)
        decoder.budget = 64 + 4 * (self._end - position)
        name = decoder.tags.name(position)
        properties, _ = decoder.read_struct(self._struct, position + 8, self._end)
        decoder.references.back(references)  # they were found when the table was read
        del decoder.opaque[opaque:]
        return name, properties


class PropertyReader:
    """Reads the exports of one package.

    Args:
        package: the package; the source of an editor file is the whole file.
        export_data: the .uexp, where the package was cooked into two files.
        mappings: the .usmap that unversioned properties need.
        oodle: decodes what a few classes compress inside their bodies; without, that stays compressed.

    Raises:
        UnrealError: if properties are unversioned and ``mappings`` is None.
    """

    def __init__(
        self,
        package: Package,
        export_data: bytes | Source | None = None,
        mappings: Mappings | None = None,
        oodle: OodleDecoder | None = None,
    ) -> None:
        self.package = package
        self._oodle = oodle
        self._source = BytesSource(export_data) if isinstance(export_data, bytes) else export_data or package.source
        self._shift = 0 if export_data is None else package.summary.total_header_size
        self._exports = package.exports
        self._exports.check()
        self._unversioned = package.summary.unversioned_properties
        self._mappings = mappings
        if self._unversioned and mappings is None:
            raise UnrealError("its properties are unversioned: a .usmap is needed to read them", field="properties")

    def __len__(self) -> int:
        return len(self._exports)

    def read(self, number: int) -> ExportProperties:
        """Read export ``number``."""
        export = self._exports.record(number)
        field = f"exports[{number}] {export.object_name}"
        base, size = export.serial_offset, export.serial_size
        if size < 0 or not 0 <= base - self._shift <= self._source.size - size:
            raise UnrealError(f"{size} bytes at {base} do not lie in the file", offset=base, field=field)
        # Only the first part of the largest is read: what is behind the properties can be a map's built lighting.
        data = self._source.read(base - self._shift, min(size, _LARGEST_EXPORT))
        decoder = ValueDecoder(self.package, data, unversioned=self._unversioned)
        decoder.budget = 64 + 4 * size
        try:
            found = self._read(decoder, export, size)
        except UnrealError as caught:
            place = None if caught.offset is None else caught.offset + base
            raise UnrealError(caught.what, offset=place, field=f"{field}: {caught.field}") from None
        except (error, IndexError):
            raise UnrealError("the properties are cut off", offset=base + size, field=field) from None
        return found._replace(
            opaque=[Opaque(passed.offset + base, passed.size) for passed in decoder.opaque],
            end=found.end + base,
            tail=Opaque(found.tail.offset + base, found.tail.size),
        )

    def _read(self, decoder: ValueDecoder, export: Export, end: int) -> ExportProperties:
        """Read the export in the decoder's data; offsets count from there."""
        class_name = self.package.class_name(export.class_index)
        no_properties = states_no_properties(self.package, export)
        if no_properties or may_write_itself(class_name):
            body = read_body(self.package, decoder, class_name, end, self._oodle)
            if body is not None or no_properties:
                return self._self_written(decoder, body, end)
        try:
            return self._with_properties(decoder, export, class_name, end)
        except (UnrealError, error, IndexError):
            if not may_write_itself(class_name):
                raise
        return self._self_written(decoder, None, end)

    @staticmethod
    def _self_written(decoder: ValueDecoder, body: dict[str, Any] | None, end: int) -> ExportProperties:
        after = 0 if body is None else end
        tail = Opaque(after, end - after)
        return ExportProperties([], [], b"", decoder.references, [], after, tail, "", writes_itself=True, body=body)

    def _with_properties(self, decoder: ValueDecoder, export: Export, class_name: str, end: int) -> ExportProperties:
        position = 0
        source_files = ""
        if class_name.endswith("ImportData") and self.package.summary.editor:
            source_files, position = self._source_files(decoder, position)
        if self._unversioned and self._mappings is not None:
            from assetdb_formats.unreal.properties.unversioned import UnversionedReader  # noqa: PLC0415 - most packages are tagged

            unversioned = UnversionedReader(decoder, self._mappings)
            properties, position = unversioned.read(class_name, position, end)
        else:
            if self.package.summary.version.ue5 >= 1011 and end:
                # What was serialized beside the properties: bit 1 adds the operation that overrode the object.
                position += 2 if decoder.data[position] & 2 else 1
            properties, position = decoder.read_tagged(class_name, position, end) if end else ([], position)
        guid = b""
        if not export.object_flags & CLASS_DEFAULT_OBJECT and end - position >= 4:
            (present,) = _I32.unpack_from(decoder.data, position)
            if present == 0:
                position += 4
            elif present == 1 and end - position >= 20:
                guid = decoder.data[position + 4 : position + 20]
                position += 20
        rows: Sequence[tuple[str, list[Property]]] = ()
        if class_name in DATA_TABLES and class_name != "CurveTable":
            rows, position = self._rows(decoder, self._row_struct(properties), position, end)
        return ExportProperties(
            properties,
            rows,
            guid,
            decoder.references,
            [],
            position,
            Opaque(position, end - position),
            source_files,
        )

    def _source_files(self, decoder: ValueDecoder, position: int) -> tuple[str, int]:
        """Read the JSON before an import data's properties (UE4 464 on).

        "" and the same offset where there is none. Subclasses are by the dozen (FbxStaticMeshImportData,
        InterchangeAssetImportData), so the data itself is tested, not its class.
        """
        if self.package.summary.version.ue4 < 464:
            return "", position
        try:
            text, after = string_at(decoder.data, position, "source_files")
        except UnrealError:
            return "", position
        return (text, after) if text.startswith("[") else ("", position)

    def _row_struct(self, properties: list[Property]) -> str:
        """Return the struct name of rows, needed for unversioned ones."""
        for prop in properties:
            if prop.name == "RowStruct" and isinstance(prop.value, ObjectReference):
                return self.package.class_name(prop.value.object_index) if prop.value.object_index else ""
        return ""

    @staticmethod
    def _rows(decoder: ValueDecoder, struct: str, position: int, end: int) -> tuple[TableRows, int]:
        """Read the rows of a DataTable and their references."""
        (count,) = _I32.unpack_from(decoder.data, position)
        if count < 0 or count * 16 > end - position:
            raise UnrealError(f"counts {count} rows", offset=position, field="rows")
        position += 4
        starts = array("I")
        for _ in range(count):
            starts.append(position)
            decoder.tags.name(position)
            _, position = decoder.read_struct(struct, position + 8, end)
        return TableRows(decoder, struct, starts, end), position
