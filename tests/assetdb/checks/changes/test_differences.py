"""Differences as text, JSON and Markdown: what reaches them first, and never more than fits."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.checks.changes.differences import as_json, as_markdown, as_text
from assetdb.query.differences import AssetChange, NamedObject, NamedValue, ReferenceChange, compared_revisions
from assetdb.query.graph.relations import AssetInfo
from assetdb.query.inspecting import ValueText
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git
from tests.assetdb.unity_project import make_project
from tests.needs import needs_git

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from assetdb.query.differences import Comparison

pytestmark = needs_git


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Comparison]:
    """The difference that a renamed object in a prefab makes."""
    root: Path = make_project(tmp_path_factory.mktemp("differences"))
    git(root, "init", "-q")
    commit(root)
    level = root / "Assets/Prefabs/Level.prefab"
    level.write_text(level.read_text().replace("m_Name: Level", "m_Name: Castle"))
    project = open_project(str(root), may_change_directory=False)
    with compared_revisions(project, "HEAD") as comparison:
        yield comparison
    project.close()


def test_the_text_has_asset_object_value_and_what_is_reached(found: Comparison) -> None:
    lines = list(as_text(found, every=True))
    assert lines[0] == "changed   Assets/Prefabs/Level.prefab  (Prefab)"
    assert "      m_Name  Level -> Castle" in lines
    assert any(line.startswith("reached by ") for line in lines)
    assert lines[-1] == "assets: 1 changed"


def test_the_json_has_a_row_for_each_kind(found: Comparison) -> None:
    rows = list(as_json(found))
    assert [row["path"] for row in rows if row["kind"] == "asset"] == ["Assets/Prefabs/Level.prefab"]
    assert {"path": "m_Name", "old": "Level", "new": "Castle"} in [
        value for row in rows if row["kind"] == "object" for value in row["values"]
    ]


@pytest.mark.parametrize("largest", [330, 1000, 60_000])
def test_markdown_fits_and_has_what_matters_first(found: Comparison, largest: int) -> None:
    text = as_markdown(found, largest)
    assert len(text.encode()) <= largest
    assert text.startswith("### assetdb diff\n\nassets: 1 changed\n")
    assert ("Level -&gt; Castle" in text or "Level -> Castle" in text) == (largest >= 1000)


def test_markdown_with_its_note_fits_whatever_is_allowed(found: Comparison) -> None:
    many = SimpleNamespace(assets=found.assets * 5, references=(), reached=(), objects=found.objects)
    sizes = range(600, 1400)
    texts = [as_markdown(cast("Comparison", many), largest) for largest in sizes]
    assert [largest for largest, text in zip(sizes, texts, strict=True) if len(text.encode()) > largest] == []
    assert any(text.endswith("More objects differ: `assetdb diff --verbose` lists all.") for text in texts)


def value(text: str) -> ValueText:
    return ValueText(text)


def differences(
    objects: Sequence[NamedObject] = (),
    references: Sequence[ReferenceChange] = (),
    reached: Sequence[AssetInfo] = (),
    *,
    has_assets: bool = True,
) -> Comparison:
    """Return differences of one asset, with these objects."""
    assets = [AssetChange("changed", "Assets/a.prefab", "a" * 32, "Prefab", file=True)] if has_assets else []
    made = SimpleNamespace(assets=assets, references=references, reached=reached, objects=lambda _: iter(objects))
    return cast("Comparison", made)


def changed(name: str, *values: NamedValue, note: str = "") -> NamedObject:
    return NamedObject("changed", 5, name, "GameObject", values, note)


LOST = ReferenceChange("dangling", "Assets/a.prefab", "a" * 32, "", "b" * 32)
MENDED = ReferenceChange("mended", "", "c" * 32, "Assets/b.mat", "d" * 32)


def test_nothing_is_said_to_differ() -> None:
    nothing = differences(has_assets=False)
    assert list(as_text(nothing, every=True)) == ["nothing differs"]
    assert list(as_json(nothing)) == []
    assert as_markdown(nothing, 60_000) == "### assetdb diff\n\nNothing differs."


def test_references_are_lines_with_a_path_or_a_guid() -> None:
    found = differences(references=[LOST, MENDED])
    assert list(as_text(found, every=False))[1:] == [
        "",
        f"dangling  Assets/a.prefab -> {'b' * 32}",
        f"mended    {'c' * 32} -> Assets/b.mat",
        "",
        "assets: 1 changed; references: 1 dangling, 1 mended",
    ]
    rows = [row for row in as_json(found) if row["kind"] == "reference"]
    assert [(row["change"], row["target_guid"]) for row in rows] == [("dangling", "b" * 32), ("mended", "d" * 32)]
    assert "**1 reference leads to nothing now**" in as_markdown(found, 60_000)
    assert "**2 references lead to nothing now**" in as_markdown(differences(references=[LOST, LOST]), 60_000)
    assert f"- `Assets/a.prefab -> {'b' * 32}`" in as_markdown(found, 60_000)


@pytest.mark.parametrize(("count", "more"), [(20, 0), (21, 1), (25, 5)])
def test_long_lists_are_cut_unless_all_are_asked_for(count: int, more: int) -> None:
    objects = [changed(f"Object {number}") for number in range(count)]
    found = differences(objects, [LOST] * count)
    few, every = list(as_text(found, every=False)), list(as_text(found, every=True))
    for word, end in (("object", "  and "), ("reference", "and ")):
        said = f"{end}{more} more {word}{'s' * (more > 1)} (--verbose lists all)"
        assert (said in few) is bool(more)
        assert said not in every
    assert len(every) - len(few) == (2 * more - 2 if more else 0)


@pytest.mark.parametrize(("count", "more"), [(10, 0), (11, 1)])
def test_values_of_an_object_are_cut_too(count: int, more: int) -> None:
    item = changed("A", *(NamedValue(f"m_{number}", value("1"), value("2")) for number in range(count)))
    few = list(as_text(differences([item]), every=False))
    assert sum(line.endswith("1 -> 2") for line in few) == 10
    assert ("      and 1 more value (--verbose lists all)" in few) is bool(more)


def test_whole_rows_are_one_value() -> None:
    item = changed(
        "A",
        NamedValue("rows[0].x", None, value("1"), "rows[0]"),
        NamedValue("rows[0].y", None, value(""), "rows[0]"),
        NamedValue("rows[1].x", value("3"), None, "rows[1]"),
        NamedValue("rows[2]", None, value("4"), "rows[2]"),
        NamedValue("m_Name", value("a"), value("b" * 201)),
        note="said",
    )
    lines = list(as_text(differences([item]), every=True))
    assert lines[1:7] == [
        "  ~ A: said",
        '      rows[0]  (none) -> {x: 1, y: ""}',
        "      rows[1]  {x: 3} -> (none)",
        "      rows[2]  (none) -> 4",
        f"      m_Name   a -> {'b' * 200}...",
        "",
    ]


def test_what_reaches_a_change_is_counted_by_kind() -> None:
    reached = [
        AssetInfo("g", "", "t", path)
        for path in ("Assets/z.prefab", "Assets/b.unity", "Assets/a.unity", "Assets/Default.asset", "Assets/y.prefab")
    ]
    lines = list(as_text(differences(reached=reached), every=False))
    said = "reached by 2 scenes, 1 group, 2 prefabs: Assets/a.unity, Assets/b.unity, Assets/Default.asset, ..."
    assert said in lines
    assert "reached by 1 scene: Assets/a.unity" in list(as_text(differences(reached=reached[2:3]), every=False))
    assert f"`{said}`" in as_markdown(differences(reached=reached), 60_000)


def test_a_comment_leaves_out_objects_that_do_not_fit() -> None:
    found = differences([changed("x" * 500)])
    assert "More objects differ" not in as_markdown(found, 2000)
    short = as_markdown(found, 600)
    assert "More objects differ: `assetdb diff --verbose` lists all." in short
    assert "x" * 500 not in short
    assert "<details>" not in as_markdown(differences(), 2000)
