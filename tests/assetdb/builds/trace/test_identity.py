"""Whether a player was built of a project: product GUIDs that are equal, others, and settings without any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds.trace.identity import product_guid

if TYPE_CHECKING:
    from pathlib import Path

GUID = "1c0346d53a0b27c4d9e337f1a5a1cbb5"


def settings(root: Path, text: str) -> str:
    (root / "ProjectSettings").mkdir(exist_ok=True)
    (root / "ProjectSettings/ProjectSettings.asset").write_text(text)
    return str(root)


def test_the_guid_of_a_product_is_that_of_the_settings(tmp_path: Path) -> None:
    text = f"PlayerSettings:\n  serializedVersion: 26\n  productGUID: {GUID.upper()}\r\n  x: 1\n"
    assert product_guid(settings(tmp_path, text)) == GUID


def test_settings_without_a_guid_have_none(tmp_path: Path) -> None:
    assert product_guid(str(tmp_path / "nowhere")) == ""
    assert product_guid(settings(tmp_path, f"  cloneGUID: {GUID}\n    productGUID: {GUID}\n")) == ""
    assert product_guid(settings(tmp_path, f"  productGUID: {'0' * 32}\n")) == ""
