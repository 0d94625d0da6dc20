"""Objects and properties of a page's references are those that ``usages --objects`` prints."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from scripts.fixture import copy_fixture
from tests.assetdb.unity_project import make_project
from tests.report_page import read_page

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("make", [copy_fixture, make_project])
def test_places_are_those_of_usages(
    make: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(make)
    make(tmp_path / "P")
    monkeypatch.chdir(tmp_path / "P")
    assert main(["report", "-q", "--objects"]) == 0
    page = read_page(tmp_path / "P" / "report.html")
    places = page.facts["places"]
    texts = places["texts"]
    pairs = [(user, target) for user, targets in enumerate(page.needs) for target in targets]
    found = {
        (page.paths[user], target): (texts[object_], texts[property_], count)
        for (user, target), object_, property_, count in zip(
            pairs, places["object"], places["property"], places["count"], strict=True
        )
    }
    assert found
    for target in {target for _, target in pairs if page.paths[target].startswith("Assets/")}:
        capsys.readouterr()
        assert main(["usages", page.paths[target], "--objects", "--json", "-q"]) == 0
        rows = json.loads(capsys.readouterr().out)["objects"]
        for user in {user for user, other in pairs if other == target}:
            path = page.paths[user]
            sites = [row for row in rows if row["path"] in (path, f"{path}.meta")]
            named, property_, count = found[path, target]
            assert count == len(sites)
            if sites:
                first = sites[0]
                assert property_ == " = ".join(filter(None, (first["property"], first["override"])))
                assert named.endswith(f"({first['class']})" if first["class"] else "")
                assert named.startswith(first["object_name"].partition(" / ")[0]) or first["hierarchy"]


def test_without_the_option_no_file_is_read_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["report", "-q"]) == 0
    assert read_page(tmp_path / "report.html").facts["places"] is None
