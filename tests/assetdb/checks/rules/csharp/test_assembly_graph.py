"""Assembly definitions as a graph: invalid ones, two of one name, circles."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.csharp.assembly_graph import find_cycles, find_duplicates, find_invalid
from tests.assetdb.checks.healthy import guid_of, put
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
MERGE = '{\n<<<<<<< HEAD\n"name": "A"\n=======\n"name": "B"\n>>>>>>> other\n}\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "Game"


def define(root: Path, path: str, text: str | None = None, **fields: object) -> None:
    document = json.dumps({"name": path, **fields}) if text is None else text
    put(root, f"Assets/{path}", document, "AssemblyDefinitionImporter:\n  userData: \n")


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        ("A.asmdef", "{", "is not JSON"),
        ("A.asmdef", "[]", "is not JSON"),
        ("A.asmdef", "{}", "has no name"),
        ("A.asmdef", '{"name": ""}', "has no name"),
        ("A.asmref", "{", "is not JSON"),
        ("A.ASMDEF", "{", "is not JSON"),
        ("A.asmref", '{"reference": "B"}', ""),
        ("A.asmdef", '{"name": "A"}', ""),
        ("A.asmdef", "", ""),  # empty, a pointer, a merge: each has its own code
        ("A.asmdef", POINTER, ""),
        ("A.asmdef", MERGE, ""),
        ("A.json", "{", ""),
    ],
)
def test_an_invalid_definition_is_a_finding_with_the_reason(root: Path, path: str, text: str, why: str) -> None:
    define(root, path, text)
    found = found_by(find_invalid, root)
    expected = [(f"Assets/{path}", f"{why}: Unity compiles no script below it", guid_of(f"Assets/{path}"))]
    assert [(row.path, row.message, row.asset) for row in found] == expected * bool(why)
    assert all(row.code == "asmdef-invalid" for row in found)


def test_definitions_of_one_name_each_name_the_others_whatever_their_case(root: Path) -> None:
    for folder, name in (("One", "Game"), ("Two", "game"), ("Three", "Other"), ("Four", "GAME")):
        define(root, f"{folder}/It.asmdef", name=name)
    assert {row.path: row.message for row in found_by(find_duplicates, root)} == {
        "Assets/One/It.asmdef": "another assembly is called Game, too: Assets/Four/It.asmdef, Assets/Two/It.asmdef",
        "Assets/Two/It.asmdef": "another assembly is called game, too: Assets/Four/It.asmdef, Assets/One/It.asmdef",
        "Assets/Four/It.asmdef": "another assembly is called GAME, too: Assets/One/It.asmdef, Assets/Two/It.asmdef",
    }


def test_of_many_others_of_one_name_eight_are_named(root: Path) -> None:
    for number in range(10):
        define(root, f"{number}/It.asmdef", name="Same")
    found = found_by(find_duplicates, root)
    assert len(found) == 10
    assert all(row.message.count("Assets/") == 8 and row.code == "asmdef-duplicate" for row in found)


def test_a_folder_has_one_file_that_says_its_assembly(root: Path) -> None:
    define(root, "One/A.asmdef", name="A")
    define(root, "One/Deeper/B.asmdef", name="B")
    define(root, "Two/C.asmref", reference="A")
    assert found_by(find_duplicates, root) == []
    define(root, "One/D.asmdef", name="D")
    define(root, "Two/E.asmdef", name="E")
    said = "its folder has another file that says its assembly: "
    assert {row.path: row.message for row in found_by(find_duplicates, root)} == {
        "Assets/One/A.asmdef": f"{said}D.asmdef",
        "Assets/One/D.asmdef": f"{said}A.asmdef",
        "Assets/Two/C.asmref": f"{said}E.asmdef",
        "Assets/Two/E.asmdef": f"{said}C.asmref",
    }


def test_a_circle_is_found_by_names_and_by_guids_and_listed_at_each_of_its_definitions(root: Path) -> None:
    define(root, "B.asmdef", name="B", references=[f"GUID:{guid_of('Assets/A.asmdef')}", "Elsewhere"])
    define(root, "A.asmdef", name="A", references=["b"])
    define(root, "Into.asmdef", name="Into", references=["A"])
    define(root, "Leaf.asmdef", name="Leaf")
    message = "assemblies refer to each other in a circle: A, B"
    assert [(row.code, row.path, row.message, row.asset) for row in found_by(find_cycles, root)] == [
        ("asmdef-cycle", f"Assets/{name}.asmdef", message, guid_of(f"Assets/{name}.asmdef")) for name in "AB"
    ]


def test_a_definition_that_refers_to_itself_is_a_circle_of_one(root: Path) -> None:
    define(root, "A.asmdef", name="A", references=["A"])
    (found,) = found_by(find_cycles, root)
    assert found.message == "assemblies refer to each other in a circle: A"


@pytest.mark.parametrize(("count", "end"), [(8, "H"), (9, "H and 1 more")])
def test_of_a_long_circle_eight_names_are_listed(root: Path, count: int, end: str) -> None:
    names = "ABCDEFGHI"[:count]
    for number, name in enumerate(names):
        define(root, f"{name}.asmdef", name=name, references=[names[(number + 1) % count]])
    found = found_by(find_cycles, root)
    assert len(found) == count
    assert {row.message for row in found} == {f"assemblies refer to each other in a circle: A, B, C, D, E, F, G, {end}"}


@pytest.mark.parametrize(
    ("references", "twice"),
    [
        (["A", "A"], "A"),
        (["A", "a"], ""),
        ([f"GUID:{guid_of('Assets/A.asmdef')}", "A"], "A"),
        (["A", f"GUID:{guid_of('Assets/A.asmdef').upper()}"], "A"),
        ([f"GUID:{'0' * 32}", f"guid:{'0' * 32}"], f"guid:{'0' * 32}"),
        (["A", f"GUID:{guid_of('Assets/C.asmdef')}"], ""),
        (["", ""], ""),
        (["A", "Elsewhere"], ""),
    ],
)
def test_an_assembly_that_is_referred_to_twice(root: Path, references: list[str], twice: str) -> None:
    define(root, "A.asmdef", name="A")
    define(root, "C.asmdef", name="C")
    define(root, "B.asmdef", name="B", references=references)
    found = [(row.path, row.message) for row in found_by(find_invalid, root)]
    message = f"refers to {twice} twice: Unity compiles no script below it"
    assert found == ([("Assets/B.asmdef", message)] if twice else [])


def test_two_definitions_of_one_name_name_each_other(root: Path) -> None:
    for folder, name in (("One", "Game"), ("Two", "Game"), ("Three", "Other")):
        define(root, f"{folder}/It.asmdef", name=name)
    assert {row.path for row in found_by(find_duplicates, root)} == {"Assets/One/It.asmdef", "Assets/Two/It.asmdef"}
