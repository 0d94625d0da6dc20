"""Materials and avatars of models' importers that nothing has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.references import message_of_missing
from assetdb.checks.rules import MISSING_ASSET
from assetdb.diagnostics.codes import WARNING
from assetdb.memo.facts import Extraction
from assetdb.query.graph.verdicts import MISSING, judge
from assetdb.settings.project import META
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_MODELS: Final = (".fbx", ".obj", ".dae", ".3ds", ".dxf", ".blend", ".max", ".ma", ".mb")
_Given: TypeAlias = tuple[int, str, int]  # offset, GUID, fileID
_MAPPED: Final = re.compile(rb"\n    second: \{fileID: (-?\d{1,20}),\s{1,99}guid: ([0-9a-fA-F]{32})")
_SOURCE: Final = re.compile(
    rb"\n  lastHumanDescriptionAvatarSource: \{fileID: (-?\d{1,20}),\s{1,99}guid: ([0-9a-fA-F]{32})"
)
_COPIES: Final = re.compile(rb"\n  (?:copyAvatar: 1|avatarSetup: 2)\r?\n")
"""Whether the avatar is another model's: a model that has one of its own keeps the row, too."""


def find_lost_references(project: View) -> Iterator[Finding]:
    """Yield references of models' metas to a GUID that nothing has.

    Unity imports the model without them: with its own materials, or without an avatar.
    """
    for extension in _MODELS:
        for asset in project.database.ending(extension):
            meta = f"{asset.path}{META}"
            given = project.facts(meta, _GIVEN)
            lost = [row for row in given if judge(project.resolver, row[1], row[2]).kind == MISSING]
            # Places are looked for only then: for all models it took a fifth of a first check of FPSSample.
            where = places(project.read(meta) or b"", [offset for offset, _, _ in lost]) if lost else ()
            for (_, guid, file_id), place in zip(lost, where, strict=True):
                message = message_of_missing(MISSING_ASSET, guid, project.packages.list)
                target = f"{guid}:{file_id}"
                found = Finding.of(MISSING_ASSET, meta, message, place.line, "", place.path, asset.guid, 0, target)
                yield found._replace(severity=WARNING)


def _given(meta: bytes) -> tuple[_Given, ...]:
    """Return the references that a model's importer follows, in order."""
    matches = list(_MAPPED.finditer(meta))
    if _COPIES.search(meta):
        matches += _SOURCE.finditer(meta)
    return tuple(sorted((match.start(2), match[2].decode().lower(), int(match[1])) for match in matches))


def _decoded(rows: list[list[Any]]) -> tuple[_Given, ...]:
    """Return the references from their JSON.

    Raises:
        TypeError, ValueError: it is invalid.
    """
    return tuple((int(offset), str(guid), int(file_id)) for offset, guid, file_id in rows)


_GIVEN: Final = Extraction("references of models", "3", _given, _decoded)
