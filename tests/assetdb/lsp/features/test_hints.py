"""Hints keep the end of a name, which has the object, where an editor would cut it."""

from __future__ import annotations

import pytest

from assetdb.lsp.features.hover import shortened


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Base.prefab (GameObject)", "Base.prefab (GameObject)"),
        ("x" * 43, "x" * 43),
        ("SessionUI.prefab / Canvas / Panel / JoinButton (Button)", "... / Canvas / Panel / JoinButton (Button)"),
        ("SessionUI.prefab / Canvas / A long panel / JoinButton (Button)", "... / A long panel / JoinButton (Button)"),
        ("Session.prefab / " + "y" * 60, "..." + "y" * 40),
        ("Session.prefab / A / " + "y" * 37, "... / " + "y" * 37),
    ],
)
def test_the_end_of_a_long_name_is_kept(name: str, label: str) -> None:
    assert shortened(name) == label
    assert len(label) <= 43
