"""Shaders that include absent files, and shaders of one name."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import listed
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import DUPLICATE_SHADER, MISSING_INCLUDE
from assetdb.memo.facts import Extraction
from assetdb.memo.inputs import assets_ending
from assetdb.unity.content.shaders import SHADER, Shader, read_shader, shader_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

INCLUDED: Final = (SHADER, ".cginc", ".hlsl", ".compute", ".glslinc", ".raytrace")
_SHADER: Final = Extraction("shaders", "1", read_shader, shader_of)
_PACKAGES: Final = "Packages/"


def shader_at(project: View, path: str) -> Shader:
    """Return the shader in a file."""
    return project.facts(path, _SHADER)


def find_includes(project: View) -> Iterator[Finding]:
    """Yield included files that are nowhere.

    A file by its name alone may be one of the engine, and one of a package may be on another machine.
    """
    assets = [asset for ending in INCLUDED for asset in assets_ending(project.database, ending)]
    names = {asset.path.rpartition("/")[2].casefold() for asset in assets}
    for asset in assets:
        for need in shader_at(project, asset.path).needs:
            if need.kind == "include" and _is_lost(project, asset.path, need.name, names):
                said = f"includes {need.name}, which is not there: the shader does not compile"
                yield Finding.of(MISSING_INCLUDE, asset.path, said, need.line, asset=asset.guid, target=need.name)


def _is_lost(project: View, path: str, name: str, names: set[str]) -> bool:
    name = name.replace("\\", "/")
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    if name.startswith(_PACKAGES):
        return False
    if name.startswith("Assets/"):
        return not project.exists(posixpath.normpath(name))
    if beside.startswith("..") or not name.startswith(("./", "../")):
        return False
    return not project.exists(beside) and name.rpartition("/")[2].casefold() not in names


def find_duplicates(project: View) -> Iterator[Finding]:
    """Yield shaders of one name."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for asset in assets_ending(project.database, SHADER):
        name = shader_at(project, asset.path).name
        if name:
            found[name].append((asset.path, asset.guid))
    for name, rows in found.items():
        for path, guid in rows if len(rows) > 1 else ():
            others = [other for other, _ in rows if other != path]
            said = f"another shader is called {name!r}, too: {listed(others)}; Shader.Find and Fallback take any"
            yield Finding.of(DUPLICATE_SHADER, path, said, asset=guid, target=name)
