"""Releases inferred from formats alone, as every public reader has their ranges."""

from __future__ import annotations

from assetdb_formats.unityfs.release import inferred_releases, is_stripped


def test_a_version_of_zeros_is_none() -> None:
    assert [is_stripped(version) for version in ("", "0.0.0", "0.0.0f0", "x")] == [True] * 4
    assert [is_stripped(version) for version in ("0.0.1", "5.0.0", "0.0.9")] == [False] * 3


def test_a_serialized_file_alone_tells_its_range() -> None:
    assert {version: inferred_releases("", 0, version) for version in range(4, 25)} == {
        4: "",
        5: "1.2 to 2.0",
        6: "2.1 to 2.6",
        7: "3.0",
        8: "3.0 to 3.4",
        9: "3.5 to 4.7",
        10: "5.0",
        11: "5.0",
        12: "5.0",
        13: "5.0",
        14: "5.0",
        15: "5.0 to 5.4",
        16: "5.5",
        17: "5.5 to 2018.4",
        18: "2019.1",
        19: "2019.1",
        20: "2019.1 to 2019.2",
        21: "2019.3 to 2019.4",
        22: "2020.1 or later",
        23: "6000.0 or later",
        24: "",
    }


def test_an_archive_alone_tells_its_range() -> None:
    assert [inferred_releases("UnityFS", number, 0) for number in range(5, 10)] == [
        "",
        "5.3 to 2019.4",
        "2019.4 to 2022.1",
        "2021.3 or later",
        "",
    ]
    for name in ("UnityWeb", "UnityRaw"):
        found = [inferred_releases(name, number, 0) for number in range(7)]
        assert found == ["", "1.0 to 2.5", "2.6 to 3.4", "3.5 to 5.1", "5.2 to 5.3", "5.2 to 5.3", ""]


def test_both_together_narrow_the_range_down_to_nothing() -> None:
    assert inferred_releases("UnityFS", 7, 21) == "2019.4"
    assert inferred_releases("UnityFS", 8, 23) == "6000.0 or later"
    assert inferred_releases("UnityFS", 7, 22) == "2020.1 to 2022.1"
    assert inferred_releases("UnityFS", 7, 20) == ""
    assert inferred_releases("UnityFS", 99, 20) == "2019.1 to 2019.2"
