"""Damage binary assets and the editor's files of imports: readers answer or refuse, in bounds of time and memory.

    python -m scripts.fuzz.binary_assets [--count 20000] [--seed 1] [--only PART] [--samples X.mat]...

Parts share the count. ``assets`` are SerializedFiles as Force Binary writes them, of all versions: damaged anywhere, cut,
of a version that is not known, without type trees, and with type trees that lie. Each is read as a bake (class, script,
sub-assets, references), a question (the text that Unity would have written) and ``check`` (whether it is damaged) do,
which must not contradict each other. ``imports`` are the files beside ``.info``, ``infos`` these
themselves. ``--samples`` are files to start from instead of the synthetic ones.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from assetdb.doctor.library.imported_files import read_imported
from assetdb.doctor.library.info_files import read_info
from assetdb.unity.binary.asset_facts import binary_facts
from assetdb.unity.binary.opening import as_text, is_damaged
from assetdb.unity.referring.references import binary_references
from assetdb.unity.yaml.documents import documents
from assetdb_formats.binary import FormatError
from scripts.arguments import Given, script
from scripts.fuzz.running import Bounds, damage, kept_in, run
from tests.assetdb.doctor.library.editor_files import Node, Shown, imported, info
from tests.assetdb.unity.binary.binary_assets import material, named, prefab, scriptable_object
from tests.assetdb_formats.unityfs.builder import whole_file

_GUID: Final = "0123456789abcdef0123456789abcdef"
_VERSIONS: Final = (*range(6, 24),)
_VERSION_PLACE: Final = 8
_BOUNDS: Final = Bounds(multiple=400)


class OddError(Exception):
    """Two readers contradict each other."""


def run_assets(data: bytes) -> str:
    """Read a binary asset in each way that assetdb reads one.

    Raises:
        OddError: two of them contradict each other.
    """
    facts = binary_facts(data, rows=True, declared=(11400000,), stem="x", prefab=False)
    references = binary_references(data)
    text = as_text(data)
    if text is data:
        return "facts alone" if facts.rows or references.certain else "refused"
    if is_damaged(data):
        raise OddError("it has a text, and is damaged")
    if len(documents(text)) < len(facts.rows):
        raise OddError("its text has fewer objects than a bake found")
    return "read"


def run_imports(data: bytes) -> str:
    """Read the file of an import."""
    try:
        return "read" if read_imported(data, _GUID, "Assets/x.fbx").objects else "empty"
    except FormatError:
        return "refused"


def run_infos(data: bytes) -> str:
    """Read a ``.info`` file."""
    try:
        return "read" if read_info(data, _GUID) else "empty"
    except FormatError:
        return "refused"


_NODES: Final = [Node("Arm", 2, 3), Node("Hand", 4, 5, 3), Node("Finger", 6, 7, 5)]
PARTS: Final[dict[str, tuple[Callable[[bytes], str], list[bytes]]]] = {
    "assets": (
        run_assets,
        [
            *(whole_file(version) for version in _VERSIONS),
            *(whole_file(version, big_endian=True) for version in _VERSIONS[::4]),
            *(material(version=version) for version in (9, 15, 17, 19, 22)),
            *(prefab(), prefab(trees=False), scriptable_object("x", ((1, "a"), (2, "b")))),
            named((1, 21, "m"), (2, 43, "mesh"), (11400000, 74, "clip")),
        ],
    ),
    "imports": (
        run_imports,
        [
            imported(_NODES, [(8, 23, 4)], [(9, 43, "Hand")], [(_GUID, "a.mat")], version=version)
            for version in (14, 17, 22)
        ],
    ),
    "infos": (
        run_infos,
        [info("Assets/x.png", Shown("x", 2800000, 28), [Shown('"a\\xE4"', -5, 213), Shown("b", 7, 114, "A.B")])],
    ),
}


def altered(data: bytes, choice: random.Random, others: list[bytes]) -> bytes:
    """Return a file that is damaged, cut, of a future version, or with a few letters of its metadata changed."""
    kind = choice.randrange(6)
    if kind == 0:
        return data[: choice.randrange(len(data) + 1)]
    if kind == 1:
        return data[:_VERSION_PLACE] + choice.randrange(24, 200).to_bytes(4, "big") + data[_VERSION_PLACE + 4 :]
    if kind == 2:  # of nodes of type trees, names and sizes: they are in the first part of the file
        text = bytearray(data)
        for _ in range(choice.choice((1, 2, 8))):
            text[choice.randrange(min(len(text), 48), max(len(text) * 3 // 4, 49) if len(text) > 49 else len(text))] = (
                choice.choice((0, 1, 2, 4, 127, 128, 255))
            )
        return bytes(text)
    return damage(data, choice, others)


def cases(part: str, count: int, seed: int, samples: list[bytes] | None = None) -> Iterator[bytes]:
    """Yield altered files of one part, the same ones for the same ``seed``."""
    bases = samples or PARTS[part][1]
    for number in range(count):
        choice = random.Random(f"{part} {seed} {number}")
        yield altered(bases[number % len(bases)], choice, bases)


def fuzz(part: str, count: int, seed: int, samples: list[bytes] | None = None) -> Counter[str]:
    """Read altered files of one part; an exception ends that."""
    keep = kept_in(f"fuzz-{part}.bin")
    return run(cases(part, count, seed, samples), partial(_attempt, part), keep, every=100_000, bounds=_BOUNDS)


def _attempt(part: str, data: bytes) -> str:
    return PARTS[part][0](data)


@script(__doc__, count=20_000, seed=1, only="", samples=[])
def main(given: Given) -> None:
    """Parse arguments, fuzz, report."""
    parts = [given.only] if given.only else list(PARTS)
    for part in parts:
        print(part)
        fuzz(part, given.count // len(parts), given.seed, [Path(name).read_bytes() for name in given.samples])
