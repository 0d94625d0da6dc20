"""Entries of groups, as Unity writes them."""

from __future__ import annotations

from assetdb.checks.rules.addressables import group_entries

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
