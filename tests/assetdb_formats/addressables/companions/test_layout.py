"""Build layouts: what is put into bundles on purpose, and what is taken along."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.addressables.companions.layout import (
    LayoutGroup,
    LayoutImplicit,
    assets_by_bundle,
    groups_of,
    read_layout,
)

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """Unity Version: 2022.3.12f1
com.unity.addressables: 1.21.18
Addressable Groups: 1
Group G (Bundles: 1, Total Size: 1KB, Explicit Asset Count: 1)
\tArchive g_assets_all.bundle (Size: 1KB, Compression: Lz4HC, Asset Bundle Object Size: 1B)
\t\tExplicit Assets
\t\t\tAssets/a.prefab (Total Size: 3B, Size from Objects: 3B)
\t\tFiles:
\t\t\tFile 0 (MonoScripts: 1, MonoScript Size: 96B)
\t\t\t\tData From Other Assets (2)
\t\t\t\t\tAssets/a (b).mat (Size: 2KB, Size from Objects: 2KB, Object Count: 1)
\t\t\t\t\t\tReferencing Assets: Assets/a.prefab, Assets/b.prefab
\t\t\t\t\tAssets/c.png (Size: 5B, Size from Objects: 5B, Object Count: 1)
\t\t\tFile 1 (MonoScripts: 1, MonoScript Size: 96B)
\t\t\t\tAssets/no.png (Size: 5B)
"""


def test_what_a_text_layout_says_was_taken_along() -> None:
    layout = read_layout(TEXT.encode())
    assert [asset.path for asset in layout.assets] == ["Assets/a.prefab"]
    assert layout.implicit == (
        LayoutImplicit(None, "Assets/a (b).mat", 0, 2048, ("Assets/a.prefab", "Assets/b.prefab")),
        LayoutImplicit(None, "Assets/c.png", 0, 5, ()),
    )


def test_groups_are_counted_and_the_largest_is_the_first() -> None:
    layout = read_layout(
        b"""Addressable Groups: 2
Group Small (Bundles: 2, Total Size: 30B, Explicit Asset Count: 2)
\tArchive one.bundle (Size: 10B, Compression: Lz4HC)
\t\tExplicit Assets
\t\t\tAssets/a.prefab (Total Size: 3B, Size from Objects: 3B)
\t\t\tAssets/b.prefab (Total Size: 3B, Size from Objects: 3B)
\tArchive none.bundle (Size: 20B, Compression: Lz4HC)
Group Large (Bundles: 1, Total Size: 50B, Explicit Asset Count: 1)
\tArchive two.bundle (Size: 50B, Compression: Lz4HC)
\t\tExplicit Assets
\t\t\tAssets/c.prefab (Total Size: 3B, Size from Objects: 3B)
"""
    )
    assert assets_by_bundle(layout) == [2, 0, 1]
    assert groups_of(layout) == [LayoutGroup("Large", 1, 1, 50), LayoutGroup("Small", 2, 2, 30)]


def test_the_bundles_behind_the_groups_are_of_none() -> None:
    text = TEXT + "BuiltIn Bundles\n\tArchive unitybuiltinshaders.bundle (Size: 4B, Compression: Lz4HC)\n"
    assert [bundle.group for bundle in read_layout(text.encode()).bundles] == ["G", None]


def test_name_and_labels_of_an_asset_are_read() -> None:
    line = "\t\t\tAssets/b (1).png (Total Size: 2KB, File Index: 0, Addressable Name: icons/b (1), Labels: ui, hd)\n"
    cut = "\t\t\tAssets/c.png (Total Size: 2KB, File Index: 0\n"
    text = TEXT.replace("\t\tFiles:\n", f"{line}{cut}\t\tFiles:\n")
    asset = read_layout(text.encode()).assets[1]
    assert (asset.path, asset.address, asset.labels, asset.size) == (
        "Assets/b (1).png",
        "icons/b (1)",
        ("ui", "hd"),
        2048,
    )
    assert len(read_layout(text.encode()).assets) == 2


@pytest.mark.parametrize("piece", [" (Total Size: ", "x (Total Size: , Addressable Name: , Labels: "])
def test_a_hostile_line_takes_no_time(piece: str) -> None:
    text = TEXT.replace("\t\tFiles:\n", f"\t\t\t{piece * 20_000}\n\t\tFiles:\n")
    assert len(read_layout(text.encode()).assets) == 1  # a regular expression took hours


def layout_of(*objects: tuple[int, str, dict[str, Any]]) -> bytes:
    listed = [{"rid": rid, "type": {"class": f"BuildLayout/{name}"}, "data": data} for rid, name, data in objects]
    return json.dumps({"references": {"RefIds": listed}}).encode()


def test_what_a_json_layout_says_was_taken_along() -> None:
    other = {"AssetGuid": "a" * 32, "AssetPath": "p", "SerializedSize": 3, "StreamedSize": 4, "File": {"rid": 2}}
    data = layout_of(
        (1, "Bundle", {"Name": "b"}),
        (2, "File", {"Bundle": {"rid": 1}}),
        (3, "ExplicitAsset", {"AssetPath": "user"}),
        (4, "DataFromOtherAsset", {**other, "ReferencingAssets": [{"rid": 3}, {"rid": 9}, 7]}),
        (5, "DataFromOtherAsset", {"File": {"rid": 8}, "ReferencingAssets": 1}),
    )
    assert read_layout(data).implicit == (
        LayoutImplicit("a" * 32, "p", 0, 7, ("user",)),
        LayoutImplicit(None, "", None, 0, ()),
    )


@pytest.mark.corpus("addressables")
def test_both_forms_of_one_project(corpus: Path) -> None:
    folder = corpus / "addressables/data/pinpoint"
    text = read_layout((folder / "2023-11-29_00fee001_buildlayout.txt").read_bytes())
    as_json = read_layout((folder / "2024-10-02_b0d94515_buildlayout.json").read_bytes())
    assert [(item.path, item.used_by) for item in text.implicit] == [
        (item.path, item.used_by) for item in as_json.implicit
    ]
    assert len(text.implicit) == 6
