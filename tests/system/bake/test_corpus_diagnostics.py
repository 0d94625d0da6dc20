"""Every real project bakes; what is found in each is a golden table."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.system.interop import crate

CHECKOUT = Path(__file__).resolve().parents[3]
GOLDEN: dict[str, dict[str, int]] = json.loads(
    (Path(__file__).parent / "golden" / "corpus_diagnostics.json").read_text()
)


def test_the_table_has_every_project() -> None:
    assert tuple(GOLDEN) == crate.PROJECTS
    assert len(GOLDEN) == 32


@pytest.mark.long
@pytest.mark.corpus(*crate.CORPORA)
def test_the_corpus_has_no_other_project(corpus: Path) -> None:
    found = {path.parent for path in (corpus / "unity").rglob("ProjectSettings") if (path.parent / "Assets").is_dir()}
    assert {path.relative_to(corpus / "unity").as_posix() for path in found} == set(crate.PROJECTS)


@pytest.mark.long
@pytest.mark.corpus(*crate.CORPORA)
@pytest.mark.parametrize("name", crate.PROJECTS)
def test_the_project_bakes_with_these_diagnostics(corpus: Path, tmp_path: Path, name: str) -> None:
    command = [sys.executable, "-m", "assetdb", "bake", "--json", "--out-dir", str(tmp_path)]
    found = subprocess.run(
        [*command, "--project", str(corpus / "unity" / name)], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (0, "")
    result = json.loads(found.stdout)
    codes = Counter(item["code"] for item in result["diagnostics"])
    assert {"assets": result["assets"], **codes} == GOLDEN[name]
