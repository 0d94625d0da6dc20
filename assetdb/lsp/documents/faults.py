"""Faults in the structure of an open document, by its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.findings.references import fault_finding
from assetdb.checks.verdicts.extracting import faults_of
from assetdb.lsp.documents.line_references import YAML
from assetdb.query.graph.verdicts import BROKEN, JudgedReference, Verdict
from assetdb.settings.project import asset_file
from assetdb.system.reading import read_file
from assetdb.unity.kinds import DOCUMENTS, kind_of
from assetdb.unity.settings.editor_version import VERSION_FILE, reads_by_libyaml
from assetdb.unity.yaml.property_path import each_place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.checks.findings.finding import Finding
    from assetdb.lsp.documents.open_documents import Document
    from assetdb.lsp.workers import Lane


def has_objects(document: Document) -> bool:
    """Whether the structure of a document is judged by its text."""
    return document.form == YAML and kind_of(document.extension).content == DOCUMENTS


def fault_findings(document: Document, path: str, lane: Lane, most: int) -> Iterator[tuple[int, Finding]]:
    """Yield the offset and the finding of the first faults.

    Args:
        document: one that :func:`has_objects`.
        path: of the document in the project.
        lane: of the project.
        most: so many at most.
    """
    data = document.text.data
    libyaml = reads_by_libyaml(read_file(asset_file(lane.root, VERSION_FILE)) or b"")
    faults = sorted(faults_of(data, document.extension, libyaml=libyaml), key=lambda fault: fault.offset)[:most]
    names = lane.names
    own = names.own(document.text) if faults else ""
    for fault, place in zip(faults, each_place(data, (fault.offset for fault in faults)), strict=True):
        way = names.resolver.hierarchy(own, place.file_id) if place.file_id else ""
        verdict = Verdict(BROKEN, fault.code)
        judged = JudgedReference.at(path, place, way, "", fault.file_id, verdict, fault.detail)
        yield fault.offset, fault_finding(judged, names.resolver, "")
