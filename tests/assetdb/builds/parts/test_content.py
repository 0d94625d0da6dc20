"""Content directories: files by hash, references by the manifest, and what differs from the layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.build import resolve_streams
from assetdb.builds.query.summary import summarize
from assetdb.builds.query.verification import verify
from assetdb.cli import main
from assetdb_formats.unityfs.content_layout import content_hash
from tests.assetdb.builds.content_directories import (
    IDENTITY,
    MANIFEST,
    PIXELS,
    A,
    B,
    material,
    rows,
    texture,
    write_content,
    write_layout,
    write_manifest,
)
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_content(tmp_path / "Content")


def test_references_go_by_the_place_in_the_manifest(content: Path) -> None:
    build = open_build(content, remember=False)
    green, leaf = (next(item for item in build.objects() if item.name == name) for name in ("Green", "Leaf"))
    assert [reference.target for reference in build.references(leaf.number)][1:] == [green.number]
    assert [stream.is_inside for stream in resolve_streams(build)] == [True]
    found = summarize(build)
    assert (found.missing, found.missing_references, found.scenes) == ((), 0, ("Assets/Main.unity",))
    assert dict(found.parts)["content manifest"] == 1
    assert verify(build).findings == ()
    assert build.scenes[leaf.file] == "Assets/Main.unity"


def test_a_name_of_another_file_does_not_mislead(content: Path) -> None:
    """Unity ignores the names in the files: what counts is the list in the manifest."""
    data = material().replace(IDENTITY.encode(), b"3" * 32)
    (content / f"{B}.cf").write_bytes(data)
    assert verify(open_build(content, remember=False)).findings == ()


def test_without_a_manifest_references_are_missing(content: Path) -> None:
    (content / f"{MANIFEST}.json").unlink()
    assert f"{IDENTITY}.cfid is not in the build" in "".join(verify(open_build(content, remember=False)).findings)


def test_a_layout_stands_for_a_manifest_and_tells_sizes(content: Path, tmp_path: Path) -> None:
    (content / f"{MANIFEST}.json").unlink()
    sizes = {
        A: ("contentfile", len(texture())),
        B: ("contentfile", len(material()) + 1),
        PIXELS: ("texture", 48),
        "e" * 32: ("audio", 9),
        MANIFEST: ("manifest", 1),
    }
    layout = write_layout(tmp_path, sizes)
    build = open_build([content, layout], remember=False)
    assert list(verify(build).findings) == [
        f"Content/{B}.cf: has {len(material()):,} bytes, ContentLayout.json says {len(material()) + 1:,}",
        f"ContentLayout.json: {'e' * 32} is not in the build",
    ]
    (content / f"{A}.cf").unlink()
    text_of_all = "\n".join(verify(open_build([content, layout], remember=False)).findings)
    assert f"{A} (of Assets/Green.png) is not in the build" in text_of_all


def test_a_layout_of_another_build_is_said_once(content: Path, tmp_path: Path) -> None:
    other = [{**row, "ContentHash": "9" * 32} if "ContentHash" in row else row for row in rows()]
    layout = write_layout(tmp_path, {"9" * 32: ("contentfile", 3)}, SerializedFiles=other)
    assert verify(open_build([content, layout], remember=False)).findings == (
        "ContentLayout.json: none of its 1 files is in the build: it is of another build",
    )


def test_other_references_than_the_manifest_are_told(content: Path) -> None:
    files = rows()
    files[2]["SerializedFileDependencies"] = [1]
    write_manifest(content, files)
    findings = "\n".join(verify(open_build(content, remember=False)).findings)
    assert f"{B}.cf: refers to 2 other files, its manifest says 1" in findings


def test_content_in_an_archive_has_the_same_references(content: Path, tmp_path: Path) -> None:
    packed = tmp_path / "Packed"
    packed.mkdir()
    names = {A: f"{A}.cf", B: f"{B}.cf", f"{PIXELS}.resS": f"{PIXELS}.resS"}  # members may lack the extension
    data = builder.archive([(name, (content / own).read_bytes()) for name, own in names.items()], compression=0)
    (packed / "content0.archive").write_bytes(data)
    (packed / f"{MANIFEST}.json").write_bytes((content / f"{MANIFEST}.json").read_bytes())
    build = open_build(packed, remember=False)
    assert (verify(build).findings, summarize(build).missing_references) == ((), 0)


def test_unreadable_layouts_are_problems_of_a_build_that_is_read(
    content: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = write_layout(tmp_path, {}, Version=4)
    build = open_build([content, layout], remember=False)
    assert build.problems == ("ContentLayout.json: Version: version 4 of a content layout: versions 2 and 3 are read",)
    assert len(build) == 2
    assert main(["build", "info", str(content), str(layout)]) == 2
    assert "version 4 of a content layout" in capsys.readouterr().err


def test_damaged_content_files_are_no_strange_files(content: Path) -> None:
    (content / f"{A}.cf").write_bytes(b"gone")
    (content / "content0.archive").write_bytes(b"gone")
    problems = "\n".join(open_build(content, remember=False).problems)
    assert f"{A}.cf" in problems
    assert "content0.archive" in problems


def test_what_a_manifest_and_its_layout_say_is_said_once(content: Path, tmp_path: Path) -> None:
    (content / f"{A}.cf").unlink()
    layout = write_layout(tmp_path, {A: ("contentfile", 1)})
    findings = [line for line in verify(open_build([content, layout], remember=False)).findings if A in line]
    assert findings == [f"ContentLayout.json: {A} (of Assets/Green.png) is not in the build"]


def test_a_manifest_that_was_changed_is_told_by_its_hash(content: Path) -> None:
    path = content / f"{MANIFEST}.json"
    path.write_bytes(path.read_bytes().replace(b"Main.unity", b"Mean.unity"))
    assert verify(open_build(content, remember=False)).findings == (
        f"{MANIFEST}.json: was changed: the hash of its content is {content_hash([path.read_bytes()])}",
    )


def named_by_hash(tmp_path: Path, pixels: bytes) -> tuple[Path, list[str]]:
    """Write two textures' pixels, named by their hashes as in a layout."""
    folder = write_content(tmp_path / "Named")
    names = [content_hash([pixels]), content_hash([b"other pixels"])]
    files: list[dict[str, object]] = [*rows(), *({"ContentHash": name, "ID": f"{name}.cfid"} for name in names)]
    write_manifest(folder, files)
    for name, own in zip(names, (pixels, b"other pixels"), strict=True):
        (folder / f"{name}.resource").write_bytes(own)
    return folder, names


def test_a_changed_file_is_told_beside_one_that_is_as_named(tmp_path: Path) -> None:
    folder, names = named_by_hash(tmp_path, bytes(3 << 20))
    assert "changed" not in "".join(verify(open_build(folder, remember=False)).findings)
    (folder / f"{names[0]}.resource").write_bytes(b"forged")
    found = verify(open_build(folder, remember=False))
    told = f"{names[0]}.resource: was changed: the hash of its content is {content_hash([b'forged'])}"
    assert [line for line in found.findings if "changed" in line] == [told]
    (folder / f"{names[1]}.resource").write_bytes(b"forged, too")
    found = verify(open_build(folder, remember=False))
    assert [line for line in found.findings if "changed" in line] == []
    said = "hashes of 2 .resource files: none is named by the XXH3-128 of its content, as manifests are"
    assert said in found.unread
