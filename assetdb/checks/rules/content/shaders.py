"""Shaders that include or name absent ones, and shaders of one name."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import listed
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import DUPLICATE_SHADER, MISSING_INCLUDE, MISSING_SHADER
from assetdb.memo.facts import Extraction
from assetdb.unity.content.shaders import SHADER, Shader, read_shader, shader_of
from assetdb.unity.engine.builtin import built_in_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.unity.content.shaders import Need

INCLUDED: Final = (SHADER, ".cginc", ".hlsl", ".compute", ".glslinc", ".raytrace")
_SHADER: Final = Extraction("shaders", "5", read_shader, shader_of)
_PACKAGES: Final = "Packages/"
# Beginnings of the names of the engine's own files, of any version.
_OF_UNITY: Final = (
    *("unity", "hlslsupport", "glslsupport", "autolight", "lighting", "terrain", "tessellation", "speedtree", "tree"),
    *("granite", "textcore", "internal", "builtin", "standard", "editor", "deformation", "raytracing", "hlsl", "glsl"),
)
# Folders of packages that no include of Unity 2018.2 and earlier names with Packages/ in front.
_OF_PACKAGES: Final = ("corerp/", "lwrp/", "hdrp/", "shadergraphlibrary/", "postprocessing/")
_INCLUDE: Final = "include"
_ANOTHER: Final = "usepass"
_OF_ENGINE: Final = "mobile"  # all of whose shaders are known


def shader_at(project: View, path: str) -> Shader:
    """Return the shader in a file."""
    return project.facts(path, _SHADER)


def find_includes(project: View) -> Iterator[Finding]:
    """Yield included files that are nowhere.

    A file of a package may be on another machine. A file by its name alone may be one of the engine: judged are others
    that no ``#if`` may leave out.
    """
    assets = [asset for ending in INCLUDED for asset in project.database.ending(ending)]
    names = {asset.path.rpartition("/")[2].casefold() for asset in assets}
    for asset in assets:
        for need in shader_at(project, asset.path).needs:
            if need.kind == _INCLUDE and _is_lost(project, asset.path, need, names):
                said = f"includes {need.name}, which is not there: the shader does not compile"
                yield Finding.of(MISSING_INCLUDE, asset.path, said, need.line, asset=asset.guid, target=need.name)


def _is_lost(project: View, path: str, need: Need, names: set[str]) -> bool:
    name = need.name.replace("\\", "/")
    own = name.rpartition("/")[2]
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    if name.startswith(_PACKAGES):
        return False
    if name.startswith("Assets/"):
        return not project.exists(posixpath.normpath(name))
    if beside.startswith("..") or name.startswith("/") or ":" in name:
        return False
    if not name.startswith(("./", "../")) and (
        not need.is_certain or own.casefold().startswith(_OF_UNITY) or name.casefold().startswith(_OF_PACKAGES)
    ):
        return False
    places = beside, posixpath.normpath(name)  # beside the file, or in the folder of the project
    if any(not place.startswith("..") and project.exists(place) for place in places) or own.casefold() in names:
        return False
    return not any(asset.path.endswith(f"/{own}") for asset in project.database.containing(f"/{own}".encode()))


def find_fallbacks(project: View) -> Iterator[Finding]:
    """Yield shaders that ``Fallback`` and ``UsePass`` name and nothing has.

    A name may be of a package: judged are names that begin as a shader of the project does, or the engine's.
    """
    assets = list(project.database.ending(SHADER))
    names = {shader_at(project, asset.path).name.casefold() for asset in assets}
    spaces = {_space(name) for name in names} - {""}
    for asset in assets:
        for need in shader_at(project, asset.path).needs:
            name = need.name.rpartition("/")[0] if need.kind == _ANOTHER else need.name
            wanted = name.casefold()
            if need.kind == _INCLUDE or wanted in names or _space(wanted) not in (spaces | {_OF_ENGINE}):
                continue
            if wanted not in _built_in():
                said = f"names the shader {name!r} ({need.kind}), which is not there"
                yield Finding.of(MISSING_SHADER, asset.path, said, need.line, asset=asset.guid, target=name)


@cache
def _built_in() -> frozenset[str]:
    return frozenset(name.casefold() for _, name in built_in_names())


def _space(name: str) -> str:
    first, slash, _ = name.partition("/")
    return first if slash else ""


def find_duplicates(project: View) -> Iterator[Finding]:
    """Yield shaders of one name."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for asset in project.database.ending(SHADER):
        name = shader_at(project, asset.path).name
        if name:
            found[name].append((asset.path, asset.guid))
    for name, rows in found.items():
        for path, guid in rows if len(rows) > 1 else ():
            others = [other for other, _ in rows if other != path]
            said = f"another shader is called {name!r}, too: {listed(others)}; Shader.Find and Fallback take any"
            yield Finding.of(DUPLICATE_SHADER, path, said, asset=guid, target=name)
