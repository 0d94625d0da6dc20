"""Facts of C# files that are inputs of answers.

Few edits of a script change any such fact. If contents were the inputs, a comment in one of unity-explorer's 5,023
scripts would make each rule that looks at all scripts run again.
"""

from __future__ import annotations

from importlib import import_module

from assetdb.memo.facts import Extraction

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from assetdb.unity.scripts.csharp import Source
    from assetdb.unity.scripts.marks import Marks


def _late(module: str, name: str) -> Callable[[Any], Any]:
    """Return a function; its module is imported at the first call."""

    def call(given: Any) -> Any:  # noqa: ANN401 - whatever the function takes and returns
        return getattr(import_module(f"assetdb.unity.scripts.{module}"), name)(given)

    return call


MARKS: Final[Extraction[Marks]] = Extraction(
    "marks of C#", "8", _late("marks", "read_marks"), _late("marks", "marks_of"), is_compared=True
)
SOURCE: Final[Extraction[Source]] = Extraction(
    "declarations of C#", "8", _late("csharp", "read_source"), _late("kept_sources", "source_of"), is_compared=True
)
ADDED: Final[Extraction[frozenset[str]]] = Extraction(
    "components that C# adds", "1", _late("mentions", "added_components"), frozenset, is_compared=True
)
METHODS: Final[Extraction[frozenset[str]]] = Extraction(
    "names of methods in C#", "1", _late("mentions", "mentioned_methods"), frozenset, is_compared=True
)
COMPARED: Final = {each.name: each for each in (MARKS, SOURCE, ADDED, METHODS)}
"""All extractions with ``is_compared``, by name, which is also the kind of their input."""
