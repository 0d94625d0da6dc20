"""Answers of a resolver beside names: where assets are, why they are not, and what it keeps for the next snapshot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.packages.location import Location
from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve import sizes
from assetdb.resolve.resolver import NOTHING, Resolver
from assetdb.unity.yaml.objects import NO_GUID, TextObjects
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write, write_meta
from tests.needs import needs_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    root = make_project(tmp_path / "Game")
    for name in ("One", "Two"):
        write(root, f"Assets/{name}.prefab", 65, HEAD + game_object(100, name), "PrefabImporter:\n  userData: \n")
    opened = open_project(str(root))
    opened.refresh()
    yield opened
    opened.close()


def test_no_guid_is_nothing_and_a_wrong_one_no_asset(project: Snapshot) -> None:
    resolver = project.resolver
    assert resolver.name(NO_GUID, 5) == (NO_GUID, 5, NOTHING, "", "", "")
    assert resolver.locate("nonsense") is None
    assert resolver.absence("nonsense", 1) == "invalid-guid"
    assert resolver.name("nonsense", 1).reason == "invalid-guid"


@pytest.mark.parametrize(
    ("number", "path", "in_tree"),
    [
        (3, "Assets/Scripts/Health.cs", True),
        (10, "Assets/Art", True),
        (11, "Assets/gone.mat", True),  # a meta alone
        (12, "Packages/com.acme.tools/Tool.cs", False),
        (77, "", False),
    ],
)
def test_an_asset_is_in_the_project_or_elsewhere(project: Snapshot, number: int, path: str, *, in_tree: bool) -> None:
    found = project.resolver.locate(guid(number))
    assert (found.path if found is not None else "") == path
    assert project.resolver.in_tree(guid(number)) is in_tree


def test_lone_metas_are_strays(project: Snapshot) -> None:
    assert {key: found.path for key, found in project.resolver.strays().items()} == {guid(11): "Assets/gone.mat"}


def test_of_two_with_one_guid_each_has_its_own_names(project: Snapshot) -> None:
    (duplicate,) = project.database.duplicates
    name = Path(duplicate.asset.path).stem
    found = project.resolver.name_of_duplicate(duplicate.asset, guid(65), 100)
    assert (found.guid, found.path, found.name) == (guid(65), duplicate.asset.path, f"{name}.prefab (GameObject)")
    winner = project.resolver.name(guid(65), 100)
    assert winner.path != duplicate.asset.path


@pytest.mark.parametrize(
    ("number", "file_id", "local", "hierarchy"),
    [
        (2, 501, "Level / Hero / Body / Sword (Transform)", "Level / Hero / Body / Sword"),
        (2, 100, "Level (GameObject)", "Level"),
        (2, 7000, "Level / Hero (PrefabInstance)", "Level / Hero"),
        (8, 20, "Camera (Health)", "Camera"),
        (2, 5, None, ""),
        (77, 5, None, ""),
    ],
)
def test_an_object_is_named_within_its_file(
    project: Snapshot, number: int, file_id: int, local: str | None, hierarchy: str
) -> None:
    assert project.resolver.local_name(guid(number), file_id) == local
    assert project.resolver.hierarchy(guid(number), file_id) == hierarchy


@pytest.mark.parametrize(
    ("file_id", "name", "kind"),
    [
        (None, "unity default resources", ""),
        (10202, "unity default resources / Cube (Mesh)", "Mesh"),
    ],
)
def test_what_is_built_in_is_named(project: Snapshot, file_id: int | None, name: str, kind: str) -> None:
    found = project.resolver.name("0000000000000000e000000000000000", file_id)
    assert (found.name, found.type, found.reason) == (name, kind, "")


def test_contents_are_objects_or_a_reason(project: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    resolver = project.resolver
    assert isinstance(resolver.content(guid(2)), TextObjects)
    assert resolver.content(guid(77)) == "missing-asset"
    assert resolver.content(guid(10)) == "dangling"  # a folder has no objects
    assert resolver.content(guid(7)) == "lfs-pointer"
    assert resolver.content(guid(11)) == "target-absent"
    assert isinstance(resolver.bounded_content(guid(2)), TextObjects)
    monkeypatch.setattr(sizes, "LARGEST", 10)
    assert resolver.bounded_content(guid(8)) == "too-large"
    assert resolver.bounded_content(guid(77)) == "missing-asset"


def test_bytes_that_are_given_are_read_in_place_of_the_file(project: Snapshot) -> None:
    resolver = project.resolver
    resolver.add_content("mine", TextObjects((HEAD + game_object(5, "Mine")).encode()))
    assert resolver.local_name("mine", 5) == "Mine (GameObject)"
    assert isinstance(resolver.bounded_content("mine"), TextObjects)
    resolver.drop_content("mine")
    resolver.drop_content("mine")
    assert resolver.locate("mine") is None


@needs_links
def test_objects_of_a_link_out_of_the_project_have_no_names(tmp_path: Path) -> None:
    root = make_project(tmp_path / "Game")
    (tmp_path / "secret.prefab").write_text(HEAD + game_object(100, "Secret"))
    (root / "Assets/link.prefab").symlink_to(tmp_path / "secret.prefab")
    write_meta(root, "Assets/link.prefab", 60, "PrefabImporter:\n  userData: \n")
    opened = open_project(str(root))
    opened.refresh()
    found = opened.resolver.name(guid(60), 100)
    assert (found.name, found.type, found.reason) == ("link.prefab / 100", "", "")
    assert opened.resolver.local_name(guid(60), 100) is None
    assert opened.resolver.hierarchy(guid(60), 100) == ""
    opened.close()


def test_a_renewed_resolver_keeps_what_did_not_change(project: Snapshot) -> None:
    resolver = project.resolver
    before = {number: resolver.content(guid(number)) for number in (1, 2, 77)}
    made = resolver.renewed(project.database, {guid(1)})
    assert made is not resolver
    assert made.content(guid(2)) is before[2]
    assert made.content(guid(1)) is not before[1]
    assert made.name(guid(2), 7000 ^ 100) == resolver.name(guid(2), 7000 ^ 100)
    assert made.content(guid(77)) == before[77]
    whole = resolver.renewed(project.database, None)
    assert whole.content(guid(2)) is not before[2]


def test_without_packages_or_losses_a_resolver_asks_what_it_is_given(tmp_path: Path) -> None:
    root = make_project(tmp_path / "Game")
    resolver = Resolver(str(root), None)
    tool = Location("Packages/own/a.mat", "", 21, package="own")
    resolver.rest_on(
        packages=lambda key: tool if key == guid(90) else None,
        lost=lambda key: key == guid(91),
        hides_guids=lambda: False,
    )
    assert resolver.locate(guid(90)) == tool
    assert resolver.absence(guid(91), 1) == "missing-asset"
    hidden = Resolver(str(root), None, hides_guids=lambda: True)
    assert (hidden.hides_guids, resolver.hides_guids) == (True, False)
    assert hidden.absence(guid(91), 1) == "unreadable"
    resolver.close()
