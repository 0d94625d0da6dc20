"""Builds that were made to do harm: broken at random, with names that lead out, links, and what unpacks without end."""

from __future__ import annotations

import os
import stat
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from formats.inputs import Limits
from scripts.fuzz import builds as fuzz
from scripts.fuzz.build_cases import cases, corpus_shapes, shapes
from scripts.fuzz.running import Bounds, TooSlowError, run
from tests.assetdb.builds import making

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


@pytest.mark.skipif(sys.platform == "win32", reason="nothing ends a case there")
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


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
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
    limits = Limits(ratio=2, freely=1 << 16)
    for function in ("formats.inputs.find_inputs", "assetdb.builds.parts.find_inputs"):
        monkeypatch.setattr(f"{function}.__kwdefaults__", {"limits": limits})
    with zipfile.ZipFile(tmp_path / "game.apk", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(20):
            archive.writestr(f"assets/sharedassets{number}.assets", bytes(1 << 20))
    build = open_build(tmp_path / "game.apk", remember=False)
    assert any("unpacks to over" in problem for problem in build.problems)
    assert len(build) == 0


def test_an_archive_that_is_encrypted_or_of_another_method_says_so(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "game.apk", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("assets/bin/Data/level0", b"0" * 5000)
    build = open_build(tmp_path / "game.apk", remember=False)
    assert any("method 12" in problem for problem in build.problems)
