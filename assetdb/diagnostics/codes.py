"""The table of diagnostic codes, with severity and advice.

Not an ``enum``, whose import takes as long as a small project's findings. The explanations are in
:mod:`assetdb.diagnostics.pages`, which only ``rule`` and the documentation load.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

ERROR: Final = "error"
WARNING: Final = "warning"
NOTE: Final = "note"
"""Of findings that are mostly meant, and never fail a check."""
OFF: Final = "off"
SEVERITIES: Final = (ERROR, WARNING, NOTE, OFF)
"""The worst first."""
ALL: Final = "all"
"""In place of a code: every code, including those that are off."""


class Code:
    """One code.

    Attributes:
        name: ``duplicate-guid``; never changed once released.
        severity: one of :data:`SEVERITIES`; a project may override it.
        advice: how to fix it, in half a line.
        ambiguous: whether the database would be ambiguous, so that a bake fails without ``--keep-going``.
        meaning: why a reference has no name; ``""`` for codes of files only.
    """

    __slots__ = ("advice", "ambiguous", "meaning", "name", "severity")

    def __init__(self, name: str, severity: str, advice: str, meaning: str = "", *, ambiguous: bool = False) -> None:
        self.name = name
        self.severity = severity
        self.advice = advice
        self.meaning = meaning
        self.ambiguous = ambiguous

    def __repr__(self) -> str:
        return f"Code({self.name!r})"


CODES: Final = {
    row.name: row
    for row in (
        # Of files
        Code(
            "binary-asset",
            OFF,
            "nothing to do: its type is taken from its header, if it is one of Unity's files",
        ),
        Code(
            "byte-order-mark",
            OFF,
            "nothing to do if references to the asset work; else save the .meta without the byte-order mark",
        ),
        Code("main-object", WARNING, "open the asset in the editor and save it, or restore the file with its .meta"),
        Code(
            "meta-kind",
            WARNING,
            "restore the .meta from git: Unity replaces it, and its import settings are lost",
        ),
        Code(
            "cache-not-written",
            WARNING,
            "free space on the disk of the output folder, or choose another folder with --out-dir",
        ),
        Code(
            "case-mismatch", ERROR, "rename one of the two: they are one file only where the file system ignores case"
        ),
        Code(
            "conflict-markers",
            ERROR,
            "resolve the merge; until then the first GUID of a meta is used, and both sides of an asset",
        ),
        Code(
            "duplicate-guid",
            ERROR,
            "give one of the two a new GUID: delete its .meta and let Unity write another",
            ambiguous=True,
        ),
        Code("duplicate-sub-asset", ERROR, "reimport the asset, or remove one of the two rows", ambiguous=True),
        Code(
            "facts-not-shared",
            WARNING,
            "nothing to do for a damaged file, which is removed; else make room in the folder of shared facts",
        ),
        Code("empty-asset", WARNING, "restore the file: it has no bytes"),
        Code("guid-in-package", ERROR, "give the asset a new GUID, or remove one copy: Unity takes one of the two"),
        Code("invalid-file-name", ERROR, "rename the file: its name is not UTF-8"),
        Code(
            "left-behind",
            ERROR,
            "run `assetdb check --fix`: it undoes the unfinished change, or says why it does not believe the journal of"
            " it; or rename the file back",
        ),
        Code(
            "lfs-pointer",
            WARNING,
            "run `git lfs pull`: the file's content is not here",
            "the file is a Git LFS pointer: run `git lfs pull`",
        ),
        Code(
            "linked-directory",
            WARNING,
            "nothing to do if the project has the folder under another path; else allow or replace the link",
        ),
        Code(
            "missing-directory",
            WARNING,
            "delete the .meta, or restore the empty folder that git did not keep",
        ),
        Code(
            "missing-meta",
            ERROR,
            "run `assetdb register`, which restores the .meta from git or writes a new one, and commit it",
        ),
        Code(
            "no-file-locks",
            WARNING,
            "nothing to do if no other version bakes here; else put the output on a local disk with --out-dir",
        ),
        Code(
            "encoded-guid",
            WARNING,
            "keep the .meta: Tuanjie and Unity China encode GUIDs, and read them; assetdb names these assets by path",
            "several assets with encoded GUIDs have its first digits",
        ),
        Code(
            "no-guid",
            ERROR,
            "restore the .meta from git: a new one has another GUID, and every reference to the asset is lost",
        ),
        Code("not-a-file", ERROR, "remove it: it is a folder, a device, a pipe or a socket, or a link to one"),
        Code("not-yaml", OFF, "nothing to do if intended: its type is taken from its importer"),
        Code("orphan-meta", WARNING, "delete the .meta, or restore the asset"),
        Code(
            "package-too-large",
            WARNING,
            "point the file: dependency at the folder of the package, or move it into the project",
        ),
        Code("sanitized-name", OFF, "rename the asset if the rewritten name is not wanted"),
        Code("shared-name", ERROR, "rename one of them: their folders do not distinguish them"),
        Code(
            "too-large",
            WARNING,
            "restore it if it is damaged: a .meta is read up to 32 MiB, an asset's text up to 512 MiB",
            "the file is larger than the 512 MiB that are read of an asset's text",
        ),
        Code(
            "unreadable",
            ERROR,
            "check the permissions, or the disk",
            "the file, or a .meta or folder that may have the GUID, cannot be read: check the permissions, or the disk",
        ),
        # Of the text of an asset
        Code("broken-asset", ERROR, "restore the file from git: Unity cannot read it, or not all of it"),
        Code("broken-hierarchy", ERROR, "merge the file again, or restore it from git"),
        Code(
            "duplicate-override",
            WARNING,
            "keep one of the rows: after a merge, compare the file with both sides",
        ),
        Code(
            "doubtful-text",
            WARNING,
            "write the line as Unity does: open the asset and save it, or restore the file from git",
        ),
        Code("duplicate-object", ERROR, "keep one of the two: merge the file again, or restore it from git"),
        Code(
            "invalid-guid",
            ERROR,
            "assign the reference again, or restore the file from git: Unity reads no other GUID than 32 digits",
            "its GUID is not 32 hexadecimal digits, so Unity cannot read it",
        ),
        Code(
            "invalid-transform",
            WARNING,
            "give position, rotation and scale numbers again, or restore the file from git",
        ),
        Code("missing-object", ERROR, "assign the reference again, or restore the object from git"),
        Code("recursive-prefab", ERROR, "remove the instance that leads back to the prefab: Unity refuses to load it"),
        # Of several files together, and of settings
        Code("asmdef-cycle", ERROR, "remove one of the references: Unity compiles no assembly of the cycle"),
        Code(
            "asmdef-duplicate",
            ERROR,
            "rename, move or remove one of them: Unity compiles no script until then",
        ),
        Code("asmdef-invalid", ERROR, "restore the file from git, or correct its JSON"),
        Code("build-scene", ERROR, "in Build Settings, remove the scene or add the intended one"),
        Code("no-build-scene", WARNING, "in Build Settings, enable the scenes to build"),
        Code("package-manifest", ERROR, "restore the file from git, or correct the entry: Unity resolves no package"),
        Code(
            "addressables-entry",
            WARNING,
            "remove the entry in the Addressables Groups window, or restore the asset with its .meta",
        ),
        Code("asmdef-reference", WARNING, "remove the name from the assembly definition, or add the missing assembly"),
        Code(
            "package-mismatch",
            WARNING,
            "let one editor resolve the packages, and commit manifest and lock file together",
        ),
        Code(
            "hidden-metas",
            WARNING,
            "choose Visible Meta Files in Project Settings > Version Control, or remove the rule from .gitignore",
        ),
        Code(
            "missing-method",
            ERROR,
            "choose the method again in the event's list, or give the class a method of that name",
        ),
        Code(
            "placeholder-guid",
            WARNING,
            "give the asset a random GUID, in its .meta and in all references to it",
        ),
        Code("large-file", ERROR, "give it to Git LFS before the commit (git lfs track), or keep it out of git"),
        Code(
            "lfs-mismatch",
            ERROR,
            "add the file again, so that git stores it by its rules: git add --renormalize, or correct .gitattributes",
        ),
        Code(
            "lost-material",
            WARNING,
            "give the material its former name and folder, or assign it in the model's import settings",
        ),
        Code(
            "lost-value",
            WARNING,
            "keep the values: add [FormerlySerializedAs] to the renamed field",
        ),
        Code(
            "not-committed",
            ERROR,
            "add the file and its .meta to git, or name what restores the file under check.restored in assetdb.toml",
        ),
        Code("resources-duplicate", WARNING, "rename one of them: it is undefined which one is loaded"),
        Code(
            "script-class",
            ERROR,
            "give file and class the same name, and derive the class from MonoBehaviour or ScriptableObject",
        ),
        Code(
            "unclear-script",
            NOTE,
            "close the bracket, text or branch of #if; if Unity compiles the file, nothing to do: no rule judges it",
        ),
        Code("serialization-mode", WARNING, "choose Force Text in Project Settings > Editor > Asset Serialization"),
        Code("former-name", OFF, "remove the attribute, once all branches and saved assets have the new name"),
        Code(
            "stale-field",
            OFF,
            "nothing breaks: the value is not read; add FormerlySerializedAs if the field was renamed",
        ),
        Code("unportable-name", ERROR, "rename it, in git too: other systems cannot have a file of this name"),
        Code("unicode-mismatch", ERROR, "rename both to one Unicode normal form, NFC"),
        Code("editor-api", ERROR, "put the lines into #if UNITY_EDITOR, or the script into an Editor folder"),
        Code("editor-script", ERROR, "move the script out of the Editor folder or assembly, or remove the component"),
        Code("message-parameter", ERROR, "give the parameter the type that Unity passes, or the method another name"),
        Code("new-component", WARNING, "make it with AddComponent, or an asset with ScriptableObject.CreateInstance"),
        Code("duplicate-type", ERROR, "remove one of the files, or rename one of the types"),
        Code("assembly-namespace", WARNING, "add the assembly to the references of the definition"),
        Code("unknown-name", WARNING, "correct the name in the script, or give the scene, tag, layer, ... that name"),
        Code("animator-parameter", WARNING, "choose the parameter of the condition again, or add it to the controller"),
        Code(
            "animation-event",
            WARNING,
            "choose the function of the event again, or give the script a method of that name",
        ),
        Code("animation-path", WARNING, "restore the name of the object, or choose the object of the curve again"),
        Code("animator-default", WARNING, "choose a default state in the Animator window"),
        Code(
            "animator-transition", WARNING, "choose the destination of the transition again, or remove the transition"
        ),
        Code("empty-state", OFF, "nothing to do if intended; else choose the motion of the state"),
        Code("missing-shader", WARNING, "correct the name, choose a shader, or restore the shader from git"),
        Code("duplicate-plugin", OFF, "remove one of the DLLs, or give each its own platforms"),
        Code("ui-path", WARNING, "correct the path, or restore the file from git"),
        Code("ui-template", ERROR, "declare the template in the document, or correct its name"),
        Code("missing-renderer", WARNING, "assign the renderer in the pipeline asset, or choose another one"),
        Code("recursive-material", ERROR, "choose another parent for the material, or restore the file from git"),
        Code("missing-include", WARNING, "correct the path, or restore the file from git"),
        Code("duplicate-shader", WARNING, "rename one of the shaders: it is undefined which one Shader.Find takes"),
        Code("unknown-layer", OFF, "nothing to do if only the number is meant; else name the layer in Tags and Layers"),
        Code("unknown-sorting-layer", WARNING, "choose a sorting layer again, or restore TagManager.asset from git"),
        Code("unknown-tag", WARNING, "choose a tag of the object, or add the tag in Tags and Layers"),
        Code("linker-file", WARNING, "correct the file: what it means to keep may be stripped from a build"),
        Code("missing-type", ERROR, "restore the type, or add [MovedFrom] to the type that it became"),
        Code("addressables-duplicate", WARNING, "remove one of the entries, or give one of the assets another address"),
        Code(
            "addressables-label",
            WARNING,
            "add the label to the settings, or remove it from the entry",
        ),
        Code("addressables-group", WARNING, "add the group to the settings, or delete it"),
        Code("input-binding", WARNING, "choose action and control schemes of the binding again, or remove the binding"),
        Code("duplicate-component", WARNING, "remove all but one of the components, or disable them in the scene"),
        Code("duplicate-sprite", WARNING, "remove it from one of the atlases, or leave one of them out of builds"),
        Code("duplicate-scene", WARNING, "remove one of the two from the build settings, or add the scene again"),
        Code("team-rule", WARNING, "change the asset as the rule in assetdb.toml demands, or change the rule"),
        # Of references that have no name
        Code(
            "dangling",
            ERROR,
            "assign the reference again, or restore the object",
            "the asset exists, the object does not (any more)",
        ),
        Code(
            "sprite-mode",
            ERROR,
            "set the texture's sprite mode to Multiple again, or assign its single sprite",
            "the texture has no sheet of sprites (any more): its sprite mode is Single",
        ),
        Code(
            "wrong-type",
            ERROR,
            "assign the reference again",
            "the target is of a kind that the property cannot hold",
        ),
        Code(
            "stale-override",
            WARNING,
            "nothing breaks: Unity skips it; saving the file in the editor removes it",
            "an instance overrides an object that its prefab does not have (any more)",
        ),
        Code("target-absent", ERROR, "restore the file", "the file, or a file that it nests, is absent or empty"),
        Code(
            "missing-asset",
            ERROR,
            "restore the asset with its .meta, or assign the reference again",
            "no asset or known package has this GUID: it was deleted, or never committed",
        ),
        Code(
            "missing-script",
            ERROR,
            "restore the script with its .meta, or remove the component",
        ),
        Code(
            "unknown-guid",
            ERROR,
            "assign the reference in the editor, or take the GUID from the .meta of the intended asset",
        ),
        Code(
            "absent-packages",
            WARNING,
            "open the project once in Unity, so that Library/PackageCache has them; `check --packages` lists them",
        ),
        Code(
            "package-not-present",
            OFF,
            "open the project once in Unity, which fetches its packages",
            "it is, or may be, in a package that is not on this machine",
        ),
        Code(
            "package-leftover",
            NOTE,
            "nothing breaks: remove the component or the object in the editor, or require the package again",
            "Unity left it behind when a package went that the project does not require (any more)",
        ),
        Code(
            "importer-unknown",
            OFF,
            "nothing to do: only the file's importer knows its objects",
            "assetdb cannot read the file, and nothing else names its objects",
        ),
        Code("built-in-unnamed", OFF, "nothing to do", "an object of the engine without a known name"),
    )
}
"""The codes by name, codes of files first."""

STRUCTURE_CODES: Final = (
    "broken-hierarchy",
    "broken-asset",
    "duplicate-object",
    "missing-object",
    "invalid-guid",
    "duplicate-override",
    "doubtful-text",
    "missing-script",
    "invalid-transform",
)
"""Faults in the structure of a text asset (:mod:`assetdb.unity.yaml.structure`)."""

DECLARED_CODES: Final = ("unknown-layer", "unknown-sorting-layer", "unknown-tag")
"""Values of objects that the settings of the project do not declare (:mod:`assetdb.unity.content.layers`)."""

REASONS: Final = {code.name: code.meaning for code in CODES.values() if code.meaning}
"""Every reason for which a reference has no name, and its meaning."""


def failing(fail_on: str) -> tuple[str, ...]:
    """Return the severities that fail a check: the given one and worse."""
    return SEVERITIES[: SEVERITIES.index(fail_on) + 1]
