"""Definitions and links: where a reference at a position leads."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from assetdb.client.engine import Engine
from assetdb.lsp.documents.names import Names
from assetdb.lsp.features.definition import definition, document_links, read_asset, resolved_link
from assetdb.lsp.protocol.capabilities import UTF_8
from assetdb.lsp.protocol.structures import (
    DocumentItem,
    DocumentLink,
    Location,
    LocationLink,
    OfDocument,
    OfGuid,
    OfPosition,
    Position,
    Range,
)
from assetdb.lsp.protocol.uris import uri_of
from tests.assetdb.lsp.features.asking import asked
from tests.assetdb.lsp.features.events import FILES
from tests.assetdb.lsp.features.events import at as place_of
from tests.assetdb.unity_project import HEAD, game_object, guid, instance, make_project, stripped, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.lsp.protocol.registry import RequestContext
    from assetdb.lsp.workers import Lane

    Place = tuple[str, tuple[int, int, int, int]]

LINKS = {"textDocument": {"definition": {"linkSupport": True}}}
NOWHERE = (0, 0, 0, 0)
PLAYER, HEALTH = "Assets/Prefabs/Player.prefab", "Assets/Scripts/Health.cs"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make_project(tmp_path_factory.mktemp("definition") / "P")
    write(root, "Assets/odd.mat", 20, b"no YAML", "NativeFormatImporter:\n  userData: \n")
    return root


@pytest.fixture(scope="module")
def lane(root: Path) -> Iterator[Lane]:
    engine = Engine(str(root))
    yield cast("Lane", SimpleNamespace(root=str(root), names=Names(engine)))
    engine.close()


def opened(text: str, root: Path, lane: Lane, said: object = LINKS, path: str = "Assets/Main.unity") -> RequestContext:
    return asked(text, uri_of(str(root / path)), said)._replace(lane=lane)  # type: ignore[arg-type]  # as a client says


def at(place: Range) -> tuple[int, int, int, int]:
    return place.start.line, place.start.character, place.end.line, place.end.character


def leads(context: RequestContext, line: int, character: int) -> list[Any] | None:
    return definition(OfPosition(text_document=None, position=Position(line, character)), context)  # type: ignore[arg-type, return-value]


def target(
    root: Path, context: RequestContext, line: int, character: int
) -> tuple[str, tuple[int, int, int, int]] | None:
    found = leads(context, line, character)
    if found is None:
        return None
    (link,) = found
    assert isinstance(link, LocationLink)
    assert link.target_range == link.target_selection_range
    return link.target_uri.removeprefix(uri_of(str(root)) + "/"), at(link.target_range)


HERO = f"{{fileID: 100, guid: {guid(1)}, type: 3}}"
TEXT = (
    f"{HEAD}--- !u!114 &20\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}\n"
    "  local: {fileID: 30}\n  none: {fileID: 0}\n  lost: {fileID: 99}\n  words: a\n"
    "--- !u!21 &30\nMaterial:\n  m_Name: A\n"
)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ((0, 3), None),  # before all documents
        ((2, 0), (HEALTH, NOWHERE)),  # the first line of an object leads to its script
        ((2, 14), (HEALTH, NOWHERE)),
        ((3, 0), None),  # its other lines do not
        ((4, 20), (HEALTH, NOWHERE)),
        ((5, 15), ("Assets/Main.unity", (9, 0, 9, 13))),
        ((6, 15), None),
        ((7, 15), None),
        ((8, 9), None),
        ((9, 3), ("Assets/Main.unity", (9, 0, 9, 13))),  # without a script or source: itself
    ],
)
def test_where_a_place_in_a_text_leads(root: Path, lane: Lane, place: tuple[int, int], expected: Place | None) -> None:
    assert target(root, opened(TEXT, root, lane), *place) == expected


def line_of(root: Path, path: str, words: str) -> int:
    return next(number for number, line in enumerate((root / path).read_text().split("\n")) if words in line)


@pytest.mark.parametrize(
    ("reference", "path", "words"),
    [
        (HERO, PLAYER, "--- !u!1 &100"),
        (f"{{fileID: 12345, guid: {guid(1)}, type: 3}}", PLAYER, ""),  # of an asset without that object
        (f"{{fileID: 21300000, guid: {guid(4)}, type: 3}}", "Assets/Art/tiles.png", ""),
        (f"{{fileID: 2100000, guid: {guid(20)}, type: 2}}", "Assets/odd.mat", ""),
        (f"{{fileID: 102900000, guid: {guid(10)}, type: 3}}", "Assets/Art", ""),
        (f"{{fileID: 10, guid: {guid(8)}, type: 3}}", "Assets/Main.unity", "--- !u!1 &10"),
    ],
)
def test_a_reference_leads_to_the_object_or_else_the_file(
    root: Path, lane: Lane, reference: str, path: str, words: str
) -> None:
    text = f"--- !u!21 &5\nMaterial:\n  a: {reference}\n"
    line = line_of(root, path, words) if words else 0
    expected = (line, 0, line, len(words))
    assert target(root, opened(text, root, lane, path="Assets/new.mat"), 2, 30) == (path, expected)


@pytest.mark.parametrize("target", [f"1, guid: {guid(77)}", "10202, guid: 0000000000000000e000000000000000"])
def test_an_asset_without_a_file_leads_nowhere(root: Path, lane: Lane, target: str) -> None:
    assert leads(opened(f"--- !u!21 &5\nMaterial:\n  a: {{fileID: {target}, type: 0}}\n", root, lane), 2, 30) is None


def test_the_first_line_of_a_placeholder_leads_to_its_source(root: Path, lane: Lane) -> None:
    text = HEAD + stripped(4, 7, "Transform", 1, 201, 70) + instance(70, 1)
    line = line_of(root, PLAYER, "--- !u!4 &201")
    assert target(root, opened(text, root, lane), 2, 3) == (PLAYER, (line, 0, line, 13))


def test_an_asset_that_is_open_is_as_its_editor_has_it(root: Path, lane: Lane) -> None:
    context = opened(f"--- !u!21 &5\nMaterial:\n  a: {HERO}\n", root, lane, path="Assets/new.mat")
    text = "\n\n" + HEAD + game_object(100, "Player")
    context.documents.open(DocumentItem(uri=uri_of(str(root / PLAYER)), version=1, text=text))
    assert target(root, context, 2, 10) == (PLAYER, (4, 0, 4, 13))


def test_a_link_tells_where_it_is_and_other_clients_get_a_location(root: Path, lane: Lane) -> None:
    text = f"--- !u!21 &5\nMaterial:\n  a: {HERO}\n"
    (link,) = leads(opened(text, root, lane), 2, 30) or ()
    assert at(link.origin_selection_range) == (2, 5, 2, 5 + len(HERO))
    (head,) = leads(opened(TEXT, root, lane), 9, 3) or ()
    assert at(head.origin_selection_range) == (9, 0, 9, 13)
    (plain,) = leads(opened(text, root, lane, {}), 2, 30) or ()
    assert isinstance(plain, Location)
    assert (plain.uri, plain.range) == (link.target_uri, link.target_range)


def test_an_asset_of_the_disk_is_read_if_it_has_documents(root: Path) -> None:
    found = read_asset(str(root / PLAYER), "file:///a", UTF_8)
    assert found is not None
    assert found.text.data == (root / PLAYER).read_bytes()
    assert read_asset(str(root / HEALTH), "file:///a", UTF_8) is None
    gone = read_asset(str(root / "Assets/gone.mat"), "file:///a", UTF_8)
    assert gone is not None
    assert gone.text.data == b""


def test_the_call_of_an_event_leads_to_the_method_that_its_script_declares(events: Path) -> None:
    engine = Engine(str(events))
    lane = cast("Lane", SimpleNamespace(root=str(events), names=Names(engine), engine=engine, memory={}))
    hall = "Assets/Hall.unity"
    context = opened(FILES[hall][1], events, lane, path=hall)
    (link,) = leads(context, *place_of(hall, "Knock")) or ()
    line, column = place_of("Assets/Door.cs", "Knock")
    assert (link.target_uri, at(link.target_range)) == (
        uri_of(str(events / "Assets/Door.cs")),
        (line, column, line, column + len("Knock")),
    )
    line, column = place_of(hall, "Knock")
    assert at(link.origin_selection_range) == (line, column, line, column + len("Knock"))
    lost = opened(FILES[hall][1].replace("Knock", "Gone"), events, lane, path=hall)
    (script,) = leads(lost, line, column) or ()  # the class at least
    assert (script.target_uri, at(script.target_range)) == (link.target_uri, NOWHERE)
    foreign = FILES[hall][1].replace("m_Target: {fileID: 1}", "m_Target: {fileID: 0}").replace("Game.Door", "Game.No")
    assert leads(opened(foreign, events, lane, path=hall), line, column) is None
    engine.close()


# --- links


def links(context: RequestContext) -> list[DocumentLink] | None:
    return document_links(OfDocument(text_document=None), context)  # type: ignore[arg-type, return-value]


def test_each_guid_of_a_text_is_a_link(root: Path, lane: Lane) -> None:
    text = (
        f"--- !u!21 &5\nMaterial:\n  a: {HERO}\n  b: {{fileID: 5}}\n"
        f"  c: {{fileID: 1, guid: {guid(3).upper()}, type: 3}}\n  d: [{HERO}, {HERO}]\n"
    )
    context = opened(text, root, lane)
    found = links(context)
    assert found is not None
    start = HERO.index(guid(1))
    places = [(2, 5 + start), (4, 5 + start - 2), (5, 6 + start), (5, 6 + start + len(HERO) + 2)]
    assert [at(link.range) for link in found] == [(line, column, line, column + 32) for line, column in places]
    assert [link.data for link in found] == [OfGuid(context.document.uri, guid(n)) for n in (1, 3, 1, 1)]
    assert {link.target for link in found} == {None}


def test_there_are_at_most_10_000_links_and_none_in_larger_texts(root: Path, lane: Lane) -> None:
    row = f"  - {HERO}\n"
    head = "--- !u!21 &5\nMaterial:\n  a:\n"
    assert len(links(opened(head + row * 9_999, root, lane)) or ()) == 9_999
    many = head + row * 10_001
    assert len(links(opened(many, root, lane)) or ()) == 10_000
    most = many + "#" * ((2 << 20) - len(many))
    assert len(links(opened(most, root, lane)) or ()) == 10_000
    assert links(opened(most + "#", root, lane)) is None


def test_a_link_is_resolved_if_its_asset_is_on_this_machine(root: Path, lane: Lane) -> None:
    place = Range(Position(2, 5), Position(2, 37))

    def resolved(data: OfGuid | None, lane: Lane = lane) -> DocumentLink:
        return resolved_link(DocumentLink(place, data=data), lane)

    data = OfGuid("file:///a", guid(1))
    found = resolved(data)
    assert (found.range, found.data, found.tooltip) == (place, data, PLAYER)
    assert found.target == uri_of(str(root / PLAYER))
    nowhere = cast("Lane", SimpleNamespace(root="", names=None))
    unknown = OfGuid("file:///a", guid(77)), OfGuid("file:///a", "words"), None
    built_in = OfGuid("file:///a", "0000000000000000e000000000000000")
    for other in (*map(resolved, (*unknown, built_in)), resolved(data, nowhere)):
        assert (other.range, other.target) == (place, None)
