"""Budgets beside the sizes of a build: excesses and their causes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.settings.budgets import ASSEMBLY, DOWNLOAD, FOLDER, SINGLE
from assetdb_formats.globs import name_matcher

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from assetdb.builds.budgets.measuring import Measure
    from assetdb.settings.budgets import Budget

MOST_CAUSES: Final = 10
"""How many causes of an excess are told."""


class Cause(NamedTuple):
    """An asset or objects of one name that take the bytes.

    Attributes:
        name: a path, or class and name.
        before: bytes in the build that is compared with, None without one, or where that has none of it.
        by: what brought it into the build.
    """

    name: str
    size: int
    before: int | None
    by: str


class Verdict(NamedTuple):
    """A budget, and something that it limits.

    Attributes:
        name: of the part, group, ...; ``""`` of the whole.
        before: the size in the build that is compared with, None without one.
        causes: if it is too large, what grew most, or without another build the largest.
    """

    budget: Budget
    name: str
    size: int
    before: int | None
    allowed: int
    causes: tuple[Cause, ...] = ()

    @property
    def over(self) -> int:
        """By how much it is too large, 0 if it is not."""
        return max(self.size - self.allowed, 0)


class Judgement(NamedTuple):
    """All verdicts, and budgets that could not be judged, with the reason."""

    verdicts: tuple[Verdict, ...]
    problems: tuple[str, ...]

    @property
    def exceeded(self) -> list[Verdict]:
        """The verdicts on exceeded limits, the worst first."""
        return sorted((row for row in self.verdicts if row.over), key=lambda row: (-row.over, row.budget.key, row.name))


def judge(
    budgets: Iterable[Budget], now: Measure, before: Measure | None = None, downloads: Mapping[str, int] | None = None
) -> Judgement:
    """Judge a build.

    Args:
        budgets: of the project.
        now: the build.
        before: the build that it is compared with, if any.
        downloads: bytes of an update from that build, by part.
    """
    verdicts: list[Verdict] = []
    problems: list[str] = []
    for budget in budgets:
        if before is None and (budget.limit.more or budget.kind == DOWNLOAD):
            problems.append(f"{budget.key}: needs another build to compare with (--against)")
            continue
        is_download = budget.kind == DOWNLOAD
        rows = [("", sum((downloads or {}).values()), 0)] if is_download else list(_limited(budget, now, before))
        if not rows:
            problems.append(f"{budget.key}: the build has no {budget.kind} of this name, so nothing holds it")
        for name, size, old in rows:
            former = None if before is None or is_download else old
            verdict = Verdict(budget, name, size, former, budget.limit.allowed(old))
            if verdict.over:
                found = _largest(downloads or {}) if is_download else _causes(budget.kind, name, now, before)
                verdict = verdict._replace(causes=found)
            verdicts.append(verdict)
    return Judgement(tuple(verdicts), tuple(problems))


def _limited(budget: Budget, now: Measure, before: Measure | None) -> Iterator[tuple[str, int, int]]:
    """Yield name, size and former size of all that a budget limits."""
    if budget.kind == FOLDER:
        folder = budget.pattern.rstrip("/")
        size = now.folder(folder)
        if size is not None:
            yield folder, size, (before.folder(folder) or 0) if before is not None else 0
        return
    former = before.sizes(budget.kind) if before is not None else {}
    # `build info` lists Assembly-CSharp.dll, a label of Unity has no ending.
    pattern = budget.pattern.removesuffix(".dll") if budget.kind == ASSEMBLY else budget.pattern
    is_meant = name_matcher(pattern) if budget.kind not in SINGLE else (lambda _: True)
    for name, size in now.sizes(budget.kind).items():
        if is_meant(name) or is_meant(name.rpartition("/")[2]):
            yield name, size, former.get(name, 0)


def _causes(kind: str, name: str, now: Measure, before: Measure | None) -> tuple[Cause, ...]:
    found = now.contents(kind, name)
    former = before.contents(kind, name) if before is not None else {}
    grown = {key: item.size - (former[key].size if key in former else 0) for key, item in found.items()}
    if not any(more > 0 for more in grown.values()):  # it was too large before
        grown = {key: item.size for key, item in found.items()}
    worst = sorted((key for key, more in grown.items() if more > 0), key=lambda key: (-grown[key], key))
    return tuple(
        Cause(key, found[key].size, former[key].size if key in former else None, now.pulled_in_by(found[key]))
        for key in worst[:MOST_CAUSES]
    )


def _largest(downloads: Mapping[str, int]) -> tuple[Cause, ...]:
    rows = sorted((row for row in downloads.items() if row[1]), key=lambda row: (-row[1], row[0]))
    return tuple(Cause(name, size, None, "") for name, size in rows[:MOST_CAUSES])
