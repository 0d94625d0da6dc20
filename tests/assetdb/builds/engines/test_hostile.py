"""Builds of other engines that were made to do harm: broken at random, links, pipes, chunks that share their bytes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.builds.engines.casset import read_casset
from assetdb.builds.engines.unreal import read_unreal
from scripts.fuzz import engines as fuzz
from tests.assetdb.builds.engines import games
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.needs import needs_links, needs_pipes

if TYPE_CHECKING:
    from pathlib import Path


def test_some_hundred_broken_builds_are_answered_or_typed_errors(tmp_path: Path) -> None:
    clean = sum(fuzz.attempt(tmp_path / "build", files) for files in fuzz.cases(300, 7, fuzz.seeds()))
    assert 0 <= clean < 100


@pytest.mark.long
def test_many_broken_builds(tmp_path: Path) -> None:
    for files in fuzz.cases(5000, 8, fuzz.seeds()):
        fuzz.attempt(tmp_path / "build", files)


@pytest.mark.long
@pytest.mark.corpus("casset", "unreal")
def test_many_broken_files_of_the_corpus(tmp_path: Path, corpus: Path) -> None:
    for folder in (
        "casset/engine_written",
        "unreal/data/CUE4Parse/UE5_8/LegacyPak",
        "unreal/data/CUE4Parse/UE5_8/Patch",
    ):
        for files in fuzz.cases(300, 9, fuzz.corpus_seeds(corpus / folder)):
            fuzz.attempt(tmp_path / "build", files)


def test_a_sound_build_is_clean(tmp_path: Path) -> None:
    """Else nothing above would tell a broken one from it."""
    assert fuzz.attempt(tmp_path / "build", {"a.casset": games.bundle(games.CLIFF, "Cliff", games.CLIFF)})
    assert not fuzz.attempt(tmp_path / "build", {"a.casset": games.bundle(games.CLIFF, "Cliff", games.NOWHERE)})


def test_files_of_a_pak_that_are_the_same_bytes_count_once(tmp_path: Path) -> None:
    files = [(f"Game/{number}.ini", b"text" * 300) for number in range(50)]
    (tmp_path / "a.pak").write_bytes(write_pak(11, files, overlapping=True))
    inventory = read_unreal([str(tmp_path)])
    assert sum(item.disk for item in inventory.items) + sum(row.disk for row in inventory.rest) == inventory.disk
    assert [item.disk > 0 for item in inventory.items].count(True) == 1


@needs_links
@needs_pipes
def test_links_to_folders_and_pipes_are_not_followed(tmp_path: Path) -> None:
    folder = games.write(tmp_path / "build", games.unreal())
    games.write(tmp_path / "elsewhere", games.container())
    (folder / "loop").symlink_to(tmp_path)
    (folder / "gone.casset").symlink_to("nowhere")
    os.mkfifo(folder / "Paks/pipe.pak")
    inventory = read_unreal([str(folder)])
    assert len(inventory.files) == 3
    assert any("gone.casset" in text for text in inventory.problems)
    bundles = games.write(tmp_path / "bundles", games.crystal())
    os.mkfifo(bundles / "pipe.casset")
    (bundles / "loop").symlink_to(bundles)
    assert len(read_casset([str(bundles)]).files) == 2
