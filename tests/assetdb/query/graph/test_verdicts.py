from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.coverage import measure
from assetdb.checks.verdicts.placing import PlacedReasons
from assetdb.query.graph import verdicts
from assetdb.query.graph.verdicts import JudgedReference, judge, references
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from assetdb.unity.binary.opening import as_text
from assetdb.unity.yaml.property_path import places
from tests.assetdb.packages.packages_project import TMP, depend
from tests.assetdb.text_files import text_files
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LIGHT = "7a68c43fe1f2a47cfa234b5eeaa98012"  # HDAdditionalLightData, which pipelines leave behind
SHADER = "8f586378b4e144a9851e7b34d9b748ee"  # LiberationSans SDF, which TextMesh Pro offers


def judged_references(project: Snapshot, path: str, guid: str = "") -> Iterator[JudgedReference]:
    """Judge the references of a text asset one by one, in the order of the file."""
    data = as_text(project.read(path) or b"")
    found = sorted(references(data, path.rpartition(".")[2].lower()), key=lambda row: row[4])
    for row, place in zip(found, places(data, [row[4] for row in found]), strict=True):
        verdict = judge(project.resolver, row[0].decode(), row[1], override=row[2], candidate=row[3])
        if verdict.kind == verdicts.UNNAMED:
            verdict = verdict._replace(reason=PlacedReasons(data).of(place, verdict.reason))
        if verdict.kind != verdicts.NO_REFERENCE:
            hierarchy = project.resolver.hierarchy(guid, place.file_id) if guid else place.name
            yield JudgedReference(
                *(path, place.line, place.class_id, place.file_id, hierarchy, place.script, place.script_id),
                *(place.path, place.override, row[0].decode(), row[1], verdict),
            )


def counts_of(project: Snapshot) -> Counter[str]:
    """Count what is listed of every file, one by one."""
    found: Counter[str] = Counter()
    for file in text_files(project.root):
        path = os.path.relpath(file, project.root)
        for reference in judged_references(project, path):
            assert reference.path == path
            assert reference.line > 0
            assert (reference.verdict.kind == verdicts.NAMED) == (
                reference.verdict.name is not None and not reference.verdict.reason
            )
            found[f"{reference.verdict.kind} {reference.verdict.reason}".strip()] += 1
    return found


def test_what_is_listed_is_what_coverage_counts(tmp_path: Path) -> None:
    project = open_project(str(make_project(tmp_path)), str(tmp_path / "out"))
    found = counts_of(project)
    assert found == Counter({"named": 11, "unnamed dangling": 1, "apart lfs-pointer": 1, "missing missing-asset": 1})
    project.close()


@pytest.mark.corpus("unity/UnityPlayground", "unity/Mirror")
@pytest.mark.parametrize("name", ["UnityPlayground", "Mirror"])
def test_what_is_listed_of_real_projects_is_what_coverage_counts(corpus: Path, tmp_path: Path, name: str) -> None:
    project = open_project(str(corpus / "unity" / name), str(tmp_path / "out"))
    counted = measure(project)
    found = counts_of(project)
    assert found[verdicts.NAMED] == counted.named
    for kind, reasons in ((verdicts.UNNAMED, counted.reasons), (verdicts.APART, counted.apart)):
        listed = {key.partition(" ")[2]: count for key, count in found.items() if key.startswith(f"{kind} ")}
        assert listed == reasons
    assert sum(found.values()) == counted.total
    project.close()


def test_a_reference_is_listed_with_its_object_and_property(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    script = guid(3)
    (root / "Assets" / "Odd.prefab").write_text(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
        "--- !u!1 &1\nGameObject:\n  m_Component:\n  - component: {fileID: 4}\n  m_Name: Odd\n"
        "--- !u!4 &4\nTransform:\n  m_GameObject: {fileID: 1}\n  m_Father: {fileID: 0}\n"
        "--- !u!1 &11\nGameObject:\n  m_Component:\n  - component: {fileID: 14}\n  m_Name: Hat\n"
        "--- !u!4 &14\nTransform:\n  m_GameObject: {fileID: 11}\n  m_Father: {fileID: 4}\n"
        "--- !u!114 &15\nMonoBehaviour:\n  m_GameObject: {fileID: 11}\n"
        f"  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n"
        "  targets:\n  - {fileID: 0}\n"
        f"  - {{fileID: 5, guid: {'d' * 32}, type: 3}}\n"
    )
    own = "c" * 32
    (root / "Assets" / "Odd.prefab.meta").write_text(f"fileFormatVersion: 2\nguid: {own}\n")
    project = open_project(str(root), str(tmp_path / "out"))
    first, second = judged_references(project, "Assets/Odd.prefab", own)
    assert (first.line, first.hierarchy, first.property, first.script) == (24, "Odd / Hat", "m_Script", script)
    assert first.verdict.kind == verdicts.NAMED
    assert (second.line, second.hierarchy, second.property) == (27, "Odd / Hat", "targets[1]")
    assert (second.guid, second.file_id, second.object_id, second.class_id) == ("d" * 32, 5, 15, 114)
    assert (second.verdict.kind, second.verdict.reason) == (verdicts.MISSING, "missing-asset")
    project.close()


def test_a_candidate_without_an_asset_is_no_reference(tmp_path: Path) -> None:
    project = open_project(str(make_project(tmp_path)), str(tmp_path / "out"))
    assert judge(project.resolver, "e" * 32, None, candidate=True).kind == verdicts.NO_REFERENCE
    assert judge(project.resolver, "e" * 32, None).kind == verdicts.MISSING
    project.close()


@pytest.mark.parametrize(
    ("extension", "data", "form"),
    [
        ("prefab", b"%YAML 1.1\n", verdicts.YAML),
        ("prefab", b"\0\0", ""),
        ("vfx", b"%YAML 1.1\n", verdicts.YAML),
        ("mine", b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n", verdicts.YAML),
        ("mine", b"text", ""),
        ("uss", b"a {}", verdicts.OTHER_FORM),
        ("asmdef", b"{}", verdicts.OTHER_FORM),
    ],
)
def test_the_form_of_references_is_told_by_extension_and_head(extension: str, data: bytes, form: str) -> None:
    assert verdicts.form_of(data, extension) == form
    if not form:
        assert list(references(data + b"{fileID: 1, guid: " + b"a" * 32 + b", type: 3}", extension)) == []


def test_references_of_every_form_have_their_guid_and_place() -> None:
    digits = "A" * 32
    yaml = f"%YAML 1.1\n--- !u!114 &1\nM:\n  a: {{fileID: 5, guid: {digits}, type: 3}}\n".encode()
    assert list(references(yaml, "asset")) == [(b"a" * 32, 5, False, False, yaml.index(b"A" * 32))]
    zero = yaml.replace(b"A" * 32, b"0" * 32)
    assert list(references(zero, "asset")) == list(references(yaml.replace(b"fileID: 5", b"fileID: 0"), "asset")) == []
    target = yaml.replace(b"  a: ", b"    - target: ")
    assert [row[2] for row in references(target, "asset")] == [True]
    url = f"url(project://database/Assets/a.png?fileID=5&guid={digits}&type=3#a)".encode()
    assert list(references(url, "uss")) == [(b"a" * 32, 5, False, False, url.index(b"A" * 32))]
    definition = b'{"references": ["GUID:%s"]}' % digits.encode()
    assert list(references(definition, "asmdef")) == [(b"a" * 32, None, False, False, definition.index(b"A" * 32))]


@pytest.mark.parametrize(
    ("guid", "versions", "expected", "as_candidate"),
    [
        (guid(12), {"com_acme_tools": "1.0.0"}, (verdicts.IN_PACKAGE, ""), verdicts.IN_PACKAGE),
        (guid(11), {}, (verdicts.APART, "target-absent"), verdicts.NO_REFERENCE),
        (TMP, {"com_unity_textmeshpro": "3.0.6"}, (verdicts.ABSENT, ""), verdicts.ABSENT),
        (TMP, {}, (verdicts.MISSING, "missing-asset"), verdicts.NO_REFERENCE),  # no package that is required has it
        (LIGHT, {}, (verdicts.MISSING, "package-leftover"), verdicts.NO_REFERENCE),
        (SHADER, {"com_unity_textmeshpro": "3.0.6"}, (verdicts.MISSING, "missing-asset"), verdicts.NO_REFERENCE),
        (guid(77), {}, (verdicts.MISSING, "missing-asset"), verdicts.NO_REFERENCE),
        (guid(77), {"com_acme_absent": "1.0.0"}, (verdicts.OUTSIDE, "package-not-present"), verdicts.NO_REFERENCE),
        (guid(3), {}, (verdicts.NAMED, ""), verdicts.NAMED),
    ],
)
def test_a_target_outside_is_judged_by_why_it_is_not_here(
    tmp_path: Path, guid: str, versions: dict[str, str], expected: tuple[str, str], as_candidate: str
) -> None:
    root = make_project(tmp_path)
    depend(root, **versions)
    project = open_project(str(root), str(tmp_path / "out"))
    found = judge(project.resolver, guid, 11500000)
    assert (found.kind, found.reason) == expected
    assert judge(project.resolver, guid, 11500000, candidate=True).kind == as_candidate
    project.close()
