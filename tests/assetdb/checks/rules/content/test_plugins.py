"""Two DLLs of one name, and the platforms that both are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.content.plugins import find_duplicates
from tests.assetdb.checks.healthy import guid_of, put
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.findings.finding import Finding


def importer(*platforms: str, settings: str = "", more: str = "") -> str:
    """Return the importer of a plug-in for some platforms."""
    row = "  - first:\n      Group: {}\n    second:\n      enabled: 1\n      settings:\n{}"
    rows = "".join(row.format(name, settings) for name in platforms)
    return f"PluginImporter:\n  serializedVersion: 2\n{more}  platformData:\n{rows}  userData: \n"


def said(root: Path, *importers: str) -> list[Finding]:
    for number, text in enumerate(importers):
        put(root, f"Assets/{number}/{'Tool.dll' if number else 'tool.DLL'}", b"", text)
    return sorted(found_by(find_duplicates, root), key=lambda row: row.path)


def test_both_of_one_platform_are_told_with_the_other(tmp_path: Path) -> None:
    found = said(tmp_path, importer("Win64", "Android"), importer("Android", "Editor", "Win64"))
    said_of = "is for Win64, Android, and so is {}: only one DLL of a name may be"
    one, other = "Assets/0/tool.DLL", "Assets/1/Tool.dll"
    assert [(row.path, row.asset, row.target_guid, row.message) for row in found] == [
        (one, guid_of(one), guid_of(other), said_of.format(other)),
        (other, guid_of(other), guid_of(one), said_of.format(one)),
    ]


CPU = "        CPU: {}\n"


@pytest.mark.parametrize(
    ("one", "other", "is_told"),
    [
        (importer("Win64"), importer("Win64"), True),
        (importer("Win64"), importer("Linux64"), False),
        (importer("Any"), importer("iOS"), True),
        (importer("Win64"), importer(), False),
        (importer("Win64"), importer("Win64", more="  isExplicitlyReferenced: 1\n"), False),
        (importer("iOS", settings=CPU.format("ARM64")), importer("iOS", settings=CPU.format("X64")), False),
        (importer("iOS", settings=CPU.format("ARM64")), importer("iOS", settings=CPU.format("ARM64")), True),
        (importer("iOS", settings=CPU.format("ARM64")), importer("iOS", settings=CPU.format("AnyCPU")), True),
    ],
)
def test_dlls_collide_where_both_are_for_a_platform(tmp_path: Path, one: str, other: str, *, is_told: bool) -> None:
    assert len(said(tmp_path, one, other)) == (2 if is_told else 0)


def test_each_of_three_is_told_with_its_own_twins(tmp_path: Path) -> None:
    found = said(tmp_path, importer("Win64"), importer("Win64", "iOS"), importer("iOS"))
    assert [row.message.partition(":")[0] for row in found] == [
        "is for Win64, and so is Assets/1/Tool.dll",
        "is for Win64, iOS, and so is Assets/0/tool.DLL, Assets/2/Tool.dll",
        "is for iOS, and so is Assets/1/Tool.dll",
    ]
    assert said(tmp_path / "other", importer("Win64")) == []
