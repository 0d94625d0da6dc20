"""References by name, and that none outlives what it follows from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.query.graph.named import NamedReferences
from assetdb.query.graph.references import FOUND_BY_NAME, AssetGraph
from assetdb.query.graph.relations import dependencies_of, describe, sites_of, usages_of
from assetdb.query.graph.unused import find_unused
from assetdb.query.graph.users import cut_by, users_of
from assetdb.query.graph.ways import find_ways
from assetdb.query.selecting.selector import Subject
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity.content.font_writer import Text, font
from tests.assetdb.unity.importers.fbx_writer import Node, model
from tests.assetdb.unity_project import HEAD, game_object, guid, write
from tests.needs import needs_cases

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

MODEL = "ModelImporter:\n  materials:\n    importMaterials: 1\n    materialName: 1\n    materialSearch: 1\n"
NATIVE = "NativeFormatImporter:\n  userData: \n"
CAR, RED, TREE, BARK, GLOW, PLAIN, SCENE = range(1, 8)


def material(name: str) -> str:
    return f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: {name}\n"


def shader(name: str, rest: str = "") -> bytes:
    return b"\xef\xbb\xbf" + f'// Fallback "Toon/None"\nShader "{name}" {{\n{rest}\n}}\n'.encode()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, "Assets/Cars/car.FBX", CAR, model(7400, (Node("A", "Mesh", (), ("Red",)),)), MODEL)
    write(tmp_path, "Assets/Materials/Red.mat", RED, material("Red"), NATIVE)
    write(tmp_path, "Assets/tree.spm", TREE, b"", "SpeedTreeImporter:\n  userData: \n")
    write(tmp_path, "Assets/tree Materials/LOD0/Bark.mat", BARK, material("Bark"), NATIVE)
    more = 'UsePass "Toon/Plain/OUTLINE"\n/* Fallback "Toon/None" */ Fallback "Diffuse"'
    write(tmp_path, "Assets/glow.shader", GLOW, shader("Toon/Glow", more), "ShaderImporter:\n  userData: \n")
    write(tmp_path, "Assets/plain.shader", PLAIN, shader("Toon/Plain"), "ShaderImporter:\n  userData: \n")
    uses = f"  m_A: {{fileID: 1, guid: {guid(CAR)}, type: 3}}\n  m_B: {{fileID: 2, guid: {guid(TREE)}, type: 3}}\n"
    write(tmp_path, "Assets/main.unity", SCENE, HEAD + game_object(100, "Root", components=uses), "DefaultImporter:\n")
    (tmp_path / "ProjectSettings").mkdir()
    scenes = f"  m_Scenes:\n  - enabled: 1\n    path: Assets/main.unity\n    guid: {guid(SCENE)}\n"
    text = f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n{scenes}"
    (tmp_path / "ProjectSettings/EditorBuildSettings.asset").write_text(text)
    return tmp_path


def edges(project: Snapshot) -> dict[int, set[int]]:
    graph, found = AssetGraph(project), {}
    for number in range(1, 8):
        by_name = {target for target in range(1, 8) if guid(target) in graph.found_by_name(guid(number))}
        assert by_name <= {target for target in range(1, 8) if guid(number) in graph.usages(guid(target))}
        if by_name:
            found[number] = by_name
    return found


def now(root: Path) -> dict[int, set[int]]:
    project = open_project(str(root))
    try:
        return edges(project)
    finally:
        project.close()


def test_questions_know_references_by_name(root: Path) -> None:
    project = open_project(str(root))
    try:
        assert edges(project) == {CAR: {RED}, TREE: {BARK}, GLOW: {PLAIN}}
        graph = AssetGraph(project)
        assert [row.path for row in dependencies_of(Subject(guid(CAR), None), project, graph, deep=False)] == [
            "Assets/Materials/Red.mat"
        ]
        deep = dependencies_of(Subject(guid(SCENE), None), project, graph, deep=True)
        assert {row.guid for row in deep} == {guid(number) for number in (CAR, RED, TREE, BARK)}
        files, places = usages_of(Subject(guid(RED), None), project, graph, deep=True, objects=True)
        assert {file.path for file in files} == {"Assets/Cars/car.FBX", "Assets/main.unity"}
        assert [(place.path, place.line, place.property) for place in places] == [
            ("Assets/Cars/car.FBX", 0, FOUND_BY_NAME)
        ]
        ((other, site),) = sites_of(describe(guid(GLOW), project), [guid(PLAIN), guid(RED)], project)
        assert (other, site.property, site.file_id) == (guid(PLAIN), FOUND_BY_NAME, None)
        (way,) = find_ways([guid(SCENE)], guid(BARK), project, graph).ways
        assert [step.asset.guid for step in way.steps] == [guid(SCENE), guid(TREE), guid(BARK)]
        assert [tuple(user) for user in users_of(project, ["Assets/Materials/Red.mat"])] == [
            ("Assets/Cars/car.FBX", 0, "", FOUND_BY_NAME, "Assets/Materials/Red.mat")
        ]
        assert {row.path for row in find_unused(project).unused} == {"Assets/glow.shader", "Assets/plain.shader"}
    finally:
        project.close()


def test_files_find_others_whatever_the_case_of_their_extensions(tmp_path: Path) -> None:
    importer = "ShaderImporter:\n  userData: \n"
    (tmp_path / "ProjectSettings").mkdir()
    write(tmp_path, "Assets/a.Shader", GLOW, shader("Toon/Glow", 'Fallback "Toon/Plain"'), importer)
    write(tmp_path, "Assets/b.shader", CAR, shader("Toon/Car", 'Fallback "Toon/Plain"'), importer)
    write(tmp_path, "Assets/plain.SHADER", PLAIN, shader("Toon/Plain"), importer)
    project = open_project(str(tmp_path))
    try:
        named = NamedReferences(project)
        plain = project.assets.by_guid(guid(PLAIN))
        assert plain is not None
        assert sorted(named.users(plain)) == sorted([guid(CAR), guid(GLOW)])
        assert edges(project) == {GLOW: {PLAIN}, CAR: {PLAIN}}
    finally:
        project.close()


def test_fonts_find_those_of_their_family_that_were_imported_before(tmp_path: Path) -> None:
    importer = "TrueTypeFontImporter:\n  fontNames: []\n"
    for number, name, family in (
        (3, "Bold.TTF", 1),
        (2, "Light.otf", 16),
        (1, "Semibold.ttf", 16),
        (5, "Other.ttf", 1),
    ):
        text = "Other" if name == "Other.ttf" else "Open Sans"
        write(tmp_path, f"Assets/{name}", number, font(Text(text, family)), importer)
    write(tmp_path, "Assets/Thin.ttf", 4, font(Text("Open Sans")), importer)
    meta = tmp_path / "Assets/Thin.ttf.meta"
    meta.write_text(meta.read_text().replace("\nTrueType", "\ntimeCreated: 1475687632\nTrueType"))
    named = importer.replace(" []", "\n  - Open Sans")
    version = tmp_path / "ProjectSettings/ProjectVersion.txt"
    version.parent.mkdir()
    version.write_text("m_EditorVersion: 5.6.1f1\n")
    write(tmp_path, "Assets/Named.ttf", 6, font(Text("Unipix")), named)
    project = open_project(str(tmp_path))
    graph = AssetGraph(project)
    found = {
        number: [other for other in range(1, 7) if guid(other) in graph.found_by_name(guid(number))]
        for number in range(1, 7)
    }
    assert found == {1: [], 2: [1], 3: [1, 2], 4: [1, 2, 3], 5: [], 6: [1, 2, 3]}
    assert {row.path for row in usages_of(Subject(guid(3), None), project, graph, deep=False, objects=True)[1]} == {
        "Assets/Thin.ttf",
        "Assets/Named.ttf",
    }
    project.close()
    for text in ("m_EditorVersion: 2018.1.0f1\n", ""):  # no order is known
        version.write_text(text)
        project = open_project(str(tmp_path))
        assert not any(AssetGraph(project).found_by_name(guid(number)) for number in range(1, 7))
        project.close()


@needs_cases
def test_a_reference_follows_every_change_at_once(root: Path) -> None:
    project = open_project(str(root))  # one for all: what a daemon keeps
    try:
        assert edges(project)[CAR] == {RED}
        old, new = root / "Assets/Materials/Red.mat", root / "Assets/Materials/Blue.mat"

        def then() -> set[int]:
            project.expire(0)
            found = edges(project)
            assert found == now(root)
            return found.get(CAR, set())

        for suffix in ("", ".meta"):
            os.rename(f"{old}{suffix}", f"{new}{suffix}")
        assert then() == set()
        car = root / "Assets/Cars/car.FBX"
        car.write_bytes(model(7400, (Node("A", "Mesh", (), ("Blue",)),)))
        assert then() == {RED}
        write(root, "Assets/Cars/Materials/blue.mat", 8, material("blue"), NATIVE)
        assert then() == {RED}  # this one has another case
        write(root, "Assets/Cars/Materials/Blue.mat", 6 + 3, material("Blue"), NATIVE)
        assert then() == set()
        assert guid(9) in AssetGraph(project).found_by_name(guid(CAR))
        for name in ("Blue.mat", "Blue.mat.meta"):
            (root / "Assets/Cars/Materials" / name).unlink()
        assert then() == {RED}
        meta = root / "Assets/Cars/car.FBX.meta"
        meta.write_text(meta.read_text().replace("materialSearch: 1", "materialSearch: 0"))
        assert then() == set()
        assert guid(8) in AssetGraph(project).found_by_name(guid(CAR))
        meta.write_text(meta.read_text().replace("importMaterials: 1", "importMaterials: 0"))
        assert then() == set()
        assert AssetGraph(project).found_by_name(guid(CAR)) == []
        (root / "Assets/plain.shader").write_bytes(shader("Toon/Other"))
        project.expire(0)
        assert GLOW not in edges(project)
    finally:
        project.close()


RED_OF_CAR = ("Assets/Cars/car.FBX", "Assets/Materials/Red.mat")
BARK_OF_TREE = ("Assets/tree.spm", "Assets/tree Materials/LOD0/Bark.mat")


@pytest.mark.parametrize(
    ("source", "target", "lost"),
    [
        ("Assets/Materials/Red.mat", "Assets/Materials/Blue.mat", [RED_OF_CAR]),
        ("Assets/Materials/Red.mat", "Assets/Materials/red.mat", []),  # found in another case
        ("Assets/Materials/Red.mat", "Assets/Cars/Red.mat", [RED_OF_CAR]),  # no folder of the search
        ("Assets/Materials/Red.mat", "Assets/Cars/Materials/Red.mat", []),
        ("Assets/Materials", "Assets/Paint", [RED_OF_CAR]),
        ("Assets/Materials", "Assets/Materials~", [RED_OF_CAR]),
        ("Assets/Cars", "Assets/Old/Cars", []),  # the folder is above it, too
        ("Assets/Cars/car.FBX", "Assets/Cars/van.FBX", []),  # by the material's name, not the model's
        ("Assets/Cars/car.FBX", "Assets/Cars~/car.FBX", []),  # nothing is lost that Unity sees
        ("Assets/Cars/car.FBX", "Packages/own/car.FBX", [RED_OF_CAR]),
        ("Assets/tree.spm", "Assets/oak.spm", [BARK_OF_TREE]),
        ("Assets/tree Materials/LOD0/Bark.mat", "Assets/tree Materials/Skin.mat", []),
        ("Assets/tree Materials", "Assets/Materials/tree Materials", [BARK_OF_TREE]),
        ("Assets/plain.shader", "Assets/other.shader", []),  # by the name in its text
        ("Assets/main.unity", "Assets/first.unity", []),
    ],
)
def test_moves_cut_what_is_found_by_its_place(
    root: Path, source: str, target: str, lost: list[tuple[str, str]]
) -> None:
    """What the moves end is what is there before, and not after they were made."""
    project = open_project(str(root))
    try:
        found = cut_by(project, {source: target})
        assert [(user.path, user.target) for user in found] == lost
        assert {user.property for user in found} <= {FOUND_BY_NAME}
        before = edges(project)
    finally:
        project.close()
    (root / target).parent.mkdir(parents=True, exist_ok=True)
    for suffix in ("", ".meta"):
        if (root / f"{source}{suffix}").exists():
            os.rename(root / f"{source}{suffix}", root / f"{target}{suffix}")
    after = now(root)
    gone = {(one, other) for one in before for other in before[one] - after.get(one, set())}
    if "~" not in target or "Cars" not in target:
        assert len(gone) == len(lost)


RED_MAT, BARK_MAT = "Assets/Materials/Red.mat", "Assets/tree Materials/LOD0/Bark.mat"
CAR_FBX, TREE_SPM = "Assets/Cars/car.FBX", "Assets/tree.spm"


@pytest.mark.parametrize(
    ("finder", "moves", "former", "lost"),
    [
        (CAR_FBX, {}, {RED_MAT: RED}, []),  # it is there
        (CAR_FBX, {RED_MAT: ""}, {RED_MAT: RED}, [RED_MAT]),
        (CAR_FBX, {RED_MAT: ""}, {}, []),
        (CAR_FBX, {RED_MAT: "Assets/Cars/Materials/Red.mat"}, {RED_MAT: RED}, []),  # it finds another
        (CAR_FBX, {RED_MAT: "Assets/Paint/Red.mat"}, {RED_MAT: RED}, [RED_MAT]),
        (CAR_FBX, {RED_MAT: "Assets/Materials/Blue.mat"}, {RED_MAT: RED}, [RED_MAT]),
        (CAR_FBX, {RED_MAT: ""}, {"Assets/Paint/Red.mat": RED, "Assets/Materials/Blue.mat": 9}, []),  # nor before
        (TREE_SPM, {}, {BARK_MAT: BARK}, []),
        (TREE_SPM, {BARK_MAT: ""}, {BARK_MAT: BARK}, [BARK_MAT]),
        (TREE_SPM, {BARK_MAT: "Assets/tree Materials/Skin.mat"}, {BARK_MAT: BARK}, []),
        (TREE_SPM, {BARK_MAT: "Assets/trees/Bark.mat"}, {BARK_MAT: BARK}, [BARK_MAT]),
        (TREE_SPM, {}, {"Assets/tree Materials2/Bark.mat": 9, "Assets/Bark.mat": 10}, []),
        (
            TREE_SPM,
            {},
            {"Assets/tree Materials/b.mat": 9, "Assets/tree Materials/a.mat": 10},
            ["Assets/tree Materials/a.mat", "Assets/tree Materials/b.mat"],
        ),
    ],
)
def test_what_a_file_found_and_finds_no_more_is_lost(
    root: Path, finder: str, moves: dict[str, str], former: dict[str, int], lost: list[str]
) -> None:
    for source, target in moves.items():
        for suffix in ("", ".meta"):
            if target:
                (root / target).parent.mkdir(parents=True, exist_ok=True)
                (root / f"{source}{suffix}").rename(root / f"{target}{suffix}")
            else:
                (root / f"{source}{suffix}").unlink()
    project = open_project(str(root))
    try:
        names = NamedReferences(project)
        asset = names.finders()[finder]
        assert names.finders().keys() == {CAR_FBX, TREE_SPM}
        assert names.lost(asset, {path: guid(number) for path, number in former.items()}) == lost
    finally:
        project.close()


def test_a_material_called_after_its_model_is_lost_with_the_model_s_name(root: Path) -> None:
    meta = root / "Assets/Cars/car.FBX.meta"
    meta.write_text(meta.read_text().replace("materialName: 1", "materialName: 2"))
    write(root, "Assets/Materials/car-Red.mat", 8, material("car-Red"), NATIVE)
    write(root, "Assets/Materials/van-Red.mat", 9, material("van-Red"), NATIVE)
    project = open_project(str(root))
    try:
        (user,) = cut_by(project, {"Assets/Cars/car.FBX": "Assets/Cars/van.FBX"})
        assert user.target == "Assets/Materials/car-Red.mat"
        assert AssetGraph(project).found_by_name(guid(CAR)) == [guid(8)]
    finally:
        project.close()


def test_a_database_alone_has_no_references_by_name(root: Path) -> None:
    project = open_project(str(root))
    try:
        assert AssetGraph(project.database).usages(guid(RED)) == []
    finally:
        project.close()


@pytest.mark.long
@pytest.mark.corpus("unity-says")
def test_models_find_the_materials_that_unity_found(corpus: Path, tmp_path: Path) -> None:
    """Beside the references that Unity itself keeps, with every scene as a root."""
    total = found = 0
    for table in sorted((corpus / "unity-says").glob("*.refs.tsv")):
        rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
        project = open_project(str(table.with_name(table.name.removesuffix(".refs.tsv"))), str(tmp_path / table.name))
        try:
            theirs: dict[str, set[str]] = {}
            for user, path, target, *_ in rows:
                asset = project.assets.by_guid(target)
                if (
                    path.lower().endswith((".fbx", ".obj", ".spm"))
                    and asset is not None
                    and asset.path.endswith(".mat")
                ):
                    theirs.setdefault(user, set()).add(target)
            graph = AssetGraph(project)
            for user in {row[0] for row in rows}:
                ours = set(graph.found_by_name(user))
                model_path = project.assets.by_guid(user)
                if model_path is not None and model_path.path.lower().endswith((".fbx", ".obj", ".spm")):
                    assert ours <= theirs.get(user, set()), model_path.path
            total += sum(map(len, theirs.values()))
            found += sum(len(targets & set(graph.dependencies(user))) for user, targets in theirs.items())
            report = find_unused(project, ["*.unity"])
            kept = {row.guid for row in report.kept}
            unused = {row.guid for row in report.unused}
            assert not {target for user, targets in theirs.items() if user in kept for target in targets & unused}
        finally:
            project.close()
    assert (total, found) == (157, 157)
