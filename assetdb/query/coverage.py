"""How many references a project has, how many of them have a name, and why the others have none."""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import FileError
from assetdb.project import asset_file, asset_roots, is_hidden, is_opaque
from assetdb.query import verdicts
from assetdb.system.failures import excuse
from assetdb.system.reading import open_regular
from assetdb.unity.kinds import HEAD_BYTES, OTHER, is_yaml_head, kind_of
from formats.processes import can_fork

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.resolve.resolver import Resolver

_LARGEST_FILE: Final = 1 << 30
_BY_REASON: Final = (verdicts.UNNAMED, verdicts.APART)


class Coverage(NamedTuple):
    """What was counted; every number is of occurrences.

    Attributes:
        total: all references in the text assets of ``Assets/`` and ``Packages/``.
        in_tree: those whose GUID the project has or the engine, without ``apart``.
        named: those of them that have a name.
        reasons: those of them that have none, by reason.
        apart: references to a text asset that is absent, empty, binary or a Git LFS pointer, by reason: what they
            mean cannot be known from these files.
        packages: references into packages outside the project that were found on this machine, and are named.
        absent: references into public packages that are not on this machine, whose GUIDs are known all the same.
        missing: references whose GUID nothing has, while all packages of the project are here or known.
        outside: references whose GUID nothing has that is here or known, where a package of the project is neither.
    """

    total: int
    in_tree: int
    named: int
    reasons: dict[str, int]
    apart: dict[str, int]
    packages: int
    absent: int
    missing: int
    outside: int

    @property
    def share(self) -> float:
        """Named of in_tree in per cent; 100 where there is none."""
        return 100 * self.named / self.in_tree if self.in_tree else 100.0


def measure(resolver: Resolver, *, workers: int = 1, on_progress: Callable[[int, int], None] | None = None) -> Coverage:
    """Count and name all references of a project.

    Args:
        resolver: of the project.
        workers: how many processes to use, where processes can fork.
        on_progress: is given the files read and the files there are, now and then.

    Raises:
        ScanError: what the project holds cannot be told just now.
    """
    files = sorted(text_files(resolver.root))
    parts = [files[number::workers] for number in range(workers)]
    counts: Counter[str] = Counter()
    for part in _share_out(lambda number: _count(parts[number], on_progress if number == 0 else None), workers):
        counts.update(part)
    # All references to one asset go to one process: it reads the asset once.
    shares: list[list[tuple[str, int]]] = [[] for _ in range(workers)]
    for key, count in counts.items():
        shares[int(key[:4], 16) % workers].append((key, count))
    found: Counter[str] = Counter()
    for part in _share_out(lambda number: _name(resolver, shares[number]), workers):
        found.update(part)
    reasons, apart = _by_reason(found, verdicts.UNNAMED), _by_reason(found, verdicts.APART)
    in_tree = found[verdicts.NAMED] + sum(reasons.values())
    numbers = [found[kind] for kind in (verdicts.IN_PACKAGE, verdicts.ABSENT, verdicts.MISSING, verdicts.OUTSIDE)]
    total = in_tree + sum(apart.values()) + sum(numbers)
    return Coverage(total, in_tree, found[verdicts.NAMED], reasons, apart, *numbers)


def _by_reason(found: Counter[str], kind: str) -> dict[str, int]:
    return {key.partition(" ")[2]: count for key, count in sorted(found.items()) if key.startswith(f"{kind} ")}


def _share_out(work: Callable[[int], dict[str, int]], workers: int) -> list[dict[str, int]]:
    """Return ``work(0) ... work(workers - 1)``, over several processes where that is possible."""
    if sys.platform != "win32" and workers > 1 and can_fork():
        from formats.forking import fork_out  # noqa: PLC0415 - only where processes can fork

        return fork_out(work, workers)
    return [work(number) for number in range(workers)]


def text_files(root: str) -> Iterator[str]:
    """Yield the files of a project that may be text with references, hidden folders left out."""
    stack = [asset_file(root, top) for top in asset_roots(root)]
    while stack:
        here = stack.pop()
        try:
            with os.scandir(here) as entries:
                listed = list(entries)
        except OSError as error:
            excuse(here, error)
            continue
        for entry in listed:
            if is_hidden(os.fsencode(entry.name)):
                continue
            if entry.is_dir(follow_symlinks=False):
                if not is_opaque(os.fsencode(entry.name)):
                    stack.append(entry.path)
            elif _may_refer(_extension(entry.name)) and entry.is_file():
                yield entry.path


def _may_refer(extension: str) -> bool:
    """Whether files of an extension may refer to assets; of those without a row their head tells."""
    return kind_of(extension).content != OTHER and extension != "meta"


def references(data: bytes, extension: str) -> Iterator[tuple[bytes, int | None, bool, bool]]:
    """Yield the references of a file as ``assetdb.query.verdicts.references`` does, without their offsets."""
    for row in verdicts.references(data, extension):
        yield row[:4]


def _count(files: list[str], on_progress: Callable[[int, int], None] | None) -> dict[str, int]:
    """Return how often each reference occurs, by ``GUID fileID flags``."""
    counts: Counter[tuple[bytes, int | None, bool, bool]] = Counter()
    for number, path in enumerate(files):
        if on_progress is not None:
            on_progress(number, len(files))
        extension = _extension(path)
        try:
            with open(open_regular(path), "rb") as file:
                data = file.read(HEAD_BYTES)
                if not (kind_of(extension).content or is_yaml_head(data)):
                    continue
                data += file.read(_LARGEST_FILE)
        except FileError:
            continue
        except OSError as error:
            excuse(path, error)
            continue
        counts.update(references(data, extension))
    return {
        f"{guid.decode()} {'' if file_id is None else file_id} {'t' * target}{'c' * candidate}": count
        for (guid, file_id, target, candidate), count in counts.items()
    }


def _name(resolver: Resolver, counts: list[tuple[str, int]]) -> dict[str, int]:
    """Return how many references are named, apart, outside, or unnamed for each reason."""
    found: Counter[str] = Counter()
    for key, count in sorted(counts):
        guid, digits, flags = key.split(" ")
        verdict = verdicts.judge(
            resolver, guid, int(digits) if digits else None, override="t" in flags, candidate="c" in flags
        )
        found[f"{verdict.kind} {verdict.reason}" if verdict.kind in _BY_REASON else verdict.kind] += count
    return found


def _extension(path: str) -> str:
    return os.path.basename(path).rpartition(".")[2].lower()
