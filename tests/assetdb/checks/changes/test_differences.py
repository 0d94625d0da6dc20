"""Differences as text, JSON and Markdown: what reaches them first, and never more than fits."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.checks.changes.differences import as_json, as_markdown, as_text
from assetdb.query.differences import compared_revisions
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git
from tests.assetdb.unity_project import make_project
from tests.needs import needs_git

if TYPE_CHECKING:
    from collections.abc import Iterator
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
