"""References among values: what a failed attempt found is dropped, of every kind."""

from __future__ import annotations

import pytest

from assetdb_formats.unreal.properties.decoded import References, TextKey, soft_path


def test_going_back_drops_what_came_after() -> None:
    found = References()
    kept = (1, soft_path("/Game/A.A"), TextKey("Menu", "Play", "Play!"))
    lost = (2, soft_path("/Game/B.B"), TextKey("Menu", "Stop", "Stop!"))
    for number, path, text in (kept, lost):
        mark = found.mark()
        found.objects.append(number)
        found.soft.append(path)
        found.texts.append(text)
    found.back(mark)
    assert (found.objects, found.soft, found.texts) == ([kept[0]], [kept[1]], [kept[2]])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("/Game/A.A:Inner", ("/Game/A", "A", "Inner")),
        ("/Game/A.A", ("/Game/A", "A", "")),
        ("/Game/A", ("/Game/A", "", "")),
        ("", ("", "", "")),
    ],
)
def test_soft_paths_have_package_asset_and_inner_object(text: str, parts: tuple[str, str, str]) -> None:
    assert tuple(soft_path(text)) == parts
