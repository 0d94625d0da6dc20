"""A baseline: known findings, so that only new ones fail.

A finding is recognised by its identity (code, GUID, fileID, property, target), not by its line, and counted: after
three known overrides a fourth is new. The file is sorted JSON, one line a finding, so that its diff shows what was
fixed.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.checks.findings.codes import ABSENT_CODES, UNKNOWN_GUID
from assetdb.errors import FileError
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assetdb.checks.findings.finding import Finding

VERSION_OF_FORMAT: Final = 1
LARGEST: Final = 1 << 28
"""How large a baseline is read, in bytes: a million findings."""
MARK: Final = b'"findings"'
"""Text in every baseline, even with conflict markers of a merge."""
_FIELDS: Final = ("code", "file", "object", "property", "target")
_COUNT: Final = "count"

Identity = tuple[str, str, str, str, str]


class Baseline(NamedTuple):
    """The contents of a baseline file.

    Attributes:
        known: how many findings of each identity.
        codes: those that were checked when it was written, by whichever version; None: it does not say.
    """

    known: Counter[Identity]
    codes: frozenset[str] | None


class Sifted(NamedTuple):
    """Findings beside a baseline.

    Attributes:
        new: those that it does not have.
        known: how many it has.
        mended: how many of its own no longer occur.
        unrecorded: codes of new findings that were not checked when it was written, and how many findings each has;
            where it does not say what was checked, codes of which it has none.
        unchecked: codes of its own that were not checked now, and how many findings it has of each.
    """

    new: tuple[Finding, ...]
    known: int
    mended: int
    unrecorded: Mapping[str, int]
    unchecked: Mapping[str, int]


def encode(findings: Iterable[Finding], codes: Iterable[str]) -> bytes:
    """Return the baseline of some findings, regardless of their order.

    Args:
        findings: of the whole project.
        codes: those that were checked.
    """
    counts = Counter(finding.identity() for finding in findings)
    rows = []
    for identity, count in sorted(counts.items()):
        row: dict[str, object] = {key: value for key, value in zip(_FIELDS, identity, strict=True) if value}
        if count > 1:
            row[_COUNT] = count
        rows.append("    " + json.dumps(row))
    body = "[\n" + ",\n".join(rows) + "\n  ]" if rows else "[]"
    text = f'{{\n  "version": {VERSION_OF_FORMAT},\n  "assetdb": {json.dumps(VERSION)},\n'
    text += f'  "codes": {json.dumps(sorted(codes))},\n  "findings": {body}\n}}\n'
    return text.encode()


def decode(data: bytes, path: str) -> Baseline:
    """Return the contents of a baseline.

    Args:
        data: the file.
        path: of it, for errors.

    Raises:
        FileError: it is not a baseline, or one of a later version.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path}: is not a baseline: {error} (--write-baseline writes it anew)") from error
    if not isinstance(document, dict) or not isinstance(document.get("findings"), list):
        raise FileError(
            f'{path}: is not a baseline: it has no list "findings" (remove it, and --write-baseline writes it anew)'
        )
    version = document.get("version")
    if version != VERSION_OF_FORMAT:
        raise FileError(f"{path}: is a baseline of version {version!r}; this assetdb reads {VERSION_OF_FORMAT}")
    counts: Counter[Identity] = Counter()
    for number, row in enumerate(document["findings"]):
        identity, count = _row(row)
        if identity is None:
            raise FileError(f"{path}: findings[{number}] is not a finding (--write-baseline writes it anew)")
        counts[identity] += count
    codes = document.get("codes")
    if codes is not None and not (isinstance(codes, list) and all(isinstance(code, str) for code in codes)):
        raise FileError(f'{path}: "codes" is not a list of codes (--write-baseline writes it anew)')
    return Baseline(counts, frozenset(codes) if codes is not None else None)


def _row(row: Any) -> tuple[Identity | None, int]:  # noqa: ANN401 - JSON
    if not isinstance(row, dict):
        return None, 0
    values = tuple(row.get(field, "") for field in _FIELDS)
    count = row.get(_COUNT, 1)
    whole = all(isinstance(value, str) for value in values) and values[0] and type(count) is int and count > 0
    return (values, count) if whole else (None, 0)


def sift(findings: Iterable[Finding], baseline: Baseline, codes: Iterable[str]) -> Sifted:
    """Return the findings that a baseline leaves.

    Args:
        findings: the current ones.
        baseline: with which they are compared.
        codes: those that were checked now.
    """
    left = dict(baseline.known)
    new = []
    count = 0
    for finding in findings:
        names = [finding.identity()]
        if finding.code == UNKNOWN_GUID:  # a full check, by which baselines are written, uses another code for it
            names += [(code, *names[0][1:]) for code in ABSENT_CODES]
        identity = next((name for name in names if left.get(name, 0) > 0), None)
        if identity is not None:
            left[identity] -= 1
            count += 1
        else:
            new.append(finding)
    # One that does not say what was checked had at least the codes of its findings.
    recorded = baseline.codes if baseline.codes is not None else {code for code, *_ in baseline.known}
    checked = {*codes}
    unrecorded = Counter(finding.code for finding in new if finding.code not in recorded)
    unchecked, mended = Counter[str](), 0
    for (code, *_), number in left.items():
        if number > 0 and code not in checked:
            unchecked[code] += number
        else:
            mended += max(number, 0)
    return Sifted(tuple(new), count, mended, unrecorded, unchecked)
