from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.mending import draft
from assetdb.checks.mending.draft import Draft

if TYPE_CHECKING:
    import pytest

TAKEN, GIVEN, FREE = (bytes.fromhex(f"{digit}1c0de5{digit}7a9b3f24d6e8021f5a9c3b") for digit in "abc")


def test_a_drawn_guid_that_an_asset_has_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([TAKEN, GIVEN, TAKEN, GIVEN, FREE])
    monkeypatch.setattr(draft.os, "urandom", lambda _: next(drawn))
    plan = Draft("", lambda guid: guid == TAKEN.hex())
    assert plan.new_guid() == GIVEN.hex()
    assert plan.new_guid() == FREE.hex()
    assert plan.is_given(FREE.hex())
    assert not plan.is_given(TAKEN.hex())
