"""The fixes of ``--fix``, which lose nothing; the rest are proposals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.codes import DUPLICATE, MISSING, ORPHAN, PLACEHOLDER, REFERENCE_CODES, fixable_codes
from assetdb.checks.mending.draft import Draft
from assetdb.checks.mending.guids.drawing import Pair, remake_duplicates, replace_placeholder
from assetdb.checks.mending.guids.search import find_guids
from assetdb.checks.mending.orphans import orphan_guids, strays_of, with_guids
from assetdb.checks.mending.restoring import MetaRestorer
from assetdb.packages.external import package_rows, readable_rows
from assetdb.packages.listing import are_same
from assetdb.query.graph.references import AssetGraph
from assetdb.resolve.duplicates import advise
from assetdb.settings.project import META
from assetdb.unity.metas.meta import read_meta

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.mending.plan import Plan
    from assetdb.query.snapshots.snapshot import Snapshot

_OF_LOST: Final = REFERENCE_CODES | {MISSING}
_MOST_TOGETHER: Final = 2
_MOST_ADVICE: Final = 20


def plan_fixes(project: Snapshot, findings: Sequence[Finding]) -> Plan:
    """Return a plan of lossless fixes; other fixable findings are proposals.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    root = project.root
    draft = Draft(root, lambda guid: project.assets.by_guid(guid) is not None)
    by_code: dict[str, list[str]] = {code: [] for code in fixable_codes}
    for finding in findings:
        if finding.code in by_code:
            by_code[finding.code].append(finding.path.rstrip("/"))
    paths = {code: sorted(dict.fromkeys(found)) for code, found in by_code.items()}
    asked = with_guids(draft, ORPHAN, (path.removesuffix(META) + META for path in paths[ORPHAN]))
    # An asset moved without its meta causes two findings, of which only one may be selected.
    orphans = {**orphan_guids(project), **asked}
    shared = with_guids(draft, DUPLICATE, (path.removesuffix(META) + META for path in paths[DUPLICATE]))
    typed = with_guids(draft, PLACEHOLDER, (path.removesuffix(META) + META for path in paths[PLACEHOLDER]))
    restorer = MetaRestorer(draft, project)
    pairs = _pairs(draft, project, shared, restorer)
    used_outside = _used_outside(project)
    found = find_guids(root, {*filter(None, asked.values()), *(pair.guid for pair in pairs), *typed.values()})
    restored = restorer.restore(paths[MISSING])
    strays = strays_of(project, draft, orphans, paths[MISSING], restored)
    strays.remove_orphans(asked, found, used_outside)
    restorer.write_new(strays.claimed)
    former = {meta: restorer.reserve_former(meta.removesuffix(META)) for meta in typed if meta not in orphans}
    if any(finding.code in _OF_LOST for finding in findings):
        restorer.propose_lost()
    remake_duplicates(draft, pairs, found, used_outside, _advice(project))
    for meta, guid in typed.items():
        if meta in former:
            former_guid, doubt = former[meta]
            replace_placeholder(draft, guid, meta, found, used_outside, former=former_guid, doubt=doubt)
        elif draft.read(meta) is not None:
            draft.propose(PLACEHOLDER, meta.removesuffix(META), "it gets no new GUID, because its asset is not there")
    return draft.plan()


def _pairs(draft: Draft, project: Snapshot, metas: dict[str, str], restorer: MetaRestorer) -> list[Pair]:
    """Return pairs of assets or copied folders that share a GUID."""
    pairs = []
    holders: dict[str, set[str]] = {}
    for meta, guid in metas.items():
        holders.setdefault(guid, set()).add(meta.removesuffix(META))
    for duplicate in project.duplicates:
        if duplicate.asset.guid in holders:
            holders[duplicate.asset.guid].add(duplicate.asset.path)
    for guid, found in sorted(holders.items()):
        asset = project.assets.by_guid(guid)
        paths = restorer.restore_guids(guid, sorted(found | ({asset.path} if asset is not None else set())))
        if len(paths) == _MOST_TOGETHER:
            pairs.append(Pair(guid, *paths))
        elif len(paths) > _MOST_TOGETHER:
            why = f"{len(paths)} assets have the GUID {guid}: it is unclear which came first"
            for path in paths:
                draft.propose(DUPLICATE, path, why)
    known = {frozenset(pair[1:]) for pair in pairs}
    return [*pairs, *(pair for pair in _folders_of(draft, pairs) if frozenset(pair[1:]) not in known)]


def _folders_of(draft: Draft, pairs: list[Pair]) -> list[Pair]:
    """Return the folders that share a GUID with their contents."""
    found: dict[frozenset[str], Pair] = {}
    for pair in pairs:
        one, other = pair.one.rpartition("/")[0], pair.other.rpartition("/")[0]
        while one != other and "/" in one and "/" in other and frozenset((one, other)) not in found:
            metas = [draft.read(path + META) for path in (one, other)]
            guids = [read_meta(data)[0].decode() for data in metas if data is not None]
            if len(guids) == _MOST_TOGETHER and guids[0] and guids[0] == guids[1]:
                found[frozenset((one, other))] = Pair(guids[0], *sorted((one, other)))
            (one, name), (other, other_name) = _split(one), _split(other)
            if name != other_name:
                break
    return list(found.values())


def _split(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name


def _used_outside(project: Snapshot) -> Callable[[str], str]:
    """Return a function from a GUID to why packages may use it."""
    packages = project.packages
    known = packages.list
    graph = packages.graph
    doubt = ""
    here = readable_rows(project.root, package_rows(project.root))[0]
    if here and (graph is None or not are_same(project.root, known.stamps)):
        doubt = "the packages outside the project were not read, and may refer to it: assetdb bake reads them"
    elif any(problem.code == "package-too-large" for problem in known.problems):
        doubt = "a package outside the project is too large to be read whole, and may refer to it"

    def used(guid: str) -> str:
        node = graph.node(int(guid, 16)) if graph is not None else None
        if graph is not None and node is not None and graph.incoming(node):
            return "a package outside the project refers to it"
        return doubt

    return used


def _advice(project: Snapshot) -> Callable[[Pair], str]:
    """Return a function that advises which copy to renew, for some pairs."""
    left = _MOST_ADVICE

    def advice(pair: Pair) -> str:
        nonlocal left
        if left == 0:
            return ""
        left -= 1
        found = (project.assets.by_guid(guid) for guid in AssetGraph(project).usages(pair.guid))
        return advise(project.root, pair.guid, [pair.one, pair.other], [asset.path for asset in found if asset])

    return advice
