"""Unity's report of a build (``LastBuild.buildreport``), a SerializedFile.

Its ``PackedAssets`` name the source of each object of a build; the files of scenes are among them since Unity 6.6.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from assetdb_formats.files import open_file
from assetdb_formats.unityfs.bundle import Bundle
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from assetdb_formats.unityfs.serialized_files.serialized import HEADER_SIZE, MONO_BEHAVIOUR, read_header

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from assetdb_formats.unityfs.bundle import ObjectReader

_REPORT: Final = 1125
_PACKED_ASSETS: Final = 1126
_GUID_WORDS: Final = 4
_NO_GUID: Final = "0" * 32


class PackedObject(NamedTuple):
    """An object of a built file, or a piece of resource data.

    Attributes:
        path_id: 0 of resource data.
        guid: of the source asset; ``""`` where the build made the object.
        path: of the source asset when it was built.
    """

    path_id: int
    class_id: int
    size: int
    guid: str
    path: str


class PackedFile(NamedTuple):
    """A built file and its objects."""

    name: str
    objects: tuple[PackedObject, ...]


class OutputFile(NamedTuple):
    """A file that the build wrote, at its path there."""

    path: str
    role: str
    size: int


class Message(NamedTuple):
    """A message of a step; the kind as in Unity's ``LogType``."""

    kind: int
    text: str


class Step(NamedTuple):
    """A step of the build; inner steps follow it one level deeper."""

    name: str
    depth: int
    ticks: int
    messages: tuple[Message, ...]


class Kept(NamedTuple):
    """A module or class that code stripping kept, and why."""

    name: str
    reasons: tuple[str, ...]


class BuildReport(NamedTuple):
    """The facts of a report.

    Attributes:
        guid: of the build, as ``boot.config`` has it; ``""`` if the build has none.
        kind, result, options, bundle_options: numbers of Unity's enumerations.
        started: ticks of 100 ns since the year 1.
        duration: ticks.
        kept: modules that code stripping kept; empty if the build stripped no engine code.
    """

    unity_version: str
    guid: str
    platform: str
    kind: int
    result: int
    options: int
    bundle_options: int
    output: str
    started: int
    duration: int
    size: int
    errors: int
    warnings: int
    files: tuple[OutputFile, ...]
    packed: tuple[PackedFile, ...]
    steps: tuple[Step, ...]
    kept: tuple[Kept, ...]


def read_build_report(source: str | bytes) -> BuildReport:
    """Read a report from a path or bytes.

    Raises:
        UnityFSError: it is no report, has no type trees, is damaged, or of a newer version.
        OSError: the file cannot be opened.
    """
    if isinstance(source, bytes):
        return _read(BytesIO(source))
    with open_file(source) as stream:
        try:
            return _read(stream)
        except UnityFSError as error:
            raise error.at(source) from None


def _read(stream: BinaryIO) -> BuildReport:
    header = read_header(stream.read(HEADER_SIZE))
    size = stream.seek(0, 2)
    if header.file_size != size:
        raise UnityFSError(f"declares {header.file_size} bytes and has {size}", offset=4, field="header.file_size")
    return _report(Bundle(stream))


def _report(bundle: Bundle) -> BuildReport:
    found: list[ObjectReader] = []
    packed: list[PackedFile] = []
    kept: list[Kept] = []
    version = ""
    for file in bundle.files():
        version = version or file.facts.unity_version
    for item in bundle.objects([str(_REPORT), str(_PACKED_ASSETS), str(MONO_BEHAVIOUR)]):
        if item.entry.class_id == _REPORT:
            found.append(item)
        elif item.entry.class_id == _PACKED_ASSETS:
            packed.append(_packed(_Fields.of(item)))
        else:
            kept += _kept(item.value())
    if len(found) != 1:
        raise UnsupportedError(f"has {len(found)} objects BuildReport, not one", field="objects")
    fields = _Fields.of(found[0])
    summary = fields.inner("m_Summary")
    return BuildReport(
        unity_version=version,
        guid=summary.guid("buildGUID"),
        platform=summary.text("platformName"),
        kind=summary.number("buildType", 0),
        result=summary.number("buildResult", 0),
        options=summary.number("options", 0),
        bundle_options=summary.number("assetBundleOptions", 0),
        output=summary.text("outputPath"),
        started=summary.inner("buildStartTime").number("ticks", 0),
        duration=summary.number("totalTimeTicks", 0),
        size=summary.number("totalSize", 0),
        errors=summary.number("totalErrors", 0),
        warnings=summary.number("totalWarnings", 0),
        files=tuple(
            OutputFile(row.text("path"), row.text("role"), row.number("totalSize")) for row in fields.rows("m_Files")
        ),
        packed=tuple(packed),
        steps=tuple(map(_step, fields.rows("m_BuildSteps"))),
        kept=tuple(kept),
    )


def _packed(fields: _Fields) -> PackedFile:
    rows = tuple(
        PackedObject(
            row.number("fileID"),
            row.number("classID"),
            row.number("packedSize"),
            row.guid("sourceAssetGUID"),
            row.text("buildTimeAssetPath"),
        )
        for row in fields.rows("m_Contents")
    )
    return PackedFile(fields.text("m_ShortPath"), rows)


def _step(fields: _Fields) -> Step:
    messages = tuple(Message(row.number("type"), row.text("content")) for row in fields.rows("messages"))
    return Step(fields.text("stepName"), fields.number("depth"), fields.number("durationTicks"), messages)


def _kept(value: object) -> Iterator[Kept]:
    """Yield the modules of a StrippingInfo; of another script nothing."""
    if not isinstance(value, dict) or "serializedDependencies" not in value or "modules" not in value:
        return
    fields = _Fields(value, "StrippingInfo")
    reasons = {row.text("key"): row.texts("value") for row in fields.rows("serializedDependencies")}
    for name in fields.texts("modules"):
        yield Kept(name, reasons.get(name, ()))


class _Fields:
    """The values of one object, each of its expected kind."""

    def __init__(self, values: dict[str, Any], place: str) -> None:
        self._values = values
        self._place = place

    @classmethod
    def of(cls, item: ObjectReader) -> _Fields:
        """Return the fields of an object of the report."""
        place, value = f"object {item.path_id}", item.value()
        if not isinstance(value, dict):
            raise UnityFSError("is no object with fields", field=place)
        return cls(value, place)

    def _wrong(self, name: str, what: str) -> NoReturn:
        raise UnityFSError(f"is not {what}: this version of a report is not known", field=f"{self._place}.{name}")

    def number(self, name: str, absent: int | None = None) -> int:
        """Return a number; where the field may be absent, ``absent`` instead."""
        value = self._values.get(name, absent)
        return value if isinstance(value, int) else self._wrong(name, "a number")

    def text(self, name: str) -> str:
        """Return a string."""
        value = self._values.get(name)
        return value if isinstance(value, str) else self._wrong(name, "a string")

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of strings."""
        values = self._values.get(name)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            self._wrong(name, "a list of strings")
        return tuple(values)

    def guid(self, name: str) -> str:
        """Return a GUID as metas have it; ``""`` for zeros."""
        words = self.inner(name)
        text = "".join(f"{words.number(f'data[{place}]') & 0xFFFFFFFF:08x}"[::-1] for place in range(_GUID_WORDS))
        return "" if text == _NO_GUID else text

    def inner(self, name: str) -> _Fields:
        """Return the fields of a structure."""
        value = self._values.get(name)
        return _Fields(value, f"{self._place}.{name}") if isinstance(value, dict) else self._wrong(name, "a structure")

    def rows(self, name: str) -> Iterator[_Fields]:
        """Yield the structures of a list."""
        values = self._values.get(name)
        if not isinstance(values, list):
            self._wrong(name, "a list")
        for place, value in enumerate(values):
            if not isinstance(value, dict):
                self._wrong(f"{name}[{place}]", "a structure")
            yield _Fields(value, f"{self._place}.{name}[{place}]")
