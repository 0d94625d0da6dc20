"""Tools that change files: only where allowed, and only what a dry run has shown."""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.mcp.declarations import OUTPUT, READING, WRITING, declaration
from assetdb.system.json_text import write_json
from tests.assetdb.cli.merging.guide import scene
from tests.assetdb.cli.merging.test_resolve import SCENE, conflicted
from tests.assetdb.mcp.assistant import Assistant, assisting
from tests.assetdb.unity_project import HEAD, guid, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKEN = re.compile(r"repeat the call with token (\w+)")


@pytest.fixture
def writer(project: Path, tmp_path: Path) -> Iterator[tuple[Assistant, Path]]:
    """An assistant that may write, in a project of its own."""
    root = tmp_path / "Own"
    shutil.copytree(project, root, symlinks=True)
    with assisting(root, "--allow-write") as found:
        yield found, root


def token_of(text: str) -> str:
    found = TOKEN.search(text)
    assert found is not None, text
    return found[1]


def test_tools_that_change_files_are_offered_only_where_allowed(assistant: Assistant) -> None:
    answer = assistant.request("tools/call", {"name": "rm", "arguments": {"paths": ["Assets/Art"]}})
    assert answer["error"]["code"] == -32602
    names = [tool["name"] for tool in assistant.request("tools/list")["result"]["tools"]]
    assert not {"register", "mv", "rm", "fix"} & set(names)


def test_all_declarations_together_take_at_most_2500_tokens() -> None:
    declared = [declaration(tool) for tool in READING + WRITING]
    assert all(tool.pop("outputSchema") == OUTPUT for tool in declared)  # of programs: a model does not read it
    assert len(write_json(declared)) <= 2500 * 4
    asked = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in declared]
    assert len(write_json(asked)) <= 9000
    hints = {tool["name"]: tool["annotations"] for tool in declared}
    assert hints["rm"] == {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}
    assert hints["mv"] == {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}


def test_a_move_is_done_with_the_token_of_its_dry_run(writer: tuple[Assistant, Path]) -> None:
    assistant, root = writer
    move = {"sources": ["Assets/Prefabs/Base.prefab"], "target": "Assets/Art"}
    text = assistant.call("mv", **move)
    assert text.startswith("dry run, nothing is changed yet: 2 moved")
    assert "rename to Assets/Art/Base.prefab.meta" in text
    assert (root / "Assets/Prefabs/Base.prefab").exists()
    text = assistant.call("mv", **move, token=token_of(text))
    assert text.startswith("done: 2 moved")
    assert (root / "Assets/Art/Base.prefab.meta").exists()
    assert "Assets/Art/Base.prefab" in assistant.call("find", pattern="Base.prefab")
    assert "Assets/Prefabs/Nested.prefab" in assistant.call("usages", query="Assets/Art/Base.prefab")


def test_a_move_says_what_is_not_found_by_name_any_more(writer: tuple[Assistant, Path]) -> None:
    assistant, root = writer
    write(root, "Assets/oak.spm", 71, b"", "SpeedTreeImporter:\n  userData: \n")
    text = f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Bark\n"
    write(root, "Assets/oak Materials/Bark.mat", 72, text, "NativeFormatImporter:\n  userData: \n")
    text = assistant.call("mv", sources=["Assets/oak.spm"], target="Assets/elm.spm")
    assert "Assets/oak.spm  found by name  -> Assets/oak Materials/Bark.mat would not be found any more" in text
    assert "would not be found" not in assistant.call("mv", sources=["Assets/Prefabs/Base.prefab"], target="Assets/Art")


def test_a_token_is_for_one_plan_once(writer: tuple[Assistant, Path]) -> None:
    assistant, root = writer
    (root / "Assets/New.txt").write_text("new")
    token = token_of(assistant.call("register", paths=["Assets/New.txt"]))
    for given in (
        {"paths": ["Assets/Art", "Assets/New.txt"], "token": token},
        {"paths": ["Assets/New.txt"], "token": "0" * 16},
    ):
        assert assistant.refused("register", given).startswith("nothing is changed: the token does not match")
    assert not (root / "Assets/New.txt.meta").exists()
    assert assistant.call("register", paths=["Assets/New.txt"], token=token).startswith("done: 1 made")
    assert (root / "Assets/New.txt.meta").exists()
    assert assistant.call("register", paths=["Assets/New.txt"]) == "register has nothing to change"


def test_a_new_meta_has_the_guid_that_the_dry_run_showed(writer: tuple[Assistant, Path]) -> None:
    assistant, root = writer
    (root / "Assets/New.txt").write_text("new")
    text = assistant.call("register", paths=["Assets/New.txt"])
    assert text == assistant.call("register", paths=["Assets/New.txt"])
    assistant.call("register", paths=["Assets/New.txt"], token=token_of(text))
    shown = re.search(r"^\+guid: (\w{32})$", text, re.MULTILINE)
    assert shown is not None
    assert f"guid: {shown[1]}" in (root / "Assets/New.txt.meta").read_text()


def test_what_is_referred_to_is_not_removed_without_force(writer: tuple[Assistant, Path]) -> None:
    assistant, root = writer
    text = assistant.call("rm", paths=["Assets/Prefabs/Base.prefab"])
    assert "2 files refer to what would be removed" in text
    assert "Assets/Prefabs/Nested.prefab:" in text
    assert "m_SourcePrefab" in text
    rows = text.split("\n")[1:]
    assert len({row.partition("  ")[0] for row in rows}) == len(rows) < 5  # a row for each instance of the 5 references
    assert TOKEN.search(text) is None
    text = assistant.call("rm", paths=["Assets/Prefabs/Base.prefab"], force=True)
    assert assistant.call("rm", paths=["Assets/Prefabs/Base.prefab"], force=True, token=token_of(text)).startswith(
        "done: 2 removed"
    )
    assert not (root / "Assets/Prefabs/Base.prefab").exists()


def test_a_folder_that_has_changed_since_its_dry_run_is_not_removed(writer: tuple[Assistant, Path]) -> None:
    assistant, root = writer
    token = token_of(assistant.call("rm", paths=["Assets/Names"], force=True))
    (root / "Assets/Names/late.txt").write_text("somebody's work")
    assert "files or arguments differ" in assistant.refused(
        "rm", {"paths": ["Assets/Names"], "force": True, "token": token}
    )
    assert (root / "Assets/Names/late.txt").exists()


def test_findings_are_mended_as_the_dry_run_showed(writer: tuple[Assistant, Path]) -> None:
    assistant, root = writer
    shutil.rmtree(root / "Assets/NotYaml")  # it may refer to the copy
    shutil.copy(root / "Assets/Art/Red.mat", root / "Assets/Art/Red 1.mat")
    shutil.copy(root / "Assets/Art/Red.mat.meta", root / "Assets/Art/Red 1.mat.meta")
    mend: dict[str, object] = {"select": ["duplicate-guid"], "paths": ["Assets/Art"]}
    text = assistant.call("fix", **mend)
    shown = re.search(r"^\+guid: (\w{32})$", text, re.MULTILINE)
    assert shown is not None
    assert assistant.call("fix", **mend, token=token_of(text)).startswith("done: 1 changed")
    assert f"guid: {shown[1]}" in (root / "Assets/Art/Red 1.mat.meta").read_text()
    assert assistant.call("check", **mend) == "no findings in Assets/Art"


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("mv", {"sources": ["Assets/None.txt"], "target": "Assets/Art"}, "None.txt"),
        ("mv", {"sources": [".."], "target": "Assets/Art"}, "not in the project"),
        ("mv", {"sources": ["Assets/Art"], "target": "/etc"}, "/etc"),
        ("mv", {"sources": ["Assets"], "target": "Assets/Art"}, "Assets"),
        ("rm", {"paths": ["Assets"]}, "Assets"),
        ("rm", {"paths": [""]}, ""),
        ("fix", {"select": ["no-such-code"]}, "no-such-code"),
        ("mv", {"sources": "Assets/Art", "target": "x"}, "a list"),
        ("mv", {"sources": ["Assets/Art"]}, "needs 'target'"),
    ],
)
def test_what_cannot_be_is_refused(
    writer: tuple[Assistant, Path], tool: str, arguments: dict[str, object], said: str
) -> None:
    assistant, root = writer
    before = sorted(root.joinpath("Assets").rglob("*"))
    assert said in assistant.refused(tool, arguments)
    assert sorted(root.joinpath("Assets").rglob("*")) == before


def test_an_invented_guid_is_found_before_work_is_done(writer: tuple[Assistant, Path]) -> None:
    assistant, root = writer
    material = root / "Assets/Prefabs/Variant.prefab"
    material.write_text(material.read_text().replace("864eb4c93ac1f6e40d118fd26989f203", guid(4242)))
    assert guid(4242) in assistant.call("check", paths=["Assets/Prefabs/Variant.prefab"])


@pytest.mark.skipif(os.name == "nt", reason="git's shell is not on PATH there")
def test_open_values_of_a_merge_are_listed_and_answered(tmp_path: Path) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2, 2), theirs=scene(3, 3))
    before = (root / SCENE).read_text()
    with assisting(root, "--allow-write") as assistant:
        listed = assistant.call("resolve").splitlines()
        assert listed[0] == "resolve changes nothing: 2 values open, to be answered with take"
        position = (
            f"{SCENE} 1: Player / Body (Transform) m_LocalPosition: (0, 1, 0) -> ours (0, 2, 0), theirs (0, 3, 0)"
        )
        assert listed[1] == position
        assert len(assistant.call("resolve", take=["theirs 2"]).splitlines()) == 2
        assert "such as 'ours * m_LocalPosition'" in assistant.refused("resolve", {"take": ["mine *"]})
        typed = assistant.call("resolve", take=["=(0, 5, 0) 1", "ours *"])
        assert "+  m_LocalPosition: {x: 0, y: 5, z: 0}" in typed
        take = ["theirs * m_LocalPosition", "ours *"]
        text = assistant.call("resolve", paths=[SCENE], take=take)
        assert (root / SCENE).read_text() == before
        assert "-  m_LocalPosition: {x: 0, y: 2, z: 0}" in text
        done = assistant.call("resolve", paths=[SCENE], take=take, token=token_of(text))
        assert done.startswith("done: 1 changed")
        assert (root / SCENE).read_text() == scene(3, 2)


@pytest.mark.skipif(os.name == "nt", reason="git's shell is not on PATH there")
def test_an_answer_that_breaks_a_file_is_told(tmp_path: Path) -> None:
    base, ours, theirs = (
        scene() + f"--- !u!114 &70\nMonoBehaviour:\n  target: {{fileID: {target}}}\n" for target in (0, 100, 101)
    )
    root = conflicted(tmp_path, driver=True, base=base, ours=ours, theirs=theirs)
    before = (root / SCENE).read_bytes()
    with assisting(root, "--allow-write") as assistant:
        rows = assistant.call("resolve", take=["={fileID: 999} 1"]).splitlines()
    assert rows[0] == "resolve changes nothing: 1 value open, to be answered with take"
    assert rows[1] == f"{SCENE}: with these answers alone it would be broken: fileID 70 (MonoBehaviour) target"
    assert (root / SCENE).read_bytes() == before
