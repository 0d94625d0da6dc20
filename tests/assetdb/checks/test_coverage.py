from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.coverage import Coverage, measure
from assetdb.checks.findings.engine import Selection, check_project
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from assetdb.unity.kinds import DOCUMENTS, kind_of
from tests.assetdb.resolve.naming_oracle import Oracle
from tests.assetdb.text_files import references, text_files
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.resolve.resolver import Resolver

SAMPLES = "EntityComponentSystemSamples"
UNITIES = {
    "unitystation": (98.4, ["unitystation/UnityProject"]),
    SAMPLES: (
        99.3,
        [
            f"{SAMPLES}/{name}"
            for name in (
                *(f"Dots101/{part}101" for part in ("ContentManagement", "Entities", "Jobs", "Netcode", "Physics")),
                "Dots101/OtherSamples/DotsUI",
                *("EntitiesSamples", "NetcodeSamples", "PhysicsSamples"),
                *("GraphicsSamples/HDRPSamples", "GraphicsSamples/URPSamples"),
            )
        ],
    ),
    "FPSSample": (99.9, ["FPSSample"]),
    "Mirror": (99.6, ["Mirror"]),
    "BoatAttack": (97.6, ["BoatAttack"]),  # 204 references to a sheet that is one sprite now (seaweedtemp.png)
    "unity-explorer": (95.1, ["unity-explorer/Explorer"]),
    "UnityPlayground": (100.0, ["UnityPlayground"]),
}


def opened(project: Path, folder: Path) -> Snapshot:
    return open_project(str(project), str(folder))


def test_every_occurrence_is_counted_once(tmp_path: Path) -> None:
    project = opened(make_project(tmp_path), tmp_path / "out")
    expected = Coverage(
        total=14,
        in_tree=12,
        named=11,
        reasons={"dangling": 1},
        apart={"lfs-pointer": 1},
        packages=0,
        absent=0,
        missing=1,
        outside=0,
    )
    for workers in (1, 2):
        assert measure(project, workers=workers) == expected
    project.close()


def test_coverage_counts_what_a_check_finds_at_its_place(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    of_prefab = f"guid: {guid(40)}, type: 3"
    write(root, "Assets/Base.prefab", 40, HEAD + game_object(100, "Base", 0, ""))
    scene = (
        f"{HEAD}--- !u!1001 &800\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n"
        f"    m_Modifications:\n    - target: {{fileID: 901, {of_prefab}}}\n      propertyPath: m_Name\n"
        f"      value: x\n      objectReference: {{fileID: 0}}\n"
        f"    m_RemovedComponents:\n    - {{fileID: 900, {of_prefab}}}\n"
        f"  m_SourcePrefab: {{fileID: 100100000, {of_prefab}}}\n"
        f"--- !u!114 &900\nMonoBehaviour:\n  lost: {{fileID: 902, {of_prefab}}}\n"
    )
    write(root, "Assets/Instance.unity", 41, scene)
    project = opened(root, tmp_path / "out")
    found = measure(project)
    assert found.reasons == {"dangling": 2, "stale-override": 2}  # one of the dangling ones is the fixture's
    report = check_project(project, Selection(select=("dangling", "stale-override")))
    assert report.statistics == found.reasons
    assert found.in_tree == found.named + 4
    project.close()


def test_nothing_to_name_is_all_named() -> None:
    assert Coverage(0, 0, 0, {}, {}, 0, 0, 0, 0).share == 100


def test_references_of_a_file() -> None:
    data = b"%YAML 1.1\n- target: {fileID: 5, guid: " + guid(1).encode() + b",\n    type: 3}\nid: {fileID: 0}\n"
    assert list(references(data, "asset")) == [(guid(1).encode(), 5, True, False)]
    assert list(references(data, "wlt")) == [(guid(1).encode(), 5, True, False)]  # its head says that it is YAML
    assert list(references(data[5:], "wlt")) == []
    assert list(references(b"\0" + data, "asset")) == []
    assert [item[0] for item in references(b'{"references": ["GUID:%b"]}' % guid(2).encode(), "asmdef")] == [
        guid(2).encode()
    ]


@pytest.mark.long
@pytest.mark.corpus(*(f"unity/{name}" for name in UNITIES))
@pytest.mark.parametrize("name", UNITIES)
def test_share_of_names_in_real_projects(corpus: Path, tmp_path: Path, name: str) -> None:
    least, projects = UNITIES[name]
    in_tree = named = unknown = 0
    for number, folder in enumerate(projects):
        project = opened(corpus / "unity" / folder, tmp_path / str(number))
        found = measure(project, workers=2)
        project.close()
        in_tree += found.in_tree
        named += found.named
        unknown += found.reasons.get("importer-unknown", 0)
        assert found.in_tree == found.named + sum(found.reasons.values())
    assert in_tree > 0
    assert 100 * named / in_tree >= least
    assert 100 * unknown / in_tree < 0.1


@pytest.mark.long
@pytest.mark.corpus(*(f"unity/{name}" for name in UNITIES))
@pytest.mark.parametrize("folder", [folder for _, folders in UNITIES.values() for folder in folders])
def test_an_independent_oracle_agrees(corpus: Path, tmp_path: Path, folder: str) -> None:
    """10,000 references to objects of text assets per project, or all: named alike, or unnamed by both."""
    root = corpus / "unity" / folder
    project = opened(root, tmp_path)
    oracle = Oracle(root)
    found = []
    for path in sorted(text_files(str(root))):
        with open(path, "rb") as file:
            data = file.read()
        for hexadecimal, file_id, _, candidate in references(data, path.rpartition(".")[2].lower()):
            number = hexadecimal.decode()
            target = oracle.paths.get(number)
            if (
                file_id is not None
                and not candidate
                and target
                and kind_of(target.suffix[1:].lower()).content == DOCUMENTS
            ):
                found.append((number, file_id))
    sample = random.Random(4).sample(found, min(10_000, len(found)))
    outcomes = Counter(compare(oracle, project.resolver, *reference) for reference in dict.fromkeys(sample))
    project.close()
    assert not [outcome for outcome in outcomes if outcome.startswith("differ")]
    assert outcomes["alike"] > 0


def compare(oracle: Oracle, resolver: Resolver, number: str, file_id: int) -> str:
    answer = oracle.answer(number, file_id)
    name = resolver.name(number, file_id)
    path = oracle.paths[number]
    assert resolver.root + "/" + name.path == str(path)
    if answer is None:
        if name.reason or name.name == path.name:
            return "unnamed by both, or the asset itself"
        return "in a model" if oracle.nests_model(number) else f"differ: nobody but us knows {name}"
    if name.reason:
        return f"differ: {answer} but {name}"
    if "?" in answer.names:
        return "a number for PyYAML"
    script = oracle.paths.get(answer.script)
    if answer.script and script is not None and script.suffix == ".cs" and name.type != script.stem:
        return f"differ: script of {answer} in {name}"
    if not answer.script and answer.kind != name.type and answer.kind not in {"MonoBehaviour", "Behaviour"}:
        return f"differ: type of {answer} in {name}"
    if name.name == path.name:
        return "alike" if len(answer.names) < 2 else f"differ: {answer} but {name}"
    way = name.name.removesuffix(f" ({name.type})")
    names = answer.names[1:] if answer.whole and answer.names[:1] == (path.stem,) else answer.names
    expected = " / ".join((path.name, *filter(None, names)))
    if way == expected or (not answer.whole and way.endswith(" / ".join(answer.names))) or len(answer.names) >= 64:
        return "alike"
    return f"differ: {answer} but {name}"


@pytest.mark.long
@pytest.mark.corpus("unity/unitystation")
def test_no_sprite_of_a_sheet_is_named_after_its_file(corpus: Path, tmp_path: Path) -> None:
    root = corpus / "unity" / "unitystation" / "UnityProject"
    project = opened(root, tmp_path)
    sheets = 0
    for asset in project.database:
        if asset.class_id == 28 and asset.path.endswith(".png"):
            meta = (root / f"{asset.path}.meta").read_bytes()
            if b"\n  spriteMode: 2\n" in meta:
                name = project.resolver.name(asset.guid, 21300000)
                own = asset.path.rpartition("/")[2]
                rows = meta.partition(b"\n    sprites:\n")[2].partition(b"\n    outline:")[0]
                first = rows.partition(b"\n      name: ")[2].partition(b"\n")[0].decode()
                if first:
                    assert name.name == f"{own} / {first} (Sprite)"
                    sheets += 1
    project.close()
    assert sheets > 1000
