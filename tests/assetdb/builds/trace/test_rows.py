"""Answers of a trace as rows, and local content that needs what players must download."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from assetdb.builds import open_build
from assetdb.builds.trace.question import Back, Forward
from assetdb.builds.trace.rows import answer_rows, list_rows, mixed
from assetdb.builds.trace.sources import Source
from assetdb.builds.trace.traced import LaidOut, MissingKey, Mixed, Shipped, Traced
from assetdb.query.selecting.selector import Unmatched
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Texture

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from assetdb.builds.query.catalogs import Catalogs
    from assetdb.builds.trace.tracer import Tracer

A = "CAB-" + "a" * 32
LOCAL, REMOTE, BY_CODE = "{UnityEngine.AddressableAssets.Addressables.RuntimePath}/a", "https://x/a", "{Own.Path}/a"
SOURCE = Source("g" * 32, 5, "Assets/a.png")


@pytest.fixture
def tracer(tmp_path: Path) -> Tracer:
    """Two objects of one bundle, and of a player."""
    folder = making.player(tmp_path / "Game_Data")
    (folder / "a.bundle").write_bytes(making.bundle(A, "a", [Texture(7, "bark", b"brown"), Texture(8, "moss", b"m")]))
    build = open_build(folder, remember=False)
    rows = [Traced(number, "exact", "PathID", (SOURCE,)) for number in _named(build, "bark", "apple")]
    parts = SimpleNamespace(
        build=build,
        implicit=lambda: {SOURCE.guid: rows},
        laid_out=lambda: [
            LaidOut("l" * 32, "Assets/l.png", "l.bundle", 9, ("Assets/x.mat",)),
            LaidOut(SOURCE.guid, "Assets/a.png", "a.bundle", 9, ()),
        ],
        duplicates=lambda: {SOURCE: rows},
        wasted=lambda found: len(list(found)),
        missing=lambda keys: [MissingKey("m" * 32, "", "", f"{len(keys)}")],
        catalogs=SimpleNamespace(bundles=(), assets=()),
    )
    return cast("Tracer", parts)


def _named(build: Any, *names: str) -> list[int]:  # noqa: ANN401 - a build
    return [number for name in names for number in range(len(build)) if build.name(number) == name]


def rows(query: str, answer: Forward | Back | Unmatched, tracer: Tracer) -> list[dict[str, Any]]:
    return list(answer_rows(query, answer, tracer))


def test_an_object_of_a_build_is_a_row_with_its_sources(tracer: Tracer) -> None:
    bark, picker = (
        _named(tracer.build, "bark")[0],
        next(number for number in range(len(tracer.build)) if tracer.build.class_ids[number] == making.MONO_BEHAVIOUR),
    )
    tied, untied = Traced(bark, "exact", "PathID", (SOURCE,)), Traced(picker, "none", "", ())
    first, second = rows("q", Back("asked", "", (tied, untied)), tracer)
    assert first["query"] == "asked"
    assert [first[key] for key in ("file", "path_id", "class", "name", "script", "assembly", "streamed")] == [
        *(f"a.bundle/{A}", 7, "Texture2D", "bark", None, None, 5),
    ]
    assert (first["certainty"], first["by"], first["sources"]) == ("exact", "PathID", [SOURCE._asdict()])
    assert [second[key] for key in ("class", "script", "assembly", "sources")] == [
        *("MonoBehaviour", "Game.Picker", "Assembly-CSharp.dll", []),
    ]


def test_an_asset_is_a_row_with_the_parts_that_have_it(tracer: Tracer) -> None:
    bark = Traced(_named(tracer.build, "bark")[0], "exact", "PathID", (SOURCE,))
    part = tracer.build.part_of(bark.number)
    shipped = Shipped(part, (bark,), 12, "container", "assets/a.png", ("tree", "bark"))
    answer = Forward("asked", SOURCE.guid, SOURCE.path, None, "G", ("g_all",), (), (shipped,), (), ())
    (row,) = rows("q", answer, tracer)
    assert [row[key] for key in ("query", "guid", "path", "file_id", "group", "planned_bundles")] == [
        *("asked", SOURCE.guid, SOURCE.path, None, "G", ["g_all"]),
    ]
    (own,) = row["parts"]
    assert (own["part"], own["size"], own["why"], own["root"], own["way"]) == (
        *("a.bundle", 12, "container", "assets/a.png", ["tree", "bark"]),
    )
    assert [item["name"] for item in own["objects"]] == ["bark"]


def test_a_query_without_an_answer_is_a_row_with_the_reason(tracer: Tracer) -> None:
    (row,) = rows("q", Unmatched("unknown", ("a",), ambiguous=True), tracer)
    assert (row["query"], row["candidates"]) == ("q", ["a"])


def test_implicit_assets_are_those_of_the_build_and_then_of_the_layouts(tracer: Tracer) -> None:
    first, second = list_rows("implicit", tracer, None)
    files = ["a.bundle", "sharedassets0.assets"]
    size = sum(tracer.build.bytes_of(number) for number in _named(tracer.build, "bark", "apple"))
    assert first == {
        "asset": SOURCE.path,
        "guid": SOURCE.guid,
        "objects": 2,
        "bytes": size,
        "files": files,
        "by": [],
    }
    assert second == {
        "asset": "Assets/l.png",
        "guid": "l" * 32,
        "objects": None,
        "bytes": 9,
        "files": ["l.bundle"],
        "by": ["Assets/x.mat"],
    }


def test_duplicates_and_missing_guids_are_rows(tracer: Tracer) -> None:
    (row,) = list_rows("duplicates", tracer, None)
    assert (row["wasted"], row["asset"], row["file_id"], row["files"]) == (
        *(2, SOURCE.path, 5, ["a.bundle", "sharedassets0.assets"]),
    )
    assert [row["explained"] for row in list_rows("missing", tracer, None)] == ["0"]
    plan = cast("Any", SimpleNamespace(missing=("one", "two")))
    assert [row["explained"] for row in list_rows("missing", tracer, plan)] == ["2"]
    assert list_rows("mixed", tracer, None) == []


def catalogs(places: Iterable[str], *assets: tuple[str, int | None, tuple[int, ...]]) -> Catalogs:
    rows = [SimpleNamespace(internal_id=name, bundle=bundle, needs=needs) for name, bundle, needs in assets]
    bundles = [SimpleNamespace(internal_id=place) for place in places]
    return cast("Catalogs", SimpleNamespace(bundles=bundles, assets=rows))


def test_local_content_that_needs_a_download_is_mixed() -> None:
    places = (LOCAL, REMOTE, BY_CODE)
    found = mixed(
        catalogs(
            places,
            ("local", 0, (0, 1)),
            ("remote", 1, (0, 1)),
            ("by code", 2, (1,)),
            ("local by code", 0, (2,)),
            ("nowhere", None, (1,)),
            ("several", 0, (1, 1)),
        )
    )
    assert found == [Mixed("local", LOCAL, REMOTE), *[Mixed("several", LOCAL, REMOTE)] * 2]
