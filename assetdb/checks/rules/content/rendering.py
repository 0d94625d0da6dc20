"""Renderers that a pipeline asset lacks, and materials that derive from themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.checks.cycles import cycles
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import MISSING_RENDERER, RECURSIVE_MATERIAL
from assetdb.memo.facts import Extraction
from assetdb.unity.content.pipelines import (
    CAMERA_SCRIPT,
    PIPELINE_SCRIPT,
    cameras_of,
    pipeline_of,
    read_cameras,
    read_pipeline,
)
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.store.entry import Asset

_MATERIAL: Final = ".mat"
_PARENT: Final = re.compile(rb"^  m_Parent: \{fileID: -?\d{1,20}, guid: ([0-9a-f]{32})", re.MULTILINE)
_PIPELINE: Final = Extraction("pipelines", "1", read_pipeline, pipeline_of)
_CAMERAS: Final = Extraction("cameras with a renderer", "1", read_cameras, cameras_of)


def _parent(data: bytes) -> tuple[int, str]:
    """Return offset and GUID of a material's parent, ``""`` without one."""
    match = _PARENT.search(data)
    return (match.start() + 2, match[1].decode()) if match is not None else (0, "")


_PARENTS: Final = Extraction("parents of materials", "1", _parent, lambda row: (int(row[0]), str(row[1])))


def find_recursive(project: View) -> Iterator[Finding]:
    """Yield material variants that derive from themselves."""
    materials = {asset.guid: asset.path for asset in project.database.ending(_MATERIAL)}
    rows = {guid: project.facts(path, _PARENTS) for guid, path in materials.items()}
    variants = {guid: row for guid, row in rows.items() if row[1] in materials}
    circular = {guid for group in cycles({guid: [parent] for guid, (_, parent) in variants.items()}) for guid in group}
    for guid in sorted(circular, key=materials.__getitem__):
        offset, parent = variants[guid]
        through = f" through {materials[parent]}" if parent != guid else ""
        said = f"is a variant of itself{through}: Unity gives the material no parent"
        yield _finding(project, RECURSIVE_MATERIAL, guid, offset, said, parent)


def find_renderers(project: View) -> Iterator[Finding]:
    """Yield renderers that are None, and cameras of an absent one."""
    pipelines = [(asset.guid, project.facts(asset.path, _PIPELINE)) for asset in _pipelines(project)]
    for guid, pipeline in pipelines:
        for index, (offset, is_none) in enumerate(pipeline.rows):
            if is_none:
                use = "nothing is drawn with the default one" if index == pipeline.default else "no camera can use it"
                said = f"the renderer {index} of the pipeline is None: {use}"
                yield _finding(project, MISSING_RENDERER, guid, offset, said, "")
    most = max((len(pipeline.rows) for _, pipeline in pipelines), default=0)
    if not most:
        return
    for user in sorted(project.users([CAMERA_SCRIPT]).get(CAMERA_SCRIPT, ())):
        asset = project.database.by_guid(user)
        for offset, index in project.facts(asset.path, _CAMERAS) if asset is not None else ():
            if index >= most:
                said = f"has the renderer {index}, and no pipeline asset has more than {most}: the default one is used"
                yield _finding(project, MISSING_RENDERER, user, offset, said, "")


def _pipelines(project: View) -> Iterator[Asset]:
    return project.database.of_script(PIPELINE_SCRIPT)


def _finding(project: View, code: str, guid: str, offset: int, said: str, target: str) -> Finding:
    asset = project.database.by_guid(guid)
    path = asset.path if asset is not None else ""
    place = places(project.read(path) or b"", [offset])[0]
    name = project.resolver.local_name(guid, place.file_id) or ""
    return Finding.of(code, path, said, place.line, name, place.path, guid, place.file_id, target)
