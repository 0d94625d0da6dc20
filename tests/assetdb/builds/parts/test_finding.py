"""The kind of a file in a build, by its name and its first bytes."""

from __future__ import annotations

from struct import pack
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.builds.parts.facts import CATALOG, OTHER, RESOURCE
from assetdb.builds.parts.finding import _limits_beside, kind_of
from assetdb_formats.inputs import InputLimits

if TYPE_CHECKING:
    from assetdb_formats.unityfs.archives.webdata import WebData

ENTITIES = pack("<4I", 1, 0, 0, 16)
ADDRESSABLES = pack("<II", 0x0DE38942, 1)


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("Game_Data/StreamingAssets/catalog.bin", ENTITIES, OTHER),
        ("Game_Data/StreamingAssets/catalog.bin", ADDRESSABLES, CATALOG),
        ("StreamingAssets/Catalog.bin", b"", OTHER),
        ("StreamingAssets/aa/catalog.bin", ENTITIES, CATALOG),  # damaged, which is said
        ("catalog.bin", ENTITIES, CATALOG),
        ("StreamingAssets/catalog.json", ENTITIES, CATALOG),
        ("StreamingAssets/my.resource", ENTITIES, RESOURCE),
    ],
)
def test_the_catalog_of_entities_is_none_of_addressables(name: str, head: bytes, kind: str) -> None:
    assert kind_of(name, len(head), lambda size: head[:size]) == kind


@pytest.mark.parametrize(
    ("compression", "unpacked", "freely", "in_memory"),
    [("", 900, 500, 800), ("gzip", 300, 500, 500), ("gzip", 600, 300, 200), ("gzip", 5000, 0, 1)],
)
def test_unpacked_data_of_a_player_leave_less_for_what_is_beside(
    compression: str, unpacked: int, freely: int, in_memory: int
) -> None:
    data = SimpleNamespace(compression=compression, unpacked_size=unpacked, packed_size=200)
    found = _limits_beside(cast("WebData", data), InputLimits(ratio=2, freely=500, in_memory=800))
    assert (found.freely, found.in_memory) == (freely, in_memory)
