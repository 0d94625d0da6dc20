"""Explanations of diagnostic codes, from which ``scripts/pages.py`` makes ``docs/diagnostics.md``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.diagnostics.page import Page
from assetdb.diagnostics.rule_pages import RULE_PAGES

if TYPE_CHECKING:
    from assetdb.diagnostics.codes import Code


PAGES: Final = {
    "binary-asset": Page(
        "Unity writes this kind of file as YAML if the project is set to Force Text, and otherwise in its own binary"
        " format, which is read too. This file is another binary file, has no type trees (as in a player), is of a"
        " newer version, or has more than 32 MiB: the type is taken from its header, if it has one, and the GUIDs that"
        " it refers to from its table; its objects are not known.",
        "Assets/Scenes/Main/LightingData.asset: binary-asset: the file is binary",
        "For kinds that are always binary, there is nothing to do. Otherwise set Edit > Project Settings > Editor >"
        " Asset Serialization to Force Text, and save the project.",
    ),
    "byte-order-mark": Page(
        "The `.meta` begins with the three bytes of a byte-order mark. Rider and other editors write them, and Unity"
        " usually reads the file anyway (of 414 such scripts of unitystation 178 are used by GUID). There are also"
        " reports that Unity gave such assets new GUIDs, which broke every reference to them.",
        "Assets/AI/AiController.cs.meta: byte-order-mark: begins with a byte-order mark",
        "If references to the asset are missing, save its `.meta` as UTF-8 without a byte-order mark.",
    ),
    "cache-not-written": Page(
        "Database and index are written and correct; the cache that speeds up the next bake is not, usually because"
        " the disk is full. An incomplete one is removed, and so is one of an earlier database, which only took space.",
        "/home/ann/Game/Library/assetdb/asset-db.cache: cache-not-written: cannot be written (No space left on device):"
        " the next bake may read everything again",
        "Free some space (the cache takes about twice as much as the database), or put the output elsewhere"
        " (`--out-dir`, `ASSETDB_OUT_DIR`). The next bake writes it.",
    ),
    "facts-not-shared": Page(
        "A file in the folder of shared facts (`facts-cache`, `ASSETDB_FACTS`) does not match its digest, or none"
        " could be written there: the disk is full, another user made the project's folder, or the folder holds files"
        " of other programs, among which nothing is written or removed. The answers are correct: the facts were read"
        " from the project instead.",
        "/mnt/ci/facts/5f1e0c33a9d2b4c77a90b1c2d3e4f506/0d1c6e7f8a9b0c1d2e3f405162738495.asset-db.cache:"
        " facts-not-shared: is damaged: it was ignored and removed",
        "A damaged file has been removed, and a later bake writes another. Otherwise free space on that disk, name a"
        " folder that holds nothing else, or unset `ASSETDB_FACTS`. So that several users share facts, make the folder"
        " writable for their group (`chmod g+ws FOLDER`): what is made in it gets its permissions. A read-only folder"
        " is used without a message.",
    ),
    "broken-asset": Page(
        "The file is damaged: it is truncated, contains other data, has lost its beginning, or has a line that Unity"
        " refuses to read: a quote or brace that is not closed, an unknown escape, a line without a key, a dash without"
        " its space, a second `%YAML`; up to Unity 2019.2 also a control character, text behind a closing quote, and"
        " `: ` in a text without quotes. An object is damaged whose header has another class than its first line, or"
        " that is a component without its `m_GameObject` line. So is JSON, XML or a style sheet that is cut or not"
        " closed: graphs, input actions, `.uxml`, `.uss`, `link.xml`, the `package.json` of an embedded package. A meta"
        " is damaged that ends in `key:` without a line end, has its GUID in quotes, or has two `guid:` lines. Unity"
        " shows the asset as broken, ignores it, or loads a part of it, and references to it are lost; for settings it"
        " uses the defaults, and writes them over the file.",
        "ProjectSettings/TagManager.asset: broken-asset: the file is neither YAML nor Unity's binary form",
        "Restore the file from git.",
    ),
    "broken-hierarchy": Page(
        "Two objects of one file contradict each other: a child names a parent that does not list it, an object"
        " lists a component that belongs to another, or one child, component or scene root twice, or has two"
        " Transforms or none, a root has a parent, parents form a loop, or an instance names no prefab. A merge"
        " that took half of a change, or both halves, causes this. Unity drops the inconsistent objects when it"
        " loads the file, and the next save loses them for good.",
        "Assets/Prefabs/Door.prefab:42: broken-hierarchy: Door / Handle (Transform): m_Father: its parent 4001 does not"
        " list it as a child",
        "Merge the file again, or restore it from version control.",
    ),
    "build-scene": Page(
        "The build settings list a scene that the project does not have, or name one scene by its path and another by"
        " its GUID. Unity shows it as Deleted; a scripted build fails, or leaves the scene out, and the index of every"
        " later scene changes.",
        "ProjectSettings/EditorBuildSettings.asset:9: build-scene: m_Scenes[0].path: the scene Assets/Menu.unity is not"
        " there: a build fails or leaves it out",
        "Open Build Settings, and remove the scene or add the intended one.",
    ),
    "case-mismatch": Page(
        "A file and its `.meta` differ in the case of their names. On Windows and macOS they belong together, on Linux"
        " and in git they do not: there the asset has no meta, gets another GUID, and every reference to it breaks.",
        "Assets/AI/AiController.cs: case-mismatch: its meta is called AIcontroller.cs.meta",
        "Rename one of the two with `git mv` (in two steps on a file system that ignores case), and commit both.",
    ),
    "conflict-markers": Page(
        "A merge was committed or left unresolved: the file contains lines of `<<<<<<<`. Unity cannot import such an"
        " asset, and for a meta it is unclear which GUID is meant. `check --merge` also names files that both sides"
        " changed and git cannot merge by lines: pointers of Git LFS, and binary files.",
        "Assets/UI/Menu.prefab.meta: conflict-markers: an unresolved merge: 2061cb42... and b313351c...",
        "Resolve the merge. In a meta, keep the GUID that other files refer to: `assetdb usages GUID` shows it.",
    ),
    "duplicate-guid": Page(
        "Two assets have the same GUID, usually because a file was copied together with its meta. A reference to that"
        " GUID may mean either; Unity keeps one and gives the other a new GUID, possibly a different one on each"
        " machine.",
        "Assets/Audio/Copy.wav: duplicate-guid: has the GUID 08917795f22f1424dd3fb36a6501136d of Assets/Click.wav",
        "Delete the meta of the copy and let Unity write another. The bake tells which of the two fewer references can"
        " mean, and which git knew first.",
    ),
    "duplicate-object": Page(
        "Two objects of a file have the same fileID: the classic result of a merge that kept both sides. Unity loads"
        " one of the two and drops the other; which one is undefined.",
        "Assets/Prefabs/Door.prefab:42: duplicate-object: Door (Transform): a second object has the fileID 4001: Unity"
        " loads one of the two",
        "Keep one of the two: merge the file again, or restore it from version control.",
    ),
    "doubtful-text": Page(
        "A line has something that Unity never writes, and of which it is not known whether Unity reads it: text behind"
        " a closing quote, a tab or another control character, bytes that are not UTF-8, a line that begins with `#`."
        " Up to Unity 2019.2 all but the last are `broken-asset`. A script, a merge or an editor has left it.",
        "Assets/Prefabs/Door.prefab:42: doubtful-text: Unity may not read the file: this line has a tab",
        "Open the asset in Unity and save it, or write the line as Unity does.",
    ),
    "duplicate-override": Page(
        "A prefab instance overrides one property of one object more than once: a merge has kept the rows of both"
        " sides. Only one of the values counts, and the next save keeps only that.",
        "Assets/Scenes/Main.unity:4211: duplicate-override: Door (PrefabInstance): m_Modification.m_Modifications[7]"
        ".propertyPath: overrides m_LocalPosition.x of object 400000 2 times",
        "Compare the file with both sides of the merge, and keep the row of the intended value.",
    ),
    "duplicate-sub-asset": Page(
        "A file has two objects with the same fileID, or its meta has two rows for one: a reference to it may mean"
        " either.",
        "Assets/Models/Hero.asset: duplicate-sub-asset: duplicate fileID 7400000 (Idle)",
        "Reimport the asset, or remove one of the two documents or rows.",
    ),
    "empty-asset": Page(
        "The file has no bytes: an interrupted copy, a full disk, or a git filter that failed.",
        "Assets/Data/Levels.asset: empty-asset: the file is empty",
        "Restore the file: `git checkout -- PATH`.",
    ),
    "guid-in-package": Page(
        "An asset of the project has the GUID of a file in one of its packages: somebody copied the file out of the"
        " package with its meta. Or two packages have GUIDs in common: one was renamed or split, and both are required."
        " Unity takes the one that it imported first and ignores the other. The message names the assets that refer to"
        " it. A copy of several files of one package, embedded ones included, and two packages are one finding each.",
        "Assets/Shaders/Lit.shader: guid-in-package: has the GUID 933532a4fcc9baf4fa0491de14d08ed7 of Packages/...",
        "Give the copy a new GUID (delete its meta), and assign it where it is intended; or remove the copy. Of two"
        " packages, or of a package and a copy of it in `Assets/`, remove one.",
    ),
    "invalid-file-name": Page(
        "The name of the file is not UTF-8; archives made on old systems contain such names. Unity, git and this"
        " database cannot agree on it.",
        "Assets/Fonts/Schr\\udcffift.ttf: invalid-file-name: is named b'Schr\\xffift.ttf'",
        "Rename the file and its meta.",
    ),
    "left-behind": Page(
        "A command that changes files was killed. Either a file that it was about to remove still has a hidden name,"
        " so that Unity does not see it and references to it are broken; or the journal of the change still exists"
        " (`.assetdb-mending`), and some files are changed and others are not.",
        "Assets/Art/.Red.mat.5e1f0c7b.assetdb-removed: left-behind: Red.mat was set aside for removal",
        "If `.assetdb-mending` is in the project's folder, the next `assetdb register`, `mv`, `rm` or `check --fix`"
        " undoes the whole change, or says why it does not believe the journal, which came with a commit or a copy."
        " Otherwise rename the file back if it is still wanted, and its meta too, or delete it.",
    ),
    "lfs-pointer": Page(
        "The file is a Git LFS pointer, a text of three lines, instead of its content. The objects and references of"
        " the asset are not known until the content is fetched.",
        "Assets/Models/Tree.fbx: lfs-pointer: the asset is a Git LFS pointer",
        "Run `git lfs pull`; in CI, check out with LFS enabled.",
    ),
    "linked-directory": Page(
        "A folder is a symbolic link or junction. Links to a folder that the project has under another path are not"
        " followed, because each asset would exist twice; links out of the project are followed only if the user"
        " allows it, because a cloned repository could lead anywhere.",
        "Assets/Shared: linked-directory: leads to Packages/shared, which the project has under that path",
        "Nothing, if the project has the folder under the other path. Otherwise allow it (`--follow-links`, or"
        " `follow-links` in the user's own `config.toml`), or use a `file:` package.",
    ),
    "missing-object": Page(
        "A property refers to an object of its own file by fileID alone, and the file has no such object: it was"
        " deleted by hand or by a merge. The Inspector shows Missing; a missing component or child is dropped. Objects"
        " that the main object of a prefab or asset does not reach are left out, as Unity shows them nowhere.",
        "Assets/Prefabs/Door.prefab:42: missing-object: Door (GameObject): m_Component[1].component: refers to object"
        " 6500, which the file does not have",
        "Assign the reference again, or restore the object from version control.",
    ),
    "main-object": Page(
        "The `.meta` names a main object (`mainObjectFileID`) that the file does not have: asset and meta are from"
        " different states of the project. Unity uses another object, and references to the asset as a whole lead"
        " there.",
        "Assets/Data/Table.asset: main-object: its meta names 7711 as the main object, which the file lacks",
        "Restore the file together with its `.meta`, or open the asset in the editor and save it.",
    ),
    "meta-kind": Page(
        "A file has the `.meta` of a folder, a folder the `.meta` of a file, or a file the `.meta` of an importer that"
        " never imports such files: one was replaced by the other under the same name, or a script was made of a text"
        " by its extension alone. Unity writes another meta; import settings are lost. Files that Unity leaves as they"
        " are (StreamingAssets, folders of plug-ins) may have any.",
        "Assets/Textures: meta-kind: its meta is for a file",
        "Restore the `.meta` from git, or delete it and let Unity write one if nothing refers to its GUID.",
    ),
    "missing-asset": Page(
        "A reference has a GUID that no file of the project and no package that it requires has: Unity shows"
        " *Missing*, and a missing script does not run. It is a warning in the meta of a model, which Unity imports"
        " with materials of its own or without its avatar, and for a config object in the build settings. If the"
        " file is of a public package that the project does not require (any more), or of another version of it,"
        " the message says so.",
        "Assets/Scenes/Main.unity:812: m_Script refers to 6cd72f0bd4fbe4c0896d2dbe45bf0b3f",
        "Restore the asset together with its meta. `assetdb name GUID` prints its former name if git still knows it:"
        " `was Assets/Old/Health.cs until 3f2c1ab`.",
    ),
    "missing-directory": Page(
        "There is the meta of a folder, but no folder: git keeps no empty folders. Recent versions of Unity create the"
        " empty folder again; older ones delete the meta, and generate another GUID when the folder comes back.",
        "Assets/Resources.meta: missing-directory: its folder is not there",
        "Delete the meta and commit that; or put a file into the folder.",
    ),
    "missing-meta": Page(
        "A file or folder has no meta. Each machine that opens the project then writes one with a new GUID, so"
        " references made on one are broken on all others. For a folder, and for a file that Unity has no importer"
        " for, it is a warning: hardly anything refers to those. Files in a native plug-in (`.bundle`, `.framework`)"
        " need no meta.",
        "Assets/Scripts/Health.cs: missing-meta: has no .meta",
        "Run `assetdb register PATH`, and commit the meta: it is the one that git has for the file, or for the path"
        " from which the file was moved; a file that never had one gets a new one. Unity would give each a new GUID.",
    ),
    "invalid-guid": Page(
        "The GUID of a reference is not 32 hexadecimal digits: it was cut off, has digits too many, dashes or quotes,"
        " or is no GUID at all. Unity logs `Could not extract GUID`, and the reference is lost with the next save. An"
        " empty GUID and one of zeros are no fault: they are None.",
        "Assets/Data/Sword.asset:14: invalid-guid: Sword (Item): icon: Unity cannot read the GUID 0123456789abcdef: it"
        " is not 32 hexadecimal digits",
        "Assign the reference again, or restore the file from version control.",
    ),
    "no-build-scene": Page(
        "The build settings list scenes, but none of them is enabled: a build uses whichever scene is open.",
        "ProjectSettings/EditorBuildSettings.asset:9: no-build-scene: m_Scenes: none of its 3 scenes is enabled: a"
        " build takes the scene that is open",
        "Enable the scenes to build in Build Settings.",
    ),
    "no-file-locks": Page(
        "The file system of the output folder cannot lock files (some network shares). A file beside the database"
        " keeps bakes apart instead; an older version of assetdb would not see it.",
        "/mnt/share/Game/Library/assetdb: no-file-locks: the system cannot lock it: a file beside it keeps bakes apart",
        "Put the output on a local disk (`--out-dir`, `ASSETDB_OUT_DIR`), or do nothing if only one version bakes.",
    ),
    "encoded-guid": Page(
        "The GUID of the meta is written encoded, as Tuanjie and the Chinese editions of Unity do. These editors read"
        " it, and all references to the asset are intact; of its 32 digits only the first 8 are known here. So the"
        " asset has no row in the database; it is found by its path, and a reference whose first 8 digits fit it alone"
        " is named, `by prefix`. A reference whose digits fit several such assets has this code, too.",
        "Assets/Clip.asset.meta: encoded-guid: its GUID is encoded: it begins with 8f8ebe94, and the rest is not known",
        "Do nothing. Never delete the meta: its GUID would be lost, and with it every reference to the asset. To work"
        " with the project in other tools, save it once with an edition of Unity that writes plain GUIDs.",
    ),
    "no-guid": Page(
        "The meta has no `guid:` line, or one that is not a GUID: it was truncated, or written by hand.",
        "Assets/Textures/Sky.png.meta: no-guid: has no GUID",
        "Restore the meta from git; if nothing refers to the asset, delete it and let Unity write another.",
    ),
    "not-a-file": Page(
        "In place of an asset there is a device, a pipe or a socket, or a link into `/proc`, `/sys` or `/dev`. It is"
        " not opened.",
        "Assets/zero.asset: not-a-file: is a character device",
        "Remove it.",
    ),
    "not-yaml": Page(
        "A file with an extension of Unity's YAML contains other text, for example a tool's JSON. Its type is taken"
        " from its importer, its objects are not known.",
        "Assets/Data/Table.asset: not-yaml: the file is text, but not Unity's YAML",
        "Nothing, if this is intended; otherwise restore the file.",
    ),
    "orphan-meta": Page(
        "A meta has no asset beside it: the asset was deleted or moved without it. Unity deletes such a meta; if the"
        " asset comes back, it has another GUID. The meta of a name that Unity ignores (`Samples~`) is one, too.",
        "Assets/Scripts/Old.cs.meta: orphan-meta: its asset is not there",
        "Delete the meta, or restore the asset.",
    ),
    "package-manifest": Page(
        "`Packages/manifest.json` or `packages-lock.json` is not JSON, an entry has no version that Unity takes, or the"
        " manifest names a local package (`file:`) that is not there or has no `package.json`, or a registry without"
        " scopes; or the `package.json` of a folder of `Packages` has no name, no version of three numbers (`1.2.3`,"
        " `1.2.3-pre.1`), or a `unity` that is not like `2021.3`. Unity then resolves no package, and opens the project"
        " in safe mode or not at all.",
        "Packages/manifest.json:12: package-manifest: com.acme.tools is requested as file:../../tools, which does not"
        " exist",
        "Restore the file from git, or correct the entry. A local package outside the repository exists only on its"
        " author's machine.",
    ),
    "package-too-large": Page(
        "A `file:` package of the manifest is far too large, or a folder that contains the project and is no package;"
        " it was only partly read. A package around the project is read without it: without folders that have `Assets`"
        " and `ProjectSettings`, and no meta beside them.",
        "Packages/com.company.shared: package-too-large: is /home/ann, which contains the project: not read",
        "Point the dependency at the folder of the package, or move the package into the project.",
    ),
    "sanitized-name": Page(
        "A name contains characters that the project wants replaced (`scrub-characters`).",
        "Assets/UI/A|B.png: sanitized-name: 'A|B' becomes 'A_B'",
        "Rename the asset if the new name is not wanted.",
    ),
    "shared-name": Page(
        "With strict names: two assets of one type have names that even their folders do not distinguish.",
        "Assets/a/b/Tree.png: shared-name: shares the name 'Tree' with Assets/a.b/Tree.png",
        "Rename one of them.",
    ),
    "too-large": Page(
        "A meta is larger than 32 MiB, or an asset's text larger than 512 MiB, and is not read.",
        "Assets/Terrain/Baked.asset: too-large: has 734,003,200 bytes",
        "Restore it if it is damaged; if it is meant to be that large, its objects have no names.",
    ),
    "unportable-name": Page(
        'Another system cannot have a file of this name. On Windows: a character of `:?*<>|"\\`, a dot or a space at'
        " the end, the name of a device (`aux.png`); git stops the checkout there. On Windows and macOS: two names in"
        " one folder that differ in case or Unicode form alone are one file. On Linux: a name, with or"
        " without `.meta`, of over 255 bytes. A path that is too long for Windows in a usual folder is a warning, since"
        " long paths can be switched on.",
        "Assets/Sounds/aux.wav: unportable-name: aux is the name of a device on Windows: git cannot check it out there",
        "Rename the asset together with its meta (`assetdb mv`), and commit.",
    ),
    "unreadable": Page(
        "The system refuses to list a folder or read a file, or the content of a file has been unreadable for 2"
        " seconds: a bad sector, a checksum of the file system that does not match. An asset with such content keeps"
        " the entry from when it was last read, and one that may not be read has the entry that its meta alone gives;"
        " its current references are not known. A reference to an object in it has this code, too: the asset was not"
        " deleted. So has a reference to a GUID that nothing else has, while a .meta or a folder cannot be read, which"
        " may have it.",
        "Assets/Private: unreadable: cannot be listed: Permission denied",
        "Give the user that bakes permission to read it; restore a file whose content is lost from git.",
    ),
    "addressables-entry": Page(
        "A group of Addressables has an entry without an asset: nothing has its GUID, or only the meta exists. The"
        " build silently leaves the entry out, and loading its address fails in the player.",
        "Assets/AddressableAssetsData/AssetGroups/Props.asset:18: addressables-entry: the entry 'Props/Crate' has no"
        " asset: nothing has the GUID 5c8e...",
        "Remove the entry (*Addressables Groups > Remove Missing References*), or restore the asset together with its"
        " meta.",
    ),
    "asmdef-cycle": Page(
        "Assembly definitions refer to each other in a circle. Unity reports it in the console and compiles none of"
        " them, so no script of the project runs.",
        "Assets/Game/Game.asmdef: asmdef-cycle: assemblies refer to each other in a circle: Game, Game.UI",
        "Remove one of the references, or move the shared code to a third assembly.",
    ),
    "asmdef-reference": Page(
        "An assembly definition, or a reference to one, names an assembly, a GUID or a DLL that neither the project"
        " nor its packages have. Scripts that use it do not compile; the scripts of an `.asmref` end up in another"
        " assembly. Assemblies that may be absent are not reported: those whose `versionDefines` ask for a missing"
        " package, or whose `defineConstraints` may keep them from being compiled.",
        "Assets/Game/Game.asmdef:6: asmdef-reference: names the assembly 'Game.Netwrok': nothing has that name",
        "Correct the name, remove it from the list, or add the package that brings the assembly.",
    ),
    "hidden-metas": Page(
        "The project is set to hidden metas, or a `.gitignore` has a rule (`*.meta`) that hides the metas of all new"
        " assets. They are then easily left out of a commit, and every asset gets a different GUID on every machine.",
        "ProjectSettings/VersionControlSettings.asset:7: hidden-metas: m_Mode: the mode is Hidden Meta Files",
        "Choose *Visible Meta Files* in *Project Settings > Version Control* (*Editor* before Unity 2020), remove the"
        " rule of git, and commit the metas.",
    ),
    "missing-method": Page(
        "A UnityEvent (the *On Click* of a button) calls a method that neither the class of its target nor its base"
        " classes have: it was renamed or removed. Unity shows *Missing* in the event's list, and at run time nothing"
        " is called. Only what the C# of the project proves is reported: nothing where a base class is in a package or"
        " a DLL, where two types have the same name, or for partial classes since Unity 2021.2, which source"
        " generators may extend.",
        "Assets/UI/Menu.prefab:94: missing-method: an event calls Menu.Open, which neither Assets/UI/Menu.cs nor a"
        " base class declares",
        "Choose the method again in the event's list, or give the class a method of that name.",
    ),
    "large-file": Page(
        "The file has over 100 MB and is not in Git LFS. GitHub refuses every push with it, and once it is in a commit,"
        " it must be taken out of the history. A plain check warns; in `--staged`, `--since` and the hook, where it is"
        " new, it is an error.",
        "Assets/Video/Intro.mp4: large-file: has 148 MB, and .gitattributes does not give it to Git LFS: GitHub refuses"
        " the push",
        "Run `git lfs track` for its extension, then `git add` it again; or leave it out of git.",
    ),
    "lfs-mismatch": Page(
        "Git stores the file in another way than `.gitattributes` says. Either git has the content of a file that"
        " belongs into Git LFS (added on a machine without LFS; every clone then shows the file as changed: a warning),"
        " or a pointer that no rule covers, so that `git lfs pull` brings nobody its content (an error).",
        "Assets/Art/Rock.psd: lfs-mismatch: is a Git LFS pointer that no rule of .gitattributes covers: no clone gets"
        " its content",
        "Install Git LFS (`git lfs install`) and add the file again: `git add --renormalize Assets/Art/Rock.psd`. Where"
        " the rule is missing, add it to `.gitattributes` (`git lfs track`).",
    ),
    "lost-material": Page(
        "For changes only (`--staged`, `--since`): the change renames, moves or removes a material that a model or a"
        " SpeedTree finds by name. No GUID says so: Unity looks for the name in the folders of the model's import"
        " settings at its next import, finds nothing, and shows the model without that material. Models that the change"
        " touches, too, and names that lead to another material since, are not reported.",
        "Assets/Cars/car.fbx: lost-material: found Assets/Materials/Red.mat by name, and it is"
        " Assets/Materials/Blue.mat now",
        "Give the material its former name and folder, or assign it in the Materials tab of the model's import"
        " settings: then its GUID is what counts.",
    ),
    "lost-value": Page(
        "For changes only (`--staged`, `--since`, `--merge`): the change renames, retypes or removes a field of a"
        " script, or makes it one that Unity does not serialize (`static`, `const`, `readonly`, `[NonSerialized]`,"
        " private without `[SerializeField]`, a Dictionary, a class without `[Serializable]`), while assets, overrides"
        " or nested `[Serializable]` values still store it. Unity reads a value by the name of its"
        " field, and drops it without a word. The finding says which assets have how many values, and, where one field"
        " went and a fitting one came, the attribute that keeps them. Fields that plainly go, which is mostly meant,"
        " are one note for each type, which fails no check. `--merge` reports values that one side adds to a field that"
        " the other side takes. Only what the C# proves is reported.",
        "Assets/Scripts/Player.cs:7: lost-value: Player.jumpForce went and jumpPower came: 3 values (3 not zero or"
        " empty)"
        ' in Assets/Player.prefab would be lost; add [FormerlySerializedAs("jumpForce")] to jumpPower',
        'Add `[FormerlySerializedAs("oldName")]` (`using UnityEngine.Serialization;`) to the renamed field. It can go'
        " once every asset was saved. For a field that is meant to go, nothing has to be done.",
    ),
    "not-committed": Page(
        "A file in git uses an asset that git does not have: it was never added, or a `.gitignore` leaves it out. On"
        " this disk all is well, and in every other clone the reference is missing. The same holds for an asset whose"
        " `.meta` is not in git: every clone gives it another GUID. `check` warns of it, since you may add the file"
        " later; in `--staged`, `--since` and the hook it is an error.",
        "Assets/Prefabs/Door.prefab:41: not-committed: Door (MonoBehaviour): m_Script: Assets/Scripts/NewOne.cs is not"
        " in git: add it and its .meta",
        "Add the file and its meta (`git add`), with `--force` or a better rule if git ignores them. For a folder that"
        " a step of the team restores (NuGet, downloads), add a pattern to `check.restored` in `assetdb.toml`.",
    ),
    "placeholder-guid": Page(
        "A person or an assistant typed this GUID: it counts up (`a1b2c3d4e5f6...`) or repeats itself. Somebody else"
        " will type it too, and then two assets share it. None of a million random GUIDs looks like this.",
        "Assets/UI/Panel.prefab.meta:2: placeholder-guid: the GUID a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6 was typed",
        "Replace it by a new one in the meta and in every file that refers to it, all at once. Deleting the meta also"
        " gives a new GUID, but breaks the references.",
    ),
    "recursive-prefab": Page(
        "A prefab contains an instance of itself, or is a variant of itself, directly or through others. Unity refuses"
        " to load it, and everything that uses it shows it as missing.",
        "Assets/Prefabs/Door.prefab:42: recursive-prefab: m_SourcePrefab: contains itself through"
        " Assets/Prefabs/Wall.prefab",
        "Remove the instance that leads back to the prefab, or restore the file from git.",
    ),
    "resources-duplicate": Page(
        "Two assets of one type have the same path below a folder called `Resources`, ignoring case and extension."
        " `Resources.Load` returns one of them; which one is undefined.",
        "Assets/A/Resources/Icons/Coin.png: resources-duplicate: Resources.Load('icons/coin') may mean this or"
        " Assets/B/Resources/Icons/Coin.png",
        "Rename or move one of them; if they are copies, delete one.",
    ),
    "script-class": Page(
        "Components or assets have a script in whose file Unity finds no class for them: the class derives from"
        " neither `MonoBehaviour` nor `ScriptableObject`, or none has the name of the file. Unity shows the script as"
        " missing; so it does if the class is abstract, static or generic, or inside another class. Until Unity 2021"
        " the class must have the name of the file. From 2022.1 on a file with one such class may have any name, and"
        " from Unity 6 on a file with several, of which the one with the name of the file is used; such a file is"
        " reported only if no class in it fits. Only what the C# of the project proves is reported: nothing where a"
        " base class is in a package or a DLL.",
        "Assets/Scripts/Enemy.cs:5: script-class: Enemy derives from neither MonoBehaviour nor ScriptableObject, but it"
        " is the script of a component or asset in Assets/Scenes/Main.unity and 3 more",
        "Restore the base class, or give the file the name of the class (and rename its meta).",
    ),
    "serialization-mode": Page(
        "The project is not set to *Force Text*: some or all assets are written in Unity's binary format. They cannot"
        " be merged or reviewed.",
        "ProjectSettings/EditorSettings.asset:9: serialization-mode: m_SerializationMode: the mode is Mixed",
        "Choose *Force Text* in *Project Settings > Editor > Asset Serialization*, save the project, and commit the"
        " changes.",
    ),
    "former-name": Page(
        "A field has a `FormerlySerializedAs`, and no asset of the project stores the former name any more: all were"
        " saved since. Any value or override of that name counts as a need: of components and ScriptableObjects in the"
        " assets that use the script and in the users of such prefabs, of other types in any asset. Packages are left"
        " out, since others use them. Files that cannot be read are told.",
        "Assets/Scripts/Player.cs:12: former-name: Player.jump was jumpForce, which no asset stores any more",
        "Remove the attribute. Assets of other branches, of bundles and of who updates late may still need it.",
    ),
    "stale-field": Page(
        "A component or ScriptableObject has a value for a field that neither its class nor its base classes declare"
        " any more, and that no `FormerlySerializedAs` names. Unity does not read it, and drops it when the file is"
        " saved. Fields of nested values are not examined. Only what the C# of the project proves is reported.",
        "Assets/Data/Sword.asset:15: stale-field: damage: Assets/Scripts/Item.cs declares no field damage (any more)",
        'If the field was renamed, add `[FormerlySerializedAs("damage")]` to it before the file is saved; otherwise'
        " save the file in the editor.",
    ),
    "unicode-mismatch": Page(
        "Two names look the same but differ: one writes `é` as one character (NFC), the other as two (NFD), as old"
        " file systems of macOS and archives made there do. Linux, Windows and git treat them as different names, so"
        " the file has lost its meta, and the asset gets another GUID. The same applies to a path that a file gives"
        " beside a GUID.",
        "Assets/UI/Café.png: unicode-mismatch: its meta is called Café.png.meta, in different bytes",
        "Rename both to NFC (`git mv`; `convmv -f utf8 -t utf8 --nfc -r --notest Assets` for whole trees), and commit"
        " both. `git config core.precomposeunicode true` keeps macOS from reintroducing the other form.",
    ),
    "dangling": Page(
        "The GUID is right, but the object is gone: a component was removed from a prefab, a sprite from a sheet, an"
        " animation from a model. Unity shows *Missing* or uses nothing. Sprites of particles in a grid are left out."
        " Of a file in `Assets/StreamingAssets`, which Unity copies and does not import, no object is there.",
        "Assets/Scenes/Main.unity:240: m_Sprite refers to Icons.png:21300014",
        "Assign the reference again, or restore the object.",
    ),
    "stale-override": Page(
        "An instance of a prefab overrides a property of an object that the prefab does not have any more. Unity skips"
        " the override.",
        "Assets/Scenes/Main.unity:310: an override of Door.prefab / Hinge, which no longer exists",
        "Nothing breaks. Saving the scene in the editor (or *Unused Overrides > Remove*) removes it.",
    ),
    "target-absent": Page(
        "The target of the reference has a meta, but its file is absent or empty.",
        "Assets/Materials/Water.mat:31: m_Texture refers to Waves.png, whose file is empty",
        "Restore the file.",
    ),
    "missing-script": Page(
        "A component or a ScriptableObject has a script whose GUID no file of the project and no package that it"
        " requires has, or a component has none at all (`m_Script: {fileID: 0}`). Unity shows *Missing (Mono"
        " Script)*; the component does nothing, and strict builds fail. If the script is of a public package that"
        " the project does not require (any more), or of another version of it, the message says so.",
        "Assets/Scenes/Main.unity:812: missing-script: its script is gone: was Assets/Old/Health.cs until 3f2c1ab",
        "Restore the script together with its meta (`git checkout COMMIT~ -- PATH PATH.meta`), or remove the"
        " component. A script that was moved without its meta has a new GUID: put the old one into its meta.",
    ),
    "wrong-type": Page(
        "A property has an asset of a kind that it cannot hold: a material as the mesh of a MeshFilter, or a"
        " folder as a script (the fileID 11500000 means the script of a file, but the file is none). Unity shows"
        " *Type mismatch* or *Missing*, and loads nothing.",
        "Assets/Scenes/Main.unity:88: m_Script refers to object 11500000 of Assets/Materials/Water.mat: the target"
        " is of a kind that the property cannot hold",
        "Assign the reference again, or restore the line from an earlier commit.",
    ),
    "unknown-guid": Page(
        "A change adds a reference to a GUID that no asset, no package here, no public package and no commit of the"
        " project has or had: somebody mistyped or invented it. Only `check --staged` and `check --since` report it,"
        " because only they know what a change adds. It is a warning if a package is not on this machine or the clone"
        " is shallow, and the message says which: the GUID may be there.",
        "Assets/Door.prefab:14: unknown-guid: m_Script: no asset, package or commit here has the GUID"
        " 5f2c9a6e1b7d4830a4d1c7e29b60f381",
        "Assign the reference in the editor, or take the GUID from the .meta of the intended asset. If the same change"
        " adds the package that has it, open the project once in Unity, so that the package is fetched.",
    ),
    "absent-packages": Page(
        "References lead to GUIDs that nothing here has. They may be in packages of the project that are not on this"
        " machine. References that git's history or the referring files attribute to the project itself are reported"
        " as missing anyway. `check --packages` lists the packages with what requires each; `check --strict` exits"
        " with 1 if a reference cannot be judged.",
        "Packages/manifest.json: absent-packages: 987 references to 12 GUIDs cannot be judged: 2 packages are not on"
        " this machine (com.acme.tools, com.acme.water)",
        "Open the project once, or copy its `Library/PackageCache`. In a shallow clone fetch the history as well"
        " (`git fetch --unshallow`; `fetch-depth: 0` of actions/checkout).",
    ),
    "package-leftover": Page(
        "A reference leads to a file of a package that the project does not require (any more), and Unity says nothing"
        " of it: the version of a material, the light and camera data of a render pipeline, the settings of Visual"
        " Effect Graph and Entities. A reference to another file of such a package is `missing-script` or"
        " `missing-asset`.",
        "Assets/Lamp.prefab:61: package-leftover: no script has the GUID 7a68c43fe1f2a47cfa234b5eeaa98012:"
        " HDAdditionalLightData.cs of com.unity.render-pipelines.high-definition, which Packages/manifest.json does not"
        " require (any more)",
        "Nothing breaks. Remove the component or the settings, or require the package again.",
    ),
    "package-not-present": Page(
        "The GUID is, or may be, in a package that is not on this machine: the packages of a project are fetched when"
        " the editor opens it.",
        "Assets/Scenes/Main.unity:88: m_Script refers to com.unity.timeline",
        "Open the project once, or copy its `Library/PackageCache`.",
    ),
    "importer-unknown": Page(
        "Only the importer of this file can read its format, and nothing else names its objects: the meaning of the"
        " fileID is unknown, and so is whether it is valid.",
        "Assets/Scenes/Main.unity:512: m_Mesh refers to object 4300006 of House.blend",
        "Nothing.",
    ),
    "built-in-unnamed": Page(
        "The reference means an object of the engine whose name is not published.",
        "Assets/Materials/Old.mat:12: m_Shader refers to built-in object 10753",
        "Nothing.",
    ),
    **RULE_PAGES,
}
"""The text of each code, by its name."""


def markdown(code: Code) -> str:
    """Return the part of the page that is about one code."""
    page = PAGES[code.name]
    lines = [f"## {code.name}", "", f"*{code.severity}* · {code.advice}", "", page.why, ""]
    if code.meaning:
        lines += [f"For a reference, it means: {code.meaning}.", ""]
    lines += ["```text", page.example, "```", "", f"**How to fix it.** {page.mend}", ""]
    return "\n".join(lines)


def whole_page(codes: list[Code]) -> str:
    """Return the whole page, the codes in the order of their names."""
    codes = sorted(codes, key=lambda code: code.name)
    lines = [
        "# Diagnostics",
        "",
        "The problems that `bake`, `check`, `coverage`, `name` and the other commands report, by code. The name of a",
        "code never changes once released. Severities: an *error* breaks something for somebody, a *warning* may, and",
        "a code that is *off* is reported only on request.",
        "",
        "| code | severity | what to do |",
        "|---|---|---|",
        *(
            f"| [`{code.name}`](#{code.name}) | {code.severity} | {code.advice.replace('|', chr(92) + '|')} |"
            for code in codes
        ),
        "",
    ]
    return "\n".join(lines) + "\n" + "\n".join(markdown(code) for code in codes)
