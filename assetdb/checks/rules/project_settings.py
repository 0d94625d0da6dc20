"""Files of ``ProjectSettings/``: unresolved merges, LFS pointers, damage, references that lead nowhere."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.references import message_of_invalid, message_of_missing, message_of_text
from assetdb.checks.rules import BROKEN_ASSET, CONFLICT_MARKERS, DOUBTFUL_TEXT, INVALID_GUID, LFS_POINTER, MISSING_ASSET
from assetdb.diagnostics.codes import WARNING
from assetdb.memo.facts import Extraction
from assetdb.query.graph.references import SETTINGS_FOLDER
from assetdb.query.graph.verdicts import MISSING, judge, references
from assetdb.resolve.imported import SPRITE_MODE
from assetdb.resolve.instances import DANGLING
from assetdb.unity.binary.opening import as_text
from assetdb.unity.kinds import is_lfs_pointer, is_yaml_head, kind_without_documents
from assetdb.unity.referring.guid_shapes import unread_guids
from assetdb.unity.settings.editor_version import VERSION_FILE, reads_by_libyaml
from assetdb.unity.yaml.judging.refusals import judge_of
from assetdb.unity.yaml.property_path import places
from assetdb.unity.yaml.structure import find_faults
from assetdb.unity.yaml.text_asset import conflict_line
from assetdb_formats.unityfs.serialized_files.mainclass import serialized_file_main_class

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_ASSET: Final = ".asset"
_SETTINGS: Final = (_ASSET, ".json", ".txt")
_HEAD_BYTES: Final = 4096
_JSON: Final = (b"{", b"[")  # XRSettings.asset of daggerfall-unity
_JudgedLine: TypeAlias = tuple[str, int, str]  # code, line, what the line has
_BUILD_SETTINGS: Final = f"{SETTINGS_FOLDER}/EditorBuildSettings.asset"
"""Its scenes, GUIDs without a fileID, have a rule of their own; its config objects have none."""


def _files(project: View) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of each settings file that is not empty."""
    for name in project.names_in(SETTINGS_FOLDER):
        path = f"{SETTINGS_FOLDER}/{name}"
        if name.endswith(_SETTINGS) and (data := project.read(path)):
            yield path, data


def find_conflicts(project: View) -> Iterator[Finding]:
    """Yield a finding for each settings file with an unresolved merge."""
    for path, data in _files(project):
        line = conflict_line(data)
        if line:
            yield Finding.of(CONFLICT_MARKERS, path, "an unresolved merge", line)


def find_pointers(project: View) -> Iterator[Finding]:
    """Yield settings files that are Git LFS pointers."""
    for path, data in _files(project):
        if is_lfs_pointer(data):
            yield Finding.of(LFS_POINTER, path, "the settings are a Git LFS pointer")


def damage_of_settings(project: View) -> Iterator[Finding]:
    """Yield damaged settings files, and lines that Unity refuses."""
    yield from _faults(project, BROKEN_ASSET)
    for path, data in _files(project):
        if path.endswith(_ASSET) and not is_yaml_head(data) and not data.lstrip().startswith(_JSON):
            kind = kind_without_documents(data)
            if kind == "text" or (kind == "binary" and serialized_file_main_class(data[:_HEAD_BYTES]) is None):
                yield Finding.of(BROKEN_ASSET, path, "the file is neither YAML nor Unity's binary form")


def find_doubts(project: View) -> Iterator[Finding]:
    """Yield lines of settings files that Unity may refuse."""
    yield from _faults(project, DOUBTFUL_TEXT)


def _faults(project: View, code: str) -> Iterator[Finding]:
    """Yield the lines of settings files with a code of their text."""
    judged = judged_lines(project)
    for path, _ in _files(project):
        if path.endswith(_ASSET):
            yield from faults_of_lines(project, judged, path, code)


def judged_lines(project: View) -> Extraction[tuple[_JudgedLine, ...]]:
    """Return the judgement of lines by the project's version of Unity."""
    return _JUDGED[reads_by_libyaml(project.read(VERSION_FILE) or b"")]


def faults_of_lines(
    project: View, judged: Extraction[tuple[_JudgedLine, ...]], path: str, code: str, guid: str = ""
) -> Iterator[Finding]:
    """Yield lines of a YAML file with a code."""
    for found, line, detail in project.facts(path, judged):
        if found == code:
            yield Finding.of(code, path, message_of_text(code, detail), line, asset=guid)


def _judged(data: bytes, *, libyaml: bool) -> tuple[_JudgedLine, ...]:
    """Return lines of a YAML file that Unity may refuse."""
    found: list[_JudgedLine] = []
    line, counted = 1, 0
    for fault in find_faults(data, judge_of(libyaml=libyaml)) if is_yaml_head(data) else ():
        if fault.offset:
            line += data.count(b"\n", counted, fault.offset)
            counted = fault.offset
            found.append((fault.code, line, fault.detail))
    return tuple(found)


def _decoded(rows: list[list[Any]]) -> tuple[_JudgedLine, ...]:
    """Return judged lines from their JSON.

    Raises:
        TypeError, ValueError: it is invalid.
    """
    return tuple((str(code), int(line), str(detail)) for code, line, detail in rows)


# Kept by content: the effects of FPSSample have 8 MB, and any new asset has the rule find its files again.
_JUDGED: Final = {
    libyaml: Extraction(
        f"judged lines{' of libyaml' if libyaml else ''}", "1", partial(_judged, libyaml=libyaml), _decoded
    )
    for libyaml in (False, True)
}


def find_lost_references(project: View) -> Iterator[Finding]:
    """Yield references of settings files that lead nowhere."""
    for path, data in _files(project):
        text = as_text(data)
        if not path.endswith(_ASSET) or not is_yaml_head(text):
            continue
        rows = sorted(references(text, "asset"), key=lambda row: row[4])
        if path == _BUILD_SETTINGS:
            rows = [row for row in rows if row[1] is not None]
        where = places(text, [row[4] for row in rows])
        for (guid, file_id, override, candidate, _), place in zip(rows, where, strict=True):
            owner = guid.decode()
            verdict = judge(project.resolver, owner, file_id, override=override, candidate=candidate)
            if verdict.kind == MISSING:
                code, message = verdict.reason, message_of_missing(MISSING_ASSET, owner, project.packages.list)
            elif verdict.reason in (DANGLING, SPRITE_MODE):
                code, message = verdict.reason, f"refers to object {file_id} of {owner}, which is not there"
            else:
                continue
            target = owner if file_id is None else f"{owner}:{file_id}"
            line = place.line if text is data else 0  # a binary file has no lines
            found = Finding.of(code, path, message, line, "", place.path, "", place.file_id, target)
            # A package that went leaves its config object behind, which hurts nobody.
            yield found._replace(severity=WARNING) if path == _BUILD_SETTINGS else found


def invalid_guids_of_settings(project: View) -> Iterator[Finding]:
    """Yield references of settings files with GUIDs that Unity cannot read."""
    for path, data in _files(project):
        if path.endswith(_ASSET) and is_yaml_head(data):
            unread = list(unread_guids(data))
            for row, place in zip(unread, places(data, [row.offset for row in unread]), strict=True):
                message = message_of_invalid(row.text)
                yield Finding.of(INVALID_GUID, path, message, place.line, "", place.path, "", place.file_id)
