"""The result of a refresh: changed directories, assets and answers."""

from __future__ import annotations

from assetdb.scan.directory import SLASH, diagnostics_of, facts_of, reference_columns, without_links
from assetdb.scan.known.cache import FEW
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Final

    from assetdb.diagnostics import Diagnostic
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.known.cache import Cache
    from assetdb.scan.workers import ScanResult
    from assetdb.store.output import Output
    from assetdb.workspace.changes import Change

    Pair = tuple[DirectoryFacts | None, DirectoryFacts | None]

_PACKAGES: Final = b"Packages/"


class Update(NamedTuple):
    """The result of a refresh.

    Attributes:
        changes: of assets, if there was a database before and the workspace is kept.
        diagnostics_added: new ones, in a kept workspace.
        diagnostics_removed: those that are gone, in a kept workspace.
        files_read: how many metas and assets had to be opened.
        directories_read: how many directories were examined.
        unchanged: whether the files already match these facts.
        replaced: the GUIDs (32 hex digits) of assets whose facts or files may have changed, in a kept workspace.
        any_replaced: whether a directory changed, in a kept workspace.
        listings_replaced: whether orphaned metas may have changed.
        walk_seconds: how long this process listed and compared.
        scan_seconds: how long the whole scan took.
    """

    changes: tuple[Change, ...] = ()
    diagnostics_added: tuple[Diagnostic, ...] = ()
    diagnostics_removed: tuple[Diagnostic, ...] = ()
    files_read: int = 0
    directories_read: int = 0
    unchanged: bool = False
    replaced: frozenset[str] = frozenset()
    any_replaced: bool = False
    listings_replaced: bool = False
    walk_seconds: float = 0.0
    scan_seconds: float = 0.0

    def of_scan(self, found: ScanResult) -> Update:
        """Return the update with the counts of a scan."""
        return self._replace(
            files_read=found.files_read, directories_read=found.directories_read, walk_seconds=found.walk_seconds
        )


def replaced(before: Mapping[bytes, DirectoryFacts], after: Mapping[bytes, DirectoryFacts]) -> list[Pair]:
    """Return replaced directories, before and after."""
    pairs: list[Pair] = [(directory, None) for path, directory in before.items() if path not in after]
    for path, directory in after.items():
        old = before.get(path)
        if old is not directory:
            pairs.append((old, directory))
    return pairs


def completed_pairs(known: Cache, found: ScanResult) -> list[Pair]:
    """Return replaced directories, before and after, with their facts.

    Raises:
        DamagedCacheError: the facts of the cache are damaged.
    """
    if found.is_as_known:
        return []
    pairs = replaced(known.directories, found.directories)
    if len(pairs) > FEW or any(old is None or new is None for old, new in pairs):
        known.facts.load()  # of all directories, so that none is read alone first
    return [(old and known.complete(old), new) for old, new in pairs]


def have_other_facts(pairs: Iterable[Pair]) -> bool:
    """Whether a directory came, went, or changed in more than identities."""
    return any(old is None or new is None or facts_of(old) != facts_of(new) for old, new in pairs)


def relinked_index(output: Output, known: Cache, pairs: Collection[Pair]) -> bytes | None:
    """Return the new index of a database that stays as it is.

    Returns None if the database may change, or the index is damaged; empty if the index stays as well.
    """
    both = [(old, new) for old, new in pairs if old is not None and new is not None]
    if len(both) < len(pairs) or len(pairs) > FEW:
        return None
    if any(without_links(old) != without_links(new) for old, new in both):
        return None
    contents = output.read_sound(known.files)
    if contents is None:
        return None
    from assetdb.state.relinked import index_after  # noqa: PLC0415 - where nothing changed it is not needed

    made = index_after(contents[1], both)
    return b"" if made is contents[1] else made


def much_changed(files_read: int, pairs: Collection[Pair]) -> int:
    """Return the amount of work to follow changes.

    It is the number of files read in changed directories, and of moved assets. ``pairs``: these directories before and
    after; other files read had no effect.
    """
    in_these = sum([2 * directory.pair_count for _, directory in pairs if directory is not None])
    return min(files_read, in_these) + sum([_assets_that_moved(old, new) for old, new in pairs])


def _assets_that_moved(before: DirectoryFacts | None, after: DirectoryFacts | None) -> int:
    """Return how many assets entered or left a directory."""
    from assetdb.scan.known.slices import equal_ends  # noqa: PLC0415 - where nothing changed it is not needed
    from assetdb.store.indexes.graph import split  # noqa: PLC0415 - as above

    first, last = equal_ends(before, after) if before is not None and after is not None else (0, 0)
    old, new = (
        set(split(directory.guids[first * 16 : len(directory.guids) - last * 16])) if directory is not None else set()
        for directory in (before, after)
    )
    return len(old ^ new)


def _may_be_package(path: bytes) -> bool:
    """Whether a directory may be the top of a package.

    Its ``package.json`` decides whether Unity imports the metas below it.
    """
    return path.startswith(_PACKAGES) and path.count(SLASH) == 1


def update_of(pairs: Collection[Pair]) -> Update:
    """Return the update of replaced directories."""
    from assetdb.scan.known.slices import replaced_guids  # noqa: PLC0415 - where nothing changed it is not needed

    guids: set[str] = set()
    listings = False
    for old, new in pairs:
        if old is not None and new is not None:
            packed = replaced_guids(old, new).hex()
        else:
            packed = "".join([each.guids.hex() for each in (old, new) if each is not None])
        guids.update([packed[start : start + 32] for start in range(0, len(packed), 32)])
        both = [each for each in (old, new) if each is not None]
        listings = listings or any(each.listing_diagnostics or _may_be_package(each.path) for each in both)
    return Update(replaced=frozenset(guids), any_replaced=bool(pairs), listings_replaced=listings)


def diagnostics_changed(
    before: Sequence[Diagnostic], after: Sequence[Diagnostic], pairs: Sequence[Pair]
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Return added and removed diagnostics of the project and some directories."""
    old = {*before, *diagnostics_of(directory for directory, _ in pairs if directory is not None)}
    new = {*after, *diagnostics_of(directory for _, directory in pairs if directory is not None)}
    return tuple(sorted(new - old)), tuple(sorted(old - new))


def with_facts(
    known: Cache, before: Mapping[bytes, DirectoryFacts], after: Mapping[bytes, DirectoryFacts]
) -> tuple[dict[bytes, DirectoryFacts], dict[bytes, DirectoryFacts]]:
    """Return directories before and after, completed; unchanged ones are the same objects."""
    known.facts.load()
    complete = known.complete
    old = {path: complete(directory) for path, directory in before.items()}
    new = {
        path: old[path] if before.get(path) is directory else complete(directory) for path, directory in after.items()
    }
    return old, new


def referrers(directories: Iterable[DirectoryFacts], guid: bytes) -> list[str]:
    """Return the paths of assets that refer to a 16-byte GUID."""
    from assetdb.scan.directory import utf8  # noqa: PLC0415 - only where a bake fails
    from assetdb.store.indexes.graph import split  # noqa: PLC0415 - as above

    found = []
    for directory in directories:
        if guid in directory.references:
            names = directory.files.split(SLASH)[::2]
            for name, pair in zip(names, reference_columns(directory), strict=False):
                if any(guid in split(packed) for packed in pair):
                    found.append(utf8(directory.path + SLASH + name).decode())
    return found
