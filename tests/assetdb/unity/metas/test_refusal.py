"""What Unity refuses in a meta, with its line."""

from __future__ import annotations

import pytest

from assetdb.unity.metas.refusal import QUOTED_GUID, SECOND_GUID, UNENDED_KEY, meta_refusal

GUID = "0123456789abcdef0123456789abcdef"
META = f"fileFormatVersion: 2\nguid: {GUID}\n"


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        (f"{META}DefaultImporter:\n  userData:", (4, UNENDED_KEY)),
        (f'fileFormatVersion: 2\nguid: "{GUID}"\n', (2, QUOTED_GUID)),
        (f"fileFormatVersion: 2\nguid: '{GUID}'\n", (2, QUOTED_GUID)),
        (f'guid: "{GUID}"\nfileFormatVersion: 2\n', (1, QUOTED_GUID)),
        (f"{META}guid: {GUID[::-1]}\n", (3, SECOND_GUID)),
        (f"{META}folderAsset: yes\nguid: {GUID}", (4, SECOND_GUID)),
    ],
)
def test_what_unity_refuses_in_a_meta_has_its_line(meta: str, expected: tuple[int, str]) -> None:
    assert meta_refusal(meta.encode()) == expected
    assert meta_refusal(meta.replace("\n", "\r\n").encode()) == expected


@pytest.mark.parametrize(
    "meta",
    [
        META,
        META.rstrip(),  # 982 metas of public projects end so
        f"{META}DefaultImporter:\n  userData:\n",
        f"{META}DefaultImporter:\n  userData: ",
        f"{META}timeCreated: 1",
        f"{META}M:\n  externalObjects:\n  - second: {{fileID: 1, guid: {GUID}, type: 2}}\n",
        f"{META}M:\n  guid: {GUID}\n",
        "",
    ],
)
def test_what_unity_reads_is_not_refused(meta: str) -> None:
    assert meta_refusal(meta.encode()) is None
