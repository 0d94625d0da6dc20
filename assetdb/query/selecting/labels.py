"""Labels of assets: answers with them, and answers that have one."""

from __future__ import annotations

from assetdb.query.graph.assignments import of_meta
from assetdb.query.selecting.selector import find_sorted
from assetdb.settings.project import asset_file
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection

    from assetdb.query.selecting.selector import Match
    from assetdb.query.snapshots.snapshot import Snapshot


class LabelledMatch(NamedTuple):
    """A match of a pattern with the labels of its asset."""

    guid: str
    file_id: int | None
    name: str
    path: str
    type: str
    labels: tuple[str, ...]


def find_labelled(
    pattern: str, project: Snapshot, kinds: Collection[str] = (), labels: Collection[str] = ()
) -> list[LabelledMatch]:
    """Return the matches of a pattern with their labels, by path.

    Args:
        pattern: see :func:`assetdb.query.selecting.selector.find`; without one, and without ``kinds``, the assets
            alone are returned.
        project: where to look, its packages included.
        kinds: names of classes or scripts, none for all.
        labels: in any case; an asset with one of them is a match. None means all, also those without a label.

    Raises:
        UsageError: the pattern is invalid.
        ConfigurationError: ``assetdb.toml`` is wrong.
        ScanError: whether a meta can be read cannot be determined now.
    """
    known = Labels(project)
    wanted = {label.casefold() for label in labels}
    whole = not pattern and not kinds

    def is_wanted(match: Match) -> bool:
        if whole and match.file_id is not None:
            return False
        return not wanted or any(label.casefold() in wanted for label in known.of(match))

    return [LabelledMatch(*match, known.of(match)) for match in find_sorted(pattern, project, kinds, only=is_wanted)]


class Labels:
    """The labels of a project's assets."""

    def __init__(self, project: Snapshot) -> None:
        """Read labels of the project; metas of packages are read when asked.

        Raises:
            ConfigurationError: ``assetdb.toml`` is wrong.
            ScanError: whether a meta can be read cannot be determined now.
        """
        self._project = project
        self._own = {path: assigned.labels for path, assigned in project.assignments().items() if assigned.labels}
        self._outside: dict[str, tuple[str, ...]] = {}

    def of(self, match: Match) -> tuple[str, ...]:
        """Return the labels of a match's asset.

        Raises:
            ScanError: whether its meta can be read cannot be determined now.
        """
        if match.path in self._own or not self._project.has_packages:
            return self._own.get(match.path, ())
        if match.guid not in self._outside:
            location = self._project.packages.locate(match.guid)
            is_it = location is not None and location.path == match.path
            self._outside[match.guid] = of_meta(f"{location.file}.meta").labels if location and is_it else ()
        return self._outside[match.guid]

    def known(self) -> list[str]:
        """Return the labels of the project's own assets, sorted."""
        return sorted({label for labels in self._own.values() for label in labels})


def labels_text(labels: Collection[str]) -> str:
    """Return labels as one cell of a table, ``""`` for none."""
    return f"labels: {', '.join(labels)}" if labels else ""


def labels_of(guid: str, path: str, project: Snapshot) -> tuple[str, ...]:
    """Return the labels of one asset or folder, from its meta.

    Raises:
        ScanError: whether its meta can be read cannot be determined now.
    """
    if not path:
        return ()
    location = project.resolver.locate(guid)
    is_it = location is not None and location.path == path and location.file
    return of_meta(f"{location.file if location and is_it else asset_file(project.root, path)}.meta").labels
