"""The share of the editor's rows that agree with assetdb's."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.doctor.library.comparison import OTHER_PARENTS, compare_lists, compare_objects, compare_references

if TYPE_CHECKING:
    from assetdb.doctor.library.comparison import Difference
    from assetdb.doctor.library.reading import Library
    from assetdb.query.snapshots.snapshot import Snapshot

_AT_ONCE: Final = 200  # assets: comparing opens the graph each time


class Judgement(NamedTuple):
    """Counts of a comparison, and all differences.

    Attributes:
        assets: how many were compared.
        objects: how many of the editor's objects were compared.
        references: how many of its references were compared.
        wrong_objects: how many objects have another name, type or role.
        differences: of objects, of lists of models, and of references, in this order.
    """

    assets: int
    objects: int
    references: int
    wrong_objects: int
    differences: list[Difference]

    @property
    def share(self) -> float:
        """How many percent of the objects are right."""
        return 100 * (self.objects - self.wrong_objects) / self.objects if self.objects else 0.0


def judge(library: Library, project: Snapshot) -> Judgement:
    """Compare all assets of a library that are as they were imported.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    assets = library.assets()
    counted = rows = links = 0
    objects: list[Difference] = []
    lists: list[Difference] = []
    references: list[Difference] = []
    while batch := list(islice(assets, _AT_ONCE)):
        own = [row for asset in batch for row in asset.objects]
        linked = [row for asset in batch for row in asset.references]
        objects += compare_objects(own, project)
        lists += compare_lists(own, project)
        references += compare_references(linked, project)
        counted, rows, links = counted + len(batch), rows + len(own), links + len(linked)
    wrong = sum(difference.kind != OTHER_PARENTS for difference in objects)
    return Judgement(counted, rows, links, wrong, [*objects, *lists, *references])
