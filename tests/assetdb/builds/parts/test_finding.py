"""The kind of a file in a build, by its name and its first bytes."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb.builds.parts.facts import CATALOG, OTHER, RESOURCE
from assetdb.builds.parts.finding import kind_of

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
