"""Records of ReadDirectoryChangesW, written as Microsoft documents FILE_NOTIFY_INFORMATION."""

from __future__ import annotations

import struct

import pytest

from assetdb.daemon.observers.windows_events import APPEARED, MODIFIED, VANISHED, digest
from tests.assetdb.daemon.observers.records import ADDED, MODIFIED_ACTION, REMOVED, RENAMED_FROM, RENAMED_TO, records


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        *((ADDED, APPEARED), (REMOVED, VANISHED), (MODIFIED_ACTION, MODIFIED)),
        *((RENAMED_FROM, VANISHED), (RENAMED_TO, APPEARED)),
        (9, APPEARED | VANISHED | MODIFIED),  # of streams, or of a later Windows: it may mean anything
    ],
)
def test_an_action_is_one_of_three_kinds(action: int, kind: int) -> None:
    found: dict[bytes, int] = {}
    assert digest(records((action, "a")), found) == 1
    assert found == {b"a": kind}


def test_names_are_of_any_script_and_any_length() -> None:
    names = ["a", "\u65e5\u672c.prefab", "\U0001f600", "\udc00alone", "x" * 255, "Assets\\Deep\\b.meta"]
    found: dict[bytes, int] = {}
    assert digest(records(*((ADDED, name) for name in names)), found) == len(names)
    assert [path.decode("utf-8", "surrogatepass") for path in found] == [name.replace("\\", "/") for name in names]


def test_what_happens_to_a_path_adds_up() -> None:
    found = {b"b": MODIFIED}
    assert digest(records((REMOVED, "a"), (MODIFIED_ACTION, "b"), (ADDED, "a")), found) == 3
    assert found == {b"a": APPEARED | VANISHED, b"b": MODIFIED}


@pytest.mark.parametrize("left", [0, 11, 12, 13, 30])
def test_a_record_that_is_cut_short_is_an_error(left: int) -> None:
    whole = records((ADDED, "abc"), (ADDED, "defgh"))
    with pytest.raises(ValueError, match="is cut short"):
        digest(whole[:left], {})


def test_an_offset_beyond_the_buffer_is_an_error() -> None:
    with pytest.raises(ValueError, match="is cut short"):
        digest(struct.pack("<III", 0xFFFF_FFFC, ADDED, 2) + b"a\0", {})
