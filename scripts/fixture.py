"""The fixture project of this checkout, without what was baked in it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final

from scripts.programs import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

FIXTURE: Final = CHECKOUT / "fixtures" / "unity_project"
GOLDEN: Final = CHECKOUT / "fixtures" / "golden"
_GENERATED: Final = "Library"  # the README's first command writes its database there


def copy_fixture(target: Path) -> Path:
    """Copy the fixture project to a new folder, which is returned."""
    return shutil.copytree(FIXTURE, target, symlinks=True, ignore=shutil.ignore_patterns(_GENERATED))


def fixture_files() -> list[Path]:
    """Return the files of the fixture project, sorted."""
    files = (path for path in FIXTURE.rglob("*") if path.is_file())
    return sorted(path for path in files if path.relative_to(FIXTURE).parts[0] != _GENERATED)
