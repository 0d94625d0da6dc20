"""Edits since a tree: which files changed, and which inputs may have."""

from __future__ import annotations

import ast
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.memo.edits import Edits, edits_since, joined_uses, packed_tree
from assetdb.memo.file import columns, split_columns
from assetdb.memo.inputs import CONTENT, EXISTENCE, MARKS, READ, REFERENCES, SCRIPTS, TREE, USERS
from assetdb.memo.marks import parts_of_use
from assetdb.memo.memo import memo_of
from assetdb.memo.script_facts import COMPARED, METHODS, SOURCE
from assetdb.query.snapshots.snapshot import open_project
from assetdb.system.identity import RACY
from tests.assetdb.checks.healthy import SCRIPT, make_healthy, put
from tests.assetdb.unity_project import SETTLED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.memo.inputs import Inputs

OWN = "Assets/Scripts/Item.cs"
OTHER = "Assets/Scripts/Other.cs"
SOURCES = Path(__file__).parents[3] / "assetdb"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = make_healthy(tmp_path / "Game", 1)
    put(found, OTHER, "class Other\n{\n    void Open() { }\n}\n", SCRIPT)
    time.sleep(SETTLED)
    return found


@contextmanager
def inputs_of(root: Path) -> Iterator[Inputs]:
    with closing(open_project(str(root))) as project:
        project.refresh()
        memo = memo_of(project)
        yield memo.inputs(project)
        memo.write()


@pytest.fixture
def before(root: Path) -> bytes:
    with inputs_of(root) as inputs:
        assert inputs.value(MARKS, "types")
        packed = packed_tree(inputs)
    assert packed is not None
    return packed


def append(root: Path, text: str, path: str = OTHER) -> None:
    with (root / path).open("a") as file:
        file.write(text)
    time.sleep(SETTLED)


def edits_of(inputs: Inputs, packed: bytes | None) -> Edits:
    found = edits_since(inputs, packed)
    assert found is not None
    return found


def test_nothing_was_edited(root: Path, before: bytes) -> None:
    with inputs_of(root) as inputs:
        found = edits_of(inputs, before)
        assert (found.paths, found.since) == (set(), inputs.value(TREE, ""))
        assert found.is_same((CONTENT, OWN), 5)
        assert not found.is_same((CONTENT, OWN), RACY)


def test_a_comment_changes_a_content_and_no_marks(root: Path, before: bytes) -> None:
    with inputs_of(root) as inputs:
        content, methods = inputs.value(CONTENT, OTHER), inputs.value(METHODS.name, OTHER)
        marks, source = inputs.value(MARKS, "types"), inputs.value(SOURCE.name, OTHER)
    append(root, "// a comment\n")
    with inputs_of(root) as inputs:
        found = edits_of(inputs, before)
        assert found.paths == {OTHER}
        assert found.are_of_scripts
        assert not found.is_same((CONTENT, OTHER), content)
        assert found.is_same((METHODS.name, OTHER), methods)
        assert found.is_same((SOURCE.name, OTHER), source)
        assert found.is_same((MARKS, "types"), "whatever it was")
        assert inputs.value(MARKS, "types") == marks
        for kind, argument in ((READ, ""), (REFERENCES, SCRIPTS), (USERS, "ab"), (EXISTENCE, OWN)):
            assert found.is_same((kind, argument), "whatever it was")


def test_marks_that_changed_are_compared(root: Path, before: bytes) -> None:
    with inputs_of(root) as inputs:
        marks = inputs.value(MARKS, "types")
    append(root, "class More { }\n")
    with inputs_of(root) as inputs:
        found = edits_of(inputs, before)
        assert not found.is_same((MARKS, "types"), marks)
        assert found.is_same((MARKS, "types"), inputs.value(MARKS, "types"))


ASPECTS = ("calls", "conditional", "conflict", "editor", "empty", "namespaces", "types", "uneven", "usings")
OTHER_USES = ("type Item", "type Other", "type More", "type None", "twins Item\0Other", "", "what no version has")


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("// a comment\n", ()),
        ("class More { }\n", ("types", "type More", "twins Item\0Other")),
        ("class Item { }\n", ("types", "type Item", "twins Item\0Other")),
        ("class Other : More { }\n", ("types", "type Other")),
        ("namespace None { }\n", ("namespaces",)),
        ("using UnityEditor;\n", ("usings", "editor")),
        ("{\n", ("uneven",)),
        ('class A { void B() { Resources.Load("a"); } }\n', ("types", "calls", "twins Item\0Other")),
        ("<<<<<<< HEAD\n=======\n>>>>>>> theirs\n", ("conflict",)),
    ],
)
def test_the_uses_of_marks_that_an_edit_may_change(
    root: Path, before: bytes, text: str, changed: tuple[str, ...]
) -> None:
    append(root, text)
    with inputs_of(root) as inputs:
        found = edits_of(inputs, before)
        every = (*ASPECTS, *OTHER_USES)
        kept = {use for use in every if found.is_same((MARKS, use), "whatever it was")}
        lost = {*changed, *([""] if changed else ())}
        assert kept == {*every} - lost


def test_a_type_that_two_edited_files_add_may_have_twins(root: Path, before: bytes) -> None:
    used = joined_uses([(MARKS, part) for part in parts_of_use("twins Item\0Other")])
    append(root, "class More { }\n")
    with inputs_of(root) as inputs:
        assert edits_of(inputs, before).change_none_of(used)
    append(root, "class More { }\n", OWN)
    with inputs_of(root) as inputs:
        assert not edits_of(inputs, before).change_none_of(used)


def test_a_class_without_its_body_is_of_no_use(root: Path) -> None:
    (root / OTHER).write_text("")
    time.sleep(SETTLED)
    with inputs_of(root) as inputs:
        assert inputs.value(MARKS, "empty")
        packed = packed_tree(inputs)
    append(root, "class Other { }\n")
    with inputs_of(root) as inputs:
        found = edits_of(inputs, packed)
        for use, is_same in (("empty", False), (f"empty {OTHER}", False), (f"empty {OWN}", True)):
            assert found.is_same((MARKS, use), "whatever it was") is is_same
            assert found.change_none_of(joined_uses([(MARKS, use)])) is is_same


def test_marks_of_unknown_bytes_are_compared(root: Path, before: bytes) -> None:
    with inputs_of(root) as inputs:
        inputs.facts.add(COMPARED["marks of C#"], OTHER, 1, ())  # of a branch from which the file came back
    append(root, "// a comment\n")
    with inputs_of(root) as inputs:
        found = edits_of(inputs, before)
        assert not found.is_same((MARKS, "types"), "whatever it was")


def test_the_facts_that_a_file_had_twice_have_one_origin(root: Path) -> None:
    origins = []
    for text in ("", "// a comment\n", "class More { }\n", "// another\n"):
        append(root, text)
        with inputs_of(root) as inputs:
            origins.append(inputs.origin_of(SOURCE, OTHER))
    assert origins[0] == origins[1] != origins[2] == origins[3]


def renamed(root: Path) -> None:
    (root / OTHER).rename(root / "Assets/Scripts/Another.cs")


@pytest.mark.parametrize(
    "edit", [lambda root: (root / OTHER).unlink(), renamed, lambda root: put(root, "Assets/N.cs", "", SCRIPT)]
)
def test_other_files_are_no_edit(root: Path, before: bytes, edit: Callable[[Path], object]) -> None:
    edit(root)
    time.sleep(SETTLED)
    with inputs_of(root) as inputs:
        assert edits_since(inputs, before) is None


@pytest.mark.parametrize(
    "path", ["Assets/Scripts/Item.cs.meta", "ProjectSettings/ProjectVersion.txt", "Assets/New.asset"]
)
def test_edits_of_other_files_are_not_of_scripts(root: Path, path: str) -> None:
    if not (root / path).exists():
        put(root, path, "--- !u!114 &1\nMonoBehaviour:\n  m_Name: Icon0\n")
    time.sleep(SETTLED)
    with inputs_of(root) as inputs:
        packed, references = packed_tree(inputs), inputs.value(REFERENCES, SCRIPTS)
    append(root, "\n", path)
    with inputs_of(root) as inputs:
        found = edits_of(inputs, packed)
        assert found.are_of_scripts == (not found.paths)
        assert found.is_same((REFERENCES, SCRIPTS), references)


def test_twenty_files_are_told_apart_and_no_more(root: Path) -> None:
    paths = [f"Assets/Scripts/Own{number}.cs" for number in range(21)]
    for path in paths:
        put(root, path, "class Plain { }\n", SCRIPT)
    time.sleep(SETTLED)
    with inputs_of(root) as inputs:
        packed = packed_tree(inputs)
    for path in paths[:20]:
        with (root / path).open("a") as file:
            file.write("// a comment\n")
    time.sleep(SETTLED)
    with inputs_of(root) as inputs:
        assert edits_of(inputs, packed).paths == set(paths[:20])
    append(root, "// a comment\n", paths[20])
    with inputs_of(root) as inputs:
        assert edits_since(inputs, packed) is None


def test_bytes_that_are_no_tree_are_refused(root: Path, before: bytes) -> None:
    parts = split_columns(before)
    with inputs_of(root) as inputs:
        for wrong in (None, b"", before[:-1], columns(parts[:-1]), columns([parts[0], b"", *parts[2:]])):
            assert edits_since(inputs, wrong) is None
        assert edits_since(inputs, columns([*parts[:2], b"", parts[3]])) is None
        assert not edits_of(inputs, columns([*parts[:3], b""])).are_of_scripts


def test_a_tree_that_may_change_is_not_kept(root: Path) -> None:
    with (root / OTHER).open("a") as file:
        file.write("// a comment\n")
    with inputs_of(root) as inputs:
        assert inputs.tree is not None
        assert (packed_tree(inputs) is None) == inputs.tree.is_racy


def test_all_extractions_that_are_compared_are_listed() -> None:
    written = [
        path
        for path in SOURCES.rglob("*.py")
        for item in ast.walk(ast.parse(path.read_text()))
        if isinstance(item, ast.Call) and any(keyword.arg == "is_compared" for keyword in item.keywords)
    ]
    assert [path.name for path in written] == ["script_facts.py"] * len(COMPARED)
    assert all(each.is_compared for each in COMPARED.values())
