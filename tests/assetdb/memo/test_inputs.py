"""Inputs of answers: each has a value that changes with what it is of, and with nothing else."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.memo.contents import Contents, content_of_bytes
from assetdb.memo.inputs import (
    ALONE,
    ASSETS,
    CONTENT,
    EXISTENCE,
    FILES,
    IDENTITY,
    KINDS,
    PACKAGES,
    PREFABS,
    REFERENCES,
    SCRIPTS,
    SETTINGS,
    SNAPSHOT,
    TOPS,
    TREE,
    Inputs,
    scripts,
)
from assetdb.memo.script_facts import COMPARED
from assetdb.query.snapshots.snapshot import open_project
from assetdb.system.identity import RACY, Identities
from tests.assetdb.unity_project import HEAD, SETTLED, guid, instance, make_project, write, write_meta

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.memo.inputs import Value
    from assetdb.memo.tree import Tree
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.scan.directory import DirectoryFacts

EVERY = [
    *((ASSETS, ""), (REFERENCES, SCRIPTS), (REFERENCES, PREFABS), (ALONE, ""), (PACKAGES, ""), (TOPS, "")),
    *((SETTINGS, ""), (EXISTENCE, "Assets/new"), (IDENTITY, "Assets/data.asset"), (CONTENT, "Assets/data.asset")),
]
LATER = 10_000_000_000


def made(project: Snapshot) -> Inputs:
    found = Inputs(project, project.listing(), {}, Contents(lambda: None), 1)
    found.identities = Identities(time.time_ns() + LATER)
    return found


def values(root: Path) -> dict[tuple[str, str], Value]:
    project = open_project(str(root), str(root / "out"))
    try:
        inputs = made(project)
        return {key: inputs.value(*key) for key in EVERY}
    finally:
        project.close()


def edit_text(root: Path) -> None:
    write(root, "Assets/Scripts/Health.cs", 3, "class Health { int more; }\n", "MonoImporter:\n  userData: \n")


def add_asset(root: Path) -> None:
    write(root, "Assets/new", 90, b"x")


def add_user(root: Path) -> None:
    body = f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}\n"
    write(
        root,
        "Assets/data.asset",
        9,
        f"{body}  m_Name: data\n  x: {{fileID: 1, guid: {guid(1)}}}\n",
        "NativeFormatImporter:\n",
    )


def nest(root: Path) -> None:
    path = root / "Assets/Prefabs/Player.prefab"
    path.write_text(path.read_text() + instance(9000, 2))


def add_script_user(root: Path) -> None:
    path = root / "Assets/Prefabs/Level.prefab"
    path.write_text(
        path.read_text() + f"--- !u!114 &66\nM:\n  m_Script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}\n"
    )


def add_meta(root: Path) -> None:
    write_meta(root, "Assets/lost.mat", 91, "NativeFormatImporter:\n")


def add_settings(root: Path) -> None:
    (root / "ProjectSettings/New.asset").write_text("x")


def edit_package(root: Path) -> None:
    write(root / "Library/PackageCache/com.acme.more@1.0.0", "M.cs", 92, "class M {}\n", "MonoImporter:\n")
    (root / "Library/PackageCache/com.acme.more@1.0.0/package.json").write_text(
        '{"name": "com.acme.more", "version": "1.0.0"}'
    )
    (root / "Packages/manifest.json").write_text(
        '{"dependencies": {"com.acme.tools": "1.0.0", "com.acme.more": "1.0.0"}}'
    )


@pytest.mark.parametrize(
    ("edit", "changed"),
    [
        (edit_text, set()),
        (add_asset, {ASSETS, EXISTENCE}),
        (add_user, {CONTENT, IDENTITY}),
        (nest, {PREFABS}),
        (add_script_user, {SCRIPTS}),
        (add_meta, {ALONE}),
        (add_settings, {SETTINGS}),
        (edit_package, {PACKAGES, SETTINGS}),
    ],
)
def test_an_edit_changes_the_inputs_that_it_concerns(
    tmp_path: Path, edit: Callable[[Path], None], changed: set[str]
) -> None:
    root = make_project(tmp_path)
    before = values(root)
    edit(root)
    after = values(root)
    assert {
        argument if kind == REFERENCES else kind
        for kind, argument in EVERY
        if before[kind, argument] != after[kind, argument]
    } == changed


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return open_project(str(make_project(tmp_path_factory.mktemp("inputs"))))


def test_the_tree_is_trusted_if_no_file_is_young(project: Snapshot) -> None:
    project.refresh()
    inputs = made(project)
    assert inputs.listing is not None
    assert inputs.tree is not None
    assert inputs.tree is inputs.tree
    assert inputs.value(TREE, "") == (RACY if inputs.tree.is_racy else inputs.tree.digest.hex())
    assert inputs.is_scanned("Assets/data.asset")
    assert not inputs.is_scanned("Assets/none.asset")


def test_without_a_scan_there_is_no_tree(project: Snapshot) -> None:
    inputs = Inputs(project, None, {}, Contents(lambda: None), 0)
    assert (inputs.tree, inputs.value(TREE, ""), inputs.is_scanned("Assets/data.asset")) == (None, RACY, False)


def test_values_of_the_snapshot_are_shared_by_its_questions(project: Snapshot) -> None:
    shared: dict[tuple[str, str], Value | Tree] = {}
    first = Inputs(project, None, shared, Contents(lambda: None), 0)
    found = first.value(ASSETS, "")
    assert shared == {(ASSETS, ""): found}
    shared[ASSETS, ""] = "kept"
    assert Inputs(project, None, shared, Contents(lambda: None), 0).value(ASSETS, "") == "kept"
    assert first.value(SNAPSHOT, "") == project.number
    assert (SNAPSHOT, "") not in shared


def test_a_file_is_looked_at_once_for_a_question(project: Snapshot) -> None:
    inputs = made(project)
    path = os.path.join(project.root, "Assets/Scripts/Health.cs")
    assert inputs.own_path(path) == "Assets/Scripts/Health.cs"
    assert inputs.own_path("/elsewhere/x") == "/elsewhere/x"
    data = b"class Health {}\n"
    assert inputs.content(path) == (content_of_bytes(data), data)
    assert inputs.content("Assets/Scripts/Health.cs") == (content_of_bytes(data), None)
    assert inputs.content_of("Assets/Scripts/Health.cs") == inputs.value(CONTENT, path.removeprefix(f"{project.root}/"))


def test_contents_that_a_scan_has_are_those_of_the_files(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    time.sleep(SETTLED)
    project = open_project(str(root))
    inputs = made(project)
    tree = inputs.tree
    assert tree is not None
    paths = [f"{os.fsdecode(folder)}/{name}" for folder, row in tree.directories.items() for name in names_of(row)]
    known = [path for path in paths if tree.content_of(path) is not None]
    assert len(known) > len(paths) / 2
    for path in paths:
        content, data = inputs.content(path)
        assert content == Contents(lambda: None).look(project, path, inputs.identities)[0]
        assert (data is None) == (path in known)
    project.close()


def names_of(directory: DirectoryFacts) -> list[str]:
    return os.fsdecode(directory.files).split("/") if directory.files else []


def test_no_other_kind_or_part_is_known(project: Snapshot) -> None:
    with pytest.raises(KeyError, match="nothing"):
        made(project).value("nothing", "")
    assert made(project).value(REFERENCES, "nothing") == RACY
    assert len(KINDS) == 18 + len(COMPARED)


def test_files_of_a_build_are_known_by_names_and_identities(project: Snapshot, tmp_path: Path) -> None:
    inputs = made(project)
    (tmp_path / "build").mkdir()
    one, folder = str(tmp_path / "one"), str(tmp_path / "build")
    seen = set()
    for edit in (
        lambda: None,
        lambda: (tmp_path / "one").write_text("x"),
        lambda: (tmp_path / "build/a").write_text("y"),
    ):
        edit()
        seen.add(KINDS[FILES](inputs, f"{one}\0{folder}"))
    assert len(seen) == 3
    assert KINDS[FILES](inputs, one) != KINDS[FILES](inputs, folder)
    inputs.identities = Identities(time.time_ns())
    (tmp_path / "one").write_text("z")
    assert KINDS[FILES](inputs, one) == RACY


def test_scripts_are_found_with_those_that_share_a_guid(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    write(root, "Assets/Copy/Other.cs", 3, "class Other {}\n", "MonoImporter:\n")
    project = open_project(str(root))
    assert scripts(project.database) == {"Assets/Copy/Other.cs": guid(3), "Assets/Scripts/Health.cs": guid(3)}
    assert [asset.path for asset in project.database.ending(".prefab")] == [
        *("Assets/Prefabs/Player.prefab", "Assets/Prefabs/Level.prefab")
    ]
    project.close()
