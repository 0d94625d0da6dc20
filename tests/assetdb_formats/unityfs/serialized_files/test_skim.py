"""Skimming: what a program says of an object is what its type tree says, and damaged bytes are typed errors."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unityfs.bundle import Bundle, open_bundle
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.skim import Streamed, compile_program, program_of, skim
from assetdb_formats.unityfs.serialized_files.tree_values import make_plan, references
from assetdb_formats.unityfs.types.layouts import is_known, program_for, release_of
from assetdb_formats.unityfs.types.typetree import TreeNode
from tests.assetdb_formats.unityfs import builder


def tree(lines: tuple[str, ...]) -> tuple[TreeNode, ...]:
    nodes = []
    for line in lines:
        word, _, name = line.strip().rstrip("!").rpartition(" ")
        aligned = line.endswith("!") or word == "Array"
        nodes.append(TreeNode(len(line) - len(line.lstrip()), word, name, -1, aligned))
    return tuple(nodes)


def program_text(lines: tuple[str, ...]) -> str | None:
    return program_of(make_plan(tree(lines)))


def test_a_program_ends_with_the_last_thing_that_is_wanted() -> None:
    assert program_text(builder.TEXT_ASSET_TREE) == "n"
    assert program_text(builder.ASSET_BUNDLE_TREE) == "na[p]a[sa8p]a8p"
    assert program_text(("Light Base", " int m_Type", " float m_Range")) == ""
    # What lies behind [SerializeReference] is described by the data alone.
    assert program_text(builder.SCRIPT_TREE) is None


@pytest.mark.parametrize("name", list(builder.every_kind()))
def test_names_and_references_are_those_of_the_values(name: str) -> None:
    bundle: Bundle = open_bundle(builder.every_kind()[name])
    for found in bundle.objects():
        if not found.file.facts.has_type_trees:
            continue
        item = found.file.skim(found.entry)
        assert item.name == found.name
        expected = [(pointer.file_id, pointer.path_id) for _, pointer in references(found.value())]
        assert item.pointers == expected


@pytest.mark.parametrize("order", ["<", ">"])
def test_every_letter(order: str) -> None:
    data = pack(order + "i", 3) + b"elm\0" + pack(order + "iqii", 1, 7, 0, 0)
    data += pack(order + "i", 2) + pack(order + "iqiq", 2, 8, 0, 0)
    data += pack(order + "i", 2) + (pack(order + "iiqi", 9, 3, 11, 1) + b"x\0\0\0") * 2
    data += pack(order + "IIi", 5, 6, 3) + b"a.r\0" + pack(order + "QIi", 1 << 40, 7, 0)
    data += pack(order + "i", 1) + b"r\0\0\0" + pack(order + "QQ", 16, 17)
    found = skim(compile_program("napo[p][4psa]rRq"), data, order=order)
    assert found.name == "elm"
    assert found.pointers == [(1, 7), (2, 8), (3, 11), (3, 11)]
    assert [data[place : place + 4] for place in found.places] == [pack(order + "i", n) for n in (1, 2, 3, 3)]
    # Streamed data without a path are none.
    assert [stream for stream, _, _ in found.streams] == [Streamed("a.r", 5, 6), Streamed("r", 16, 17)]


@pytest.mark.parametrize("cut", range(60))
def test_bytes_that_end_too_early_are_a_typed_error(cut: int) -> None:
    data = (
        pack("<i", 3) + b"elm\0" + pack("<iq", 1, 7) + pack("<i", 2) + pack("<iqiq", 2, 8, 0, 9) + pack("<QIi", 1, 7, 0)
    )
    program = compile_program("nap[p]R")
    if cut >= len(data):
        assert skim(program, data).pointers == [(1, 7), (2, 8), (0, 9)]
        return
    with pytest.raises(UnityFSError) as error:
        skim(program, data[:cut])
    assert error.value.field


@pytest.mark.parametrize("count", [-1, 1 << 30])
def test_a_count_that_cannot_be_is_a_typed_error(count: int) -> None:
    for text in ("n", "[p]", "[sap]", "[1]p"):
        with pytest.raises(UnityFSError, match="counts"):
            skim(compile_program(text), pack("<i", count) + bytes(400))


@pytest.mark.parametrize("inner", ["[90]", "[90p]", "[90sp]"])
def test_an_element_may_hold_arrays_that_are_empty(inner: str) -> None:
    found = skim(compile_program(f"[4{inner}{inner}p]"), pack("<i", 2) + pack("<iiiiq", 5, 0, 0, 1, 7) * 2)
    assert found.pointers == [(1, 7), (1, 7)]


@pytest.mark.parametrize("text", ["[p", "p]", "x", "n" * 100_001])
def test_what_is_no_program(text: str) -> None:
    with pytest.raises(UnityFSError):
        compile_program(text)


def test_depth_of_data_is_no_depth_of_recursion() -> None:
    depth = 3000
    found = skim(compile_program("[" * depth + "sp" + "]" * depth), pack("<i", 1) * depth + pack("<iiq", 0, 1, 7))
    assert found.pointers == [(1, 7)]


def test_a_release_is_the_last_one_that_changed_the_class() -> None:
    assert release_of("2017.2.0f3") == (2017, 2, 0, "f", 3)
    assert release_of("2022.3.10f1c1") == (2022, 3, 10, "f", 1)
    assert release_of("0.0.0") is None
    before, after = program_for(23, "2019.2.0f1"), program_for(23, "2019.3.0f1")
    assert before is not None
    assert after is not None
    assert (before.text, after.text) == ("p7a44[p]a4pppa8ap", "p8a44[p]a4pppa8ap")


def test_a_stripped_version_leaves_the_names_that_have_always_begun_an_object() -> None:
    named = program_for(28, "0.0.0")
    assert named is not None
    assert named.text == "n"
    assert program_for(1, "0.0.0") is None  # a GameObject's comes behind its components
    assert program_for(28, "4.6.1f1") is None
    assert not is_known(28, "0.0.0")
    assert is_known(30, "2022.3.1f1")


@pytest.mark.parametrize("name", list(builder.every_kind()))
def test_columns_are_the_rows(name: str) -> None:
    for file in open_bundle(builder.every_kind()[name]).files():
        rows = list(file.facts.objects)
        assert [tuple(column) for column in file.facts.objects.columns()] == [
            tuple(row) for row in zip(*rows, strict=True)
        ]
        for class_id in {row.class_id for row in rows}:
            expected = next(row for row in rows if row.class_id == class_id)
            assert file.facts.objects.first_of_class(class_id) == expected
        assert file.facts.objects.first_of_class(-77) is None
