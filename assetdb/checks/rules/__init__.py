"""The registry of rules, one row each; a module for each subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.checks.finding import Finding
    from assetdb.checks.watched import Watched
    from assetdb.query.snapshot import Snapshot


class Rule(NamedTuple):
    """One rule: the code of its findings, and the module and function that yield them.

    A module is imported only when its rule has to look: what it found is kept (:mod:`assetdb.checks.kept`).

    Attributes:
        code: of the findings.
        module: below this package.
        function: of that module.
        edges: name of a function of that module which digests the references that the rule rests on; ``""`` where it
            rests on assets and files alone.
    """

    code: str
    module: str
    function: str
    edges: str = ""

    def find(self, project: Watched) -> Iterator[Finding]:
        """Yield the findings of a project."""
        module = __import__(f"{__name__}.{self.module}", fromlist=("",))
        found: Iterator[Finding] = getattr(module, self.function)(project)
        return found

    def edges_digest(self, project: Snapshot) -> str:
        """Return what tells the references that the rule rests on from others, ``""`` where it rests on none."""
        if not self.edges:
            return ""
        module = __import__(f"{__name__}.{self.module}", fromlist=("",))
        digest: str = getattr(module, self.edges)(project)
        return digest


ASMDEF_CYCLE: Final = "asmdef-cycle"
ASMDEF_DUPLICATE: Final = "asmdef-duplicate"
ASMDEF_INVALID: Final = "asmdef-invalid"
BROKEN_ASSET: Final = "broken-asset"
BUILD_SCENE: Final = "build-scene"
CONFLICT_MARKERS: Final = "conflict-markers"
LFS_POINTER: Final = "lfs-pointer"
MISSING_ASSET: Final = "missing-asset"
NO_BUILD_SCENE: Final = "no-build-scene"
PACKAGE_MANIFEST: Final = "package-manifest"
ADDRESSABLES_ENTRY: Final = "addressables-entry"
ASMDEF_REFERENCE: Final = "asmdef-reference"
HIDDEN_METAS: Final = "hidden-metas"
LEFT_BEHIND: Final = "left-behind"
MISSING_METHOD: Final = "missing-method"
PLACEHOLDER_GUID: Final = "placeholder-guid"
RECURSIVE_PREFAB: Final = "recursive-prefab"
RESOURCES_DUPLICATE: Final = "resources-duplicate"
SCRIPT_CLASS: Final = "script-class"
SERIALIZATION_MODE: Final = "serialization-mode"
STALE_FIELD: Final = "stale-field"
UNICODE_MISMATCH: Final = "unicode-mismatch"

RULES: Final = (
    Rule(ADDRESSABLES_ENTRY, "addressables", "find_entries"),
    Rule(ASMDEF_REFERENCE, "assemblies", "find_references"),
    Rule(ASMDEF_CYCLE, "assembly_graph", "find_cycles"),
    Rule(ASMDEF_DUPLICATE, "assembly_graph", "find_duplicates"),
    Rule(ASMDEF_INVALID, "assembly_graph", "find_invalid"),
    Rule(BROKEN_ASSET, "project_settings", "find_damage"),
    Rule(BUILD_SCENE, "build_scenes", "find_scenes"),
    Rule(NO_BUILD_SCENE, "build_scenes", "find_empty_list"),
    Rule(CONFLICT_MARKERS, "project_settings", "find_conflicts"),
    Rule(LFS_POINTER, "project_settings", "find_pointers"),
    Rule(MISSING_ASSET, "project_settings", "find_lost_references"),
    Rule(PACKAGE_MANIFEST, "manifests", "find_problems"),
    Rule(HIDDEN_METAS, "settings", "find_hidden_metas"),
    Rule(LEFT_BEHIND, "journals", "find_journal"),
    Rule(MISSING_METHOD, "scripts", "find_methods", "digest_users"),
    Rule(PLACEHOLDER_GUID, "guids", "find_placeholders"),
    Rule(RECURSIVE_PREFAB, "prefabs", "find_recursive", "digest_nesting"),
    Rule(RESOURCES_DUPLICATE, "resources", "find_duplicates"),
    Rule(SCRIPT_CLASS, "scripts", "find_classes", "digest_users"),
    Rule(SERIALIZATION_MODE, "settings", "find_serialization_mode"),
    Rule(STALE_FIELD, "scripts", "find_fields", "digest_users"),
    Rule(UNICODE_MISMATCH, "spelling", "find_spellings"),
)
