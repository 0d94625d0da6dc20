"""Versions of packages, by the releases that write them."""

from __future__ import annotations

import pytest

from assetdb_formats.unreal.versions import NEWEST_UE4, NEWEST_UE5, RELEASES, PackageVersion, parse_version, releases_of


@pytest.mark.parametrize(
    ("text", "version"),
    [("5.3", (522, 1009)), ("UE4.27", (522, 0)), ("UE5_1", (522, 1008)), ("517", (517, 0)), ("522/1012", (522, 1012))],
)
def test_versions_as_people_write_them(text: str, version: tuple[int, int]) -> None:
    assert parse_version(text) == version


@pytest.mark.parametrize("text", ["", "5.99", "522/9999", "12", "abc", "1/2/3", "5" * 5000])
def test_what_is_no_version(text: str) -> None:
    with pytest.raises(ValueError, match="neither a release"):
        parse_version(text)


def test_releases_are_named() -> None:
    assert releases_of(PackageVersion(522, 1009)) == "5.2 to 5.3"
    assert releases_of(PackageVersion(522, 1017)) == "5.6"
    assert releases_of(PackageVersion(500)) == "500"
    # seen in files of the released engines 4.2, 4.4, 4.5 and 4.6, and of early access of 5.0
    found = {367: "4.2", 385: "4.4", 401: "4.5", 397: "4.5 (early)", 413: "4.6", 519: "4.26 (early)"}
    assert {ue4: releases_of(PackageVersion(ue4)) for ue4 in found} == found
    assert releases_of(PackageVersion(522, 1002)) == "5.0 (early)"
    assert [str(parse_version(f"4.{minor}")) for minor in range(1, 8)] == [
        "352",
        "367",
        "382",
        "385",
        "401",
        "413",
        "434",
    ]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("214", (214, 0)), (f"{NEWEST_UE4}", (522, 0)), ("522/1000", (522, 1000)), ("522/0", (522, 0)),
        (f"522/{NEWEST_UE5}", (522, 1018)), (" ue_4.0 ", (342, 0)),
    ],
)  # fmt: skip
def test_file_versions_from_the_first_to_the_last(text: str, version: tuple[int, int]) -> None:
    assert parse_version(text) == version


@pytest.mark.parametrize("text", ["213", "523", "522/999", "522/1019", "522/x", "x/1000", "/1000", "522/1"])
def test_file_versions_out_of_range(text: str) -> None:
    with pytest.raises(ValueError, match=r"neither a release \(4\.0 to 5\.7\)"):
        parse_version(text)


def test_versions_for_people() -> None:
    assert str(PackageVersion(517)) == "517"
    assert str(PackageVersion(522, 1009)) == "522/1009"
    assert [
        name
        for name, version in RELEASES.items()
        if name not in releases_of(version) and " to " not in releases_of(version)
    ] == []
    assert list(RELEASES.values()) == sorted(RELEASES.values())
