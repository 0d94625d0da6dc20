"""Assets that files in git use and git does not have.

The author of a change sees nothing of them: everything is on this disk. Everybody else gets a missing script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted
from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.references import finding_at
from assetdb.checks.rules import NOT_COMMITTED
from assetdb.diagnostics.codes import WARNING
from assetdb.query.graph.references import SETTINGS_FOLDER, placed
from assetdb.query.graph.verdicts import NAMED, JudgedReference, Verdict
from assetdb.settings.project import META

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from assetdb.history.tracking.untracked import Untracked
    from assetdb.memo.view import View
    from assetdb.store.entry import Asset

_FEW: Final = 50  # assets that are searched one by one; more are found by reading all entries
_ANY: Final = b"/"  # in the path of every asset
_MANY: Final = 20  # metas that one rule of git's ignores, reported as one
_SETTINGS: Final = (".asset", ".json")


def unjudged(top: str, untracked: Untracked) -> Finding:
    """Return the warning about files that git could not tell."""
    found = Finding.of(NOT_COMMITTED, top, f"what is not in git could not be judged: {untracked.failure}")
    return found._replace(severity=WARNING)


def message_of_untracked(path: str, untracked: Untracked) -> str:
    """Return the message of a reference to an uncommitted asset."""
    meta = untracked.meta_of(path)
    if path in untracked.ignored:
        return f"git ignores {path}: whoever clones the project does not get it"
    if path in untracked.added:
        return f"{path} is not in git: add it and its .meta"
    if meta in untracked.ignored:
        return f"git ignores {meta}: in every clone the asset gets another GUID"
    if not untracked.has(meta):
        return f"{path} is not in the used commit of its submodule: commit it there, and add the submodule"
    return f"{meta} is not in git: add it"


def find_uncommitted(project: View) -> Iterator[Finding]:
    """Yield warnings about uncommitted assets, which the commit may add."""
    for finding in _uncommitted(project):
        yield finding._replace(severity=WARNING)


def _uncommitted(project: View) -> Iterator[Finding]:
    """Yield references to uncommitted assets, and halves of assets."""
    untracked = project.untracked
    if untracked.failure:
        yield unjudged(project.tops[0], untracked)
    if not untracked.added and not untracked.ignored and not untracked.inner:
        return
    assets = {asset.guid: asset for asset in _assets(project, untracked)}
    # The halves of an asset in a submodule are told by a check of the submodule.
    yield from _halves(project, untracked, {guid: row for guid, row in assets.items() if _is_own(row.path, untracked)})
    for duplicate in project.database.duplicates:  # a clone has the original of a new copy
        if not any(map(untracked.is_in_no_clone, (duplicate.asset.path, f"{duplicate.asset.path}{META}"))):
            assets.pop(duplicate.asset.guid, None)
    users = project.users(sorted(assets))
    wanted: dict[str, list[str]] = {}
    for guid, found in users.items():
        for user in found:
            wanted.setdefault(user, []).append(guid)
    for user, guids in sorted(wanted.items()):
        asset = project.database.by_guid(user)
        if asset is not None and user not in assets:
            for path in (asset.path, f"{asset.path}{META}"):
                yield from _references(project, path, user, guids, assets, untracked)
    for name in project.names_in(SETTINGS_FOLDER):
        if name.endswith(_SETTINGS):
            yield from _references(project, f"{SETTINGS_FOLDER}/{name}", "", list(assets), assets, untracked)


def _lacking(untracked: Untracked) -> Iterator[str]:
    """Yield the files that no clone has, metas also by usual names."""
    yield from (*untracked.added, *untracked.ignored, *untracked.inner, *untracked.others)


def _is_own(path: str, untracked: Untracked) -> bool:
    """Whether an asset is of the project's repository."""
    return untracked.inner.isdisjoint((path, f"{path}{META}"))


def _assets(project: View, untracked: Untracked) -> Iterator[Asset]:
    """Yield the assets of which git lacks the file or the meta."""
    paths = {path.removesuffix(META) for path in _lacking(untracked)}
    database = project.database
    if len(paths) <= _FEW:
        for path in sorted(paths):
            yield from (asset for asset in database.containing(path.encode("utf-8", "replace")) if asset.path == path)
    else:
        yield from (asset for asset in database.containing(_ANY) if asset.path in paths)


def _references(
    project: View, path: str, own_guid: str, guids: Collection[str], assets: Mapping[str, Asset], untracked: Untracked
) -> Iterator[Finding]:
    """Yield the references of one file to some assets."""
    data = project.read(path) if not untracked.is_in_no_clone(path) else None
    for found, place in placed(data, path, [guid.encode() for guid in guids]) if data else ():
        guid = found.guid.decode()
        way = project.resolver.hierarchy(own_guid, place.file_id) if own_guid and place.file_id else ""
        reference = JudgedReference.at(path, place, way, guid, found.file_id, Verdict(NAMED))
        message = message_of_untracked(assets[guid].path, untracked)
        yield finding_at(NOT_COMMITTED, reference, message, project.resolver, own_guid)


# --- an asset without its meta, a meta without its asset


def _halves(project: View, untracked: Untracked, assets: Mapping[str, Asset]) -> Iterator[Finding]:
    """Yield assets of which git has the file or the meta alone."""
    without_meta = []
    for guid, asset in sorted(assets.items(), key=lambda row: row[1].path):
        meta = f"{asset.path}{META}"
        if not untracked.has(asset.path):
            without_meta.append(asset)
        elif not untracked.has(meta):
            said = "git ignores the asset, but has its .meta" if asset.path in untracked.ignored else ""
            yield Finding.of(NOT_COMMITTED, meta, said or f"its asset {asset.path} is not in git: add it", asset=guid)
    yield from _without_meta(project, untracked, without_meta)
    metas = {path.removesuffix(META) for path in _lacking(untracked) if path.endswith(META)}
    folders = _filled(project, untracked, metas.difference(asset.path for asset in assets.values()))
    for folder in sorted(folders):
        said = "git ignores its .meta" if untracked.meta_of(folder) in untracked.ignored else "its .meta is not in git"
        yield Finding.of(NOT_COMMITTED, folder, f"{said}: in every clone the folder gets another GUID")


def _filled(project: View, untracked: Untracked, paths: Collection[str]) -> set[str]:
    """Return those paths that are folders with an asset that git has."""
    found: set[str] = set()
    texts = [f"{path}/".encode("utf-8", "replace") for path in paths] if len(paths) <= _FEW else [_ANY]
    for text in texts if paths else ():
        for asset in project.database.containing(text):
            above = asset.path
            while not untracked.has(asset.path) and (above := above.rpartition("/")[0]):
                if above in paths:
                    found.add(above)
    return found


def _without_meta(project: View, untracked: Untracked, assets: Collection[Asset]) -> Iterator[Finding]:
    """Yield assets in git without their meta; one finding for many."""
    ignored = [meta for asset in assets if (meta := untracked.meta_of(asset.path)) in untracked.ignored]
    rules = project.ignore_rules(ignored)
    by_rule: dict[str, list[Asset]] = {}
    for asset in assets:
        by_rule.setdefault(rules.get(untracked.meta_of(asset.path), ""), []).append(asset)
    for rule, found in sorted(by_rule.items()):
        if not rule:
            for asset in found:
                said = message_of_untracked(asset.path, untracked)
                yield Finding.of(NOT_COMMITTED, asset.path, said, asset=asset.guid)
            continue
        said = f"git ignores its .meta ({rule}): in every clone it gets another GUID"
        shown = found[:1] if len(found) > _MANY else found
        if len(found) > _MANY:
            said = f"git ignores its .meta and the .metas of {counted(len(found) - 1, 'other asset')} ({rule}): "
            said += "in every clone they get other GUIDs"
        for asset in shown:
            yield Finding.of(NOT_COMMITTED, asset.path, said, asset=asset.guid)
