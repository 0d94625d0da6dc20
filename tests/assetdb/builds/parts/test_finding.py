"""The parts of a build: which files are some, of which kind, and under which names."""

from __future__ import annotations

import gzip
import time
import zipfile
from pathlib import Path
from struct import pack
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.builds.parts.facts import (
    ARCHIVE,
    CATALOG,
    CODE,
    CONTENT_LAYOUT,
    CONTENT_MANIFEST,
    LAYOUT,
    OTHER,
    RESOURCE,
    SERIALIZED,
    STATE,
)
from assetdb.builds.parts.finding import Package, Parts, _limits_beside, find_parts, kind_of
from assetdb.errors import UsageError
from assetdb_formats.inputs import InputError, InputLimits
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.builds.parts.finding import Part
    from assetdb_formats.unityfs.archives.webdata import WebData

ENTITIES = pack("<4I", 1, 0, 0, 16)
ADDRESSABLES = pack("<II", 0x0DE38942, 1)


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("Game_Data/StreamingAssets/catalog.bin", ENTITIES, OTHER),
        ("Game_Data/StreamingAssets/catalog.bin", ADDRESSABLES, CATALOG),
        ("StreamingAssets/Catalog.bin", b"", OTHER),
        ("StreamingAssets/aa/catalog.bin", ENTITIES, CATALOG),  # damaged, which is said
        ("catalog.bin", ENTITIES, CATALOG),
        ("StreamingAssets/catalog.json", ENTITIES, CATALOG),
        ("StreamingAssets/my.resource", ENTITIES, RESOURCE),
    ],
)
def test_the_catalog_of_entities_is_none_of_addressables(name: str, head: bytes, kind: str) -> None:
    assert kind_of(name, len(head), lambda size: head[:size]) == kind


@pytest.mark.parametrize(
    ("compression", "unpacked", "freely", "in_memory"),
    [("", 900, 500, 800), ("gzip", 300, 500, 500), ("gzip", 600, 300, 200), ("gzip", 5000, 0, 1)],
)
def test_unpacked_data_of_a_player_leave_less_for_what_is_beside(
    compression: str, unpacked: int, freely: int, in_memory: int
) -> None:
    data = SimpleNamespace(compression=compression, unpacked_size=unpacked, packed_size=200)
    found = _limits_beside(cast("WebData", data), InputLimits(ratio=2, freely=500, in_memory=800))
    assert (found.freely, found.in_memory) == (freely, in_memory)


HASH = "0123456789abcdef" * 2
MANIFEST = b' { "Version" : 3, "BuildInfo": {'
BUNDLE = b"UnityFS\0" + bytes(40)


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        # by name alone, in any case
        ("a/my.resS", b"", RESOURCE),
        ("a/my.RESOURCE", b"", RESOURCE),
        ("a/my.resources", b"", OTHER),
        ("aa/catalog_2024.hash", b"", OTHER),
        ("aa/catalog_2024.json", b"", CATALOG),
        ("aa/dlc_catalog.bundle", b"", CATALOG),
        ("aa/dlc-catalog.bin", b"", CATALOG),
        ("aa/mycatalog.bin", b"", OTHER),
        ("buildlayout.json", b"", LAYOUT),
        ("a/dlc_buildlayout_2.TXT", b"", LAYOUT),
        ("a/mybuildlayout.txt", b"", OTHER),
        ("a/ContentLayout.json", b"", CONTENT_LAYOUT),
        ("a/contentlayout.json", b"", OTHER),
        ("a/addressables_content_state.bin", b"", STATE),
        ("a/dlc_addressables_content_state.bin", b"", STATE),
        ("a/Managed/Game.dll", b"", CODE),
        ("a/global-metadata.dat", b"", CODE),
        ("a/my-global-metadata.dat", b"", OTHER),
        ("Build/web.framework.js.br", b"", CODE),
        ("Build/web.loader.js", b"", OTHER),
        # a text of Unity's name for a manifest, and its first field
        (f"a/{HASH}.json", MANIFEST, CONTENT_MANIFEST),
        (f"a/{HASH}.json", b'{"Version": -1, "BuildInfo"', CONTENT_MANIFEST),
        (f"a/{HASH}.json", b'{"Version": 3, "Other"', OTHER),
        (f"a/{HASH[1:]}.json", MANIFEST, OTHER),
        # names of data, whatever is in them
        ("a/bundle.png", BUNDLE, OTHER),
        ("a/bundle.pngx", BUNDLE, ARCHIVE),
        # damaged files of a player, which are said by their names
        ("level0", b"", SERIALIZED),
        ("a/level12", b"", SERIALIZED),
        ("a/level", b"", OTHER),
        ("a/mainData", b"", SERIALIZED),
        ("a/globalgamemanagers", b"", SERIALIZED),
        ("a/sharedassets0.assets", b"", SERIALIZED),
        ("a/.assets", b"", OTHER),
        ("Resources/unity default resources", b"", SERIALIZED),
        (f"{HASH}.cf", b"", SERIALIZED),
        ("a/data.unity3d", b"", ARCHIVE),
        ("content0.archive", b"", ARCHIVE),
        (f"CAB-{HASH}", b"", ARCHIVE),
        ("a/CAB-0", b"", OTHER),
        # first bytes
        ("a/b", BUNDLE, ARCHIVE),
        ("a/level0", BUNDLE, ARCHIVE),
        ("a/b", b"words", OTHER),
    ],
)
def test_the_kind_of_a_file_is_that_of_its_name_or_of_its_first_bytes(name: str, head: bytes, kind: str) -> None:
    assert kind_of(name, len(head), lambda size: head[:size]) == kind


SERIALIZED_FILE = builder.serialized_file([], [], trees=False, externals=())


def test_a_serialized_file_is_one_of_any_name_and_of_the_size_in_its_header() -> None:
    size = len(SERIALIZED_FILE)
    assert kind_of("any", size, lambda count: SERIALIZED_FILE[:count]) == SERIALIZED
    assert kind_of("any", size - 1, lambda count: SERIALIZED_FILE[:count]) == OTHER


def write(folder: Path, files: Mapping[str, bytes]) -> str:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return str(folder)


def found(*paths: str, later: int = 3600) -> Parts:
    """Find parts, some seconds after the last file was written, or when the first was."""
    files = [file for path in map(Path, paths) for file in (path, *path.rglob("*")) if file.is_file()]
    times = [file.stat().st_mtime_ns for file in files] or [time.time_ns()]
    written = max(times) if later else min(times)
    return find_parts(paths, now_ns=written + later * 1_000_000_000)


def data_of(part: Part) -> bytes:
    with part.input.open() as stream:
        return stream.read()


def named(parts: Parts) -> dict[str, str]:
    return {part.name: part.kind for part in parts.parts}


def web_data(files: Mapping[str, bytes]) -> bytes:
    end = 20 + sum(12 + len(name) for name in files)
    at, table, body = end, b"", b""
    for name, data in files.items():
        table += pack("<3I", at, len(data), len(name)) + name.encode()
        body += data
        at += len(data)
    return b"UnityWebData1.0\0" + pack("<I", end) + table + body


def test_pieces_are_one_part_where_all_of_them_are_there(tmp_path: Path) -> None:
    pieces = {f"level0.split{number}": bytes([number]) * 3 for number in range(12)}
    pieces |= {"gap.assets.split0": b"g", "gap.assets.split2": b"p", "late.assets.split1": b"l", "x.split00000": b"x"}
    path = write(tmp_path, pieces | {"a.bundle": BUNDLE})
    parts = found(path)
    assert named(parts) == {
        "a.bundle": ARCHIVE,
        "level0": SERIALIZED,
        "gap.assets.split0": OTHER,
        "gap.assets.split2": OTHER,
        "late.assets.split1": OTHER,
        "x.split00000": OTHER,  # five digits
    }
    level = next(part for part in parts.parts if part.name == "level0")
    assert data_of(level) == b"".join(bytes([number]) * 3 for number in range(12))
    assert (level.disk, level.package, level.identity.count("+")) == (36, -1, 11)
    assert level.input.name == str(tmp_path / "level0")


def test_an_identity_of_pieces_is_trusted_if_each_is(tmp_path: Path) -> None:
    path = write(tmp_path, {"level0.split0": b"a", "level0.split1": b"b"})
    assert [bool(part.identity) for part in found(path).parts] == [True]
    (tmp_path / "level0.split1").write_bytes(b"c")
    assert [bool(part.identity) for part in found(path, later=0).parts] == [False]


def test_a_number_with_a_zero_before_it_replaces_no_other_piece(tmp_path: Path) -> None:
    path = write(tmp_path, {"level0.split0": b"a", "level0.split00": b"b", "level0.split1": b"c"})
    assert sorted((part.name, data_of(part)) for part in found(path).parts) in (
        [("level0", b"ac"), ("level0.split00", b"b")],
        [("level0", b"bc"), ("level0.split0", b"a")],
    )


def test_pieces_beside_the_file_that_they_make_are_a_part_of_another_name(tmp_path: Path) -> None:
    path = write(tmp_path, {"level0": b"whole", "level0.split0": b"a", "level0.split1": b"b"})
    assert {part.name: data_of(part) for part in found(path).parts} == {"level0": b"whole", "level0 (2)": b"ab"}


def test_pieces_are_joined_in_each_of_two_folders_of_one_name(tmp_path: Path) -> None:
    """Of the second, whose names get a number, no piece was joined: each was a damaged file."""
    old, new = (
        write(tmp_path / place / "Data", {"level0.split0": place.encode(), "level0.split1": b"!"})
        for place in ("old", "new")
    )
    parts = found(old, new)
    assert {part.name: data_of(part) for part in parts.parts} == {"Data/level0": b"old!", "Data (2)/level0": b"new!"}
    assert set(named(parts).values()) == {SERIALIZED}


def test_paths_are_told_by_the_names_of_their_folders_and_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {f"{place}/Data/level0": place.encode() for place in ("a", "b", "c")})
    write(tmp_path, {"one.bundle": BUNDLE})
    monkeypatch.chdir(tmp_path)
    assert named(found("a/Data")) == named(found("a/Data", "a/Data/")) == {"level0": SERIALIZED}
    assert named(found("one.bundle", "a/Data")) == {"Data/level0": SERIALIZED, "one.bundle": ARCHIVE}
    several = found("a/Data", "b/Data", "./a/Data", "c/Data")
    assert {part.name: data_of(part) for part in several.parts} == {
        "Data/level0": b"a",
        "Data (2)/level0": b"b",
        "Data (3)/level0": b"c",
    }


def test_what_is_named_and_lies_in_a_named_folder_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundle beside its folder, and a folder beside the one above, were there twice."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"B/a.bundle": BUNDLE, "B/web.data": web_data({"level0": b"w"}), "B/Data/level0": b"a"})
    write(tmp_path, {"C/level0": b"c"})
    whole = {"B/a.bundle", "B/web.data/level0", "B/Data/level0"}
    for paths in (("B/a.bundle", "B"), ("B", "./B/web.data"), ("B/Data", "B"), ("B/Data/level0", "B/Data", "B")):
        assert set(named(found(*paths))) == whole
    assert set(named(found("B/a.bundle", "C", "B"))) == {*whole, "C/level0"}
    with zipfile.ZipFile("B/packed.zip", "w") as packed:
        packed.writestr("level1", b"z")
    assert any(name.endswith("level1") for name in named(found("B/packed.zip", "B")))


def test_data_of_two_web_players_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    write(tmp_path, {f"{place}/web.data": web_data({"level0": place.encode()}) for place in ("a", "b")})
    parts = found(str(tmp_path / "a/web.data"), str(tmp_path / "b/web.data"))
    assert {part.name: data_of(part) for part in parts.parts} == {"web.data/level0": b"a", "web.data (2)/level0": b"b"}
    assert [package.name for package in parts.packages] == ["web.data", "web.data (2)"]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "no file at all"),
        ({"a.resS": b"", "a.dll": b"", "a.txt": b"", "ContentLayout.json": b""}, "no bundle, no file of a player"),
    ],
)
def test_a_folder_without_a_build_is_said_with_its_name(tmp_path: Path, files: Mapping[str, bytes], said: str) -> None:
    path = write(tmp_path, files)
    with pytest.raises(UsageError, match="holds no build of Unity: " + said) as caught:
        found(path)
    assert path in str(caught.value)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.bundle", BUNDLE),
        ("level0", b""),
        ("catalog.json", b""),
        ("buildlayout.txt", b""),
        ("addressables_content_state.bin", b""),
    ],
)
def test_one_file_of_unity_makes_a_build(tmp_path: Path, name: str, data: bytes) -> None:
    assert list(named(found(write(tmp_path, {name: data})))) == [name]
    assert list(named(found(str(tmp_path / name)))) == [name]


def test_parts_are_in_order_of_their_names_with_size_and_identity(tmp_path: Path) -> None:
    parts = found(write(tmp_path, {"level1": b"12345", "level0": b"", "sub/level2": b"1"}))
    assert [(part.name, part.disk, part.package) for part in parts.parts] == [
        ("level0", 0, -1),
        ("level1", 5, -1),
        ("sub/level2", 1, -1),
    ]
    assert len({part.identity for part in parts.parts} - {""}) == 3
    assert parts.packages == ()
    fresh = found(str(tmp_path), later=0)
    assert {part.identity for part in fresh.parts} == {""}  # written a moment ago: they may change unseen


def test_members_of_a_zip_archive_have_their_packed_size_and_its_number(tmp_path: Path) -> None:
    place = tmp_path / "game.apk"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("assets/level0", bytes(1000))
        archive.writestr("readme.txt", b"words")
    parts = found(str(place))
    with zipfile.ZipFile(place) as archive:
        packed = {row.filename: row.compress_size for row in archive.infolist()}
    assert {part.name: part.disk for part in parts.parts} == packed
    assert {part.package for part in parts.parts} == {0}
    assert parts.packages == (Package("game.apk", "zip", place.stat().st_size, 1005),)
    assert len({part.identity for part in parts.parts} - {""}) == 2
    assert {part.identity for part in found(str(place), later=0).parts} == {""}
    with zipfile.ZipFile(place, "a") as archive:
        archive.writestr("assets/level1.split0", b"1")
        archive.writestr("assets/level1.split1", b"2")
    pieces = {part.name: part for part in found(str(place)).parts}
    assert pieces["assets/level1"].package == 0
    other = write(tmp_path / "Data", {"level0": b""})
    both = found(other, str(place))
    assert set(named(both)) == {
        "Data/level0",
        "game.apk/assets/level0",
        "game.apk/assets/level1",
        "game.apk/readme.txt",
    }
    assert [package.name for package in both.packages] == ["game.apk"]


def test_a_damaged_member_is_a_problem_where_its_name_does_not_tell_its_kind(tmp_path: Path) -> None:
    """What is read is reported when it is read."""
    place = tmp_path / "game.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("level0", "odd"):
            archive.writestr(name, name * 100)
    data = bytearray(place.read_bytes())
    for name in (b"level0", b"odd"):
        at = data.index(name) + len(name)
        data[at : at + 4] = b"\xff" * 4
    place.write_bytes(data)
    parts = found(str(place))
    assert named(parts) == {"level0": SERIALIZED, "odd": OTHER}
    assert [text.partition(":")[0] for text in parts.problems] == ["odd"]


@pytest.mark.parametrize("suffix", [".data", ".data.gz", ".unityweb"])
def test_files_of_a_web_player_share_its_packed_bytes(tmp_path: Path, suffix: str) -> None:
    plain = web_data({"data.unity3d": BUNDLE, "readme.txt": bytes(1000)})
    packed = gzip.compress(plain, mtime=0) if suffix == ".data.gz" else plain
    parts = found(write(tmp_path, {f"Build/web{suffix}": packed, "index.html": b""}))
    first, rest = f"Build/web{suffix}/data.unity3d", f"Build/web{suffix}/readme.txt"
    assert named(parts) == {first: ARCHIVE, rest: OTHER, "index.html": OTHER}
    compression = "gzip" if suffix == ".data.gz" else ""
    assert parts.packages == (Package(f"Build/web{suffix}", compression, len(packed), len(plain)),)
    disk = {part.name: part.disk for part in parts.parts}
    start, end = len(plain) - 1000 - len(BUNDLE), len(plain) - 1000
    scale = [at * len(packed) // len(plain) for at in (start, end, len(plain))]
    assert (disk[first], disk[rest]) == (scale[1] - scale[0], scale[2] - scale[1])
    own = {part.name: part for part in parts.parts}
    assert (own[first].package, own["index.html"].package) == (0, -1)
    assert len({part.identity for part in parts.parts} - {""}) == 3
    assert {part.identity for part in found(str(tmp_path), later=0).parts} == {""}


def test_data_that_is_none_of_a_web_player_is_another_file_or_a_problem(tmp_path: Path) -> None:
    path = write(tmp_path, {"a.data": b"words", "b.data.gz": b"words", "c.unityweb": b"words", "level0": b""})
    parts = found(path)
    assert named(parts) == {"a.data": OTHER, "c.unityweb": OTHER, "level0": SERIALIZED}
    assert [text.partition(":")[0] for text in parts.problems] == ["b.data.gz"]
    with pytest.raises(InputError):  # it was named: there is nothing else to tell
        found(str(tmp_path / "b.data.gz"))


def test_web_data_beyond_the_limit_leave_the_next_nothing_beyond_the_ratio(tmp_path: Path) -> None:
    plain = web_data({"data.unity3d": BUNDLE + bytes(100_000)})
    packed = gzip.compress(plain, mtime=0)
    smaller = gzip.compress(web_data({"data.unity3d": BUNDLE + bytes(50_000)}), mtime=0)
    path = write(tmp_path, {"a.data.gz": packed, "b.data.gz": packed, "level0": b""})

    def problems(freely: int) -> list[str]:
        limits = InputLimits(ratio=2, freely=freely)
        parts = find_parts([path], now_ns=time.time_ns(), limits=limits)
        return [text.partition(":")[0] for text in parts.problems]

    beyond = len(plain) - 2 * len(packed)
    assert problems(freely=2 * beyond) == []
    assert problems(freely=2 * beyond - 1) == ["b.data.gz"]
    (tmp_path / "b.data.gz").write_bytes(smaller)
    assert problems(freely=2 * beyond - 1) == []
    assert problems(freely=beyond - 1) == ["a.data.gz", "b.data.gz"]
