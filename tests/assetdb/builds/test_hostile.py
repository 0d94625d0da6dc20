"""Builds that were made to do harm: broken at random, with names that lead out, links, and what unpacks without end."""

from __future__ import annotations

import errno
import gzip
import os
import stat
import zipfile
from random import Random
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build, verify
from assetdb.builds.build import resolve_streams
from assetdb.builds.objects.content import digests
from assetdb.builds.parts.finding import find_parts
from assetdb.builds.query.summary import users_of_missing
from assetdb.cli import main
from assetdb_formats.inputs import InputLimits
from assetdb_formats.unityfs.archives.compression import LzmaCursor
from scripts.fuzz import builds as fuzz
from scripts.fuzz.build_cases import cases, corpus_shapes, shapes
from scripts.fuzz.running import Bounds, TooSlowError, run
from tests.assetdb.builds import making
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import External, Kind, Thing, web_data
from tests.needs import needs_links, needs_signals

if TYPE_CHECKING:
    from pathlib import Path


def test_some_hundred_broken_builds_are_answered_or_typed_errors(tmp_path: Path) -> None:
    attempts = fuzz.Attempts(tmp_path)
    clean = sum(map(attempts.attempt, cases(300, 7, shapes())))
    assert 0 < clean < 300


def test_a_case_is_the_same_one_for_the_same_seed_and_half_are_sound_outside() -> None:
    first, again = (list(cases(50, 3, shapes())) for _ in range(2))
    assert first == again
    assert first != list(cases(50, 4, shapes()))


@needs_signals
def test_a_case_out_of_bounds_is_kept_and_ends_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    def attempt(case: int) -> bool:
        while case == 2:
            pass
        return True

    with pytest.raises(TooSlowError):
        run([1, 2, 3], attempt, str, every=1, bounds=Bounds(0.05, 1 << 40))
    assert capsys.readouterr().out.endswith("case 2 is in 2\n")


@pytest.mark.long
def test_many_broken_builds(tmp_path: Path) -> None:
    attempts = fuzz.Attempts(tmp_path)
    for files in cases(5000, 8, shapes()):
        attempts.attempt(files)


@pytest.mark.long
@pytest.mark.corpus("builds", "unityfs")
def test_many_broken_files_of_the_corpus(tmp_path: Path, corpus: Path) -> None:
    attempts = fuzz.Attempts(tmp_path)
    for folder in ("builds/UnityDataTools", "builds/Urbanize/Build_Data", "unityfs/Addressables-Sample"):
        for files in cases(300, 9, corpus_shapes(corpus / folder)):
            attempts.attempt(files)


def test_members_that_lead_out_of_an_archive_and_links_are_no_parts(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    with zipfile.ZipFile(tmp_path / "game.apk", "w") as archive:
        for path in folder.rglob("*"):
            if path.is_file():
                archive.write(path, f"assets/{path.name}")
        archive.writestr("../../level1", (folder / "level0").read_bytes())
        archive.writestr("/abs/level2", (folder / "level0").read_bytes())
        link = zipfile.ZipInfo("assets/level3")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    build = open_build(tmp_path / "game.apk", remember=False)
    assert not [part.name for part in build.parts if part.name.endswith(("level1", "level2", "level3"))]


@needs_links
def test_links_to_folders_and_pipes_are_not_followed(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/level9").write_bytes((folder / "level0").read_bytes())
    (folder / "loop").symlink_to(tmp_path)
    os.mkfifo(folder / "level7")
    (folder / "level8").symlink_to("nowhere")
    build = open_build(folder, remember=False)
    assert not [part.name for part in build.parts if part.name.endswith(("level7", "level8", "level9"))]
    assert any("level8" in problem for problem in build.problems)


def test_a_zip_that_unpacks_without_end_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = InputLimits(ratio=2, freely=1 << 16)
    monkeypatch.setattr("assetdb.builds.opening.find_parts.__kwdefaults__", {"limits": limits})
    with zipfile.ZipFile(tmp_path / "game.apk", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(20):
            archive.writestr(f"assets/sharedassets{number}.assets", bytes(1 << 20))
    build = open_build(tmp_path / "game.apk", remember=False)
    assert any("unpacks to over" in problem for problem in build.problems)
    assert len(build) == 0


def test_web_players_data_unpack_to_a_bounded_size_all_together(tmp_path: Path) -> None:
    bomb = gzip.compress(web_data({"data.unity3d": bytes(3 << 20)}))
    for number in range(4):
        (tmp_path / f"{number}.data.gz").write_bytes(bomb)
    (tmp_path / "4.data").write_bytes(bomb)
    (tmp_path / "level0").write_bytes(b"")
    found = find_parts([str(tmp_path)], now_ns=0, limits=InputLimits(ratio=2, freely=7 << 20, in_memory=4 << 20))
    assert [package.name for package in found.packages] == ["0.data.gz", "1.data.gz"]
    assert [problem.partition(":")[0] for problem in found.problems] == ["2.data.gz", "3.data.gz", "4.data"]
    assert all("unpacks to over" in problem for problem in found.problems)
    alone = find_parts([str(tmp_path)], now_ns=0, limits=InputLimits(ratio=5000, freely=0))
    assert len(alone.packages) == 5  # what is in proportion takes nothing of what is free


@pytest.mark.long
def test_many_files_that_are_missing_or_of_one_name_cost_their_number(tmp_path: Path) -> None:
    count = 20_000  # each with each would be hours
    names = tuple(External(f"missing{number}.assets") for number in range(count))
    ours = (*names, *(External("archive:/CAB-x/CAB-x") for _ in range(count)))
    data = builder.serialized_file([Thing(1, 1, b"")], [Kind(1, ())], trees=False, externals=ours)
    (tmp_path / "level0").write_bytes(data)
    small = builder.serialized_file([], [], trees=False, externals=ours[-1:] * 20)
    for number in range(50):
        (tmp_path / f"{number}.bundle").write_bytes(builder.archive([("CAB-x", small)], compression=0))
    build = open_build(tmp_path, remember=False, workers=1)
    assert len(users_of_missing(build)) == count
    findings = verify(build).findings
    assert "missing7.assets is not in the build; level0 refers to it" in findings
    assert build.external(build.names.by_name["cab-x"][7], 0).file == build.names.by_name["cab-x"][7]


def test_an_object_whose_bytes_are_in_two_damaged_places_has_no_digest(tmp_path: Path) -> None:
    start = making.TEXTURE_TREE.index(" StreamingInfo m_StreamData")
    tree = making.TEXTURE_TREE + tuple(line.replace("StreamData", "More") for line in making.TEXTURE_TREE[start:])
    data = making.text("bark") + pack("<i", 8)
    for at in (140_000, 150_000):
        data += pack("<QI", at, 1000) + making.text("CAB-a.resS")
    own = builder.serialized_file([Thing(1, making.TEXTURE, data)], [Kind(making.TEXTURE, tree)])
    packed = bytearray(builder.archive([("CAB-a", own), ("CAB-a.resS", Random(1).randbytes(300_000))]))
    packed[-175_000:-165_000] = b"\x11" * 10_000  # where the second of three blocks begins
    (tmp_path / "trees.bundle").write_bytes(packed)
    build = open_build(tmp_path, remember=False)
    assert [row.is_inside for row in resolve_streams(build)] == [True, True]
    assert digests(build, [0]) == {}


def test_an_lzma_stream_of_many_files_is_decoded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    begin = LzmaCursor._begin
    monkeypatch.setattr(LzmaCursor, "_begin", lambda self: begun.append(1) or begin(self))
    files = []
    for number in range(10):
        table = making.text("x") + bytes(8) + bytes(20) + bytes(4) + making.text(f"b{number}") + bytes(8)
        oak = Thing(5, making.MATERIAL, making.text("oak") + bytes(16) + bytes(100_000))
        own = builder.serialized_file([Thing(1, making.ASSET_BUNDLE, table), oak], making.KINDS)
        files.append((f"CAB-{number:032x}", own))
    (tmp_path / "a.bundle").write_bytes(builder.archive(files, compression=1))
    build = open_build(tmp_path, remember=False, workers=1)
    assert [found.name for found in build.objects()].count("oak") == 10
    assert build.facts[0].archive is not None
    assert build.facts[0].archive.name == "b9"
    assert len(begun) == 2  # the table of blocks, and they


def test_a_folder_that_cannot_be_listed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = making.player(tmp_path / "Game_Data")
    scandir = os.scandir

    def refusing(path: str) -> object:
        if path.endswith("Managed"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr("os.scandir", refusing)
    assert open_build(tmp_path, remember=False).problems == ("Game_Data/Managed: Permission denied",)
    two = open_build([folder, tmp_path / "Game_Data/level0"], remember=False)
    assert two.problems == ("Game_Data/Managed: Permission denied",)


def test_an_archive_that_is_encrypted_or_of_another_method_says_so(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "game.apk", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("assets/bin/Data/level0", b"0" * 5000)
    build = open_build(tmp_path / "game.apk", remember=False)
    assert any("method 12" in problem for problem in build.problems)


def test_files_of_a_newer_version_are_counted_and_named_by_their_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = builder.whole_file()
    newer = data[:8] + pack(">I", 26) + data[12:]
    for number in range(9):
        (tmp_path / f"level{number}").write_bytes(newer)
    (tmp_path / "8f2c").write_bytes(newer)
    for command, code in (("info", 2), ("verify", 1)):
        assert main(["build", command, str(tmp_path)]) == code
        shown = capsys.readouterr()
        text = shown.out + shown.err
        assert text.count("SerializedFile version 26 (Unity 6.7): versions 5 to 23 are read") == 4
        assert "and 7 more: " in text
        assert command == "verify" or "not read in full  10\n" in shown.out
    main(["build", "verify", "-v", str(tmp_path)])
    assert capsys.readouterr().out.count("SerializedFile version 26") == 10
    assert main(["build", "ls", str(tmp_path), "--file", "level0"]) == 2
    assert "no object" not in capsys.readouterr().err
