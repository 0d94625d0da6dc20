"""Manifest, lock file and packages in the project that contradict each other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.checks.rules.packages.locks import find_contradictions, find_invalid_needs
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST, LOCK = "Packages/manifest.json", "Packages/packages-lock.json"
PACKAGE = "Packages/com.acme.own/package.json"


def entry(version: str, source: str = "registry", depth: int = 0) -> dict[str, Any]:
    return {"version": version, "depth": depth, "source": source}


def project(root: Path, asked: str, locked: dict[str, Any] | None, needs: dict[str, Any] | None = None) -> Path:
    (root / "Packages/com.acme.own").mkdir(parents=True)
    (root / MANIFEST).write_text(asked)
    if locked is not None:
        (root / LOCK).write_text(json.dumps({"dependencies": locked}, indent=1))
    if needs is not None:
        (root / PACKAGE).write_text(json.dumps({"name": "com.acme.own", "dependencies": needs}, indent=1))
    return root


@pytest.mark.parametrize(
    ("wanted", "locked", "is_found"),
    [
        ("1.2.3", entry("1.2.3"), False),
        ("1.2.3", entry("1.10.0"), False),  # another package requires it
        ("1.10.0", entry("1.9.9"), True),
        ("1.0.0", entry("1.0.0-preview.2"), True),
        ("1.0.0-preview.10", entry("1.0.0-preview.9"), True),
        ("1.0.0-preview.9", entry("1.0.0-preview.10"), False),
        ("1.0.0", entry("file:com.acme.x", "embedded"), False),
        ("9.0.0", entry("14.0.8", "builtin"), False),
        ("14.0.9", entry("14.0.8", "builtin"), False),  # the editor's own counts
        ("https://example.org/a.git#v2", entry("https://example.org/a.git#v1", "git"), True),
        ("https://example.org/a.git#v2", entry("https://example.org/a.git#v2", "git"), False),
        ("file:../a", entry("file:../b", "local"), True),
        ("https://example.org/a.git", entry("1.0.0"), True),  # no versions, of which one is later
        ("1.0.0", entry("https://example.org/a.git", "git"), True),
        ("1.0.0", entry("1.0.0+build.7"), False),  # which is no later one, and no earlier
        ("1.0.0", None, True),
        ("file:../a", None, False),
        ("exclude", None, False),
        ("exclude", entry("1.0.0"), False),  # a package of the editor that the project does without
        ("1.0.0", {"version": 7}, False),  # which is told elsewhere
    ],
)
def test_a_lock_has_what_the_manifest_requests(
    tmp_path: Path,
    wanted: str,
    locked: dict[str, Any] | None,
    is_found: bool,  # noqa: FBT001 - a row
) -> None:
    rows = {"com.b.other": entry("1.0.0", depth=1), **({"com.a.x": locked} if locked is not None else {})}
    root = project(tmp_path / "Game", f'{{"dependencies": {{\n"com.a.x": "{wanted}"}}}}', rows)
    found = [(row.path, row.line, row.property_path) for row in found_by(find_contradictions, root)]
    assert found == ([(MANIFEST, 2, "dependencies.com.a.x")] if is_found else [])


def test_what_is_no_text_requests_nothing_that_a_lock_contradicts(tmp_path: Path) -> None:
    root = project(tmp_path / "Game", '{"dependencies": {"a": 1, "b": null}}', dict.fromkeys("ab", entry("1.0.0")))
    assert not list(found_by(find_contradictions, root))


def test_a_package_that_is_locked_twice(tmp_path: Path) -> None:
    root = project(tmp_path / "Game", '{"dependencies": {"a": "1.0.0"}}', None)
    rows = [f'"a": {json.dumps(entry(version))}' for version in ("2.0.0", "1.0.0")]
    (root / LOCK).write_text('{"dependencies": {\n' + ",\n".join(rows) + "}}")
    found = [(row.path, row.line, row.message) for row in found_by(find_contradictions, root)]
    assert found == [(LOCK, 3, "a is locked twice: the last entry counts")]


def test_a_lock_has_nothing_that_the_manifest_lost(tmp_path: Path) -> None:
    locked = {"a": entry("1.0.0"), "b": entry("1.0.0", depth=1), "c": entry("file:c", "embedded")}
    root = project(tmp_path / "Game", '{"dependencies": {}}', locked)
    assert [(row.path, row.target) for row in found_by(find_contradictions, root)] == [(LOCK, "a")]


def test_a_need_of_another_package_is_not_the_line_of_a_locked_one(tmp_path: Path) -> None:
    locked = {"a": {**entry("1.0.0", depth=1), "dependencies": {"b": "1.0.0"}}, "b": entry("1.0.0")}
    root = project(tmp_path / "Game", '{"dependencies": {}}', locked)
    (found,) = found_by(find_contradictions, root)
    lines = (root / LOCK).read_text().splitlines()
    assert (found.target, lines[found.line - 1].strip()) == ("b", '"b": {')


def test_half_a_surrogate_pair_may_be_in_a_name(tmp_path: Path) -> None:
    root = project(tmp_path / "Game", '{"dependencies": {\n"\\ud800": "1.0.0",\n"\\ud800": "1.0.0"}}', None)
    (found,) = found_by(find_contradictions, root)
    assert (found.line, found.target) == (3, "\ud800")


def test_lines_count_from_the_first_byte(tmp_path: Path) -> None:
    root = project(tmp_path / "Game", '\n{"dependencies": {"a": "1.0.0",\n"a": "1.0.0"}}', None)
    assert [row.line for row in found_by(find_contradictions, root)] == [3]


def test_a_package_that_is_requested_twice(tmp_path: Path) -> None:
    root = project(tmp_path / "Game", '{"dependencies": {\n"a": "1.0.0",\n"b": "1.0.0",\n"a": "2.0.0"}}', None)
    (found,) = found_by(find_contradictions, root)
    assert (found.line, found.message) == (4, "a is requested twice: the last version counts, '2.0.0'")


@pytest.mark.parametrize("text", ["", "[]", '{"dependencies": []}', "{" * 5000, "\ufeff{}"])
def test_what_cannot_be_read_contradicts_nothing(tmp_path: Path, text: str) -> None:
    assert not list(found_by(find_contradictions, project(tmp_path / "Game", text, {"a": entry("1.0.0")})))


def test_requirements_of_a_package_in_the_project(tmp_path: Path) -> None:
    needs = {"a": "1.0.0", "b": "1.0.0", "com.acme.own": "1.0.0", "c": "https://example.org/c.git", "d": 3}
    root = project(tmp_path / "Game", '{"dependencies": {"a": "1.0.0"}}', {"a": entry("1.0.0")}, needs)
    assert [row.target for row in found_by(find_contradictions, root)] == ["b"]
    assert [(row.path, row.target) for row in found_by(find_invalid_needs, root)] == [(PACKAGE, "c"), (PACKAGE, "d")]


def test_without_a_lock_a_requirement_may_be_anywhere(tmp_path: Path) -> None:
    root = project(tmp_path / "Game", '{"dependencies": {}}', None, {"b": "1.0.0"})
    assert not list(found_by(find_contradictions, root))
