"""Two players of one project beside UnityPy: what came and went by class and name (Arkanoid of the corpus)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.comparison import compare

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds import Build

SIDES = ("builds/Arkanoid/xd/Arkanoid_Data", "builds/Arkanoid/Library/PlayerDataCache/Win64/Data")
OTHER = "builds/Pong/Build/Pong_Data"
NAMED = ("GameObject", "Material", "MonoScript", "Shader", "Sprite", "Texture2D")


def theirs(folder: Path) -> Counter[tuple[str, str]]:
    """Return the objects that UnityPy reads, by class and name."""
    unitypy = pytest.importorskip("UnityPy")
    found: Counter[tuple[str, str]] = Counter()
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.suffix in ("", ".assets"):
            for item in unitypy.load(str(path)).objects:
                kind = item.type.name
                found[kind, str(item.read().m_Name) if kind in NAMED else ""] += 1
    return found


def key(build: Build, number: int) -> tuple[str, str]:
    kind = build.class_name(build.class_ids[number])
    return kind, build.name(number) if kind in NAMED else ""


@pytest.mark.corpus("buildreports")
@pytest.mark.parametrize("is_back", [False, True])
def test_what_came_and_went_is_what_unitypy_counts(corpus: Path, *, is_back: bool) -> None:
    folders = [corpus / side for side in (reversed(SIDES) if is_back else SIDES)]
    before, after = (theirs(folder) for folder in folders)
    one, two = (open_build(folder, remember=False) for folder in folders)
    rows = [item for row in compare(one, two) if "Resources/" not in row.name for item in row.objects]
    came = Counter(key(two, row.after) for row in rows if row.before is None and row.after is not None)
    went = Counter(key(one, row.before) for row in rows if row.after is None and row.before is not None)
    assert (came, went) == (after - before, before - after)
    assert sum(came.values()) == (0 if is_back else 153)
    assert not [
        row
        for row in rows
        if row.before is not None and row.after is not None and key(one, row.before) != key(two, row.after)
    ]


@pytest.mark.corpus("buildreports")
def test_players_of_two_projects_have_no_changed_object(corpus: Path) -> None:
    one, two = open_build(corpus / SIDES[0], remember=False), open_build(corpus / OTHER, remember=False)
    assert not [item for row in compare(one, two) for item in row.objects if item.verdict in ("changed", "renamed")]
    assert not [item for row in compare(one, one) for item in row.objects]
