"""Summaries with the fields that a test is about, for readers of one table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from assetdb_formats.unreal.packages.summary import read_summary
from assetdb_formats.unreal.versions import PackageVersion
from tests.assetdb_formats.unreal.package_writer import EDITOR, Writer

if TYPE_CHECKING:
    from assetdb_formats.unreal.packages.summary import Summary


@cache
def _plain() -> Summary:
    return read_summary(Writer(-8, 522, 1009).data())


def summary_with(
    version: tuple[int, int] = (522, 1009),
    flags: int = EDITOR,
    /,
    **fields: Any,  # noqa: ANN401 - those of a Summary
) -> Summary:
    """Return the summary of an editor's package of a version, with these fields."""
    return _plain()._replace(version=PackageVersion(*version), package_flags=flags, **fields)
