"""What README.md shows of the fixture is what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

_ROOT = Path(__file__).parent.parent
_GOLDEN = _ROOT / "fixtures" / "golden"


def shown() -> list[tuple[str, list[str]]]:
    """Return the commands of the console blocks, each with the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", (_ROOT / "README.md").read_text("utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def test_the_number_of_assets() -> None:
    counted = re.search(r": (\d+) assets", (_GOLDEN / "asset-db.dump.txt").read_text("utf-8"))
    assert counted is not None
    numbers = re.findall(r"^baked (\d+) assets", (_ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert set(numbers) == {counted[1]}


def test_the_dump() -> None:
    dump = (_GOLDEN / "asset-db.dump.txt").read_text("utf-8").splitlines()
    ((command, lines),) = [(command, lines) for command, lines in shown() if command.startswith("assetdb dump ")]
    pattern = command.rpartition(" grep -A 3 ")[2]
    (number,) = [number for number, line in enumerate(dump) if pattern in line]
    assert lines == dump[number : number + 4]


def test_the_diagnostics() -> None:
    diagnostics = (_GOLDEN / "diagnostics.txt").read_text("utf-8").splitlines()
    (lines,) = [lines for command, lines in shown() if command.endswith("grep duplicate-guid")]
    assert lines == [f"error: {line}" for line in diagnostics if "duplicate-guid" in line]
