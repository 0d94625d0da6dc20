"""Materials and avatars of models' importers that nothing has."""

from __future__ import annotations

import re
from itertools import compress
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
_Given: TypeAlias = tuple[str, int]  # GUID, fileID
_Place: TypeAlias = tuple[int, str]  # line, property
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
            lost = [judge(project.resolver, guid, file_id).kind == MISSING for guid, file_id in given]
            where = project.facts(meta, _PLACES) if any(lost) else ()
            for (line, name), (guid, file_id) in compress(zip(where, given, strict=False), lost):
                message = message_of_missing(MISSING_ASSET, guid, project.packages.list)
                found = Finding.of(MISSING_ASSET, meta, message, line, "", name, asset.guid, 0, f"{guid}:{file_id}")
                yield found._replace(severity=WARNING)


def _matches(meta: bytes) -> list[re.Match[bytes]]:
    """Return the references that a model's importer follows, in order."""
    matches = list(_MAPPED.finditer(meta))
    if _COPIES.search(meta):
        matches += _SOURCE.finditer(meta)
    return sorted(matches, key=lambda match: match.start(2))


def _given(meta: bytes) -> tuple[_Given, ...]:
    """Return the references of a model's meta that its importer follows."""
    return tuple((match[2].decode().lower(), int(match[1])) for match in _matches(meta))


def _places(meta: bytes) -> tuple[_Place, ...]:
    """Return the places of a model's references, in their order."""
    return tuple((place.line, place.path) for place in places(meta, [match.start(2) for match in _matches(meta)]))


def _decoded_given(rows: list[list[Any]]) -> tuple[_Given, ...]:
    """Return the references from their JSON.

    Raises:
        TypeError, ValueError: it is invalid.
    """
    return tuple((str(guid), int(file_id)) for guid, file_id in rows)


def _decoded_places(rows: list[list[Any]]) -> tuple[_Place, ...]:
    """Return the places from their JSON.

    Raises:
        TypeError, ValueError: it is invalid.
    """
    return tuple((int(line), str(name)) for line, name in rows)


_GIVEN: Final = Extraction("references of models", "2", _given, _decoded_given)
# To find the places takes a fifth of a first check of FPSSample, whose models lost nothing.
_PLACES: Final = Extraction("places in models", "1", _places, _decoded_places)
