"""Trees of references, beside the answers of ``deps`` and ``usages`` to each asset in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.tree import ReferenceTree, dependency_tree, usage_tree
from assetdb.query.graph.ways import Links
from assetdb.query.selecting.selector import Subject
from assetdb.query.snapshots.snapshot import open_project
from scripts.fixture import copy_fixture
from tests.assetdb.unity_project import make_project
from tests.command_answers import asked
from tests.system.graph.project import HEAD, add, guid_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def in_a_circle(root: Path) -> None:
    """A refers to b and c, b to c, c to a."""
    for name, targets in (("a", "bc"), ("b", "c"), ("c", "a")):
        lines = "".join(
            f"  {one}: {{fileID: 11400000, guid: {guid_of(f'Assets/{one}.asset')}, type: 2}}\n" for one in targets
        )
        add(
            root, f"Assets/{name}.asset", f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{lines}", "NativeFormatImporter"
        )
    (root / "ProjectSettings").mkdir()


def fixture(root: Path) -> None:
    copy_fixture(root)


def small(root: Path) -> None:
    make_project(root)


@pytest.fixture(params=[fixture, small, in_a_circle])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    request.param(tmp_path / "P")
    monkeypatch.chdir(tmp_path / "P")
    return tmp_path / "P"


@pytest.mark.parametrize(("tree", "times"), [(dependency_tree, 1), (usage_tree, 2)])  # the settings ask, too
def test_what_is_below_an_asset_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tree: Callable[..., ReferenceTree], times: int
) -> None:
    items = [f"Assets/item{number}.asset" for number in range(20)]
    for path, targets in (("Assets/list.asset", items), *((item, ["Assets/list.asset"]) for item in items)):
        lines = "".join(f"  - {{fileID: 11400000, guid: {guid_of(target)}, type: 2}}\n" for target in targets)
        text = f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_List:\n{lines}"
        add(tmp_path, path, text, "NativeFormatImporter")
    (tmp_path / "ProjectSettings").mkdir()
    asked_of: list[str] = []
    for name in ("after", "before"):
        real = getattr(Links, name)
        monkeypatch.setattr(Links, name, lambda self, guid, real=real: asked_of.append(guid) or real(self, guid))
    project = open_project(str(tmp_path))
    monkeypatch.setattr("assetdb.query.graph.tree.settings_sites", lambda *_: [])
    found = tree(Subject(guid_of(items[0]), None), project, AssetGraph(project))
    assert (len(found.rows), found.truncated) == (40, False)
    assert len(asked_of) <= times * (len(items) + 1)
    project.close()


@pytest.mark.parametrize(("command", "field"), [("deps", "dependencies"), ("usages", "usages")])
def test_each_level_is_the_answer_of_the_command(
    root: Path, capsys: pytest.CaptureFixture[str], command: str, field: str
) -> None:
    project = open_project(str(root))
    paths = [asset.path for asset in project.database]
    project.close()
    answers: dict[str, list[str]] = {}

    def keys(path: str) -> list[str]:
        if path not in answers:
            rows = asked(capsys, command, path)[field] if (root / path).is_file() and path in paths else []
            answers[path] = sorted(row["path"] or row["guid"] for row in rows)
        return answers[path]

    for path in paths:
        tree = asked(capsys, command, path, "--tree")["rows"]
        below: dict[int, list[str]] = {}
        way = [path]
        for row in [*tree, {"depth": -1, "path": "", "guid": "", "repeated": False}]:
            for depth in [depth for depth in sorted(below, reverse=True) if depth > row["depth"]]:
                assert sorted(below.pop(depth)) == keys(way[depth]), (path, way)
            name = row["path"] or row["guid"]
            below.setdefault(row["depth"], []).append(name)
            way[row["depth"] + 1 :] = [name]
            if row["repeated"]:
                assert keys(name)
        deep = {row["path"] or row["guid"] for row in asked(capsys, command, path, "--deep")[field]}
        assert {row["path"] or row["guid"] for row in tree} - {path} == deep - {path}


def test_a_circle_ends_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    in_a_circle(tmp_path)
    words = ["--project", str(tmp_path), "-q"]
    assert main(["deps", "a.asset", "--tree", *words]) == 0
    out = capsys.readouterr().out.splitlines()
    kinds = [line.split("  ")[-1] if "(see above)" in line else line.lstrip().partition("  ")[0] for line in out]
    assert [len(line) - len(line.lstrip()) for line in out] == [0, 2, 4, 6, 2]
    assert kinds == ["Assets/a.asset", "Assets/b.asset", "Assets/c.asset", "(see above)", "(see above)"]
    assert main(["deps", "a.asset", "--tree", "--depth", "1", *words]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_a_long_chain_is_no_deep_recursion_and_is_cut(tmp_path: Path) -> None:
    names = [f"Assets/{number // 100}/{number:04}.asset" for number in range(3000)]
    for name, other in zip(names, [*names[1:], ""], strict=True):
        target = f"  next: {{fileID: 11400000, guid: {guid_of(other)}, type: 2}}\n" if other else ""
        add(tmp_path, name, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{target}", "NativeFormatImporter")
    (tmp_path / "ProjectSettings").mkdir()
    project = open_project(str(tmp_path))
    project.refresh()
    graph = AssetGraph(project)
    found = dependency_tree(Subject(guid_of(names[0]), None), project, graph)
    assert [row.depth for row in found.rows] == list(range(2999))
    cut = usage_tree(Subject(guid_of(names[-1]), None), project, graph, most=10)
    assert (len(cut.rows), cut.truncated) == (10, True)
    project.close()


@pytest.mark.parametrize(
    "words",
    [
        ("deps", "a.asset", "--depth", "2"),
        ("deps", "a.asset", "--tree", "--deep"),
        ("usages", "a.asset", "--tree", "--why"),
        ("usages", "a.asset:11400000", "--tree"),
    ],
)
def test_refused_options(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    in_a_circle(tmp_path)
    assert main([*words, "--project", str(tmp_path)]) == 2
    assert "--tree" in capsys.readouterr().err
