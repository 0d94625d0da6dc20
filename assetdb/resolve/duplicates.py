"""Choice of the asset that gets a new GUID among duplicates.

A reference also has a fileID, ``{fileID: 2100000, guid: ...}``: if a material and a prefab share a GUID, it can only
mean the material. If both have the object (two copies of a prefab), the newer one in git gets the new GUID.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Final

from assetdb.history.git.questions import added
from assetdb.packages.listing import NO_PACKAGES
from assetdb.packages.location import Location
from assetdb.resolve.resolver import Resolver
from assetdb.settings.project import asset_file, relative_file
from assetdb.system.reading import read_file
from assetdb.unity.binary.opening import as_text
from assetdb.unity.referring.references import occurrences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_REFERRERS: Final = 500  # files that are read for one answer
_MOST_HOLDERS: Final = 20
_SECONDS: Final = 3.0
_NEW: Final = "delete its .meta and let Unity write another"


def advise(root: str, guid: str, holders: Sequence[str], referrers: Iterable[str]) -> str:
    """Return advice for a GUID of several assets, ``""`` without evidence."""
    if not 1 < len(holders) <= _MOST_HOLDERS:
        return ""
    until = time.monotonic() + _SECONDS
    counts = _count_references(root, guid, holders, referrers, until)
    least = min(holders, key=lambda path: (counts[path], path))
    others = [path for path in holders if path != least]
    fewest_other = min(counts[path] for path in others)
    if counts[least] < fewest_other:
        most = max(others, key=lambda path: counts[path])
        return (
            f"give {least} a new GUID, which {_references(counts[least])} can mean, where {counts[most]:,} mean {most}:"
            f" {_NEW}"
        )
    times: dict[str, int] = {}
    for path in holders:
        meta = f"{relative_file(root, path)}.meta"
        when = added(root, meta, max(0.1, until - time.monotonic()))
        if when is None:
            return ""
        times[path] = when or 1 << 62  # uncommitted files are the newest
    newest = max(holders, key=lambda path: (times[path], path))
    if sum(when == times[newest] for when in times.values()) > 1:
        return ""
    return f"give {newest} a new GUID, which is newer in git: {_NEW}"


def _references(count: int) -> str:
    return "no reference" if not count else f"only {count:,} reference{'s' * (count > 1)}"


def _count_references(
    root: str, guid: str, holders: Sequence[str], referrers: Iterable[str], until: float
) -> Counter[str]:
    """Count, for each holder, the references that fit only some holders."""
    own = {path: f"{'f' * 16}{number:016x}" for number, path in enumerate(holders)}
    places = {own[path]: Location(path, asset_file(root, path)) for path in holders}
    resolver = Resolver(root, None, elsewhere=lambda: (places, NO_PACKAGES))
    counts: Counter[str] = Counter(dict.fromkeys(holders, 0))
    for number, path in enumerate(referrers):
        if number >= _MOST_REFERRERS or time.monotonic() > until:
            break
        data = as_text(read_file(asset_file(root, path)) or b"")
        extension = path.rpartition(".")[2].lower().encode()
        found = Counter(place.file_id for place in occurrences(data, extension, [guid.encode()]))
        for file_id, count in found.items():
            able = [path for path in holders if file_id is None or not resolver.name(own[path], file_id).reason]
            if len(able) < len(holders):
                counts.update(dict.fromkeys(able, count))
    return counts
