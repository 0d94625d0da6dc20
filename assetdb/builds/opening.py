"""``open_build``: the files at some paths as one build, cached between calls."""

from __future__ import annotations

import os
import sys
import time
from itertools import chain
from struct import error as StructError  # noqa: N812 - an exception's name
from typing import TYPE_CHECKING, Final

from assetdb.builds.build import Build
from assetdb.builds.engines.detection import other_engines
from assetdb.builds.parts.content import read_contents
from assetdb.builds.parts.facts import CODE, HELD, PartFacts
from assetdb.builds.parts.finding import find_parts
from assetdb.builds.parts.history import layouts_kept
from assetdb.builds.parts.index import index_path, load_index, pack, save_index, unpack
from assetdb.builds.parts.reading import read_part
from assetdb.errors import UsageError
from assetdb.settings.project import project_above
from assetdb.system.cancelling import check_cancelled
from assetdb_formats.binary import FormatError
from assetdb_formats.files import words_of
from assetdb_formats.processes import Uncollected, can_fork, processors, tracked
from assetdb_formats.unityfs.archives.webdata import WebData

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.builds.parts.finding import Part, Parts
    from assetdb_formats.processes import Progress

_MOST_WORKERS: Final = 8
_ALONE: Final = 8 << 20  # bytes that one process reads sooner than another is started


def open_build(
    paths: Sequence[str | os.PathLike[str]] | str | os.PathLike[str],
    *,
    contents: bool = True,
    remember: bool = True,
    workers: int | None = None,
    progress: Progress = None,
    most_objects: int | None = None,
    project: str = "",
) -> Build:
    """Open the files at some paths as one build.

    A path is a player's ``_Data`` folder, a ``data.unity3d``, the ``.data`` of a web player, an APK, AAB or other zip
    archive, a folder of bundles with its catalogs, or one such file. Damage is reported in
    :attr:`~assetdb.builds.build.Build.problems`; intact parts are still read.

    Args:
        paths: one or several.
        contents: whether to read objects, too; without, they have no names, references and streamed data, which
            takes a fifth of the time.
        remember: whether to use and keep an index in the user's cache folder.
        workers: processes that read; one a processor by default, at most 8.
        progress: called with the number of parts read and the total.
        most_objects: maximum number of objects, which makes one process read; by default there is none.
        project: root of a project in whose history of builds the layout of a content directory is looked for, besides
            the projects around the paths.

    Raises:
        UsageError: no file there belongs to a build of Unity, or it has more objects.
        FormatError: an archive that was named is damaged.
        OSError: a path cannot be read.
    """
    given = [os.fspath(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
    found = _parts_of_unity(given)
    place = index_path(given)
    known = load_index(place) if remember else {}
    packed: list[bytes | None] = []
    facts: list[PartFacts | None] = []
    for part in found.parts:
        identity, data = known.get(part.name, ("", b""))
        same = data if part.identity and identity == _key(part) else None
        old = None if same is None else _unpacked(same)
        facts.append(old if old is not None and (old.has_contents or not contents) else None)
        packed.append(same if facts[-1] is not None else None)
    missing = [number for number, item in enumerate(facts) if item is None]
    problems = list(found.problems)
    tally = _Tally(given, most_objects)
    if most_objects is not None:
        workers = 1  # several would not share the count
    for item in facts:
        tally.add(item)
    for number, read in _read_all(found.parts, missing, workers, progress, tally, contents=contents):
        if isinstance(read, bytes):  # by another process
            packed[number], facts[number] = read, unpack(read)
        else:
            packed[number], facts[number] = pack(read) if remember else None, read
    whole = [item for item in facts if item is not None]
    for number, read in _read_scripts(found.parts, whole).items():
        whole[number] = read
        packed[number] = pack(read) if remember else None
        missing.append(number)
    if remember and (missing or len(known) != len(found.parts)):
        kept = {
            part.name: (_key(part), data)
            for part, data, item in zip(found.parts, packed, whole, strict=True)
            if data is not None and part.identity and not any(file.extracted for file in item.files)
        }
        if kept.keys() != known.keys() or any(found.parts[number].identity for number in missing):
            save_index(place, kept)
    contents_of, unread = read_contents(found.parts)
    roots = filter(None, (project, *map(project_above, given)))
    laid_out, unread_too = layouts_kept(found.parts, contents_of, roots)
    problems += [*unread, *unread_too]
    return Build(given, found.parts, whole, found.packages, problems, [*contents_of, *laid_out])


def _parts_of_unity(given: list[str]) -> Parts:
    try:
        return find_parts(given, now_ns=time.time_ns())
    except UsageError as error:
        engines = other_engines(given)
        what = f"the files of {' and '.join(engines)} there are read by `assetdb build info`, ls, find, size and verify"
        raise UsageError(f"{error}; {what if engines else _to_name_instead(given)}") from None


def _to_name_instead(given: list[str]) -> str:
    for path in given:
        if os.path.isdir(os.path.join(path, "Assets")) or os.path.basename(os.path.abspath(path)) == "Assets":
            return "this is a project: name the folder that Unity built it into"
    return "name a player's _Data folder, an APK, or a folder of bundles or catalogs"


def _read_scripts(parts: Sequence[Part], facts: Sequence[PartFacts]) -> dict[int, PartFacts]:
    if not any(part.kind == CODE for part in parts) and not any(known.scripts_key for known in facts):
        return {}
    from assetdb.builds.objects.scripts import read_scripts  # noqa: PLC0415 - with .NET's tables: bundles have no DLLs

    return read_scripts(parts, facts)


class _Tally:
    """How many objects were read, and how many there may be."""

    def __init__(self, paths: Sequence[str], most: int | None) -> None:
        self._paths = paths
        self._most = most
        self._objects = 0

    def add(self, facts: PartFacts | None) -> None:
        """Count a part's objects. Raises UsageError above the limit."""
        self._objects += 0 if facts is None else len(facts.path_ids)
        if self._most is not None and self._objects > self._most:
            raise UsageError(f"{', '.join(self._paths)}: holds more than {self._most:,} objects")


def _key(part: Part) -> str:
    """Return a part's key in an index: its kind and identity."""
    return f"{part.kind}/{part.identity}"


def _unpacked(data: bytes) -> PartFacts | None:
    try:
        return unpack(data)
    except (ValueError, TypeError, LookupError, StructError):
        return None


def read_facts(part: Part, *, contents: bool = True) -> PartFacts:
    """Return the facts of a part; an unreadable one has a problem."""
    try:
        with Uncollected():  # 15 % of the time: nothing that is read goes in circles
            return read_part(part.input, part.kind, contents=contents)
    except OSError as error:
        return PartFacts(part.kind, part.disk, problems=(words_of(error),))
    except FormatError as error:
        return PartFacts(part.kind, part.disk, problems=(str(error.at("")),))


def _read_all(
    parts: Sequence[Part],
    missing: list[int],
    workers: int | None,
    progress: Progress,
    tally: _Tally,
    *,
    contents: bool,
) -> list[tuple[int, PartFacts | bytes]]:
    """Read parts, by several processes if that pays."""
    held = [number for number in missing if parts[number].kind in HELD]
    others: list[tuple[int, PartFacts | bytes]] = [
        (number, read_facts(parts[number])) for number in missing if parts[number].kind not in HELD
    ]
    count = min(workers or min(processors(), _MOST_WORKERS), len(held))
    if workers is None and sum(parts[number].disk for number in held) < _ALONE:
        count = 1
    containers = (parts[number].input.container for number in held)
    if any(isinstance(container, WebData) and container.compression for container in containers):
        count = 1  # they would share the position in a temporary file
    if sys.platform != "win32" and count > 1 and can_fork():
        return others + _read_together(parts, held, count, progress, contents=contents)
    return [*others, *_read_some(parts, held, progress, tally, contents=contents)]


def _read_together(
    parts: Sequence[Part],
    numbers: list[int],
    count: int,
    progress: Progress,
    *,
    contents: bool,
) -> list[tuple[int, PartFacts | bytes]]:
    """Read parts by forked processes, and here if one is killed."""
    numbers.sort(key=lambda number: -parts[number].disk)

    def work(worker: int) -> list[tuple[int, PartFacts | bytes]]:
        found = _read_some(parts, numbers[worker::count], None if worker else progress, contents=contents)
        return [(number, pack(facts) if worker else facts) for number, facts in found]

    shares: list[list[tuple[int, PartFacts | bytes]]] = []
    if sys.platform != "win32":
        from assetdb_formats.forking import fork_out  # noqa: PLC0415 - a module that Windows cannot import

        shares = fork_out(work, count)
    return list(chain.from_iterable(shares))


def _read_some(
    parts: Sequence[Part],
    numbers: Sequence[int],
    progress: Progress,
    tally: _Tally | None = None,
    *,
    contents: bool,
) -> list[tuple[int, PartFacts]]:
    found = []
    for number in tracked(numbers, progress):
        facts = read_facts(parts[number], contents=contents)
        if tally is not None:
            tally.add(facts)
        found.append((number, facts))
        check_cancelled()
    return found
