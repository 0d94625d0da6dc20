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


STREAM = ("unsigned int offset", "unsigned int size", "string path", " Array Array!", "  int size", "  char data")


def streamed(type_name: str, *lines: str) -> str | None:
    return program_text(
        ("Texture Base", f" {type_name} stream", *(f"  {line}" for line in lines), " PPtr<Object> p", *POINTER)
    )


POINTER = ("  int m_FileID", "  SInt64 m_PathID")


def test_streamed_data_are_known_by_their_class_and_layout() -> None:
    wide = ("UInt64 offset", *STREAM[1:])
    resource = (*(line.replace("path", "m_Source") for line in STREAM[2:]), "FileSize m_Offset", "UInt64 m_Size")
    assert streamed("StreamingInfo", *STREAM) == "rp"
    assert streamed("StreamingInfo", *wide) == "Rp"
    assert streamed("StreamedResource", *resource) == "qp"
    # Another class of the same fields, and the same class of others, are fields as any other.
    assert streamed("Other", *STREAM) == streamed("StreamedResource", *STREAM) == "8sap"
    assert streamed("Other", *resource) == streamed("StreamingInfo", *resource) == "sa16p"
    assert streamed("StreamingInfo", *STREAM[:2]) == "8p"


def test_a_whole_program_goes_on_to_the_end_of_the_object() -> None:
    lines = ("Thing Base", " string m_Name", " UInt8 last!")
    assert program_of(make_plan(tree(lines))) == "n"
    assert program_of(make_plan(tree(lines)), whole=True) == "n1ae"
    data = pack("<i", 1) + b"x\7"
    assert skim(compile_program("n1ae"), data).name == "x"
    with pytest.raises(UnityFSError, match="1 bytes are left") as caught:
        skim(compile_program("n1e"), data + b"?", base=100)
    assert (caught.value.offset, caught.value.field) == (106, "references")


def test_the_name_of_a_shader_is_in_its_form() -> None:
    lines = (
        "Shader Base",
        " string m_Name",
        " SerializedShader m_ParsedForm",
        "  string m_Name",
        "  string m_CustomEditorName",
        "  Pass pass",
        "   string m_Name",
        "   PPtr<Object> p",
        *(f"  {line}" for line in POINTER),
    )
    assert program_text(lines) == "nnssp"
    data = pack("<i", 0) + pack("<i", 1) + b"S" + pack("<iiiq", 0, 0, 0, 0)
    assert skim(compile_program("nnssp"), data).name == "S"


def test_runs_of_bytes_are_added_up_and_what_is_behind_the_last_wanted_thing_is_left_out() -> None:
    before = (" int a", " SInt64 b", " UInt8 c!", " short d")
    assert program_text(("T Base", *before, " PPtr<Object> p", *POINTER, " int after")) == "13a2p"
    wanted = (" vector v", "  Array Array", "   int size", "   Row data", "    int x", "    PPtr<Object> p")
    assert program_text(("T Base", *wanted, *(f"   {line}" for line in POINTER), " int after")) == "[4p]"
    numbers = (" vector v", "  Array Array", "   int size", "   double data")
    assert program_text(("T Base", *numbers, " PPtr<Object> p", *POINTER)) == "[8]ap"


def test_alignment_that_is_known_beforehand_is_bytes_to_step_over() -> None:
    for text, expected in (
        ("1ap", "4p"),
        ("4ap", "4p"),
        ("3a1ap", "8p"),
        ("n1ap", "n1ap"),  # where a name ends is not known
        ("p1ap", "p4p"),
        ("[p]1ap", "[p]4p"),
        ("[1]1ap", "[1]1ap"),
        ("[p4]ap", "[p4]p"),
        ("[1a]p", "[1a]p"),
    ):
        assert compile_program(text).ops == compile_program(expected).ops, text
    # In an array the phase is known only where each element is a multiple of 4.
    assert compile_program("[4p4a]").ops == compile_program("[4p4]").ops
    assert compile_program("[1p3a]").ops == compile_program("[1p3]").ops
    assert compile_program("[1p]").ops != compile_program("[1pa]").ops


def test_a_program_of_100000_characters_is_the_longest() -> None:
    assert len(compile_program("n" * 100_000).ops) == 100_000
    with pytest.raises(UnityFSError, match="no program: 'nnnn") as caught:
        compile_program("n" * 100_001)
    assert caught.value.field == "program"
    for text, what in (
        ("p]", "an array ends that did not begin"),
        ("[p", "an array does not end"),
        ("[e]", "an object ends in an array"),
    ):
        with pytest.raises(UnityFSError, match=what):
            compile_program(text)


def test_references_of_an_array_are_those_that_are_not_null_with_their_places() -> None:
    rows = pack("<i", 2) + pack("<iqi", 1, 7, 9) + pack("<iqi", 2, 0, 9)
    found = skim(compile_program("[p4]"), rows)
    assert (found.pointers, found.places) == ([(1, 7)], [4])
    mixed = pack("<i", 2) + pack("<iiiqi", 1, 5, 2, 6, 0) + pack("<iiiqi", 3, 7, 4, 8, 0)
    found = skim(compile_program("[op4]"), mixed)
    assert (found.pointers, found.places) == ([(1, 5), (2, 6), (3, 7), (4, 8)], [4, 12, 28, 36])
    assert skim(compile_program("o"), pack("<ii", 1, 0)).pointers == []


def test_each_read_is_bounded_by_the_object_at_its_place() -> None:
    for text, data, what, offset in (
        ("5p", bytes(4), "needs 5 bytes, 0 are left", 5),
        ("p", bytes(11), "needs 12 bytes, 11 are left", 0),
        ("4o", bytes(11), "needs 8 bytes, 7 are left", 4),
        ("n", bytes(3), "needs 4 bytes, 3 are left", 0),
        ("n", pack("<i", 2) + b"x", "counts 2 items of 1 bytes, 1 bytes are left", 0),
        ("4[p]", bytes(4) + pack("<i", 2) + bytes(23), "counts 2 items of 12 bytes, 23 bytes are left", 4),
        ("[sp]", pack("<i", 2) + bytes(31), "counts 2 items of 16 bytes, 31 bytes are left", 0),
        ("[rp]", pack("<i", 1) + bytes(23), "counts 1 items of 24 bytes, 23 bytes are left", 0),
        ("[Rp]", pack("<i", 1) + bytes(27), "counts 1 items of 28 bytes, 27 bytes are left", 0),
        ("[qp]", pack("<i", 1) + bytes(31), "counts 1 items of 32 bytes, 31 bytes are left", 0),
    ):
        with pytest.raises(UnityFSError) as caught:
            skim(compile_program(text), data, base=100)
        assert (caught.value.what, caught.value.offset, caught.value.field) == (what, 100 + offset, "references"), text


def test_streams_without_a_size_or_a_path_are_none() -> None:
    for numbers, path, expected in (
        ((3, 4), b"a.r", [(Streamed("a.r", 3, 4), 0, 15 + 1)]),
        ((3, 0), b"a.r", []),
        ((3, 4), b"", []),
    ):
        data = pack("<IIi", *numbers, len(path)) + path + bytes(-len(path) % 4)
        assert skim(compile_program("r"), data).streams == expected
    wrong = pack("<IIi", 3, 4, 4) + b"a.r"
    with pytest.raises(UnityFSError, match="needs 12 bytes, 15 are left"):
        skim(compile_program("r"), wrong)
