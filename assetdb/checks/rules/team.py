"""Rules of a team, as ``[[rule]]`` of ``assetdb.toml`` has them."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted, listed
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import TEAM_RULE
from assetdb.settings.project import CONFIGURATION_NAME
from assetdb.settings.team_rules import SPRITE_MODES
from assetdb.settings.toml_lines import line_of
from assetdb.unity.textures.compression import compression_of, fits
from assetdb.unity.textures.pictures import HEAD, picture_size
from assetdb_formats.globs import path_matcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.memo.view import View
    from assetdb.settings.team_rules import TeamRule
    from assetdb.store.entry import Asset

_MIPMAPS: Final = re.compile(rb"\n    enableMipMap: ([01])")
_READABLE: Final = re.compile(rb"\n  (?:  )?isReadable: ([01])")
_SPRITE_MODE: Final = re.compile(rb"\n  spriteMode: ([0-3])")


def find_breaches(project: View) -> Iterator[Finding]:
    """Yield assets that break a rule of the team."""
    for number, rule in enumerate(project.team_rules, 1):
        is_meant = path_matcher(rule.paths)
        assets = [asset for asset in project.database if is_meant(asset.path)]
        if not assets:
            said = f"rule {number} is for {listed(rule.paths)}, and no asset is there"
            text = (project.read(CONFIGURATION_NAME) or b"").decode("utf-8-sig", "replace")
            yield Finding.of(TEAM_RULE, CONFIGURATION_NAME, said, line_of(text, f"rule {number}: paths"))
        for asset in assets:
            for said, prop in (*_of_file(project, rule, asset), *_of_meta(project, rule, asset)):
                message = f"{said} (rule {number})"
                yield Finding.of(TEAM_RULE, asset.path, message, property_path=prop, asset=asset.guid)
        yield from _of_users(project, rule, number, assets)


def _of_file(project: View, rule: TeamRule, asset: Asset) -> Iterator[tuple[str, str]]:
    """Yield faults of a file's name, size and picture."""
    stem, _, extension = asset.path.rpartition("/")[2].rpartition(".")
    if rule.name and not fnmatchcase(stem or extension, rule.name):
        yield f"its name is not like {rule.name}", ""
    if rule.max_size >= 0 and (size := project.size(asset.path)) > rule.max_size:
        yield f"it has {counted(size, 'byte')}, and at most {rule.max_size:,} are allowed", ""
    if rule.power_of_two is not None:
        found = picture_size(project.head(asset.path, HEAD), extension.lower())
        if found is not None and all(side & (side - 1) == 0 for side in found) != rule.power_of_two:
            wanted = "are to be powers of two" if rule.power_of_two else "are not to be powers of two"
            yield f"it has {found[0]} x {found[1]} pixels, which {wanted}", ""


def _of_meta(project: View, rule: TeamRule, asset: Asset) -> Iterator[tuple[str, str]]:
    """Yield the import settings that are other ones than demanded."""
    if rule.mipmaps is None and rule.readable is None and not rule.sprite_mode and not rule.compression:
        return
    data = project.read(f"{asset.path}.meta") or b""
    for pattern, wanted, prop in (
        (_MIPMAPS, rule.mipmaps, "mipmaps.enableMipMap"),
        (_READABLE, rule.readable, "isReadable"),
    ):
        found = pattern.search(data) if wanted is not None else None
        if found is not None and (found[1] == b"1") != wanted:
            yield f"its import settings have {prop} {'on' if found[1] == b'1' else 'off'}", prop
    for platform, demanded in rule.compression:
        compression = compression_of(data, platform)
        if compression and not fits(compression, demanded):
            said = f"its compression for {platform} is {compression}, not {demanded}"
            yield said, "platformSettings.textureCompression"
    mode = _SPRITE_MODE.search(data) if rule.sprite_mode else None
    if mode is not None and SPRITE_MODES[int(mode[1])] != rule.sprite_mode:
        yield f"its sprite mode is {SPRITE_MODES[int(mode[1])]}, not {rule.sprite_mode}", "spriteMode"


def _of_users(project: View, rule: TeamRule, number: int, assets: list[Asset]) -> Iterator[Finding]:
    """Yield references that a rule forbids, each user once for a target."""
    if rule.only_used_by:
        may_use = path_matcher(rule.only_used_by)
        said = f"which only {listed(rule.only_used_by)} may"
        yield from _uses(project, number, assets, lambda path: not may_use(path), said)
    if rule.forbid_usage_of:
        is_forbidden, users = path_matcher(rule.forbid_usage_of), {asset.path for asset in assets}
        targets = [asset for asset in project.database if is_forbidden(asset.path)]
        yield from _uses(project, number, targets, users.__contains__, "which is forbidden")


def _uses(
    project: View, number: int, targets: list[Asset], is_wrong: Callable[[str], bool], why: str
) -> Iterator[Finding]:
    paths = {asset.guid: asset.path for asset in targets}
    for guid, users in project.users(sorted(paths)).items():
        for user in sorted(users):
            asset = project.database.by_guid(user)
            if asset is not None and asset.guid != guid and is_wrong(asset.path):
                said = f"refers to {paths[guid]}, {why} (rule {number})"
                data = project.read(asset.path) or b""
                at = data.find(guid.encode())
                line = data.count(b"\n", 0, at) + 1 if at >= 0 else 0
                yield Finding.of(TEAM_RULE, asset.path, said, line, asset=asset.guid, target=guid)
