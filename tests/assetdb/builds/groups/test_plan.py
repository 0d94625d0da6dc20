"""What groups would put where, what is pulled in by whom and how often: by the library and by the command."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from assetdb.builds.groups.implicit import contents, planned_duplicates, source_size
from assetdb.builds.groups.plan import PLAYER, plan_groups
from assetdb.cli import main
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from assetdb.unity.settings.addressables import COLLECTION_SCRIPT
from assetdb_formats.addressables.companions.layout import read_layout
from assetdb_formats.addressables.opening import open_catalog
from scripts.fuzz import groups as fuzz
from tests.assetdb.builds.projects import (
    CONFIG,
    SETTINGS,
    add_group,
    add_settings,
    folders,
    reference,
    script,
    write_tree,
)
from tests.system.graph.project import HEAD, add, data_asset, guid_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.builds.groups.plan import Plan, PlannedGroup

SEPARATE, BY_LABEL = "  m_BundleMode: 1\n", "  m_BundleMode: 2\n"
MATERIAL = f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: M\n"


def material(*textures: str) -> str:
    return MATERIAL + "".join(
        f"    m_Texture: {{fileID: 2800000, guid: {guid_of(path)}, type: 3}}\n" for path in textures
    )


def write_project(root: Path) -> Path:
    (root / "ProjectSettings").mkdir(parents=True)
    scenes = "".join(
        f"  - enabled: {on}\n    path: {path}\n    guid: {guid_of(path)}\n"
        for on, path in ((1, "Assets/Main.unity"), (0, "Assets/Off.unity"))
    )
    (root / "ProjectSettings/EditorBuildSettings.asset").write_text(
        f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n{scenes}"
    )
    main_scene = f"{HEAD}--- !u!23 &1\nMeshRenderer:\n  m_Materials:\n  - {reference('Assets/Shared.mat')}\n"
    add(root, "Assets/Main.unity", main_scene, "DefaultImporter")
    add(root, "Assets/Off.unity", HEAD, "DefaultImporter")
    add(root, "Assets/Tex.png", "12345", "TextureImporter")
    add(
        root,
        "Assets/Lfs.png",
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 777\n",
        "TextureImporter",
    )
    add(root, "Assets/Shared.mat", material("Assets/Tex.png", "Assets/Lfs.png"))
    add(root, "Assets/Resources/R.mat", material("Assets/Tex.png"))
    folders(root, "Assets/F", "Assets/F/Sub", "Assets/F/Own", "Assets/F/Editor")
    add(root, "Assets/F/a.asset", data_asset("a", reference("Assets/Shared.mat")))
    add(root, "Assets/F/code.cs", "class X {}", "MonoImporter")
    add(root, "Assets/F/desktop.ini", "x", "DefaultImporter")
    add(root, "Assets/F/Editor/e.asset", data_asset("e"))
    add(root, "Assets/F/Sub/b.asset", data_asset("b", reference("Assets/F/a.asset")))
    add(root, "Assets/F/Sub/own.asset", data_asset("own", reference("Assets/Shared.mat")))
    add(root, "Assets/F/Own/c.asset", data_asset("c", reference("Assets/F/a.asset")))
    add(root, "Assets/F/level.unity", HEAD, "DefaultImporter")
    add_group(
        root,
        "Big Folder",
        *(("Assets/F", "f", ("x", "y")), ("Assets/Gone.asset", "gone", ())),
    )
    add_group(root, "Single", ("Assets/F/Sub/own.asset", "My Own", ()), ("Assets/F/Own", "o", ("z",)), schema=SEPARATE)
    add_group(root, "Off", ("Assets/Lfs.png", "lfs", ()), schema="  m_IncludeInBuild: 0\n")
    add_group(root, "Built In", ("Resources", "Resources", ()), ("EditorSceneList", "S", ()), schema=None)
    add_group(root, "Forgotten", ("Assets/Tex.png", "t", ()))
    add_settings(root, "Big Folder", "Single", "Off", "Built In")
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "Project")


@pytest.fixture
def project(root: Path) -> Iterator[Snapshot]:
    snapshot = open_project(str(root))
    snapshot.refresh()
    yield snapshot
    snapshot.close()


def planned(project: Snapshot) -> Plan:
    plan = plan_groups(project)
    assert plan is not None
    return plan


def group(plan: Plan, name: str) -> PlannedGroup:
    return next(group for group in plan.groups if group.name == name)


def test_a_folder_stands_for_what_is_below_it(project: Snapshot) -> None:
    plan = planned(project)
    assert [
        (member.path, member.address, member.labels, member.entry) for member in group(plan, "Big Folder").members
    ] == [
        ("Assets/F/Sub/b.asset", "f/Sub/b.asset", ("x", "y"), "Assets/F"),
        ("Assets/F/a.asset", "f/a.asset", ("x", "y"), "Assets/F"),
        ("Assets/F/level.unity", "f/level.unity", ("x", "y"), "Assets/F"),
    ]
    assert [(member.path, member.address) for member in group(plan, "Single").members] == [
        ("Assets/F/Sub/own.asset", "My Own"),
        ("Assets/F/Own/c.asset", "o/c.asset"),
    ]
    assert [(row.group, row.address) for row in plan.missing] == [("Big Folder", "gone")]


def test_bundles_and_what_has_none(project: Snapshot) -> None:
    plan = planned(project)
    assert [bundle.name for bundle in plan.bundles] == [
        *("bigfolder_assets_all", "bigfolder_scenes_all", "single_assets_myown", "single_assets_o"),
    ]
    assert {group.name: group.skipped for group in plan.groups if group.skipped} == {
        "Off": "not included in builds",
        "Built In": "in the player",
        "Forgotten": "the settings do not list it",
    }
    assert [(member.path, member.address) for member in plan.player] == [
        ("Assets/Main.unity", "Main"),
        ("Assets/Resources/R.mat", "R"),
    ]


def test_addresses_in_resources_are_cut_at_the_folder(root: Path) -> None:
    path = "Assets/\u0130\u0130/resources/UI/Coin.mat"  # longer in lower case
    add(root, path, MATERIAL)
    snapshot = open_project(str(root))
    snapshot.refresh()
    assert {member.path: member.address for member in planned(snapshot).player}[path] == "UI/Coin"
    snapshot.close()


def test_bundles_by_label(root: Path, project: Snapshot) -> None:
    entries = [("Assets/Tex.png", "t", ("b", "a")), ("Assets/Lfs.png", "l", ()), ("Assets/Shared.mat", "s", ("b", "a"))]
    add_group(root, "L", *entries, schema=BY_LABEL)
    add_settings(root, "L")
    snapshot = open_project(str(root))
    bundles = group(planned(snapshot), "L").bundles
    assert [(bundle.name, len(bundle.members)) for bundle in bundles] == [("l_assets_ba", 2), ("l_assets_", 1)]


def test_what_is_pulled_in_and_by_whom(project: Snapshot) -> None:
    held = {content.name: content for content in contents(project, planned(project))}
    pulled = {row.path: row for row in held["bigfolder_assets_all"].implicit}
    assert sorted(pulled) == ["Assets/Lfs.png", "Assets/Shared.mat", "Assets/Tex.png"]
    assert pulled["Assets/Tex.png"].way == ("Assets/F/a.asset", "Assets/Shared.mat")
    assert (pulled["Assets/Tex.png"].size, pulled["Assets/Lfs.png"].size) == (5, 777)
    # c.asset refers to a.asset, which another bundle has on purpose: nothing is copied.
    assert held["single_assets_o"].implicit == ()
    assert [row.path for row in held[PLAYER].implicit] == ["Assets/Lfs.png", "Assets/Shared.mat", "Assets/Tex.png"]


def test_what_would_be_built_twice(project: Snapshot) -> None:
    found = {row.path: row for row in planned_duplicates(contents(project, planned(project)))}
    assert sorted(found) == ["Assets/Lfs.png", "Assets/Shared.mat", "Assets/Tex.png"]
    assert found["Assets/Lfs.png"].holders == ("bigfolder_assets_all", "player", "single_assets_myown")
    assert found["Assets/Lfs.png"].wasted == 2 * 777
    assert found["Assets/Lfs.png"].owner == ""


def test_what_the_player_has_a_second_time(root: Path) -> None:
    add_group(root, "Big Folder", ("Assets/Shared.mat", "m", ()))
    snapshot = open_project(str(root))
    found = {row.path: row for row in planned_duplicates(contents(snapshot, planned(snapshot)))}
    assert found["Assets/Shared.mat"].owner == "bigfolder_assets_all"
    assert found["Assets/Shared.mat"].holders == ("bigfolder_assets_all", "player")


def test_a_nested_prefab_is_copied_and_not_taken(root: Path) -> None:
    renderer = f"--- !u!23 &2\nMeshRenderer:\n  x: {reference('Assets/Tex.png')}\n"
    inner = f"{HEAD}--- !u!1 &1\nGameObject:\n  m_Name: I\n{renderer}"
    add(root, "Assets/Inner.prefab", inner, "PrefabImporter")
    source = f"{{fileID: 100100000, guid: {guid_of('Assets/Inner.prefab')}, type: 3}}"
    outer = f"{HEAD}--- !u!1001 &3\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n    - target: {source}\n"
    outer += f"      objectReference: {reference('Assets/Lfs.png')}\n  m_SourcePrefab: {source}\n"
    add(root, "Assets/Outer.prefab", outer, "PrefabImporter")
    add(root, "Assets/Spawner.asset", data_asset("s", source))
    add_group(root, "Big Folder", ("Assets/Outer.prefab", "p", ()))
    add_group(root, "Single", ("Assets/Spawner.asset", "s", ()))
    snapshot = open_project(str(root))
    held = {content.name: [row.path for row in content.implicit] for content in contents(snapshot, planned(snapshot))}
    assert held["bigfolder_assets_all"] == ["Assets/Lfs.png", "Assets/Tex.png"]
    assert held["single_assets_all"] == ["Assets/Inner.prefab", "Assets/Tex.png"]


def test_an_asset_reference_pulls_nothing_in(root: Path) -> None:
    text = (
        data_asset("r")
        + f"  m_AssetGUID: {guid_of('Assets/Shared.mat')}\n  m_Font_EditorRef: {reference('Assets/Tex.png')}\n"
    )
    add(root, "Assets/Ref.asset", text)
    add_group(root, "Big Folder", ("Assets/Ref.asset", "r", ()))
    snapshot = open_project(str(root))
    held = {content.name: content.implicit for content in contents(snapshot, planned(snapshot))}
    assert held["bigfolder_assets_all"] == ()


def test_a_damaged_group_is_a_problem_and_the_others_are_told(root: Path) -> None:
    (root / CONFIG / "Single.asset").write_text("<<<<<<< HEAD\n--- !u!114 &1\nMonoBehaviour:\n  m_Script: [\n")
    (root / CONFIG / "Big Folder Schema.asset.meta").unlink()
    (root / CONFIG / "Big Folder Schema.asset").unlink()
    snapshot = open_project(str(root))
    plan = planned(snapshot)
    assert group(plan, "Big Folder").skipped == "has no schema for bundles"
    assert [problem.partition(":")[0] for problem in plan.problems] == [
        *(f"{CONFIG}/Single.asset", f"{CONFIG}/Big Folder.asset"),
    ]


@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("  m_IncludeBuildSettingsScenes: 1\n  m_IncludeResourcesFolders: 0\n", {"Assets/Main.unity"}),
        ("  m_IncludeBuildSettingsScenes: 0\n  m_IncludeResourcesFolders: 1\n", {"Assets/Resources/R.mat"}),
        ("  m_IncludeBuildSettingsScenes: 0\n  m_IncludeResourcesFolders: 0\n", set()),
        ("", {"Assets/Main.unity", "Assets/Resources/R.mat"}),
    ],
)
def test_the_group_of_the_player_has_scenes_and_resources_as_its_schema_says(
    root: Path, schema: str, paths: set[str]
) -> None:
    every = (("Resources", "Resources", ()), ("EditorSceneList", "S", ()))
    add_group(root, "Built In", *every, schema=None)
    add_group(root, "Single", *every, schema=SEPARATE)  # no other group has them, whatever its entries are
    own = root / CONFIG / "Built In Schema.asset"
    own.write_text(own.read_text() + schema)
    snapshot = open_project(str(root))
    plan = planned(snapshot)
    snapshot.close()
    assert {member.path for member in group(plan, "Built In").members} == paths
    assert (group(plan, "Single").members, group(plan, "Single").skipped) == ((), "is empty")


def test_a_collection_stands_for_its_entries_that_no_group_has_itself(root: Path) -> None:
    """Unity takes no folder in it, and nothing that is gone; labels of both count, each once."""
    rows = "".join(
        f"  - m_GUID: {guid_of(path)}\n    m_Address: {address}\n    m_ReadOnly: 0\n"
        "    m_SerializedLabels:\n    - own\n    - x\n"
        for path, address in (
            *(("Assets/F/a.asset", "first"), ("Assets/F", "folder"), ("Assets/Lfs.png", "lfs")),
            *(("Assets/Nowhere.asset", "gone"), ("Assets/Shared.mat", "shared")),
        )
    )
    body = f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script(COLLECTION_SCRIPT)}  m_Name: C\n"
    add(root, "Assets/Collected.asset", f"{body}  m_SerializeEntries:\n{rows}")
    add_group(root, "Single", ("Assets/Collected.asset", "c", ("x", "y")))
    snapshot = open_project(str(root))
    plan = planned(snapshot)
    snapshot.close()
    assert [(member.path, member.address, member.labels, member.entry) for member in group(plan, "Single").members] == [
        ("Assets/F/a.asset", "first", ("own", "x", "y"), "Assets/Collected.asset"),
        ("Assets/Shared.mat", "shared", ("own", "x", "y"), "Assets/Collected.asset"),
    ]
    assert (plan.problems, [row.address for row in plan.missing]) == ((), ["gone"])  # the missing one of another group


def test_groups_that_are_gone_are_problems_and_bundles_of_one_name_are_numbered(root: Path) -> None:
    add_group(root, "Big Folder", ("Assets/F/a.asset", "n", ()))
    add_group(root, "BigFolder", ("Assets/F/Own/c.asset", "n", ()))
    add_group(root, "Single")
    add_settings(root, "Big Folder", "BigFolder", "Absent")
    snapshot = open_project(str(root))
    plan = planned(snapshot)
    snapshot.close()
    assert plan.problems == (
        f"{CONFIG}/Settings.asset: lists a group that is not in the project: {guid_of(f'{CONFIG}/Absent.asset')}",
    )
    assert [bundle.name for bundle in plan.bundles] == ["bigfolder_assets_all", "bigfolder_assets_all1"]


def test_what_is_no_guid_is_gone(root: Path) -> None:
    add_group(root, "Big Folder", ("z" * 32, "z", ()), ("12", "short", ()), ("Assets/F", "f", ()))
    path = root / CONFIG / "Big Folder.asset"
    path.write_text(path.read_text().replace("    m_Schemas:\n", f"    m_Schemas:\n    - {{guid: {'z' * 32}}}\n"))
    add_settings(root, "Big Folder", extra=f"  - {{fileID: 1, guid: {'z' * 32}, type: 2}}\n  - 12\n")
    snapshot = open_project(str(root))
    plan = planned(snapshot)
    assert [row.address for row in plan.missing] == ["z", "short"]
    assert len(group(plan, "Big Folder").bundles) == 2


def test_damaged_settings_are_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / CONFIG / "Settings.asset").write_text(f"--- !u!114 &1\nMonoBehaviour:\n{script(SETTINGS)}  a: [\n")
    code, _, err = run(root, capsys, "-q")
    assert code == 2
    assert f"{CONFIG}/Settings.asset" in err


def test_two_entries_of_one_asset_are_a_problem(root: Path) -> None:
    add_group(root, "Single", ("Assets/F", "again", ()))
    snapshot = open_project(str(root))
    assert "Assets/F has an entry in group Big Folder, too" in planned(snapshot).problems[0]


def run(root: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["groups", *words, "--project", str(root)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(root, capsys)
    assert code == 0
    assert [re.split(r"\s{2,}", line)[:5] for line in out.splitlines()][1] == ["Big Folder", "2", "2", "3", "3"]
    assert "assetdb: Big Folder: gone: its asset is gone" in err
    code, out, _ = run(root, capsys, "--duplicates", "--json")
    assert code == 1
    assert json.loads(out.partition("\n")[0])["wasted"] == 2 * 777
    code, out, _ = run(root, capsys, "Single", "--duplicates", "-q")
    assert code == 1
    assert "3 assets would be built more than once" in out
    assert run(root, capsys, "Off", "--duplicates", "-q")[:2] == (0, "nothing would be built more than once\n")
    code, out, _ = run(root, capsys, "--entries", "--json")
    assert {json.loads(line)["address"] for line in out.splitlines()} >= {"f/a.asset", "My Own", "o/c.asset"}
    code, out, _ = run(root, capsys, "Single")
    assert "pulled in  Assets/Tex.png" in out
    assert run(root, capsys, "Big Folder", "--json")[1].count("\n") == 2


def test_misses(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(root, capsys)
    assert run(root, capsys, "Singel", "-q")[::2] == (1, "assetdb: no group named 'Singel'; did you mean 'Single'?\n")
    assert run(root, capsys, "--profile", "None")[0] == 2
    assert run(root, capsys, "--entries", "--duplicates")[0] == 2
    for path in (root / CONFIG).glob("Settings*"):
        path.unlink()
    assert run(root, capsys)[0] == 1


def test_sizes_of_files(tmp_path: Path) -> None:
    assert source_size(str(tmp_path / "none")) is None
    (tmp_path / "odd").write_bytes(b"version https://git-lfs.github.com/spec/v1\nsize x\n")
    assert source_size(str(tmp_path / "odd")) == 50


def guids_of(path: Path) -> set[str]:
    keys = map(str, open_catalog(str(path)).catalog.keys)
    return {key for key in keys if re.fullmatch("[0-9a-f]{32}", key)}


@pytest.mark.corpus("addressables")
def test_entries_of_a_real_project_are_what_its_catalog_has(corpus: Path, tmp_path: Path) -> None:
    """Memorium: every address and GUID that its folders stand for, of the catalog built from it, and no other.

    Of the catalog's 345 GUIDs the other is an entry whose asset is in no public package, or not in git.
    """
    data = corpus / "addressables/data/memorium"
    snapshot = open_project(str(write_tree(tmp_path / "Project", data / "project_42a3ae65")))
    plan = planned(snapshot)
    members = [member for bundle in plan.bundles for member in bundle.members]
    catalog = data / "2026-03-27_f4364cbe_catalog_0.1.20260326.bin"
    assert len(members) == 344
    assert guids_of(catalog) == {*(member.guid for member in members), *(row.guid for row in plan.missing)}
    assert {member.address for member in members} <= set(map(str, open_catalog(str(catalog)).catalog.keys))


@pytest.mark.corpus("addressables")
def test_resources_of_a_real_project_are_what_its_catalog_has(corpus: Path, tmp_path: Path) -> None:
    """C-Team: 159 assets; the catalog's other keys are the scenes, and what no game can load."""
    data = corpus / "addressables/data/cteam-0.4"
    snapshot = open_project(str(write_tree(tmp_path / "Project", data / "project_80182741")))
    members = group(planned(snapshot), "Built In Data").members
    paths = json.loads((data / "project_80182741/guid_to_path.json").read_text("utf-8"))
    keys = guids_of(data / "2019-03-25_503a877f_catalog.json")
    own = {member.guid for member in members}
    assert (len(own), len(keys)) == (159, 209)
    assert own <= keys
    assert all(paths[guid].endswith((".cs", ".unity", ".svg", ".pdf", ".dylib")) for guid in keys - own)


@pytest.mark.corpus("addressables", "unity/Pinpoint")
def test_the_catalogs_of_pinpoint(corpus: Path, tmp_path: Path) -> None:
    """Keys of three package eras: 17 of 25 and 6 of 9 are in the tree; of the others three are entries still."""
    snapshot = open_project(str(corpus / "unity/Pinpoint"), str(tmp_path))
    plan = planned(snapshot)
    own = {member.guid for planned_group in plan.groups for member in planned_group.members}
    missing = {row.guid for row in plan.missing}
    assert sorted(guid[:8] for guid in missing) == ["2124a773", "604a5f8d", "7b593976"]
    folder = corpus / "addressables/data/pinpoint"
    figures = []
    for path in sorted((*folder.glob("2023*_catalog.json"), *folder.glob("2024*_catalog.bin"))):
        keys = guids_of(path)
        figures.append((len(keys), len(keys & own), len(keys & missing)))
    assert figures == [(25, 17, 3)] * 3 + [(9, 6, 3)] * 3


@pytest.mark.corpus("addressables", "unity/Pinpoint")
def test_the_layouts_of_pinpoint(corpus: Path, tmp_path: Path) -> None:
    """36 explicit assets of four layouts are entries of the groups, in bundles of the names that are planned."""
    snapshot = open_project(str(corpus / "unity/Pinpoint"), str(tmp_path))
    plan = planned(snapshot)
    missing = {row.guid for row in plan.missing}
    planned_in = {member.guid: bundle.name for bundle in plan.bundles for member in bundle.members}
    folder = corpus / "addressables/data/pinpoint"
    explicit = bundles = 0
    for name in (
        *(
            "2023-11-29_33ae6f8d_buildlayout_2023.11.29.21.30.23.json",
            "2023-11-29_3adc0eaf_buildlayout_2023.11.29.21.31.31.json",
        ),
        *("2023-11-29_3c97d199_buildlayout_2023.11.29.21.34.01.json", "2024-10-02_b0d94515_buildlayout.json"),
    ):
        layout = read_layout((folder / name).read_bytes())
        bundles += len(layout.bundles)
        for asset in layout.assets:
            explicit += 1
            assert asset.guid in planned_in or asset.guid in missing
            assert asset.bundle is not None
            if asset.guid in planned_in:
                assert layout.bundles[asset.bundle].name.startswith(f"{planned_in[asset.guid]}_")
    assert (bundles, explicit) == (33, 36)


def test_some_hundred_broken_projects_are_planned_or_typed_errors(tmp_path: Path) -> None:
    attempts = fuzz.Attempts(fuzz.write_project(tmp_path / "Broken"))
    assert attempts.attempt({})
    clean = sum(map(attempts.attempt, fuzz.cases(200, 7, attempts.whole)))
    attempts.project.close()
    assert 0 < clean < 200


@pytest.mark.long
def test_many_broken_projects(tmp_path: Path) -> None:
    attempts = fuzz.Attempts(fuzz.write_project(tmp_path / "Broken"))
    for files in fuzz.cases(5000, 8, attempts.whole):
        attempts.attempt(files)
    attempts.project.close()
