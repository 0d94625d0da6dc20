"""A finding: one defect at one place of a project."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.diagnostics.codes import CODES
from assetdb.memo.file import columns, split_columns, strings_of, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

_PLACE: Final = re.compile(r"\[\d+\]")


class Finding(NamedTuple):
    """One finding.

    Attributes:
        code: one of :data:`assetdb.diagnostics.codes.CODES`.
        severity: ``error``, ``warning`` or ``note``; set by the project, else by the code.
        path: the file or folder it is in, relative to the project, with ``/``.
        message: the problem, with details for finding it: the former name of the target, the other path.
        line: 1-based, 0 for no particular line.
        object_path: the full path of its object: ``Canvas / Popup (Image)``; ``""`` for none.
        property_path: as in the file, ``m_Materials[0]``; ``""`` for none.
        asset: GUID of the asset it is in, 32 hex digits; ``""`` if that has none.
        anchor: fileID of the object it is in, 0 if none is.
        target: ``GUID:fileID`` or a GUID; ``""`` for none.
        fixable: whether ``--fix`` can fix it without loss.
    """

    code: str
    severity: str
    path: str
    message: str
    line: int = 0
    object_path: str = ""
    property_path: str = ""
    asset: str = ""
    anchor: int = 0
    target: str = ""
    fixable: bool = False

    @classmethod
    def of(
        cls,
        code: str,
        path: str,
        message: str,
        line: int = 0,
        object_path: str = "",
        property_path: str = "",
        asset: str = "",
        anchor: int = 0,
        target: str = "",
    ) -> Self:
        """Return a finding with the severity of its code."""
        severity = CODES[code].severity
        return cls(code, severity, path, message, line, object_path, property_path, asset, anchor, target)

    @property
    def advice(self) -> str:
        """The remedy, in one line."""
        return CODES[self.code].advice

    def fields(self) -> dict[str, Any]:
        """Return the finding with its advice, for JSON."""
        return {**self._asdict(), "advice": self.advice}

    @property
    def where(self) -> str:
        """The object and property for people, ``""`` for the whole file."""
        return ": ".join(filter(None, (self.object_path, self.property_path)))

    @property
    def text(self) -> str:
        """The message, after the object and property if there are any."""
        return f"{self.where}: {self.message}" if self.where else self.message

    @property
    def target_guid(self) -> str:
        """The GUID of the target, ``""`` for none."""
        return self.target.partition(":")[0]

    def identity(self) -> tuple[str, str, str, str, str]:
        """Return the identity of a finding, without its line.

        A file that is moved with its meta keeps its findings.

        Positions in lists are ignored: an inserted override would change all later ones (``m_Modifications[12]`` of
        BoatAttack's arrows).
        """
        listed = _PLACE.sub("[]", self.property_path)
        return (self.code, self.asset or self.path, str(self.anchor or ""), listed, self.target)


def numbered(findings: Iterable[Finding]) -> Iterator[tuple[Finding, int]]:
    """Yield each finding with its number among equal ones."""
    seen: dict[tuple[str, ...], int] = {}
    for finding in findings:
        identity = finding.identity()
        number = seen.get(identity, 0)
        seen[identity] = number + 1
        yield finding, number


def fingerprint(finding: Finding, number: int) -> str:
    """Return 64 hex digits by which services follow a finding over commits."""
    parts = (*finding.identity(), str(number))
    from hashlib import sha256  # noqa: PLC0415 - 2 ms, for reports and baselines alone

    return sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def encode_findings(findings: Sequence[Finding]) -> bytes:
    """Encode findings in columns.

    Raises:
        ValueError: a name is not text.
    """
    rows = list(zip(*findings, strict=True)) or [()] * len(Finding._fields)
    return columns([texts(map(str, column)) for column in rows])


def decode_findings(packed: bytes) -> list[Finding]:
    """Return the findings that :func:`encode_findings` was given.

    Raises:
        ValueError: the bytes are invalid.
    """
    code, severity, path, message, line, object_path, property_path, asset, anchor, target, fixable = map(
        strings_of, split_columns(packed)
    )
    if not CODES.keys() >= set(code):
        raise ValueError("a finding of an unknown code")
    lines, anchors = map(int, line), map(int, anchor)
    mends = map(str(True).__eq__, fixable)
    rows = zip(
        code, severity, path, message, lines, object_path, property_path, asset, anchors, target, mends, strict=True
    )
    return list(map(Finding._make, rows))
