"""Two builds part by part: which part is which of before, its verdict and download, and the objects in it."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.comparison import compare
from assetdb.cli import main
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds import Build

A, B = "CAB-" + "a" * 32, "CAB-" + "b" * 32
HASH, OTHER = "0" * 32, "1" * 32
BARK = Texture(7, "bark", b"brown" * 9)
BUNDLE = making.bundle(A, "trees", [BARK])
CHANGED = making.bundle(A, "trees", [BARK, Texture(8, "moss", b"m" * 50)])


def build(folder: Path, files: dict[str, bytes]) -> Build:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return open_build(folder, remember=False)


def verdicts(tmp_path: Path, before: dict[str, bytes], after: dict[str, bytes]) -> list[tuple[str, str, int]]:
    """Return verdict, name and download of each part."""
    rows = compare(build(tmp_path / "before", before), build(tmp_path / "after", after))
    return [(row.verdict, row.name, row.download) for row in rows]


def test_a_part_is_the_same_changed_renamed_added_or_removed(tmp_path: Path) -> None:
    before = {"same.bundle": BUNDLE, "other.bundle": BUNDLE, f"x_{HASH}.bundle": BUNDLE, "gone.bundle": BUNDLE}
    after = {"same.bundle": BUNDLE, "other.bundle": CHANGED, f"x_{OTHER}.bundle": BUNDLE, "new.bundle": CHANGED}
    size, larger = len(BUNDLE), len(CHANGED)
    assert larger > size
    assert verdicts(tmp_path, before, after) == [
        ("added", "new.bundle", larger),
        ("changed", "other.bundle", larger),
        ("renamed", f"x_{OTHER}.bundle", size),
        ("removed", "gone.bundle", 0),
        ("same", "same.bundle", 0),
    ]


def test_of_parts_that_differ_by_their_hash_alone_each_is_one_of_before(tmp_path: Path) -> None:
    before = {f"x_{HASH}.bundle": BUNDLE, f"x_{OTHER}.bundle": CHANGED}
    after = {f"x_{'2' * 32}.bundle": BUNDLE, f"x_{'3' * 32}.bundle": CHANGED, f"x_{'4' * 32}.bundle": CHANGED}
    rows = compare(build(tmp_path / "before", before), build(tmp_path / "after", after))
    assert sorted((row.verdict, row.before, row.after) for row in rows) == [
        ("added", None, 2),
        ("renamed", 0, 0),
        ("renamed", 1, 1),
    ]


def test_sizes_are_those_on_the_disk(tmp_path: Path) -> None:
    rows = compare(build(tmp_path / "before", {"a.bundle": BUNDLE}), build(tmp_path / "after", {"a.bundle": CHANGED}))
    assert [(row.size_before, row.size_after) for row in rows] == [(len(BUNDLE), len(CHANGED))]


@pytest.mark.parametrize("name", ["buildlayout.json", "addressables_content_state.bin"])
def test_what_no_player_gets_is_no_download(tmp_path: Path, name: str) -> None:
    files = {"a.bundle": BUNDLE, name: b"{}"}
    assert verdicts(tmp_path, files, {**files, name: b'{"a": 1}'}) == [
        ("changed", name, 0),
        ("same", "a.bundle", 0),
    ]


def test_bytes_of_one_length_that_differ_are_a_change(tmp_path: Path) -> None:
    files = {"a.bundle": BUNDLE, "b.resource": b"x" * (1 << 20) + b"y"}
    changed = {**files, "b.resource": b"x" * (1 << 20) + b"z"}
    assert ("changed", "b.resource", (1 << 20) + 1) in verdicts(tmp_path, files, changed)


# --- objects


def changes(tmp_path: Path, before: bytes, after: bytes) -> list[tuple[str, str, int, int]]:
    """Return verdict, name and both sizes of each object of one bundle that differs."""
    one, two = build(tmp_path / "before", {"a.bundle": before}), build(tmp_path / "after", {"a.bundle": after})
    found = []
    for row in compare(one, two)[0].objects:
        name = two.name(row.after) if row.after is not None else one.name(row.before or 0)
        found.append((row.verdict, name, row.size_before, row.size_after))
    return found


def size_of(name: str, pixels: bytes = b"") -> int:
    """Return the bytes of a texture, with its pixels."""
    path = f"archive:/{A}/{A}.resS"
    return 4 + (len(name) + 3) // 4 * 4 + 4 + 8 + 4 + 4 + (len(path) + 3) // 4 * 4 + len(pixels)


def test_objects_are_the_same_by_path_id_and_class_and_the_largest_change_comes_first(tmp_path: Path) -> None:
    before: list[Texture | Material] = [
        BARK,
        Texture(9, "leaf", b"g" * 9),
        Texture(10, "root", b"r" * 90),
        Material(11, "tree", ()),
    ]
    after: list[Texture | Material] = [
        BARK,
        Texture(9, "leaf", b"h" * 9),
        Texture(12, "seed", b"s" * 70),
        Material(11, "oak!", ()),
    ]
    found = changes(tmp_path, making.bundle(A, "trees", before), making.bundle(A, "trees", after))
    assert found == [
        ("removed", "root", size_of("root", b"r" * 90), 0),
        ("added", "seed", 0, size_of("seed", b"s" * 70)),
        ("changed", "leaf", *[size_of("leaf", b"g" * 9)] * 2),
        ("changed", "oak!", 24, 24),
    ]


def test_objects_that_got_other_path_ids_are_the_same_by_class_and_name_once_each(tmp_path: Path) -> None:
    before = [Texture(7, "bark", b"b"), Texture(8, "bark", b"c")]
    after = [Texture(17, "bark", b"b"), Texture(18, "bark", b"c"), Texture(19, "bark", b"d")]
    found = changes(tmp_path, making.bundle(A, "trees", before), making.bundle(A, "trees", after))
    assert found == [("added", "bark", 0, size_of("bark", b"d"))]


def test_the_file_of_a_bundle_may_have_another_name(tmp_path: Path) -> None:
    assert changes(tmp_path, BUNDLE, making.bundle(B, "trees", [BARK])) == []


def test_one_named_file_is_compared_with_another_whatever_their_names(tmp_path: Path) -> None:
    (tmp_path / "1.0.bundle").write_bytes(BUNDLE)
    (tmp_path / "1.1.bundle").write_bytes(CHANGED)
    one, two = (open_build(tmp_path / f"{name}.bundle", remember=False) for name in ("1.0", "1.1"))
    (row,) = compare(one, two)
    assert (row.verdict, row.name) == ("changed", "1.1.bundle")
    folder = build(tmp_path / "folder", {"2.0.bundle": CHANGED})
    assert sorted(row.verdict for row in compare(one, folder)) == ["added", "removed"]


@pytest.mark.parametrize("is_older", [False, True])
def test_what_could_not_be_read_has_not_come_or_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, is_older: bool
) -> None:
    data = builder.whole_file()
    sides = {"known": data, "newer": data[:8] + pack(">I", 26) + data[12:]}
    for name, content in sides.items():
        build(tmp_path / name, {"level0": content})
    names = sorted(sides, reverse=is_older)
    old, new = (open_build(tmp_path / name, remember=False) for name in names)
    (row,) = compare(old, new)
    assert (row.verdict, row.objects, row.is_read) == ("changed", (), False)
    assert main(["build", "diff", *(str(tmp_path / name) for name in names)]) == 2
    assert "not all of it was read" in capsys.readouterr().out
