"""The kinds of files that an absent package may have, and the references that may lead to them."""

from __future__ import annotations

import pytest

from assetdb.packages.public.contents import ASSEMBLIES, ASSETS, CODE, can_be_of, may_hold, most_of


@pytest.mark.parametrize(
    ("package", "version", "held"),
    [
        ("com.unity.textmeshpro", "3.0.6", ""),
        ("com.unity.shadergraph", "14.0.9", ""),
        ("com.unity.shadergraph", "13.1.0", ""),  # between two known ones
        ("com.unity.shadergraph", "99.0.0", ASSETS),
        ("com.unity.shadergraph", "", ASSETS),
        ("com.unity.shadergraph", "9" * 5000, ASSETS),
        ("com.unity.burst", "99.0.0", ASSEMBLIES),
        ("com.cysharp.unitask", "https://github.com/Cysharp/UniTask.git", CODE),
        ("com.acme.tools", "1.0.0", ASSETS),
        ("com.unity.modules.physics", "1.0.0", ""),
        ("com.unity.ide.rider", "99.0.0", ""),
    ],
)
def test_a_package_holds_what_is_not_known_of_it(package: str, version: str, held: str) -> None:
    assert may_hold(package, version) == held


def test_the_most_of_several() -> None:
    assert [most_of(held) for held in ([], ["", ASSEMBLIES], [CODE, ASSEMBLIES], [CODE, ASSETS, ""])] == [
        *("", ASSEMBLIES, CODE, ASSETS),
    ]


# 11500000 is a script, -765806418 Image in UnityEngine.UI.dll, 2100000 a material, 21300002 a sprite, the others are
# objects of prefabs and models.
@pytest.mark.parametrize(
    ("file_id", "of_code"),
    [
        *((None, True), (11500000, True), (-765806418, True), (1453722849, True)),
        *((2100000, False), (21300002, False), (11400000, False), (100100000, False), (2800000, False)),
        *((6837124829341234567, False), (-6837124829341234567, False)),
        *(((1 << 31) - 1, True), (1 << 31, False), (-(1 << 31), True), (-(1 << 31) - 1, False)),
    ],
)
def test_code_is_referred_to_as_scripts_and_assemblies(file_id: int | None, of_code: bool) -> None:  # noqa: FBT001
    assert can_be_of(CODE, file_id) == of_code
    assert can_be_of(ASSETS, file_id)
    assert can_be_of(ASSEMBLIES, file_id) == (file_id is None)
    assert not can_be_of("", file_id)
