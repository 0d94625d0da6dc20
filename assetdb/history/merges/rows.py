"""Open values and decisions of merges as objects for JSON."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.unity.merging.containers import Step
    from assetdb.unity.merging.names import Names
    from assetdb.unity.merging.pieces import Conflict


def conflict_row(path: str, number: int, conflict: Conflict, names: Names) -> dict[str, object]:
    """Return an open value: where it is, and its versions."""
    return {
        "path": path,
        "number": number,
        "reason": conflict.reason,
        "file_id": conflict.file_id,
        "name": names.of_place(conflict),
        "place": [word.replace("\0", " ").replace("\1", " ") for word in conflict.place],
        "base": conflict.base.decode("utf-8", "replace"),
        "ours": conflict.ours.decode("utf-8", "replace"),
        "theirs": conflict.theirs.decode("utf-8", "replace"),
        "shown": {side: names.of_value(getattr(conflict, side)) for side in ("base", "ours", "theirs")},
    }


def step_row(path: str, step: Step, names: Names) -> dict[str, object]:
    """Return a decision."""
    return {
        "path": path,
        "rule": step.rule,
        "file_id": step.file_id,
        "name": names.of_object(step.file_id),
        "place": [word.replace("\0", " ").replace("\1", " ") for word in step.place],
    }
