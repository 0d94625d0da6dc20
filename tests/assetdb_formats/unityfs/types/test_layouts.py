"""Releases of Unity, and the table of layouts at the releases that changed one."""

from __future__ import annotations

from assetdb_formats.unityfs.types.layouts import is_known, program_for, release_of


def text(class_id: int, version: str) -> str | None:
    found = program_for(class_id, version)
    return None if found is None else found.text


def test_a_version_is_compared_by_its_numbers_and_its_kind() -> None:
    assert release_of("2022.3.10f1") == (2022, 3, 10, "f", 1)
    assert release_of("5.0") == (5, 0, 0, "f", 0)
    assert release_of("2023.1.0a12") == (2023, 1, 0, "a", 12)
    assert release_of("2023.1.0p3") == (2023, 1, 0, "p", 3)
    # Regional and experimental ones are as final ones.
    assert [release_of(f"2022.3.1{kind}5") for kind in "cxt"] == [(2022, 3, 1, "f", 5)] * 3
    assert [release_of(version) for version in ("", "0.0.0", "0.5.0f1", "x2022.3.1f1", "2022")] == [None] * 5
    in_order = ["5.6.7f1", "2017.1.0a9", "2017.1.0b1", "2017.1.0f1", "2017.1.0f2", "2017.1.0p1", "2017.1.1a1"]
    releases = [release_of(version) for version in in_order]
    assert releases == sorted(releases, key=lambda release: release or ())
    assert len(set(releases)) == 7


def test_a_layout_holds_from_its_release_on_until_the_next() -> None:
    # A Renderer's first part grew by a byte in 2019.3, as its type trees have it.
    assert text(23, "2019.2.99f9") == "p7a44[p]a4pppa8ap"
    assert text(23, "2019.3.0f1") == "p8a44[p]a4pppa8ap"
    for class_id in (28, 23, 1):
        assert text(class_id, "5.0.0f1") is not None
        assert text(class_id, "4.9.9f9") is None
        assert is_known(class_id, "5.0.0f1")
        assert not is_known(class_id, "4.9.9f9")


def test_a_class_is_known_where_nothing_of_it_is_wanted() -> None:
    # GraphicsSettings and the like have programs; TimeManager (5) has nothing but numbers.
    assert (text(5, "2022.3.1f1"), is_known(5, "2022.3.1f1")) == (None, True)
    # NetworkManager ended with 2018.1, a class that nobody knows never began.
    assert (text(149, "2018.1.0f1") is None, is_known(149, "2018.1.0f1")) == (False, True)
    assert (text(149, "2022.3.1f1"), is_known(149, "2022.3.1f1")) == (None, False)
    assert (text(987_654, "2022.3.1f1"), is_known(987_654, "2022.3.1f1")) == (None, False)


def test_without_a_release_only_names_that_come_first_are_known() -> None:
    assert [text(class_id, "0.0.0") for class_id in (28, 49, 1, 5, 987_654)] == ["n", "n", None, None, None]
    assert not is_known(28, "0.0.0")
