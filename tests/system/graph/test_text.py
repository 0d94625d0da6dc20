"""What counts as text: the bake, the graph and coverage say the same of every file, as one table and one head do."""

import re
from pathlib import Path

import pytest

import assetdb
from assetdb.query.graph.references import AssetGraph
from assetdb.unity import kinds
from assetdb.unity.referring.references import binary_references, meta_references
from scripts.fixture import copy_fixture
from tests.assetdb.text_files import references, text_files
from tests.system.graph.project import HEAD, add, guid_of, reference


def read(path: Path) -> bytes:
    """Return a file's bytes, none where case alone joins asset and meta."""
    return path.read_bytes() if path.is_file() else b""


def compare(root: Path, out: Path) -> int:
    """Compare the graph's edges with what coverage counts in each file; return how many edges come of assets."""
    result = assetdb.bake(root, out, keep_going=True)
    counted: dict[str, set[str]] = {}
    for path in text_files(str(root)):
        data = Path(path).read_bytes()
        extension = path.rpartition("/")[2].rpartition(".")[2].lower()
        counted[Path(path).relative_to(root).as_posix()] = {
            guid.decode() for guid, _, _, candidate in references(data, extension) if not candidate
        }
    edges = 0
    with assetdb.open_database(result.database) as database:
        graph = AssetGraph(database)
        known = {asset.guid for asset in database} | {guid for guid, _ in database.folders()}
        for asset in database:
            found = set(graph.dependencies(asset.guid))
            expected = counted.get(asset.path, set()) - {asset.guid}
            assert expected <= found, f"{asset.path}: the graph misses {expected - found}"
            edges += len(expected)
            meta = read(root / f"{asset.path}.meta")
            beside = meta_references(meta, meta.find(b"guid:") + 38, scalars=True)
            more = beside.certain | beside.candidates
            if asset.path not in counted or not expected:
                more |= binary_references(read(root / asset.path)).certain
            # What a reference to a lost prefab leaves in a name: "Dropdown (Missing Prefab with guid: ...)".
            more |= set(re.findall(rb"Missing Prefab with guid:\s+(\w{32})", read(root / asset.path)))
            certain = found - {guid.decode() for guid in more} - expected
            assert certain <= known, f"{asset.path}: coverage misses {certain - known}"
            assert not certain or asset.path in counted, f"{asset.path}: coverage does not read it"
    return edges


def test_of_the_fixture(tmp_path: Path) -> None:
    assert compare(copy_fixture(tmp_path / "project"), tmp_path / "out") >= 20


@pytest.mark.corpus("unity/BoatAttack", "unity/Mirror", "unity/Pinpoint")
@pytest.mark.parametrize("name", ["BoatAttack", "Mirror", "Pinpoint"])
def test_of_a_real_project(corpus: Path, tmp_path: Path, name: str) -> None:
    assert compare(corpus / "unity" / name, tmp_path) > 100


def project(root: Path, name: str, text: str) -> None:
    (root / "ProjectSettings").mkdir()
    add(root, "Assets/Target.mat", HEAD + "--- !u!21 &2100000\nMaterial:\n  m_Name: Target\n")
    add(root, f"Assets/{name}", text, "DefaultImporter")


@pytest.mark.parametrize("name", ["Parts.spriteLib", "Window.wlt", "WindowLayout.private.0", "No extension"])
def test_yaml_of_any_name_is_in_the_graph(tmp_path: Path, name: str) -> None:
    text = f"{HEAD}--- !u!114 &1\nMonoBehaviour:\n  m_Other: {reference('Assets/Target.mat', 2100000)}\n"
    project(tmp_path, name, text)
    with assetdb.open_database(assetdb.bake(tmp_path).database) as database:
        assert AssetGraph(database).usages(guid_of("Assets/Target.mat")) == [guid_of(f"Assets/{name}")]
    assert str(tmp_path / "Assets" / name) in text_files(str(tmp_path))


def test_other_bytes_of_an_unknown_extension_are_not(tmp_path: Path) -> None:
    project(tmp_path, "notes.widget", f"guid: {guid_of('Assets/Target.mat')}\n")
    with assetdb.open_database(assetdb.bake(tmp_path).database) as database:
        assert AssetGraph(database).usages(guid_of("Assets/Target.mat")) == []


def test_an_extension_has_one_row() -> None:
    named = [word for line in kinds._TABLE.split("\n") for word in line.split(" ")[4:]]
    assert len(named) == len(set(named)) == len(kinds._BY_EXTENSION) > 150
