"""A comparison with the editor's ``Library`` as text and as JSON."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.doctor.library.comparison import Difference
    from assetdb.doctor.library.judgement import Judgement
    from assetdb.doctor.library.reading import Library

EXAMPLES: Final = 5
"""How many differences of a kind are shown."""


def report_lines(library: Library, found: Judgement, *, most: int | None = EXAMPLES) -> Iterator[str]:
    """Yield the counts of a comparison, the share that agrees, and differences.

    Of each kind the first ``most`` differences are shown; all if it is None.
    """
    objects, references = counted(found.objects, "object"), counted(found.references, "reference")
    yield f"compared: {counted(found.assets, 'asset')} of {library.source}, {objects}, {references}"
    left_out = [
        f"{count:,} {why}"
        for count, why in (
            (library.changed, "older than their asset, or of another path"),
            (library.gone, "of assets that this project has not"),
            (library.several, "of assets with several imports"),
            (library.hollow, "without their main object in a file"),
        )
        if count
    ]
    if left_out:
        yield f"imports left out: {', '.join(left_out)}"
    for path, problem in library.unread[:most]:
        yield f"not read: {path}: {problem}"
    if len(library.unread) > len(library.unread[:most]):
        yield f"not read: {len(library.unread):,} files in all"
    right = found.objects - found.wrong_objects
    if found.objects:
        yield f"agree: {right:,} of {objects} ({found.share:.2f} %)"
    yield from difference_lines(found.differences, most)


def difference_lines(differences: Sequence[Difference], most: int | None = EXAMPLES) -> Iterator[str]:
    """Yield the differences by kind and class, the most frequent first."""
    for (kind, type_name), count in Counter((found.kind, found.type) for found in differences).most_common():
        yield f"{count:,} {kind}{f': {type_name}' if type_name else ''}"
        examples = [found for found in differences if (found.kind, found.type) == (kind, type_name)]
        for found in examples[:most]:
            place = f"{found.path}:{found.file_id}" if found.file_id else found.path
            yield f"  {place}: Unity {found.editor!r}, assetdb {found.ours!r}"


def report_fields(library: Library, found: Judgement) -> dict[str, object]:
    """Return the summary for programs, without the differences."""
    return {
        "source": library.source,
        "assets": found.assets,
        "objects": found.objects,
        "right_objects": found.objects - found.wrong_objects,
        "references": found.references,
        "differences": len(found.differences),
        "changed": library.changed,
        "gone": library.gone,
        "several": library.several,
        "hollow": library.hollow,
        "unread": dict(library.unread),
    }
