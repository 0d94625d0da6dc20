"""Assets with the same bytes, beside a plain comparison of all files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.query.sizes import sizes_of
from assetdb.query.snapshots.same_contents import Copies, SameContents, same_contents
from assetdb.query.snapshots.snapshot import open_project
from scripts.fixture import copy_fixture
from tests.needs import needs_links
from tests.system.graph.project import HEAD, add

if TYPE_CHECKING:
    from pathlib import Path

MATERIAL = f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: {{}}\n"


def found_in(root: Path) -> SameContents:
    project = open_project(str(root))
    try:
        project.refresh()
        return same_contents(project, sizes_of(project, list(project.database)))
    finally:
        project.close()


def test_copies_are_those_of_a_plain_comparison(tmp_path: Path) -> None:
    root = tmp_path / "P"
    copy_fixture(root)
    for name in ("one.png", "two.png", "three.bytes"):
        add(root, f"Assets/{name}", "the same picture", "TextureImporter")
    project = open_project(str(root))
    paths = [asset.path for asset in project.database]
    project.close()
    contents: dict[bytes, list[str]] = {}
    for path in sorted(paths):
        if (root / path).is_file() and (data := (root / path).read_bytes()):
            contents.setdefault(data, []).append(path)
    expected = {(len(data), tuple(same)) for data, same in contents.items() if len(same) > 1}
    found = found_in(root)
    assert {tuple(row) for row in found.copies} == expected
    assert found.unread == 0
    wasted = [row.wasted for row in found.copies]
    assert wasted == sorted(wasted, reverse=True)
    assert Copies(16, ("Assets/one.png", "Assets/three.bytes", "Assets/two.png")) in found.copies


@needs_links
def test_what_lies_outside_is_not_read(tmp_path: Path) -> None:
    root = tmp_path / "P"
    for name in ("a.png", "b.png", "c.png"):
        add(root, f"Assets/{name}", "secret", "TextureImporter")
    (root / "ProjectSettings").mkdir()
    (tmp_path / "outside").write_text("secret")
    (root / "Assets/c.png").unlink()
    (root / "Assets/c.png").symlink_to(tmp_path / "outside")
    found = found_in(root)
    assert [row.paths for row in found.copies] == [("Assets/a.png", "Assets/b.png")]
    assert found.unread == 1


def test_an_edit_is_seen(tmp_path: Path) -> None:
    add(tmp_path, "Assets/a.mat", MATERIAL.format("a"), "NativeFormatImporter")
    add(tmp_path, "Assets/b.mat", MATERIAL.format("b"), "NativeFormatImporter")
    (tmp_path / "ProjectSettings").mkdir()
    assert found_in(tmp_path).copies == ()
    (tmp_path / "Assets/b.mat").write_text(MATERIAL.format("a"))
    assert [row.paths for row in found_in(tmp_path).copies] == [("Assets/a.mat", "Assets/b.mat")]


def test_empty_files_are_no_copies_and_a_file_that_went_is_counted(tmp_path: Path) -> None:
    for name in ("a.png", "b.png", "c.txt", "d.txt"):
        add(tmp_path, f"Assets/{name}", "" if name.endswith("txt") else "xx", "TextureImporter")
    (tmp_path / "ProjectSettings").mkdir()
    project = open_project(str(tmp_path))
    project.refresh()
    sizes = sizes_of(project, list(project.database))
    (tmp_path / "Assets/a.png").unlink()
    assert same_contents(project, sizes) == SameContents((), 1)
    project.close()
