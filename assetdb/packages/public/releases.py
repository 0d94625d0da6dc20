"""Releases of a public package: their order, dependencies and sources.

Versions are ordered as in semver: ``1.0.0-pre.2`` precedes ``1.0.0-pre.10``, and that ``1.0.0``. Pure.
"""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final, TypeAlias

    VersionKey: TypeAlias = tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]

UNKNOWN: Final = "?"
"""In place of dependencies that are not known."""
_COPY: Final = frozenset("eo")
_NUMBERS: Final = 4
_DIGITS: Final = 18


class Release(NamedTuple):
    """One published version of a package.

    Attributes:
        version: ``1.19.0-preview.3``.
        unity: the oldest editor for it, such as ``2021.3`` or ``2019.4.0f1``; ``""`` if it has none.
        needs: names and versions of the packages that it requires, None if unknown.
        sources: letters of where its files were read: ``m`` and ``r`` tags of repositories, ``c`` a committed
            PackageCache, ``e`` a project's copy, which may be trimmed.
    """

    version: str
    unity: str
    needs: tuple[tuple[str, str], ...] | None
    sources: str

    @property
    def is_complete(self) -> bool:
        """Whether all files of the release are known."""
        return not _COPY.issuperset(self.sources)


def read_release(line: str) -> Release:
    """Return the release of a line of the table."""
    version, unity, needs, sources = line.split("\t")
    return Release(
        version, unity, None if needs == UNKNOWN else tuple(map(_need, filter(None, needs.split(",")))), sources
    )


def _need(text: str) -> tuple[str, str]:
    name, _, version = text.partition("@")
    return name, version


def version_key(version: str) -> VersionKey:
    """Return a key that orders versions as semver does.

    >>> sorted(["1.0.0", "1.0.0-pre.10", "0.9.12", "1.0.0-pre.2"], key=version_key)
    ['0.9.12', '1.0.0-pre.2', '1.0.0-pre.10', '1.0.0']
    """
    core, _, before = version.partition("+")[0].partition("-")
    numbers = [_number(part) for part in core.split(".")[:_NUMBERS]]
    return tuple(numbers + [0] * (_NUMBERS - len(numbers))), not before, tuple(map(_identifier, before.split(".")))


def _identifier(text: str) -> tuple[bool, int, str]:
    is_number = text.isdecimal()
    return not is_number, _number(text), "" if is_number else text


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else 0


def is_known(releases: Sequence[Release], version: str) -> bool:
    """Whether all files of a version are known.

    A version between two known ones is as good: of 135 GUIDs of public projects that depended on it, none was of such
    a package.
    """
    complete = [release.version for release in releases if release.is_complete]
    if version in complete:
        return True
    if not complete or not version[:1].isdecimal():
        return False
    wanted = version_key(version)
    return version_key(complete[0]) < wanted < version_key(complete[-1])


def needs_of(releases: Sequence[Release], version: str) -> tuple[tuple[str, str], ...] | None:
    """Return the dependencies of a version, None if unknown.

    Of a version between two known ones it is what either of them requires; of one that is older or newer than all known
    ones what the nearest does.
    """
    releases = [release for release in releases if release.needs is not None]
    for release in releases:
        if release.version == version:
            return release.needs
    if not version[:1].isdecimal():
        return None
    wanted = version_key(version)
    below = [release for release in releases if version_key(release.version) < wanted]
    above = releases[len(below) :]
    found: dict[str, str] = {}
    for release in (*below[-1:], *above[:1]):
        found.update(release.needs or ())
    return tuple(found.items()) if releases else None
