"""Assets moved, removed and registered together with their metas, folders too."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.findings.paths import relative_path
from assetdb.checks.mending.draft import Draft
from assetdb.checks.mending.orphans import orphan_guids, strays_of
from assetdb.checks.mending.paths import hidden_part
from assetdb.checks.mending.plan import Edit, Move, Plan
from assetdb.checks.mending.restoring import MetaRestorer
from assetdb.checks.mending.writing.safe_files import NO_NAMES
from assetdb.errors import UsageError
from assetdb.query.graph.named import FOUND_OR_FINDING
from assetdb.query.selecting.spelling import as_listed
from assetdb.settings.project import (
    ASSET_ROOTS,
    META,
    asset_file,
    asset_prefix,
    asset_roots,
    folded,
    folder_and_parents,
    is_hidden,
    is_opaque,
)
from assetdb.system.failures import raise_error
from assetdb.system.reading import read_file
from assetdb.unity.kinds import extension_of
from assetdb.unity.settings.build_settings import PATH as BUILD_SETTINGS
from assetdb.unity.settings.build_settings import build_scenes, with_paths
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb.query.snapshots.snapshot import Snapshot

_DEEPEST: Final = 2  # like `Packages/com.acme.tools`, without a meta itself


def refuse_roots(root: str, paths: Iterable[str]) -> None:
    """Refuse paths that are not assets: roots, settings, packages, metas.

    Raises:
        UsageError: one is.
    """
    for path in paths:
        parts = path.split("/")
        tops = asset_roots(root)
        if not path or parts[0] not in ASSET_ROOTS or path in (*ASSET_ROOTS, *tops):
            raise UsageError(f"{path or root}: is not an asset: name what is in {' or '.join(tops)}")
        if path.endswith(META) and os.path.lexists(asset_file(root, path.removesuffix(META))):
            raise UsageError(f"{path}: belongs to an asset: name {path.removesuffix(META)}")


def has_meta(root: str, path: str) -> bool:
    """Whether a path has a meta beside it."""
    return os.path.lexists(asset_file(root, path) + META)


class _LoneMetas:
    """Metas without their asset; each folder is listed once."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._folders: dict[str, dict[str | bytes, str]] = {}

    def refuse_other(self, path: str) -> None:
        """Refuse a path with a meta in another case or normal form.

        The asset would go without its meta, and every reference to it would break.

        Raises:
            UsageError: it has one.
        """
        if has_meta(self._root, path):
            return
        folder, _, name = path.rpartition("/")
        other = self._in(folder).get(folded(os.fsencode(name + META)))
        if other is not None:
            raise UsageError(f"{path}: its meta is called {folder}/{other}: rename it to {path}{META}")

    def _in(self, folder: str) -> dict[str | bytes, str]:
        """Return the lone metas of a folder by their folded names."""
        if folder not in self._folders:
            names = set(map(os.fsdecode, os.listdir(os.fsencode(asset_file(self._root, folder)))))
            lone = sorted((name for name in names if name.removesuffix(META) not in names), reverse=True)
            self._folders[folder] = {folded(os.fsencode(name)): name for name in lone}
        return self._folders[folder]


# --- register


def plan_registration(project: Snapshot, paths: Sequence[str], *, new_guids: bool = False) -> Plan:
    """Return a plan of metas that paths, their files and folders lack.

    Args:
        project: as it is.
        paths: of the files and folders.
        new_guids: do not search for their former metas.

    Raises:
        UsageError: a path is not an asset, or Unity ignores it.
        AssetdbError, OSError: the project cannot be read.
    """
    refuse_roots(project.root, paths)
    for path in paths:
        name = hidden_part(path)
        if name:
            raise UsageError(f"{path}: Unity does not see {name}, and nothing in it has a meta")
        if not os.path.lexists(asset_file(project.root, path)):
            raise UsageError(f"{path}: is not there")
    draft = Draft(project.root, lambda guid: project.assets.by_guid(guid) is not None)
    wanted = dict.fromkeys(
        place
        for path in paths
        for place in (*folders_above(path), *_below(project.root, path))
        if not _is_package(project.root, place)
    )
    restorer = MetaRestorer(draft, project, anew=new_guids)
    restored = restorer.restore(sorted(wanted))
    strays = strays_of(project, draft, orphan_guids(project), list(wanted), restored)
    restorer.write_new(strays.claimed)
    return draft.plan()


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders of a path that have metas."""
    parts = path.split("/")
    first = _DEEPEST if parts[0] == ASSET_ROOTS[1] else 1
    for count in range(first + 1, len(parts)):
        yield "/".join(parts[:count])


def _is_package(root: str, path: str) -> bool:
    """Whether a path is an embedded package's root, which has no meta."""
    return asset_roots(root) == ASSET_ROOTS and path.startswith(f"{ASSET_ROOTS[1]}/") and path.count("/") == 1


def _below(root: str, path: str) -> Iterator[str]:
    """Yield a path and all in it that Unity sees, without links."""
    yield path
    place = asset_file(root, path)
    if os.path.islink(place) or not os.path.isdir(place) or is_opaque(os.fsencode(path.rpartition("/")[2])):
        return
    for folder, folders, names in os.walk(place, onerror=raise_error):
        inside = path + folder[len(place) :].replace(os.sep, "/")
        folders[:] = sorted(name for name in folders if not is_hidden(os.fsencode(name)))
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        for name in folders:
            yield f"{inside}/{name}"
        folders[:] = [name for name in folders if name not in links and not is_opaque(os.fsencode(name))]
        for name in sorted(names):
            if not is_hidden(os.fsencode(name)) and not name.endswith(META):
                yield f"{inside}/{name}"


# --- mv


def target_path(root: str, word: str, cwd: str = "") -> str:
    """Return a word as a path, maybe absent, in a project.

    Raises:
        UsageError: it is outside the project.
    """
    here = os.path.abspath(os.path.join(cwd, word))
    there = os.path.normpath(os.path.join(root, word))
    place = here if os.path.isdir(os.path.dirname(here)) and _inside(root, here) is not None else there
    inside = _inside(root, place)
    if inside is None:
        raise UsageError(f"{word} is not in the project {root}")
    return (asset_prefix(root) + inside).rstrip("/")


def _inside(root: str, place: str) -> str | None:
    folder, name = os.path.split(place)
    folder = as_listed(root, folder)  # not the name, which may be a new spelling
    real_place = os.path.join(os.path.realpath(folder), name)  # a link is moved, not its target
    return relative_path(root, os.path.join(folder, name), real_place)


def plan_moves(root: str, sources: Sequence[str], target: str) -> Plan:
    """Return a plan that moves paths and metas to or into ``target``.

    Raises:
        UsageError: something is in the way, or cannot be moved there.
    """
    refuse_roots(root, sources)
    moves: list[Move] = []
    taken: set[str] = set()
    moved: set[str] = set()
    around: set[str] = set()  # the folders of what is moved
    metas = _LoneMetas(root)
    place = asset_file(root, target)
    for source in sources:
        file = asset_file(root, source)
        if not os.path.lexists(file):
            raise UsageError(f"{source}: is not there")
        metas.refuse_other(source)
        into = os.path.isdir(place) and not _is_same(file, place)
        if len(sources) > 1 and not into:
            raise UsageError(f"{target}: is not a folder, so it cannot take {len(sources)} assets")
        new = f"{target}/{source.rpartition('/')[2]}" if into else target
        refuse_roots(root, (new,))
        _refuse_target(root, source, new)
        above = tuple(folder_and_parents(source))
        if new in taken or source in around or not moved.isdisjoint(above):
            raise UsageError(f"{source}: is moved twice")
        taken.add(new)
        moved.add(source)
        around.update(above)
        moves.append(Move(source, new))
        if has_meta(root, source):
            moves.append(Move(source + META, new + META))
    return Plan(moves=tuple(moves))


def may_be_found_by_name(root: str, path: str) -> bool:
    """Whether moving a path may end references by name."""
    return any(extension_of(place) in FOUND_OR_FINDING for place in _below(root, path))


class MovedScenes(NamedTuple):
    """Scenes of the build settings that get another path.

    Attributes:
        edits: of the settings; none if they are binary.
        rows: number in the list, old and new path.
    """

    edits: tuple[Edit, ...]
    rows: tuple[tuple[int, str, str], ...]


def moved_scenes(root: str, moves: Iterable[Move]) -> MovedScenes:
    """Return the build scenes that moves to visible folders concern."""
    data = read_file(os.path.join(root, BUILD_SETTINGS)) or b""
    targets = [move for move in moves if not hidden_part(move.target)]
    rows = [
        (number, scene.path, move.target + scene.path[len(move.source) :])
        for number, scene in enumerate(build_scenes(data))
        for move in targets
        if f"{scene.path}/".startswith(f"{move.source}/")
    ]
    changed = with_paths(data, {old: new for _, old, new in rows}) if rows else None
    edits = (Edit(BUILD_SETTINGS, data, changed),) if changed is not None and changed != data else ()
    return MovedScenes(edits, tuple(rows))


def _refuse_target(root: str, source: str, new: str) -> None:
    old_file, new_file = asset_file(root, source), asset_file(root, new)
    if new == source:
        raise UsageError(f"{source}: already exists")
    if new.startswith(f"{source}/"):
        raise UsageError(f"{source}: cannot be moved into itself")
    if not os.path.isdir(os.path.dirname(new_file)):
        raise UsageError(f"{new.rpartition('/')[0]}: is not a folder; make it first")
    for path in (new, new + META) if has_meta(root, source) else (new,):
        _refuse_impossible(root, path)
    if os.path.lexists(new_file) and not _is_same(old_file, new_file):
        raise UsageError(f"{new}: already exists, and is not overwritten")
    if os.path.lexists(new_file + META) and not _is_same(old_file + META, new_file + META):
        raise UsageError(f"{new}{META}: already exists, without its asset; remove it first")


def _refuse_impossible(root: str, path: str) -> None:
    """Refuse a name that no file on the disk can have."""
    try:
        os.lstat(asset_file(root, path))
    except OSError as error:
        if error.errno in NO_NAMES:
            raise UsageError(f"{path}: {words_of(error)}") from error


def _is_same(one: str, other: str) -> bool:
    """Whether a folding file system takes two names for one file."""
    try:
        first, second = os.lstat(one), os.lstat(other)
    except OSError:
        return False
    same_folder = os.path.dirname(one) == os.path.dirname(other)
    return same_folder and (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino) and one != other


# --- rm


def _refuse_unlisted(root: str, path: str) -> None:
    """Refuse a folder that cannot be listed as a whole."""

    def refuse(error: OSError) -> None:
        where = os.path.relpath(error.filename, root).replace(os.sep, "/")
        raise UsageError(f"{where}: cannot be listed, so {path} is not removed: {error.strerror}") from error

    file = asset_file(root, path)
    for _ in os.walk(file, onerror=refuse) if os.path.isdir(file) and not os.path.islink(file) else ():
        pass


def plan_removal(root: str, paths: Sequence[str]) -> Plan:
    """Return a plan that removes files and folders with their metas.

    Raises:
        UsageError: a path is not an asset, does not exist, or is a folder that cannot be listed.
    """
    refuse_roots(root, paths)
    removals: list[str] = []
    removed: set[str] = set()
    metas = _LoneMetas(root)
    for path in sorted(dict.fromkeys(paths)):  # a folder comes before what is in it
        if not removed.isdisjoint(folder_and_parents(path)):
            continue
        there = os.path.lexists(asset_file(root, path))
        if not there and not has_meta(root, path):
            raise UsageError(f"{path}: is not there")
        _refuse_unlisted(root, path)
        if there:
            metas.refuse_other(path)
        removed |= {path} if there else set()
        removals += [path] if there else []
        removals += [path + META] if has_meta(root, path) and not path.endswith(META) else []
    files = {path: asset_file(root, path) for path in removals}  # each once: a lone meta may be named both ways
    folders = tuple(path for path, file in files.items() if os.path.isdir(file) and not os.path.islink(file))
    return Plan(removals=tuple(files), folders=folders)
