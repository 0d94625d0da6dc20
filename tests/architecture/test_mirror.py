"""``tests/`` mirrors the folders of the sources; what runs whole programs lies in ``tests/system``."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING

from tests.architecture.imports import CHECKOUT, OURS, SOURCES, modules, source, text_of
from tests.architecture.unnamed_modules import UNNAMED

if TYPE_CHECKING:
    import pytest

ELSEWHERE = {"architecture", "editor", "system"}
# Of a folder as a whole, and not of one module in it: its guide, its real files, what damaged ones do, its library.
OF_A_FOLDER = ("test_docs", "test_corpus", "test_hostile", "test_library", "test_odd_inputs", "test_archives")
TESTS = [
    path.relative_to(CHECKOUT / "tests")
    for folder in OURS
    for path in sorted((CHECKOUT / "tests" / folder).rglob("test_*.py"))
]


def test_tests_lie_in_a_folder_of_the_sources_or_in_one_of_these() -> None:
    folders = {path.name for path in (CHECKOUT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == {*OURS, *ELSEWHERE}
    assert not list((CHECKOUT / "tests").glob("test_*.py"))


def test_a_test_lies_where_its_module_lies() -> None:
    assert not {str(path) for path in TESTS if not (SOURCES[path.parts[0]] / path.parent).is_dir()}


def test_no_folder_of_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    """The tests of ``assetdb build`` were, by pytest's own list of names: no run of all had them."""
    passed_over: list[str] = pytestconfig.getini("norecursedirs")
    folders = {part for path in (CHECKOUT / "tests").rglob("test_*.py") for part in path.relative_to(CHECKOUT).parts}
    assert not {name for name in folders if any(fnmatch(name, pattern) for pattern in passed_over)}


def test_most_tests_are_called_as_their_module() -> None:
    """A file is named for a module of its folder; the others are of the folder as a whole."""
    modules = {
        path: {
            found.stem for found in (SOURCES[path.parts[0]] / path).iterdir() if found.suffix == ".py" or found.is_dir()
        }
        for path in {path.parent for path in TESTS}
    }
    other = [
        str(path)
        for path in TESTS
        if path.stem not in OF_A_FOLDER
        and not any(path.stem.removeprefix("test_").startswith(name) for name in modules[path.parent])
    ]
    assert len(other) <= len(TESTS) // 4, other


SHORT = 60
"""Lines of a module that needs no test file of its own."""
MOST_UNNAMED = 95
"""Modules without one; when the list shrinks, this does."""


def unnamed() -> list[tuple[str, str]]:
    """Return room and name of each longer module that no test file beside its place is named for."""
    found = []
    for module in (name for package in OURS for name in modules(package)):
        path = source(module)
        if path.stem == "__init__" or text_of(module).count("\n") <= SHORT:
            continue
        folder = CHECKOUT / "tests" / path.relative_to(SOURCES[module.partition(".")[0]]).parent
        names = {test.stem.removeprefix("test_") for test in folder.glob("test_*.py")}
        if not any(name == path.stem or name.startswith(f"{path.stem}_") for name in names):
            found.append((".".join(module.split(".")[:-1][:2]), path.stem))
    return found


def test_a_module_has_a_test_file_of_its_name_or_a_reason() -> None:
    listed = {(room, name) for rooms in UNNAMED.values() for room, names in rooms.items() for name in names.split()}
    found = unnamed()
    new, gone = sorted(set(found) - listed), sorted(listed - set(found))
    assert not new, "give each of these a test file of its name, in the folder of tests/ that mirrors its own"
    assert not gone, "these have one: take them from tests/architecture/unnamed_modules.py"
    assert len(found) <= MOST_UNNAMED
