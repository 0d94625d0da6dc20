"""``link.xml``: what is no XML, what has no name, and types that no script declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.csharp.linker import find_faults, read_linker_file
from tests.assetdb.checks.healthy import SCRIPT, make_healthy, put
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

FILE = "Assets/Own/link.xml"
SOURCE = (
    "namespace Studio { class Goal { class Step {} } class List<T> {} delegate void Scored(int by); }\nclass Plain {}\n"
)


def linker(*elements: str) -> bytes:
    return "\n".join(("<linker>", *elements, "</linker>")).encode()


def kept(name: str, assembly: str = 'fullname="Game"', more: str = "") -> bytes:
    return linker(f"<assembly {assembly}>", f'<type fullname="{name}" preserve="all" {more}/>', "</assembly>")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = make_healthy(tmp_path / "Game", 1)
    put(found, "Assets/Scripts/Goal.cs", SOURCE, SCRIPT)
    return found


def said(root: Path, data: bytes, path: str = FILE) -> list[tuple[int, str]]:
    put(root, path, data)
    return [(row.line, row.message) for row in found_by(find_faults, root)]


@pytest.mark.parametrize(
    ("name", "is_lost"),
    [
        ("Studio.Goal", False),
        ("Studio.Goal/Step", False),
        ("Studio.Goal+Step", False),
        ("Plain", False),
        ("Studio.List`1", False),
        ("Studio.Gone`1", False),  # how many parameters a type has is not judged
        ("Studio.Scored", False),
        ("Studio.Gone, Game", False),  # a name with its assembly
        ("Studio.*", False),
        ("Gone*", False),
        ("Studio.Goals", True),
        ("Studio.Goal/Stop", True),
        ("Old.Goal", True),
        ("Goal", True),
        ("Studio.Plain", True),
    ],
)
def test_a_type_that_no_script_declares_is_told_at_its_line(root: Path, name: str, *, is_lost: bool) -> None:
    expected = [(3, f"keeps the type {name}, which no script of Game declares")] if is_lost else []
    assert said(root, kept(name)) == expected


@pytest.mark.parametrize(
    ("assembly", "more"),
    [
        ('fullname="UnityEngine"', ""),
        ('fullname="Vendor" ignoreIfMissing="1"', ""),
        ('fullname="Assembly-CSharp"', ""),  # the project has no such script
        ('fullname="Game" ignoreIfMissing="1"', ""),
        ('fullname="Game" ignoreIfUnreferenced="1"', ""),
        ('fullname="Game" feature="com"', ""),
        ('fullname="Game"', 'feature="com"'),
    ],
)
def test_only_what_every_build_has_to_keep_is_judged(root: Path, assembly: str, more: str) -> None:
    assert said(root, kept("Studio.Gone", assembly, more)) == []


def test_an_assembly_has_a_version_and_a_type_a_short_name(root: Path) -> None:
    assert len(said(root, kept("Studio.Gone", 'fullname="Game, Version=0.0.0.0"'))) == 1
    assert len(said(root, kept("Studio.Gone", 'name="Game"'))) == 1


@pytest.mark.parametrize("path", ["Assets/linker.xml", "Assets/My.link.xml", "Packages/com.own/link.xml"])
def test_other_files_are_not_for_the_linker(root: Path, path: str) -> None:
    assert said(root, kept("Studio.Gone"), path) == []


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"<linker>\n<assembly></assembly>\n</linker>", 2, "has an element 'assembly' without a name"),
        (b'<linker>\n<assembly fullname=" "/></linker>', 2, "has an element 'assembly' without a name"),
        (linker('<assembly fullname="Game">', "<type/>", "</assembly>"), 3, "has an element 'type' without a name"),
        (b"<!-- old -->\n<Linker/>", 2, "begins with the element 'Linker', not 'linker'"),
        (b"<linker>\n<assembly fullname=A/></linker>", 2, "is not XML: not well-formed (invalid token)"),
        (b"<linker>\n\n", 3, "is not XML: no element found"),
        (b"<linker></linker>\n<linker/>", 2, "is not XML: junk after document element"),
        (b"\n<?xml version='1.0'?><linker/>", 2, "is not XML: XML or text declaration not at start of entity"),
        (b"keep everything", 1, "is not XML: syntax error"),
    ],
)
def test_a_file_that_the_linker_cannot_read_is_told(root: Path, data: bytes, line: int, message: str) -> None:
    assert said(root, data) == [(line, message)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" \n",
        b"<linker/>",
        "\ufeff<linker/>".encode(),
        "<linker/>".encode("utf-16"),
        b'<?xml version="1.0" encoding="windows-1252"?><linker/>',
        b'<?xml version="1.0" encoding="of-nothing"?><linker/>',
        b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d7a" * 16 + b"\nsize 12345\n",
        b"<linker>\n<<<<<<< HEAD\n=======\n>>>>>>> theirs\n</linker>",
        b'<!DOCTYPE linker [<!ENTITY a "b">]><linker>&a;</linker>',
        b'<!DOCTYPE linker SYSTEM "file:///etc/passwd"><linker>',
        b"<linker>" + b" " * (1 << 20),
    ],
)
def test_what_is_whole_elsewhere_or_of_a_document_type_is_not_judged(data: bytes) -> None:
    assert read_linker_file(data) == ()


def test_entities_and_depth_cost_nothing() -> None:
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (number + 1, b"&l%d;" % number * 10) for number in range(9))
    assert read_linker_file(b'<!DOCTYPE l [<!ENTITY l0 "ha">' + laughs + b"]><linker>&l9;</linker>") == ()
    deep = b"<a>" * 100_000 + b"</a>" * 100_000
    assert read_linker_file(b"<linker>" + deep + b"</linker>") == ()
    assert [row.fault for row in read_linker_file(deep)] == ["begins with the element 'a', not 'linker'"]


def test_assemblies_of_empty_scripts_are_not_judged(root: Path) -> None:
    put(root, "Assets/Scripts/Empty.cs", "", SCRIPT)
    assert said(root, kept("Studio.Gone")) == []


@pytest.mark.parametrize(
    ("name", "is_lost"),
    [
        ("Vendor", True),
        ("Vendor, Version=1.0.0.0", True),
        ("Game.Dta", True),
        ("game.data", False),
        ("Game", False),
        ("Plugin", False),  # of a DLL
        ("Twin", False),  # of a definition with the GUID of another
        ("*", False),
        ("Vendor.*", False),
        *((name, False) for name in ("UnityEngine.CoreModule", "System.Xml", "mscorlib", "Assembly-CSharp-firstpass")),
    ],
)
def test_an_assembly_that_nothing_has(root: Path, name: str, is_lost: bool) -> None:  # noqa: FBT001 - a row
    put(root, "Assets/Lib/Plugin.DLL", b"MZ", "PluginImporter:\n  userData: \n")
    put(root, "Assets/Twin/Twin.asmdef", '{"name": "Twin"}')
    (root / "Assets/Twin/Twin.asmdef.meta").write_text((root / "Assets/Data/Game.Data.asmdef.meta").read_text())
    found = said(root, linker(f'<assembly fullname="{name}" preserve="all"/>'))
    meant = name.partition(",")[0]
    why = f"keeps the assembly {meant}: nothing has that name, and a build fails without ignoreIfMissing"
    assert found == [(2, why)] * is_lost


@pytest.mark.parametrize(
    ("listed", "folder"),
    [
        ("Assets/packages.config", "Assets/Packages"),
        ("Packages/nuget-packages/packages.config", "Packages/nuget-packages/InstalledPackages"),
    ],
)
def test_nuget_restores_assemblies_that_git_has_not(root: Path, listed: str, folder: str) -> None:
    data = linker('<assembly fullname="Vendor"/>')
    put(root, listed, '<packages><package id="Vendor" version="1.0.0"/></packages>')
    assert said(root, data) == []
    (root / folder).mkdir()
    assert len(said(root, data)) == 1


def test_nothing_is_said_of_assemblies_while_a_package_or_a_definition_is_unknown(root: Path) -> None:
    data = linker('<assembly fullname="Vendor"/>')
    definition = root / "Assets/Data/Game.Data.asmdef"
    text = definition.read_text()
    definition.write_text("{")
    assert said(root, data) == []
    definition.write_text(text)
    (root / "Packages/manifest.json").write_text('{"dependencies": {"com.acme.vendor": "1.0.0"}}')
    (root / "Packages/packages-lock.json").unlink()
    assert said(root, data) == []
