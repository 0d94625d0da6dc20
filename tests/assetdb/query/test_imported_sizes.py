"""``--imported`` on every surface: find and ls as text, JSON, methods and tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from tests.assetdb.mcp.assistant import assisting
from tests.assetdb.unity.textures.test_imported import meta, platform, png
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from pathlib import Path

BIG: dict[str, Any] = {"width": 64, "height": 64, "format": "DXT1", "mips": 1, "bytes": 2048}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "P")
    (root / "Assets/New").mkdir()
    for number, (name, settings) in enumerate((("big", meta(platform())), ("crunched", meta(platform(crunched=1))))):
        (root / f"Assets/New/{name}.png").write_bytes(png(64, 64))
        own = settings.replace(b"guid: 0", f"guid: {guid(70 + number)}".encode())
        (root / f"Assets/New/{name}.png.meta").write_bytes(own)
    (root / "Assets/New/note.txt").write_bytes(b"note")
    (root / "Assets/New/note.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(72)}\nTextScriptImporter:\n")
    monkeypatch.chdir(root)
    return root


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main([*words, "--quiet"]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.usefixtures("root")
def test_find_and_ls_show_textures_as_a_platform_gets_them(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("find", "Assets/New/*"), ("ls", "Assets/New")):
        rows = {
            row["path"]: row["imported"]
            for row in map(json.loads, asked(capsys, *words, "--imported", "Windows", "--json"))
        }
        assert rows == {
            "Assets/New/big.png": BIG,
            "Assets/New/crunched.png": {**BIG, "bytes": None},
            "Assets/New/note.txt": None,
        }
        lines = asked(capsys, *words, "--imported", "Windows")
        (big,) = [line for line in lines if "big.png" in line]
        assert "2,048  64x64 DXT1" in big
        assert (
            lines[-1] == "imported for Windows: 1 texture, 2,048 bytes, estimated; 1 texture crunched, of unknown bytes"
        )
    assert asked(capsys, "ls", "Assets/New/big.png", "--imported", "windows")[-1].startswith(
        "imported for windows: 1 texture"
    )


@pytest.mark.usefixtures("root")
def test_an_unknown_platform_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", "big", "--imported", "amiga"]) == 2
    assert "there is no platform 'amiga' (platforms are standalone, windows," in capsys.readouterr().err
    assert main(["find", "x", "--in", "Assets/Main.unity", "--imported", "ios"]) == 2


def test_assistants_see_them(root: Path) -> None:
    with assisting(root) as assistant:
        for tool, arguments in (("find", {"pattern": "big"}), ("ls", {"query": "Assets/New"})):
            call = {"name": tool, "arguments": {**arguments, "imported": "webgl"}}
            text = assistant.request("tools/call", call)["result"]["content"][0]["text"]
            assert "imported: 64x64 DXT1 2,048 bytes" in text
