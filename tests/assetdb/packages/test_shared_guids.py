"""GUIDs with two assets: of a package, and of the project or another package."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.cli import main
from assetdb.diagnostics import Diagnostic
from assetdb.packages.database import refresh
from assetdb.packages.shared_guids import with_copies
from tests.assetdb.packages.packages_project import cached, depend, make_root, put
from tests.assetdb.unity_project import guid

if TYPE_CHECKING:
    from pathlib import Path

TAKEN = "Unity takes the one that it imported first and ignores the other"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project that requires two packages, of which nothing is shared yet."""
    root = make_root(tmp_path / "P")
    for number, name in ((12, "com.acme.tools"), (13, "com.acme.more")):
        put(cached(root, name), "own.asset", number)
    depend(root, com_acme_tools="1.0.0", com_acme_more="1.0.0")
    return root


def of_cache(root: Path, name: str) -> Path:
    return root / f"Library/PackageCache/{name}@1.0.0"


def problems(root: Path) -> list[tuple[str, str]]:
    folder = root / "out"
    folder.mkdir(exist_ok=True)
    assetdb.bake(root, folder)
    return [(item.path, item.message) for item in refresh(str(root), str(folder)).problems]


def test_two_packages_with_one_guid(root: Path) -> None:
    put(of_cache(root, "com.acme.more"), "A/one.asset", 20)
    put(of_cache(root, "com.acme.tools"), "B/two.asset", 20)
    put(root, "Assets/user.asset", 30, 20)
    put(of_cache(root, "com.acme.tools"), "user.asset", 31, 20)
    assert problems(root) == [
        (
            "Packages/com.acme.tools/B/two.asset",
            (
                f"has the GUID {guid(20)} of Packages/com.acme.more/A/one.asset; {TAKEN};"
                " used by Assets/user.asset, Packages/com.acme.tools/user.asset"
            ),
        )
    ]


def test_two_packages_with_many_guids_are_one_finding(root: Path) -> None:
    for number in range(20, 25):
        put(of_cache(root, "com.acme.more"), f"A/{number}.asset", number)
        put(of_cache(root, "com.acme.tools"), f"B/{number}.asset", number)
        put(root, f"Assets/user{number}.asset", number + 100, number)
    assert problems(root) == [
        (
            "Packages/com.acme.tools",
            (
                f"has the GUIDs of 5 assets of Packages/com.acme.more: remove one of the two copies; {TAKEN};"
                " used by Assets/user20.asset, Assets/user21.asset, Assets/user22.asset and 2 more"
            ),
        )
    ]


def test_a_package_twice_is_one_finding_and_another_file_its_own(root: Path) -> None:
    for number in range(20, 25):
        put(of_cache(root, "com.acme.tools"), f"A/{number}.asset", number)
        put(root, f"Assets/Plugins/Tools/A/{number}.asset", number)
    put(of_cache(root, "com.acme.tools"), "alone.asset", 40)
    put(root, "Assets/Art/renamed.asset", 40)
    assert problems(root) == [
        (
            "Assets/Plugins/Tools",
            (
                f"has the GUIDs of 5 assets of Packages/com.acme.tools: remove one of the two copies; {TAKEN};"
                " nothing refers to it"
            ),
        ),
        (
            "Assets/Art/renamed.asset",
            f"has the GUID {guid(40)} of Packages/com.acme.tools/alone.asset; {TAKEN}; nothing refers to it",
        ),
    ]


def test_an_embedded_package_and_one_of_the_cache(root: Path) -> None:
    (root / "Packages/com.acme.fork").mkdir()
    (root / "Packages/com.acme.fork/package.json").write_text('{"name": "com.acme.fork", "version": "1.0.0"}')
    for number in (20, 21):
        put(of_cache(root, "com.acme.tools"), f"A/{number}.asset", number)
        put(root, f"Packages/com.acme.fork/Moved/{number}.asset", number)
    (path, message), *others = problems(root)
    assert (path, others) == ("Packages/com.acme.fork", [])
    assert message.startswith("has the GUIDs of 2 assets of Packages/com.acme.tools: remove one of the two copies;")


def test_two_assets_of_one_package_are_its_own_affair(root: Path) -> None:
    put(of_cache(root, "com.acme.tools"), "A/one.asset", 20)
    put(of_cache(root, "com.acme.tools"), "B/two.asset", 20)
    assert problems(root) == []


def test_a_package_that_is_no_longer_required_shares_nothing(root: Path) -> None:
    put(of_cache(root, "com.acme.more"), "A/one.asset", 20)
    put(of_cache(root, "com.acme.tools"), "B/two.asset", 20)
    assert len(problems(root)) == 1
    depend(root, com_acme_tools="1.0.0")
    assert problems(root) == []


def test_check_reports_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (20, 21):
        put(of_cache(root, "com.acme.more"), f"{number}.asset", number)
        put(of_cache(root, "com.acme.tools"), f"{number}.asset", number)
    assert main(["check", "--project", str(root), "--select", "guid-in-package", "--json"]) == 1
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["path"], row["code"]) == ("Packages/com.acme.tools", "guid-in-package")
    assert row["message"].startswith(
        "has the GUIDs of 2 assets of Packages/com.acme.more: remove one of the two copies;"
    )


def duplicates(*owners: tuple[str, ...]) -> list[Diagnostic]:
    """Return the diagnostics of GUIDs with several owners each."""
    return [
        Diagnostic("duplicate-guid", path, 0, f"has the GUID {guid(number)} of {' and '.join(set(paths) - {path})}")
        for number, paths in enumerate(owners)
        for path in paths
    ]


TOOLS = "Packages/com.acme.tools"


def test_a_copy_of_an_embedded_package_is_one() -> None:
    pairs = [(f"Assets/Lib/Tools/{name}", f"{TOOLS}/{name}") for name in ("A.cs", "Runtime/", "Runtime/B.cs")]
    *copied, x, y = duplicates(*pairs, ("Assets/x.mat", "Assets/y.mat"))
    found = list(with_copies([*copied, x, y]))
    said = f"has the GUIDs of 3 assets of {TOOLS}: remove one of the two copies"
    assert found == [x, y, Diagnostic("guid-in-package", "Assets/Lib/Tools", 0, said)]


@pytest.mark.parametrize(
    "owners",
    [
        [("Assets/A.cs", f"{TOOLS}/A.cs")],  # one file
        [("Assets/One/A.cs", f"{TOOLS}/A.cs"), ("Assets/Two/B.cs", f"{TOOLS}/B.cs")],  # of two folders
        [("Assets/T/A.cs", f"{TOOLS}/A.cs", "Assets/U/A.cs"), ("Assets/T/B.cs", f"{TOOLS}/B.cs", "Assets/U/B.cs")],
        [("Packages/com.acme.more/A.cs", f"{TOOLS}/A.cs"), ("Packages/com.acme.more/B.cs", f"{TOOLS}/B.cs")],
        [("Assets/T/A.cs", "Assets/U/A.cs"), ("Assets/T/B.cs", "Assets/U/B.cs")],
    ],
)
def test_other_duplicates_stay(owners: list[tuple[str, ...]]) -> None:
    rows = duplicates(*owners)
    assert list(with_copies(rows)) == rows


def test_a_check_says_a_copy_of_an_embedded_package_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / TOOLS).mkdir(parents=True)
    (root / TOOLS / "package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    for number, name in ((40, "A.asset"), (41, "B.asset")):
        put(root / TOOLS, name, number)
        put(root, f"Assets/Copy/{name}", number)
    assert main(["check", "--json", "--select", "duplicate-guid,guid-in-package", "--project", str(root)]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["code"], row["path"], row["fixable"]) for row in rows] == [("guid-in-package", "Assets/Copy", False)]
