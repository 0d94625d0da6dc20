"""The table of public packages: every row is found, several packages may have a GUID."""

from __future__ import annotations

import subprocess
import sys
import zlib

import pytest

from assetdb.packages.public.table import INSTALLED, PublicFile, PublicPackages, encode, public_packages
from scripts.public_packages import encoded, only_code

TMP = "f4688fdb7df04437aeb418b961361dc5"  # TextMeshProUGUI: of TextMesh Pro, and since 2.0 of ugui


@pytest.mark.parametrize("count", [0, 1, 2, 63, 64, 65, 1000])
def test_every_row_is_found_and_no_other(count: int) -> None:
    rows = [
        (
            f"{number // 2 * 0x9E3779B97F4A7C15:032x}"[-32:],
            PublicFile(f"com.acme.{number % 3}", f"A/{number}.cs", "1.0.0", "2.0.0", "m"),
        )
        for number in range(count)
    ]
    table = PublicPackages(encode(rows, {"com.acme.0": ["1.0.0\t\t\tm"]}))
    assert sorted(table.rows()) == sorted(rows)
    for guid, file in rows:
        assert file in table.find(guid)
        assert len(table.find(guid)) == sum(other == guid for other, _ in rows)
    assert table.find("f" * 31 + "0") == ()


@pytest.mark.parametrize("data", [b"", b"UADPKGS3", b"no table at all!", b"UADPKGS3" + b"\xff" * 16])
def test_what_is_no_table_holds_nothing(data: bytes) -> None:
    table = PublicPackages(data)
    assert (table.find("00" * 16), table.releases("a"), list(table.assemblies(".dll"))) == ((), (), [])


def test_the_table_is_made_of_three_texts() -> None:
    null, tool = "0" * 32, "ab" * 16
    guids = f"{null}\tcom.acme.tools\tNull.md\t1.0.0\t1.0.0\tm\n{tool}\tcom.acme.tools\tTool.cs\t1.0.0\t1.1.0\tcm\n"
    versions = (
        "com.acme.tools\t1.10.0\t2021.3\tcom.acme.base@1.0.0,com.unity.ugui@2.0.0\tm\ncom.acme.tools\t1.9.0\t\t?\te\n"
    )
    installs = f"{'cd' * 16}\tcom.acme.tools\tSamples~/Demo/Demo.unity\t1.0.0\t1.1.0\tm\n"
    table = PublicPackages(encoded(guids, versions, installs))
    assert list(table.rows()) == [
        ("ab" * 16, PublicFile("com.acme.tools", "Tool.cs", "1.0.0", "1.1.0", "cm")),
        ("cd" * 16, PublicFile("com.acme.tools", "Samples~/Demo/Demo.unity", "1.0.0", "1.1.0", f"{INSTALLED}m")),
    ]
    assert [row.version for row in table.releases("com.acme.tools")] == ["1.9.0", "1.10.0"]
    assert table.releases("com.acme.tools")[0].needs is None
    assert table.releases("com.acme.tools")[1].needs == (("com.acme.base", "1.0.0"), ("com.unity.ugui", "2.0.0"))
    assert dict(table.packages()) == {"com.acme.tools": (0, True)}


def test_assemblies_are_told_without_the_other_rows() -> None:
    rows = [
        ("11" * 16, PublicFile("a", "Runtime/A.asmdef", "1.0.0", "1.0.0", "m")),
        ("22" * 16, PublicFile("a", "Runtime/A.cs", "1.0.0", "1.0.0", "m")),
        ("33" * 16, PublicFile("a", "Samples~/B.dll", "1.0.0", "1.0.0", f"{INSTALLED}m")),
        ("44" * 16, PublicFile("b", "Plugins/B.dll", "1.0.0", "1.0.0", "m")),
    ]
    data = encode(rows, {})
    table = PublicPackages(data[:-1])  # cut within the one block of rows
    assert list(table.assemblies(".asmdef", ".dll")) == [rows[0][1], rows[3][1]]
    assert list(table.assemblies(".dll")) == [rows[3][1]]
    with pytest.raises(zlib.error):
        list(table.rows())


def test_only_code_is_what_assets_can_refer_to_by_scripts_alone() -> None:
    def rows(*paths: str) -> list[tuple[str, PublicFile]]:
        return [("ab" * 16, PublicFile("a", path, "1.0.0", "1.0.0", "m")) for path in paths]

    assert only_code(rows("Runtime/A.cs", "Editor/Icons/A.png", "Tests/Runtime/A.prefab", "README.md")) == {"a"}
    assert only_code(rows("Runtime/A.cs", "Runtime/A.mat")) == set()


def test_the_shipped_table_has_every_package_of_a_guid() -> None:
    found = {(file.package, file.path) for file in public_packages().find(TMP)}
    assert found == {
        ("com.unity.textmeshpro", "Scripts/Runtime/TextMeshProUGUI.cs"),
        ("com.unity.ugui", "Runtime/TMP/TextMeshProUGUI.cs"),
    }
    assert public_packages().find("ab" * 16) == ()


@pytest.mark.long
def test_the_shipped_table_is_whole() -> None:
    rows = [file for _, file in public_packages().rows()]
    assert len({guid for guid, file in public_packages().rows() if not file.is_installed}) > 77_000
    assert len({file.package for file in rows}) > 160
    assert sum(len(public_packages().releases(name)) for name in public_packages().packages()) == 6_840
    for name in public_packages().packages():
        known = {release.version for release in public_packages().releases(name)}
        assert all({file.first, file.last} <= known | {""} for file in rows if file.package == name), (
            f"{name} has files of versions that are none"
        )


@pytest.mark.long
def test_the_shipped_table_tells_all_assemblies() -> None:
    ends = (".asmdef", ".dll")
    wanted = {file for _, file in public_packages().rows() if file.path.endswith(ends) and not file.is_installed}
    assert set(public_packages().assemblies(*ends)) == wanted
    assert len(wanted) > 3_000


def test_a_name_in_the_project_reads_no_table() -> None:
    code = "import sys, assetdb.resolve.resolver; sys.exit('assetdb.packages.public.table' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_files_of_a_package_are_found_in_all_blocks() -> None:
    rows = [
        (f"{number:032x}", PublicFile(f"com.acme.{number // 70}", f"{number}.cs", "1", "2", "m"))
        for number in range(300)
    ]
    table = PublicPackages(encode(rows, {}))
    for package in ("com.acme.0", "com.acme.1", "com.acme.4", "com.acme", "com.acme.9"):
        assert table.files_of(package) == {guid: file for guid, file in rows if file.package == package}
