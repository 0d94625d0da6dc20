"""Trial of the merge driver that git is configured to run."""

from __future__ import annotations

import os
import subprocess
import tempfile
from typing import TYPE_CHECKING, Final

from assetdb.doctor.item import OK, WARNING, Item
from assetdb.history.configuration.merge_driver import KEY
from assetdb.settings.programs import find_program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.history.git.repository import Repository

_ADVICE: Final = "run `assetdb git-setup --remove`, then `assetdb git-setup --merge`, with assetdb on PATH"
_SECONDS: Final = 60
_TEXT: Final = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &1\nMonoBehaviour:\n  a: {}\n  b: {}\n"
_SAMPLE: Final = {"%O": (0, 0), "%A": (1, 0), "%B": (0, 1)}
"""Changes of neighbouring lines, in which git alone has a conflict."""
_MERGED: Final = (1, 1)


def examine_merges(repository: Repository) -> Iterator[Item]:
    """Yield a line on the driver, if git has one."""
    line = os.fsdecode(repository.output("config", "--get", KEY, accept=(0, 1))).removesuffix("\n")
    if not line:
        return
    shell = find_program("sh")
    if not shell:
        yield Item("git", WARNING, f"{KEY} was not tried: there is no shell on PATH", "")
        return
    problem = _tried(shell, line)
    if problem:
        yield Item("git", WARNING, f"{KEY} does not merge by object: {problem}: git merges by lines", _ADVICE)
    else:
        yield Item("git", OK, f"{KEY} merges by object")


def _tried(shell: str, line: str) -> str:
    """Run the driver on a small file, and return the problem."""
    with tempfile.TemporaryDirectory(prefix="assetdb-") as folder:
        names = {}
        for number, (place, values) in enumerate(_SAMPLE.items()):
            names[place] = f".merge_file_{number}"
            with open(os.path.join(folder, names[place]), "w", encoding="ascii", newline="\n") as file:
                file.write(_TEXT.format(*values))
        for place, name in {**names, "%P": "Assets/x.unity", "%L": "7"}.items():
            line = line.replace(place, name)
        try:
            done = subprocess.run([shell, "-c", line], cwd=folder, capture_output=True, timeout=_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"it takes more than {_SECONDS} seconds"
        with open(os.path.join(folder, names["%A"]), encoding="utf-8", errors="replace", newline="") as file:
            text = file.read()
    if done.returncode == 0 and text == _TEXT.format(*_MERGED):
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return said[0] if said else f"it ended with exit code {done.returncode}"
