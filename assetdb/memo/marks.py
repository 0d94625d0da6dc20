"""The marks of all C# files, as one input of many rules.

Hardly an edit of a script changes its marks. Were contents the inputs, each rule that looks at all marks would run
again after a comment in one of unity-explorer's 5,023 scripts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.memo import contents
from assetdb.memo.contents import content_of_bytes
from assetdb.memo.facts import MARKS_OF_SCRIPTS, Extraction
from assetdb.scan.content_id import digest_state
from assetdb.system.identity import RACY
from assetdb.unity.scripts.marks import Marks, marks_of, read_marks

if TYPE_CHECKING:
    from typing import Protocol

    from assetdb.memo.facts import FileFacts
    from assetdb.query.snapshots.snapshot import Snapshot

    class MarkInputs(Protocol):
        """The inputs of a project, see :class:`assetdb.memo.inputs.Inputs`."""

        project: Snapshot
        facts: FileFacts

        @property
        def scripts(self) -> dict[str, str]:
            """The GUIDs of the C# files, by path."""

        def content(self, path: str, /) -> tuple[int, bytes | None]:
            """Return the content of a file, and its bytes if read now."""


MARKS: Final = Extraction(MARKS_OF_SCRIPTS, "2", read_marks, marks_of, is_compared=True)


def all_marks(inputs: MarkInputs) -> dict[str, Marks]:
    """Return the marks of all C# files, by path."""
    return {path: _marks_at(inputs, path) for path in inputs.scripts}


def digest_of_marks(inputs: MarkInputs) -> int | str:
    """Return a digest of all marks, :data:`RACY` if a file may change."""
    digest = digest_state()
    for path in inputs.scripts:
        packed = _packed(inputs, path)
        if packed is None:
            return RACY
        digest.update(b"%b\0%b\0" % (path.encode("utf-8", "surrogatepass"), packed))
    return digest.hexdigest()


def _marks_at(inputs: MarkInputs, path: str) -> Marks:
    is_sure = _packed(inputs, path) is not None
    known = inputs.facts.find(MARKS, path, inputs.content(path)[0]) if is_sure else None
    return known[0] if known is not None else read_marks(inputs.project.read(path) or b"")


def _packed(inputs: MarkInputs, path: str) -> bytes | None:
    """Return the marks of a file, encoded, None if unsure."""
    now, data = inputs.content(path)
    packed = inputs.facts.packed(MARKS, path, now) if now != RACY else None
    if packed is None and now != RACY:
        data = inputs.project.read(path) if data is None else data
        if data is not None and len(data) <= contents.LARGEST and content_of_bytes(data) != now:
            return None
        inputs.facts.add(MARKS, path, now, read_marks(data or b""))
        packed = inputs.facts.packed(MARKS, path, now)
    return packed
