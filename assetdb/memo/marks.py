"""The marks of all C# files, as one input of many rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.memo.script_facts import MARKS
from assetdb.scan.content_id import digest_state
from assetdb.system.identity import RACY

if TYPE_CHECKING:
    from typing import Protocol

    from assetdb.memo.facts import Extraction
    from assetdb.unity.scripts.marks import Marks

    class MarkInputs(Protocol):
        """The inputs of a project, see :class:`assetdb.memo.inputs.Inputs`."""

        @property
        def scripts(self) -> dict[str, str]:
            """The GUIDs of the C# files, by path."""

        def facts_of(self, extraction: Extraction[Marks], path: str) -> tuple[int | str, Marks]:
            """Return the origin of a file's facts, and the facts."""

        def origin_of(self, extraction: Extraction[Marks], path: str) -> int | str:
            """Return the content that first had a file's facts."""


def all_marks(inputs: MarkInputs) -> dict[str, Marks]:
    """Return the marks of all C# files, by path."""
    return {path: inputs.facts_of(MARKS, path)[1] for path in inputs.scripts}


def digest_of_marks(inputs: MarkInputs) -> int | str:
    """Return a digest of all marks, :data:`RACY` if a file may change."""
    digest = digest_state()
    for path in inputs.scripts:
        origin = inputs.origin_of(MARKS, path)
        if origin == RACY:
            return RACY
        digest.update(f"{path}\0{origin}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
