"""Pairs of assets and metas, from the names in a directory."""

from __future__ import annotations

from assetdb.diagnostics import Diagnostic
from assetdb.scan.asset import utf8
from assetdb.settings.project import is_hidden
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

META: Final = b".meta"
PACKAGES: Final = b"Packages"
_PLUGINS: Final = (b".bundle", b".framework", b".plugin", b".xcframework")


class Listing(NamedTuple):
    """The names of one directory, sorted, each where it belongs.

    Attributes:
        children: subdirectories.
        pairs: asset and meta of each asset that has one.
        folder_metas: folder and meta of each folder that has one.
        orphans: metas whose asset or folder is missing.
        diagnostics: of the others.
        links: links to directories; whether they are followed depends on the whole project.
    """

    children: list[bytes]
    pairs: list[tuple[bytes, bytes]]
    folder_metas: list[tuple[bytes, bytes]]
    orphans: list[bytes]
    diagnostics: list[Diagnostic]
    links: list[bytes]


def arrange(
    path: bytes, children: list[bytes], opaque: list[bytes], linked: set[bytes], assets: set[bytes], metas: list[bytes]
) -> Listing:
    """Join the names found in the directory ``path``.

    Args:
        path: relative to the project.
        children: directories in it.
        opaque: directories in it that are one asset each.
        linked: links to directories.
        assets: all other files except metas; the set is consumed.
        metas: names that end with ``.meta``.
    """
    folder = utf8(path).decode()
    found: list[Diagnostic] = []
    pairs: list[tuple[bytes, bytes]] = []
    folder_metas: list[tuple[bytes, bytes]] = []
    orphans: list[bytes] = []
    if path == PACKAGES:  # only folders count there: manifest.json is not an asset, even with a meta
        metas = [meta for meta in metas if meta[: -len(META)] not in assets]
        assets.clear()
    folders = linked.union(children, opaque)
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
    if orphans and (assets or folders):
        orphans = _pair_across_case(folder, orphans, (assets, pairs), (folders, folder_metas), found)
        pairs.sort()
        folder_metas.sort()
    unnamed = [*assets, *(folder + b"/" for folder in folders - linked)]
    if unnamed and path != PACKAGES and not is_in_plugin(path):  # the packages' own folders have no metas
        found += [Diagnostic("missing-meta", f"{folder}/{shown(name)}", 0, "has no .meta") for name in unnamed]
    return Listing(sorted(children), pairs, folder_metas, orphans, sorted(found), sorted(linked))


def is_in_plugin(path: bytes) -> bool:
    """Whether a folder belongs to a plug-in that Unity copies unchanged.

    Files in it need no metas: com.unity.2d.animation is published without.
    """
    return any(name.endswith(_PLUGINS) for name in path.lower().split(b"/"))


def shown(name: bytes) -> str:
    """Return a file name as text."""
    return utf8(name).decode()


_Named = tuple[set[bytes], list[tuple[bytes, bytes]]]  # without a meta so far, and with one


def _pair_across_case(
    folder: str, orphans: list[bytes], assets: _Named, folders: _Named, found: list[Diagnostic]
) -> list[bytes]:
    """Join metas with assets that differ in case or accents.

    Returns the other metas.

    They are one name on file systems that ignore the difference. BoatAttack has ``AiController.cs`` beside
    ``AIcontroller.cs.meta``; macOS decomposes accented letters.
    """
    alone = []
    tables = [
        ({folded(name): name for name in sorted(names, reverse=True)}, names, pairs)
        for names, pairs in (assets, folders)
    ]
    for meta in orphans:
        key = folded(meta[: -len(META)])
        for table, names, pairs in tables:
            name = table.pop(key, None)
            if name is not None:
                pairs.append((name, meta))
                names.discard(name)
                code, said = "case-mismatch", f"its meta is called {shown(meta)}"
                if shown(meta[: -len(META)]).lower() != shown(name).lower():
                    code, said = "unicode-mismatch", f"{said}, with different bytes for the same letters"
                found.append(Diagnostic(code, f"{folder}/{shown(name)}", 0, said))
                break
        else:
            alone.append(meta)
    return alone


def folded(name: bytes) -> str | bytes:
    """Return a key that is equal for names that clash.

    They clash on file systems that ignore case or composition.
    """
    if name.isascii():
        return name.lower().decode("ascii")
    from unicodedata import normalize  # noqa: PLC0415 - few names are not ASCII, fewer of them without a meta

    try:
        return normalize("NFC", name.decode()).lower()
    except UnicodeDecodeError:
        return name.lower()
