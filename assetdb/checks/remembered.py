"""Cache of the findings of references, by file.

To make those of unitystation takes 100 ms, as long as it takes to see that nothing changed. A command has them from a
file in the output folder, a daemon from its memory. Where the file is absent, damaged, or of another version, nothing
is remembered.
"""

from __future__ import annotations

import os
from array import array
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.finding import Finding
from assetdb.checks.referring import ABSENT_PACKAGES
from assetdb.checks.verdicts.judging import judge_project, standing_verdicts, verdicts_of
from assetdb.checks.verdicts.sealed import read_sealed, strings_of, texts, write_sealed
from assetdb.errors import FileError
from assetdb.store.files import FINDINGS_NAME
from assetdb.unity.packages import MANIFEST
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from assetdb.checks.verdicts.judging import JudgedProject, Problems
    from assetdb.checks.verdicts.placing import Problem
    from assetdb.query.snapshot import Snapshot

_MEMORY: Final = "findings of references"
_MAGIC: Final = b"UADFINDS"
_VERSION: Final = 1
_DIGEST: Final = 16


class _Kept(NamedTuple):
    """What is remembered, as the file has it.

    Attributes:
        stamp: of the verdicts, ``""`` where nothing tells these from others.
        codes: that were wanted.
        names: by GUID, of all that is named in findings, and of the files that they are in.
        files: by path a digest of the problems, and the findings.
    """

    stamp: str
    codes: tuple[str, ...]
    names: dict[str, str]
    files: dict[str, tuple[bytes, tuple[Finding, ...]]]


_NOTHING: Final = _Kept("", (), {}, {})


def remembered_findings(
    project: Snapshot,
    codes: Collection[str],
    *,
    workers: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> list[Finding]:
    """Return the findings of all references of a project, by path.

    Args:
        project: as it is.
        codes: that are wanted.
        workers: how many processes may judge.
        on_progress: is given the files judged and the files there are, now and then.

    Raises:
        AssetdbError: the project cannot be read.
        OSError: likewise.
    """
    memory = project.memory.get(_MEMORY)
    if not isinstance(memory, _Memory):
        memory = project.memory[_MEMORY] = _Memory(project.folder)
    return memory.of(project, tuple(sorted(codes)), workers, on_progress)


class _Memory:
    """What is remembered: in a command from one run to the next, in a daemon all the time."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, FINDINGS_NAME)
        self._kept = _NOTHING  # as long as nothing was found out in this process
        self._judged: JudgedProject | None = None
        self._codes: tuple[str, ...] = ()
        self._names: dict[str, str] = {}
        self._files: dict[str, tuple[list[Problem] | None, tuple[Finding, ...]]] = {}

    def of(
        self,
        project: Snapshot,
        codes: tuple[str, ...],
        workers: int,
        on_progress: Callable[[int, int], None] | None,
    ) -> list[Finding]:
        is_first = self._judged is None
        if is_first:
            self._kept = _read(self._path)
            stamp = standing_verdicts(project)
            if stamp and (stamp, codes) == (self._kept.stamp, self._kept.codes):
                return [row for _, findings in self._kept.files.values() for row in findings]
        judged = judge_project(project, workers=workers, on_progress=on_progress)
        if judged is not self._judged or codes != self._codes:
            before, self._judged = self._judged, None  # whatever fails, all is made again
            self._find(project, judged, codes, known=before is not None)
            self._judged, self._codes = judged, codes
            if is_first:
                self._write(judged, verdicts_of(project).stamp_of(judged))
                self._kept = _NOTHING
        return [row for _, findings in self._files.values() for row in findings]

    def _find(self, project: Snapshot, judged: JudgedProject, codes: tuple[str, ...], *, known: bool) -> None:
        """Make the findings that may be others, and have those of all files by path."""
        from assetdb.checks.owners import guids_of  # noqa: PLC0415 - where nothing changed it is not needed
        from assetdb.checks.references import code_of, findings_of, name_in, names_in  # noqa: PLC0415 - the same

        if not known:
            self._files = {}
        names = dict(self._names if known else self._kept.names)
        is_same = codes == (self._codes if known else self._kept.codes)
        if not is_same or any(name_in(project, guid) != name for guid, name in names.items()):
            names, self._files, self._kept = {}, {}, _NOTHING
        problems, wanted = judged.problems, frozenset(codes)
        found: dict[str, tuple[list[Problem] | None, tuple[Finding, ...]]] = {}
        others = []
        for path in problems:
            stayed = self._stayed(path, problems, names)
            if stayed is None:
                others.append(path)
            found[path] = problems.rows(path), stayed or ()
        guids = guids_of(project, others)
        for path in others:
            own = guids.get(path, "")
            chosen = [reference for reference in problems[path] if code_of(reference) in wanted]
            found[path] = problems.rows(path), tuple(findings_of(project, chosen, own))
            names.update(names_in(project, chosen))
            if own:
                names[own] = name_in(project, own)
        if ABSENT_PACKAGES in wanted:
            from assetdb.checks.unjudged import unjudged_references  # noqa: PLC0415 - the same

            found[MANIFEST] = None, unjudged_references(project, problems)
        self._files, self._names = found, names

    def _stayed(self, path: str, problems: Problems, names: dict[str, str]) -> tuple[Finding, ...] | None:
        """Return the findings of a file that are known and right, None where they are to be made."""
        findings: tuple[Finding, ...] | None = None
        known = self._files.get(path)
        if known is not None:
            findings = known[1] if known[0] is problems.rows(path) else None
        elif path in self._kept.files:
            digest, rows = self._kept.files[path]
            findings = rows if digest == problems.digest(path) else None
        # Of two files with one GUID the other has its name: this one may have another GUID by now.
        return findings if not findings or names.get(findings[0].asset) == path else None

    def _write(self, judged: JudgedProject, stamp: str) -> None:
        """Keep all of it for another process; where that cannot be, it makes them again."""
        files = {
            path: (judged.problems.digest(path) if path in judged.problems else bytes(_DIGEST), findings)
            for path, (_, findings) in self._files.items()
        }
        try:
            parts = _parts(_Kept(stamp, self._codes, self._names, files))
        except ValueError:  # a name that is no text
            return
        write_sealed(self._path, _MAGIC, _VERSION, parts)


def _parts(kept: _Kept) -> list[bytes]:
    """Return what is remembered as a file has it: findings in columns.

    Raises:
        ValueError: a name is no text.
    """
    found = list(chain.from_iterable([findings for _, findings in kept.files.values()]))
    columns = list(zip(*found, strict=True)) or [()] * len(Finding._fields)
    return [
        *(texts([VERSION, kept.stamp]), texts(kept.codes), texts(kept.names), texts(kept.names.values())),
        *(texts(kept.files), b"".join([digest for digest, _ in kept.files.values()])),
        array("q", [len(findings) for _, findings in kept.files.values()]).tobytes(),
        *(texts(map(str, column)) for column in columns),
    ]


def _read(path: str) -> _Kept:
    """Return what a file remembers; nothing where it is damaged, or another version's."""
    try:
        head, codes, guids, names, files, digests, counts, *columns = read_sealed(path, _MAGIC, _VERSION)
        version, stamp = strings_of(head)
        if version != VERSION:
            return _NOTHING
        found = _by_file(_findings([strings_of(column) for column in columns]), array("q", counts))
        starts = range(0, len(digests), _DIGEST)
        rows = zip([digests[start : start + _DIGEST] for start in starts], found, strict=True)
        by_guid = dict(zip(strings_of(guids), strings_of(names), strict=True))
        return _Kept(stamp, tuple(strings_of(codes)), by_guid, dict(zip(strings_of(files), rows, strict=True)))
    except (OSError, FileError, ValueError, OverflowError, MemoryError):
        return _NOTHING


def _by_file(found: list[Finding], counts: Iterable[int]) -> list[tuple[Finding, ...]]:
    """Return so many findings for each file.

    Raises:
        ValueError: they are not as many.
    """
    ends = [0, *accumulate(counts)]
    if ends[-1] != len(found) or ends != sorted(ends):
        raise ValueError("files and findings do not belong together")
    return [tuple(found[start:end]) for start, end in pairwise(ends)]


def _findings(columns: list[list[str]]) -> list[Finding]:
    """Return findings of their columns.

    Raises:
        ValueError: there are none.
    """
    code, severity, path, message, line, object_path, property_path, asset, anchor, target, fixable = columns
    lines, anchors = map(int, line), map(int, anchor)
    mends = [word == str(True) for word in fixable]
    rows = zip(
        *(code, severity, path, message, lines, object_path, property_path, asset, anchors, target, mends), strict=True
    )
    return list(map(Finding._make, rows))
