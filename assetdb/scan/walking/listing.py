"""The listing of a directory: pairs of assets and metas, and folders."""

from __future__ import annotations

import os
import stat
from itertools import islice

from assetdb.diagnostics import Diagnostic, decode
from assetdb.scan.directory import SLASH, utf8
from assetdb.settings.project import (
    HIDDEN_ENDS,
    SET_ASIDE,
    folded,
    is_hidden,
    is_inner_project,
    is_opaque,
    is_set_aside,
)
from assetdb.system.failures import DENIED, excuse, is_gone, scan_error
from assetdb.system.mirrors import stands_for
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.reading_position import Place

META: Final = b".meta"
PACKAGES: Final = b"Packages"
_PLUGINS: Final = (b".bundle", b".framework", b".plugin", b".xcframework")


class Listing(NamedTuple):
    """The names in one directory by their kind, sorted.

    Attributes:
        children: subdirectories.
        pairs: asset and meta of each asset that has one.
        folder_metas: folder and meta of each folder that has one.
        orphans: metas whose asset or folder is missing.
        diagnostics: of other names.
        links: links to directories; whether they are followed depends on the whole project.
    """

    children: list[bytes]
    pairs: list[tuple[bytes, bytes]]
    folder_metas: list[tuple[bytes, bytes]]
    orphans: list[bytes]
    diagnostics: list[Diagnostic]
    links: list[bytes]


_ONLY_LISTED: Final = ("case-mismatch", "unicode-mismatch", "orphan-meta", "missing-directory")


def known_listing(known: DirectoryFacts) -> Listing | None:
    """Return the listing of a directory with unchanged names.

    None if it must be listed again: a listing alone tells the facts of orphaned metas, and which folder has a meta with
    a name that differs in case.
    """
    diagnostics = decode(known.listing_diagnostics)
    if any(found.code in _ONLY_LISTED for found in diagnostics):
        return None
    files = known.files.split(SLASH) if known.files else []
    paired = known.pair_count * 2
    return Listing(
        known.children.split(SLASH) if known.children else [],
        sorted(zip(islice(files, 0, paired, 2), islice(files, 1, paired, 2), strict=True)),
        [(meta[: -len(META)], meta) for meta in files[paired:]],
        [],
        diagnostics,
        known.links.split(SLASH) if known.links else [],
    )


def list_directory(place: Place, path: bytes) -> tuple[Listing, bool]:
    """List the directory ``path``, the current one of ``place``.

    Also returns whether the listing can become another while the directory's own time stays: the target of a link may
    become a folder, and an unreadable directory readable.

    Raises:
        FileNotFoundError: it no longer exists.
        ScanError: its contents cannot be determined now.
    """
    children: list[bytes] = []
    opaque: list[bytes] = []
    linked: set[bytes] = set()
    assets: set[bytes] = set()
    metas: list[bytes] = []
    found: list[Diagnostic] = []
    is_unsure = False
    try:
        with os.scandir(place.prefix or b".") as entries:
            for entry in entries:
                name = entry.name
                if name[0] == 0x2E or (name[-1] in HIDDEN_ENDS and is_hidden(name)):
                    if is_set_aside(name):
                        found.append(_left_behind(path, name))
                    continue
                if name.endswith(META):
                    metas.append(name)
                elif entry.is_file(follow_symlinks=False):
                    assets.add(name)
                elif entry.is_dir(follow_symlinks=False):
                    (opaque if is_opaque(name) else children).append(name)
                elif entry.is_symlink():
                    mirrored = stands_for(entry.path) if place.prefix else None
                    if mirrored is not None and stat.S_ISDIR(mirrored.st_mode):
                        (opaque if is_opaque(name) else children).append(name)
                    elif mirrored is not None and not stat.S_ISLNK(mirrored.st_mode):
                        assets.add(name)
                    else:
                        is_unsure = True
                        (linked if _leads_to_folder(place.prefix, path, name) else assets).add(name)
                else:
                    assets.add(name)
    except OSError as error:
        if is_gone(error):
            from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

            raise FileNotFoundError(error.errno, words_of(error)) from error
        is_unsure = True
        found = [unlisted(path, error)]
    excluded = place.excluded
    if excluded is not None:
        folder = shown(path) + "/"
        children = [name for name in children if not excluded(f"{folder}{shown(name)}/")]
        opaque = [name for name in opaque if not excluded(f"{folder}{shown(name)}/")]
        linked = {name for name in linked if not excluded(f"{folder}{shown(name)}/")}
        assets = {name for name in assets if belongs(place, path, name)}
        metas = [meta for meta in metas if belongs(place, path, meta)]
    if place.has_mounts and path.startswith(PACKAGES + SLASH):
        named = set(metas)
        inner = {name for name in children if is_inner_project(place.prefix, name, named)}
        # Any folder without a meta can become a project, or cease to be one, without a change of this directory.
        is_unsure = is_unsure or any(name + META not in named for name in children)
        children = [name for name in children if name not in inner]
    listing = arrange(path, children, opaque, linked, assets, metas)
    return listing._replace(diagnostics=sorted([*listing.diagnostics, *found])) if found else listing, is_unsure


def unlisted(path: bytes, error: OSError) -> Diagnostic:
    """Return the diagnostic of a directory that may not be read.

    Raises:
        ScanError: the error is not about the directory.
    """
    from assetdb_formats.files import is_of_a_moment, words_of  # noqa: PLC0415 - only where something is wrong

    if error.errno not in DENIED or is_of_a_moment(error):
        raise scan_error(path, error) from error
    return Diagnostic("unreadable", shown(path), 0, f"cannot be listed: {words_of(error)}")


def _left_behind(path: bytes, name: bytes) -> Diagnostic:
    original = shown(name[1 : -len(SET_ASIDE)].rpartition(b".")[0])
    return Diagnostic("left-behind", f"{shown(path)}/{shown(name)}", 0, f"{original} was set aside for removal")


def _leads_to_folder(prefix: bytes, path: bytes, name: bytes) -> bool:
    try:
        return stat.S_ISDIR(os.stat(prefix + name).st_mode)
    except OSError as error:
        excuse(path + SLASH + name, error)
        return False


def belongs(place: Place, path: bytes, name: bytes) -> bool:
    """Whether no pattern excludes a file, or the asset of a meta."""
    excluded = place.excluded
    if excluded is None:
        return True
    where = f"{shown(path)}/{shown(name)}"
    if not name.endswith(META):
        return not excluded(where)
    stem = where.removesuffix(META.decode())
    return not (excluded(stem) or excluded(stem + "/") or excluded(where))


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
        else:
            orphans.append(meta)
    if orphans and (assets or folders):
        orphans = _pair_across_case(folder, orphans, (assets, pairs), (folders, folder_metas), found)
        pairs.sort()
        folder_metas.sort()
    unnamed = [*assets, *(folder + b"/" for folder in folders - linked)]
    if unnamed and path != PACKAGES:  # the packages' own folders have no metas
        found += without_metas(path, unnamed)
    return Listing(sorted(children), pairs, folder_metas, orphans, sorted(found), sorted(linked))


def without_metas(path: bytes, names: Iterable[bytes]) -> list[Diagnostic]:
    """Return diagnostics of files and folders (with a slash) without metas."""
    if is_in_plugin(path):
        return []
    folder = shown(path)
    return [Diagnostic("missing-meta", f"{folder}/{shown(name)}", 0, "has no .meta") for name in names]


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
    """Join metas with assets that differ in case or accents; return others.

    They are one name on file systems that ignore the difference. BoatAttack has ``AiController.cs`` and
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
                code, message = "case-mismatch", f"its meta is called {shown(meta)}"
                if shown(meta[: -len(META)]).lower() != shown(name).lower():
                    code, message = "unicode-mismatch", f"{message}, with different bytes for the same letters"
                found.append(Diagnostic(code, f"{folder}/{shown(name)}", 0, message))
                break
        else:
            alone.append(meta)
    return alone
