"""Findings of real projects: as many as coverage counts, and each confirmed by PyYAML and plain search, both ways."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.checks.coverage import measure
from assetdb.checks.findings.codes import REFERENCE_CODES
from assetdb.checks.findings.engine import Report, Selection, check_project
from assetdb.packages.public.table import public_packages
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.importers.editor_assemblies import ASSEMBLIES
from tests.assetdb.resolve.naming_oracle import HEADER, Oracle, load
from tests.assetdb.text_files import text_files
from tests.long_cases import long_after

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.findings.finding import Finding

SMALL = ("Mirror", "UnityPlayground", "BoatAttack", "Pinpoint")
LARGE = ("FPSSample", "daggerfall-unity", "unity-explorer/Explorer", "unitystation/UnityProject")
NOWHERE = {"missing-script", "missing-asset", "asmdef-reference", "package-leftover"}
STALE = ("dangling", "stale-override")
REFERENCE = re.compile(rb"\{fileID: (-?\d{1,20}), guid: ([0-9a-f]{32})")
IS_GUID = re.compile(r"[0-9a-f]{32}(?::-?\d+)?")
BUILT_IN = "0000000000000000"
WHOLE = {100100000, 102900000, 11400000, 2100000, 2800000, 21300000}
SAMPLE = 10_000
YAML_FILES = (".prefab", ".unity", ".asset", ".mat", ".anim", ".controller", ".playable")


def report_of(root: Path, folder: Path) -> Report:
    project = open_project(str(root), str(folder))
    try:
        return check_project(project, Selection(select=("all",)))
    finally:
        project.close()


def of_references(report: Report) -> list[Finding]:
    codes = REFERENCE_CODES - {"duplicate-override"}  # a fault within a file: its line names no GUID
    found = (row for row in report.findings if row.code in codes and IS_GUID.fullmatch(row.target))
    # Coverage counts neither settings nor importers, which have rules of their own.
    return [row for row in found if not row.path.startswith("ProjectSettings/") and not row.path.endswith(".meta")]


def compare_with_coverage(root: Path, folder: Path) -> None:
    project = open_project(str(root), str(folder))
    try:
        counted = measure(project)
        found = Counter(row.code for row in of_references(check_project(project, Selection(select=("all",)))))
    finally:
        project.close()
    reasons = Counter(counted.reasons) + Counter(counted.apart) + Counter({"package-not-present": counted.outside})
    scripts = found.pop("missing-script", 0)  # with those that are gone while their meta stays
    missing = sum(found.pop(code, 0) for code in ("missing-asset", "asmdef-reference", "package-leftover"))
    assert missing + scripts + found.pop("target-absent", 0) == counted.missing + reasons.pop("target-absent", 0)
    # Where a reference is decides what a check calls it: a removed component that its source lacks breaks nothing.
    stale = sum(found.pop(code, 0) for code in STALE)
    assert stale == sum(reasons.pop(code, 0) for code in STALE)
    found.pop("missing-object", None)  # within a file, which coverage does not count
    assert found == reasons


@pytest.mark.corpus(*(f"unity/{name}" for name in SMALL))
@pytest.mark.parametrize("name", SMALL)
def test_counts_are_those_of_coverage(corpus: Path, tmp_path: Path, name: str) -> None:
    compare_with_coverage(corpus / "unity" / name, tmp_path)


@pytest.mark.long
@pytest.mark.corpus(*(f"unity/{name.partition('/')[0]}" for name in LARGE))
@pytest.mark.parametrize("name", LARGE)
def test_counts_of_large_projects_are_those_of_coverage(corpus: Path, tmp_path: Path, name: str) -> None:
    compare_with_coverage(corpus / "unity" / name, tmp_path)


# --- the oracle


class Files:
    """The files of a project, read by nothing of ours."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.oracle = Oracle(root)

    @lru_cache(maxsize=16)  # noqa: B019 - it lives as long as the test
    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode("utf-8", "replace")

    @lru_cache(maxsize=16)  # noqa: B019 - the same
    def lines(self, path: str) -> list[str]:
        return self.text(path).split("\n")

    @lru_cache(maxsize=16)  # noqa: B019 - the same
    def heads(self, path: str) -> dict[int, list[tuple[int, int]]]:
        """Return where each document begins: number -> lines before its head, offset behind it."""
        found: dict[int, list[tuple[int, int]]] = {}
        text, line, here = self.text(path), 0, 0
        for head in HEADER.finditer(text):
            line += text.count("\n", here, head.start())
            here = head.start()
            found.setdefault(int(head[2]), []).append((line, head.end()))
        return found

    @lru_cache(maxsize=512)  # noqa: B019 - the same
    def document(self, path: str, start: int) -> Any:  # noqa: ANN401 - YAML
        text = self.text(path)
        behind = text.find("\n--- ", start)
        (body,) = load(text[start : behind if behind > 0 else len(text)]).values()
        return body

    def value(self, finding: Finding) -> Any:  # noqa: ANN401 - YAML
        """Return what PyYAML finds at the property of a finding, in the document of its object."""
        heads = self.heads(finding.path)[finding.anchor]
        found = self.document(finding.path, max(end for line, end in heads if line < finding.line))
        for key, place in re.findall(r"([^.\[\]]+)|\[(\d+)\]", finding.property_path.partition(" = ")[0]):
            found = found[int(place)] if place else found[key]
        return found


def why_wrong(files: Files, finding: Finding) -> str:
    """Say why a finding is not confirmed; ``""`` where it is."""
    guid, _, digits = finding.target.partition(":")
    lines = files.lines(finding.path)[finding.line - 1 : finding.line + 1]
    if guid not in "".join(lines).lower():
        return "the line does not name the GUID"
    if digits and finding.anchor and finding.path.endswith(YAML_FILES):
        value = files.value(finding)
        if not isinstance(value, dict) or (str(value.get("guid")), str(value.get("fileID"))) != (guid, digits):
            return f"PyYAML has {value!r} there"
    asset = files.oracle.paths.get(guid)
    if finding.code in NOWHERE or (finding.code == "package-not-present" and asset is None):
        return f"{asset} has the GUID" if asset is not None else ""
    if finding.code == "built-in-unnamed":
        return "" if guid.startswith(BUILT_IN) else "it is not built in"
    if asset is None:
        return "nothing has the GUID"
    if finding.code == "target-absent":
        return "" if not asset.is_file() or not asset.read_bytes().strip(b"\0 \t\r\n") else f"{asset} is there"
    head = asset.read_bytes()[:4096] if asset.is_file() else b""
    if finding.code == "importer-unknown":
        return f"{asset} is YAML" if head.startswith(b"%YAML") else ""
    if finding.code == "lfs-pointer":
        return "" if head.startswith(b"version https://git-lfs") else f"{asset} is no pointer"
    if not head.startswith(b"%YAML"):  # what a model or a sheet has in it is for other tests
        return ""
    return f"{asset} has it" if files.oracle.answer(guid, int(digits)) is not None else ""


def missed(files: Files, report: Report, drawn: random.Random) -> list[str]:
    """Return references that a plain search finds wrong, and the report does not."""
    told = {(row.path, row.line) for row in of_references(report)}
    found = []
    for file in sorted(text_files(str(files.root))):
        path = file[len(str(files.root)) + 1 :]
        with open(file, "rb") as stream:
            data = stream.read()
        if data.startswith(b"%YAML"):
            found += [(path, data, match) for match in REFERENCE.finditer(data) if match[1] != b"0"]
    wrong = []
    for path, data, match in drawn.sample(found, min(SAMPLE, len(found))):
        guid, file_id = match[2].decode(), int(match[1])
        if guid.startswith(BUILT_IN):
            continue
        asset = files.oracle.paths.get(guid)
        if asset is None:
            lost = not public_packages().find(guid) and guid not in ASSEMBLIES
        else:
            text = asset.is_file() and asset.suffix in YAML_FILES
            yaml_text = text and asset.read_bytes()[:5] == b"%YAML"
            lost = (
                yaml_text
                and file_id not in WHOLE
                and files.oracle.answer(guid, file_id) is None
                and not files.oracle.nests_model(guid)
            )
        line = data.count(b"\n", 0, match.start(2)) + 1
        if lost and (path, line) not in told:
            wrong.append(f"{path}:{line}: {guid}:{file_id}")
    return wrong


@pytest.mark.long
@pytest.mark.corpus(*(f"unity/{name}" for name in SMALL))
@pytest.mark.parametrize("name", SMALL)
def test_an_independent_oracle_confirms_findings_both_ways(corpus: Path, tmp_path: Path, name: str) -> None:
    root = corpus / "unity" / name
    report = report_of(root, tmp_path)
    files = Files(root)
    rows = of_references(report)
    drawn = random.Random(15)
    sample = drawn.sample(rows, min(SAMPLE, len(rows)))
    sample.sort(key=lambda row: (row.path, row.line))  # a file is read and split once
    assert [f"{row}: {why}" for row in sample if (why := why_wrong(files, row))] == []
    assert missed(files, report, drawn) == []


@pytest.mark.corpus(*(f"unity/{name}" for name in SMALL))
@pytest.mark.parametrize("name", long_after(1, SMALL))
def test_findings_of_files_are_so_on_the_disk(corpus: Path, tmp_path: Path, name: str) -> None:
    root = corpus / "unity" / name
    told = {(row.code, row.path) for row in report_of(root, tmp_path).findings}
    expected = set()
    for top in ("Assets", "Packages"):
        for file in sorted((root / top).rglob("*")):
            path = file.relative_to(root).as_posix()
            parts = path.split("/")
            if any(part.startswith(".") or part.endswith("~") for part in parts) or len(parts) < 2:
                continue
            beside = file.with_name(file.name + ".meta")
            names = {other.name.lower() for other in file.parent.iterdir()}
            if file.suffix == ".meta" and file.with_suffix("").name.lower() not in names:
                folder = b"folderAsset: yes" in file.read_bytes()
                expected.add(("missing-directory" if folder else "orphan-meta", path))
            elif file.suffix != ".meta" and not beside.exists():
                if beside.name.lower() in names:
                    expected.add(("case-mismatch", path))
                elif parts[0] == "Assets":
                    expected.add(("missing-meta", path))
    codes = {"missing-meta", "orphan-meta", "missing-directory", "case-mismatch"}
    assert {row for row in told if row[0] in codes and row[1].startswith("Assets/")} == {
        row for row in expected if row[1].startswith("Assets/")
    }
