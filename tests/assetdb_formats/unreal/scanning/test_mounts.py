"""Mount points by place, by plugin and by a package's own name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.scanning.mounts import ContentRoot, content_root, external_owner, learned_mount

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("folder", "root", "mount"),
    [
        ("Proj/Content", "Proj/Content", "/Game"),
        ("Proj/Content/A/B", "Proj/Content", "/Game"),
        ("Proj/Content/Content/A", "Proj/Content/Content", "/Game"),
        ("Engine/Content/A", "Engine/Content", "/Engine"),
        ("Engines/Content/A", "Engines/Content", "/Game"),
        ("Plugins/Water/Content", "Plugins/Water/Content", "/Water"),
        ("Plugins/Runtime/Water/Content", "Plugins/Runtime/Water/Content", "/Water"),
        ("Plugins/A/Runtime/Water/Content", "Plugins/A/Runtime/Water/Content", "/Game"),
        ("Loose/A", "Loose/A", "/Game"),
    ],
)
def test_the_nearest_folder_named_content_is_the_root(tmp_path: Path, folder: str, root: str, mount: str) -> None:
    base = tmp_path.as_posix()
    assert content_root(f"{base}/{folder}") == ContentRoot(f"{base}/{root}", mount)


@pytest.mark.parametrize(
    ("files", "mount"),
    [
        (["Sea.uplugin"], "/Sea"),
        (["A.uproject", "Sea.uplugin"], "/Game"),
        (["Z.uproject", "Sea.uplugin"], "/Sea"),
        (["readme.txt", "Sea.uplugin"], "/Sea"),
        (["B.uproject"], "/Game"),
        (["SEA.UPLUGIN"], "/SEA"),
    ],
)
def test_the_first_file_of_a_plugin_or_project_decides(tmp_path: Path, files: list[str], mount: str) -> None:
    owner = tmp_path / "Engine"
    owner.mkdir()
    for name in files:
        (owner / name).touch()
    assert content_root(f"{owner}/Content").mount == mount


def test_a_folder_named_content_inside_content_belongs_to_its_project(tmp_path: Path) -> None:
    """Packages in it were named /Game/A instead of /Game/Sub/Content/A."""
    (tmp_path / "P.uproject").touch()
    root = f"{tmp_path.as_posix()}/Content"
    assert content_root(f"{root}/Sub/Content/A") == ContentRoot(root, "/Game")
    plugin = tmp_path / "Content" / "Sub"
    plugin.mkdir(parents=True)
    (plugin / "Own.uplugin").touch()
    assert content_root(f"{root}/Sub/Content/A") == ContentRoot(f"{root}/Sub/Content", "/Own")


def test_the_first_folder_of_a_path_is_never_content() -> None:
    assert content_root("Content/A") == ContentRoot("Content/A", "/Game")
    assert content_root("/Content/A").folder == "/Content"


@pytest.mark.parametrize(
    ("own_name", "relative", "mount"),
    [
        ("/Sea/A/B", "A/B", "/Sea"),
        ("/SEA/A/B", "a/b", "/SEA"),
        ("/A/B", "A/B", ""),
        ("/SeaA/B", "A/B", ""),
        ("/Sea/A/C", "A/B", ""),
        ("", "A/B", ""),
    ],
)
def test_a_name_that_ends_in_its_place_tells_the_mount(own_name: str, relative: str, mount: str) -> None:
    assert learned_mount(own_name, relative) == mount


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        ("/Game/__ExternalActors__/Town/A/BC/DEF", "/Game/Town"),
        ("/Game/__ExternalObjects__/Maps/Town/A/BC/DEF", "/Game/Maps/Town"),
        ("/Game/__ExternalActors__/A/BC/DEF", ""),
        ("/Game/__ExternalOther__/Town/A/BC/DEF", ""),
    ],
)
def test_an_external_actor_belongs_to_a_map(name: str, owner: str) -> None:
    assert external_owner(name) == owner
