from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from assetdb.unity.settings import known_packages
from assetdb.unity.settings.known_packages import ASSETS, KnownFile, KnownPackages, encode, find_known, may_hold
from scripts.package_guids import rows_of


@pytest.mark.parametrize("count", [0, 1, 2, 255, 256, 257, 1000])
def test_every_row_is_found_and_no_other(count: int) -> None:
    rows = [
        (f"{number * 0x9E3779B97F4A7C15:032x}"[-32:], f"com.acme.{number % 3}", f"A/{number}.cs")
        for number in range(count)
    ]
    table = KnownPackages(encode(rows))
    assert sorted(table.rows()) == sorted(rows)
    for guid, package, path in rows:
        assert table.find(guid) == KnownFile(package, path)
    assert table.find("f" * 31 + "0") is None


@pytest.mark.parametrize("data", [b"", b"UADPKGS1", b"no table at all!", b"UADPKGS1" + b"\xff" * 8])
def test_what_is_no_table_holds_nothing(data: bytes) -> None:
    assert KnownPackages(data).find("00" * 16) is None


@pytest.mark.long
def test_the_shipped_table_knows_what_every_project_refers_to() -> None:
    assert find_known("f4688fdb7df04437aeb418b961361dc5") == KnownFile(
        "com.unity.textmeshpro", "Scripts/Runtime/TextMeshProUGUI.cs"
    )
    assert find_known("fe87c0e1cc204ed48ad3b37840f39efc") == KnownFile("com.unity.ugui", "Runtime/UI/Core/Image.cs")
    assert find_known("ab" * 16) is None
    rows = list(KnownPackages(Path(known_packages.__file__).with_name(known_packages.FILE_NAME).read_bytes()).rows())
    assert len(rows) == 19594
    assert len({package for _, package, _ in rows}) == 32


def test_the_table_is_made_of_packages(tmp_path: Path) -> None:
    package = tmp_path / "com.acme.tools@1.0.0"
    (package / "Runtime").mkdir(parents=True)
    (package / "package.json").write_text('{"name": "com.acme.tools"}')
    (package / "Runtime" / "Tool.cs.meta").write_text(f"fileFormatVersion: 2\nguid: {'ab' * 16}\n", newline="\n")
    assert list(rows_of(tmp_path)) == [("ab" * 16, "com.acme.tools", "Runtime/Tool.cs")]


def test_versions_of_packages_of_the_editor_may_be_newer_than_is_known() -> None:
    found = [may_hold("com.unity.shadergraph", version) for version in ("", "14.0.1", "15.0.0", "9" * 5000, "x")]
    assert found == ["", "", ASSETS, ASSETS, ""]


def test_a_name_in_the_project_reads_no_table() -> None:
    code = "import sys, assetdb.resolve.resolver; sys.exit('assetdb.unity.settings.known_packages' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
