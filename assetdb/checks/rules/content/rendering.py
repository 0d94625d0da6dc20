"""Pipelines without their renderers, materials without a shader, and materials in circles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.checks.cycles import cycles
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import MISSING_RENDERER, MISSING_SHADER, RECURSIVE_MATERIAL
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
_NO_SHADER: Final = re.compile(rb"^  m_Shader: \{fileID: 0\}", re.MULTILINE)
_ANY_PARENT: Final = re.compile(rb"^  m_Parent: \{fileID: -?[1-9]", re.MULTILINE)  # it has the shader
_PIPELINE: Final = Extraction("pipelines", "1", read_pipeline, pipeline_of)
_CAMERAS: Final = Extraction("cameras with a renderer", "1", read_cameras, cameras_of)


class _Material(NamedTuple):
    """References of a material.

    Attributes:
        place: of the parent.
        parent: its GUID, ``""`` without one.
        without_shader: place of a shader that is None, 0 if there is one or the parent has it.
    """

    place: int
    parent: str
    without_shader: int


def _material(data: bytes) -> _Material:
    parent, shader = _PARENT.search(data), _NO_SHADER.search(data)
    without = shader is not None and _ANY_PARENT.search(data) is None
    return _Material(
        parent.start() + 2 if parent is not None else 0,
        parent[1].decode() if parent is not None else "",
        shader.start() + 2 if shader is not None and without else 0,
    )


def _material_of(row: list[Any]) -> _Material:
    """Return a material of its JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    place, parent, without_shader = row
    return _Material(int(place), str(parent), int(without_shader))


_MATERIALS: Final = Extraction("materials", "1", _material, _material_of)


def find_without_shader(project: View) -> Iterator[Finding]:
    """Yield materials without a shader."""
    for asset in project.database.ending(_MATERIAL):
        place = project.facts(asset.path, _MATERIALS).without_shader
        if place:
            said = "the material has no shader: what has it is drawn in magenta, or not at all"
            yield _finding(project, MISSING_SHADER, asset.guid, place, said, "")


def find_recursive(project: View) -> Iterator[Finding]:
    """Yield material variants that derive from themselves."""
    materials = {asset.guid: asset.path for asset in project.database.ending(_MATERIAL)}
    rows = {guid: project.facts(path, _MATERIALS) for guid, path in materials.items()}
    variants = {guid: row for guid, row in rows.items() if row.parent in materials}
    circular = {guid for group in cycles({guid: [row.parent] for guid, row in variants.items()}) for guid in group}
    for guid in sorted(circular, key=materials.__getitem__):
        offset, parent, _ = variants[guid]
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
