"""A daemon leaves nothing to the collector of garbage that holds what was read of files."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon import garbage_collection
from assetdb.daemon.garbage_collection import GarbageCollection
from assetdb.daemon.rpc import methods, protocol
from assetdb.daemon.rpc.call import Allowance
from assetdb.daemon.session import Session
from tests.assetdb.unity_project import HEAD, guid, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def saved() -> Iterator[None]:
    """Have the collector save what it finds instead of freeing it."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    yield
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


@pytest.mark.long
def test_updates_and_checks_end_with_their_last_reference(tmp_path: Path, saved: None) -> None:
    (tmp_path / "ProjectSettings").mkdir()
    text = f"{HEAD}--- !u!1 &100\nGameObject:\n  m_Name: Thing\n  m_It: {{fileID: 1, guid: {guid(9)}, type: 2}}\n"
    write(tmp_path, "Assets/One/Thing.prefab", 1, text)
    session = Session(str(tmp_path))
    session.start()
    session.prepare()
    methods.check(protocol.Check(), session.opened, Allowance(1 << 20))
    gc.collect()
    gc.garbage.clear()
    for number in range(3):
        write(tmp_path, "Assets/One/Thing.prefab", 1, text + "# changed\n" * number)
        # A rule names what the settings refer to, and reads files for it.
        (tmp_path / "ProjectSettings/GraphicsSettings.asset").write_text(text.replace("100", str(100 + number)))
        session.update({b"Assets/One"})
        methods.check(protocol.Check(), session.opened, Allowance(1 << 20))
    gc.collect()
    found = {type(each).__module__ for each in gc.garbage}
    assert not {name for name in found if name.startswith("assetdb.")}
    session.close()


@pytest.mark.long
def test_objects_of_a_question_are_not_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage_collection, "_LONG", -1.0)
    monkeypatch.setattr(garbage_collection, "_AT_LATEST", 0.0)
    monkeypatch.setattr(garbage_collection, "_EVERY", 0.0)
    collection = GarbageCollection()
    try:
        before = gc.get_freeze_count()
        collection.collect_if_due(busy=True)
        assert gc.get_freeze_count() == before
        collection.collect_if_due(busy=False)
        assert gc.get_freeze_count() > before
    finally:
        collection.close()
