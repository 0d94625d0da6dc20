"""Writes reports of builds as Unity's editor does: a SerializedFile with type trees."""

from __future__ import annotations

from struct import pack
from typing import NamedTuple

from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import STRING, Kind, Thing, within

REPORT, PACKED, SCRIPTED = 1125, 1126, 114
GUID = ("  unsigned int data[0]", "  unsigned int data[1]", "  unsigned int data[2]", "  unsigned int data[3]")


def _list(name: str, level: int, kind: str, fields: tuple[str, ...]) -> tuple[str, ...]:
    lines = (f"vector {name}", " Array Array", "  int size", f"  {kind} data", *within(3, fields))
    return within(level, lines)


TEXT = tuple(line[1:] for line in STRING)


def _string(name: str) -> tuple[str, ...]:
    return (f"string {name}", *STRING)


REPORT_TREE = (
    "BuildReport Base",
    *within(1, _string("m_Name")),
    " BuildSummary m_Summary",
    "  DateTime buildStartTime",
    "   SInt64 ticks",
    "  GUID buildGUID",
    *within(1, GUID),
    *within(2, _string("platformName")),
    "  int options",
    "  int assetBundleOptions",
    *within(2, _string("outputPath")),
    "  UInt64 totalSize",
    "  UInt64 totalTimeTicks",
    "  int totalErrors",
    "  int totalWarnings",
    "  int buildType",
    "  int buildResult",
    *_list(
        "m_Files", 1, "BuildReportFile", (*_string("path"), *_string("role"), "unsigned int id", "UInt64 totalSize")
    ),
    *_list(
        "m_BuildSteps",
        1,
        "BuildStepInfo",
        (
            *_string("stepName"),
            "UInt64 durationTicks",
            "int depth",
            *_list("messages", 0, "BuildStepMessage", ("int type", *_string("content"))),
        ),
    ),
)
PACKED_TREE = (
    "PackedAssets Base",
    *within(1, _string("m_ShortPath")),
    " UInt64 m_Overhead",
    *_list(
        "m_Contents",
        1,
        "BuildReportPackedAssetInfo",
        (
            "SInt64 fileID",
            "int classID",
            "UInt64 packedSize",
            "GUID sourceAssetGUID",
            *(line[1:] for line in GUID),
            *_string("buildTimeAssetPath"),
        ),
    ),
)
STRIPPING_TREE = (
    "MonoBehaviour Base",
    *_list("serializedDependencies", 1, "SerializedDependency", (*_string("key"), *_list("value", 0, "string", TEXT))),
    *_list("modules", 1, "string", TEXT),
)


class Row(NamedTuple):
    """An object of a built file."""

    path_id: int
    class_id: int
    size: int
    guid: str
    path: str


def text(value: str) -> bytes:
    data = value.encode()
    return pack("<i", len(data)) + data + bytes(-len(data) % 4)


def guid_words(guid: str) -> bytes:
    """Return the bytes of a GUID: each with its two digits exchanged."""
    return bytes(int(guid[place + 1] + guid[place], 16) for place in range(0, 32, 2))


def report(
    packed: dict[str, list[Row]],
    *,
    guid: str = "0" * 32,
    files: tuple[tuple[str, int], ...] = (),
    steps: tuple[tuple[str, int, int, tuple[tuple[int, str], ...]], ...] = (),
    kept: dict[str, list[str]] | None = None,
    options: int = 0,
    started: int = 637691783340784783,
    version: int = 22,
) -> bytes:
    """Return a report; steps are name, ticks, depth and messages."""
    data = text("New Report") + pack("<q", started) + guid_words(guid) + text("Win64") + pack("<ii", options, 0)
    data += text("C:/Game/Game.exe") + pack("<QQ", 6000, 197107333) + pack("<iiii", 0, 2, 1, 1)
    data += pack("<i", len(files))
    for number, (path, size) in enumerate(files):
        data += text(path) + text("Scene") + pack("<IQ", number, size)
    data += pack("<i", len(steps))
    for name, ticks, depth, messages in steps:
        data += text(name) + pack("<Qi", ticks, depth) + pack("<i", len(messages))
        data += b"".join(pack("<i", kind) + text(content) for kind, content in messages)
    things = [Thing(1, REPORT, data)]
    for number, (name, rows) in enumerate(packed.items(), 2):
        own = text(name) + pack("<Q", 4096) + pack("<i", len(rows))
        for row in rows:
            own += pack("<qiQ", row.path_id, row.class_id, row.size) + guid_words(row.guid) + text(row.path)
        things.append(Thing(number, PACKED, own))
    kinds = [Kind(REPORT, REPORT_TREE), Kind(PACKED, PACKED_TREE)]
    if kept is not None:
        own = pack("<i", len(kept))
        for name, reasons in kept.items():
            own += text(name) + pack("<i", len(reasons)) + b"".join(map(text, reasons))
        things.append(Thing(900, SCRIPTED, own + pack("<i", len(kept)) + b"".join(map(text, kept))))
        kinds.append(Kind(SCRIPTED, STRIPPING_TREE))
    return builder.serialized_file(things, kinds, version=version)
