"""Verification of a ``.casset`` bundle: round trip and references."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.casset.encoding.write import encode_pieces
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import Kind
from assetdb_formats.casset.project import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO

    from assetdb_formats.casset.model import Bundle
    from assetdb_formats.casset.project import Project


class Verification(NamedTuple):
    """What is wrong with a bundle that can be read, and what is worth a note, one sentence each."""

    findings: tuple[str, ...]
    notes: tuple[str, ...]


def verify_bundle(bundle: Bundle, stream: BinaryIO, project: Project | None = None) -> Verification:
    """Check a bundle against the file it was read from, and with a project its references.

    What only concerns the declared list is a note and not a finding: the engine writes it so.
    """
    findings = [str(problem) for problem in bundle.problems]
    notes = []
    try:
        is_same = same_bytes(stream, encode_pieces(bundle))
    except CassetError as error:
        findings.append(f"cannot be written back: {error}")
    else:
        if not is_same:
            findings.append("does not write back to the same bytes")
    if bundle.objects and bundle.objects[0].path == "" and bundle.objects[0].uuid != bundle.uuid:
        findings.append("the first object is not the bundle itself")
    unused = sum(layout.kind > Kind.OPAQUE for layout in bundle.schema)
    if unused:
        notes.append(f"{unused} schema entries of unknown kinds")
    if project is not None:
        report = project.report(bundle)
        for edge in report.edges:
            if edge.verdict in MISSING:
                place = f"{edge.use.source.path}.{edge.use.field}"
                findings.append(f"{edge.verdict.value}: {place} refers to {project.name_of(edge.use.bundle)}")
        notes += [f"{found.verdict.value}: {project.name_of(found.bundle)}" for found in report.declared]
    return Verification(tuple(findings), tuple(notes))


def same_bytes(stream: BinaryIO, pieces: Iterable[bytes | memoryview]) -> bool:
    """Whether what is left of a stream is these bytes."""
    for piece in pieces:
        view = memoryview(piece)
        for start in range(0, len(view), 1 << 20):
            part = view[start : start + (1 << 20)]
            if stream.read(len(part)) != part:
                return False
    return not stream.read(1)
