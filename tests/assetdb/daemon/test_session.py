"""The state of a daemon that its updates and questions share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.session import Session
from assetdb.packages import search
from assetdb.query.snapshots.snapshot import Snapshot
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from assetdb.packages.location import Location

LONE = guid(11)


@pytest.mark.parametrize("is_open", [False, True])
def test_an_update_during_the_search_of_lone_metas_makes_it_search_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_open: bool
) -> None:
    """A daemon searches them in the background after its start, before anything is opened."""
    root = make_project(tmp_path / "Project")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    if is_open:
        assert session.opened.resolver.locate(guid(1)) is not None
    read = search.read_orphan_metas

    def meanwhile(top: str, metas: Iterable[str]) -> dict[str, Location]:
        found = read(top, metas)
        monkeypatch.undo()
        (root / "Assets" / "gone.mat.meta").unlink()
        session.update([b"Assets"])
        return found

    monkeypatch.setattr(search, "read_orphan_metas", meanwhile)
    session.search_orphans()
    assert session.opened.resolver.locate(LONE) is None
    session.close()


def test_lone_metas_are_searched_once_until_one_may_be_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_project(tmp_path / "Project")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    searched: list[Iterable[str]] = []
    read = search.read_orphan_metas

    def counting(top: str, metas: Iterable[str]) -> dict[str, Location]:
        searched.append(metas)
        return read(top, metas)

    monkeypatch.setattr(search, "read_orphan_metas", counting)
    session.search_orphans()
    scene = root / "Assets" / "Main.unity"
    scene.write_bytes(scene.read_bytes() + b"\n")
    session.update([b"Assets/Prefabs"])
    located = session.opened.resolver.locate(LONE)
    assert located is not None
    assert located.path == "Assets/gone.mat"
    assert len(searched) == 1
    session.update([b"Assets"])  # where the lone meta is
    assert session.opened.resolver.locate(LONE) is not None
    assert len(searched) == 2
    session.close()


def test_an_answer_from_before_an_update_rests_on_the_snapshot_of_its_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verdicts are kept as those of that snapshot: what a newer one could not read would be in them for good."""
    root = make_project(tmp_path / "Project")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    first = session.opened
    scene = root / "Assets" / "Main.unity"
    scene.write_bytes(scene.read_bytes() + b"\n")
    session.update([b"Assets"])
    second = session.opened
    asked: list[int] = []

    def hides(snapshot: Snapshot) -> bool:
        asked.append(snapshot.number)
        return False

    monkeypatch.setattr(Snapshot, "hides_guids", property(hides))
    for snapshot in (first, second):
        assert snapshot.resolver.absence(guid(98), None) == "missing-asset"
    assert asked == [first.number, second.number]
    session.close()
