"""The marks of all C# files, as one input of many rules.

Hardly an edit of a script changes its marks. Were contents the inputs, each rule that looks at all marks would run
again after a comment in one of unity-explorer's 5,023 scripts.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, cast

from assetdb.memo.facts import Extraction
from assetdb.memo.view import View
from assetdb.system.identity import RACY
from assetdb.unity.scripts.marks import Marks, marks_of, read_marks

if TYPE_CHECKING:
    from assetdb.memo.inputs import Inputs, Value

_MARKS: Final = Extraction("marks of C#", "1", read_marks, marks_of)


def all_marks(inputs: Inputs) -> dict[str, Marks]:
    """Return the marks of all C# files by path, read once for a question."""
    known = inputs.shared.get(all_marks)
    if known is None:
        view = View(inputs)
        found = {path: view.facts(path, _MARKS) for path in inputs.scripts}
        known = inputs.shared[all_marks] = found, {}
    return cast("dict[str, Marks]", known[0])


def digest_of_marks(inputs: Inputs) -> Value:
    """Return a digest of all marks, :data:`RACY` if a file may change."""
    digest = sha256()
    for path in inputs.scripts:
        packed = inputs.facts.packed(_MARKS, path, inputs.content_of(path))
        if packed is None:
            View(inputs).facts(path, _MARKS)
            packed = inputs.facts.packed(_MARKS, path, inputs.content_of(path))
        if packed is None:
            return RACY
        digest.update(b"%b\0%b\0" % (path.encode("utf-8", "surrogatepass"), packed))
    return digest.hexdigest()
