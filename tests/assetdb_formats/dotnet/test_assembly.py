from __future__ import annotations

import random

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.dotnet.assembly import Assembly, TypeFacts, TypeName
from assetdb_formats.dotnet.signatures import Element
from tests.assetdb_formats.dotnet.assembly_writer import ENGINE, assembly

GAME = assembly(
    "Assembly-CSharp",
    {
        "serializable Game.Item": ("public string name", "private [SerializeField] [HideInInspector] int count"),
        "Game.Item/Inner": ("public ~UnityEngine.Vector3 where",),
        "Game.Bag`1 : UnityEngine.MonoBehaviour": ("public !0 first", "public List<!0> all", "public int[] numbers"),
        "Game.Items : Game.Bag`1<Game.Item>": ("public static int made",),
        "interface Game.Face : -": (),
    },
    {"Game.Gone": "Other"},
)


def found(name: str) -> TypeFacts:
    facts = Assembly(GAME).find("Game", name)
    assert isinstance(facts, TypeFacts)
    return facts


def test_types_are_found_by_namespace_and_name() -> None:
    assert Assembly(GAME).name == "Assembly-CSharp"
    assert found("Item").full_name == "Game.Item"
    assert found("Item/Inner").full_name == "Game.Item/Inner"
    assert Assembly(GAME).find("", "Item") is None
    assert Assembly(GAME).find("Game", "Item/Outer") is None


def test_a_type_that_went_to_another_assembly_is_there() -> None:
    assert Assembly(GAME).find("Game", "Gone") == "Other"


def test_fields_with_their_types_and_attributes() -> None:
    name, count = Assembly(GAME).fields(found("Item"))
    assert (name.name, name.type.element, name.attributes) == ("name", Element.STRING, frozenset())
    assert count.attributes == {"UnityEngine.SerializeField", "UnityEngine.HideInInspector"}
    first, all_of_them, numbers = Assembly(GAME).fields(found("Bag`1"))
    assert (first.type.element, first.type.row) == (Element.VARIABLE, 0)
    assert all_of_them.type.element is Element.GENERIC
    assert [part.element for part in all_of_them.type.arguments] == [Element.VARIABLE]
    assert [part.element for part in numbers.type.arguments] == [Element.I4]


def test_attributes_of_the_assembly_itself_are_told_by_the_owners_of_their_constructors() -> None:
    """A type without methods begins where the next one does: the method is of the last that begins there."""
    marks = {
        "Game.First : System.Attribute": (),
        "Game.Empty": (),
        "Game.Empty/Mark : System.Attribute": (),
        "Game.Last : System.Attribute": (),
        "Game.Behind": (),
        "Game.Item": (
            "public [Game.First] int first",
            "public [Game.Empty/Mark] int mark",
            "public [Game.Last] int last",
            "public [Game.Last] [Game.First] [SerializeField] int several",
            "public int none",
        ),
    }
    read = Assembly(assembly("Marks", marks))
    item = read.find("Game", "Item")
    assert isinstance(item, TypeFacts)
    assert {field.name: set(field.attributes) for field in read.fields(item)} == {
        "first": {"Game.First"},
        "mark": {"Game.Empty/Mark"},
        "last": {"Game.Last"},
        "several": {"Game.Last", "Game.First", "UnityEngine.SerializeField"},
        "none": set(),
    }


def test_a_type_of_the_assembly_and_of_another_are_named_apart() -> None:
    bag = found("Items").base
    assert bag is not None
    assert Assembly(GAME).named(bag.table, bag.row) == TypeName("", "Game", "Bag`1")
    item = found("Item").base
    assert item is not None
    assert Assembly(GAME).named(item.table, item.row) == TypeName("mscorlib", "System", "Object")
    assert TypeName("Other", "", "Item").full_name == "Item"
    assert TypeName("Other", "Game", "Item").full_name == "Game.Item"


def test_only_types_outside_of_others_are_found_by_their_own_name() -> None:
    twice = Assembly(
        assembly("Twice", {"Game.Outer": (), "Game.Outer/Item": (), "Item": (), "Game.Outer/Item/Item": ()})
    )
    for namespace, name, row in (("", "Item", 4), ("Game", "Outer/Item", 3), ("Game", "Outer/Item/Item", 5)):
        facts = twice.find(namespace, name)
        assert isinstance(facts, TypeFacts)
        assert (facts.row, facts.namespace) == (row, namespace)
    assert twice.find("", "Outer") is None
    assert twice.find("Game", "Item") is None


def test_a_nested_type_that_went_to_another_assembly_is_there_with_its_outermost() -> None:
    assert Assembly(GAME).find("Game", "Gone/Inner") == "Other"


def test_what_a_type_extends() -> None:
    base = found("Items").base
    assert base is not None
    assert base.element is Element.GENERIC
    assert Assembly(GAME).named(base.table, base.row).full_name == "Game.Bag`1"
    assert found("Face").base is None


@pytest.mark.parametrize(("data", "what"), [(b"MZ", "points to|needs"), (b"PK\3\4", "does not begin with MZ")])
def test_what_is_no_dll_is_refused(data: bytes, what: str) -> None:
    with pytest.raises(FormatError, match=what):
        Assembly(data)


def test_types_are_not_nested_without_end() -> None:
    def nested(count: int) -> str:
        return "/".join(["Game.T0", *(f"T{number}" for number in range(1, count + 1))])

    deep = Assembly(assembly("Deep", {nested(count): () for count in range(17)}))
    facts = deep.find("Game", nested(15).removeprefix("Game."))
    assert isinstance(facts, TypeFacts)
    assert facts.full_name == nested(15)
    with pytest.raises(FormatError, match="a type in 16 others") as caught:
        deep.find("Game", nested(16).removeprefix("Game."))
    assert caught.value.field == "tables.TypeDef[18]"
    # A type of another assembly, by its name alone, may be one deeper.
    for count in (16, 17):
        far = Assembly(assembly("Far", {f"Game.Heir : Other!{nested(count)}": ()}))
        heir = far.find("Game", "Heir")
        assert isinstance(heir, TypeFacts)
        assert heir.base is not None
        if count == 16:
            assert far.named(heir.base.table, heir.base.row) == TypeName("Other", "Game", nested(16)[5:])
        else:
            with pytest.raises(FormatError, match="a type in 16 others"):
                far.named(heir.base.table, heir.base.row)


def test_a_type_has_its_row_flags_and_fields() -> None:
    item = found("Item")
    assert (item.row, item.namespace, item.name, item.flags) == (2, "Game", "Item", 0x2001)
    assert (item.first_field, item.end_field) == (1, 3)
    face = found("Face")
    assert (face.row, face.first_field, face.end_field) == (6, 8, 8)
    flags = [field.flags for field in Assembly(GAME).fields(item)]
    assert flags == [6, 1]
    with pytest.raises(FormatError, match="row 7 of 6"):
        Assembly(GAME).type(7)


def test_a_file_without_managed_code_is_refused() -> None:
    native = bytearray(GAME)
    at = native.index(b"PE\0\0") + 24 + 96 + 14 * 8
    native[at : at + 8] = bytes(8)
    for data, what in ((bytes(native), "is not a managed DLL"), (b"MY" + GAME[2:], "is not a DLL: it does not begin")):
        with pytest.raises(FormatError) as caught:
            Assembly(data)
        assert caught.value.what.startswith(what)
        assert caught.value.offset == 0


def read_all(data: bytes) -> int:
    """Ask an assembly for everything; return how many fields it has."""
    read = Assembly(data)
    number = 0
    for row in range(1, 64):
        try:
            facts = read.type(row)
        except FormatError as error:
            if "row" in error.what:
                break
            raise
        read.find(facts.namespace, facts.name)
        number += sum(1 for _ in read.fields(facts))
    return number


def test_every_cut_is_read_or_refused() -> None:
    whole = read_all(ENGINE)
    refused = 0
    for size in range(0, len(ENGINE), 7):
        try:
            assert read_all(ENGINE[:size]) <= whole
        except FormatError:
            refused += 1
    assert refused > len(ENGINE) // 14


@pytest.mark.parametrize("seed", range(4))
def test_mutations_are_read_or_refused(seed: int) -> None:
    source = random.Random(seed)
    outcomes = set()
    for _ in range(400):
        changed = bytearray(GAME)
        for _ in range(source.randint(1, 4)):
            place = source.randrange(0x200 + 72, len(changed))
            changed[place] = source.choice((0, 1, 0x7F, 0x80, 0xC0, 0xFF, source.randrange(256)))
        try:
            read_all(bytes(changed))
            outcomes.add("read")
        except FormatError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}
