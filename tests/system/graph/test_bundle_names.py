"""What a meta puts in an AssetBundle is a root of ``unused``, whether a cache was written or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.daemon.session import Session
from assetdb.query.graph.unused import find_unused
from assetdb.query.snapshots.snapshot import open_project
from tests.system.graph.project import add, data_asset, write_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

OWN = "Assets/Packed.asset"


def put_in(root: Path, bundle: str) -> None:
    body = f"  userData: \n  assetBundleName: {bundle}\n  assetBundleVariant: hd\n"
    add(root, OWN, data_asset("Packed"), body=body)


def reasons(project: Snapshot) -> dict[str, str]:
    return {row.path: row.reason for row in find_unused(project).kept if row.reason.startswith("AssetBundle")}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = write_project(tmp_path / "Project")
    put_in(root, "heroes")
    return root


@pytest.fixture
def live(project: Path) -> Iterator[Session]:
    live = Session(str(project))
    live.start()
    yield live
    live.close()


EXPECTED = {"Assets/Bundled/Deep/Sound.wav": "AssetBundle: sounds", OWN: "AssetBundle: heroes"}


def test_a_daemon_that_started_on_an_unbaked_project_knows(live: Session, project: Path) -> None:
    cache = project / "Library" / "assetdb" / "asset-db.cache"
    assert not cache.exists()
    assert reasons(live.opened) == EXPECTED
    assert live.save()
    assert not cache.exists()
    assert reasons(live.opened) == EXPECTED
    put_in(project, "villains")
    live.update([b"Assets"])
    assert reasons(live.opened) == {**EXPECTED, OWN: "AssetBundle: villains"}


def test_what_a_daemon_read_from_a_cache_it_knows(project: Path) -> None:
    assetdb.bake(project)
    live = Session(str(project))
    live.start()
    (project / "Library" / "assetdb" / "asset-db.cache").unlink()
    assert reasons(live.opened) == EXPECTED
    live.close()


@pytest.mark.parametrize("kept", [b"", b"damaged", None], ids=["none", "damaged", "of other files"])
def test_without_a_cache_the_metas_say_it(project: Path, live: Session, kept: bytes | None) -> None:
    cache = project / "Library" / "assetdb" / "asset-db.cache"
    assert live.save(cache=True)
    if kept is None:
        old = cache.read_bytes()
        add(project, "Assets/New.asset", data_asset("New"))
        put_in(project, "villains")
        live.update([b"Assets"])
        live.save()
        assert cache.read_bytes() == old
    else:
        cache.unlink()
        if kept:
            cache.write_bytes(kept)
    found = open_project(str(project), refresh=False)
    assert reasons(found) == {**EXPECTED, OWN: "AssetBundle: villains" if kept is None else "AssetBundle: heroes"}
    found.close()
