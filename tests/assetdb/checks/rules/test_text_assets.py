"""Text assets that are cut or not closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.text_assets import find_damage
from tests.assetdb.checks.healthy import HEAD, guid_of, put
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

SCRIPTED = "ScriptedImporter:\n  userData: \n"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12\n"


@pytest.mark.parametrize(
    ("path", "sound", "damaged", "line"),
    [
        ("Assets/A.shadergraph", '{"a": 1}\n\n{"b": 2}\n', '{"a": 1}\n\n{"b": 2', 3),
        ("Assets/A.shadersubgraph", '{"a": 1}\n', '{"a": 1', 1),
        ("Assets/A.inputactions", '{"name": "A"}\n', '{"name": "A"', 1),
        ("Assets/A.uxml", "<a>\n<b />\n</a>\n", "<a>\n<b>\n</a>\n", 3),
        ("Assets/A.uss", "a {\n}\n", "a {\n", 1),
        ("Assets/More/link.xml", "<linker>\n</linker>\n", "<linker>\n", 2),
        ("Packages/com.acme.tools/package.json", '{"name": "com.acme.tools"}', '{"name": "com.acme.tools",}', 1),
    ],
)
def test_a_text_asset_that_unity_cannot_read_is_damage(
    tmp_path: Path, path: str, sound: str, damaged: str, line: int
) -> None:
    root = tmp_path / "Game"
    for text in (sound, "", POINTER, f"<<<<<<< ours\n{damaged}"):
        put(root, path, text, SCRIPTED)
        assert found_by(find_damage, root) == []
    put(root, path, damaged, SCRIPTED)
    (found,) = found_by(find_damage, root)
    assert (found.code, found.path, found.line) == ("broken-asset", path, line)
    assert found.message.startswith("Unity cannot read the file: it ")
    assert found.asset == ("" if path.startswith("Packages/") else guid_of(path))


@pytest.mark.parametrize("path", ["Assets/A.vfx", "Assets/A.vfxoperator", "Assets/A.vfxblock"])
def test_a_line_of_an_effect_that_unity_refuses_is_damage(tmp_path: Path, path: str) -> None:
    root = tmp_path / "Game"
    text = f"{HEAD}--- !u!114 &1\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n  m_Name: {{}}\n"
    put(root, path, text.format("'A'"), SCRIPTED)
    assert found_by(find_damage, root) == []
    put(root, path, text.format("'A"), SCRIPTED)
    (found,) = found_by(find_damage, root)
    assert (found.code, found.path, found.line, found.asset) == ("broken-asset", path, 6, guid_of(path))
    assert found.message.endswith("has a quote that is not closed")
