"""Objects and metas by the value of a property."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.contents.named_values import property_values
from assetdb.errors import UsageError
from assetdb.query.completeness import links_out, of_whole
from assetdb.query.graph.relations import class_text, content_of, describe_subject
from assetdb.query.selecting.selector import Unmatched, find_subject, name_matcher_of
from assetdb.resolve.sizes import is_too_large
from assetdb.settings.project import asset_file
from assetdb.settings.user import refused_link
from assetdb.system.cancelling import check_cancelled
from assetdb.system.reading import read_file
from assetdb.unity.binary.opening import as_text
from assetdb.unity.kinds import DOCUMENTS, extension_of, kind_of
from assetdb_formats.globs import name_matcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset
    from assetdb.store.indexes.supplement import Unread

_NAME: Final = re.compile(r"[^\s=:]{1,500}")
_META: Final = ".meta"


class ValueMatch(NamedTuple):
    """A property with the requested value.

    Attributes:
        guid: of the asset.
        file_id: of the object; 0 in a meta.
        name: the names from the root of the asset down to the object, `` / `` between them, ``""`` in a meta.
        path: of the asset or meta, relative to the project.
        line: 1-based; 0 in a binary file.
        type: class or script of the object.
        property: its path, of an override as it is written.
        value: as text.
    """

    guid: str
    file_id: int
    name: str
    path: str
    line: int
    type: str
    property: str
    value: str


class ValueMatches(NamedTuple):
    """Properties that match, and unread files that may have more."""

    rows: Iterator[ValueMatch]
    unread: Sequence[Unread]


def find_values(project: Snapshot, cwd: str, where: str, pattern: str = "", inside: str = "") -> ValueMatches:
    """Return the objects and metas with a value.

    Args:
        project: where they are.
        cwd: the directory that paths are relative to.
        where: ``m_MethodName=OnPlay``, with ``* ? [abc]`` in the value; ``m_MethodName`` for any value. The name
            may have names around it: ``m_Calls.m_MethodName=OnPlay``.
        pattern: only in assets with this in their paths; see :func:`assetdb.query.selecting.selector.find`.
        inside: only in this asset and its meta, or in a folder; ``""``: in all.

    Raises:
        UsageError: ``where`` names no property, ``inside`` is no asset, or the pattern is invalid.
    """
    name, joined, value = where.partition("=")
    if not _NAME.fullmatch(name):
        raise UsageError(f"--where {where!r}: write PROPERTY=VALUE, as in m_MethodName=OnPlay")
    is_wanted = _matcher(value) if joined else bool
    paths = _paths_of(inside, project, cwd) if inside else None
    matches = name_matcher_of(pattern)
    every = chain(project.database, (item.asset for item in project.duplicates))
    wanted = [each for each in every if (paths is None or each.path in paths) and matches(each.path)]
    wanted.sort(key=lambda asset: asset.path)
    return ValueMatches(_found(project, wanted, name, is_wanted), (*of_whole(project), *links_out(project, wanted)))


def _paths_of(query: str, project: Snapshot, cwd: str) -> set[str]:
    subject = find_subject(query, project, cwd, folders=True)
    if isinstance(subject, Unmatched):
        raise UsageError(subject.why)
    return {describe_subject(subject, project).path, *content_of(subject, project)}


def _matcher(value: str) -> Callable[[str], object]:
    if not any(sign in value for sign in "*?["):
        return value.__eq__
    matches = name_matcher(value)
    return lambda text: text == value or matches(text)


def _found(
    project: Snapshot, assets: Iterable[Asset], name: str, is_wanted: Callable[[str], object]
) -> Iterator[ValueMatch]:
    for asset in assets:
        check_cancelled()
        has_documents = kind_of(extension_of(asset.path)).content == DOCUMENTS
        for path in (asset.path, asset.path + _META) if has_documents else (asset.path + _META,):
            yield from _in_file(project, asset, path, name, is_wanted)


def _in_file(
    project: Snapshot, asset: Asset, path: str, name: str, is_wanted: Callable[[str], object]
) -> Iterator[ValueMatch]:
    file = asset_file(project.root, path)
    if is_too_large(file) or refused_link(file, project.root):
        return
    data = read_file(file) or b""
    text = as_text(data)
    key = project.key_at(asset.path, asset.guid)
    for row in property_values(text, name, is_wanted):
        place = row.place
        label = project.resolver.hierarchy(key, place.file_id) if place.file_id else ""
        kind = class_text(place, project) if place.class_id else ""
        line = place.line if text is data else 0
        yield ValueMatch(asset.guid, place.file_id, label or place.name, path, line, kind, row.path, row.value)
