"""Which assets may be like a text, beside a comparison of every name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.query.selecting.folding import LEAST_PART, MOST_OFF, alike
from assetdb.query.selecting.selector import find_subject
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset

NAMES = (
    "Stra\u00dfe.mat",
    "Player (1).prefab",
    "playr",
    "a.b.c.asset",
    "\u0130.asset",
    ".x.y",
    "x",
    "beef.png",
    "beef",
)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    root = make_project(tmp_path / "Project")
    for number, name in enumerate(NAMES, start=5000):
        write(root, f"Assets/Names/{name}", number, "%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: x\n")
    opened = open_project(str(root), str(tmp_path / "out"))
    opened.refresh()
    yield opened
    opened.close()


def is_like(text: str, asset: Asset) -> bool:
    own = asset.path.rpartition("/")[2].casefold()
    keys = [key for key in (own, own.rpartition(".")[0], asset.guid) if key]
    near = [key for key in keys if abs(len(key) - len(text)) <= MOST_OFF]
    return any(key[:2] == text[:2] or key[-4:] == text[-4:] for key in near) or (
        len(text) >= LEAST_PART and any(text in key for key in keys)
    )


def test_nothing_that_is_like_a_text_is_left_out_and_most_others_are(project: Snapshot) -> None:
    assets = list(project.database)
    asked = [
        "",
        "x",
        "xy",
        "beef",
        "bee",
        "a",
        "1388",
        "\u0131",
        "\u00e9t\u00e9",
        "player(1).prefab",
        "0" * 29,
        "f" * 40,
    ]
    for asset in assets:
        own = asset.path.rpartition("/")[2].casefold()
        asked += [
            own,
            own[1:],
            own[:-1],
            f"{own}1",
            f"{own[:2]}zz{own[2:]}",
            own[2:6],
            asset.guid[:-1],
            asset.guid[3:9],
        ]
    found = 0
    for text in asked:
        rows = list(alike(text, project.database))
        assert [asset for asset in rows if is_like(text, asset)] == [asset for asset in assets if is_like(text, asset)]
        found += len(rows)
    assert found < len(asked) * len(assets) / 2


def test_a_miss_names_the_asset_that_was_meant(project: Snapshot) -> None:
    missed = find_subject("Playr (1).prefab", project)
    assert getattr(missed, "candidates", ())[:1] == ("Assets/Names/Player (1).prefab",)
