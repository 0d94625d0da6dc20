"""Text assets in JSON, XML or style sheets that Unity cannot read."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.references import message_of_invalid
from assetdb.checks.rules import BROKEN_ASSET, INVALID_GUID
from assetdb.checks.rules.project_settings import (
    damage_of_settings,
    faults_of_lines,
    invalid_guids_of_settings,
    judged_lines,
)
from assetdb.memo.facts import Extraction
from assetdb.unity.kinds import is_lfs_pointer
from assetdb.unity.referring.guid_shapes import unread_in_json_and_urls
from assetdb.unity.text_forms import fault_of
from assetdb.unity.yaml.text_asset import conflict_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.unity.text_forms import TextFault

# The form of a file by the end of its path. Assembly definitions have a code of their own.
_FILES: Final = {
    ".inputactions": "inputactions",
    ".shadergraph": "shadergraph",
    ".shadersubgraph": "shadersubgraph",
    ".uxml": "uxml",
    ".uss": "uss",
    ".tss": "uss",
    "/link.xml": "xml",
}
_MANIFEST: Final = "assets/plugins/android/androidmanifest.xml"  # in other folders Unity reads none
_EFFECTS: Final = (".vfx", ".vfxoperator", ".vfxblock")  # YAML that is a source: references into it are not judged
_MOST_LISTED: Final = 10_000
_PACKAGES: Final = "Packages"
_PACKAGE: Final = "package.json"


def find_damage(project: View) -> Iterator[Finding]:
    """Yield settings and text assets that Unity cannot read."""
    yield from damage_of_settings(project)
    texts = [(asset, form) for end, form in _FILES.items() for asset in project.database.ending(end)]
    texts += [(asset, "xml") for asset in project.database.ending(_MANIFEST) if asset.path.lower() == _MANIFEST]
    for asset, form in texts:
        for fault in project.facts(asset.path, _FINDERS[form]):
            yield _finding(asset.path, fault, asset.guid)
    effects = [asset for end in _EFFECTS for asset in project.database.ending(end)]
    if effects:
        judged = judged_lines(project)
        for asset in effects:
            yield from faults_of_lines(project, judged, asset.path, BROKEN_ASSET, asset.guid)
    for name in project.names_in(_PACKAGES):
        path = f"{_PACKAGES}/{name}/{_PACKAGE}"
        for fault in project.facts(path, _FINDERS["json"]) if project.exists(path) else ():
            yield _finding(path, fault, "")


def find_invalid_guids(project: View) -> Iterator[Finding]:
    """Yield the GUIDs that Unity cannot read in settings and text assets."""
    yield from invalid_guids_of_settings(project)
    for end, extraction in _UNREAD.items():
        for asset in project.database.ending(end):
            for line, text in project.facts(asset.path, extraction):
                yield Finding.of(INVALID_GUID, asset.path, message_of_invalid(text), line, asset=asset.guid)


def _finding(path: str, fault: TextFault, guid: str) -> Finding:
    line, told = fault
    return Finding.of(BROKEN_ASSET, path, f"Unity cannot read the file: it {told}", line, asset=guid)


def _faults(form: str, data: bytes) -> tuple[TextFault, ...]:
    """Return the fault of a file, unless it has another code."""
    fault = None if is_lfs_pointer(data) or conflict_line(data) else fault_of(data, form)
    return (fault,) if fault is not None else ()


def _unread(extension: str, data: bytes) -> tuple[TextFault, ...]:
    """Return lines and texts of the GUIDs that Unity cannot read."""
    found: list[TextFault] = []
    line, counted = 1, 0
    for unread in islice(unread_in_json_and_urls(data, extension), _MOST_LISTED):
        line += data.count(b"\n", counted, unread.offset)
        counted = unread.offset
        found.append((line, unread.text))
    return tuple(found)


def _decoded(rows: list[list[Any]]) -> tuple[TextFault, ...]:
    """Return faults from their JSON.

    Raises:
        TypeError, ValueError: it is invalid.
    """
    return tuple((int(line), str(told)) for line, told in rows)


_UNREAD: Final = {
    f".{extension}": Extraction(f"unread GUIDs of {extension}", "1", partial(_unread, extension), _decoded)
    for extension in ("shadergraph", "shadersubgraph", "vfx", "vfxoperator", "vfxblock", "uxml", "uss", "tss")
}
_FINDERS: Final = {
    form: Extraction(f"faults of {form}", "2", partial(_faults, form), _decoded)
    for form in ("json", *dict.fromkeys(_FILES.values()))
}
