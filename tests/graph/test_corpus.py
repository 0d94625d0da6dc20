"""Usages against a brute-force search for every GUID over all files, on real projects."""

import os
import re
from pathlib import Path

import pytest

import assetdb
from assetdb.graph import AssetGraph

RUN = re.compile(rb"(?<![0-9a-fA-F])[0-9a-fA-F]{32}(?![0-9a-fA-F])")
OWN = re.compile(rb"^(?:\xef\xbb\xbf)?guid: *([0-9a-fA-F]{32})", re.MULTILINE)
OTHER_FORMS = {".asmdef", ".asmref", ".shadergraph", ".shadersubgraph", ".uxml", ".uss", ".tss"}


def referring(path: str) -> bytes:
    """Return the bytes in which a reference counts: of Unity's YAML and of the other forms."""
    try:
        with open(path, "rb") as file:
            head = file.read(512)
            known = os.path.splitext(path)[1].lower() in OTHER_FORMS
            unity = head.startswith(b"%YAML") or b"--- !u!" in head or (path.endswith(".asset") and b"\0" not in head)
            return head + file.read() if known or unity else b""
    except OSError:
        return b""


def binary(path: str) -> set[str]:
    """Return the GUIDs that stand in a binary asset, where the low half of each byte comes first."""
    data = Path(path).read_bytes() if path.endswith(".asset") and os.path.isfile(path) else b""
    if b"\0" not in data[:64]:
        return set()
    turned = data.translate(bytes(byte >> 4 | (byte & 15) << 4 for byte in range(256)))
    return {turned[at : at + 16].hex() for at in range(min(len(turned), 1 << 20) - 15)}


def runs(data: bytes) -> set[str]:
    return {match.decode().lower() for match in RUN.findall(data)}


def brute_force(root: Path, paths: dict[str, str]) -> set[tuple[str, str]]:
    """Return (who, whom) for every run of 32 digits that is the GUID of another asset."""
    found = set()
    for guid, path in paths.items():
        meta = (root / (path + ".meta")).read_bytes() if (root / (path + ".meta")).exists() else b""
        conflicts = {match.decode().lower() for match in OWN.findall(meta)}
        texts = binary(str(root / path)) | runs(referring(str(root / path))) | (runs(meta) - conflicts)
        found |= {(guid, other) for other in texts if other in paths and other != guid}
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


@pytest.mark.corpus("unity/BoatAttack", "unity/UnityPlayground")
@pytest.mark.parametrize(("name", "least"), [("BoatAttack", 500), ("UnityPlayground", 100)])
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
