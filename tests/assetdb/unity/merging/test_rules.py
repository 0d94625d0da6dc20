"""Identities of rows, and fields that are merged in their own way."""

from __future__ import annotations

import pytest

from assetdb.unity.merging.rules import identities, is_rotation, is_vector
from assetdb.unity.yaml.tree import read_tree


def names(key: str, *texts: str) -> list[list[str]] | None:
    found = identities(key, [read_tree(f"\n{text}".encode()).entries for text in texts])
    return found.names if found is not None else None


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("m_Component", "- component: {fileID: 4}\n- component: {fileID: 8}\n", 2),
        ("m_Component", "- 4: {fileID: 4}\n- 114: {fileID: 8}\n", 2),
        ("m_Children", "- {fileID: 4}\n- {fileID: 8}\n", 2),
        ("m_Floats", "- _A: 1\n- _B: 1\n", 2),
        ("m_Floats", "- first:\n    name: _A\n  second: 1\n- first:\n    name: _B\n  second: 1\n", 2),
        ("RefIds", "- rid: 1000\n  data:\n    a: 1\n- rid: 1001\n  data:\n    a: 1\n", 2),
        ("clips", "- key: a\n  v: 1\n- key: b\n  v: 1\n", 2),
    ],
)
def test_rows_have_identities(key: str, text: str, expected: int) -> None:
    found = names(key, "", text, "")
    assert found is not None
    assert len(set(found[1])) == expected


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("l", "- a\n- b\n"),
        ("m_Materials", "- {fileID: 2, guid: aa, type: 2}\n"),
        ("l", "- v: 1\n  w: 2\n- v: 1\n  w: 2\n"),
        ("m_Children", "- {fileID: 4}\n- {fileID: 4}\n"),
        ("l", "- name: a\n  v: 1\n- v: 1\n"),
    ],
)
def test_rows_without(key: str, text: str) -> None:
    assert names(key, "", text, "") is None


def test_any_other_unique_key_counts_where_both_kept_the_order() -> None:
    base = "- k: a\n  v: 1\n- k: b\n  v: 1\n"
    moved = "- k: b\n  v: 1\n- k: a\n  v: 1\n"
    changed = base.replace("v: 1", "v: 2")
    assert names("l", base, changed, base + "- k: c\n  v: 1\n") == [["a", "b"], ["a", "b"], ["a", "b", "c"]]
    assert names("l", base, changed, moved) is None


def test_rows_that_all_versions_have_are_known_by_their_text() -> None:
    base, ours, theirs = "- name: a\n  v: 1\n", "- name: b\n  v: 1\n", "- name: c\n  v: 1\n"
    found = names("l", base, base + ours, base + theirs)
    assert found is not None
    assert found == [[base], [base, "b"], [base, "c"]]


def test_vectors_are_no_rotations() -> None:
    assert is_vector(["x", "y", "z"], "m_LocalPosition")
    assert is_vector(["r", "g", "b", "a"], "m_Color")
    assert not is_vector(["x", "y", "z", "w"], "m_LocalRotation")
    assert not is_vector(["x", "y", "z"], "eulerAngles")
    assert is_rotation("m_LocalRotation")
    assert not is_rotation("m_LocalScale")


def test_overrides_that_unity_wrote_have_the_identity_of_read_ones() -> None:
    """A quoted path is read, a plain one is found by a pattern."""
    guid = "0123456789abcdef0123456789abcdef"
    row = f"- target: {{{{fileID: 7, guid: {guid},\n    type: 3}}}}\n  propertyPath: {{}}\n  value: 1\n"
    local = "- target: {{fileID: 7}}\n  propertyPath: {}\n  value: 1\n"
    for text in (row, local):
        plain, quoted = (names("m_Modifications", "", text.format(path), "") for path in ("a.b", "'a.b'"))
        assert plain is not None
        assert plain == quoted
