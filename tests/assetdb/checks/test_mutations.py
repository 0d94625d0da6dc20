"""One thing is broken in a healthy project: exactly the right finding appears, and --fix takes it away or nothing."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Final

import pytest

from assetdb.checks.findings.engine import Report, Selection, check_project
from assetdb.checks.mending.fixes import plan_fixes
from assetdb.checks.mending.writing.apply import apply
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.healthy import FOLDER, enemy, guid_of, item, make_healthy, put_meta

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Expected = set[tuple[str, str]]
    Mutation = Callable[[Path, random.Random], Expected]

COUNT = 3
GROUP = "Assets/AddressableAssetsData/AssetGroups/Default.asset"
NOWHERE = "8f57b4a070f7b43bbb3925467e6752ab"
META = ".meta"


def delete(root: Path, path: str) -> None:
    (root / path).unlink()


def users_of(root: Path, guid: str) -> set[str]:
    """Return the files that hold a GUID, but for its own meta."""
    return {
        path.relative_to(root).as_posix()
        for path in (root / "Assets").rglob("*")
        if path.is_file() and guid.encode() in path.read_bytes() and not path.name.endswith(META)
    }


def without_meta(root: Path, drawn: random.Random) -> Expected:
    """A meta that nothing refers to by its GUID is lost: the file alone is what is wrong."""
    number = drawn.randrange(COUNT)
    path = drawn.choice([f"Assets/Scenes/Level{number}.unity", "Assets/Resources/Icons/coin.png", "Assets/Data"])
    delete(root, path + META)
    return {("missing-meta", path)}


def without_asset(root: Path, drawn: random.Random) -> Expected:
    path = drawn.choice([f"Assets/Scenes/Level{drawn.randrange(COUNT)}.unity", "Assets/Resources/Icons/coin.png"])
    delete(root, path)
    return {("orphan-meta", path + META)}


def deleted(root: Path, drawn: random.Random) -> Expected:
    """An asset goes with its meta: whoever refers to it has nothing."""
    kinds = {
        "Assets/Scripts/Health.cs": "missing-script",
        "Assets/Scripts/Item.cs": "missing-script",
        "Assets/Art/tiles.png": "missing-asset",
        f"Assets/Art/Paint{drawn.randrange(COUNT)}.mat": "missing-asset",
        item(drawn.randrange(COUNT)): "addressables-entry",
        "Assets/Data/Game.Data.asmdef": "asmdef-reference",
    }
    path, code = drawn.choice(sorted(kinds.items()))
    delete(root, path)
    delete(root, path + META)
    return {(code, user) for user in users_of(root, guid_of(path))}


def duplicated(root: Path, drawn: random.Random) -> Expected:
    """A file is copied with its meta."""
    path = drawn.choice([f"Assets/Art/Paint{drawn.randrange(COUNT)}.mat", enemy(drawn.randrange(COUNT))])
    stem, _, extension = path.rpartition(".")
    copy = f"{stem} copy.{extension}"
    for ending in ("", META):
        (root / (copy + ending)).write_bytes((root / (path + ending)).read_bytes())
    return {("duplicate-guid", path), ("duplicate-guid", copy)}


def replaced(root: Path, path: str, old: str, new: str) -> None:
    file = root / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def retargeted(root: Path, drawn: random.Random) -> Expected:
    number = drawn.randrange(COUNT)
    scene, data = f"Assets/Scenes/Level{number}.unity", item(number)
    paint = guid_of(f"Assets/Art/Paint{number}.mat")
    cases = [
        (data, "fileID: 100,", "fileID: 10077,", "dangling"),
        (data, "fileID: 555,", "fileID: 55577,", "dangling"),
        (data, guid_of("Assets/Art/tiles.png"), NOWHERE, "missing-asset"),
        (enemy(number), guid_of("Assets/Scripts/Health.cs"), NOWHERE, "missing-script"),
        (enemy(number), paint, NOWHERE, "missing-asset"),
        (scene, "target: {fileID: 200,", "target: {fileID: 20077,", "stale-override"),
        (GROUP, guid_of(data), NOWHERE, "addressables-entry"),
        ("Assets/Scripts/Game.asmdef", '""', '"Game.Dato"', "asmdef-reference"),
        ("Assets/Scripts/Game.asmdef", guid_of("Assets/Data/Game.Data.asmdef"), NOWHERE, "asmdef-reference"),
    ]
    path, old, new, code = drawn.choice(cases)
    replaced(root, path, old, new)
    return {(code, path)}


def conflicted(root: Path, drawn: random.Random) -> Expected:
    number = drawn.randrange(COUNT)
    path = drawn.choice([enemy(number), item(number), f"Assets/Art/Paint{number}.mat"])
    file = root / path
    name = re.search(r"  m_Name: [^\n]+\n", file.read_text())
    assert name is not None
    replaced(root, path, name[0], f"<<<<<<< HEAD\n{name[0]}=======\n  m_Name: Other\n>>>>>>> theirs\n")
    return {("conflict-markers", path)}


def in_another_case(root: Path, drawn: random.Random) -> Expected:
    path = drawn.choice([f"Assets/Art/Paint{drawn.randrange(COUNT)}.mat", "Assets/Scripts/Health.cs", item(0)])
    folder, _, name = path.rpartition("/")
    meta = f"{folder}/{name.swapcase()}{META}"
    (root / (path + META)).rename(root / meta)
    return set() if (root / (path + META)).exists() else {("case-mismatch", path)}


def retyped(root: Path, drawn: random.Random) -> Expected:
    """Somebody makes a GUID up, and uses it everywhere."""
    path = drawn.choice(["Assets/Art/tiles.png", f"Assets/Art/Paint{drawn.randrange(COUNT)}.mat"])
    typed = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6"
    old = guid_of(path)
    for user in [*users_of(root, old), path + META]:
        file = root / user
        file.write_bytes(file.read_bytes().replace(old.encode(), typed.encode()))
    return {("placeholder-guid", path + META)}


def emptied(root: Path, drawn: random.Random) -> Expected:
    """A folder that git did not keep."""
    folder = f"Assets/Nothing{drawn.randrange(9)}"
    put_meta(root, folder, FOLDER)
    return {("missing-directory", folder + META)}


MUTATIONS: tuple[Mutation, ...] = (
    *(without_meta, without_asset, deleted, duplicated, retargeted, conflicted, in_another_case, retyped, emptied),
)


ALWAYS_MENDED: Final = frozenset((without_meta, without_asset, duplicated, retyped))
"""What leaves no doubt: of the others some is mended, and some has to be left to a person."""


def tree(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def checked(root: Path, folder: Path, *, fix: bool = False) -> tuple[Report, int]:
    project = open_project(str(root), str(folder))
    try:
        report = check_project(project, Selection(select=("all",)))
        plan = plan_fixes(project, report.findings) if fix else None
    finally:
        project.close()
    if plan is not None and not plan.is_empty:
        apply(plan, str(root), str(folder))
        return report, len(plan.fixes)
    return report, 0


def break_and_mend(tmp_path: Path, mutation: Mutation, seed: int) -> None:
    root = make_healthy(tmp_path / "Game", COUNT)
    expected = mutation(root, random.Random(seed))
    broken = tree(root)
    report, mended = checked(root, tmp_path / "out", fix=True)
    assert {(row.code, row.path) for row in report.findings} == expected
    assert mended or mutation not in ALWAYS_MENDED
    if mended:
        assert checked(root, tmp_path / "out")[0].findings == ()
    else:
        assert tree(root) == broken
    fixable = {row.code for row in report.findings if row.fixable}
    assert fixable or not mended


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_exactly_what_was_broken_is_found(tmp_path: Path, mutation: Mutation, seed: int) -> None:
    break_and_mend(tmp_path, mutation, seed)


@pytest.mark.long
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_exactly_what_was_broken_is_found_many_times(tmp_path: Path, mutation: Mutation) -> None:
    for seed in range(100, 130):
        break_and_mend(tmp_path / str(seed), mutation, seed)
