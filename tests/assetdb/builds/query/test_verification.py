"""What a content directory lacks by its layout, where several lie together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds import open_build, verify
from assetdb_formats.unityfs.content_layout import content_hash
from tests.assetdb.builds.content_directories import (
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
from tests.assetdb.builds.making import Material, bundle

if TYPE_CHECKING:
    from pathlib import Path


def test_two_content_directories_have_a_manifest_each(tmp_path: Path) -> None:
    """A file may refer to another version of its neighbour in each, though its own bytes are equal."""
    for name, green in (("old", A), ("new", "9" * 32)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{green}.cf").write_bytes(texture())
        (folder / f"{B}.cf").write_bytes(material())
        files = rows()
        files[1]["ContentHash"] = green
        write_manifest(folder, files)
    build = open_build(tmp_path, remember=False)
    assert not [text for text in verify(build).findings if PIXELS not in text]
    leaves = [item.number for item in build.objects() if item.name == "Leaf"]
    targets = [build.references(number)[1].target for number in leaves]
    folders = [build.files[build.file_of(number)].name.partition("/")[0] for number in leaves]
    assert [build.files[build.file_of(number)].name.partition("/")[0] for number in targets] == folders


def test_a_manifest_names_files_that_are_gone(tmp_path: Path) -> None:
    (tmp_path / f"{B}.cf").write_bytes(material())
    write_manifest(tmp_path, rows())
    found = list(verify(open_build(tmp_path, remember=False)).findings)
    assert f"{MANIFEST}.json: {A} is not in the build" in found


def test_two_objects_with_one_number_are_told_by_the_file_in_its_archive(tmp_path: Path) -> None:
    leaves = [Material(7, "Leaf", ()), Material(7, "Twin", ())]
    (tmp_path / "trees.bundle").write_bytes(bundle("CAB-trees", "trees", leaves))
    assert "trees.bundle/CAB-trees: 2 objects have PathID 7" in verify(open_build(tmp_path, remember=False)).findings


def test_pixels_that_the_layout_names_are_compared_with_the_hash_of_their_name(tmp_path: Path) -> None:
    folder, other = write_content(tmp_path / "Content"), content_hash([b"other"])
    (folder / f"{other}.resS").write_bytes(b"other")
    write_layout(folder, {PIXELS: ("resS", 48), other: ("resS", 5)})
    found = verify(open_build(tmp_path, remember=False)).findings
    assert f"Content/{PIXELS}.resS: was changed: the hash of its content is {content_hash([bytes(48)])}" in found
    assert not [text for text in found if other in text]
