"""``assetdb unreal info`` and ``find`` on files of localized texts."""

from __future__ import annotations

import json
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.cli.unreal.texts import Translations
from assetdb.errors import UsageError
from assetdb_formats.unreal.properties.decoded import TextKey
from tests.assetdb_formats.unreal.package_writer import EDITOR, Writer
from tests.assetdb_formats.unreal.properties.test_exports import none, tag
from tests.assetdb_formats.unreal.test_localization import META, ROWS, locres, string

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Game.locres").write_bytes(locres(3))
    cultures = string("en") + string("en/Game.locres") + pack("<i", 2) + string("en") + string("de")
    (tmp_path / "Game.locmeta").write_bytes(META + b"\1" + cultures)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["unreal", *words])
    return code, *capsys.readouterr()


def write_package(path: Path, text: bytes) -> None:
    writer = Writer(-8, 522, 1009, EDITOR)
    writer.imports = [
        ("/Script/CoreUObject", "Package", 0, "/Script/Engine"),
        ("/Script/CoreUObject", "Class", -1, "Thing"),
    ]
    writer.exports = [(-2, 0, "Export", tag(writer, "Title", "TextProperty", text) + none(writer), True)]
    path.write_bytes(writer.data())


def test_info_prints_all_texts(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "info", "Game.locres")
    assert (code, err) == (0, "")
    assert out.splitlines()[-3:] == ["  Menu  Play   Spielen", "  Menu  Start  Spielen", "        Über   Über uns"]
    code, out, _ = run(capsys, "info", "Game.locres", "--json")
    found = json.loads(out)
    assert (code, found["version"], found["namespaces"]) == (0, 3, ["Menu", ""])
    assert [tuple(row.values()) for row in found["texts"]] == [*ROWS]


def test_info_prints_cultures(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "info", "Game.locmeta")
    assert (code, out.splitlines()[-1]) == (0, "  cultures        en, de")
    assert json.loads(run(capsys, "info", "Game.locmeta", "--json")[1])["compiled"] == ["en", "de"]


@pytest.mark.parametrize(
    ("pattern", "keys"), [("spielen", ["Play", "Start"]), ("play", ["Play"]), ("M?nu", ["Play", "Start"]), ("x", [])]
)
def test_find_looks_at_namespaces_keys_and_texts(
    capsys: pytest.CaptureFixture[str], pattern: str, keys: list[str]
) -> None:
    code, out, err = run(capsys, "find", pattern, "--in", "Game.locres", "--json")
    assert [json.loads(line)["key"] for line in out.splitlines()] == keys
    assert code == (0 if keys else 1)
    assert bool(err) != bool(keys)


def test_a_text_with_half_a_character_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = pack("<I", 1) + string("N") + pack("<I", 1) + string("K") + pack("<Ii", 0, -2) + b"\0\xd8\0\0"
    (tmp_path / "half.locres").write_bytes(data)
    assert run(capsys, "info", "half.locres")[0] == 0
    assert json.loads(run(capsys, "info", "half.locres", "--json")[1])["texts"][0]["text"] == "\ud800"


def test_wrong_questions_and_files_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "find", "x", "--in", "Game.locmeta")
    assert (code, "these are in the .locres of each culture" in err) == (2, True)
    code, _, err = run(capsys, "info", "Game.locres", "--properties")
    assert (code, "--properties is not for localized texts" in err) == (2, True)
    (tmp_path / "cut.locres").write_bytes(locres(3)[:60])
    code, _, err = run(capsys, "info", "cut.locres")
    assert (code, "cut.locres: offset 25" in err) == (2, True)


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        (TextKey("Menu", "Play", "Play"), "Spielen"),
        (TextKey("Menu [FE054871424DA07F4B0154988B705BAB]", "Play", "Play"), "Spielen"),
        (TextKey("[FE054871424DA07F4B0154988B705BAB]", "Über", "About"), "Über uns"),
        (TextKey("Other", "Play", "Play"), None),
    ],
)
def test_keys_are_found_without_the_id_of_their_package(key: TextKey, shown: str | None) -> None:
    found = Translations("Game.locres")
    assert found.facts(key)["text"] == shown
    assert found.row(key)[-1] == (shown or "(not in Game.locres)")


def test_a_file_of_cultures_stands_for_its_native_one(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en/Game.locres").write_bytes(locres(2))
    assert Translations("Game.locmeta").facts(TextKey("Menu", "Play", "Play"))["text"] == "Spielen"


@pytest.mark.parametrize("native", ["../Game.locres", "/etc/Game.locres", "en\\..\\..\\Game.locres", "Game.txt", ""])
def test_a_file_of_cultures_leads_nowhere_else(tmp_path: Path, native: str) -> None:
    (tmp_path / "Bad.locmeta").write_bytes(META + b"\0" + string("en") + string(native))
    with pytest.raises(UsageError, match=r"names no \.locres beside it"):
        Translations("Bad.locmeta")


def test_info_shows_the_strings_of_a_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    menu = pack("<IB", 0, 0) + string("Menu") + string("Play") + string("Play!")
    write_package(tmp_path / "Menu.uasset", menu)
    code, out, err = run(capsys, "info", "Menu.uasset", "--texts", "Game.locres")
    assert (code, err) == (0, "")
    assert out.splitlines()[-2:] == ["texts", "  Menu  Play  Play!  Spielen"]
    code, out, _ = run(capsys, "info", "Menu.uasset", "--texts", "Game.locres", "--json")
    found = json.loads(out)
    assert found["texts"] == [{"namespace": "Menu", "key": "Play", "source": "Play!", "text": "Spielen"}]
    assert "properties" not in found


def test_texts_want_a_file_of_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_package(tmp_path / "Menu.uasset", pack("<IB", 0, 255) + pack("<I", 0))
    assert run(capsys, "info", "Menu.uasset", "--texts", "Menu.uasset")[0] == 2
    assert run(capsys, "info", "Menu.uasset", "--texts", "Gone.locres")[0] == 2
    assert run(capsys, "info", "Game.locres", "--texts", "Game.locres")[0] == 2
