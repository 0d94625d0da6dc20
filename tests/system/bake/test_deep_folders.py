"""A project that is 1,200 folders deep is a project: no command recurses as deep as the tree."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.needs import is_wine
from tests.system.bake.test_old_times import OLD, material

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEPTH = 1_200
ASSET, FOLDER = f"{1:032x}", f"{2:032x}"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    if is_wine():
        pytest.skip("Wine lists folders in 600 others in fifty times the time of 150")
    root = tmp_path_factory.mktemp("deep") / "P"
    (root / "ProjectSettings").mkdir(parents=True)
    folder = f"{root}/Assets"
    os.mkdir(folder)
    made = [folder]
    try:
        for _ in range(DEPTH):
            folder += "/d"
            os.mkdir(folder)
            made.append(folder)
        files = {f"{folder}/Low.mat": material("Low"), f"{folder}/Low.mat.meta": f"guid: {ASSET}\n"}
        files[f"{folder}.meta"] = f"guid: {FOLDER}\nfolderAsset: yes\n"
        for path, text in files.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        for path in (*files, *reversed(made)):
            os.utime(path, (OLD, OLD))
        time.sleep(0.05)  # what was written a moment before a bake is read once more
        assert assetdb(root, "bake", "--quiet").returncode == 0
        yield root
    except OSError as error:
        pytest.skip(f"the system has no such paths: {error.strerror}")
    finally:
        for path in (f"{folder}/Low.mat", f"{folder}/Low.mat.meta", f"{folder}.meta"):
            with contextlib.suppress(OSError):
                os.unlink(path)
        for path in reversed(made):  # shutil and pytest recurse, and take minutes
            with contextlib.suppress(OSError):
                os.rmdir(path)


def assetdb(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "assetdb", *words, "--project", str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, cwd=os.getcwd())


@pytest.mark.parametrize("words", [("name", ASSET), ("name", FOLDER), ("find", "Low"), ("check",)])
def test_every_question_is_answered(project: Path, words: tuple[str, ...]) -> None:
    done = assetdb(project, *words)
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr
    if words[0] == "name":
        assert done.stdout.split()[1] in ("Material", "Folder")
