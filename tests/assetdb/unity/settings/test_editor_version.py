"""The editor that a project was last opened with."""

from __future__ import annotations

import pytest

from assetdb.unity.settings.editor_version import NEWEST, editor_version, reads_by_libyaml, unity_version, version_of


@pytest.mark.parametrize(
    ("text", "name", "version"),
    [
        (
            "m_EditorVersion: 2021.3.4f1\nm_EditorVersionWithRevision: 2021.3.4f1 (cb45f9cae8b7)\n",
            "2021.3.4f1",
            (2021, 3),
        ),
        ("m_EditorVersion: 5.6.1f1\r\n", "5.6.1f1", (5, 6)),
        ("m_EditorVersionWithRevision: 1.2.3f1\nm_EditorVersion: 6000.0.1f1", "6000.0.1f1", (6000, 0)),
        ("m_EditorVersion: 2021.3.4f1\nm_EditorVersion: 2022.1.0f1\n", "2021.3.4f1", (2021, 3)),
        ("m_EditorVersion:2021.3.4f1\n", "2021.3.4f1", NEWEST),
        ("m_EditorVersion: 2021.3\n", "2021.3", NEWEST),
        ("m_EditorVersion: 20211.3.4f1\n", "20211.3.4f1", NEWEST),
        ("m_EditorVersion: 2021.x.4f1\n", "2021.x.4f1", NEWEST),
        ("m_EditorVersion: \n", "", NEWEST),
        (" m_EditorVersion: 2021.3.4f1\n", "", NEWEST),
        ("", "", NEWEST),
    ],
)
def test_a_version_is_read_or_the_newest(text: str, name: str, version: tuple[int, int]) -> None:
    assert editor_version(text.encode()) == name
    assert unity_version(text.encode()) == version


def test_a_long_line_is_cut() -> None:
    assert editor_version(b"m_EditorVersion: " + b"9" * 100) == "9" * 80
    assert editor_version(b"m_EditorVersion: \xff") == "\ufffd"


@pytest.mark.parametrize(
    ("name", "by_libyaml"),
    [("2019.2.21f1", True), ("2018.4.1f1", True), ("5.6.0f1", True), ("2019.3.0f1", False), ("2020.1.0f1", False)],
)
def test_editors_before_2019_3_read_with_libyaml(name: str, *, by_libyaml: bool) -> None:
    assert reads_by_libyaml(f"m_EditorVersion: {name}\n".encode()) is by_libyaml
    assert version_of("2019.3") == (2019, 3)
