"""Usages against a brute-force search for every GUID over all files, on real projects."""

import json
from pathlib import Path

import pytest

import assetdb
from assetdb.cli import main
from assetdb.query.graph.references import AssetGraph
from tests.long_cases import long_after
from tests.system.graph.brute_force import referred, unused


def brute_force(root: Path, paths: dict[str, str]) -> set[tuple[str, str]]:
    """Return (who, whom) for every run of 32 digits that is the GUID of another asset."""
    found = set()
    for guid, path in paths.items():
        found |= {(guid, other) for other in referred(root, path) if other in paths and other != guid}
    return found


def projects(folder: Path) -> list[Path]:
    return sorted(path.parent for path in folder.rglob("ProjectSettings") if (path.parent / "Assets").is_dir())


def compare(root: Path, out: Path) -> int:
    result = assetdb.bake(root, out, keep_going=True, workers=1)
    with assetdb.open_database(result.database) as database:
        graph = AssetGraph(database)
        paths = {asset.guid: asset.path for asset in database}
        edges = {(guid, other) for guid in paths for other in graph.dependencies(guid) if other in paths}
        backwards = {(other, guid) for guid in paths for other in graph.usages(guid)}
    expected = brute_force(root, paths)
    assert backwards == edges
    assert [(paths[a], paths[b]) for a, b in sorted(expected - edges)] == [], "missed"
    assert [(paths[a], paths[b]) for a, b in sorted(edges - expected)] == [], "invented"
    return len(edges)


def is_model(path: str) -> bool:
    return path.lower().endswith((".fbx", ".obj", ".spm"))


def compare_unused(root: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> int:
    """Compare ``assetdb unused`` with what cannot be reached by any run of digits; return how many there are."""
    place = ["--project", str(root), "--out-dir", str(out)]
    assert main(["bake", "--quiet", "--keep-going", *place]) in (0, 1)
    capsys.readouterr()
    code = main(["unused", "--json", "--incomplete", *place])  # the corpus has its binaries emptied
    report = json.loads(capsys.readouterr().out)
    found = {row["path"] for row in report["unused"]}
    assert code == (1 if found else 0)
    assert all(row["reason"] or row["used_by"] for row in report["kept"])
    expected = unused(root)
    # No digits lead to what a model finds by its name (RoadAssetsAtlas_basecolor.mat of unity-explorer).
    by_name = {row["path"] for row in report["kept"] if row["path"].endswith(".mat") and is_model(row["used_by"])}
    assert sorted(expected - found - by_name) == [], "kept without a reason that the other sees"
    assert sorted(found - expected) == [], "not unused"
    return len(found)


@pytest.mark.corpus("unity/BoatAttack", "unity/UnityPlayground", "unity/Mirror")
@pytest.mark.parametrize(
    ("name", "least"), long_after(1, [("UnityPlayground", 100), ("BoatAttack", 50), ("Mirror", 400)])
)
def test_unused_is_what_brute_force_cannot_reach(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, least: int
) -> None:
    assert compare_unused(corpus / "unity" / name, tmp_path / "out", capsys) > least


@pytest.mark.corpus("unity/BoatAttack", "unity/UnityPlayground")
@pytest.mark.parametrize(("name", "least"), long_after(1, [("UnityPlayground", 100), ("BoatAttack", 500)]))
def test_usages_are_those_of_a_search_over_all_files(corpus: Path, tmp_path: Path, name: str, least: int) -> None:
    assert compare(corpus / "unity" / name, tmp_path / "out") > least


LARGE = (
    *("Addressables-Sample", "EntityComponentSystemSamples", "FPSSample", "Mirror", "PhysicsExamples2D", "Pinpoint"),
    *("com.unity.2d.animation", "daggerfall-unity", "unity-explorer", "unitystation"),
)


@pytest.mark.long
@pytest.mark.corpus(*(f"unity/{name}" for name in LARGE))
@pytest.mark.parametrize("name", LARGE)
def test_usages_of_all_projects(corpus: Path, tmp_path: Path, name: str) -> None:
    found = projects(corpus / "unity" / name)
    for number, root in enumerate(found):
        compare(root, tmp_path / str(number))
    assert found or name == "com.unity.2d.animation"  # that one is a package


@pytest.mark.long
@pytest.mark.corpus(*(f"unity/{name}" for name in LARGE))
@pytest.mark.parametrize("name", LARGE)
def test_unused_of_all_projects(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    for number, root in enumerate(projects(corpus / "unity" / name)):
        compare_unused(root, tmp_path / str(number), capsys)
