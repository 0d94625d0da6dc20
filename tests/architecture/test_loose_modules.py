"""Modules lie in folders that say what they are; few stand beside the public ones."""

from __future__ import annotations

from tests.architecture.imports import CHECKOUT, SOURCES

PUBLIC = {"__init__", "__main__", "diagnostics", "errors", "version"}
MOST_LOOSE = 3
MOST_TOGETHER = 12
MORE = {"features": 14}  # of the language server: a module for each kind of request


def test_few_modules_stand_in_no_folder() -> None:
    loose = {path.stem for path in (CHECKOUT / "assetdb").glob("*.py")} - PUBLIC
    assert len(loose) <= MOST_LOOSE, sorted(loose)


def test_no_module_is_a_bucket() -> None:
    names = {"utils", "util", "helpers", "helper", "manager", "misc", "common"}
    paths = (path for package, place in SOURCES.items() for path in (place / package).rglob("*"))
    assert not [str(path) for path in paths if path.stem in names], "call these by their subject"


def test_a_folder_has_few_modules() -> None:
    """Of the subject that its name says; what is more is a folder of its own."""
    folders = [path.parent for package, place in SOURCES.items() for path in (place / package).rglob("__init__.py")]
    counts = {folder: len(list(folder.glob("*.py"))) - 1 for folder in folders}
    assert not {folder.name: count for folder, count in counts.items() if count > MORE.get(folder.name, MOST_TOGETHER)}
