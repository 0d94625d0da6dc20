"""What is stored several times: by the PathID of its asset, or by its content, and what one copy would save."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.duplicates import CONTENT, SOURCE, find_duplicates, same_sources, wasted_bytes
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds import Build

CABS = [f"CAB-{letter * 32}" for letter in "abcd"]
HASHED = 1 << 32  # from here on, PathIDs are hashes of assets
PIXELS = b"brown" * 20


def build(folder: Path, *bundles: list[Texture | Material]) -> Build:
    for number, assets in enumerate(bundles):
        (folder / f"{number}.bundle").write_bytes(making.bundle(CABS[number], f"{number}", assets))
    return open_build(folder, remember=False)


def rows(found: Build) -> list[tuple[str, list[str], bool | None]]:
    return [(row.by, [found.name(number) for number in row.objects], row.equal) for row in find_duplicates(found)]


@pytest.mark.parametrize(("path_id", "by"), [(HASHED, SOURCE), (-HASHED, SOURCE), (HASHED - 1, CONTENT), (-5, CONTENT)])
def test_one_path_id_is_one_asset_if_it_is_a_hash_and_else_the_content_tells(
    tmp_path: Path, path_id: int, by: str
) -> None:
    bark: list[Texture | Material] = [Texture(path_id, "bark", PIXELS)]
    found = build(tmp_path, bark, bark)
    assert rows(found) == [(by, ["bark", "bark"], True)]
    assert len(same_sources(found)) == (by == SOURCE)


def test_a_copy_in_the_same_file_is_no_duplicate(tmp_path: Path) -> None:
    assert rows(build(tmp_path, [Texture(7, "bark", PIXELS), Texture(8, "bark", PIXELS)])) == []


def test_one_path_id_of_two_classes_is_two_assets(tmp_path: Path) -> None:
    found = build(tmp_path, [Texture(HASHED, "a", PIXELS)], [Material(HASHED, "b", ())])
    assert (rows(found), same_sources(found)) == ([], [])


def test_copies_of_one_asset_may_differ(tmp_path: Path) -> None:
    found = build(tmp_path, [Texture(HASHED, "bark", PIXELS)], [Texture(HASHED, "bark", b"other")])
    assert rows(found) == [(SOURCE, ["bark", "bark"], False)]


@pytest.mark.parametrize(
    ("other", "is_alike"),
    [
        (Texture(8, "bark", PIXELS), True),
        (Texture(8, "bork", PIXELS), False),
        (Texture(8, "bark", PIXELS[::-1]), False),
        (Texture(8, "bark", PIXELS + b"x"), False),
        (Texture(HASHED + 9, "bark", PIXELS), True),  # one asset, of a build with another seed
    ],
)
def test_equal_class_name_and_content_are_a_duplicate(tmp_path: Path, other: Texture, *, is_alike: bool) -> None:
    assert bool(rows(build(tmp_path, [Texture(7, "bark", PIXELS)], [other]))) == is_alike


def test_of_several_with_one_name_those_with_equal_content_are_together(tmp_path: Path) -> None:
    red, blue = Texture(7, "x", b"red!" * 9), Texture(8, "x", b"blue" * 9)
    found = build(tmp_path, [red], [red, blue], [blue], [Texture(9, "x", b"grey" * 9)])
    assert [(row.by, len(row.objects)) for row in find_duplicates(found)] == [(CONTENT, 2), (CONTENT, 2)]


def test_an_object_without_a_name_is_told_by_its_asset_alone(tmp_path: Path) -> None:
    assert rows(build(tmp_path, [Texture(7, "", PIXELS)], [Texture(7, "", PIXELS)])) == []
    for number in range(2):
        (tmp_path / f"{number}.bundle").unlink()
    assert rows(build(tmp_path, [Texture(HASHED, "", PIXELS)], [Texture(HASHED, "", PIXELS)])) == [
        (SOURCE, ["", ""], True)
    ]


def test_whether_copies_are_equal_is_not_known_where_one_cannot_be_read(tmp_path: Path) -> None:
    for number in (0, 1):
        (tmp_path / f"{number}.bundle").unlink(missing_ok=True)
        found = build(tmp_path, [Texture(HASHED, "bark", PIXELS)], [Texture(HASHED, "bark", PIXELS)])
        for gone in range(number + 1):  # after it was opened
            (tmp_path / f"{gone}.bundle").unlink()
        assert [(row.by, row.equal) for row in find_duplicates(found)] == [(SOURCE, None)]


def test_what_one_copy_would_save_is_all_but_the_largest_and_the_largest_saving_comes_first(tmp_path: Path) -> None:
    small = Material(HASHED + 1, "small", ())
    found = build(
        tmp_path, [small, Texture(HASHED, "big", b"x" * 500)], [small, Texture(HASHED, "big", b"y" * 400)], [small]
    )
    big, little = find_duplicates(found)
    own = [found.bytes_of(number) for number in big.objects]
    assert own[0] - own[1] == 100
    assert (big.size, big.saved) == (max(own), min(own))
    each = found.bytes_of(little.objects[0])
    assert (little.size, little.saved, len(little.objects)) == (each, 2 * each, 3)
    assert wasted_bytes(found, big.objects) == min(own)
    assert wasted_bytes(found, big.objects[:1]) == 0


def test_a_player_has_no_duplicates_of_its_managers_transforms_and_scripts(tmp_path: Path) -> None:
    for name in ("One_Data", "Two_Data"):
        making.player(tmp_path / name)
    found = open_build([tmp_path / "One_Data", tmp_path / "Two_Data"], remember=False)
    assert {found.class_name(found.class_ids[row.objects[0]]) for row in find_duplicates(found)} == {"Texture2D"}
