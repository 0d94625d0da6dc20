"""Findings of all references, derived from their verdicts.

Making unitystation's takes 100 ms, as long as detecting that nothing changed. So the findings of a file are made
again only if its problems, or a name in them, changed.
"""

from __future__ import annotations

from array import array
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.findings.codes import ABSENT_PACKAGES
from assetdb.checks.findings.finding import Finding, decode_findings, encode_findings
from assetdb.memo.file import columns, split_columns, strings_of, texts
from assetdb.memo.inputs import ASSETS, PACKAGES
from assetdb.memo.memo import Codec, memo_of
from assetdb.unity.settings.packages import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from assetdb.checks.verdicts.judging import JudgedProject, Problems
    from assetdb.memo.inputs import Inputs
    from assetdb.memo.view import View
    from assetdb.query.snapshots.snapshot import Snapshot

VERSION: Final = "12"
_DIGEST: Final = 16


class _Made(NamedTuple):
    """The findings of all files.

    Attributes:
        names: by GUID, of all assets that findings name, and of the files that they are in.
        files: by path a digest of the problems, and the findings.
    """

    names: dict[str, str]
    files: dict[str, tuple[bytes, tuple[Finding, ...]]]


_NOTHING: Final = _Made({}, {})


def key_of(codes: Collection[str]) -> str:
    """Return the key under which the findings with some codes are kept."""
    return f"findings of references: {' '.join(sorted(codes))}"


def judged_findings(
    inputs: Inputs,
    codes: Collection[str],
    *,
    workers: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
    beside: bool = False,
) -> list[Finding]:
    """Return the findings of all references of a project, by path.

    Args:
        inputs: of the project.
        codes: that are wanted.
        workers: how many processes may judge.
        on_progress: called periodically with the files judged and the total.
        beside: whether another process works at the same time.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    project = inputs.project
    memo, key = memo_of(project), key_of(codes)

    def find(view: View) -> _Made:
        from assetdb.checks.verdicts.judging import verdicts_of  # noqa: PLC0415 - where nothing changed it is not needed
        from assetdb.checks.verdicts.processing import Processing  # noqa: PLC0415 - the same

        processing = Processing(workers, on_progress)
        judged = verdicts_of(project).of(project, processing.beside() if beside else processing, view)
        view.note(ASSETS)
        view.note(PACKAGES)
        made = _find(project, judged, frozenset(codes), memo.latest(key, VERSION, _CODEC) or _NOTHING)
        _note_libraries(made, view)
        return made

    made = memo.derive(inputs, key, VERSION, find, _CODEC)
    return [row for _, findings in made.files.values() for row in findings]


def findings_of_judged(project: Snapshot, codes: Collection[str], judged: JudgedProject) -> list[Finding]:
    """Return the findings of some references that were judged, by path."""
    made = _find(project, judged, frozenset(codes), _NOTHING)
    return [row for _, findings in made.files.values() for row in findings]


def _find(project: Snapshot, judged: JudgedProject, wanted: frozenset[str], known: _Made) -> _Made:
    """Return the findings of all files, reusing valid known ones."""
    from assetdb.checks.findings.guid_owners import guids_of  # noqa: PLC0415 - where nothing changed it is not needed
    from assetdb.checks.findings.references import code_of, findings_of, name_in, names_in  # noqa: PLC0415 - the same

    if any(name_in(project, guid) != name for guid, name in known.names.items()):
        known = _NOTHING
    names = dict(known.names)
    problems = judged.problems
    files = {path: _unchanged(path, problems, known) for path in problems}
    changed = [path for path, made in files.items() if made is None]
    guids = guids_of(project, changed)
    for path in changed:
        own_guid = guids.get(path, "")
        chosen = [reference for reference in problems[path] if code_of(reference) in wanted]
        files[path] = problems.digest(path), tuple(findings_of(project, chosen, own_guid))
        names.update(names_in(project, chosen))
        if own_guid:
            names[own_guid] = name_in(project, own_guid)
    found = {path: made for path, made in files.items() if made is not None}
    if ABSENT_PACKAGES in wanted:
        from assetdb.checks.findings.unjudged import unjudged_references  # noqa: PLC0415 - the same

        found[MANIFEST] = bytes(_DIGEST), unjudged_references(project, problems)
    return _Made(names, found)


def _note_libraries(made: _Made, view: View) -> None:
    """Record the DLLs that have the classes of objects in findings."""
    from assetdb.checks.findings.references import library_of  # noqa: PLC0415 - where nothing changed it is not needed

    for guid in {library for name in made.names if (library := library_of(name))}:
        view.resolver.locate(guid)


def _unchanged(path: str, problems: Problems, known: _Made) -> tuple[bytes, tuple[Finding, ...]] | None:
    """Return the known findings of a file, None if outdated."""
    made = known.files.get(path)
    if made is None or made[0] != problems.digest(path):
        return None
    # If two files shared a GUID, the name is the other's: this one may have another GUID now.
    return made if not made[1] or known.names.get(made[1][0].asset) == path else None


def _encode(made: _Made) -> bytes:
    """Return findings as a file has them.

    Raises:
        ValueError: a name is not a text.
    """
    rows = [row for _, findings in made.files.values() for row in findings]
    counts = array("q", [len(findings) for _, findings in made.files.values()])
    return columns(
        [
            *(texts(made.names), texts(made.names.values()), texts(made.files)),
            b"".join([digest for digest, _ in made.files.values()]),
            *(counts.tobytes(), encode_findings(rows)),
        ]
    )


def _decode(packed: bytes) -> _Made:
    """Return the findings that :func:`_encode` was given.

    Raises:
        ValueError: the bytes are invalid.
    """
    guids, names, files, digests, counts, rows = split_columns(packed)
    found = decode_findings(rows)
    sizes = array("q", counts)
    if sum(sizes) != len(found):
        raise ValueError("files and findings do not belong together")
    left, starts = iter(found), range(0, len(digests), _DIGEST)
    by_file = {
        path: (digests[start : start + _DIGEST], tuple(islice(left, size)))
        for path, start, size in zip(strings_of(files), starts, sizes, strict=True)
    }
    return _Made(dict(zip(strings_of(guids), strings_of(names), strict=True)), by_file)


_CODEC: Final = Codec(_encode, _decode)
