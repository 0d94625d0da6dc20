"""Selectors: GUID, ``GUID:fileID``, a pasted reference, path or name."""

from __future__ import annotations

import os
from itertools import chain

from assetdb.errors import UsageError
from assetdb.settings.project import ASSET_ROOTS, asset_file, asset_prefix, is_hidden
from assetdb.system.cancelling import check_cancelled
from assetdb.system.reading import read_head
from assetdb.unity.kinds import BYTE_ORDER_MARK
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final, Protocol

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.resolve.resolver import Name
    from assetdb.store.entry import Asset, AssetLookup
    from assetdb.store.indexes.supplement import Duplicate

    class SearchableAssets(AssetLookup, Protocol):
        """A lookup of assets: a whole database, or verified parts of one."""

        def candidates(self, text: str) -> Iterator[Asset]:
            """Iterate over assets with a text in name or path, and others."""

        @property
        def duplicates(self) -> tuple[Duplicate, ...]:
            """Assets that share their GUID with another."""


_HEX: Final = frozenset("0123456789abcdefABCDEF")
_GUID_DIGITS: Final = 32
NO_GUID: Final = "0" * _GUID_DIGITS
_MOST_DIGITS: Final = 20
_BEFORE_VALUES: Final = frozenset("\\\"' :=")
_LONGEST_VALUE: Final = _GUID_DIGITS + 1  # enough to see that it is neither GUID nor fileID
_SUGGESTIONS: Final = 3
_COMPARED: Final = 4000
_COMPARED_AT_ONCE: Final = 100
_SORTED_AT_ONCE: Final = 4096
_LEAST_CLOSE: Final = 0.6
_META_HEAD: Final = 65536
_TEXTURE: Final = 28
_SPRITE_OF_TEXTURE: Final = 21300000


class Subject(NamedTuple):
    """The meaning of a query: a GUID and perhaps a fileID.

    Attributes:
        guid: 32 hex digits, lower case.
        file_id: the object, or None for the asset as a whole.
        override: the query was pasted with the ``target:`` of an override of a prefab instance.
        path: of the asset, if another asset has the entry of its GUID; else ``""``.
        folder: path of the folder, if its GUID is shared, or it has none (:data:`NO_GUID`), like ``Assets`` or an
            embedded package; else ``""``.
    """

    guid: str
    file_id: int | None
    override: bool = False
    path: str = ""
    folder: str = ""


_SHOWN: Final = 20


class Unmatched(NamedTuple):
    """A query that means nothing, or more than one thing.

    Attributes:
        text: the query.
        candidates: the paths it may mean; if it matches nothing, similar ones.
        ambiguous: it matches all of the candidates.
    """

    text: str
    candidates: tuple[str, ...]
    ambiguous: bool

    @property
    def why(self) -> str:
        """The message for people; it may contain control characters of names."""
        if self.ambiguous:
            listed = "".join(f"\n  {path}" for path in self.candidates[:_SHOWN])
            more = f"\n  and {len(self.candidates) - _SHOWN} more" if len(self.candidates) > _SHOWN else ""
            return f"{self.text!r} is ambiguous ({len(self.candidates)} matches):{listed}{more}"
        hint = f"; did you mean {' or '.join(map(repr, self.candidates))}?" if self.candidates else ""
        return f"no asset named {self.text!r}{hint}"

    def fields(self) -> dict[str, object]:
        """Return the fields that follow ``query`` in JSON."""
        fields: dict[str, object] = dict.fromkeys(("guid", "file_id", "name", "path", "type"))
        fields["reason"] = "ambiguous" if self.ambiguous else "not-found"
        fields["candidates"] = list(self.candidates)
        return fields


def read_subject(text: str) -> Subject | None:
    """Return the meaning of a GUID, ``GUID:fileID`` or pasted reference, else None."""
    text = text.strip().strip("\"'").strip()
    if "guid" in text:
        guid = next(filter(is_guid, _behind(text, "guid")), "")
        if not guid:
            return None
        digits = next(filter(_is_decimal, _behind(text, "fileID")), "")
        number = _number(digits)
        if digits and number is None:
            return None  # of more than 64 bits: no object has it, and the asset as a whole was not asked for
        return Subject(guid.lower(), number, "target:" in text.partition("{")[0])
    guid, colon, digits = text.partition(":")
    if not is_guid(guid):
        return None
    if not colon:
        return Subject(guid.lower(), None)
    number = _number(digits.strip())
    return Subject(guid.lower(), number) if number is not None else None


def is_guid(text: str) -> bool:
    """Whether a text is 32 hex digits."""
    return len(text) == _GUID_DIGITS and _HEX.issuperset(text)


def find_subject(
    text: str, project: Snapshot, cwd: str = "", *, suggest: bool = True, folders: bool = False
) -> Subject | Unmatched:
    """Find the asset or object of a query in a project.

    A path leads to a file on disk, relative to the project or the working directory; else the end of a path in the
    database (``Prefabs/Player.prefab``), else a name in it, else a file name without extension, else the name of a
    sub-asset, each exactly and then in any case; else a printed answer (:mod:`assetdb.query.selecting.answer_form`).
    ``cwd``: the working directory, if not this process's; ``suggest``: search for similar names if nothing matches,
    which takes longest; ``folders``: include folders without a GUID.
    """
    found = read_subject(text)
    if found is not None:
        return found
    text = text.strip()
    if not text:
        return Unmatched(text, (), ambiguous=False)
    at_path = _file_subject(text, project, cwd, folders=folders)
    if at_path is not None:
        return at_path
    matches = _matches(text, project) or _printed(text, project, cwd)
    if len(matches) == 1:
        return matches[0][1]
    if matches:
        return Unmatched(text, tuple(sorted(shown for shown, _ in matches)), ambiguous=True)
    return Unmatched(text, suggestions(text, project) if suggest else (), ambiguous=False)


def name_of(subject: Subject, project: Snapshot) -> Name:
    """Return the name of a query's subject, or the reason for none."""
    if subject.folder:
        from assetdb.resolve.resolver import Name  # noqa: PLC0415 - few folders share their GUIDs

        return Name(subject.guid, None, subject.folder.rpartition("/")[2], subject.folder, "Folder", "")
    duplicate = project.without_entry(subject.path) if subject.path else None
    if duplicate is not None:
        shown = duplicate.asset.guid if duplicate.prefix else subject.guid
        return project.resolver.name_of_duplicate(duplicate.asset, shown, subject.file_id)
    return project.resolver.name(subject.guid, subject.file_id, override=subject.override)


def name_or_texture(subject: Subject, project: Snapshot) -> Name:
    """Return the name as :func:`name_of`, or the texture of an absent sprite.

    Unity often refers to a sprite by its texture and the fileID of the one sprite that a texture can be (21300000).
    """
    name = name_of(subject, project)
    if name.reason and subject.file_id == _SPRITE_OF_TEXTURE:
        asset = project.assets.by_guid(subject.guid)
        if asset is not None and asset.class_id == _TEXTURE:
            return name_of(subject._replace(file_id=None), project)
    return name


def _file_subject(text: str, project: Snapshot, cwd: str, *, folders: bool = False) -> Subject | None:
    """Return the asset of a path from project or working directory."""
    places = os.path.normpath(os.path.join(project.root, text)), os.path.abspath(os.path.join(cwd, text))
    for path in places[places[0] == places[1] :]:
        guid = guid_of_file(path)
        folder = _folder_path(path, project.root) if guid or folders else ""
        if guid and folder and project.assets.by_guid(guid) is None and project.assets.folder(guid) == folder:
            return Subject(guid, None)
        if folder:
            return Subject(guid or NO_GUID, None, folder=folder)
        if guid:
            return Subject(guid, None, path=_duplicate_path(guid, path, project))
        if os.path.lexists(f"{path.removesuffix('.meta')}.meta"):
            project.refresh()
            if not project.has_encoded:
                continue
            own = path.removesuffix(".meta")
            for found in project.encoded.assets:
                if _is_at(own, found.asset.path, project.root):
                    return _encoded_subject(found, project)
    return None


def _encoded_subject(found: Duplicate, project: Snapshot) -> Subject:
    """Return an asset with an encoded GUID, as others refer to it."""
    return Subject(project.encoded.guid_of(found) or NO_GUID, None, path=found.asset.path)


def _folder_path(file: str, root: str) -> str:
    """Return the path of a folder visible to Unity, else ``""``."""
    file = os.path.normpath(file.removesuffix(".meta"))
    above = os.path.join(os.path.normpath(root), "")
    if not file.startswith(above) or not os.path.isdir(file):
        return ""
    from assetdb.query.selecting.spelling import as_listed  # noqa: PLC0415 - few queries are folders

    path = asset_prefix(root) + as_listed(root, file)[len(above) :].replace(os.sep, "/")
    parts = path.split("/")
    return path if parts[0] in ASSET_ROOTS and not any(is_hidden(os.fsencode(part)) for part in parts) else ""


def _printed(text: str, project: Snapshot, cwd: str) -> list[tuple[str, Subject]]:
    """Return the subjects of ``PATH:fileID``, ``PATH:LINE`` or ``X.unity / Canvas``."""
    head, colon, digits = text.rpartition(":")
    number = _number(digits.strip()) if colon else None
    if number is None and " / " not in text and not text.endswith(")"):
        return []
    from assetdb.query.selecting.answer_form import asset_part, object_at, objects_called  # noqa: PLC0415 - few queries

    whole = head if number is not None else asset_part(text)
    if not whole:
        return []
    found = _file_subject(whole, project, cwd)
    subjects = [(whole, found)] if found is not None else _matches(whole, project)
    subjects = [(shown, subject) for shown, subject in subjects if subject.file_id is None and not subject.folder]
    matches: list[tuple[str, Subject]] = []
    for shown, subject in subjects:
        guid = project.key_at(subject.path, subject.guid)
        if number is None:
            called = objects_called(project.resolver, guid, text)
            matches += [
                (f"{name}  {subject.guid}:{number}", subject._replace(file_id=number)) for number, name in called
            ]
        elif whole.endswith(".meta"):
            matches.append((shown, subject))
        else:
            matches.append((shown, subject._replace(file_id=object_at(project.resolver, guid, number))))
    return matches


def _duplicate_path(guid: str, file: str, project: Snapshot) -> str:
    """Return the path of a file without its GUID's entry, else ``""``."""
    asset = project.assets.by_guid(guid)
    path = os.path.normpath(file).removesuffix(".meta")
    if asset is None or _is_at(path, asset.path, project.root):
        return ""
    from assetdb.query.selecting.spelling import as_listed  # noqa: PLC0415 - few files share their GUID

    path = as_listed(project.root, path)
    if _is_at(path, asset.path, project.root):
        return ""
    project.refresh()  # it took the GUID since the last scan, or shares it
    paths = (item.asset.path for item in project.supplement.of(guid))
    return next((shown for shown in paths if _is_at(path, shown, project.root)), "")


def _is_at(file: str, path: str, root: str) -> bool:
    """Whether a file is at a project's path, maybe through a link."""
    expected = os.path.normpath(asset_file(root, path))
    return file == expected if file.startswith(os.path.join(root, "")) else file.endswith(expected[len(root) :])


def _matches(text: str, project: Snapshot) -> list[tuple[str, Subject]]:
    """Return the best matches of a text, each as text and subject."""
    text = as_utf_8(text)
    raw = text.encode("utf-8", "surrogateescape")
    folded, names = _folded(text), project.names(make=False)
    assets = names.called(folded) if names is not None else list(project.assets.containing(raw))
    if project.has_packages:
        assets += project.packages.containing(raw)
    found = _best(text, assets, project, str)
    if found:
        return found
    names = names or project.names()
    candidates = names.called(folded) if names is not None else project.database.candidates(folded)
    outside = project.packages.candidates(folded) if project.has_packages else ()
    return _best(folded, chain(candidates, outside), project, _folded)


def _best(
    text: str, assets: Iterable[Asset], project: Snapshot, form: Callable[[str], str]
) -> list[tuple[str, Subject]]:
    """Return the best matches among assets and duplicates, names in one form."""
    tiers: tuple[list[tuple[str, Subject]], ...] = ([], [], [], [])
    own = ((asset, Subject(asset.guid, None)) for asset in assets)
    for asset, subject in chain(own, ((item.asset, _beside(item, project)) for item in project.duplicates)):
        path = form(asset.path)
        whole = asset.path, subject
        if path == text or path.endswith(f"/{text}"):
            tiers[0].append(whole)
        elif form(asset.name) == text:
            tiers[1].append(whole)
        elif path.rpartition("/")[2].rpartition(".")[0] == text:
            tiers[2].append(whole)
        else:
            for row in asset.sub_assets:
                if form(row.name) == text:
                    shown = f"{asset.path} {asset.guid}:{row.file_id}"
                    tiers[3].append((shown, subject._replace(file_id=row.file_id)))
    return next((tier for tier in tiers if tier), [])


def _beside(item: Duplicate, project: Snapshot) -> Subject:
    """Return an asset without an entry of its own."""
    return _encoded_subject(item, project) if item.prefix else Subject(item.asset.guid, None, path=item.asset.path)


def as_utf_8(text: str) -> str:
    """Return a word of the command line as UTF-8, whatever the locale."""
    if text.isascii():
        return text
    try:
        return os.fsencode(text).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a surrogate pair, which a client may send
        return text.encode("utf-8", "replace").decode()


def guid_of_file(path: str) -> str:
    """Return the GUID in a file's meta (or a meta), or ``""``.

    Raises:
        ScanError: whether there is one cannot be determined now.
    """
    meta = path if path.endswith(".meta") else f"{path.rstrip('/')}.meta"
    head = b"\n" + (read_head(meta, _META_HEAD) or b"").removeprefix(BYTE_ORDER_MARK)
    start = head.find(b"\nguid:")  # metas with sorted keys have their references before it
    digits = head[start + 6 : start + 65].split() if start >= 0 else []
    guid = digits[0].decode("ascii", "replace") if digits else ""
    return guid.lower() if is_guid(guid) else ""


def suggestions(text: str, project: Snapshot) -> tuple[str, ...]:
    """Return up to three paths with names or GUIDs like a text."""
    from difflib import get_close_matches  # noqa: PLC0415 - only on a miss

    from assetdb.query.selecting.folding import LEAST_PART, MOST_OFF, alike  # noqa: PLC0415 - only on a miss

    wanted = text.rpartition("/")[2].casefold()
    if not wanted:
        return ()
    near: dict[str, str] = {}
    inside: dict[str, str] = {}
    index = project.names()
    for asset in index.near(wanted) if index is not None else alike(wanted, project.database):
        file_name = asset.path.rpartition("/")[2]
        for name in (file_name, file_name.rpartition(".")[0], asset.guid):
            key = name.casefold()
            if len(wanted) >= LEAST_PART and wanted in key:
                inside.setdefault(key, asset.path)
            # Comparing takes 20 us a name: a typo leaves the beginning or end intact.
            if key and abs(len(key) - len(wanted)) <= MOST_OFF and (key[:2] == wanted[:2] or key[-4:] == wanted[-4:]):
                near.setdefault(key, asset.path)
        if len(near) >= _COMPARED:
            break
    names = list(near)
    found: list[str] = []
    for start in range(0, len(names), _COMPARED_AT_ONCE):  # the best of all are among the best of each part
        part = found + names[start : start + _COMPARED_AT_ONCE]
        found = get_close_matches(wanted, part, n=_SUGGESTIONS, cutoff=_LEAST_CLOSE)
        check_cancelled()
    paths = [near[key] for key in found] + [inside[key] for key in sorted(inside, key=lambda key: (len(key), key))]
    return tuple(dict.fromkeys(paths))[:_SUGGESTIONS]


class Match(NamedTuple):
    """An asset (``file_id`` None) or sub-asset that matches a pattern."""

    guid: str
    file_id: int | None
    name: str
    path: str
    type: str


def find_sorted(
    pattern: str,
    project: Snapshot,
    kinds: Iterable[str] = (),
    *,
    only: Callable[[Match], bool] | None = None,
    at_once: int = _SORTED_AT_ONCE,
) -> list[Match]:
    """Return the matches of :func:`find` and those in packages, by path.

    An asset precedes its sub-assets. ``only``: which of them, by default all. ``at_once``: number sorted at a time.
    """
    runs: list[list[Match]] = []
    run: list[Match] = []
    for item in filter(only, _find_everywhere(pattern, project, kinds)):
        run.append(item)
        if len(run) == at_once:
            runs.append(sorted(run, key=_place))
            run = []
            check_cancelled()
    run.sort(key=_place)
    if not runs:
        return run
    from heapq import merge  # noqa: PLC0415 - only where there is much

    return list(merge(*runs, run, key=_place))


def _place(item: Match) -> tuple[str, bool, str, int]:
    return item.path, item.file_id is not None, item.name, item.file_id or 0


def _find_everywhere(pattern: str, project: Snapshot, kinds: Iterable[str]) -> Iterator[Match]:
    def type_of(guid: str) -> str:
        return project.resolver.name(guid, None).type

    more = project.encoded.assets if project.has_encoded else ()
    yield from find(pattern, project.assets, kinds, more=more, type_of=type_of)
    if project.has_packages and project.packages.database is not None:
        yield from find(pattern, project.packages.database, kinds, project.assets, type_of=type_of)


def find(
    pattern: str,
    database: SearchableAssets,
    kinds: Iterable[str] = (),
    scripts_too: SearchableAssets | None = None,
    more: Iterable[Duplicate] = (),
    type_of: Callable[[str], str] | None = None,
) -> Iterator[Match]:
    """Yield assets and sub-assets with a matching name, in GUID order.

    Args:
        pattern: text that a name or path contains, in any case; with ``*``, ``?`` or ``[`` a pattern for the whole
            path, file name or name.
        database: where to look.
        kinds: names of classes, or of scripts that give a type, in any case; none means all.
        scripts_too: searched for scripts that the database does not have.
        more: assets without an entry and a GUID of their own.
        type_of: returns the type of an asset whose script the database does not tell: it is in a package, or one of a
            DLL or of the engine, where a Tile has the same script as a GUISkin.

    Raises:
        UsageError: the pattern is invalid.
    """
    from assetdb.unity.engine.classes import class_name  # noqa: PLC0415 - the same
    from assetdb.unity.kinds import extension_of, main_type  # noqa: PLC0415 - the same

    wanted = {kind.casefold() for kind in kinds}
    matches = name_matcher_of(as_utf_8(pattern))
    scripts: dict[str, str] = {"": ""}
    untold: set[str] = set()
    plain = _plain_part(_folded(as_utf_8(pattern)))
    for asset in chain(database.candidates(plain), (item.asset for item in chain(database.duplicates, more))):
        if asset.script not in scripts:
            script = database.by_guid(asset.script) or (scripts_too.by_guid(asset.script) if scripts_too else None)
            scripts[asset.script] = script.path.rpartition("/")[2].rpartition(".")[0] if script else ""
            if script is None or extension_of(script.path) == "dll":
                untold.add(asset.script)
        number = class_name(asset.class_id) or str(asset.class_id)
        kind = scripts[asset.script] or main_type(asset.class_id, asset.path)
        is_untold = type_of is not None and asset.script in untold
        if is_untold or not wanted or kind.casefold() in wanted or number.casefold() in wanted:
            file_name = asset.path.rpartition("/")[2]
            if matches(asset.path) or matches(file_name) or matches(asset.name):
                if type_of is not None and is_untold:
                    kind = type_of(asset.guid)
                if not is_untold or not wanted or kind.casefold() in wanted or number.casefold() in wanted:
                    yield Match(asset.guid, None, asset.name, asset.path, kind)
        for row in asset.sub_assets:
            if matches(row.name):
                kind = class_name(row.class_id) or str(row.class_id)
                if not wanted or kind.casefold() in wanted:
                    yield Match(asset.guid, row.file_id, row.name, asset.path, kind)


def _folded(text: str) -> str:
    """Return a folded text, loading Unicode tables only where needed."""
    if text.isascii():
        return text.casefold()
    from assetdb.query.selecting.folding import fold  # noqa: PLC0415 - most names are ASCII

    return fold(text)


def name_matcher_of(pattern: str) -> Callable[[str], object]:
    """Return a predicate for the names that a pattern means; see :func:`find`.

    Raises:
        UsageError: the pattern is invalid.
    """
    form = str.casefold if pattern.isascii() else _folded
    folded = form(pattern)
    if not any(character in pattern for character in "*?["):
        return lambda name: folded in form(name)
    _check_brackets(pattern)
    from assetdb_formats.globs import name_matcher  # noqa: PLC0415 - only for patterns

    match = name_matcher(folded)
    return lambda name: match(form(name))


def _plain_part(pattern: str) -> str:
    """Return the longest text that whatever a pattern matches contains."""
    if not any(character in pattern for character in "*?["):
        return pattern
    head, _, rest = pattern.partition("[")
    tail = rest.rpartition("]")[2]
    return max(f"{head}*{tail}".replace("?", "*").split("*"), key=len)


def _check_brackets(pattern: str) -> None:
    start = pattern.find("[")
    while start >= 0:
        # The first character inside may be a ] itself, also after the ! for "no such character".
        end = pattern.find("]", start + 2 + (pattern[start + 1 : start + 2] == "!"))
        if end == -1:
            raise UsageError(
                f"{pattern!r} is not a valid pattern: the [ at character {start + 1} is not closed; [[] means [ itself"
            )
        start = pattern.find("[", end)


def _behind(text: str, key: str) -> Iterator[str]:
    """Yield the value after each occurrence of a key.

    It may be in YAML, JSON or a URL, whose path may have the key, too: ``project://database/Assets/guide.mat?fileID=...``.
    """
    start = text.find(key)
    while start >= 0:
        start += len(key)
        while start < len(text) and text[start] in _BEFORE_VALUES:
            start += 1
        end = start
        while end < min(len(text), start + _LONGEST_VALUE) and (text[end].isalnum() or text[end] == "-"):
            end += 1
        yield text[start:end]
        start = text.find(key, start)


def _is_decimal(digits: str) -> bool:
    return digits.removeprefix("-").isdecimal()


def _number(digits: str) -> int | None:
    if len(digits) > _MOST_DIGITS or not _is_decimal(digits):
        return None
    number = int(digits)
    return number if -(1 << 63) <= number < 1 << 63 else None
