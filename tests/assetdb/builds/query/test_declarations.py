"""What boot.config and ScriptingAssemblies.json beside a player declare."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.declarations import build_guid, declared_assemblies
from assetdb.builds.query.summary import summarize
from tests.assetdb.builds import making

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["UnityEngine.CoreModule.dll", "Assembly-CSharp.dll", "Unity.Collections.dll", 7]


def test_a_player_declares_its_guid_and_assemblies(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    (folder / "boot.config").write_text("wait-for-native-debugger=0\nbuild-guid=444ff6a4263b4810847889c004ff5c4d\n")
    (folder / "ScriptingAssemblies.json").write_text(json.dumps({"names": NAMES, "types": [2, 16, 16]}))
    build = open_build(folder, remember=False)
    assert build_guid(build) == "444ff6a4263b4810847889c004ff5c4d"
    assert declared_assemblies(build) == tuple(NAMES[:3])
    found = summarize(build)
    assert (found.guid, found.declared) == ("444ff6a4263b4810847889c004ff5c4d", ("Unity.Collections.dll",))


@pytest.mark.parametrize("data", [b"", b"build-guid", b"[]", b'{"names":7}', b"\xff\xfe", b"[" * 100_000])
def test_what_declares_nothing_is_no_error(tmp_path: Path, data: bytes) -> None:
    folder = making.player(tmp_path / "Game_Data")
    for name in ("boot.config", "ScriptingAssemblies.json"):
        (folder / name).write_bytes(data)
    build = open_build(folder, remember=False)
    assert (build_guid(build), declared_assemblies(build)) == ("", ())


@pytest.mark.corpus("builds")
def test_a_web_player_declares_them(corpus: Path) -> None:
    found = summarize(open_build(corpus / "builds/UnityDataTools/WebBundles/HelloWorld.data", remember=False))
    assert found.guid == "444ff6a4263b4810847889c004ff5c4d"
    assert "Unity.Burst.Unsafe.dll" in found.declared
    assert not any(name.startswith("UnityEngine.") for name in found.declared)
