"""GUIDs of other shapes than 32 digits: every question has an answer, none ends in a traceback."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.unity.yaml.objects import NO_GUID
from tests.assetdb.mcp.assistant import assisting
from tests.assetdb.unity.referring.test_guid_shapes import GUID, SHAPES
from tests.needs import require_git
from tests.system.graph.project import add, data_asset, write_project

if TYPE_CHECKING:
    from pathlib import Path

PATH = "Assets/Shape.asset"
NOTHING = {"empty": "", "zeros": NO_GUID}
QUESTIONS = (
    ("bake",),
    ("check",),
    ("coverage",),
    ("ls", PATH),
    ("ls", "Assets"),
    ("find", "Shape"),
    ("find", "--component", "Data"),
    ("name", PATH),
    ("guid", PATH),
    ("deps", PATH),
    ("deps", PATH, "--deep"),
    ("usages", PATH),
    ("usages", "Assets/Data.cs", "--objects"),
    ("unused", "--incomplete"),
    ("info",),
    ("annotate", PATH),
    ("diff", "HEAD"),
    ("history", PATH),
)


def refers(guid: str) -> str:
    return data_asset("Shape", f"{{fileID: 2100000, guid: {guid}, type: 2}}")


def committed_project(root: Path) -> Path:
    """Make a project in git whose asset refers to one with a proper GUID."""
    write_project(root)
    add(root, PATH, refers(GUID))
    (root / ".gitignore").write_text("Library\n")
    author = ("-c", "user.email=a@b.example", "-c", "user.name=A")
    for words in (("init", "-q"), ("add", "-A"), (*author, "commit", "-qm", "all")):
        require_git()
        subprocess.run(("git", *words), cwd=root, check=True)
    return root


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return committed_project(tmp_path_factory.mktemp("shapes") / "P")


@pytest.fixture
def inside(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project)
    return project


def ask(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str]:
    """Return what a command prints; an exception would end the test."""
    code = main(list(words))
    out, err = capsys.readouterr()
    assert code in (0, 1), (words, err)
    assert "Traceback" not in err, err
    return out, err


@pytest.mark.parametrize("text", [*SHAPES.values(), *NOTHING.values()], ids=[*SHAPES, *NOTHING])
def test_every_question_is_answered(inside: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    (inside / PATH).write_text(refers(text), encoding="utf-8")
    for words in QUESTIONS:
        ask(capsys, *words)
        if words[0] not in ("bake", "annotate"):
            ask(capsys, *words, "--json")
    is_nothing = text in NOTHING.values()
    findings = [json.loads(line) for line in ask(capsys, "check", "--json", PATH)[0].splitlines()]
    rows = [(row["code"], row["line"], row["property_path"]) for row in findings if row.get("path") == PATH]
    assert rows == ([] if is_nothing else [("invalid-guid", 8, "items[0]")])
    shown = ask(capsys, "get", PATH)[0].splitlines()[-1].split(maxsplit=1)[1]
    values = json.loads(ask(capsys, "get", PATH, "--json")[0])["properties"]
    value = next(row["value"] for row in values if row["path"] == "items[0]")
    with assisting(inside) as assistant:
        told = assistant.call("get", query=PATH)
    changed = ask(capsys, "diff", "HEAD")[0]
    if is_nothing:
        assert shown.endswith("None")
        assert (value["name"], value["reason"]) == ("None", "")
        assert "None" in told
        assert f"{GUID}:2100000 (missing-asset) -> None" in changed
    else:
        bare = text.strip("\"'")
        assert bare in shown
        assert shown.endswith(":2100000 (invalid-guid)")
        assert (value["reason"], value["file_id"]) == ("invalid-guid", 2100000)
        assert bare in told
        assert "(invalid-guid)" in told
        assert f"{bare}" in changed
        assert "(invalid-guid)" in changed


def test_digits_too_many_are_not_cut_to_a_guid(inside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An asset with the first 32 of 34 digits is not what the reference means."""
    add(inside, "Assets/Near.mat", "%YAML 1.1\n")
    meta = inside / "Assets/Near.mat.meta"
    meta.write_text(meta.read_text().replace(meta.read_text().split()[3], GUID))
    (inside / PATH).write_text(refers(f"{GUID}00"))
    assert "Near.mat" not in ask(capsys, "deps", PATH)[0]
    assert PATH not in ask(capsys, "usages", "Assets/Near.mat")[0]
    (inside / PATH).write_text(refers(GUID))
    assert "Near.mat" in ask(capsys, "deps", PATH)[0]


@pytest.mark.parametrize(
    ("reference", "is_wrong"), [(f"GUID:{GUID[:31]}", True), ("GUID:", True), (f"GUID:{GUID}", False)]
)
def test_an_assembly_definition_says_so_too(
    inside: Path, capsys: pytest.CaptureFixture[str], reference: str, *, is_wrong: bool
) -> None:
    add(inside, "Assets/A.asmdef", json.dumps({"name": "A", "references": [reference]}), "AssemblyDefinitionImporter")
    found = ask(capsys, "check", "Assets/A.asmdef")[0]
    assert ("is not 32 hexadecimal digits" in found) is is_wrong
