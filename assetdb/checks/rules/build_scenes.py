"""Build scenes that are gone, named inconsistently, or all disabled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import BUILD_SCENE, DUPLICATE_SCENE, NO_BUILD_SCENE
from assetdb.unity.binary.opening import as_text
from assetdb.unity.kinds import is_yaml_head
from assetdb.unity.settings.build_settings import PATH, build_scenes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.store.entry import Asset
    from assetdb.unity.settings.build_settings import BuildScene

_NO_GUID: Final = "0" * 32


def find_scenes(project: View) -> Iterator[Finding]:
    """Yield listed scenes that a build would not have."""
    data = project.read(PATH)
    if not data or not is_yaml_head(as_text(data)):
        return
    scenes = build_scenes(data)
    by_path = {asset.path: asset for asset in project.database.ending(".unity")}
    for number, scene in enumerate(scenes):
        message = _wrong(project, scene, by_path.get(scene.path))
        if message:
            yield _finding(BUILD_SCENE, message, scene.line, f"m_Scenes[{number}].path", scene.guid)


def find_twice(project: View) -> Iterator[Finding]:
    """Yield scenes that the list has twice, or in another case."""
    scenes = build_scenes(project.read(PATH) or b"")
    paths = {asset.path.casefold(): asset.path for asset in project.database.ending(".unity")}
    seen: dict[str, int] = {}
    for number, scene in enumerate(scenes):
        folded = scene.path.casefold()
        there = paths.get(folded, scene.path)
        message = ""
        if folded in seen:
            message = f"{scene.path} is the scene {seen[folded]} of the list, too: indexes count it twice"
        elif there != scene.path:
            message = f"the scene's file is called {there}: LoadScene and other systems see another name"
        seen.setdefault(folded, number)
        if message:
            yield _finding(DUPLICATE_SCENE, message, scene.line, f"m_Scenes[{number}].path", scene.guid)


def find_empty_list(project: View) -> Iterator[Finding]:
    """Yield a finding where the list has scenes and none is enabled."""
    scenes = build_scenes(project.read(PATH) or b"")
    if scenes and not any(scene.enabled for scene in scenes):
        message = f"none of its {len(scenes)} scenes is enabled: a build takes the scene that is open"
        yield _finding(NO_BUILD_SCENE, message, scenes[0].line, "m_Scenes")


def _wrong(project: View, scene: BuildScene, by_path: Asset | None) -> str:
    """Return why a build lacks a scene, or has another, or ``""``.

    Unity finds a scene by its path, and corrects the path by the GUID where the asset was moved.
    """
    by_guid = project.database.by_guid(scene.guid) if scene.guid and scene.guid != _NO_GUID else None
    if by_path is None and by_guid is None:
        if not scene.enabled or not scene.path or project.exists(scene.path):
            return ""
        package = scene.path.startswith("Packages/")
        return "" if package else f"the scene {scene.path} is not there: a build fails or leaves it out"
    if by_path is not None and by_guid is not None and by_path.guid != by_guid.guid:
        return f"path and GUID name two scenes: {scene.path} and {by_guid.path}"
    return ""


def _finding(code: str, message: str, line: int, prop: str, guid: str = "") -> Finding:
    return Finding.of(code, PATH, message, line, property_path=prop, target=guid)
