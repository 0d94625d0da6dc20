"""Diagnostics as text: three of each kind, with advice."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter

from assetdb.cli.terminal import note
from assetdb.diagnostics.codes import ERROR, OFF, WARNING

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

    from assetdb.diagnostics import Diagnostic

EXAMPLES: Final = 3
"""Diagnostics of one kind that are shown."""

_RENAMED: Final = "sanitized-name"  # only --scrub-chars causes it, and asks for it
_DUPLICATE: Final = "duplicate-guid"
_MOST_ADVISED: Final = 20  # GUIDs whose users and history are searched for advice; others get the general one


def show_findings(
    diagnostics: Iterable[Diagnostic], *, verbose: bool, root: str, referrers: Callable[[str], list[str]] | None
) -> None:
    """Print diagnostics on stderr, each kind together.

    With ``verbose`` all are printed, also diagnostics of codes that are off. The errors of a code come first.
    ``referrers`` returns the paths of the assets that refer to a GUID.
    """
    severity = severity_in(root)
    for code, group in groupby(diagnostics, key=attrgetter("code")):
        found = list(group)
        levels = {item: severity(item) for item in found}
        if not verbose and code != _RENAMED:
            found = [item for item in found if levels[item] != OFF]
        found.sort(key=lambda item: levels[item] != ERROR)
        shown = found if verbose or len(found) <= EXAMPLES + 1 else found[:EXAMPLES]
        advice = {}
        if code == _DUPLICATE and referrers is not None:
            advice = _advice(root, found, {item.path for item in shown}, referrers)
        for item in shown:
            text = str(item)
            if item.path in advice:
                text = text.replace(f"({item.advice})", f"({advice[item.path]})")
            note(f"{levels[item] if levels[item] != OFF else WARNING}: {text}", (item.path,))
        if len(shown) < len(found):
            level = levels[found[len(shown)]]
            note(f"{level}: {code}: {len(found) - len(shown):,} more (--verbose lists all)")


def severity_in(root: str) -> Callable[[Diagnostic], str]:
    """Return a function for severities as ``check`` has them.

    A diagnostic that makes the database ambiguous is an error for a bake, whatever the project's settings say.

    Raises:
        ConfigurationError: ``assetdb.toml`` is wrong.
    """
    from assetdb.checks.findings.selection import is_of_assetdb, selection_of, severity_of  # noqa: PLC0415 - many bakes find nothing

    selection = selection_of(root)

    def severity(item: Diagnostic) -> str:
        if is_of_assetdb(root, item):
            return OFF
        return ERROR if item.fatal else selection.weighed(item.code, severity_of(item))

    return severity


def counted(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the counts by kind: ``2 empty-asset, 376 lfs-pointer``."""
    kinds = [(code, len(list(group))) for code, group in groupby(diagnostics, key=attrgetter("code"))]
    return ", ".join(f"{count:,} {code}" for code, count in kinds)


def _advice(
    root: str, found: list[Diagnostic], shown: set[str], referrers: Callable[[str], list[str]]
) -> dict[str, str]:
    """Return the advice for shared GUIDs, by path."""
    from assetdb.query.selecting.selector import guid_of_file  # noqa: PLC0415 - as below
    from assetdb.resolve.duplicates import advise  # noqa: PLC0415 - hardly any project has such a GUID
    from assetdb.settings.project import asset_file  # noqa: PLC0415 - as above

    holders: dict[str, list[str]] = {}
    for item in found:
        holders.setdefault(guid_of_file(asset_file(root, item.path)), []).append(item.path)
    advice: dict[str, str] = {}
    wanted = [(guid, paths) for guid, paths in holders.items() if guid and not shown.isdisjoint(paths)]
    for guid, paths in wanted[:_MOST_ADVISED]:
        specific = advise(root, guid, paths, referrers(guid))
        if specific:
            advice.update(dict.fromkeys(paths, specific))
    return advice
