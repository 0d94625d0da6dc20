"""Against the real files: written by the engine's own serializer, and the text files of its history."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.casset.encoding.index import index_of
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.encoding.write import encode_bundle
from assetdb_formats.casset.files import load, load_index, scan
from assetdb_formats.casset.identity import uuid_text
from assetdb_formats.casset.model import FieldType, Format, Kind
from assetdb_formats.casset.project import Graph, Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb_formats.casset.model import Bundle

pytestmark = pytest.mark.corpus("casset")


@pytest.fixture
def folder(corpus: Path) -> Path:
    return corpus / "casset"


def test_every_file_is_read_to_its_end_and_written_back(folder: Path) -> None:
    seen: dict[str, int] = {}
    for path in sorted(folder.rglob("*.casset")):
        data = path.read_bytes()
        if path.parent.name == "git_history_cpak":
            with pytest.raises(FormatError, match="CPAK"):
                read_bundle(data)
            continue
        bundle = read_bundle(data)
        assert bundle.problems == (), path
        assert encode_bundle(bundle) == data, path
        assert load_index(str(path)) == index_of(bundle), path
        seen[bundle.format_name] = seen.get(bundle.format_name, 0) + 1
    assert seen == {"text": 704, "2.0": 1, "3.0 sized": 1, "3.0": 10, "3.1": 8}


def test_the_files_leave_only_the_opaque_types_to_synthetic_ones(folder: Path) -> None:
    types: set[int] = set()
    kinds: set[int] = set()
    for path in (folder / "engine_written").glob("v3.*/*.casset"):
        for layout in read_bundle(path.read_bytes()).schema:
            kinds.add(layout.kind)
            types.update(field.type for field in layout.fields)
    assert kinds == {Kind.CLASS, Kind.STRUCT}
    assert types == set(range(FieldType.U8, FieldType.OPAQUE))


def annotate(data: bytes, bundle: Bundle) -> list[tuple[int, bytes, str]]:
    """Return every part of a file of format 3.1 with one object: where it is, its bytes, and what it says."""
    rows: list[tuple[int, bytes, str]] = []

    def part(size: int, says: str) -> None:
        start = sum(len(row[1]) for row in rows)
        rows.append((start, data[start : start + size], says))

    def number(size: int, name: str) -> int:
        start = sum(len(row[1]) for row in rows)
        value = int.from_bytes(data[start : start + size], "little")
        part(size, f"{name} {value:#x}")
        return value

    def text(name: str, says: str) -> None:
        part(len(name.encode()) + 1, f"{says} {name!r}")

    part(8, "magic")
    number(4, "checksum")
    for name in ("major", "minor", "patch"):
        number(4, name)
    number(8, "schema")
    number(8, "data")
    part(16, f"uuid {uuid_text(bundle.uuid)}")
    text(bundle.name, "name")
    number(4, "dependencies")
    number(1, "cooked")
    text(bundle.source or "", "source")
    number(8, "table size")
    number(4, "entries")
    (layout,) = bundle.schema
    number(4, "entry size")
    number(1, "kind")
    text(layout.name, "type")
    number(4, "type version")
    number(4, "fields")
    for field in layout.fields:
        text(field.name, "field")
        number(1, "type")
    number(4, "end of schema")
    number(8, "data size")
    number(4, "objects")
    (entry,) = bundle.objects
    number(8, "object size")
    number(4, "header size")
    part(16, "uuid")
    number(1, "asset")
    number(4, "schema entry")
    text(entry.path, "path")
    text(entry.name, "name")
    number(8, "fields size")
    text(str(entry.value("name")), "value")
    part(16, "value")
    number(4, "object map")
    part(16, "outer object")
    part(16, "outer bundle")
    number(4, "end of data")
    number(8, "end of file")
    return rows


def test_the_annotated_example(folder: Path) -> None:
    data = (folder / "engine_written/v3.1.0_dfee70e7/EmptyBundle.casset").read_bytes()
    bundle = read_bundle(data)
    rows = annotate(data, bundle)
    assert b"".join(row[1] for row in rows) == data
    assert len(data) == 303
    assert [(start, says) for start, _, says in rows if not says.startswith(("uuid", "value"))] == [
        (0x000, "magic"),
        (0x008, "checksum 0x0"),
        (0x00C, "major 0x3"),
        (0x010, "minor 0x1"),
        (0x014, "patch 0x0"),
        (0x018, "schema 0x4a"),
        (0x020, "data 0xa1"),
        (0x038, "name 'EmptyBundle'"),
        (0x044, "dependencies 0x0"),
        (0x048, "cooked 0x0"),
        (0x049, "source ''"),
        (0x04A, "table size 0x57"),
        (0x052, "entries 0x1"),
        (0x056, "entry size 0x47"),
        (0x05A, "kind 0x0"),
        (0x05B, "type '/Code/Core.CE::Bundle'"),
        (0x071, "type version 0x0"),
        (0x075, "fields 0x4"),
        (0x079, "field 'name'"),
        (0x07E, "type 0xc"),
        (0x07F, "field 'uuid'"),
        (0x084, "type 0x1b"),
        (0x085, "field 'attachedObjects'"),
        (0x095, "type 0x1c"),
        (0x096, "field 'outer'"),
        (0x09C, "type 0x17"),
        (0x09D, "end of schema 0x0"),
        (0x0A1, "data size 0x86"),
        (0x0A9, "objects 0x1"),
        (0x0AD, "object size 0x76"),
        (0x0B5, "header size 0x22"),
        (0x0C9, "asset 0x0"),
        (0x0CA, "schema entry 0x0"),
        (0x0CE, "path ''"),
        (0x0CF, "name 'EmptyBundle'"),
        (0x0DB, "fields size 0x48"),
        (0x0FF, "object map 0x0"),
        (0x103, "outer object"),
        (0x113, "outer bundle"),
        (0x123, "end of data 0x0"),
        (0x127, "end of file 0x0"),
    ]
    first, second = (int.from_bytes(bundle.uuid[at : at + 8], "little") for at in (0, 8))
    assert uuid_text(bundle.uuid) == str(UUID(int=first << 64 | second))
    assert bundle.objects[0].uuid == bundle.uuid == bundle.objects[0].value("uuid")
    assert (bundle.objects[0].offset, bundle.objects[0].size) == (0xAD, 0x76)
    # The example again, from the model alone.
    assert encode_bundle(bundle) == data


def edges(folder: Path, name: str) -> list[tuple[str, str, str, str | None]]:
    """The references of a bundle: object, field, verdict, path of the bundle they lead to."""
    project = scan(str(folder))
    report = project.report(load(project.by_path[f"/{name}"].file))
    return [
        (edge.use.source.path, edge.use.field, edge.verdict.value, edge.target.path if edge.target else None)
        for edge in report.edges
    ]


def test_dep_quirks_is_complete_in_3_1(folder: Path) -> None:
    folder = folder / "engine_written/v3.1.0_dfee70e7"
    assert edges(folder, "DepQuirks") == [
        ("", "outer", "transient", None),
        ("All", "ref", "resolved", "/DepA"),
        ("All", "weakExt", "resolved", "/DepA"),
        ("All", "del", "resolved", "/DepDelegateOnly"),
        ("All", "inners[0].obj", "resolved", "/DepStructArrayOnly"),
    ]
    project = scan(str(folder))
    bundle = load(project.by_path["/DepQuirks"].file)
    own = {
        name: project.by_path[f"/{name}"].contents.uuid for name in ("DepA", "DepDelegateOnly", "DepStructArrayOnly")
    }
    assert bundle.dependencies == (own["DepA"], own["DepA"])
    assert [(found.verdict, found.bundle, found.times) for found in project.report(bundle).declared] == [
        (Verdict.UNDECLARED, own["DepDelegateOnly"], 0),
        (Verdict.UNDECLARED, own["DepStructArrayOnly"], 0),
        (Verdict.DUPLICATE, own["DepA"], 2),
    ]


def test_dep_quirks_lacks_a_bundle_in_3_0(folder: Path) -> None:
    assert edges(folder / "engine_written/v3.0.0_dfe230bc", "DepQuirks") == [
        ("", "outer", "transient", None),
        ("All", "ref", "resolved", "/DepA"),
        ("All", "weakExt", "resolved", "/DepA"),
        ("All", "del", "missing bundle", None),
        ("All", "inners[0].obj", "resolved", "/DepStructArrayOnly"),
    ]


def test_the_chain_of_four_bundles(folder: Path) -> None:
    folder = folder / "engine_written/v3.0.0_dfe230bc"
    outer = ("", "outer", "transient", None)
    assert edges(folder, "MyScriptBundle") == [
        outer,
        ("MyScript", "meshAsset", "resolved", "/MyMeshBundle"),
        ("MyScript", "scriptEvent[0]", "resolved", "/MyMeshBundle"),
    ]
    assert edges(folder, "MyMeshBundle") == [outer, ("MyMesh", "material", "resolved", "/MyMaterialBundle")]
    assert edges(folder, "MyMaterialBundle") == [
        outer,
        ("MyMaterial", "textures[0]", "resolved", "/MyTextureBundle_0"),
        ("MyMaterial", "textures[1]", "missing bundle", None),
    ]
    assert edges(folder, "MyTextureBundle_0") == [outer]
    project = scan(str(folder))
    for name in ("MyScriptBundle", "MyMeshBundle", "MyMaterialBundle"):
        assert project.report(load(project.by_path[f"/{name}"].file)).declared == ()
    graph = Graph(project, lambda entry: load(entry.file))
    assert {entry.path for entry in graph.unused()} == {"/AllTypes", "/DepQuirks", "/EmptyBundle", "/MyScriptBundle"}
    material = project.by_path["/MyMaterialBundle"].contents.uuid
    assert [entry.path for entry, _ in graph.usages(material)] == ["/MyMeshBundle"]


def test_the_180_textures_of_one_uuid(folder: Path) -> None:
    project = scan(str(folder / "git_history_text_v0"))
    assert project.unreadable == ()
    assert [len(entries) for entries in project.duplicates.values()] == [180]
    assert len(project.by_uuid) == 525
    assert {entry.contents.format for entry in project.entries} == {Format.TEXT}
