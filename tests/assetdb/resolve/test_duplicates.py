"""Which of several assets with one GUID gets a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.resolve import duplicates
from assetdb.resolve.duplicates import advise
from tests.assetdb.history.git_project import IDENTITY, git
from tests.assetdb.unity_project import HEAD, game_object, guid, write

if TYPE_CHECKING:
    from pathlib import Path

SCENE = "Assets/Use.unity"
NEW = "delete its .meta and let Unity write another"


def holder(root: Path, name: str, *objects: int) -> str:
    body = "".join(game_object(number, f"n{number}") for number in objects)
    write(root, f"Assets/{name}.prefab", 5, HEAD + body, "PrefabImporter:\n  userData: \n")
    return f"Assets/{name}.prefab"


def user(root: Path, *file_ids: int, path: str = SCENE) -> str:
    rows = "".join(f"  a{place}: {{fileID: {i}, guid: {guid(5)}, type: 3}}\n" for place, i in enumerate(file_ids))
    write(root, path, 9, f"{HEAD}--- !u!114 &1\nMonoBehaviour:\n{rows}")
    return path


@pytest.mark.parametrize(
    ("references", "advice"),
    [
        ((200,), f"give Assets/A.prefab a new GUID, which no reference can mean, where 1 mean Assets/B.prefab: {NEW}"),
        (
            (200, 200, 100),
            f"give Assets/A.prefab a new GUID, which only 1 reference can mean, where 2 mean Assets/B.prefab: {NEW}",
        ),
        (
            (200, 100, 100, 200, 200),
            f"give Assets/A.prefab a new GUID, which only 2 references can mean, where 3 mean Assets/B.prefab: {NEW}",
        ),
        ((100,), f"give Assets/B.prefab a new GUID, which no reference can mean, where 1 mean Assets/A.prefab: {NEW}"),
        ((100, 200), ""),
        ((300, 300), ""),
        ((), ""),
    ],
)
def test_the_one_that_fewest_references_mean_is_changed(
    tmp_path: Path, references: tuple[int, ...], advice: str
) -> None:
    holders = [holder(tmp_path, "A", 100, 300), holder(tmp_path, "B", 200, 300)]
    assert advise(str(tmp_path), guid(5), holders, [user(tmp_path, *references)]) == advice


def test_of_three_the_most_meant_is_told(tmp_path: Path) -> None:
    holders = [holder(tmp_path, "A", 100), holder(tmp_path, "B", 200), holder(tmp_path, "C", 300)]
    found = advise(str(tmp_path), guid(5), holders, [user(tmp_path, 100, 200, 200, 300, 300, 300)])
    assert found.startswith("give Assets/A.prefab a new GUID, which only 1 reference can mean, where 3 mean Assets/C.")


@pytest.mark.parametrize("number", [0, 1, 21])
def test_one_holder_or_too_many_get_no_advice(tmp_path: Path, number: int) -> None:
    holders = [holder(tmp_path, f"H{each:02}", 100 + each) for each in range(number)]
    assert advise(str(tmp_path), guid(5), holders, [user(tmp_path, 101)]) == ""


def test_as_many_as_are_compared_get_advice(tmp_path: Path) -> None:
    holders = [holder(tmp_path, f"H{each:02}", 100, *((50,) if each else ())) for each in range(20)]
    found = advise(str(tmp_path), guid(5), holders, [user(tmp_path, 50)])
    assert found.startswith("give Assets/H00.prefab a new GUID, which no reference can mean, where 1 mean Assets/H01.")


def test_references_beyond_the_most_files_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    holders = [holder(tmp_path, "A", 100), holder(tmp_path, "B", 200)]
    users = ["Assets/none.asset", user(tmp_path, 200)]
    monkeypatch.setattr(duplicates, "_MOST_REFERRERS", 1)
    assert advise(str(tmp_path), guid(5), holders, users) == ""
    monkeypatch.setattr(duplicates, "_MOST_REFERRERS", 2)
    assert advise(str(tmp_path), guid(5), holders, users).startswith("give Assets/A.prefab")


def test_no_file_is_read_when_the_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    holders = [holder(tmp_path, "A", 100), holder(tmp_path, "B", 200)]
    monkeypatch.setattr(duplicates, "_SECONDS", -1.0)
    assert advise(str(tmp_path), guid(5), holders, [user(tmp_path, 200)]) == ""


def test_else_the_newest_in_git_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    holders = [holder(tmp_path, "A", 100), holder(tmp_path, "B", 100)]
    git(tmp_path, "init", "-q")
    for place, path in enumerate(reversed(holders)):
        monkeypatch.setitem(IDENTITY, "GIT_COMMITTER_DATE", f"{1_700_000_000 + place} +0000")
        git(tmp_path, "add", f"{path}.meta")
        git(tmp_path, "commit", "-q", "-m", "x")
    expected = f"give Assets/A.prefab a new GUID, which is newer in git: {NEW}"
    assert advise(str(tmp_path), guid(5), holders, []) == expected
    third = holder(tmp_path, "C", 100)
    assert advise(str(tmp_path), guid(5), [*holders, third], []) == expected.replace("A.prefab", "C.prefab")
    fourth = holder(tmp_path, "D", 100)
    assert advise(str(tmp_path), guid(5), [*holders, third, fourth], []) == ""  # two are not committed
