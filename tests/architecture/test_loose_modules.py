"""Modules lie in folders that say what they are; few stand beside the public ones."""

from __future__ import annotations

from tests.architecture.imports import CHECKOUT, SOURCES

PUBLIC = {"__init__", "__main__", "diagnostics", "errors", "version"}
MOST_LOOSE = 3
MOST_IN_A_FOLDER = 12


def test_few_modules_stand_in_no_folder() -> None:
    loose = {path.stem for path in (CHECKOUT / "assetdb").glob("*.py")} - PUBLIC
    assert len(loose) <= MOST_LOOSE, sorted(loose)


def test_formats_has_no_bucket() -> None:
    names = {path.stem for package, place in SOURCES.items() for path in (place / package).rglob("*")}
    assert not names & {"utils", "util", "helpers", "helper", "manager", "misc", "common"}


def test_a_folder_of_commands_has_few_modules() -> None:
    """Of the subject that its name says; what is more is a folder of its own."""
    root = CHECKOUT / "assetdb" / "cli"
    folders = [root, *(path for path in root.rglob("*") if path.is_dir() and path.name != "__pycache__")]
    counts = {str(folder.relative_to(root)): len(list(folder.glob("*.py"))) for folder in folders}
    assert not {folder: count for folder, count in counts.items() if count > MOST_IN_A_FOLDER}
