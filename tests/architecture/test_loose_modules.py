"""Modules lie in folders that say what they are; few stand beside the public ones."""

from __future__ import annotations

from tests.architecture.imports import CHECKOUT, SOURCES

PUBLIC = {"__init__", "__main__", "diagnostics", "errors", "version"}
MOST_LOOSE = 3
MOST_TOGETHER = 12


def test_few_modules_stand_in_no_folder() -> None:
    loose = {path.stem for path in (CHECKOUT / "assetdb").glob("*.py")} - PUBLIC
    assert len(loose) <= MOST_LOOSE, sorted(loose)


def test_formats_has_no_bucket() -> None:
    names = {path.stem for package, place in SOURCES.items() for path in (place / package).rglob("*")}
    assert not names & {"utils", "util", "helpers", "helper", "manager", "misc", "common"}


def test_folders_of_formats_have_few_modules() -> None:
    folders = [path.parent for path in (SOURCES["assetdb_formats"] / "assetdb_formats").rglob("__init__.py")]
    many = {folder.name: found for folder in folders if (found := len(list(folder.glob("*.py"))) - 1) > MOST_TOGETHER}
    assert not many
