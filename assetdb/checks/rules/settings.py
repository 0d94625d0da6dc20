"""Editor settings that hinder teams: binary assets, hidden metas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import HIDDEN_METAS, SERIALIZATION_MODE
from assetdb.settings.project import META
from assetdb.unity.kinds import is_yaml_head, kind_without_documents
from assetdb.unity.yaml.scalars import scalar_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

EDITOR_SETTINGS: Final = "ProjectSettings/EditorSettings.asset"
VERSION_CONTROL_SETTINGS: Final = "ProjectSettings/VersionControlSettings.asset"
_MODES: Final = {"0": "Mixed", "1": "Force Binary"}
_COLUMN: Final = 2
_OF_ATLASES: Final = ("3", "4", "5", "6")  # the others pack nothing, or by tags as Unity 5 did
_IGNORED: Final = ".gitignore"
# In a folder: Assets/*.meta hides the metas of folders alone. Of two kinds: a rule may be of one.
_PROBES: Final = ("assetdb probe/probe.asset", "assetdb probe/probe.prefab")
_HIDDEN: Final = ("Hidden Meta Files", "Disabled")  # the second until Unity 4


def find_serialization_mode(project: View) -> Iterator[Finding]:
    """Yield a finding where assets are not written as text."""
    data = project.read(EDITOR_SETTINGS)
    if not data:
        return
    if not is_yaml_head(data):
        if kind_without_documents(data) != "binary":  # a Git LFS pointer or damage, which have codes of their own
            return
        said = "the settings themselves are binary: the project is not set to Force Text"
        yield _finding(SERIALIZATION_MODE, EDITOR_SETTINGS, said, 0, "m_SerializationMode")
        return
    value, line = _value(data, b"m_SerializationMode")
    if value in _MODES:
        said = f"the mode is {_MODES[value]}: assets may be binary, which cannot be merged or reviewed"
        yield _finding(SERIALIZATION_MODE, EDITOR_SETTINGS, said, line, "m_SerializationMode")


def find_hidden_metas(project: View) -> Iterator[Finding]:
    """Yield a finding where metas are hidden files."""
    for path, key in ((VERSION_CONTROL_SETTINGS, "m_Mode"), (EDITOR_SETTINGS, "m_ExternalVersionControlSupport")):
        value, line = _value(project.read(path) or b"", key.encode())
        if value in _HIDDEN:
            said = f"the mode is {value}: metas are hidden files, which are easily left out of a commit"
            yield _finding(HIDDEN_METAS, path, said, line, key)
        if value:
            return


def find_ignored_metas(project: View) -> Iterator[Finding]:
    """Yield a rule of git that hides new metas."""
    assets = [f"{project.tops[0]}/{probe}" for probe in _PROBES]
    rules = project.ignore_rules([*assets, *(f"{asset}{META}" for asset in assets)])
    found = [rules.get(f"{asset}{META}", "") for asset in assets]
    rule = found[0]
    if all(each and " `!" not in each for each in found) and rules.keys().isdisjoint(assets):
        said = f"git ignores the metas of new assets ({rule}): in every clone such an asset has another GUID"
        source, _, line = rule.partition(" ")[0].rpartition(":")
        own = source.removeprefix(project.repository_prefix)
        is_own = own.endswith(_IGNORED) and source.startswith(project.repository_prefix) and project.exists(own)
        # The rule may be of a folder above, or of the user.
        yield Finding.of(HIDDEN_METAS, own if is_own else project.tops[0], said, int(line) if is_own else 0)


def packs_sprites(data: bytes) -> bool:
    """Whether a project packs sprites into atlases."""
    return _value(data, b"m_SpritePackerMode")[0] in _OF_ATLASES


def _value(data: bytes, key: bytes) -> tuple[str, int]:
    """Return a scalar of the only document, or ``""``, and its line."""
    match = re.search(rb"^  " + key + rb":", data, re.MULTILINE)
    if match is None:
        return "", 0
    return scalar_at(data, match.end(), _COLUMN), data.count(b"\n", 0, match.start()) + 1


def _finding(code: str, path: str, message: str, line: int, key: str) -> Finding:
    return Finding.of(code, path, message, line, property_path=key)
