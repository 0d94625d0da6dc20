"""Options of ``assetdb check``."""

from __future__ import annotations

from assetdb.cli.arguments import QueryOptions

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Literal


class CheckOptions(QueryOptions):
    """The options of ``assetdb check``."""

    select: list[str] | None = None
    ignore: list[str] | None = None
    format: Literal["text", "json", "github", "gitlab", "junit", "markdown", "sarif"] = "text"
    output: str | None = None
    baseline: str | None = None
    fix: bool = False
    dry_run: bool = False
    write_baseline: bool = False
    fail_on: Literal["error", "warning"] = "error"
    exit_zero: bool = False
    statistics: bool = False
    packages: bool = False
    strict: bool = False
    staged: bool = False
    since: str | None = None
    merge: str | None = None
    workers: int | None = None

    @property
    def shape(self) -> str:
        """The format of the report."""
        return "json" if self.json else self.format
