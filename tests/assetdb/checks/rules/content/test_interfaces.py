"""Paths of UI documents and style sheets, beside the files that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.content.interfaces import find_paths, find_templates
from tests.assetdb.checks.healthy import put
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("Menu.uss", 'a { b: url("here.png"); }', ""),
        ("Menu.uss", 'a { b: url("gone.png"); }', "Assets/UI/gone.png"),
        ("Menu.tss", '\n@import "gone.uss";', "Assets/UI/gone.uss"),
        ("Menu.uss", 'a { b: url("../gone.png"); }', "Assets/gone.png"),
        ("Menu.uss", 'a { b: url("/Assets/UI/here.png"); }', ""),
        ("Menu.uss", 'a { b: url("project://database/Assets/gone.png"); }', "Assets/gone.png"),
        ("Menu.uss", 'a { b: url("../../../gone.png"); }', ""),  # outside of the project
        ("Menu.uss", 'a { b: url("/Packages/com.acme.ui/gone.png"); }', ""),  # which another machine may have
        ("Menu.uxml", '<Style src="gone.uss"/>', "Assets/UI/gone.uss"),
        ("Menu.uxml", '<Style src="here.png"/>', ""),
        ("Menu.txt", 'a { b: url("gone.png"); }', ""),
    ],
)
def test_a_path_that_leads_nowhere_is_told_with_its_line(tmp_path: Path, name: str, text: str, place: str) -> None:
    put(tmp_path, "Assets/UI/here.png", b"\x89PNG")
    put(tmp_path, f"Assets/UI/{name}", text)
    found = [(row.path, row.line, row.target, row.message) for row in found_by(find_paths, tmp_path)]
    line = text.count("\n") + 1
    assert found == ([(f"Assets/UI/{name}", line, place, f"names {place}, which is not there")] if place else [])


def test_an_instance_of_a_template_that_is_not_declared_is_told(tmp_path: Path) -> None:
    text = '<Template name="Row" src="Row.uxml"/>\n<Instance template="Row"/>\n\n<Instance template="Cell"/>\n'
    put(tmp_path, "Assets/Menu.uxml", text)
    (found,) = found_by(find_templates, tmp_path)
    assert (found.path, found.line, found.target) == ("Assets/Menu.uxml", 4, "Cell")
    assert "'Cell'" in found.message
