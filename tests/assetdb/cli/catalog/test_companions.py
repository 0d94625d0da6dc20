"""assetdb catalog layout, state, settings and hash."""

from __future__ import annotations

import json
import struct
import zipfile
from typing import TYPE_CHECKING, Any

from assetdb.cli import main
from assetdb_formats.addressables.hashes import content_hash
from tests.assetdb_formats.addressables.builder import make_layout

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

AA = "Game_Data/StreamingAssets/aa"


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["catalog", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def rows(capsys: pytest.CaptureFixture[str], *words: object) -> list[dict[str, Any]]:
    code, out, err = run(capsys, *words, "--json")
    assert (code, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def test_layouts_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "buildLayout_2023.11.29.json"
    path.write_text(json.dumps(make_layout()))
    (summary,) = rows(capsys, "layout", tmp_path)
    assert (summary["layout"], summary["bundle_bytes"], summary["groups"]) == (str(path), 3000, 2)
    bundles = rows(capsys, "layout", path, "--kind", "bundles")
    assert [(one["layout"], one["size"], one["crc"], one["assets"]) for one in bundles] == [
        (str(path), 1000, 101, 1), (str(path), 2000, 102, 0)]  # fmt: skip
    (asset,) = rows(capsys, "layout", path, "--kind", "assets")
    assert (asset["path"], asset["bundle"], asset["labels"], asset["size"]) == (
        "Assets/Art/Icons/sword.png", "group_1_assets_all.bundle", ["icons"], 700)  # fmt: skip
    groups = rows(capsys, "layout", path, "--kind", "groups")
    assert [(one["name"], one["bundles"], one["assets"], one["size"]) for one in groups] == [
        ("Maps", 1, 0, 2000), ("Icons", 1, 1, 1000)]  # fmt: skip
    for kind in ("summary", "assets", "groups"):
        code, out, _ = run(capsys, "layout", path, "--kind", kind)
        assert (code, bool(out)) == (0, True)


def test_a_broken_layout_keeps_none_from_being_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "a_buildlayout.json", tmp_path / "b_buildlayout.txt"
    good.write_text(json.dumps(make_layout()))
    bad.write_text("nothing like it")
    code, out, err = run(capsys, "layout", bad, tmp_path, "--kind", "bundles")
    assert code == 2
    assert "group_1_assets_all.bundle" in out
    assert err.count(f"{bad}: ") == 1
    code, out, err = run(capsys, "layout", tmp_path / "absent", tmp_path.parent / "none")
    assert (code, out) == (2, "")
    assert "absent: No such file" in err


def state_file(player: str) -> bytes:
    """Return a content state without assets, as .NET's BinaryFormatter writes it."""

    def name(text: str) -> bytes:
        return bytes((len(text),)) + text.encode()

    body = b"\0" + struct.pack("<4i", 1, -1, 1, 0)
    body += b"\x0c" + struct.pack("<i", 2) + name("Unity.Addressables.Editor")
    body += b"\x05" + struct.pack("<i", 1) + name("X.AddressablesContentState") + struct.pack("<i", 1)
    body += name("playerVersion") + bytes((1,)) + struct.pack("<i", 2)
    return body + b"\x06" + struct.pack("<i", 3) + name(player) + b"\x0b"


def test_states(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "AddressableAssetsData" / "Windows"
    folder.mkdir(parents=True)
    path = folder / "addressables_content_state.bin"
    path.write_bytes(state_file("1.2.3"))
    (summary,) = rows(capsys, "state", tmp_path)
    assert (summary["state"], summary["player_version"], summary["assets"]) == (str(path), "1.2.3", 0)
    assert run(capsys, "state", path)[1].splitlines()[1].split() == ["player", "version", "1.2.3"]
    assert rows(capsys, "state", path, "--kind", "assets") == []
    path.write_bytes(b"\0" * 9)
    code, out, err = run(capsys, "state", tmp_path)
    assert (code, out) == (2, "")
    assert err.startswith(f"assetdb: error: {path}: ")


def test_settings_are_told_from_those_of_editors(build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (build / ".vscode").mkdir()
    (build / ".vscode" / "settings.json").write_text('{"editor.tabSize": 4}')
    (found,) = rows(capsys, "settings", build)
    assert found["settings"] == str(build / AA / "settings.json")
    assert [one["keys"] for one in found["catalogs"]] == [["AddressablesMainContentCatalog"]]
    (build / AA / "settings.json").unlink()
    code, _, err = run(capsys, "settings", build)
    assert code == 2
    assert "holds no settings.json of Addressables" in err


def test_hashes(build: Path, tmp_path: Path, json_bytes: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    file = build / AA / "catalog.hash"
    (found,) = rows(capsys, "hash", build)
    assert (found["name"], found["method"], found["wrong"]) == (str(file), "spooky", False)
    assert rows(capsys, "hash", file) == [found]
    file.write_text(content_hash(json_bytes, method="md5").upper() + "\n")
    assert rows(capsys, "hash", build)[0]["method"] == "md5"
    file.write_text("0" * 32)
    code, out, err = run(capsys, "hash", build)
    assert (code, out.split()[0]) == (1, "WRONG")
    assert content_hash(json_bytes) in err
    file.write_text("no hash")
    code, out, err = run(capsys, "hash", build)
    assert (code, out) == (2, "")
    assert "32 hexadecimal digits" in err
    file.unlink()
    code, out, _ = run(capsys, "hash", build)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["none", "none"]
    assert content_hash(json_bytes) in out
    lone = tmp_path / "lone"
    lone.mkdir()
    (lone / "catalog_2023.hash").write_text("a" * 32)
    code, out, _ = run(capsys, "hash", lone)
    assert (code, out.split()[0]) == (0, "alone")


def test_they_are_read_out_of_archives(build: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.apk"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("catalog.json", "catalog.hash", "settings.json"):
            archive.write(build / AA / name, f"assets/aa/{name}")
        archive.writestr("../buildlayout.json", json.dumps(make_layout()))
        archive.writestr("buildlayout.json", json.dumps(make_layout()))
    assert rows(capsys, "settings", path)[0]["settings"] == f"{path}/assets/aa/settings.json"
    assert rows(capsys, "hash", path)[0]["name"] == f"{path}/assets/aa/catalog.hash"
    assert [one["layout"] for one in rows(capsys, "layout", path)] == [f"{path}/buildlayout.json"]
