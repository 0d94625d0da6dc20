"""Text assets that are cut or not closed."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import rule_findings
from assetdb.checks.rules import RULES, project_settings
from assetdb.checks.rules.text_assets import find_damage, find_invalid_guids
from assetdb.memo.memo import memo_of
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.yaml.structure import Fault, find_faults
from tests.assetdb.checks.healthy import HEAD, guid_of, put, put_settings
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.unity_project import SETTLED

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.unity.yaml.judging.refusals import Judge

SCRIPTED = "ScriptedImporter:\n  userData: \n"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12\n"


@pytest.mark.parametrize(
    ("path", "sound", "damaged", "line"),
    [
        ("Assets/A.shadergraph", '{"a": 1}\n\n{"b": 2}\n', '{"a": 1}\n\n{"b": 2', 3),
        ("Assets/A.shadersubgraph", '{"a": 1}\n', '{"a": 1', 1),
        ("Assets/A.inputactions", '{"name": "A"}\n', '{"name": "A"', 1),
        ("Assets/A.INPUTACTIONS", '{"name": "A"}\n', '{"name": "A"', 1),
        ("Assets/A.ShaderGraph", '{"a": 1}\n', '{"a": 1', 1),
        ("Assets/A.uxml", "<a>\n<b />\n</a>\n", "<a>\n<b>\n</a>\n", 3),
        ("Assets/A.uss", "a {\n}\n", "a {\n", 1),
        ("Assets/A.tss", "a {\n}\n", "a {\n", 1),
        ("Assets/Plugins/Android/AndroidManifest.xml", "<a>\n<b />\n</a>\n", "<a>\n<b>\n</a>\n", 3),
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


@pytest.mark.parametrize("folder", ["Assets/More/Plugins/Android", "Assets/OldAssets/Plugins/Android"])
def test_manifests_in_other_folders_are_texts_like_any_other(tmp_path: Path, folder: str) -> None:
    put(tmp_path / "Game", f"{folder}/AndroidManifest.xml", "<a>\n", SCRIPTED)
    assert found_by(find_damage, tmp_path / "Game") == []


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


def test_effects_are_judged_once_however_many_assets_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "Game"
    put(root, "Assets/A.vfx", f"{HEAD}--- !u!114 &1\nMonoBehaviour:\n  m_Name: 'A\n", SCRIPTED)
    put_settings(root)
    time.sleep(SETTLED)
    judged: list[bytes] = []
    rules = [rule for rule in RULES if rule.function == "find_damage"]

    def counted(data: bytes, judge: Judge | None) -> list[Fault]:
        judged.append(data)
        return find_faults(data, judge)

    monkeypatch.setattr(project_settings, "find_faults", counted)
    found = []
    for number in range(3):
        put(root, f"Assets/More{number}.mat", f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: M\n")
        with closing(open_project(str(root))) as project:
            memo = memo_of(project)
            found.append([*rule_findings(memo.inputs(project), rules)])
            memo.write()
    assert [row.path for row in found[0]] == ["Assets/A.vfx"]
    assert found[1:] == found[:1] * 2
    assert len(judged) == len(set(judged)) == 3  # with two of the settings


GUID = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize("text", [GUID[:31], f"{GUID}00", "01234567-89ab-cdef-0123-456789abcdef", "~", "z" * 32])
@pytest.mark.parametrize(
    ("path", "written", "line"),
    [
        ("Assets/A.shadergraph", '{"a": "{\\"fileID\\":2800000,\\"guid\\":\\"GUID\\",\\"type\\":3}"}\n', 1),
        ("Assets/A.shadersubgraph", '{\n"fileID": -5,\n"guid": "GUID"}\n', 3),
        ("Assets/A.vfx", f'{HEAD}--- !u!1 &1\nA:\n  s: \'{{"obj":{{"fileID":4,"guid":"GUID","type":0}}}}\'\n', 5),
        (
            "Assets/A.uxml",
            '<a>\n<b src="project://database/Assets/a.uss?fileID=74&amp;guid=GUID&amp;type=3#a" />\n</a>',
            2,
        ),
        ("Assets/A.uss", "a {\n  b: url('project://database/Assets/a.png?fileID=28&guid=GUID&type=3#a');\n}\n", 2),
        ("Assets/A.tss", '@import url("project://database/Assets/a.uss?fileID=74&guid=GUID");\n', 1),
    ],
)
def test_a_guid_of_another_shape_is_told(tmp_path: Path, path: str, written: str, line: int, text: str) -> None:
    root = tmp_path / "Game"
    for sound in (GUID, "", "0" * 32):
        put(root, path, written.replace("GUID", sound), SCRIPTED)
        assert found_by(find_invalid_guids, root) == []
    put(root, path, written.replace("GUID", text), SCRIPTED)
    (found,) = found_by(find_invalid_guids, root)
    assert (found.code, found.path, found.line, found.asset) == ("invalid-guid", path, line, guid_of(path))
    assert found.message == f"Unity cannot read the GUID {text}: it is not 32 hexadecimal digits"


def test_ids_of_nodes_and_references_to_nothing_are_no_unread_guids(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    node = '{"m_Guid": {"m_GuidSerialized": "01234567-89ab-cdef-0123-456789abcdef"}, "guid": "f00"}'
    put(root, "Assets/A.shadergraph", f'{node}\n\n{{"fileID":0,"guid":"f00"}}\n', SCRIPTED)
    assert found_by(find_invalid_guids, root) == []
