"""Entries of groups, as Unity writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.rules.addressables import find_entries, group_entries
from tests.assetdb.checks.healthy import NATIVE, guid_of, material, put, put_group, put_meta
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

GROUP = """%YAML 1.1
--- !u!114 &11400000
MonoBehaviour:
  m_GroupName: Props
  m_SerializeEntries:
  - m_GUID: 6198C0b12813e4f43b6063ad38ec4a20
    m_Address: 'Props: one'
    m_SerializedLabels:
    - Locale
  - m_GUID: EditorSceneList
    m_Address: EditorSceneList
  - m_GUID: a53022878bfb3504595f69334a1cd2a2
    m_ReadOnly: 0
  m_ReadOnly: 0
  m_Other:
  - m_GUID: 11111111111111111111111111111111
"""
EXPECTED = [
    ("6198c0b12813e4f43b6063ad38ec4a20", "Props: one", 6),
    ("", "", 10),
    ("a53022878bfb3504595f69334a1cd2a2", "", 12),
]


def test_entries_of_a_group() -> None:
    assert group_entries(GROUP.encode()) == EXPECTED
    assert group_entries(GROUP.replace("\n", "\r\n").encode()) == EXPECTED


def test_a_group_without_entries() -> None:
    assert group_entries(b"  m_SerializeEntries: []\n  m_ReadOnly: 0\n") == []
    assert group_entries(b"") == []


def test_entries_of_what_is_not_there_are_findings_with_the_reason(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    put(root, "Assets/here.mat", material("here"), NATIVE)
    (root / "Assets/Data").mkdir()
    put_meta(root, "Assets/Data", "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    put_meta(root, "Assets/away.mat", NATIVE)
    nobody = "8f57b4a070f7b43bbb3925467e6752ab"
    rows = "".join(
        f"  - m_GUID: {guid}\n    m_Address: {address}\n"
        for guid, address in (
            (guid_of("Assets/here.mat"), "here"),
            (guid_of("Assets/Data"), "folder"),
            (guid_of("Assets/away.mat"), "away"),
            (nobody, "nobody"),
            ("EditorSceneList", "scenes"),
        )
    )
    put_group(root, rows)
    found = found_by(find_entries, root)
    assert [(row.line, row.property_path, row.target) for row in found] == [
        (13, "m_SerializeEntries[2].m_GUID", guid_of("Assets/away.mat")),
        (15, "m_SerializeEntries[3].m_GUID", nobody),
    ]
    away, lost = (row.message for row in found)
    assert away.endswith("Assets/away.mat is not there, its meta is")
    assert lost.endswith(f"nothing has the GUID {nobody}")
    assert {row.code for row in found} == {"addressables-entry"}


def test_an_entry_with_a_guid_that_unity_cannot_read_is_told(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    shapes = ("0123456789abcdef", "1" * 31, "2" * 34, "01234567-89ab-cdef-0123-456789abcdef", "~", "", "0" * 32)
    rows = "".join(f"  - m_GUID: {shape}\n    m_Address: {n}\n" for n, shape in enumerate((*shapes, "EditorSceneList")))
    put_group(root, rows)
    found = found_by(find_entries, root)
    assert [row.message.partition(": ")[2].partition(":")[0] for row in found] == [
        *(f"Unity cannot read the GUID {shape}" for shape in shapes[:5]),
        *["its GUID is empty"] * 2,
    ]
    assert [row.property_path for row in found] == [f"m_SerializeEntries[{n}].m_GUID" for n in range(len(shapes))]
