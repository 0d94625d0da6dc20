"""Addressables: assets and addresses twice, undeclared labels and groups."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import ADDRESSABLES_DUPLICATE, ADDRESSABLES_GROUP, ADDRESSABLES_LABEL
from assetdb.checks.rules.addressables import group_entries
from assetdb.unity.kinds import ASSET_MAIN
from assetdb.unity.settings.addressables import GROUP_SCRIPT, SETTINGS_SCRIPT, read_settings
from assetdb.unity.yaml.scalars import scalar_at
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.unity.settings.addressables import Settings

_LABELS: Final = re.compile(rb"^    m_SerializedLabels:[ \t]*\r?\n((?:    - [^\n]*(?:\n|\Z))+)", re.MULTILINE)
_LABEL: Final = re.compile(rb"^    -", re.MULTILINE)
_COLUMN: Final = 4


def find_duplicates(project: View) -> Iterator[Finding]:
    """Yield assets in two groups, and addresses of several assets."""
    guids: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    addresses: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    owners: dict[str, str] = {}
    for asset in project.database.of_script(GROUP_SCRIPT):
        owners[asset.path] = asset.guid
        for guid, address, line in group_entries(project.read(asset.path) or b""):
            if guid:
                guids[guid].append((asset.path, address, line))
                addresses[address].append((asset.path, guid, line))
    for guid, rows in guids.items():
        for number, (path, address, line) in enumerate(rows if len(rows) > 1 else ()):
            other = rows[number - 1][0]
            said = f"the asset of {address!r} is in {other}, too" if other != path else f"{address!r} is an entry twice"
            yield _finding(ADDRESSABLES_DUPLICATE, path, owners[path], said, line, guid)
    for address, rows in addresses.items():
        several = list(dict.fromkeys(guid for _, guid, _ in rows)) if address else []
        for path, guid, line in rows if len(several) > 1 else ():
            other = several[several[0] == guid]  # an asset may be an entry twice, and is not told of itself
            owner = project.database.by_guid(other)
            named = owner.path if owner is not None else other
            said = f"{named} has the address {address!r}, too: loading one asset takes any"
            yield _finding(ADDRESSABLES_DUPLICATE, path, owners[path], said, line, guid)


def find_labels(project: View) -> Iterator[Finding]:
    """Yield labels of entries that the settings lack."""
    settings = list(_settings(project))
    if not settings or not all(each.labels for _, each in settings):
        return
    known = {label for _, each in settings for label in each.labels}
    for asset in project.database.of_script(GROUP_SCRIPT):
        data = project.read(asset.path) or b""
        for block in _LABELS.finditer(data):
            for match in _LABEL.finditer(data, block.start(1), block.end(1)):
                label = scalar_at(data, match.end(), _COLUMN)
                if label not in known:
                    line = data.count(b"\n", 0, match.start()) + 1
                    said = f"the settings have no label {label!r}: the window shows no such label"
                    yield _finding(ADDRESSABLES_LABEL, asset.path, asset.guid, said, line, label)


def find_groups(project: View) -> Iterator[Finding]:
    """Yield groups that no settings list."""
    settings = list(_settings(project))
    listed = {guid for _, each in settings for guid in each.groups}
    if not listed:
        return
    paths = [path for path, _ in settings]
    for asset in project.database.of_script(GROUP_SCRIPT):
        if asset.guid not in listed:
            said = f"the group is not in the list of {paths[0]}: no build has its assets"
            yield _finding(ADDRESSABLES_GROUP, asset.path, asset.guid, said, 0, asset.guid)


def _settings(project: View) -> Iterator[tuple[str, Settings]]:
    for asset in project.database.of_script(SETTINGS_SCRIPT):
        try:
            yield asset.path, read_settings(project.read(asset.path) or b"")
        except FormatError:  # another code says so
            return


def _finding(code: str, path: str, guid: str, said: str, line: int, target: str) -> Finding:
    name = path.rpartition("/")[2].rpartition(".")[0]
    return Finding.of(code, path, said, line, f"{name} (AddressableAssetGroup)", "", guid, ASSET_MAIN, target)
