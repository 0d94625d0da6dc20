"""Names of texture formats beside another program's."""

from __future__ import annotations

import pytest

from assetdb.unity.textures.formats import TEXTURE_FORMATS


def test_names_are_unitys() -> None:
    enums = pytest.importorskip("UnityPy.enums", reason="UnityPy is of the extra oracle")
    assert {item.value: item.name for item in enums.TextureFormat if item.value in TEXTURE_FORMATS} == TEXTURE_FORMATS
