"""Rules: what neither a file nor a reference shows by itself. One row here for each, one module a subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.checks.finding import Finding
    from assetdb.query.snapshot import Snapshot


class Rule(NamedTuple):
    """One rule: the code of its findings, and the module and function that yield them.

    A module is imported only when its rule has to look: what it found is kept (:mod:`assetdb.checks.kept`).
    """

    code: str
    module: str
    function: str

    def find(self, project: Snapshot) -> Iterator[Finding]:
        """Yield the findings of a project."""
        module = __import__(f"{__name__}.{self.module}", fromlist=("",))
        found: Iterator[Finding] = getattr(module, self.function)(project)
        return found


ADDRESSABLES_ENTRY: Final = "addressables-entry"
ASMDEF_REFERENCE: Final = "asmdef-reference"
HIDDEN_METAS: Final = "hidden-metas"
LEFT_BEHIND: Final = "left-behind"
PLACEHOLDER_GUID: Final = "placeholder-guid"
RESOURCES_DUPLICATE: Final = "resources-duplicate"
SERIALIZATION_MODE: Final = "serialization-mode"
UNICODE_MISMATCH: Final = "unicode-mismatch"

RULES: Final = (
    Rule(ADDRESSABLES_ENTRY, "addressables", "find_entries"),
    Rule(ASMDEF_REFERENCE, "assemblies", "find_references"),
    Rule(HIDDEN_METAS, "settings", "find_hidden_metas"),
    Rule(LEFT_BEHIND, "journals", "find_journal"),
    Rule(PLACEHOLDER_GUID, "guids", "find_placeholders"),
    Rule(RESOURCES_DUPLICATE, "resources", "find_duplicates"),
    Rule(SERIALIZATION_MODE, "settings", "find_serialization_mode"),
    Rule(UNICODE_MISMATCH, "spelling", "find_spellings"),
)
