"""What a finding is stays the same while its line moves, and two of one kind are two."""

from __future__ import annotations

from assetdb.checks.findings.finding import Finding, fingerprint, numbered

GUID = "8f57b4a070f7b43bbb3925467e6752ab"
ONE = Finding("dangling", "error", "Assets/a.prefab", "m_Mesh", 12, "Body (MeshFilter)", "m_Mesh", GUID, 33, "x:1")


def test_a_finding_keeps_its_identity_over_lines_and_moves() -> None:
    moved = ONE._replace(path="Assets/b/a.prefab", line=90, message="another name")
    assert moved.identity() == ONE.identity()
    assert fingerprint(moved, 0) == fingerprint(ONE, 0)
    for changed in (ONE._replace(property_path="m_Name"), ONE._replace(anchor=34), ONE._replace(target="x:2")):
        assert changed.identity() != ONE.identity()


def test_a_place_in_a_list_does_not_count() -> None:
    twelfth = ONE._replace(property_path="m_Modification.m_Modifications[12].target = m_Name")
    assert twelfth._replace(property_path=twelfth.property_path.replace("12", "7")).identity() == twelfth.identity()
    assert twelfth._replace(property_path=twelfth.property_path.replace("m_Name", "x")).identity() != twelfth.identity()


def test_a_file_without_a_guid_is_told_by_its_path() -> None:
    lacking = Finding("missing-meta", "error", "Assets/a.png", "has no .meta")
    assert lacking.identity() != lacking._replace(path="Assets/b.png").identity()


def test_two_of_one_kind_are_two() -> None:
    assert [number for _finding, number in numbered([ONE, ONE._replace(code="target-absent"), ONE])] == [0, 0, 1]
    assert fingerprint(ONE, 0) != fingerprint(ONE, 1)


def test_where_names_object_and_property() -> None:
    assert ONE.where == "Body (MeshFilter): m_Mesh"
    assert Finding("missing-meta", "error", "Assets/a.png", "has no .meta").where == ""
