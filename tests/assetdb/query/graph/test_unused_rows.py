"""Rows of unused and kept assets, with their bytes."""

from __future__ import annotations

from assetdb.query.graph.unused import Kept, Unused, UsageReport
from assetdb.query.graph.unused_rows import KeptAlone, kept_alone, unused_fields

KEPT = (Kept("Assets/a.unity", 1032, "a" * 32, "scene", ""), Kept("Assets/b.unity", 1032, "b" * 32, "build", ""))


def test_rows_have_the_name_of_their_type_and_bytes_if_asked_for() -> None:
    rows = [Unused("Assets/x.png", 28, "c" * 32, ""), *KEPT]
    assert [row["type"] for row in unused_fields(rows, {})] == ["Texture2D", "SceneAsset", "SceneAsset"]
    assert not any("bytes" in row for row in unused_fields(rows, {}))
    sized = unused_fields(rows, {"Assets/x.png": 5})
    assert [row["bytes"] for row in sized] == [5, None, None]
    assert sized[0] == {"path": "Assets/x.png", "guid": "c" * 32, "packed_by": "", "type": "Texture2D", "bytes": 5}


def test_roots_that_keep_most_come_first() -> None:
    alone = {
        "Assets/b.unity": ("Assets/b.unity", "Assets/x.png"),
        "Assets/a.unity": ("Assets/a.unity", "Assets/x.png", "Assets/x.png"),  # of two that share a GUID
        "Assets/c.unity": ("Assets/c.unity", "Assets/large.png"),
    }
    sizes = {"Assets/x.png": 5, "Assets/large.png": 90, "Assets/a.unity": 1, "Assets/b.unity": 1}
    assert kept_alone(UsageReport((), KEPT, {}, alone), sizes) == [
        KeptAlone("Assets/c.unity", "", 2, 90),
        KeptAlone("Assets/a.unity", "scene", 3, 6),
        KeptAlone("Assets/b.unity", "build", 2, 6),
    ]
    assert kept_alone(UsageReport((), KEPT, {}), sizes) == []
