"""Findings of references, remembered by file: made again only where its problems, or the names in them, are others.

To make those of unitystation takes 100 ms, as long as it takes to see that nothing changed. A command has them from a
file in the output folder, a daemon from its memory. Where the file is absent, damaged, or of another version, nothing
is remembered.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.checks.finding import Finding
from assetdb.checks.verdicts.judging import judge_project, standing_verdicts, verdicts_of
from assetdb.checks.verdicts.sealed import read_sealed, write_sealed
from assetdb.errors import FileError
from assetdb.store.files import FINDINGS_NAME
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from assetdb.checks.verdicts.judging import JudgedProject, Problems
    from assetdb.checks.verdicts.placing import Problem
    from assetdb.query.snapshot import Snapshot

_MEMORY: Final = "findings of references"
_MAGIC: Final = b"UADFINDS"
_VERSION: Final = 1
_FINDINGS: Final = msgspec.msgpack.Decoder(tuple[Finding, ...])
_ENCODER: Final = msgspec.msgpack.Encoder()


class _Kept(msgspec.Struct, array_like=True, frozen=True):
    """What is remembered, as the file has it.

    Attributes:
        assetdb: its version.
        stamp: of the verdicts, ``""`` where nothing tells these from others.
        codes: that were wanted.
        names: by GUID, of all that is named in findings, and of the files that they are in.
        files: by path a digest of the problems, and the findings, packed.
    """

    assetdb: str
    stamp: str
    codes: tuple[str, ...]
    names: dict[str, str]
    files: dict[str, tuple[bytes, bytes]]


_NOTHING: Final = _Kept(VERSION, "", (), {}, {})


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
                try:
                    return [row for _, packed in self._kept.files.values() for row in _FINDINGS.decode(packed)]
                except ValueError:  # somebody made it, with its checksum
                    self._kept = _NOTHING
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
        self._files, self._names = found, names

    def _stayed(self, path: str, problems: Problems, names: dict[str, str]) -> tuple[Finding, ...] | None:
        """Return the findings of a file that are known and right, None where they are to be made."""
        findings: tuple[Finding, ...] | None = None
        known = self._files.get(path)
        if known is not None:
            findings = known[1] if known[0] is problems.rows(path) else None
        elif path in self._kept.files:
            digest, packed = self._kept.files[path]
            try:
                findings = _FINDINGS.decode(packed) if digest == problems.digest(path) else None
            except ValueError:
                findings = None
        # Of two files with one GUID the other has its name: this one may have another GUID by now.
        return findings if not findings or names.get(findings[0].asset) == path else None

    def _write(self, judged: JudgedProject, stamp: str) -> None:
        """Keep all of it for another process; where that cannot be, it makes them again."""
        try:
            files = {
                path: (judged.problems.digest(path), _ENCODER.encode(findings))
                for path, (_, findings) in self._files.items()
            }
            packed = _ENCODER.encode(_Kept(VERSION, stamp, self._codes, self._names, files))
        except (ValueError, OverflowError):  # names that are no text, a fileID of more than 64 bits
            return
        write_sealed(self._path, _MAGIC, _VERSION, packed)


def _read(path: str) -> _Kept:
    try:
        kept = msgspec.msgpack.decode(read_sealed(path, _MAGIC, _VERSION), type=_Kept)
    except (OSError, FileError, ValueError, OverflowError, MemoryError):
        return _NOTHING
    return kept if kept.assetdb == VERSION else _NOTHING
