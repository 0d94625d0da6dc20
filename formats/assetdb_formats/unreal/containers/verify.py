"""Verification of a container."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.unreal.containers.pak import OpenPak
from assetdb_formats.unreal.errors import OverlapError, UnrealError, text_within
from assetdb_formats.unreal.iostore.verify import Finding, Verification

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assetdb_formats.unreal.iostore.container import OpenContainer


class VerificationReport(NamedTuple):
    """The result of a container's verification.

    Attributes:
        container: path of the container.
        chunks: number of chunks, or of files in a .pak.
        hashed: number of chunks with data that matches the stored hash.
        unhashed: number of chunks without a stored hash.
        packages: number of packages that were read to the end of their tables.
        unread: reason -> number of packages or chunks left unread or unhashed for want of a key, an extra or a file.
        findings: contradictions.
    """

    container: str
    chunks: int
    hashed: int
    unhashed: int
    packages: int
    unread: Mapping[str, int]
    findings: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        """Whether everything was read and agrees."""
        return not self.findings and not self.unread


def verify_container(
    opened: OpenContainer | OpenPak, progress: Callable[[int, int], None] | None = None
) -> VerificationReport:
    """Verify a container; report ``progress`` as (chunks done, chunks)."""
    if isinstance(opened, OpenPak):
        return _verify_pak(opened, progress)
    verification = Verification(opened)
    findings = tuple(verification.findings(progress))
    return VerificationReport(
        opened.path,
        verification.chunks,
        verification.hashed,
        verification.unhashed,
        verification.packages,
        verification.unread,
        findings,
    )


def _verify_pak(pak: OpenPak, progress: Callable[[int, int], None] | None) -> VerificationReport:
    findings = []
    hashed = 0
    entries = [entry for entry in pak.entries if not entry.deleted]
    for number, entry in enumerate(entries):
        if progress is not None:
            progress(number, len(entries))
        try:
            if pak.is_intact(entry):
                hashed += 1
            else:
                findings.append(
                    Finding("hash", f"{entry.path}: its data does not have the SHA-1 that is stored for it")
                )
        except OverlapError as error:  # all entries behind it would fail, too
            findings.append(Finding("overlap", text_within(error, pak.path)))
            break
        except UnrealError as error:
            findings.append(Finding("data", f"{entry.path}: {text_within(error, pak.path)}"))
    return VerificationReport(pak.path, len(entries), hashed, 0, 0, {}, tuple(findings))
