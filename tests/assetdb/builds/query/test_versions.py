"""Versions of packages: of Addressables by settings.json, else a layout, else the catalog's shape; of services."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.summary import summarize
from assetdb.builds.query.versions import ADDRESSABLES, package_versions, services_versions
from tests.assetdb.builds import making

if TYPE_CHECKING:
    from pathlib import Path

SERVICES = {
    "Keys": ["com.unity.services.core.cloud-environment", "com.unity.services.core.version", 7],
    "Values": [{"m_Value": "production"}, {"m_Value": "1.8.2", "m_IsReadOnly": True}, {"m_Value": "9"}],
}


def versions(folder: Path) -> list[tuple[str, str, str]]:
    return [row[:3] for row in package_versions(open_build(folder, remember=False))]


def test_settings_and_services_say_versions(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    aa = folder / "StreamingAssets/aa"
    aa.mkdir(parents=True)
    (aa / "settings.json").write_text(json.dumps({"m_AddressablesVersion": "1.21.19", "m_buildTarget": "WebGL"}))
    (folder / "StreamingAssets/UnityServicesProjectConfiguration.json").write_text(json.dumps(SERVICES))
    assert versions(folder) == [
        ("com.unity.services.core", "1.8.2", "StreamingAssets/UnityServicesProjectConfiguration.json"),
        (ADDRESSABLES, "1.21.19", "StreamingAssets/aa/settings.json"),
    ]


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{", b'{"Keys":1,"Values":2}', b'{"Keys":["com.a.version"],"Values":[3]}', b"[" * 100_000]
)
def test_what_is_no_configuration_says_nothing(tmp_path: Path, data: bytes) -> None:
    assert list(services_versions(data)) == []
    folder = making.player(tmp_path / "Game_Data")
    for name in ("settings.json", "UnityServicesProjectConfiguration.json"):
        (folder / name).write_bytes(data)
    assert versions(folder) == []


@pytest.mark.corpus("addressables")
def test_a_catalog_alone_allows_a_range(corpus: Path) -> None:
    build = open_build(corpus / "addressables/data/ksp2", remember=False)
    found = package_versions(build)
    assert summarize(build).versions == found
    assert {row.name for row in found} == {ADDRESSABLES}
    assert not any(row.is_exact for row in found)
    assert package_versions(build, catalogs=False) == ()
