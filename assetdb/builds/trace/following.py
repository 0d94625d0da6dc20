"""Ties by references, from objects that are tied already.

Two objects that are tied, of the build and of the project, both refer to others. If one object of a class and name is
referred to on either side, these two objects are tied, too, and followed in turn; with the root of a prefab all objects
below it. Each object is followed once.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from assetdb.builds.trace.contents import UNKNOWN
from assetdb.builds.trace.sources import Source
from assetdb.builds.trace.traced import EXACT, REPORT, TIED, UNIQUE, Traced
from assetdb.system.cancelling import check_cancelled
from assetdb_formats.unityfs.serialized_files.serialized import MONO_BEHAVIOUR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from assetdb.builds.build import Build
    from assetdb.builds.trace.sources import Sources

REFERENCES: Final = "references"


def follow(
    build: Build,
    sources: Sources,
    tied: Iterable[Traced],
    kinds: Callable[[int], frozenset[str]],
    below: Callable[[Traced], Iterable[Traced]],
    held: frozenset[str],
) -> dict[int, Traced]:
    """Return the objects that references tie, by number.

    Args:
        build: the build.
        sources: the objects of the project.
        tied: the ties of all objects so far; certain ones are followed.
        kinds: returns the class of an object; for a MonoBehaviour the names that its script may have in the project.
        below: returns the ties of the objects below the root of a prefab; none for any other object.
        held: certainties with which an earlier tie is kept.
    """
    before = {row.number: row for row in tied}
    found: dict[int, Traced] = {}
    waiting = deque(row for row in before.values() if row.certainty in TIED)
    while waiting:
        check_cancelled()
        row = waiting.popleft()
        source = row.sources[0]
        wanted: dict[tuple[str, str], dict[tuple[str, int], None]] | None = None
        targets: dict[tuple[frozenset[str], str], dict[int, None]] = {}
        for reference in build.references(row.number):
            target = reference.target
            if target < 0 or target in found or not _is_open(before[target], held):
                continue
            targets.setdefault((kinds(target), build.name(target)), {})[target] = None
        for (names, name), numbers in targets.items():
            if not name or len(numbers) > 1:
                continue
            if wanted is None:
                wanted = _by_name(sources, source)
            matches = {item: None for kind in names for item in wanted.get((kind, name), ())}
            if not matches and build.class_ids[next(iter(numbers))] == MONO_BEHAVIOUR:
                matches = wanted.get((UNKNOWN, name), {})  # its script is in no package that is known
            if len(matches) != 1:
                continue
            (guid, file_id), number = next(iter(matches)), next(iter(numbers))
            path = sources.path_of(guid)
            if path:
                root = Traced(number, UNIQUE, REFERENCES, (Source(guid, file_id, path),))
                for tie in (root, *below(root)):
                    known = before[tie.number]
                    if tie.number not in found and _is_open(known, held) and _agree(known, tie):
                        found[tie.number] = tie
                        waiting.append(tie)
    return found


def _is_open(known: Traced, held: frozenset[str]) -> bool:
    """Whether references can add to a tie: a report gives no fileID."""
    is_asset = known.by == REPORT and known.certainty == EXACT and known.sources[0].file_id is None
    return is_asset or known.certainty not in held


def _agree(known: Traced, other: Traced) -> bool:
    """Whether a tie does not contradict the report's."""
    return known.by != REPORT or known.sources[0].guid == other.sources[0].guid


def _by_name(sources: Sources, source: Source) -> dict[tuple[str, str], dict[tuple[str, int], None]]:
    """Return the references of a project's object by class and name."""
    found: dict[tuple[str, str], dict[tuple[str, int], None]] = {}
    for guid, file_id in sources.contents.references(source.guid, source.file_id):
        known = sources.contents.objects(guid).get(file_id)
        if known is not None and known.name:
            found.setdefault((known.kind, known.name), {})[guid, file_id] = None
    return found
