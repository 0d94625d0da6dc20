"""Rules: what neither a file nor a reference shows by itself. One row here for each, one module a subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.checks.finding import Finding
    from assetdb.query.snapshot import Snapshot


class Rule(NamedTuple):
    """One rule.

    Attributes:
        codes: what it may find.
        find: yields its findings.
    """

    codes: tuple[str, ...]
    find: Callable[[Snapshot], Iterator[Finding]]


RULES: Final[tuple[Rule, ...]] = ()
