"""Versions in the order of semver, and what a release between two known ones requires."""

from __future__ import annotations

import random

import pytest

from assetdb.packages.public.releases import Release, is_known, needs_of, read_release, version_key

# In the order of semver.org, paragraph 11, and of Unity's own tags.
IN_ORDER = (
    *("0.9.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11"),
    *("1.0.0-rc.1", "1.0.0", "1.2.0-preview.3", "1.2.0-preview.10", "1.2.0", "1.10.0", "1.10.1", "10.0.0-pre.1"),
)


def release(version: str, needs: str = "", sources: str = "m") -> Release:
    return read_release(f"{version}\t\t{needs}\t{sources}")


def test_the_order_is_that_of_semver() -> None:
    mixed = list(IN_ORDER)
    random.Random(4).shuffle(mixed)
    assert tuple(sorted(mixed, key=version_key)) == IN_ORDER
    assert version_key("1.0.0+build.5") == version_key("1.0.0")


@pytest.mark.parametrize("version", ["", "x", "-", "1", "1.2.3.4.5.6", "9" * 5000, "1.0.0-" + "9" * 5000, "²"])
def test_what_is_no_version_has_a_place(version: str) -> None:
    assert sorted([version, "1.0.0"], key=version_key)


def test_a_version_is_known_where_its_files_are() -> None:
    releases = [
        release("1.0.0"),
        release("1.2.0", sources="e"),
        release("1.4.0", sources="cm"),
        release("2.0.0", sources="e"),
    ]
    known = [
        version
        for version in ("0.9.0", "1.0.0", "1.2.0", "1.3.0", "1.4.0", "1.4.1", "2.0.0")
        if is_known(releases, version)
    ]
    assert known == ["1.0.0", "1.2.0", "1.3.0", "1.4.0"]
    assert not is_known(releases, "https://example.org/a.git#1.2.0")
    assert not is_known([], "1.0.0")
    assert not is_known([release("1.0.0", sources="e")], "1.0.0")


def test_needs_are_those_of_the_version_or_of_both_beside_it() -> None:
    releases = [release("1.0.0", "a@1.0.0"), release("1.2.0", "a@1.1.0,b@2.0.0"), release("1.4.0", "?")]
    assert needs_of(releases, "1.0.0") == (("a", "1.0.0"),)
    assert needs_of(releases, "1.1.0") == (("a", "1.1.0"), ("b", "2.0.0"))
    newest = (("a", "1.1.0"), ("b", "2.0.0"))  # of 1.4.0 nobody knows what it needs
    assert [needs_of(releases, version) for version in ("1.3.0", "1.4.0", "1.5.0")] == [newest] * 3
    assert needs_of(releases, "x.git") is None
    assert needs_of(releases[2:], "1.4.0") is None
    assert needs_of(releases, "0.9.0") == (("a", "1.0.0"),)
    assert needs_of(releases[:2], "1.3.0") == (("a", "1.1.0"), ("b", "2.0.0"))
    assert needs_of([], "1.0.0") is None
