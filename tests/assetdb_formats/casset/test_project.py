from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.casset.encoding.index import START_SIZE, index_of
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.encoding.write import encode_bundle
from assetdb_formats.casset.files import load, load_entry, load_index, project_of, scan
from assetdb_formats.casset.identity import fixed_name, predicted_uuid, uuid_text
from assetdb_formats.casset.model import (
    Blob,
    Bundle,
    BundleObject,
    Field,
    FieldType,
    Format,
    Kind,
    Layout,
    Reference,
)
from assetdb_formats.casset.project import Graph, Project, Verdict
from tests.assetdb_formats.casset import builder
from tests.assetdb_formats.casset.builder import (
    BUNDLE_TYPE,
    bundle3,
    bundle_object,
    object3,
    schema_entry,
    u32,
    u64,
    uuid,
    z,
)
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

USER = schema_entry(0, "/Code/T::User", [("one", b"\x17"), ("many", b"\x19"), ("structs", b"\x14" + u32(2))])
STRUCT = schema_entry(1, "/Code/T::Struct", [("target", b"\x17")])


def user(own: int, fields: bytes, dependencies: tuple[int, ...], *, source: str = "") -> bytes:
    """A bundle whose one asset refers to others."""
    entry = object3(own + 1, 1, "User", "User", fields, is_asset=1)
    declared = tuple(map(uuid, dependencies))
    types = [BUNDLE_TYPE, USER, STRUCT]
    return bundle3(
        types, [bundle_object(uuid(own)), entry], own=uuid(own), dependencies=declared, source=source, name="B"
    )


def reference(own: int, found: int | None = None) -> bytes:
    return uuid(own + 1 if found is None else found) + uuid(own)


NOTHING = bytes(16) + u32(0) + u32(0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project: A refers to B, C and the engine's D in every way; B to an object that C lacks; E copies C's UUID."""
    files = {
        "Game/Assets/A": user(
            100,
            reference(200)
            + (u32(2) + reference(300) + z("F") + bytes(16))
            + (u32(2) + reference(900) + reference(int.from_bytes(predicted_uuid("/Engine/Assets/T/D"), "little"), 4)),
            (200, 200, 400),
            source="A.png",
        ),
        "Game/Assets/Sub/B": user(200, reference(300, 999) + u32(0) + u32(0), (300,)),
        "Game/Assets/C": user(300, NOTHING, ()),
        "Game/Assets/E": user(300, NOTHING, ()),
        "Game/Settings": user(500, NOTHING, ()),
        "Editor/Assets/X": user(600, NOTHING, ()),
    }
    for name, data in files.items():
        path = tmp_path / f"{name}.casset"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "Engine/Assets/T").mkdir(parents=True)
    (tmp_path / "Engine/Assets/T/D.png").write_bytes(b"")
    (tmp_path / "Game/Assets/A.png").write_bytes(b"")
    (tmp_path / "Game/Assets/broken.casset").write_bytes(builder.MAGIC + bytes(50))
    (tmp_path / "My.cproject").write_text("{}")
    return tmp_path


def report_of(project: Project, path: str) -> list[tuple[str, str]]:
    report = project.report(load(project.by_path[path].file))
    return [(edge.use.field, edge.verdict.value) for edge in report.edges]


def test_the_registry_knows_what_the_engines_does(folder: Path) -> None:
    project = scan(str(folder))
    assert sorted(project.by_path) == [
        "/Editor/Assets/X",
        "/Game/Assets/A",
        "/Game/Assets/C",
        "/Game/Assets/E",
        "/Game/Assets/Sub/B",
        "/Game/Settings",
    ]
    assert [entry.path for entry in project.by_uuid[uuid(200)]] == ["/Game/Assets/Sub/B"]
    assert len(project.by_class["/Code/T::User"]) == 6
    assert project.by_source["/Game/Assets/A.png"].path == "/Game/Assets/A"
    assert {key: [entry.path for entry in entries] for key, entries in project.duplicates.items()} == {
        uuid(300): ["/Game/Assets/C", "/Game/Assets/E"]
    }
    assert [os.path.basename(error.path) for error in project.unreadable] == ["broken.casset"]


def test_the_verdicts(folder: Path) -> None:
    project = scan(str(folder))
    assert report_of(project, "/Game/Assets/A") == [
        ("outer", "transient"),
        ("one", "resolved"),
        ("many[0]", "resolved"),
        ("structs[0].target", "missing bundle"),
        ("structs[1].target", "missing bundle"),
    ]
    assert report_of(project, "/Game/Assets/Sub/B") == [("outer", "transient"), ("one", "missing object")]
    report = project.report(load(project.by_path["/Game/Assets/A"].file))
    engine = predicted_uuid("/Engine/Assets/T/D")
    assert [(found.verdict, found.bundle, found.times) for found in report.declared] == [
        (Verdict.UNDECLARED, uuid(300), 0),
        (Verdict.UNDECLARED, uuid(900), 0),
        (Verdict.UNDECLARED, engine, 0),
        (Verdict.DUPLICATE, uuid(200), 2),
        (Verdict.STALE, uuid(400), 1),
    ]
    assert report.bundles[uuid(900)] is Verdict.MISSING_BUNDLE
    assert project.predicted_path(engine) == "/Engine/Assets/T/D"
    assert project.predicted_path(uuid(900)) is None


def test_references_within_the_bundle_are_silent_unless_the_object_is_missing() -> None:
    bundle = read_bundle(user(100, reference(100, 55) + (u32(1) + reference(100) + z("F")) + u32(0), ()))
    report = Project(()).report(bundle)
    assert [(edge.use.field, edge.verdict) for edge in report.edges] == [
        ("outer", Verdict.TRANSIENT),
        ("one", Verdict.MISSING_OBJECT),
    ]
    assert report.declared == ()


def test_references_within_a_large_bundle_are_judged_at_once() -> None:
    """Each object was looked for among all."""
    layout = Layout(Kind.CLASS, "C", fields=(Field("outer", FieldType.REFERENCE),))
    own = uuid(1)
    objects = tuple(
        BundleObject(uuid(number), 0, 0, f"o{number}", "o", layout, (Reference(uuid(max(number - 1, 1)), own),), 0, 0)
        for number in range(1, 30_001)
    )
    bundle = Bundle(format=Format.BUNDLE_3, version=(3, 1, 0), uuid=own, name="B", objects=objects, schema=(layout,))
    began = time.monotonic()
    assert Project([]).report(bundle).edges == ()
    assert time.monotonic() - began < 5


def test_nothing_is_called_stale_where_an_object_could_not_be_read() -> None:
    bundle = read_bundle(user(100, reference(200), (300,)))
    assert len(bundle.problems) == 1
    assert [found.verdict for found in Project(()).report(bundle).declared] == [Verdict.UNDECLARED]


def test_the_graph_both_ways(folder: Path) -> None:
    project = scan(str(folder))
    graph = Graph(project, load_entry)
    assert [(entry.path, edge.use.field) for entry, edge in graph.usages(uuid(300))] == [
        ("/Game/Assets/A", "many[0]"),
        ("/Game/Assets/Sub/B", "one"),
    ]
    assert graph.usages(uuid(100)) == []
    assert [entry.path for entry in graph.unused()] == ["/Game/Settings", "/Game/Assets/A", "/Editor/Assets/X"]


def test_a_bundle_that_breaks_after_the_scan_is_reported(folder: Path) -> None:
    project = scan(str(folder))
    (folder / "Game/Settings.casset").write_bytes(b"\0BUNDLE\0")
    graph = Graph(project, load_entry)
    assert [os.path.basename(error.path) for error in graph.unreadable] == ["Settings.casset"]
    assert "/Game/Settings" not in graph.reports


def test_files_that_cannot_be_opened_are_reported(folder: Path) -> None:
    project = scan(str(folder))
    (folder / "Game/Settings.casset").unlink()
    (folder / "Game/Assets/Gone.casset").mkdir()
    graph = Graph(project, load_entry)
    assert ["Settings.casset: cannot be opened" in str(error) for error in graph.unreadable] == [True]
    with pytest.raises(FormatError, match="cannot be opened"):
        load_entry(project.by_path["/Game/Settings"]._replace(file=str(folder)))


def test_a_2_0_bundle_with_a_long_header_is_indexed(tmp_path: Path) -> None:
    path = tmp_path / "Old.casset"
    bundle = read_bundle(builder.bundle2())
    path.write_bytes(encode_bundle(bundle._replace(dependencies=("/Game/Long",) * START_SIZE)))
    assert len(load_index(str(path)).dependencies) == START_SIZE


def test_a_file_counts_once_however_often_it_is_named(folder: Path) -> None:
    """`bundle verify . ./X.casset` called it a duplicate of itself, and `build info` counted its objects twice."""
    once = scan(str(folder))
    file = once.entries[0].file
    for places in ([str(folder), file], [file, str(folder)], [str(folder), f"{folder}/", f"{folder}/."]):
        found = scan(places)
        assert [entry.path for entry in found.entries] == [entry.path for entry in once.entries]
        assert found.duplicates == once.duplicates


def test_bundles_in_capitals_are_of_the_project(folder: Path) -> None:
    before = scan(str(folder))
    path = next(entry.file for entry in before.entries)
    os.rename(path, f"{os.path.splitext(path)[0]}.CASSET")
    assert [entry.path for entry in scan(str(folder)).entries] == [entry.path for entry in before.entries]


def test_the_engine_may_be_installed_elsewhere(folder: Path) -> None:
    os.rename(folder / "Engine", folder / "Installed")
    engine = folder / "Elsewhere"
    engine.mkdir()
    os.rename(folder / "Installed", engine / "Engine")
    engine_uuid = predicted_uuid("/Engine/Assets/T/D")
    assert scan(str(folder)).predicted_path(engine_uuid) is None
    assert scan(str(folder), str(engine)).predicted_path(engine_uuid) == "/Engine/Assets/T/D"


def test_a_folder_that_is_no_project_is_scanned_as_it_is(folder: Path) -> None:
    project = scan(str(folder / "Game/Assets"))
    assert sorted(project.by_path) == ["/A", "/C", "/E", "/Sub/B"]


def test_the_project_of_a_file(folder: Path, tmp_path: Path) -> None:
    assert project_of(str(folder / "Game/Assets/Sub/B.casset")) == str(folder)
    (folder / "My.cproject").unlink()
    assert project_of(str(folder / "Game/Assets/Sub/B.casset")) == str(folder)
    assert project_of(str(tmp_path / "loose.casset")) == str(tmp_path)


@needs_links
def test_symbolic_links_to_folders_are_not_followed(folder: Path) -> None:
    os.symlink(folder / "Game", folder / "Game/Assets/Loop", target_is_directory=True)
    assert len(scan(str(folder)).entries) == 6


@pytest.mark.parametrize("name", builder.every_format())
def test_the_index_says_what_the_whole_says(name: str, tmp_path: Path) -> None:
    data = builder.every_format()[name]
    (tmp_path / "A.casset").write_bytes(data)
    index = load_index(str(tmp_path / "A.casset"))
    whole = read_bundle(data)
    assert index == index_of(whole)
    assert index.format_name == whole.format_name
    assert index.primary is not None
    assert whole.primary is not None
    assert index.primary.uuid == whole.primary.uuid


def big(blob_size: int, *, header: int = 0) -> tuple[bytes, bytes]:
    """What is before and after the blob of a bundle; a long header where asked for."""
    types = [BUNDLE_TYPE, schema_entry(0, "/Code/T::Big", [("blob", b"\x16")])]
    small = object3(2, 1, "Small", "Small", u64(0) + u64(0))
    head = u32(28) + uuid(1) + b"\0" + u32(1) + z("B") + z("B")
    body = u32(len(head) - 4) + head[4:] + u64(8 + 16 + blob_size) + u64(blob_size) + u64(0)
    entry = u64(8 + len(body) + blob_size) + body
    whole = bundle3(types, [bundle_object(), entry, small], header_extra=bytes(header))
    cut = whole.index(entry) + len(entry)
    data_offset = int.from_bytes(whole[0x20:0x28], "little")
    size = int.from_bytes(whole[data_offset : data_offset + 8], "little") + blob_size
    start = whole[:data_offset] + u64(size) + whole[data_offset + 8 : cut]
    return start, whole[cut:]


@pytest.mark.parametrize("header", [0, 3 * START_SIZE])
def test_a_blob_of_2_gb_is_not_read(tmp_path: Path, header: int) -> None:
    path = tmp_path / "Big.casset"
    start, end = big(2 << 30, header=header)
    with path.open("wb") as file:
        file.write(start)
        file.seek(2 << 30, os.SEEK_CUR)
        file.write(end)
    index = load_index(str(path))
    assert [entry.path for entry in index.objects] == ["", "B", "Small"]
    bundle = load(str(path))
    assert bundle.problems == ()
    blob = bundle.objects[1].value("blob")
    assert isinstance(blob, Blob)
    assert len(blob.data) == 2 << 30
    assert index_of(bundle) == index


def test_a_file_of_the_mapped_size_that_ends_early_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "Big.casset"
    start, end = big(3 << 20)
    path.write_bytes(start + bytes(3 << 20) + end[:-1])
    for read in (load, load_index):
        with pytest.raises(FormatError, match="end of the file") as caught:
            read(str(path))
        assert caught.value.path == str(path)


def test_engine_uuids_are_foretold_from_the_path() -> None:
    # The path is the example of the engine's own comments (Bundle.cpp); no file of it is public.
    path = "/Engine/Assets/Textures/Noise/Perlin/Perlin04"
    assert uuid_text(predicted_uuid(path)) == "83bc3cf7-55e9-4c0b-ab3d-2168df499c90"
    assert len({predicted_uuid(path), predicted_uuid(path, "Texture"), predicted_uuid(path, "Texture", 2)}) == 3
    assert predicted_uuid(path, "Texture", 2) == predicted_uuid(f"{path}.Texture_2")


def test_names_are_fixed_as_the_engine_does() -> None:
    assert fixed_name("Cracks 1 - 512x512 (a.b)") == "Cracks_1_-_512x512__a_b_"
