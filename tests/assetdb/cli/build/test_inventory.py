"""``assetdb build`` on builds of other engines, as it is typed: the same tables, or what to ask instead."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from tests.assetdb.builds import making
from tests.assetdb.builds.engines import games
from tests.assetdb_formats.unreal.iostore.writer import KEY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    games.write(tmp_path / "Game", games.unreal())
    games.write(tmp_path / "Crystal", games.crystal())

    def call(*words: object) -> tuple[int, str, str]:
        code = main(["build", *map(str, words)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def rows(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_info_is_the_same_table(run: Run) -> None:
    code, out, err = run("info", "Game")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    for line in (
        "engine              Unreal Engine",
        "packages            3",
        "missing references  1, to 1 package",
        "missing             /Engine/Default",
    ):
        assert line in lines
    assert lines[-4].split() == ["class", "objects", "bytes", "streamed"]
    assert [line.split()[0] for line in lines[-3:]] == ["Actor", "StaticMesh", ".ini"]
    (facts,) = rows(run("info", "Game", "--json")[1])
    assert (facts["engine"], facts["objects"], facts["kinds"]) == ("Unreal Engine", 4, {"package": 3, "file": 1})
    assert (facts["missing"], facts["missing_references"]) == (["/Engine/Default"], 1)
    assert facts["needed_by"] == {"/Engine/Default": ["/Game/Meshes/Rock"]}
    assert sum(row["size"] + row["streamed"] for row in facts["classes"]) < facts["decoded"]
    (facts,) = rows(run("info", "Crystal", "--json", "--quick")[1])
    assert (facts["engine"], facts["objects"], facts["missing"], facts["whole"]) == ("CrystalEngine", 4, [], False)


def test_lists_by_class_file_and_text(run: Run) -> None:
    code, out, err = run("ls", "Game", "--class", "actor", "--json")
    assert (code, err) == (0, "")
    assert [row["name"] for row in rows(out)] == ["/Game/Maps/Arena", "/Game/Meshes/Rock"]
    assert rows(out)[1]["streamed"] == len(games.BULK)
    code, _, err = run("ls", "Game", "--class", "Acter")
    assert (code, "did you mean 'Actor'" in err) == (1, True)
    assert [row["name"] for row in rows(run("find", "rock", "--in", "Game", "--json")[1])] == ["/Game/Meshes/Rock"]
    assert "Cliff.casset" in run("find", "tex", "--in", "Crystal", "--file", "Cliff*")[1]
    assert run("find", "nothing", "--in", "Game")[0] == 1


def test_sizes_add_up(run: Run, tmp_path: Path) -> None:
    whole = sum(path.stat().st_size for path in (tmp_path / "Game/Paks").iterdir())
    for words in (("--by", "class"), ("--by", "file"), ("--by", "object", "--all")):
        code, out, _ = run("size", "Game", "--json", *words)
        assert (code, sum(row["disk"] for row in rows(out))) == (0, whole), words
    tree = rows(run("size", "Game", "--tree", "--json")[1])
    assert sum(row["disk"] for row in tree if row["depth"] == 0) == whole
    code, _, err = run("size", "Game", "--by", "label")
    assert (code, "builds of Unreal Engine have no labels" in err) == (2, True)
    code, out, _ = run("size", "Crystal", "--duplicates")
    assert (code, "would save 300 bytes, decoded" in out) == (1, True)
    assert "Game/Cliff.casset, Game/Shore.casset" in out
    assert run("size", "Game", "--duplicates") == (0, "nothing is duplicated\n", "")


def test_verify_says_what_is_missing(run: Run) -> None:
    code, out, _ = run("verify", "Game")
    assert code == 1
    assert out.splitlines() == [
        "/Engine/Default is not in the build; /Game/Meshes/Rock refers to it",
        "3 parts, 4 objects: 1 finding",
    ]
    assert rows(run("verify", "Crystal", "--json")[1])[-1] == {"findings": 1, "unread": 0, "objects": 4}


def test_other_questions_say_who_answers(run: Run) -> None:
    for words, instead in (
        (("deps", "Rock", "--in", "Game"), "`assetdb unreal deps PACKAGE --in Game`"),
        (("usages", "Rock", "--in", "Game"), "`assetdb unreal usages PACKAGE --in Game`"),
        (("diff", "Game", "Game"), "`assetdb unreal diff Game OTHER`"),
        (("deps", "Tex", "--in", "Crystal"), "`assetdb bundle deps BUNDLE --in Crystal`"),
        (("get", "Rock", "--in", "Game"), "`assetdb unreal info PACKAGE --in Game`"),
        (("get", "Tex", "--in", "Crystal"), "`assetdb bundle get OBJECT --in Crystal`"),
        (("diff", "Crystal", "Crystal"), "`assetdb bundle diff BUNDLE OTHER`"),
    ):
        code, out, err = run(*words)
        assert (code, out, instead in err) == (2, "", True), words


def test_what_is_advised_answers(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("info", "Game")[0] == 0
    assert main(["unreal", "deps", "/Game/Maps/Arena", "--in", "Game"]) == 0
    assert capsys.readouterr().out == "/Game/Meshes/Rock\n"
    assert main(["bundle", "deps", "Crystal/Game/Cliff.casset", "--in", "Crystal"]) == 0
    assert "Shore" in capsys.readouterr().out


def test_a_key_opens_what_is_encrypted_and_is_refused_elsewhere(run: Run, tmp_path: Path) -> None:
    games.write(tmp_path / "Locked", games.container(encryption=1))
    code, _, err = run("ls", "Locked")
    assert (code, "is encrypted" in err) == (2, True)
    code, out, err = run("ls", "Locked", "--key", KEY.hex())
    assert (code, "/Game/Meshes/Rock" in out) == (0, True)
    assert "not known: classes of 2 packages" in err
    making.player(tmp_path / "Game_Data")
    assert run("ls", "Game_Data", "--key", KEY.hex())[0] == 2
    assert run("ls", "Locked", "--key", "short")[2].startswith("assetdb: error: --key: ")


def test_an_archive_is_read_as_its_files(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "game.apk", "w") as archive:
        for name, data in games.unreal().items():
            archive.writestr(f"Content/{name}", data)
    code, out, err = run("info", "game.apk", "--json")
    assert (code, err) == (0, "")
    assert (rows(out)[0]["paths"], rows(out)[0]["kinds"]["package"]) == (["game.apk"], 3)
    assert run("verify", "game.apk")[1].endswith("3 parts, 4 objects: 1 finding\n")


def test_builds_of_two_engines_are_one_at_a_time(run: Run) -> None:
    code, _, err = run("info", "Game", "Crystal")
    assert (code, "holds files of Unreal Engine and CrystalEngine; name" in err) == (2, True)


def test_an_archive_of_bundles_is_the_work_of_bundle(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "coast.zip", "w") as archive:
        for name, data in games.crystal().items():
            archive.writestr(name, data)
    code, _, err = run("info", "coast.zip")
    assert (code, "is an archive of .casset bundles: `assetdb bundle` reads it" in err) == (2, True)
