"""Animator controllers with transitions or states that cannot work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import listed
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import ANIMATOR_DEFAULT, ANIMATOR_PARAMETER, ANIMATOR_TRANSITION, EMPTY_STATE
from assetdb.memo.facts import Extraction
from assetdb.unity.content.animators import Animator, animator_of, read_animator
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assetdb.memo.view import View

_CONTROLLER: Final = ".controller"
_MOST_SHOWN: Final = 5
_ANIMATOR: Final = Extraction("animator controllers", "4", read_animator, animator_of)


def animators_of(project: View) -> dict[tuple[str, str], Animator]:
    """Return the animator controllers of a project, by path and GUID."""
    assets = project.database.ending(_CONTROLLER)
    return {(asset.path, asset.guid): project.facts(asset.path, _ANIMATOR) for asset in assets}


def find_parameters(project: View) -> Iterator[Finding]:
    """Yield conditions on parameters that their controller lacks."""

    def lacking(animator: Animator) -> list[tuple[int, str, str]]:
        known = listed(sorted(animator.parameters), _MOST_SHOWN) or "none"
        return [
            (place, f"tests the parameter {name!r}, which the controller lacks; it has {known}", name)
            for name, place in animator.conditions
            if name not in animator.parameters
        ]

    return _found(project, ANIMATOR_PARAMETER, lacking)


def find_defaults(project: View) -> Iterator[Finding]:
    """Yield state machines with states and no default state."""
    said = "has states and no default one: the animator stays in none"
    return _found(project, ANIMATOR_DEFAULT, lambda each: [(place, said, "") for place in each.without_default])


def find_empty_states(project: View) -> Iterator[Finding]:
    """Yield states without a motion."""
    said = "has no motion: objects keep their values while the animator is in this state"
    return _found(project, EMPTY_STATE, lambda each: [(place, said, "") for place in each.without_motion])


def find_transitions(project: View) -> Iterator[Finding]:
    """Yield transitions that lead to no state."""
    said = "leads to no state and is no exit: the animator never takes the transition"
    return _found(project, ANIMATOR_TRANSITION, lambda each: [(place, said, "") for place in each.without_target])


def _found(project: View, code: str, find: Callable[[Animator], Sequence[tuple[int, str, str]]]) -> Iterator[Finding]:
    """Yield the findings at some places of all controllers."""
    for (path, guid), animator in animators_of(project).items():
        rows = find(animator)
        if rows:
            where = places(project.read(path) or b"", [offset for offset, _, _ in rows])
            for (_offset, said, target), place in zip(rows, where, strict=True):
                name = project.resolver.local_name(guid, place.file_id) or ""
                yield Finding.of(code, path, said, place.line, name, place.path, guid, place.file_id, target)
