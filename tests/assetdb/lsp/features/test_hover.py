"""Hovers: what a reference, an object or a class is, in the form that the editor shows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.client.engine import Engine
from assetdb.diagnostics.codes import CODES
from assetdb.lsp.documents.names import Names
from assetdb.lsp.features.hover import hover, inlay_hints
from assetdb.lsp.protocol.structures import Hover, OfPosition, OfRange, Position, Range
from assetdb.lsp.protocol.uris import uri_of
from tests.assetdb.lsp.features.asking import asked
from tests.assetdb.lsp.features.events import FILES
from tests.assetdb.lsp.features.events import at as place_of
from tests.assetdb.unity_project import HEAD, SPRITES, game_object, guid, make_project, stripped, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.lsp.protocol.registry import RequestContext
    from assetdb.lsp.workers import Lane

MARKDOWN = {"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}}}
PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make_project(tmp_path_factory.mktemp("hover") / "P")
    write(root, "Assets/Odd_*[x] :).png", 20, PNG, SPRITES.replace("spriteMode: 2", "spriteMode: 0"))
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    write(root, "Assets/pointer.png", 21, pointer, "TextureImporter:\n  spriteMode: 0\n")
    for number, size in ((22, 4 << 20), (23, (4 << 20) + 1)):
        write(root, f"Assets/large{number}.PNG", number, PNG, "TextureImporter:\n  spriteMode: 0\n")
        with (root / f"Assets/large{number}.PNG").open("r+b") as file:
            file.truncate(size)
    return root


def lane_of(root: Path, engine: Engine) -> Lane:
    return cast("Lane", SimpleNamespace(root=str(root), names=Names(engine), engine=engine, memory={}))


@pytest.fixture(scope="module")
def lane(root: Path) -> Iterator[Lane]:
    engine = Engine(str(root))
    yield lane_of(root, engine)
    engine.close()


def context_of(
    text: str, root: Path, lane: Lane, *, markdown: bool = False, path: str = "Assets/new.mat"
) -> RequestContext:
    return asked(text, uri_of(str(root / path)), MARKDOWN if markdown else {})._replace(lane=lane)


def at(context: RequestContext, line: int, character: int) -> Hover | None:
    return hover(OfPosition(text_document=None, position=Position(line, character)), context)  # type: ignore[arg-type, return-value]


def told(reference: str, root: Path, lane: Lane, *, markdown: bool = False) -> list[str]:
    found = at(context_of(f"--- !u!21 &5\nMaterial:\n  a: {reference}\n", root, lane, markdown=markdown), 2, 10)
    assert found is not None
    assert found.contents.kind == ("markdown" if markdown else "plaintext")
    assert found.range == Range(Position(2, 5), Position(2, 5 + len(reference)))
    return found.contents.value.split("\n\n" if markdown else "\n")


def test_a_reference_has_name_type_path_and_ids(root: Path, lane: Lane) -> None:
    body = f"{{fileID: 200, guid: {guid(1)}, type: 3}}"
    path = "Assets/Prefabs/Player.prefab"
    name = "Player.prefab / Body (GameObject)"  # with its type
    assert told(body, root, lane) == [name, path, f"guid {guid(1)}, fileID 200"]
    link = f"[{path}]({uri_of(str(root / path))})"
    assert told(body, root, lane, markdown=True) == [f"**{name}**", link, f"`guid {guid(1)}, fileID 200`"]


def test_a_reference_to_nothing_has_its_reason_and_advice(root: Path, lane: Lane) -> None:
    code = CODES["missing-asset"]
    lost = f"{{fileID: 1, guid: {guid(77)}, type: 3}}"
    ids = f"guid {guid(77)}, fileID 1"
    assert told(lost, root, lane) == [f"missing-asset: {code.meaning}; {code.advice}", ids]
    first, last = told(lost, root, lane, markdown=True)
    assert first.startswith("**missing-asset**: ")
    assert last == f"`{ids}`"


def test_a_built_in_object_has_no_link(root: Path, lane: Lane) -> None:
    rows = told("{fileID: 10202, guid: 0000000000000000e000000000000000, type: 0}", root, lane, markdown=True)
    assert rows[0] == "**unity default resources / Cube (Mesh)**"
    assert not [row for row in rows if "](" in row]


def test_signs_of_markdown_in_names_are_escaped_and_links_closed(root: Path, lane: Lane) -> None:
    odd = f"{{fileID: 2800000, guid: {guid(20)}, type: 3}}"
    rows = told(odd, root, lane, markdown=True)
    assert rows[0].startswith(r"**Odd\_\*\[x\] :).png")
    uri = uri_of(str(root / "Assets/Odd_*[x] :).png")).replace("(", "%28").replace(")", "%29")
    assert rf"[Assets/Odd\_\*\[x\] :).png]({uri})" in rows
    assert rows[1] == "Texture2D"
    assert rows[-1] == f"![thumbnail]({uri})"
    plain = told(odd, root, lane)
    assert plain[:3] == ["Odd_*[x] :).png", "Texture2D", "Assets/Odd_*[x] :).png"]
    assert plain[-1] == str(root / "Assets/Odd_*[x] :).png")


@pytest.mark.parametrize(("number", "shown"), [(20, True), (21, False), (22, True), (23, False), (4, True), (7, False)])
def test_a_picture_is_shown_if_it_is_one_of_at_most_4_mb(root: Path, lane: Lane, number: int, *, shown: bool) -> None:
    rows = told(f"{{fileID: 2800000, guid: {guid(number)}, type: 3}}", root, lane, markdown=True)
    assert rows[-1].startswith("![thumbnail]") is shown


def test_the_first_line_of_an_object_tells_it(root: Path, lane: Lane) -> None:
    text = HEAD + game_object(10, "Root") + "--- !u!987654 &30\nOdd:\n  a: 1\n"
    text += stripped(4, 33, "Transform", 99, 1, 98) + "--- !u!21 &32\nMaterial:\n  a: {fileID: 30}\n"
    context = context_of(text, root, lane, path="Assets/new.prefab")
    found = at(context, 2, 3)
    assert found is not None
    assert found.contents.value == "Root (GameObject)\nfileID 10"
    assert found.range == Range(Position(2, 0), Position(2, 12))
    assert at(context, 2, 12) == found
    assert at(context, 3, 0) is None
    assert at(context, 0, 0) is None
    for head, value in (
        ("!u!4 &11", "Root (Transform)\nfileID 11"),
        ("!u!987654 &30", "(987654)\nfileID 30"),
        ("!u!4 &33", "Transform\nfileID 33"),  # it was told twice
        ("!u!21 &32", "(Material)\nfileID 32"),
    ):
        odd = at(context, text[: text.index(head)].count("\n"), 0)
        assert odd is not None
        assert odd.contents.value == value


def test_an_object_without_a_name_is_bold_in_markdown(root: Path, lane: Lane) -> None:
    """A bold text begins with no blank: both stars were shown."""
    assert told("{fileID: 5}", root, lane, markdown=True) == ["**(Material)**", "`fileID 5`"]


def test_a_call_of_an_event_has_its_class_method_target_and_place(events: Path) -> None:
    engine = Engine(str(events))
    lane, hall = lane_of(events, engine), "Assets/Hall.unity"
    line, column = place_of(hall, "Knock")
    found = at(context_of(FILES[hall][1], events, lane, path=hall), line, column)
    assert found is not None
    where = place_of("Assets/Door.cs", "Knock")[0] + 1
    first, target, path = found.contents.value.split("\n")
    assert (first, path) == ("Door.Knock", f"Assets/Door.cs:{where}")
    assert target.startswith("of ")
    assert found.range == Range(Position(line, column), Position(line, column + 5))
    marked = at(context_of(FILES[hall][1], events, lane, path=hall, markdown=True), line, column)
    assert marked is not None
    first, target, path = marked.contents.value.split("\n\n")
    assert (first, path) == (
        "**Door.Knock**",
        f"[Assets/Door.cs:{where}]({uri_of(str(events / 'Assets/Door.cs'))}#L{where})",
    )
    kind = at(context_of(FILES[hall][1], events, lane, path=hall), *place_of(hall, "Game.Door"))
    assert kind is not None
    assert kind.contents.value.split("\n")[0] == "Door"
    lost = FILES[hall][1].replace("Knock", "Gone")
    found = at(context_of(lost, events, lane, path=hall), line, column)
    assert found is not None
    assert found.contents.value.split("\n")[-1] == "Assets/Door.cs"  # the class at least, without a line
    engine.close()


def test_a_class_has_its_usages_and_other_words_of_a_script_nothing(root: Path, lane: Lane) -> None:
    path = "Assets/Scripts/Health.cs"
    context = context_of("class Health {}\n", root, lane, path=path)
    found = at(context, 0, 7)
    assert found is not None
    assert found.range is None
    assert "usage" in found.contents.value or "asset" in found.contents.value
    assert at(context, 0, 1) is None
    assert at(context_of("class Health {}\n", root, lane, path="Assets/Scripts/New.cs"), 0, 7) is None


def test_hints_are_names_behind_the_references_of_some_lines(root: Path, lane: Lane) -> None:
    body = f"{{fileID: 400, guid: {guid(1)}, type: 3}}"
    text = f"--- !u!21 &5\nMaterial:\n  a: {body}\n  b: {body}\n  c: {{fileID: 0}}\n"
    wanted = Range(Position(3, 0), Position(4, 0))
    found = inlay_hints(OfRange(text_document=None, range=wanted), context_of(text, root, lane))  # type: ignore[arg-type]
    assert isinstance(found, list)
    (hint,) = found
    assert hint.position == Position(3, 5 + len(body))
    assert hint.label.startswith("... / Body / Head")
    assert hint.label.endswith("#1 (GameObject)")
    assert hint.tooltip.startswith("Player.prefab / Body / Head")
    assert hint.padding_left
