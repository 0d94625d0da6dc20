"""A word means one thing: which of all that it may name is asked of in which order."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from assetdb.builds.trace import question
from assetdb.builds.trace.question import Back, Forward, ask, ask_each
from assetdb.query.selecting.selector import Subject, Unmatched
from assetdb_formats.addressables.hashes import spooky_hash
from assetdb_formats.unityfs.identity import archive_name
from tests.assetdb.unity_project import guid

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.builds.groups.plan import Plan
    from assetdb.builds.trace.tracer import Tracer

NOTHING = Unmatched("word", ("like it",), ambiguous=False)
PATHS = {guid(1): "Assets/a.mat", guid(2): "Assets/Art/b.mat", guid(3): "Assets/Art/c.mat"}


def catalog_asset(number: int, **changes: object) -> SimpleNamespace:
    fields = {"address": f"address{number}", "internal_id": f"id{number}", "guid": guid(number), "labels": ("all",)}
    return SimpleNamespace(**fields | {"type": "Material", "needs": (4, 5)} | changes)


class World:
    """A project and a build in which a test says what a word names."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.written: Subject | None = None
        self.placed: list[int] | None = None
        self.whole: list[int] | None = None
        self.some: list[int] | None = None
        self.any_kind: list[int] | None = None
        self.thing: object = None
        self.subject: Subject | Unmatched = NOTHING
        self.folder = ""
        self.is_around = False
        self.catalog: list[SimpleNamespace] = []
        self.lookups = 0
        for name, value in (
            ("read_subject", lambda _: self.written),
            ("objects_at", lambda *_: self.placed),
            ("objects_of_named", self.named),
            ("objects_of_file", lambda _, place: [place * 10, place * 10 + 1]),
            ("lookup", lambda *_: self.thing),
            ("find_subject", self.find),
            ("holds_build", lambda *_: self.is_around),
        ):
            monkeypatch.setattr(question, name, value)

    def named(self, *_: object, is_whole: bool, of_any_kind: bool = False) -> list[int] | None:
        return self.any_kind if of_any_kind else self.whole if is_whole else self.some

    def find(self, *_: object, suggest: bool = True, folders: bool = False) -> Subject | Unmatched:
        if folders:
            assert not suggest
            return Subject("0" * 32, None, folder=self.folder) if self.folder else NOTHING
        return self.subject

    @contextmanager
    def many(self) -> Iterator[None]:
        self.lookups += 1
        yield

    @property
    def tracer(self) -> Tracer:
        assets = [SimpleNamespace(path=path, guid=own) for own, path in PATHS.items()]
        by_guid = {asset.guid: asset for asset in assets}
        bundle = SimpleNamespace(internal_id="a.bundle", size=7, crc=8, group="Fruit", name="named")
        project = SimpleNamespace(
            root="/games/P",
            database=assets,
            assets=SimpleNamespace(by_guid=by_guid.get, folder=lambda _: ""),
            bundle_names=lambda: {"a": "trees"},
        )
        archive = SimpleNamespace(name="rocks", dependencies=("leaves",))
        found = SimpleNamespace(
            build=SimpleNamespace(facts=[SimpleNamespace(archive=None), SimpleNamespace(archive=archive)]),
            project=project,
            catalogs=SimpleNamespace(assets=self.catalog, bundles=[bundle]),
            back=lambda number: f"object {number}",
            all=lambda: iter(("everything",)),
            entries=lambda own, _: [
                (item, bundle if item.needs else None) for item in self.catalog if item.guid == own
            ],
            shipped=lambda own, file_id: [f"shipped {own[-1]} {file_id}"] if own == guid(2) else [],
            reported_path=lambda own: "reported" if own == guid(9) else "",
            laid_out=lambda: [
                SimpleNamespace(guid=guid(1), path="Other"),
                SimpleNamespace(guid="", path=PATHS[guid(1)]),
                SimpleNamespace(guid="", path=""),
            ],
            stated=list,
            many_lookups=self.many,
        )
        return cast("Tracer", found)

    def ask(self, word: str = "word") -> Forward | Back | Unmatched:
        return ask(word, self.tracer)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


def thing(by: str, objects: Sequence[int] = (), files: Sequence[int] = ()) -> SimpleNamespace:
    return SimpleNamespace(by=by, objects=objects, files=files)


def test_the_first_of_many_meanings_counts(world: World) -> None:
    """From the last to the first: each is found before all that were found until then."""
    assert world.ask() is NOTHING

    def back(*numbers: int) -> Back:
        return Back("word", "", tuple(cast("Any", f"object {number}") for number in numbers))

    world.any_kind = [1]
    assert world.ask() == back(1)
    world.is_around = True
    assert world.ask() == Back("word", "", cast("Any", ("everything",)))
    world.folder = "Assets/Art"  # of the project, which is no folder around the build
    assert world.ask() == back(1)
    world.thing = thing("name", [2])
    assert world.ask() == back(2)
    world.catalog = [catalog_asset(2, address="word")]
    found = world.ask()
    assert isinstance(found, Forward)
    assert (found.guid, found.path, found.file_id) == (guid(2), PATHS[guid(2)], None)
    world.some = [3]
    assert world.ask() == back(3)
    world.subject = Subject(guid(1), 5)
    found = world.ask()
    assert isinstance(found, Forward)
    assert (found.guid, found.path, found.file_id) == (guid(1), PATHS[guid(1)], 5)
    for by in ("PathID", "file"):
        world.thing = thing(by, [40, 2], [4])  # the object 40 is in the file 4
        assert world.ask() == back(40, 2, 41)
    world.whole = [5]
    assert world.ask() == back(5)
    world.placed = []  # a path without objects
    assert world.ask() == back()
    world.written = Subject(guid(2), 9)
    found = world.ask()
    assert isinstance(found, Forward)
    assert (found.guid, found.file_id, found.shipped) == (guid(2), 9, ("shipped 2 9",))


@pytest.mark.parametrize("word", ["address2", "id2", guid(2)])
def test_a_word_of_a_catalog_is_its_asset(world: World, word: str) -> None:
    world.catalog = [catalog_asset(1), catalog_asset(2)]
    found = world.ask(word)
    assert isinstance(found, Forward)
    assert found.guid == guid(2)
    assert [
        (entry.address, entry.bundle, entry.bundle_size, entry.crc, entry.group, entry.needs) for entry in found.entries
    ] == [("address2", "a.bundle", 7, 8, "Fruit", 2)]


def test_a_label_of_several_assets_is_ambiguous(world: World) -> None:
    world.catalog = [catalog_asset(2), catalog_asset(1), catalog_asset(1)]
    assert world.ask("all") == Unmatched("all", ("id1", "id2"), ambiguous=True)
    world.catalog = [catalog_asset(1), catalog_asset(1, type="Shader"), catalog_asset(2, guid="")]
    found = world.ask("all")
    assert isinstance(found, Forward)
    assert (found.guid, len(found.entries)) == (guid(1), 2)
    world.catalog = [catalog_asset(1, needs=())]
    found = world.ask("all")
    assert isinstance(found, Forward)
    assert (found.entries[0].bundle, found.entries[0].bundle_size, found.entries[0].needs) == ("", 0, 0)


@pytest.mark.parametrize("name", ["trees", "rocks", "leaves", "named"])
def test_the_hashed_name_of_a_bundle_is_known_by_both_hashes(world: World, name: str) -> None:
    world.subject = Subject(guid(1), None)
    for word in (archive_name(name), archive_name(name, spooky_hash), f"some/{archive_name(name).upper()}"):
        assert world.ask(word) == Back(word, name, ())
    assert isinstance(world.ask(archive_name("other")), Forward)


def test_rows_of_a_layout_are_of_a_guid_or_else_a_path(world: World) -> None:
    world.subject = Subject(guid(1), None)
    found = world.ask()
    assert isinstance(found, Forward)
    assert [(row.guid, row.path) for row in found.laid_out] == [(guid(1), "Other"), ("", PATHS[guid(1)])]
    world.subject = Subject(guid(8), None)  # which the project does not have
    found = world.ask()
    assert isinstance(found, Forward)
    assert (found.path, found.laid_out, found.is_found) == ("", (), False)
    world.subject = Subject(guid(9), None)
    found = world.ask()
    assert isinstance(found, Forward)
    assert found.path == "reported"


def test_a_group_and_its_bundles_are_planned_by_its_members(world: World) -> None:
    def members(*numbers: int) -> list[SimpleNamespace]:
        return [SimpleNamespace(guid=guid(number)) for number in numbers]

    bundles = [SimpleNamespace(name="one", members=members(1)), SimpleNamespace(name="two", members=members(2))]
    groups = [
        SimpleNamespace(name="Empty", guid="e", members=[], bundles=[]),
        SimpleNamespace(name="Fruit", guid="f", members=members(1, 2), bundles=bundles),
    ]
    plan = cast("Plan", SimpleNamespace(groups=groups))
    for number, group, planned in ((1, "Fruit", ("one",)), (2, "Fruit", ("two",)), (3, "", ())):
        world.written = Subject(guid(number), None)
        found = ask("word", world.tracer, "", plan)
        assert isinstance(found, Forward)
        assert (found.group, found.planned) == (group, planned)


def test_a_folder_is_asked_of_asset_by_asset_where_nothing_else_is_meant(world: World) -> None:
    world.folder = "Assets/Art"
    found = list(ask_each("word", world.tracer))
    assert [answer.guid for answer in found if isinstance(answer, Forward)] == [guid(2), guid(3)]
    assert world.lookups == 1
    world.subject = Subject(guid(1), None)
    assert [answer.guid for answer in ask_each("word", world.tracer) if isinstance(answer, Forward)] == [guid(1)]
    world.subject = Unmatched("word", ("a", "b"), ambiguous=True)
    assert list(ask_each("word", world.tracer)) == [world.subject]
    world.subject, world.folder = NOTHING, ""
    assert list(ask_each("word", world.tracer)) == [NOTHING]
    assert world.lookups == 1
    whole = [answer.guid for answer in ask_each("/games/P", world.tracer) if isinstance(answer, Forward)]
    assert whole == [guid(2), guid(3), guid(1)]  # in order of their paths
