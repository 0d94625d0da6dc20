"""What a content directory lacks by its layout, where several lie together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds import open_build, verify
from tests.assetdb.builds.content_directories import MANIFEST, PIXELS, A, B, material, rows, texture, write_manifest

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
