"""Rules: what neither a file nor a reference shows by itself. One row here for each, one module a subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.rules.addressables import ADDRESSABLES_ENTRY, find_entries
from assetdb.checks.rules.assemblies import ASMDEF_REFERENCE, find_references
from assetdb.checks.rules.guids import PLACEHOLDER_GUID, find_placeholders
from assetdb.checks.rules.resources import RESOURCES_DUPLICATE, find_duplicates
from assetdb.checks.rules.settings import HIDDEN_METAS, SERIALIZATION_MODE, find_hidden_metas, find_serialization_mode
from assetdb.checks.rules.spelling import UNICODE_MISMATCH, find_spellings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.checks.finding import Finding
    from assetdb.query.snapshot import Snapshot


class Rule(NamedTuple):
    """One rule: the code of its findings, and what yields them."""

    code: str
    find: Callable[[Snapshot], Iterator[Finding]]


RULES: Final = (
    Rule(PLACEHOLDER_GUID, find_placeholders),
    Rule(UNICODE_MISMATCH, find_spellings),
    Rule(ASMDEF_REFERENCE, find_references),
    Rule(ADDRESSABLES_ENTRY, find_entries),
    Rule(RESOURCES_DUPLICATE, find_duplicates),
    Rule(SERIALIZATION_MODE, find_serialization_mode),
    Rule(HIDDEN_METAS, find_hidden_metas),
)
