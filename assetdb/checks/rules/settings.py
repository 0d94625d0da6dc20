"""Editor settings that hinder teams: binary assets, hidden metas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import HIDDEN_METAS, SERIALIZATION_MODE
from assetdb.unity.kinds import is_yaml_head, kind_without_documents
from assetdb.unity.yaml.scalars import scalar_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

EDITOR_SETTINGS: Final = "ProjectSettings/EditorSettings.asset"
VERSION_CONTROL_SETTINGS: Final = "ProjectSettings/VersionControlSettings.asset"
_MODES: Final = {"0": "Mixed", "1": "Force Binary"}
_COLUMN: Final = 2
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


def _value(data: bytes, key: bytes) -> tuple[str, int]:
    """Return a scalar of the only document, or ``""``, and its line."""
    match = re.search(rb"^  " + key + rb":", data, re.MULTILINE)
    if match is None:
        return "", 0
    return scalar_at(data, match.end(), _COLUMN), data.count(b"\n", 0, match.start()) + 1


def _finding(code: str, path: str, message: str, line: int, key: str) -> Finding:
    return Finding.of(code, path, message, line, property_path=key)
