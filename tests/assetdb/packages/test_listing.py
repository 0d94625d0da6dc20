"""The list of packages: written, read again, and stamped."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.diagnostics import Diagnostic, encode
from assetdb.packages.external import package_rows
from assetdb.packages.listing import (
    CACHE,
    FIELD,
    LIST_NAME,
    MAGIC,
    NO_PACKAGES,
    PackageList,
    PackageRow,
    are_same,
    cache_of,
    read_list,
    stamps_of,
)
from assetdb.store.files import PACKAGES_FOLDER, SCHEMA
from assetdb.system.identity import DEFAULT, MINIMAL
from assetdb.system.mirrors import announce, forget
from assetdb.version import VERSION
from tests.assetdb.packages.packages_project import cached, depend, make_root

if TYPE_CHECKING:
    from pathlib import Path

TOOLS = PackageRow("com.acme.tools", "1.2.3", "/p/Library/PackageCache/com.acme.tools@1.2.3", immutable=True)
LOCAL = PackageRow("com.acme.local", "", "/elsewhere", immutable=False)
ABSENT = PackageRow("com.acme.absent", "2.0.0", "", immutable=False)
PROBLEM = Diagnostic("guid-in-package", "Assets/a", 0, "has it")


def written(folder: Path, lines: list[str], problems: bytes = b"") -> PackageList:
    (folder / PACKAGES_FOLDER).mkdir(exist_ok=True)
    (folder / PACKAGES_FOLDER / LIST_NAME).write_bytes("\n".join(lines).encode() + b"\n" + problems)
    return read_list(str(folder))


def line(row: PackageRow) -> str:
    return FIELD.join((row.name, row.version, row.folder, "1" if row.immutable else "0", "1" if row.exact else "0"))


HEAD = [f"{MAGIC} {VERSION} {SCHEMA}", "default/1/2", "3 4", "/p", "", "", "0"]


def test_what_was_written_is_read(tmp_path: Path) -> None:
    found = written(tmp_path, [*HEAD, "2", line(TOOLS), line(LOCAL)], encode([PROBLEM]))
    assert found == PackageList("default/1/2", "3 4", (TOOLS, LOCAL), (PROBLEM,), "/p")
    assert written(tmp_path, [*HEAD, "0"]) == PackageList("default/1/2", "3 4", (), (), "/p")
    own = f"com.acme.a{FIELD}1.0.0\x1ecom.acme.b{FIELD}"
    required = [*HEAD[:4], own, "com.acme.a\x1ecom.acme.c", "1", "1", line(TOOLS._replace(exact=True))]
    found = written(tmp_path, required)
    assert found.versions == {"com.acme.tools": "1.2.3", "com.acme.a": "1.0.0", "com.acme.b": ""}
    assert (found.unknown, found.is_closed) == (("com.acme.a", "com.acme.c"), True)
    assert found.here == {"com.acme.tools", "com.acme.a", "com.acme.b"}
    assert found.missing, "what two of the packages need is not known"


@pytest.mark.parametrize(
    ("lines", "problems"),
    [
        ([], b""),
        ([f"{MAGIC} 0.0 {SCHEMA}", *HEAD[1:], "0"], b""),
        ([f"{MAGIC} {VERSION} {SCHEMA + 1}", *HEAD[1:], "0"], b""),
        ([*HEAD, "x"], b""),
        ([*HEAD, "-1"], b""),
        ([*HEAD, "2", line(TOOLS)], b""),
        ([*HEAD, "1", "com.acme.tools"], b""),
        ([*HEAD, "1", line(TOOLS) + FIELD], b""),
        ([*HEAD, "0"], b"no problem"),
        ([*HEAD[:4], "com.acme.a", *HEAD[5:], "0"], b""),
        (HEAD, b""),
    ],
)
def test_what_is_no_list_has_no_packages(tmp_path: Path, lines: list[str], problems: bytes) -> None:
    assert written(tmp_path, lines, problems) is NO_PACKAGES


def test_an_absent_list_has_no_packages(tmp_path: Path) -> None:
    assert read_list(str(tmp_path)) is NO_PACKAGES
    (tmp_path / PACKAGES_FOLDER / LIST_NAME).mkdir(parents=True)
    assert read_list(str(tmp_path)) is NO_PACKAGES


def test_a_package_has_a_label_and_a_place_in_the_project() -> None:
    assert (TOOLS.label, LOCAL.label) == ("com.acme.tools@1.2.3", "com.acme.local")
    inside = TOOLS._replace(folder=os.path.join("/p", "x"))
    assert inside.within("/p").folder == "x"
    assert inside.within("/other").folder == inside.folder


def test_absent_packages_may_have_unknown_files() -> None:
    known = PackageRow("com.unity.ugui", "1.0.0", "", immutable=False)
    cut = Diagnostic("package-too-large", "Packages/com.acme.local", 0, "has more")
    assert PackageList("", "", (TOOLS, LOCAL, known), ()).absent == ()
    assert PackageList("", "", (TOOLS, LOCAL, known), ()).missing == ""
    whole = PackageList("", "", (TOOLS, LOCAL, ABSENT, known), (cut, PROBLEM))
    assert whole.absent == (LOCAL, ABSENT)
    assert whole.missing


def test_stamps_change_with_lists_and_folders_of_packages(tmp_path: Path) -> None:
    root = make_root(tmp_path / "P")
    stamps = [stamps_of(str(root), DEFAULT)]
    assert stamps[0] == "default/-/-///-"
    depend(root, com_acme_tools="1.0.0")
    stamps.append(stamps_of(str(root), DEFAULT))
    cached(root)
    stamps.append(stamps_of(str(root), DEFAULT))
    assert stamps[2].endswith("/com.acme.tools@1.0.0")
    cached(root, version="2.0.0")
    (root / "Packages/packages-lock.json").write_text("{}")
    stamps.append(stamps_of(str(root), DEFAULT))
    (root / "Packages/Own").mkdir()
    assert stamps_of(str(root), DEFAULT) == stamps[3]  # no package yet
    (root / "Packages/Own/package.json").write_text("{}")
    stamps.append(stamps_of(str(root), DEFAULT))
    assert len(set(stamps)) == 5
    assert [are_same(str(root), each) for each in stamps] == [False, False, False, False, True]
    assert are_same(str(root), stamps_of(str(root), MINIMAL))
    assert not are_same(str(root), "")
    assert not are_same(str(root), stamps[3].replace("default", "other"))


def test_a_mirror_without_links_has_the_packages_of_its_tree(tmp_path: Path) -> None:
    root, mirror = make_root(tmp_path / "P"), make_root(tmp_path / "M")
    depend(root, com_acme_tools="1.0.0")
    depend(mirror, com_acme_tools="1.0.0")
    assert cache_of(str(mirror)) == str(mirror / CACHE)
    announce(str(mirror), str(root))
    try:
        assert cache_of(str(mirror)) == str(root / CACHE)
        cached(root)
        assert stamps_of(str(mirror), DEFAULT).endswith("/com.acme.tools@1.0.0")
        (row,) = package_rows(str(mirror))
        assert (row.folder, row.immutable) == (str(root / CACHE / "com.acme.tools@1.0.0"), True)
        cached(mirror)
        assert cache_of(str(mirror)) == str(mirror / CACHE)
    finally:
        forget(str(mirror))


def test_a_clone_has_other_times_and_the_same_packages() -> None:
    folder = os.path.join("/one", "x")
    here = PackageList("default/1/2/o 3/a@1 5/a@1", "1 2 3 4 5 6", (TOOLS._replace(folder=folder),), (PROBLEM,))
    other = os.path.join("/two", "x")
    there = PackageList("default/8/9/o 4/a@1 6/a@1", "1 2 3 4 7 8", (TOOLS._replace(folder=other),), (PROBLEM,))
    assert here.of_any_clone("/one") == there.of_any_clone("/two")
    assert here.of_any_clone("/one") != there._replace(stamps="default/8/9/o 4/a@1 6/b@1").of_any_clone("/two")
    assert here.content == here._replace(stamps="default/8/9/o 4/a@1 6/a@1", files="1 2 3 4 7 8").content
    assert here.content != there.content
    assert here.content != here._replace(files="1 2 3 9 5 6").content
