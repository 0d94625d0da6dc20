"""What the names of a directory say: which metas belong to which assets, and which stand alone."""

from __future__ import annotations

from assetdb.diagnostics import Diagnostic
from assetdb.project import is_hidden
from assetdb.records import NamedTuple
from assetdb.scan.asset import utf8

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

META: Final = b".meta"


class Listing(NamedTuple):
    """The names of one directory, sorted, each where it belongs.

    Attributes:
        children: directories to descend into.
        pairs: asset and meta of each asset that has one.
        folder_metas: folder and meta of each folder that has one.
        orphans: metas whose asset or folder is not there.
        diagnostics: what is to be said of the others.
    """

    children: list[bytes]
    pairs: list[tuple[bytes, bytes]]
    folder_metas: list[tuple[bytes, bytes]]
    orphans: list[bytes]
    diagnostics: list[Diagnostic]


def arrange(path: bytes, children: list[bytes], linked: set[bytes], assets: set[bytes], metas: list[bytes]) -> Listing:
    """Join the names found in the directory ``path``.

    Args:
        path: relative to the project.
        children: directories in it.
        linked: links to directories, which are not followed.
        assets: everything else that is no meta; the set is used up.
        metas: names that end with ``.meta``.
    """
    folder = utf8(path).decode()
    found: list[Diagnostic] = []
    pairs: list[tuple[bytes, bytes]] = []
    folder_metas: list[tuple[bytes, bytes]] = []
    orphans: list[bytes] = []
    folders = linked.union(children)
    for meta in sorted(metas):
        name = meta[: -len(META)]
        if name in assets:
            pairs.append((name, meta))
            assets.discard(name)
        elif name in folders:
            folder_metas.append((name, meta))
            folders.discard(name)
        elif not is_hidden(name):
            orphans.append(meta)
    if orphans and assets:
        orphans = _pair_across_case(folder, orphans, assets, pairs, found)
        pairs.sort()
    found += [Diagnostic("linked-directory", f"{folder}/{shown(name)}", 0, "a link to a directory") for name in linked]
    if path != b"Packages":  # manifests and the packages' own folders have none
        unnamed = [*assets, *(folder + b"/" for folder in folders - linked)]
        found += [Diagnostic("missing-meta", f"{folder}/{shown(name)}", 0, "has no .meta") for name in unnamed]
    return Listing(sorted(children), pairs, folder_metas, orphans, sorted(found))


def shown(name: bytes) -> str:
    """Return a file name as text."""
    return utf8(name).decode()


def _pair_across_case(
    folder: str, orphans: list[bytes], assets: set[bytes], pairs: list[tuple[bytes, bytes]], found: list[Diagnostic]
) -> list[bytes]:
    """Join metas and assets that differ only in case, as file systems that fold case do; return the other metas.

    BoatAttack has ``AiController.cs`` beside ``AIcontroller.cs.meta``.
    """
    folded = {name.lower(): name for name in sorted(assets, reverse=True)}
    alone = []
    for meta in orphans:
        name = folded.pop(meta[: -len(META)].lower(), None)
        if name is None:
            alone.append(meta)
            continue
        pairs.append((name, meta))
        assets.discard(name)
        found.append(Diagnostic("case-mismatch", f"{folder}/{shown(name)}", 0, f"its meta is called {shown(meta)}"))
    return alone
