"""Layouts of content directories that a project keeps, found by the hash of the manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds import open_build
from assetdb.builds.query.summary import summarize
from assetdb.builds.query.verification import verify
from tests.assetdb.builds.content_directories import MANIFEST, A, texture, write_content, write_layout

if TYPE_CHECKING:
    from pathlib import Path


def test_a_layout_is_found_in_the_history_by_the_hash_of_the_manifest(tmp_path: Path) -> None:
    """The newest of its name; others of the history are not its own."""
    root = tmp_path / "project"
    for folder in ("Assets", "ProjectSettings"):
        (root / folder).mkdir(parents=True)
    content = write_content(root / "Builds/Content")
    history = root / "Library/BuildHistory"
    sizes = {A: ("contentfile", len(texture())), "e" * 32: ("audio", 9)}
    for name, manifest in (("20260504-1-a", MANIFEST), ("20260505-1-b", MANIFEST), ("20260506-1-c", "8" * 32)):
        (history / name).mkdir(parents=True)
        write_layout(history / name, sizes, BuildManifestHash=manifest)
    build = open_build(content, remember=False)
    laid_out = "Library/BuildHistory/20260505-1-b/ContentLayout.json"
    assert [item.part.name for item in build.contents] == [f"{MANIFEST}.json", laid_out]
    assert [part.name for part in build.parts if part.name == laid_out] == []
    assert verify(build).findings == (f"{laid_out}: {'e' * 32} is not in the build",)
    assert summarize(build).layouts == (laid_out,)
    given = open_build([content, history / "20260504-1-a/ContentLayout.json"], remember=False)
    assert [item.part.name for item in given.contents] == [f"Content/{MANIFEST}.json", "ContentLayout.json"]
    elsewhere = write_content(tmp_path / "Content")
    assert len(open_build(elsewhere, remember=False).contents) == 1
    assert len(open_build(elsewhere, remember=False, project=str(root)).contents) == 2


def test_a_manifest_in_an_archive_has_its_hash_beside_it(tmp_path: Path) -> None:
    root = tmp_path / "project"
    for folder in ("Assets", "ProjectSettings", "Library/BuildHistory/1"):
        (root / folder).mkdir(parents=True)
    content = write_content(root / "Content")
    (content / f"{MANIFEST}.json").unlink()
    layout = write_layout(root / "Library/BuildHistory/1", {})
    assert open_build(content, remember=False).contents == ()
    (content / "BuildManifestHash.txt").write_text(f"{MANIFEST}\n")
    build = open_build(content, remember=False)
    assert [item.layout.manifest_hash for item in build.contents] == [MANIFEST]
    write_layout(layout.parent, {}, Version=9)
    build = open_build(content, remember=False)
    assert build.problems == (
        "Library/BuildHistory/1/ContentLayout.json: Version: version 9 of a content layout: versions 2 and 3 are read",
    )
    for strange in ("", "x" * 5000, "\udcff"):
        (content / "BuildManifestHash.txt").write_text(strange, errors="surrogateescape")
        assert open_build(content, remember=False).contents == ()


def test_what_is_no_file_is_no_layout(tmp_path: Path) -> None:
    root = tmp_path / "project"
    for folder in ("Assets", "ProjectSettings", "Library/BuildHistory/2/ContentLayout.json"):
        (root / folder).mkdir(parents=True)
    (root / "Library/BuildHistory/1").write_text("a file")
    content = write_content(root / "Content")
    assert len(open_build(content, remember=False).contents) == 1
