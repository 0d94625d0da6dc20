"""Types across assemblies: forwarders, bases, generic arguments, and where each of them ends."""

from __future__ import annotations

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.dotnet.assembly import TypeName
from assetdb_formats.dotnet.resolution import Absent, Assemblies, Bound, Defined, plain_name
from assetdb_formats.dotnet.signatures import Element, Signature
from assetdb_formats.dotnet.tables import TYPE_DEF, TYPE_SPEC
from tests.assetdb_formats.dotnet.assembly_writer import assembly

INT, STRING = Signature(Element.I4), Signature(Element.STRING)


def forwarding(count: int) -> Assemblies:
    """Return assemblies A0 to A``count``, each of which forwards a type to the next; the last one has it."""
    data = {f"a{number}": assembly(f"A{number}", {}, {"Game.Door": f"A{number + 1}"}) for number in range(count)}
    data[f"a{count}"] = assembly(f"A{count}", {"Game.Door": ()})
    return Assemblies(data.get)


def defined(found: Defined | Absent) -> Defined:
    assert isinstance(found, Defined)
    return found


def test_a_type_is_followed_through_seven_forwarders() -> None:
    found = defined(forwarding(7).find(TypeName("A0.dll", "Game", "Door")))
    assert (found.assembly, found.facts.full_name) == ("a7", "Game.Door")
    arguments = (Bound(INT, "a"),)
    assert forwarding(0).find(TypeName("A0", "Game", "Door"), arguments).arguments == arguments
    assert forwarding(8).find(TypeName("A0", "Game", "Door")) == Absent(TypeName("A8", "Game", "Door"))


def test_an_absent_type_is_named_where_it_was_looked_for_last() -> None:
    assemblies = Assemblies({"a": assembly("A", {}, {"Game.Door": "B"})}.get)
    assert assemblies.find(TypeName("A.dll", "Game", "Door")) == Absent(TypeName("B", "Game", "Door"))
    assert assemblies.find(TypeName("A.dll", "Game", "Wall")) == Absent(TypeName("A.dll", "Game", "Wall"))


def test_an_assembly_is_loaded_once_whatever_the_case_of_its_name() -> None:
    asked = []

    def load(name: str) -> bytes | None:
        asked.append(name)
        return assembly("A", {}) if name == "a" else b"PK" if name == "zip" else None

    assemblies = Assemblies(load)
    assert assemblies.get("A.DLL") is assemblies.get("a") is not None
    assert assemblies.get("b") is assemblies.get("B.dll") is None
    assert asked == ["a", "b"]
    with pytest.raises(FormatError, match="does not begin with MZ") as caught:
        assemblies.get("Zip.dll")
    assert caught.value.path == "zip.dll"
    assert plain_name("Game.DLL") == "game"


GAME = assembly(
    "Game",
    {
        "Game.Base`2": ("public !0 first", "public !1 second"),
        "Game.Mid`1 : Game.Base`2<!0, int>": (),
        "Game.Last : Game.Mid`1<string>": (),
        "Game.Far : Other!Lib.Thing": (),
        "Game.Round : Game.Round": (),
        **{f"Game.C{number} : Game.C{number + 1}": () for number in range(64)},
        "Game.C64 : -": (),
    },
)


def game() -> Assemblies:
    return Assemblies({"game": GAME}.get)


def bases(name: str) -> list[Defined | Absent]:
    assemblies = game()
    return list(assemblies.bases(defined(assemblies.find(TypeName("Game", "Game", name)))))


def test_bases_come_nearest_first_with_what_their_parameters_stand_for() -> None:
    middle, base, root = bases("Last")
    assert [argument.signature for argument in middle.arguments] == [STRING]
    assert defined(base).facts.full_name == "Game.Base`2"
    assert [argument.signature for argument in base.arguments] == [STRING, INT]
    assert root == Absent(TypeName("mscorlib", "System", "Object"))
    assert bases("Far") == [Absent(TypeName("Other", "Lib", "Thing"))]


def test_a_type_extends_at_most_64_others() -> None:
    assert len(bases("C1")) == 63
    for name in ("C0", "Round"):
        with pytest.raises(FormatError, match="a type that extends more than 64 others") as caught:
            bases(name)
        assert caught.value.field == "tables.TypeDef"


def test_a_variable_is_the_argument_of_its_number() -> None:
    within = Bound(Signature(Element.VOID), "game", (Bound(INT, "a"), Bound(STRING, "b")))
    assert game().bind(Signature(Element.VARIABLE, row=1), within) == Bound(STRING, "b")
    assert game().bind(INT, within) == Bound(INT, "game", within.arguments)
    with pytest.raises(FormatError, match="no argument 2 of a generic type") as caught:
        game().bind(Signature(Element.VARIABLE, row=2), within)
    assert caught.value.field == "signature"


def test_a_type_of_no_assembly_or_of_a_signature_is_refused() -> None:
    for bound, what in (
        (Bound(Signature(Element.CLASS, TYPE_DEF, 2), "other"), "no assembly other"),
        (Bound(Signature(Element.CLASS, TYPE_SPEC, 1), "game"), "a type that is made of a signature"),
    ):
        with pytest.raises(FormatError) as caught:
            game().resolve(bound)
        assert (caught.value.what, caught.value.field) == (what, "signature")
    found = defined(game().resolve(Bound(Signature(Element.CLASS, TYPE_DEF, 2), "game")))
    assert (found.facts.full_name, found.arguments) == ("Game.Base`2", ())


def test_arguments_are_nested_sixteen_deep_and_256_in_all() -> None:
    def deep(levels: int) -> Bound:
        found = Bound(INT, "game")
        for _ in range(levels):
            found = Bound(INT, "game", (found,))
        return found

    # What is bound has the arguments of what is around it.
    assert game().bind(INT, deep(16)) == deep(16)
    assert len(game().bind(INT, Bound(INT, "game", (Bound(INT, "a"),) * 255)).arguments) == 255
    for within in (deep(17), Bound(INT, "game", (Bound(INT, "a"),) * 256)):
        with pytest.raises(FormatError, match="generic types are nested without end") as caught:
            game().bind(INT, within)
        assert caught.value.field == "signature"
