"""UI documents and style sheets that name files and templates of nothing."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import UI_PATH, UI_TEMPLATE
from assetdb.memo.facts import Extraction
from assetdb.unity.content.interfaces import DOCUMENT, SHEETS, interface_of, read_interface

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.unity.content.interfaces import Interface

_INTERFACE: Final = Extraction("interfaces", "2", read_interface, interface_of)
_PACKAGES: Final = "Packages/"


def find_paths(project: View) -> Iterator[Finding]:
    """Yield paths of files that are not there.

    What a path below Packages names may be on another machine.
    """
    for ending in (DOCUMENT, *SHEETS):
        for path, guid, found in _documents(project, ending):
            for named in found.paths:
                place = _place(path, named.name)
                if place and not project.exists(place):
                    said = f"names {place}, which is not there"
                    yield Finding.of(UI_PATH, path, said, named.line, asset=guid, target=place)


def find_templates(project: View) -> Iterator[Finding]:
    """Yield instances of templates that their document does not declare."""
    for path, guid, found in _documents(project, DOCUMENT):
        for named in found.used:
            if named.name not in found.declared:
                said = f"has an instance of the template {named.name!r}, which it does not declare"
                yield Finding.of(UI_TEMPLATE, path, said, named.line, asset=guid, target=named.name)


def _documents(project: View, ending: str) -> Iterator[tuple[str, str, Interface]]:
    for asset in project.database.ending(ending):
        yield asset.path, asset.guid, project.facts(asset.path, _INTERFACE)


def _place(path: str, name: str) -> str:
    """Return a file's path in the project, maybe an empty one."""
    joined = name.lstrip("/") if name.startswith("/") else posixpath.join(posixpath.dirname(path), name)
    place = posixpath.normpath(joined)
    return "" if place.startswith(("..", _PACKAGES)) else place
