"""Digests of objects: equal for equal content wherever it lies, and none for what cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.objects import content
from assetdb.builds.objects.content import digests
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from assetdb.builds import Build

A, B = "CAB-" + "a" * 32, "CAB-" + "b" * 32
BARK = Texture(7, "bark", b"brown" * 9)


def build(tmp_path: Path, *bundles: tuple[str, Sequence[Texture | Material]], externals: tuple[str, ...] = ()) -> Build:
    for number, (cab, assets) in enumerate(bundles):
        (tmp_path / f"{number}.bundle").write_bytes(making.bundle(cab, f"{number}", assets, externals))
    return open_build(tmp_path, remember=False)


def of(found: Build, name: str) -> list[bytes | None]:
    """Return the digest of each object of a name."""
    numbers = [number for number in range(len(found)) if found.name(number) == name]
    made = digests(found, numbers)
    return [made.get(number) for number in numbers]


@pytest.mark.parametrize(
    ("other", "is_equal"),
    [
        (BARK, True),
        (BARK._replace(path_id=99), True),
        (BARK._replace(pixels=b"brawn" * 9), False),
        (BARK._replace(pixels=b"brown" * 10), False),
    ],
)
def test_a_digest_is_of_name_values_and_streamed_bytes(tmp_path: Path, other: Texture, *, is_equal: bool) -> None:
    before = Texture(5, "first", b"before it")  # which moves the place of its pixels
    one, two = of(build(tmp_path, (A, [BARK]), (B, [before, other])), "bark")
    assert one
    assert two
    assert (one == two) == is_equal


@pytest.mark.parametrize(
    ("other", "is_equal"),
    [(((1, 7),), True), (((0, 7),), True), (((0, 8),), False), (((0, 7), (0, 7)), False)],
)
def test_the_file_of_a_target_does_not_count_and_its_path_id_does(
    tmp_path: Path, other: tuple[tuple[int, int], ...], *, is_equal: bool
) -> None:
    found = build(
        tmp_path, (A, [BARK, Material(8, "tree", ((0, 7),))]), (B, [Material(8, "tree", other)]), externals=(A,)
    )
    one, two = of(found, "tree")
    assert (one == two) == is_equal


def test_only_what_is_asked_for_has_a_digest_and_progress_is_told(tmp_path: Path) -> None:
    found = build(tmp_path, (A, [BARK, Material(8, "tree", ())]), (B, [Material(8, "tree", ())]))
    told: list[tuple[int, int]] = []
    wanted = [number for number in range(len(found)) if found.name(number) == "tree"]
    made = digests(found, wanted, progress=lambda done, total: told.append((done, total)))
    assert sorted(made) == wanted
    assert told == [(0, 2), (1, 2)]
    assert digests(found, []) == {}


def test_a_large_object_is_hashed_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = build(
        tmp_path, (A, [Material(8, "tree", ((0, 7),))]), (B, [Material(8, "tree", ((1, 7),))]), externals=(A,)
    )
    size = found.bytes_of(next(number for number in range(len(found)) if found.name(number) == "tree"))
    monkeypatch.setattr(content, "LARGEST_SKIMMED", size)
    one, two = of(found, "tree")
    assert one == two is not None
    monkeypatch.setattr(content, "LARGEST_SKIMMED", size - 1)
    one, two = of(found, "tree")
    assert one != two  # its references to files count then


def test_what_is_gone_since_it_was_opened_has_no_digest(tmp_path: Path) -> None:
    found = build(tmp_path, (A, [BARK]), (B, [BARK]))
    (tmp_path / "0.bundle").unlink()
    one, two = of(found, "bark")
    assert one is None
    assert two is not None


def test_streams_of_a_player_lie_in_a_file_beside_it(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    before = of(open_build(folder, remember=False), "apple")
    data = bytearray((folder / "sharedassets0.assets.resS").read_bytes())
    for place, is_same in ((15, True), (16, False), (63, False), (64, True)):  # 48 bytes at 16
        data[place] ^= 1
        (folder / "sharedassets0.assets.resS").write_bytes(data)
        assert (of(open_build(folder, remember=False), "apple") == before) == is_same
        data[place] ^= 1


@pytest.mark.parametrize("left", [None, 20])
def test_objects_whose_streams_are_gone_since_they_were_opened_have_no_digest(tmp_path: Path, left: int | None) -> None:
    folder = making.player(tmp_path / "Game_Data")
    found = open_build(folder, remember=False)
    streamed = folder / "sharedassets0.assets.resS"
    if left is None:
        streamed.unlink()
    else:
        streamed.write_bytes(streamed.read_bytes()[:left])
    assert of(found, "apple") == of(found, "apple again") == [None]
    assert len(digests(found, range(len(found)))) == len(found) - 2


def test_objects_whose_streams_are_missing_have_digests_of_their_own(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    (folder / "sharedassets0.assets.resS").unlink()
    found = open_build(folder, remember=False)
    (one,), (two,) = of(found, "apple"), of(found, "apple again")
    assert one
    assert two
    assert one != two
