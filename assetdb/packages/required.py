"""The packages that a project requires, directly and indirectly.

A lock file has them all, beside entries that nothing needs any more: Unity drops those as soon as it resolves packages
again. Without a lock file the needs come from each package's own ``package.json``, or from the table of public
packages. Pure, except for what the caller's function reads.
"""

from __future__ import annotations

from assetdb.packages.public.contents import is_program
from assetdb.packages.public.releases import needs_of, version_key
from assetdb.packages.public.table import public_packages
from assetdb.unity.settings.packages import listed_package
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from assetdb.unity.settings.packages import DeclaredPackages, Needs, Package

_FEATURE: Final = "com.unity.feature."
"""Begins the names of packages that only bring others."""


class Requirement(NamedTuple):
    """The packages that a project requires.

    Attributes:
        packages: by name; also those that only other packages need.
        unknown: names of packages whose needs are not known.
        reached: names of the packages that are requested, or that a known package needs.
    """

    packages: tuple[Package, ...]
    unknown: tuple[str, ...]
    reached: frozenset[str]


def required_packages(listed: DeclaredPackages, own_needs: Callable[[Package], Needs | None]) -> Requirement:
    """Return the packages that a project requires.

    Args:
        listed: the packages of its lists.
        own_needs: returns what the ``package.json`` of a package on this machine needs, None if it is absent.
    """
    found = {package.name: package for package in listed.packages}
    roots = [package.name for package in listed.packages if package.requested or not listed.is_whole]
    reached: set[str] = set()
    unknown: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        unknown.discard(name)
        needs = _needs(found[name], own_needs)
        if needs is None:
            unknown.add(name)
        for needed, version in needs or ():
            known = found.get(needed)
            if known is None or (not listed.is_locked and _is_older(known, version)):
                package = listed_package(needed, version)
                if package is None:
                    unknown.add(name)
                    continue
                found[needed] = package if known is None else package._replace(requested=known.requested)
                reached.discard(needed)  # a newer version may need more
            waiting.append(needed)
    kept = found if unknown else reached
    return Requirement(tuple(found[name] for name in sorted(kept)), tuple(sorted(unknown)), frozenset(reached))


def _needs(package: Package, own_needs: Callable[[Package], Needs | None]) -> Needs | None:
    if package.source == "embedded":
        own = own_needs(package)
        return own if own is not None else package.needs
    if package.needs is not None:
        return package.needs
    own = own_needs(package)
    if own is not None:
        return own
    releases = public_packages().releases(package.name)
    needs = needs_of(releases, package.version)
    is_alone = is_program(package.name) and not package.name.startswith(_FEATURE)
    return () if needs is None and is_alone else needs  # modules, which need modules alone, are in no table


def _is_older(package: Package, version: str) -> bool:
    """Whether another package needs a newer version."""
    is_published = package.source == "registry" and package.version[:1].isdecimal() and version[:1].isdecimal()
    return is_published and version_key(package.version) < version_key(version)
