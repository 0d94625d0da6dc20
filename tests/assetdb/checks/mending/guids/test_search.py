"""Who has a GUID, in whatever file: the same by either way to look, and as the graph has it on real projects."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.guids.rewriting import find_sites, rewritten
from assetdb.checks.mending.guids.search import find_guids
from assetdb.query.graph.references import AssetGraph
from assetdb.query.snapshots.snapshot import open_project
from assetdb.settings.project import is_hidden
from assetdb.unity.referring.references import digit_runs

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.mending.guids.search import GuidHolders

ONE = "5e1f0c7b9a3d4826b1c09e7f24d8a635"
TWO = "0f9e8d7c6b5a49382716051423324150"
NEW = "c361d49658f766e683dcc8c931295b61"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    files: dict[str, bytes] = {
        "Assets/one.mat": b"%YAML 1.1\n",
        "Assets/one.mat.meta": f"fileFormatVersion: 2\nguid: {ONE}\n".encode(),
        "Assets/user.prefab": f"%YAML 1.1\n  a: {{fileID: 1, guid: {ONE}, type: 2}}\n".encode(),
        "Assets/both.prefab": f"%YAML 1.1\n  a: {{fileID: 1, guid: {TWO}, type: 2}}\n  b: {ONE.upper()}\n".encode(),
        "Assets/code.cs": f'"{TWO}"'.encode(),
        "Assets/picture.png": b"\x89PNG\0\0" + ONE.encode(),
        "Assets/tool.dll": b"MZ\0\0" + TWO.encode("utf-16-le"),
        "Assets/pointer.asset": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        "Assets/pointer.png": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        "Assets/Hidden~/a.mat": f"%YAML 1.1\n  a: {{fileID: 1, guid: {ONE}, type: 2}}\n".encode(),
        "Assets/.git/config": ONE.encode(),
        "Packages/manifest.json": b"{}",
        "ProjectSettings/A.asset": f"%YAML 1.1\n  - {{fileID: 1, guid: {TWO}, type: 2}}\n".encode(),
        "Library/a.asset": f"%YAML 1.1\n  - {{fileID: 1, guid: {TWO}, type: 2}}\n".encode(),
    }
    for path, data in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    return tmp_path


def plain(found: GuidHolders) -> tuple[object, ...]:
    return found.sites, found.binary, found.unread


@pytest.mark.parametrize("many", [0, 1, 32])
def test_every_file_is_looked_at(project: Path, many: int) -> None:
    found = find_guids(str(project), [ONE, TWO], many=many)
    assert found.owners(ONE) == ["Assets/one.mat.meta"]
    assert found.referrers(ONE) == ["Assets/Hidden~/a.mat", "Assets/both.prefab", "Assets/user.prefab"]
    assert found.referrers(TWO) == ["Assets/both.prefab", "ProjectSettings/A.asset"]
    assert found.unread == {"Assets/pointer.asset": "lfs-pointer"}
    assert found.doubtful(ONE) == ["Assets/pointer.asset"]
    assert found.doubtful(TWO) == ["Assets/code.cs", "Assets/pointer.asset", "Assets/tool.dll"]


def test_what_is_too_large_is_said(project: Path) -> None:
    found = find_guids(str(project), [ONE], largest=64)
    assert found.unread["Assets/both.prefab"] == "too-large"
    assert "Assets/code.cs" not in found.unread


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_links_and_pipes_are_left_out(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "a.mat").write_text(f"%YAML 1.1\n  a: {{fileID: 1, guid: {ONE}, type: 2}}\n")
    before = plain(find_guids(str(project), [ONE]))
    (project / "Assets/link").symlink_to(outside)
    (project / "Assets/link.mat").symlink_to(outside / "a.mat")
    os.mkfifo(project / "Assets/pipe.mat")
    assert plain(find_guids(str(project), [ONE])) == before


def test_runs_of_digits() -> None:
    assert digit_runs(f"{ONE} x{TWO}y {ONE}{TWO} {ONE[:-1]}".encode()) == {ONE.encode(), TWO.encode()}


@pytest.mark.corpus("unity/Mirror", "unity/UnityPlayground", "unity/BoatAttack")
@pytest.mark.parametrize("name", ["Mirror", "UnityPlayground", "BoatAttack"])
def test_real_projects_are_as_the_graph_has_them(corpus: Path, name: str, tmp_path: Path) -> None:
    root = str(corpus / "unity" / name)
    snapshot = open_project(root, str(tmp_path))
    try:
        graph = AssetGraph(snapshot)
        assets = random.Random(15).sample(sorted((asset.guid, asset.path) for asset in snapshot.database), 150)
        users = {
            guid: {asset.path for user in graph.usages(guid) if (asset := snapshot.assets.by_guid(user)) is not None}
            for guid, _ in assets
        }
    finally:
        snapshot.close()
    found = find_guids(root, [guid for guid, _ in assets])
    for guid, path in assets:
        assert found.owners(guid) == [f"{path}.meta"]
        seen = {
            user.removesuffix(".meta")
            for user in found.referrers(guid)
            if not user.startswith("ProjectSettings/") and not any(map(is_hidden, user.encode().split(b"/")))
        }
        assert seen - {path} == users[guid] - {path} - set(found.binary[guid]), path
        for user in found.referrers(guid):  # there and back: nothing else has changed
            data = (corpus / "unity" / name / user).read_bytes()
            extension = user.rpartition(".")[2]
            changed = rewritten(data, extension, {guid: NEW})
            assert not any(sites.references for sites in find_sites(changed, extension, [guid]).values())
            assert rewritten(changed, extension, {NEW: guid}).lower() == data.lower()
            assert len(changed) == len(data)


def test_of_a_repository_that_is_a_package_hidden_folders_and_the_library_are_left_out(tmp_path: Path) -> None:
    text = f"%YAML 1.1\n  a: {{fileID: 1, guid: {ONE}, type: 2}}\n"
    for folder in (".hidden", "Library", "Runtime", "Runtime/Library", "Samples~"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.prefab").write_text(text)
    (tmp_path / "package.json").write_text('{"name": "com.acme.tools"}')
    assert find_guids(str(tmp_path), [ONE]).referrers(ONE) == [
        f"Packages/com.acme.tools/{folder}/a.prefab" for folder in ("Runtime/Library", "Runtime", "Samples~")
    ]
