"""Builds that were made to do harm: broken at random, with names that lead out, links, and what unpacks without end."""

from __future__ import annotations

import os
import stat
import zipfile
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from formats.inputs import Limits
from scripts.fuzz import builds as fuzz
from tests.assetdb.builds import making

if TYPE_CHECKING:
    from pathlib import Path


def test_some_hundred_broken_builds_are_answered_or_typed_errors(tmp_path: Path) -> None:
    clean = sum(fuzz.attempt(tmp_path / "build", files) for files in fuzz.cases(200, 7, fuzz.seeds()))
    assert 0 < clean < 200


@pytest.mark.long
def test_many_broken_builds(tmp_path: Path) -> None:
    for files in fuzz.cases(5000, 8, fuzz.seeds()):
        fuzz.attempt(tmp_path / "build", files)


@pytest.mark.long
@pytest.mark.corpus("builds", "unityfs")
def test_many_broken_files_of_the_corpus(tmp_path: Path, corpus: Path) -> None:
    for folder in ("builds/UnityDataTools", "builds/Urbanize/Build_Data", "unityfs/Addressables-Sample"):
        for files in fuzz.cases(300, 9, fuzz.corpus_seeds(corpus / folder)):
            fuzz.attempt(tmp_path / "build", files)


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
