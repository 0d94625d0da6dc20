"""Messages of the physics that Unity never calls.

It compares the type of their parameter with the one that it passes when the script is loaded, and writes an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.lineage import COMPONENT, Sources
from assetdb.checks.rules import MESSAGE_PARAMETER
from assetdb.memo.marks import UNFIT
from assetdb.unity.scripts.marks import passed_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.checks.lineage import Lineage
    from assetdb.memo.view import View

_MOST: Final = 100  # components of one file; no person writes as many
_ENGINE: Final = "UnityEngine"


def find_unfit(project: View) -> Iterator[Finding]:
    """Yield messages with a parameter that Unity does not pass."""
    sources = Sources(project)
    for path, messages in project.marked(UNFIT).items():
        source = sources.source(path)
        if _ENGINE not in source.usings:
            continue
        named = {name for name, _kind, _line in messages}
        holders = [
            each for each in source.types if not each.conditions and named & {name for name, _ in each.parameters}
        ]
        lineages = [sources.lineage(path, each.name) for each in holders] if len(holders) < _MOST else []
        components = [lineage for lineage in lineages if lineage is not None and lineage.end == COMPONENT]
        for name, kind, line in messages:
            if kind in source.aliases or sources.mentions(kind):  # it means another type
                continue
            if any(_has_only(lineage, name, kind) for lineage in components):
                said = f"{name} takes a {kind}, and Unity passes a {passed_type(name)}: it is never called"
                yield Finding.of(MESSAGE_PARAMETER, path, said, line, asset=sources.guids[path], target=name)


def _has_only(lineage: Lineage, name: str, kind: str) -> bool:
    """Whether a class has one method of a name, with this type."""
    own, *bases = lineage.declarations
    if any(name in each.methods for each in bases):
        return False
    kinds = [kinds for method, kinds in own.parameters if method == name]
    return len(kinds) == 1 and len(kinds[0]) == 1 and kinds[0][0].rpartition(".")[2] == kind
