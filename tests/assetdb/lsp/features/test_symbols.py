"""The outline of a text asset: its hierarchy, then all other objects."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from assetdb.client.engine import Engine
from assetdb.lsp.documents.names import Names
from assetdb.lsp.features import symbols
from assetdb.lsp.features.symbols import document_symbols
from assetdb.lsp.protocol.structures import OfDocument, Symbol, SymbolInformation
from tests.assetdb.lsp.features.asking import asked
from tests.assetdb.unity_project import HEAD, component, game_object, guid, instance, make_project, stripped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from assetdb.lsp.workers import Lane
    from assetdb.packages.location import Location

HIERARCHICAL = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
RED = "--- !u!21 &5\nMaterial:\n  m_Name: Red\n"
OUTSIDE = SimpleNamespace(root="", names=None)
ITEM = f"  m_Script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}\n  m_Name: "


def _answer(text: str, uri: str, lane: object, said: Mapping[str, object]) -> Any:  # noqa: ANN401 - of two forms
    context = asked(text, uri, said)._replace(lane=cast("Lane", lane))
    return document_symbols(OfDocument(text_document=None), context)  # type: ignore[arg-type]  # the document is known


def outline(text: str, lane: object = OUTSIDE) -> list[Symbol]:
    found = _answer(text, "file:///a.unity", lane, HIERARCHICAL)
    assert isinstance(found, list)
    return found


def shape(found: list[Symbol]) -> list[Any]:
    """Names with what is below them, types in brackets."""
    rows = ((f"{item.name} [{item.detail}]" if item.detail else item.name, item.children) for item in found)
    return [(name, *shape(children)) if children else name for name, children in rows]


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    root = str(make_project(tmp_path_factory.mktemp("symbols") / "P"))
    engine = Engine(root)
    yield SimpleNamespace(root=root, names=Names(engine))
    engine.close()


def test_a_text_without_documents_has_no_outline() -> None:
    assert _answer("class A {}", "file:///a.cs", OUTSIDE, HIERARCHICAL) is None
    assert outline(HEAD) == []


def test_a_hierarchy_has_components_and_children_below_each_object() -> None:
    script = component(114, 12, 10, "MonoBehaviour", ITEM + "\n")
    text = HEAD + game_object(10, "Root", components=script) + game_object(20, "Child", 11) + game_object(30, "Next")
    expected = ("Root [GameObject]", "Transform", "MonoBehaviour [MonoBehaviour]", ("Child [GameObject]", "Transform"))
    assert shape(outline(text)) == [expected, ("Next [GameObject]", "Transform")]


def test_in_a_project_scripts_and_prefabs_have_their_names(inside: object) -> None:
    text = HEAD + component(114, 12, 0, "MonoBehaviour", ITEM + "\n") + component(114, 13, 0, "MonoBehaviour", ITEM)
    text += "Main\n" + instance(70, 1) + instance(71, 99) + instance(72, 1, 0, {100: "Hero"})
    found = shape(outline(text, inside))
    assert found == [
        "Player [PrefabInstance]",
        "PrefabInstance [PrefabInstance]",
        ("Hero [PrefabInstance]", "m_Name [Hero]"),
        "Health [MonoBehaviour]",
        "Main [Health]",
    ]


def test_scripts_and_prefabs_are_looked_for_all_at_once(inside: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401 - a lane
    asked_for: list[list[str]] = []
    names = Names(inside.names.engine)
    locate = names.engine.locate

    def note(guids: Iterable[str]) -> list[Location | None]:
        asked_for.append(sorted(guids))
        return locate(asked_for[-1])

    monkeypatch.setattr(names.engine, "locate", note)
    text = HEAD + component(114, 12, 0, "MonoBehaviour", ITEM + "\n") + instance(70, 1)
    text += component(114, 13, 0, "MonoBehaviour", "  m_Script: {fileID: 0}\n")
    text += (
        stripped(114, 14, "MonoBehaviour", 2, 300, 70)
        + f"  m_Script: {{fileID: 11500000, guid: {guid(12)}, type: 3}}\n"
    )
    outline(text, SimpleNamespace(root=inside.root, names=names))
    assert asked_for == [sorted((guid(1), guid(3)))]


def test_a_class_without_a_name_is_its_number() -> None:
    assert shape(outline(HEAD + "--- !u!987654 &5\nOdd:\n  m_Name: A\n--- !u!987654 &6\nOdd:\n  a: 1\n")) == [
        "A [987654]",
        "987654",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (RED, ["Red [Material]"]),
        ("--- !u!21 &5 stripped\nMaterial:\n  m_Name: Red\n", []),
        # a component of an object of a prefab, which is only a stand-in, of no object, and of none in the file
        (stripped(1, 5, "GameObject", 1, 100, 7) + component(54, 6, 5, "Rigidbody"), ["Rigidbody"]),
        (component(54, 6, 0, "Rigidbody"), ["Rigidbody"]),
        (component(54, 6, 5, "Rigidbody"), ["Rigidbody"]),
        (
            "--- !u!21 &5\nMaterial:\n  m_Name: Red\n" + component(54, 6, 5, "Rigidbody"),
            ["Red [Material]", "Rigidbody"],
        ),
        # an object without a Transform
        (
            "--- !u!1 &5\nGameObject:\n  m_Component:\n  - component: {fileID: 6}\n  m_Name: A\n"
            + component(54, 6, 5, "Rigidbody"),
            [("A [GameObject]", "Rigidbody")],
        ),
        # a component that is a stand-in, and one that is not there
        (
            "--- !u!1 &5\nGameObject:\n  m_Component:\n  - component: {fileID: 6}\n  - component: {fileID: 7}\n"
            "  m_Name: A\n" + stripped(54, 6, "Rigidbody", 1, 100, 7),
            ["A [GameObject]"],
        ),
        # before its object, and one that its object does not list
        (
            component(54, 6, 5, "Rigidbody") + "--- !u!1 &5\nGameObject:\n  m_Component:\n"
            "  - component: {fileID: 6}\n  m_Name: A\n",
            [("A [GameObject]", "Rigidbody")],
        ),
        (game_object(5, "A") + component(54, 9, 5, "Rigidbody"), [("A [GameObject]", "Transform", "Rigidbody")]),
    ],
)
def test_objects_outside_of_the_hierarchy_are_listed_after_it(text: str, expected: list[Any]) -> None:
    assert shape(outline(HEAD + text)) == expected


def test_ranges_are_whole_documents_and_their_first_lines() -> None:
    text = "%YAML 1.1\n--- !u!21 &5\nMaterial:\n  m_Name: Red\n--- !u!21 &-123456\nMaterial:\n  m_Name: Blue"
    red, blue = outline(text)
    assert [(at.line, at.character) for at in (red.range.start, red.range.end)] == [(1, 0), (4, 0)]
    assert [(at.line, at.character) for at in (red.selection_range.start, red.selection_range.end)] == [(1, 0), (1, 12)]
    assert [(at.line, at.character) for at in (blue.range.start, blue.range.end)] == [(4, 0), (7, 0)]
    assert blue.selection_range.end.character == len("--- !u!21 &-123456")


def test_overrides_are_below_their_instance_at_their_own_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def one(path: str, value: str) -> str:
        target = f"    - target: {{fileID: 1, guid: {guid(1)}, type: 3}}\n"
        return f"{target}      propertyPath: {path}\n      value: {value}\n      objectReference: {{fileID: 0}}\n"

    def placed(number: int) -> str:
        rows = one("m_A", "a" * 201) + one("m_B.Array.data[1]", "2")
        source = f"  m_SourcePrefab: {{fileID: 100100000, guid: {guid(1)}, type: 3}}\n"
        return f"--- !u!1001 &{number}\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n{rows}{source}"

    text = HEAD + placed(7) + placed(8)
    lines = [number for number, line in enumerate(text.split("\n")) if "propertyPath" in line]
    found = [item for each in outline(text) for item in each.children]
    assert [(item.name, item.detail, item.children) for item in found] == [
        ("m_A", "a" * 200, []),
        ("m_B[1]", "2", []),
    ] * 2
    for item, line in zip(found, lines, strict=True):
        assert item.range == item.selection_range
        assert (item.range.start.line, item.range.start.character) == (line, 0)
        assert (item.range.end.line, item.range.end.character) == (line + 1, 0)
    monkeypatch.setattr(symbols, "_MOST_OVERRIDES", 3)
    assert [len(each.children) for each in outline(text)] == [2, 1]


@pytest.mark.parametrize(("count", "levels"), [(58, 59), (59, 60), (60, 60), (62, 60)])
def test_an_outline_has_at_most_60_levels(count: int, levels: int) -> None:
    """The Transform of the last object is a level of its own."""
    text = "".join(game_object(n * 10, f"N{n}", n * 10 - 9 if n > 1 else 0) for n in range(1, count + 1))
    found, deep, objects = outline(HEAD + text), 0, 0
    while found:
        deep += 1
        objects += len(found)
        found = [child for item in found for child in item.children]
    assert (deep, objects) == (levels, 2 * count)


def test_a_client_without_hierarchies_gets_all_in_one_list_with_what_is_above() -> None:
    text = HEAD + game_object(10, "Root") + game_object(20, "Child", 11) + game_object(30, "Next")
    found = _answer(text, "file:///a.unity", OUTSIDE, {})
    assert all(isinstance(item, SymbolInformation) for item in found)
    assert [(item.name, item.container_name) for item in found] == [
        ("Root", ""),
        ("Transform", "Root"),
        ("Child", "Root"),
        ("Transform", "Child"),
        ("Next", ""),
        ("Transform", "Next"),
    ]
    assert {item.location.uri for item in found} == {"file:///a.unity"}
    assert found[0].location.range.start.line == HEAD.count("\n")
