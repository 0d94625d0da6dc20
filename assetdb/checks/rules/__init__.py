"""The registry of rules, one row each; a module for each subject."""

from __future__ import annotations

from importlib import import_module

from assetdb.settings.project import OF_PART
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.checks.findings.finding import Finding
    from assetdb.memo.view import View


class Rule(NamedTuple):
    """One rule: its code, module, and function that yields its findings.

    A module is imported only if its rule must run: findings are kept (:mod:`assetdb.memo`).

    Attributes:
        code: of the findings.
        module: below this package.
        function: of that module.
        version: of the function; within one version of assetdb it never changes.
        of_whole: whether the project around a folder of assets decides: scripts, paths and groups may be there.
        files: pattern of the paths, casefolded, of the files that decide with their metas; ``""``: any file may. A
            merge to which one side brings no such file has no new findings. If a group is in the pattern, files decide
            together that have its text in common: of a rule on single files, it is the path.
    """

    code: str
    module: str
    function: str
    version: str = "1"
    of_whole: bool = False
    files: str = ""

    @property
    def key(self) -> str:
        """The key of the kept findings."""
        return f"findings of {self.module}.{self.function}"

    def find(self, project: View) -> list[Finding]:
        """Return the findings of a project.

        A folder of assets has those alone that nothing around it decides.
        """
        if self.of_whole and project.tops == OF_PART:
            return []
        module = import_module(f"{__name__}.{self.module}")
        return list(getattr(module, self.function)(project))


ASMDEF_CYCLE: Final = "asmdef-cycle"
ASMDEF_DUPLICATE: Final = "asmdef-duplicate"
ASMDEF_INVALID: Final = "asmdef-invalid"
BROKEN_ASSET: Final = "broken-asset"
BUILD_SCENE: Final = "build-scene"
DOUBTFUL_TEXT: Final = "doubtful-text"
CONFLICT_MARKERS: Final = "conflict-markers"
LFS_POINTER: Final = "lfs-pointer"
MISSING_ASSET: Final = "missing-asset"
NO_BUILD_SCENE: Final = "no-build-scene"
PACKAGE_MISMATCH: Final = "package-mismatch"
PACKAGE_MANIFEST: Final = "package-manifest"
ANIMATION_EVENT: Final = "animation-event"
ANIMATION_PATH: Final = "animation-path"
ANIMATOR_DEFAULT: Final = "animator-default"
ANIMATOR_PARAMETER: Final = "animator-parameter"
ANIMATOR_TRANSITION: Final = "animator-transition"
DUPLICATE_SHADER: Final = "duplicate-shader"
MISSING_SHADER: Final = "missing-shader"
DUPLICATE_PLUGIN: Final = "duplicate-plugin"
UI_PATH: Final = "ui-path"
UI_TEMPLATE: Final = "ui-template"
MISSING_RENDERER: Final = "missing-renderer"
RECURSIVE_MATERIAL: Final = "recursive-material"
MISSING_INCLUDE: Final = "missing-include"
ADDRESSABLES_DUPLICATE: Final = "addressables-duplicate"
ADDRESSABLES_GROUP: Final = "addressables-group"
ADDRESSABLES_LABEL: Final = "addressables-label"
DUPLICATE_SPRITE: Final = "duplicate-sprite"
DUPLICATE_SCENE: Final = "duplicate-scene"
DUPLICATE_COMPONENT: Final = "duplicate-component"
INPUT_BINDING: Final = "input-binding"
MISSING_TYPE: Final = "missing-type"
LINKER_FILE: Final = "linker-file"
TEAM_RULE: Final = "team-rule"
EMPTY_STATE: Final = "empty-state"
UNKNOWN_NAME: Final = "unknown-name"
ASSEMBLY_NAMESPACE: Final = "assembly-namespace"
DUPLICATE_TYPE: Final = "duplicate-type"
EDITOR_API: Final = "editor-api"
EDITOR_SCRIPT: Final = "editor-script"
MESSAGE_PARAMETER: Final = "message-parameter"
NEW_COMPONENT: Final = "new-component"
ADDRESSABLES_ENTRY: Final = "addressables-entry"
ASMDEF_REFERENCE: Final = "asmdef-reference"
FORMER_NAME: Final = "former-name"
HIDDEN_METAS: Final = "hidden-metas"
INVALID_GUID: Final = "invalid-guid"
LEFT_BEHIND: Final = "left-behind"
LARGE_FILE: Final = "large-file"
LFS_MISMATCH: Final = "lfs-mismatch"
NOT_COMMITTED: Final = "not-committed"
MISSING_METHOD: Final = "missing-method"
PLACEHOLDER_GUID: Final = "placeholder-guid"
RECURSIVE_PREFAB: Final = "recursive-prefab"
RESOURCES_DUPLICATE: Final = "resources-duplicate"
SCRIPT_CLASS: Final = "script-class"
SERIALIZATION_MODE: Final = "serialization-mode"
STALE_FIELD: Final = "stale-field"
UNCLEAR_SCRIPT: Final = "unclear-script"
UNICODE_MISMATCH: Final = "unicode-mismatch"
UNPORTABLE_NAME: Final = "unportable-name"

_METAS: Final = r"\.meta$"
_EACH_META: Final = r"^(.*)\.meta$"
_EACH_CODE: Final = r"^(.*\.cs)(?:\.meta)?$"
_PREFABS: Final = r"\.prefab(?:\.meta)?$"
_ASSEMBLIES: Final = r"\.asm(?:def|ref)(?:\.meta)?$"
_ASSEMBLIES_AND_LIBRARIES: Final = (
    rf"{_ASSEMBLIES}|\.dll(?:\.meta)?$|/package\.json(?:\.meta)?$|/projectsettings/projectsettings\.asset$"
    r"|/packages\.config$|^/assets/packages$|/installedpackages$"  # of NuGetForUnity
)
_EACH_TEXT: Final = (
    r"^(.*\.(?:shader|cginc|hlsl|compute|glslinc|raytrace"
    r"|json|txt|xml|csv|yaml|inputactions|rsp|jslib|jspre))(?:\.meta)?$"
)
_EACH_SETTINGS_FILE: Final = r"^(.*/projectsettings/.*\.(?:asset|json|txt))$"
_EACH_SOURCE: Final = (
    r"^(.*/projectsettings/.*"
    r"|.*\.(?:inputactions|shadergraph|shadersubgraph|uxml|uss|tss|vfx|vfxoperator|vfxblock)"
    r"|.*/link\.xml|.*/plugins/android/androidmanifest\.xml|.*/package\.json)(?:\.meta)?$"
)
_EACH_LOADED_NAME: Final = r"^.*/resources/(.*?)(?:\.[^./\n]*)?(?:\.meta)?$"  # below the last such folder

RULES: Final = (
    Rule(ADDRESSABLES_ENTRY, "addressables", "find_entries", "2", of_whole=True),
    Rule(ASMDEF_REFERENCE, "csharp.assemblies", "find_references", "4", files=_ASSEMBLIES_AND_LIBRARIES),
    Rule(ASMDEF_CYCLE, "csharp.assembly_graph", "find_cycles", "2", files=_ASSEMBLIES),
    Rule(ASMDEF_DUPLICATE, "csharp.assembly_graph", "find_duplicates", "3", files=_ASSEMBLIES),
    Rule(ASMDEF_INVALID, "csharp.assembly_graph", "find_invalid", "3", files=_ASSEMBLIES),
    Rule(BROKEN_ASSET, "text_assets", "find_damage", "8", files=_EACH_SOURCE),
    Rule(BUILD_SCENE, "build_scenes", "find_scenes", "2"),
    Rule(NO_BUILD_SCENE, "build_scenes", "find_empty_list", "2"),
    Rule(DOUBTFUL_TEXT, "project_settings", "find_doubts", files=_EACH_SETTINGS_FILE),
    Rule(CONFLICT_MARKERS, "project_settings", "find_conflicts", files=_EACH_SETTINGS_FILE),
    Rule(CONFLICT_MARKERS, "csharp.code", "find_conflicts", "2", files=_EACH_CODE),
    Rule(CONFLICT_MARKERS, "content.conflicts", "find_conflicts", "2", files=_EACH_TEXT),
    Rule(UNCLEAR_SCRIPT, "csharp.code", "find_unclear", "2", of_whole=True),
    Rule(EDITOR_API, "csharp.code", "find_editor_uses", "3", of_whole=True),
    Rule(EDITOR_SCRIPT, "csharp.code", "find_editor_scripts", "3", of_whole=True),
    Rule(DUPLICATE_TYPE, "csharp.code", "find_twins", "3", of_whole=True),
    Rule(ASSEMBLY_NAMESPACE, "csharp.code", "find_namespaces", "3", of_whole=True),
    Rule(UNKNOWN_NAME, "csharp.literals", "find_names", "11", of_whole=True),
    Rule(MESSAGE_PARAMETER, "csharp.messages", "find_unfit", "3", of_whole=True),
    Rule(NEW_COMPONENT, "csharp.made", "find_made", "4", of_whole=True),
    Rule(ANIMATION_EVENT, "content.clips", "find_events", "6", of_whole=True),
    Rule(ANIMATION_PATH, "content.clip_paths", "find_paths", "4", of_whole=True),
    Rule(ANIMATOR_PARAMETER, "content.animators", "find_parameters", "2"),
    Rule(ANIMATOR_DEFAULT, "content.animators", "find_defaults", "3"),
    Rule(ANIMATOR_TRANSITION, "content.animators", "find_transitions"),
    Rule(EMPTY_STATE, "content.animators", "find_empty_states", "3"),
    Rule(MISSING_INCLUDE, "content.shaders", "find_includes", "6", of_whole=True),
    Rule(DUPLICATE_SHADER, "content.shaders", "find_duplicates", "4"),
    Rule(MISSING_SHADER, "content.shaders", "find_fallbacks", "4"),
    Rule(MISSING_SHADER, "content.rendering", "find_without_shader"),
    Rule(DUPLICATE_PLUGIN, "content.plugins", "find_duplicates"),
    Rule(UI_PATH, "content.interfaces", "find_paths", "2"),
    Rule(UI_TEMPLATE, "content.interfaces", "find_templates", "2"),
    Rule(MISSING_RENDERER, "content.rendering", "find_renderers", "2"),
    Rule(RECURSIVE_MATERIAL, "content.rendering", "find_recursive", "2"),
    Rule(MISSING_TYPE, "csharp.managed", "find_types", "4", of_whole=True),
    Rule(LINKER_FILE, "csharp.linker", "find_faults", "5", of_whole=True),
    Rule(ADDRESSABLES_DUPLICATE, "content.groups", "find_duplicates", "2"),
    Rule(ADDRESSABLES_LABEL, "content.groups", "find_labels", "2", of_whole=True),
    Rule(ADDRESSABLES_GROUP, "content.groups", "find_groups", of_whole=True),
    Rule(INPUT_BINDING, "content.inputs", "find_bindings", "4"),
    Rule(UNKNOWN_NAME, "content.inputs", "find_axes", "2", of_whole=True),
    Rule(DUPLICATE_SPRITE, "graphics.atlases", "find_twice", "2"),
    Rule(DUPLICATE_SCENE, "build_scenes", "find_twice", "2"),
    Rule(DUPLICATE_COMPONENT, "content.scenes", "find_singletons", "2"),
    Rule(TEAM_RULE, "team", "find_breaches", "2"),
    Rule(INVALID_GUID, "text_assets", "find_invalid_guids", "2", files=_EACH_SOURCE),
    Rule(LFS_POINTER, "project_settings", "find_pointers", files=_EACH_SETTINGS_FILE),
    Rule(MISSING_ASSET, "project_settings", "find_lost_references", "2"),
    Rule(MISSING_ASSET, "importers", "find_lost_references", "2"),
    Rule(PACKAGE_MANIFEST, "packages.manifests", "find_problems", "4"),
    Rule(PACKAGE_MANIFEST, "packages.manifests", "find_invalid_packages"),
    Rule(PACKAGE_MANIFEST, "packages.locks", "find_invalid_needs", "2"),
    Rule(PACKAGE_MISMATCH, "packages.locks", "find_contradictions", "2"),
    Rule(FORMER_NAME, "csharp.former_names", "find_unneeded", "2", of_whole=True),
    Rule(HIDDEN_METAS, "settings", "find_hidden_metas"),
    Rule(HIDDEN_METAS, "settings", "find_ignored_metas", "2"),
    Rule(LEFT_BEHIND, "journals", "find_journal"),
    Rule(MISSING_METHOD, "csharp.scripts", "find_methods", "4", of_whole=True),
    Rule(LARGE_FILE, "repository.git_storage", "find_large"),
    Rule(LFS_MISMATCH, "repository.git_storage", "find_mismatches"),
    Rule(NOT_COMMITTED, "repository.uncommitted", "find_uncommitted"),
    Rule(PLACEHOLDER_GUID, "guids", "find_placeholders", files=_EACH_META),
    Rule(RECURSIVE_PREFAB, "prefabs", "find_recursive", "2", files=_PREFABS),
    Rule(RESOURCES_DUPLICATE, "resources", "find_duplicates", files=_EACH_LOADED_NAME),
    Rule(SCRIPT_CLASS, "csharp.scripts", "find_classes", "3", of_whole=True),
    Rule(SERIALIZATION_MODE, "settings", "find_serialization_mode"),
    Rule(STALE_FIELD, "csharp.scripts", "find_fields", "3", of_whole=True),
    Rule(UNICODE_MISMATCH, "spelling", "find_spellings"),
    Rule(UNPORTABLE_NAME, "repository.portability", "find_names", files=_METAS),
)
