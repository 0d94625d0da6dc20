"""Platforms of plug-ins, in the three forms that metas have had."""

from __future__ import annotations

import pytest

from assetdb.unity.content.plugins import plugin_of, read_plugin

HEAD = "PluginImporter:\n  defineConstraints: []\n  platformData:\n"
THIRD = f"{HEAD}    Any:\n      enabled: 1\n      settings:\n        Exclude Editor: 1\n        Exclude Win64: 0\n"
SECOND = (
    f"{HEAD}  - first:\n      : Any\n    second:\n      enabled: 0\n      settings:\n        Exclude Android: 1\n"
    "  - first:\n      Any: \n    second:\n      enabled: 1\n      settings: {}\n"
    "  - first:\n      Editor: Editor\n    second:\n      enabled: 0\n      settings:\n        CPU: x86\n"
)
FIRST = (
    f"{HEAD}    data:\n      first:\n        '': Any\n      second:\n        enabled: 0\n        settings:\n"
    "          Exclude Editor: 0\n    data:\n      first:\n        Standalone: Win64\n      second:\n"
    "        enabled: 1\n        settings:\n          CPU: x86_64\n"
)


@pytest.mark.parametrize(
    ("text", "platforms"),
    [
        (THIRD, ["Win64", "Android"]),
        (SECOND, ["Editor", "Win64"]),
        (FIRST, ["Win64"]),
        (SECOND.replace("\n", "\r\n"), ["Editor", "Win64"]),
    ],
)
def test_platforms(text: str, platforms: list[str]) -> None:
    found = read_plugin(text.encode())
    assert found.known
    assert [each for each in ("Editor", "Win64", "Android") if found.is_for(each)] == platforms
    assert (
        plugin_of([found.known, list(found.platforms), list(found.excluded), [list(x) for x in found.choices]]) == found
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PluginImporter:\n  platformData: {}\n",
        THIRD.replace("defineConstraints: []", "defineConstraints:\n  - DEBUG"),
        THIRD.replace("defineConstraints: []", "isExplicitlyReferenced: 1"),
    ],
)
def test_nothing_is_known(text: str) -> None:
    assert not read_plugin(text.encode()).known


def test_processors_tell_plugins_apart() -> None:
    narrow, wide, any_one = (
        read_plugin(f"{HEAD}    Editor:\n      enabled: 1\n      settings:\n        CPU: {cpu}\n".encode())
        for cpu in ("x86", "x86_64", "AnyCPU")
    )
    assert narrow.differs(wide, "Editor")
    assert not narrow.differs(any_one, "Editor")
    assert not narrow.differs(wide, "Win64")
