"""Contents that come back are not read for their references again."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from assetdb.checks.verdicts import reading
from assetdb.checks.verdicts.extracting import Extractor
from assetdb.checks.verdicts.former import FormerContents
from assetdb.checks.verdicts.state import State
from assetdb.checks.verdicts.tree import Difference
from tests.assetdb.checks.verdicts.test_state import agrees_with_nothing, follow
from tests.assetdb.unity_project import HEAD, SETTLED, game_object, guid, instance, make_project, write

if TYPE_CHECKING:
    from collections.abc import Callable

SCENE = "Assets/Main.unity"
PREFAB = "PrefabImporter:\n  userData: \n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = make_project(tmp_path / "Game")
    time.sleep(SETTLED)
    return made


def extracted(root: Path, state: State) -> int:
    """Bring a state up to date; return how many files were read for their references."""
    with patch.object(Extractor, "extract", autospec=True, side_effect=Extractor.extract) as extract:
        follow(root, state)
    agrees_with_nothing(root, state)
    return extract.call_count


def settle(root: Path, name: str, data: bytes) -> None:
    """Write a file, and wait until its time proves its content."""
    (root / name).write_bytes(data)
    time.sleep(SETTLED)


def test_an_unknown_extension_without_references_may_have_been_no_text_and_is_not_kept() -> None:
    state = State()
    references, none = (bytes(4), (1).to_bytes(4, "little")), (b"", b"")
    state.files = {b"a.unity": none, b"a.odd": none, b"b.odd": references}
    stamps = {b"a.unity": b"1", b"a.odd": b"2", b"b.odd": b"3", b"unread.unity": b"4"}
    state._keep_former(Difference(set(), [], [], [], stamps))
    assert state._former.facts == {(b"1", "unity"): (*none, ()), (b"3", "odd"): (*references, ())}


def test_an_undo_reads_nothing_for_references(root: Path) -> None:
    state = follow(root, State())
    before = (root / SCENE).read_bytes()
    after = before.replace(guid(77).encode(), guid(2).encode())
    assert after != before
    settle(root, SCENE, after)
    assert extracted(root, state) == 1
    settle(root, SCENE, before)
    assert extracted(root, state) == 0
    settle(root, SCENE, after)
    assert extracted(root, state) == 0


def test_what_nests_comes_back_as_such(root: Path) -> None:
    write(root, "Assets/Outer.prefab", 50, HEAD + instance(10, 2, 300), PREFAB)
    time.sleep(SETTLED)
    state = follow(root, State())
    before = (root / "Assets/Outer.prefab").read_bytes()
    assert b"Assets/Outer.prefab" in state.nested
    settle(root, "Assets/Outer.prefab", (HEAD + game_object(5, "Outer")).encode())
    assert extracted(root, state) == 1
    assert b"Assets/Outer.prefab" not in state.nested
    settle(root, "Assets/Outer.prefab", before)
    assert extracted(root, state) == 0
    assert b"Assets/Outer.prefab" in state.nested


def test_a_renamed_folder_reads_nothing_for_references(root: Path) -> None:
    state = follow(root, State())
    os.rename(root / "Assets/Prefabs", root / "Assets/Moved")
    assert extracted(root, state) == 0
    assert b"Assets/Moved/Player.prefab" in state.files


def test_another_extension_is_read_another_way(root: Path) -> None:
    state = follow(root, State())
    for suffix in ("", ".meta"):
        os.rename(root / f"{SCENE}{suffix}", root / f"Assets/Main.txt{suffix}")
    assert extracted(root, state) == 0  # whatever a text holds are no references
    for suffix in ("", ".meta"):
        os.rename(root / f"Assets/Main.txt{suffix}", root / f"Assets/Main.prefab{suffix}")
    assert extracted(root, state) == 1


def test_keys_that_were_forgotten_are_found_again(root: Path) -> None:
    many = "".join(f"  m_List: {{fileID: 100, guid: {number:032x}, type: 3}}\n" for number in range(1, 500))
    write(root, "Assets/Many.prefab", 60, HEAD + game_object(5, "Many") + many, PREFAB)
    time.sleep(SETTLED)
    state = follow(root, State())
    before, keys = (root / "Assets/Many.prefab").read_bytes(), len(state.keys)
    settle(root, "Assets/Many.prefab", (HEAD + game_object(5, "Many")).encode())
    follow(root, state)
    write(root, "Assets/New.prefab", 61, HEAD + game_object(6, "New") + many[:60], PREFAB)
    follow(root, state)  # a new key: what no file has is forgotten
    assert len(state.keys) < keys
    settle(root, "Assets/Many.prefab", before)
    assert extracted(root, state) > 0


CUSTOM = "Assets/thing.custom"
TEXT = f"{HEAD}{game_object(5, 'Thing')}  m_Lost: {{fileID: 100, guid: {guid(77)}, type: 3}}\n".encode()


def while_read(root: Path, change: Callable[[Path], object], then: Callable[[Path], object]) -> State:
    """Return a state for which a file of an unknown kind changed after the scan, and once more after it was read."""
    write(root, CUSTOM, 70, TEXT)
    time.sleep(SETTLED)
    read = reading.read_one

    def meanwhile(top: str, path: bytes, place: str) -> bytes | None:
        if path != CUSTOM.encode():
            return read(top, path, place=place)
        change(root / CUSTOM)
        return read(top, path, place=place)

    with patch.object(reading, "read_one", meanwhile):
        state = follow(root, State())
    then(root / CUSTOM)
    time.sleep(SETTLED)
    return state


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def other(file: Path) -> None:
    file.write_bytes(b"no text of Unity")


def back(file: Path) -> None:
    file.write_bytes(TEXT)


@pytest.mark.parametrize("change", [Path.unlink, emptied])
def test_a_file_of_an_unknown_kind_that_was_gone_for_a_moment_is_read(
    root: Path, change: Callable[[Path], object]
) -> None:
    state = while_read(root, change, back)
    follow(root, state)
    agrees_with_nothing(root, state)


@pytest.mark.parametrize("change", [Path.unlink, emptied, other])
def test_nothing_is_taken_for_the_references_of_a_content_that_was_not_read(
    root: Path, change: Callable[[Path], object]
) -> None:
    state = while_read(root, change, lambda file: file.write_bytes(TEXT + b"\n"))
    follow(root, state)
    agrees_with_nothing(root, state)
    settle(root, CUSTOM, TEXT)
    follow(root, state)
    agrees_with_nothing(root, state)


def test_an_empty_file_of_an_unknown_kind_is_read_once(root: Path) -> None:
    write(root, CUSTOM, 70, "")
    time.sleep(SETTLED)
    state = follow(root, State())
    with patch.object(reading, "read_one", side_effect=reading.read_one) as read:
        follow(root, state)
    assert not read.called


def test_a_question_that_is_cancelled_ends_among_contents_that_came_back(root: Path) -> None:
    state = follow(root, State())
    os.rename(root / "Assets/Prefabs", root / "Assets/Moved")
    with patch.object(reading, "check_cancelled", side_effect=InterruptedError), pytest.raises(InterruptedError):
        follow(root, state)


def test_a_content_that_is_kept_again_counts_once() -> None:
    former = FormerContents(2000)
    for _ in range(50):
        former.keep((b"content", "mat"), (bytes(400), bytes(400), (b"0" * 32,)))
    former.keep((b"other", "mat"), (b"", b"", ()))
    assert len(former.facts) == 2
    former.keep((b"large", "mat"), (bytes(2000), b"", ()))
    assert not former.facts  # it is larger than all may be
    former.forget()
    former.keep((b"content", "mat"), (b"", b"", ()))
    assert list(former.facts) == [(b"content", "mat")]


def test_the_oldest_of_many_contents_are_forgotten_in_no_time_by_the_square() -> None:
    """A change of branches changes 100,000 files at once: it took seconds to forget most of them."""

    def seconds(most_bytes: int) -> float:
        former, started = FormerContents(most_bytes), time.process_time()
        for number in range(300_000):
            former.keep((number.to_bytes(16, "little"), "mat"), (b"", b"", ()))
        return time.process_time() - started

    assert seconds(300 * 100_000) < 5 * seconds(300 * 300_000)
