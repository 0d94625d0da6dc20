"""All findings of a project: files, references, settings and lists.

>>> from assetdb.query.snapshots.snapshot import open_project
>>> report = check_project(open_project("fixtures/unity_project"), Selection())
>>> for finding in report.findings[:1]:
...     print(finding.path, finding.line, finding.code, finding.message)
Assets/Documents/Headless.asset 1 broken-asset the file is not readable
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.checks.findings.codes import MISSING, REFERENCE_CODES, fixable_codes
from assetdb.checks.findings.files import file_findings
from assetdb.checks.findings.finding import Finding, decode_findings, encode_findings
from assetdb.checks.findings.guid_owners import with_owners
from assetdb.checks.findings.judged import VERSION as VERSION_OF_REFERENCES
from assetdb.checks.findings.judged import findings_of_judged, judged_findings, key_of
from assetdb.checks.findings.selection import Selection
from assetdb.checks.left_out import with_left_out
from assetdb.checks.rules import RULES
from assetdb.memo.memo import Codec, memo_of
from assetdb.settings.project import asset_file
from assetdb.system.cancelling import check_cancelled
from assetdb.unity.settings.editor_version import VERSION_FILE, unity_version, version_of
from assetdb_formats.processes import can_fork

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from assetdb.checks.rules import Rule
    from assetdb.checks.verdicts.judging import JudgedProject
    from assetdb.diagnostics import Diagnostic
    from assetdb.history.git.questions import Held
    from assetdb.memo.inputs import Inputs
    from assetdb.query.snapshots.snapshot import Snapshot

_PLACE: Final = attrgetter("path", "line", "code", "property_path", "message")
_UNMERGED: Final = "conflict-markers"
_CODEC: Final = Codec(encode_findings, decode_findings)
_FEW = 500  # assets, up to which one process is as fast; not final, since tests lower it
__all__ = ["Report", "Selection", "check_project"]


class Report(NamedTuple):
    """The findings of a check.

    Attributes:
        findings: by path, line and code.
        codes: all that were checked, by name.
        statistics: how many findings there are, by code.
        held: known former owners of GUIDs that a change removed.
        absent: files of a revision that a partial clone lacks.
        is_sure: whether no file is absent, on which findings could depend.
    """

    findings: tuple[Finding, ...]
    codes: tuple[str, ...]
    statistics: dict[str, int]
    held: Mapping[str, Held] = MappingProxyType({})
    absent: tuple[str, ...] = ()
    is_sure: bool = True


def check_project(
    project: Snapshot,
    selection: Selection,
    *,
    workers: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
    judged: JudgedProject | None = None,
    rules: Callable[[Rule], bool] | None = None,
) -> Report:
    """Return the findings of a project that are selected.

    Args:
        project: as it is.
        selection: which codes, where.
        workers: how many processes may judge references.
        on_progress: called periodically with the files judged and the total.
        judged: the references that count, already judged; None: all are judged.
        rules: whether a rule is asked; None: all are.

    Raises:
        AssetdbError, OSError: the project cannot be read, or a pattern is invalid.
    """
    project.refresh()
    codes = selection.codes()
    wanted = frozenset(codes)
    # A list, so that the traceback of a rule does not lead through the functions that choose and sort.
    every = list(_all(project, wanted, workers, on_progress, judged, rules))
    chosen = selection.chosen(with_owners(project, every))
    found = map(partial(_with_fix, project.root), chosen)
    report = report_of(tuple(with_left_out(project.root, in_order(found))), codes)
    return report._replace(absent=project.absent, is_sure=not project.absent)


def digest_of_findings(project: Snapshot, selection: Selection) -> str:
    """Return a digest of a project's findings, or ``""``.

    ``""`` if not all of them are known and current. Projects with equal digests have equal findings; details on disk
    that no finding depends on (where empty folders end) make no difference.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    memo = memo_of(project)
    inputs = memo.inputs(project)
    digests = [memo.digest(inputs, *key) for key in answers_of(selection.codes())]
    return repr((digests, sorted(map(repr, _diagnostics(project))), selection)) if all(digests) else ""


def answers_of(codes: Iterable[str]) -> list[tuple[str, str]]:
    """Return key and version of the derived answers that have some codes."""
    wanted = frozenset(codes)
    keys = [(rule.key, rule.version) for rule in RULES if rule.code in wanted]
    if not wanted.isdisjoint(REFERENCE_CODES):
        keys.append((key_of(wanted.intersection(REFERENCE_CODES)), VERSION_OF_REFERENCES))
    return keys


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by path, line and code."""
    return sorted(findings, key=_PLACE)


def report_of(findings: tuple[Finding, ...], codes: tuple[str, ...]) -> Report:
    """Return the report of some findings, in their order."""
    counts = Counter(map(attrgetter("code"), findings))
    return Report(findings, codes, dict(sorted(counts.items())))


def _all(
    project: Snapshot,
    wanted: frozenset[str],
    workers: int,
    on_progress: Callable[[int, int], None] | None,
    judged: JudgedProject | None,
    asked: Callable[[Rule], bool] | None,
) -> Iterator[Finding]:
    """Yield the findings of everything that may have one of the codes."""
    for finding in file_findings(project.root, _diagnostics(project), wanted):
        if finding.code == _UNMERGED:
            from assetdb.checks.changes.unmerged import conflict_findings  # noqa: PLC0415 - most projects have none

            yield from conflict_findings(project, finding)
        else:
            yield finding
    memo = memo_of(project)
    inputs = memo.inputs(project)
    rules = [rule for rule in _rules_of(wanted) if asked is None or asked(rule)]
    codes = wanted.intersection(REFERENCE_CODES)
    judge = partial(judged_findings, inputs, codes, workers=workers, on_progress=on_progress)
    if judged is not None:
        yield from rule_findings(inputs, rules)
        yield from findings_of_judged(project, codes, judged)
    elif codes and workers > 1 and _is_first(inputs, rules, codes):
        yield from _found_at_once(inputs, rules, partial(judge, beside=True))
    else:
        yield from rule_findings(inputs, rules)
        yield from judge() if codes else ()
    memo.write_if_due()


def _is_first(inputs: Inputs, rules: Sequence[Rule], codes: Collection[str]) -> bool:
    """Whether nothing is known of the many files on the disk."""
    if not rules or inputs.listing is None or len(inputs.project.database) < _FEW or not can_fork():
        return False
    memo = memo_of(inputs.project)
    keys = [(rule.key, rule.version) for rule in rules]
    return not any(memo.is_known(*key) for key in (*keys, (key_of(codes), VERSION_OF_REFERENCES)))


def _found_at_once(inputs: Inputs, rules: Sequence[Rule], judge: Callable[[], list[Finding]]) -> Iterator[Finding]:
    """Yield all findings; another process asks the rules."""
    from assetdb.checks.verdicts.processing import share_out  # noqa: PLC0415 - where nothing changed it is not needed

    memo, losses = memo_of(inputs.project), inputs.project.losses

    def part(number: int) -> Any:  # noqa: ANN401 - the parts have different results
        if number == 0:
            return judge()
        _derive(inputs, rules)
        return memo.handed() if losses.has_answered else None

    judged, handed = share_out(part, 2)
    if handed is None:  # this process is to know that git could not tell all
        yield from rule_findings(inputs, rules)
    else:
        memo.take(handed)
        for rule in rules:
            yield from _handed(inputs, rule)
    yield from judged


def _handed(inputs: Inputs, rule: Rule) -> Iterable[Finding]:
    """Return the findings of a rule that another process has derived.

    Also findings in files that were written a moment ago, which the memo does not keep as current.
    """
    packed = memo_of(inputs.project).kept(rule.key)
    return rule_findings(inputs, [rule]) if packed is None else decode_findings(packed)


def derive_rules(project: Snapshot, selection: Selection, asked: Callable[[Rule], bool]) -> None:
    """Derive the findings of some selected rules, for questions that follow.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    memo = memo_of(project)
    _derive(memo.inputs(project), filter(asked, _rules_of(frozenset(selection.codes()))))
    memo.write_if_due()


def derive_again(inputs: Inputs, keys: Collection[str]) -> None:
    """Derive the findings of some rules, by the keys of their answers.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    _derive(inputs, [rule for rule in RULES if rule.key in keys])


def _derive(inputs: Inputs, rules: Iterable[Rule]) -> None:
    for _ in rule_findings(inputs, rules):
        pass


def _rules_of(codes: Collection[str]) -> list[Rule]:
    return [rule for rule in RULES if rule.code in codes]


def _diagnostics(project: Snapshot) -> list[Diagnostic]:
    """Return the scan's diagnostics that hold for the project's Unity.

    The scan reads no version, so that its facts about a meta do not depend on it.
    """
    found = project.diagnostics()
    if not any(item.since for item in found):
        return list(found)
    version = unity_version(project.read(VERSION_FILE) or b"")
    return [item for item in found if not item.since or version >= version_of(item.since)]


def rule_findings(inputs: Inputs, rules: Iterable[Rule]) -> Iterator[Finding]:
    """Yield the findings of some rules."""
    memo = memo_of(inputs.project)
    for rule in rules:
        yield from memo.derive(inputs, rule.key, rule.version, rule.find, _CODEC)
        check_cancelled()


def _with_fix(root: str, finding: Finding) -> Finding:
    if finding.code not in fixable_codes or (finding.code == MISSING and not _may_have_meta(root, finding.path)):
        return finding
    return finding._replace(fixable=True)


def _may_have_meta(root: str, path: str) -> bool:
    """Whether a meta is written for a path.

    Not for a pipe, a device or a link; in a mirror, the file behind a link counts.
    """
    from assetdb.system.mirrors import stands_for  # noqa: PLC0415 - most projects have all metas

    place = asset_file(root, path)
    try:
        mode = (stands_for(place) or os.lstat(place)).st_mode
    except OSError:  # gone, or only in a revision: allowed
        return True
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)
