"""Groups of findings with one cause, and their order of importance."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.counting import counted
from assetdb.checks.rules import LFS_POINTER
from assetdb.diagnostics.codes import ERROR, NOTE, SEVERITIES, WARNING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb.checks.findings.finding import Finding

# The message of assetdb.checks.findings.references about an override without a target; other findings of an instance
# (BoatAttack: values that refer to an absent file) are grouped by target.
_OVERRIDES: Final = "overrides "
_GONE: Final = ", which no longer exists"
_SOURCE: Final = re.compile(rf"{_OVERRIDES}.* of (?:.*/)?([^/]+){_GONE}$")

_RANKS: Final = {severity: rank for rank, severity in enumerate(SEVERITIES)}
_FEW: Final = 3  # this many files with one cause are listed individually


class Group(NamedTuple):
    """Findings of one code and severity with one cause.

    Attributes:
        findings: at least one, in their order; the first represents all.
        is_instance: whether they are overrides of one instance of a prefab.
    """

    findings: tuple[Finding, ...]
    is_instance: bool

    @property
    def first(self) -> Finding:
        """The finding that represents the group."""
        return self.findings[0]

    @property
    def text(self) -> str:
        """The message, with the object, and how often."""
        first = self.first
        count = len(self.findings)
        if count == 1:
            return first.text
        if first.code == LFS_POINTER:
            return self._pointers()
        if self.is_instance:
            return f"{first.object_path}: {self._overrides()}" if first.object_path else self._overrides()
        files = len({finding.path for finding in self.findings})
        where = f"in {files:,} files" if files > 1 else "in this file"
        return f"{first.text} ({count:,} like this {where})"

    def _pointers(self) -> str:
        files = sum(not finding.target for finding in self.findings)
        references = len(self.findings) - files
        lead = f"{references:,} reference{'s lead' if references > 1 else ' leads'} to Git LFS pointers"
        if not files:
            return f"{lead}: git lfs pull"
        is_one = files == 1
        counted = f"{files:,} file{' is a Git LFS pointer' if is_one else 's are Git LFS pointers'}"
        return f"{counted}{f', {lead}' if references else ''}: git lfs pull"

    def _overrides(self) -> str:
        objects = len({finding.target for finding in self.findings})
        source = _SOURCE.match(self.first.message)
        of = f" of {source.group(1)}" if source else ""
        return f"{len(self.findings):,} overrides of {counted(objects, 'gone object')}{of}"


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return errors, warnings and notes, each in their order."""
    return sorted(findings, key=lambda finding: _RANKS[finding.severity])


class Causes:
    """Findings by their causes, which may be grouped more than once."""

    def __init__(self, findings: Iterable[Finding], *, by_file: bool = False) -> None:
        """Find the causes; ``by_file`` of one file each, except Git LFS pointers."""
        self._rows = worst_first(findings)
        self._overrides = list(map(_is_override, self._rows))
        causes = list(map(_cause, self._rows, self._overrides))
        if by_file:
            causes = [
                cause if finding.code == LFS_POINTER else (*cause, finding.path)
                for cause, finding in zip(causes, self._rows, strict=True)
            ]
        by_cause: dict[tuple[object, ...], list[Finding]] = {}
        self._of_one_cause = [by_cause.setdefault(cause, []) for cause in causes]
        for finding, same in zip(self._rows, self._of_one_cause, strict=True):
            same.append(finding)

    def groups(self, few: int = _FEW) -> list[Group]:
        """Return the groups; up to ``few`` findings of one cause stay alone."""
        found = []
        for finding, same, is_instance in zip(self._rows, self._of_one_cause, self._overrides, strict=True):
            if not is_instance and len(same) <= few:
                found.append(Group((finding,), is_instance))
            elif same[0] is finding:
                found.append(Group(tuple(same), is_instance))
        return found


def grouped(findings: Iterable[Finding], *, few: int = _FEW, by_file: bool = False) -> list[Group]:
    """Return the groups of findings, errors first, else in order.

    Overrides of one instance form a group (BoatAttack's arrows have 55 of one missing object), and so do other findings
    if more than ``few`` refer to one asset, or to nothing with the same message; ``by_file`` only findings of one file,
    except Git LFS pointers.
    """
    return Causes(findings, by_file=by_file).groups(few)


def ranked(groups: Sequence[Group]) -> list[int]:
    """Return the positions of the groups, most worth showing first.

    The first group of each code precedes the second of any, so that 240 findings of one code do not hide the only one
    of another, and the first of each file precedes its second. All errors precede the second warning of a code, and
    notes come last.
    """
    of_kind: Counter[tuple[str, ...]] = Counter()
    in_file: Counter[tuple[str, ...]] = Counter()
    order: list[tuple[int, int, int, int]] = []
    for number, group in enumerate(groups):
        kind = (group.first.severity, group.first.code)
        place = (*kind, group.first.path)
        severity = group.first.severity
        rank = SEVERITIES.index(severity) if severity == NOTE or of_kind[kind] else 0
        order.append((rank, in_file[place], of_kind[kind], number))
        of_kind[kind] += 1
        in_file[place] += 1
    return [row[-1] for row in sorted(order)]


def by_severity(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """Yield the errors, the warnings and the notes."""
    for severity in (ERROR, WARNING, NOTE):
        yield [finding for finding in findings if finding.severity == severity]


def _is_override(finding: Finding) -> bool:
    if not finding.anchor or not finding.target:
        return False
    return finding.message.startswith(_OVERRIDES) and finding.message.endswith(_GONE)


def _cause(finding: Finding, is_override: bool) -> tuple[object, ...]:  # noqa: FBT001 - given by a map
    kind = (finding.severity, finding.code)
    if finding.code == LFS_POINTER:  # one cause for all: the files were not fetched
        return kind
    if is_override:
        return (*kind, finding.path, finding.anchor)
    return (*kind, finding.target_guid or finding.message)
