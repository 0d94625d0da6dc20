"""Compare what `trace` says of a player's objects with Unity's own report of the build.

    python -m scripts.oracle.build_reports PROJECT PLAYER [--report FILE]

Counted are the rows of the report that the player has: with the report each must be said exactly; with the report
withheld a tie must not contradict it. The project is copied to a temporary folder first, for a bake writes there.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from assetdb.builds import open_build
from assetdb.builds.reports.finding import reports_near
from assetdb.builds.reports.tying import reports_of
from assetdb.builds.trace.traced import BUILT_IN, EXACT, NONE, TIED
from assetdb.builds.trace.tracer import Tracer
from assetdb.query.snapshots.snapshot import open_project
from scripts.arguments import Given, script
from scripts.programs import copied

if TYPE_CHECKING:
    from assetdb.builds.trace.traced import Traced
    from assetdb_formats.unityfs.build_report import PackedObject

OF_UNITY = "0" * 15


class Compared(NamedTuple):
    """The rows of a report beside the answers.

    Attributes:
        wrong: rows that are answered otherwise although the report is given.
        contradictions: rows whose answer without the report names another asset.
        without: how many rows have which certainty without the report.
    """

    rows: int
    wrong: list[tuple[PackedObject, Traced]]
    contradictions: list[tuple[PackedObject, Traced]]
    without: Counter[str]


def compared(project: Path, player: Path, report: str) -> Compared | str:
    """Trace all rows of a report, with it and without; or return why it is not used.

    The project is written to.
    """
    found = open_project(str(project))
    found.refresh()
    build = open_build(player, remember=False)
    reports = reports_of(build, [str(player)], str(project), report)
    if reports.used is None:
        return reports.problem()
    given, withheld = Tracer(build, found, reports=reports), Tracer(build, found)
    answer = Compared(len(reports.used.rows), [], [], Counter())
    for number, row in reports.used.rows.items():
        with_it, without = given.back(number), withheld.back(number)
        if not _is_said(row, with_it):
            answer.wrong.append((row, with_it))
        if not _is_possible(row, without):
            answer.contradictions.append((row, without))
        answer.without[without.certainty] += 1
    return answer


def _is_said(row: PackedObject, traced: Traced) -> bool:
    if not row.guid:
        return traced.certainty == NONE
    if row.guid.startswith(OF_UNITY):
        return traced.certainty == BUILT_IN
    return traced.certainty == EXACT and [source.guid for source in traced.sources] == [row.guid]


def _is_possible(row: PackedObject, traced: Traced) -> bool:
    if traced.certainty == BUILT_IN:
        return row.guid.startswith(OF_UNITY)
    return traced.certainty not in TIED or traced.sources[0].guid == row.guid


@script(__doc__, "project", "player", report="")
def main(given: Given) -> None:
    """Run."""
    report = given.report or next(iter(reports_near([str(given.player)], str(given.project))), "")
    if not report:
        sys.exit("there is no report beside the player or in the project's Library")
    with tempfile.TemporaryDirectory() as temporary:
        root = copied(given.project, Path(temporary) / "project")
        found = compared(root, given.player.absolute(), report)
    if isinstance(found, str):
        sys.exit(found)
    for what, rows in (("wrong", found.wrong), ("contradicted", found.contradictions)):
        for row, traced in rows:
            print(f"{what}: {row}: {traced}")
    without = ", ".join(f"{count:,} {name}" for name, count in found.without.most_common())
    print(f"{found.rows:,} rows: {len(found.wrong):,} wrong with the report")
    print(f"without it: {without}; {len(found.contradictions):,} contradictions")
    if found.wrong or found.contradictions:
        sys.exit(1)
