"""Reports of builds: read as they were written, and as UnityPy reads those of real projects."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.unityfs.build_report import Kept, Message, OutputFile, Step, read_build_report
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import Kind, Thing
from tests.assetdb_formats.unityfs.reports import REPORT, Row, report

if TYPE_CHECKING:
    from pathlib import Path

GUID = "0123456789abcdef0123456789abcdef"
ROWS = [Row(3, 28, 200, GUID, "Assets/apple.png"), Row(1, 150, 64, "0" * 32, "")]
STEPS = (("Build player", 197107333, 0, ()), ("Compile scripts", 5, 1, ((2, "obsolete"),)))


def test_a_report_is_read_as_it_was_written() -> None:
    data = report(
        {"sharedassets0.assets": ROWS},
        guid=GUID[::-1],
        files=(("C:/Game/Game_Data/level0", 1 << 40),),
        steps=STEPS,
        kept={"Physics": ["Required by Scripts", "Rigidbody"], "Audio": []},
        options=8 | 1,
    )
    found = read_build_report(data)
    assert (found.guid, found.platform, found.options, found.result, found.warnings) == (GUID[::-1], "Win64", 9, 1, 2)
    assert (found.started, found.duration, found.size) == (637691783340784783, 197107333, 6000)
    assert found.files == (OutputFile("C:/Game/Game_Data/level0", "Scene", 1 << 40),)
    assert found.steps == (
        Step("Build player", 0, 197107333, ()),
        Step("Compile scripts", 1, 5, (Message(2, "obsolete"),)),
    )
    (packed,) = found.packed
    assert packed.name == "sharedassets0.assets"
    assert [tuple(row) for row in packed.objects] == [tuple(ROWS[0]), (1, 150, 64, "", "")]
    assert found.kept == (Kept("Physics", ("Required by Scripts", "Rigidbody")), Kept("Audio", ()))


def test_a_script_that_is_no_list_of_modules_is_passed_over() -> None:
    kind = Kind(114, ("MonoBehaviour Base", " int m_Enabled"))
    own = report({})
    assert read_build_report(own).kept == ()
    things = [Thing(1, 114, pack("<i", 1))]
    with pytest.raises(UnsupportedError, match="has 0 objects BuildReport"):
        read_build_report(builder.serialized_file(things, [kind]))


def test_what_is_no_report_is_a_typed_error(tmp_path: Path) -> None:
    data = report({"level0": ROWS})
    path = tmp_path / "Last.buildreport"
    path.write_bytes(data[:-8])
    with pytest.raises(UnityFSError, match=rf"Last\.buildreport: .*declares {len(data)} bytes and has {len(data) - 8}"):
        read_build_report(str(path))
    for wrong in (b"", b"x" * 8, b"UnityFS\0" + bytes(60), bytes(4096)):
        with pytest.raises(UnityFSError):
            read_build_report(wrong)
    newer = data[:8] + pack(">I", 26) + data[12:]
    with pytest.raises(UnsupportedError, match="version 26"):
        read_build_report(newer)
    stripped = builder.serialized_file([Thing(1, REPORT, bytes(64))], [Kind(REPORT, ())], trees=False)
    with pytest.raises(UnityFSError):
        read_build_report(stripped)


def test_a_report_with_other_fields_names_the_field() -> None:
    kind = Kind(REPORT, ("BuildReport Base", " int m_Summary"))
    with pytest.raises(UnityFSError, match=r"object 1\.m_Summary: is not a structure"):
        read_build_report(builder.serialized_file([Thing(1, REPORT, bytes(4))], [kind]))


@pytest.mark.parametrize("place", range(0, 700, 7))
def test_a_damaged_report_is_a_report_or_a_typed_error(place: int) -> None:
    data = bytearray(report({"level0": ROWS}, steps=STEPS, kept={"Audio": ["x"]}))
    at = len(data) - 1 - place % len(data)
    data[at] ^= 0xFF
    try:
        found = read_build_report(bytes(data))
    except UnityFSError:
        return
    assert all(isinstance(row.size, int) for file in found.packed for row in file.objects)


@pytest.mark.corpus("buildreports")
@pytest.mark.parametrize("project", ["Pong", "Arkanoid"])
def test_reports_of_real_projects_are_as_unitypy_reads_them(corpus: Path, project: str) -> None:
    unitypy = pytest.importorskip("UnityPy")
    path = corpus / "builds" / project / "Library/LastBuild.buildreport"
    found = read_build_report(str(path))
    values: dict[int, list[dict[str, Any]]] = {}
    for item in unitypy.load(str(path)).objects:
        values.setdefault(int(item.class_id), []).append(item.read_typetree())
    (whole,) = values[1125]
    assert found.steps == tuple(
        Step(
            row["stepName"],
            row["depth"],
            row["durationTicks"],
            tuple(Message(message["type"], message["content"]) for message in row["messages"]),
        )
        for row in whole["m_BuildSteps"]
    )
    assert found.files == tuple(OutputFile(row["path"], row["role"], row["totalSize"]) for row in whole["m_Files"])
    expected = {
        row["m_ShortPath"]: [
            (item["fileID"], item["classID"], item["packedSize"], item["buildTimeAssetPath"])
            for item in row["m_Contents"]
        ]
        for row in values[1126]
    }
    assert {
        file.name: [(row.path_id, row.class_id, row.size, row.path) for row in file.objects] for file in found.packed
    } == expected
    metas = {
        str(meta.relative_to(corpus / "builds" / project))[:-5]: meta.read_text("utf-8").partition("guid: ")[2][:32]
        for meta in (corpus / "builds" / project / "Assets").rglob("*.meta")
    }
    rows = {row.path: row.guid for file in found.packed for row in file.objects if row.path in metas}
    assert len(rows) > 5
    assert rows == {path: metas[path] for path in rows}
