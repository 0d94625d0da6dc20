"""Explanations of codes of rules about code, settings and content."""

from __future__ import annotations

from typing import Final

from assetdb.diagnostics.page import Page

RULE_PAGES: Final = {
    "editor-api": Page(
        "A script that every player has uses a class of the editor outside of `#if UNITY_EDITOR`. Players have no"
        " such classes: the editor compiles the script, and the build fails. An Editor folder below an assembly"
        " definition is a part of that assembly, and makes no difference. `using UnityEditor;` alone fails up to"
        " Unity 2018.1; since then players have some names of that namespace.",
        "Assets/Scripts/Spawner.cs:31: editor-api: EditorApplication outside of #if UNITY_EDITOR, in no Editor"
        " folder: no player has it, and the build fails",
        "Put the lines between `#if UNITY_EDITOR` and `#endif`, or move the script into an Editor folder or an"
        " assembly of the editor.",
    ),
    "editor-script": Page(
        "The script of a component is in an Editor folder, in an assembly that only the editor has, or inside of"
        " `#if UNITY_EDITOR`. It works in the editor's play mode; a player has no such component and warns that its"
        " script is missing. Scenes and prefabs in folders called Editor or Tests are left out.",
        "Assets/Scenes/Level.unity:118: editor-script: Spawner (SpawnHelper): m_Script: its script"
        " Assets/Editor/SpawnHelper.cs is in an Editor folder: a player has no such component",
        "Move the script out of the Editor folder or assembly, or remove the component.",
    ),
    "message-parameter": Page(
        "A component has a message of the physics, and its parameter is of another type than the one that Unity passes:"
        " `OnTriggerEnter2D(Collider other)` for `Collider2D`, `OnCollisionEnter(Collider other)` for `Collision`. It"
        " compiles. When it runs, Unity writes that the parameter has to be of that type, and never calls it. Judged"
        " are types of Unity in components with bases that the C# of the project proves, outside of `#if`, where the"
        " class has no other method of that name.",
        "Assets/Scripts/Coin.cs:14: message-parameter: OnTriggerEnter2D takes a Collider, and Unity passes a"
        " Collider2D: it is never called",
        "Give the parameter the type that Unity passes, or the method the name that fits: with `2D` for the physics of"
        " sprites.",
    ),
    "new-component": Page(
        "A script makes a component or a ScriptableObject with `new`. It compiles. When it runs, Unity warns that this"
        " is not allowed: the component is on no GameObject, its `Awake` and `Update` are never called, and it compares"
        " as `null`. Judged are classes with bases that the C# of the project proves, in scripts that players have,"
        " outside of `#if`.",
        "Assets/Scripts/Door.cs:21: new-component: Health is a component: it has no object and compares as null; only"
        " AddComponent makes one",
        "Make components with `AddComponent` or by `Instantiate` of a prefab, and assets with"
        " `ScriptableObject.CreateInstance`. A class that needs neither derives from nothing.",
    ),
    "duplicate-type": Page(
        "Two files of one assembly declare a type of one name and namespace, neither of them as a part (`partial`):"
        " a copied script, or a merge that kept a moved file in both places. The assembly does not compile. Types"
        " inside of `#if` are left out.",
        "Assets/Scripts/Old/Health.cs:3: duplicate-type: Assembly-CSharp has another type Health, in"
        " Assets/Scripts/Health.cs: it does not compile",
        "Remove one of the files with its `.meta`, or rename one of the types.",
    ),
    "assembly-namespace": Page(
        "A script imports a namespace that only one assembly of the project has, and the assembly definition of the"
        " script does not refer to that one: the script does not compile. A package or DLL may have the namespace,"
        " too, so that this is a warning.",
        "Assets/Game/Player.cs:2: assembly-namespace: imports Studio.Audio, which only Studio.Audio has; Game does"
        " not refer to that assembly",
        "Add the assembly to the references of the definition, or remove the import.",
    ),
    "unknown-name": Page(
        "A script asks for something by a name that nothing of the project has: a scene that is not in the build"
        " settings or disabled there (`SceneManager.LoadScene`, also of an index), an asset below Resources"
        " (`Resources.Load`), an address or label (`Addressables.LoadAssetAsync`), a shader (`Shader.Find`; also one"
        " that is there, but in no build, since nothing refers to it, neither a material nor the always included"
        " shaders), a tag (`CompareTag`, `FindWithTag`, `gameObject.tag ==`), a layer (`LayerMask`), an axis or button"
        " (`Input`), a parameter or state (`Animator.SetTrigger`, `Play`), a method of the component itself (`Invoke`,"
        " `InvokeRepeating`, `StartCoroutine`). The call finds nothing in the game, and Unity throws where such a tag"
        " is set. Judged are texts and constants of the same file, in scripts that players have; nothing is said of"
        " texts that are put together, and nothing where a package that is not on this machine may have the name. Tags"
        " are judged of `gameObject`, `transform`, `collider`, and of names that the file declares with one of Unity's"
        " classes, as `Collider other`, and with no other. Of files other than"
        " scripts, the axes and buttons of a Standalone Input Module are judged: Unity throws in each frame without.",
        "Assets/Scripts/Menu.cs:18: unknown-name: LoadScene('Levl2'): no scene is called so",
        "Correct the name, or give the scene, asset, tag or layer this name. For scripts that are meant to find"
        " nothing, name their paths under `check.per-path-ignores` in `assetdb.toml`.",
    ),
    "animator-parameter": Page(
        "A transition of an animator controller tests a parameter that the controller does not have (any more): it"
        " was renamed or removed. Unity warns when it loads the controller, and the transition is not taken for it."
        " States and transitions that the controller does not reach are left out.",
        "Assets/Animations/Player.controller:88: animator-parameter: (AnimatorStateTransition):"
        " m_Conditions[0].m_ConditionEvent: tests the parameter 'Jmp', which the controller lacks; it has Jump,"
        " Speed",
        "Choose the parameter of the condition again, or add it to the controller.",
    ),
    "animation-event": Page(
        "An event of an animation clip calls a function that no script of the project declares: it was renamed or"
        " removed. Unity writes *AnimationEvent has no receiver* each time the clip plays, and nothing is called."
        " Events without a function are reported, those that need no receiver are not. Nothing is said where the"
        " project requires packages of others, where a library of the project has the name, or where more than one C#"
        " file in ten is empty or a pointer of Git LFS. Where all Animators and"
        " Animations that play a clip are in prefabs and scenes of the project, one of their objects must have a script"
        " with the function: Unity does not ask children or parents.",
        "Assets/Animations/Walk.anim:96: animation-event: m_Events[0].functionName: calls Footstep, which no script"
        " declares",
        "Choose the function of the event again in the Animation window or in the import settings of the model, or give"
        " the script a method of that name.",
    ),
    "animation-path": Page(
        "An animation clip animates an object by its path below the object with the Animator, and no object that plays"
        " the clip has one there: it was renamed, moved or removed. The Animation window shows *Missing!*, and nothing"
        " is animated. Nothing is said unless all Animators and Animations that play the clip are in prefabs and scenes"
        " of the project: not where a script, a timeline, a folder called Resources, Addressables or an asset bundle"
        " may have the clip or its controller played elsewhere. Paths below the objects of models are not judged, and"
        " of a clip that was copied out of a model only one lost object with all below it, if most others are there.",
        "Assets/UI/Open.anim:64: animation-path: m_FloatCurves[1].path: animates 'Panel/Title', which Menu in"
        " Assets/UI/Menu.prefab does not have; there is 'Panel/Header/Title'",
        "Give the object its former name or place again, or choose the object of the curve again in the Animation"
        " window.",
    ),
    "animator-default": Page(
        "A state machine has states, and none of them is its default state: what it animates stays as it is until a"
        " transition from Any State is taken. A merge that took the removal of the default state causes this.",
        "Assets/Animations/Door.controller:120: animator-default: Base Layer (AnimatorStateMachine):"
        " m_DefaultState: has states and no default one: the animator stays in none",
        "Choose a default state: right click on a state, Set as Layer Default State.",
    ),
    "animator-transition": Page(
        "A transition of an animator controller leads to no state and no state machine, is no exit and is not muted:"
        " its destination was removed outside the editor, or by one side of a merge. The animator never takes it, and"
        " stays in the state before.",
        "Assets/Animations/Door.controller:88: animator-transition: 4 (AnimatorStateTransition): m_DstState: leads to"
        " no state and is no exit: the animator never takes the transition",
        "Make the transition again in the Animator window, or remove it.",
    ),
    "empty-state": Page(
        "A state of an animator controller has no motion. That is common for states that only wait, so that it is"
        " reported only on request; after the removal of a clip it may be what is left.",
        "Assets/Animations/Door.controller:60: empty-state: Open (AnimatorState): m_Motion: has no motion: objects"
        " keep their values while the animator is in this state",
        "Choose the motion of the state, or leave it as it is.",
    ),
    "sprite-mode": Page(
        "A reference names a sprite of a sheet, and the texture is no sheet any more: its sprite mode was changed from"
        " Multiple to Single. The sprites stay in the `.meta`, so that the change looks harmless, but"
        " Unity makes none of them: what used them shows *Missing (Sprite)* or nothing. Left out is the list of a"
        " particle system whose Texture Sheet Animation is off or in the mode Grid, where Unity does not use it.",
        "Assets/Prefabs/Chest.prefab:61: sprite-mode: Chest (SpriteRenderer): m_Sprite: refers to object 21300002 of"
        " Assets/Art/chests.png: the texture has no sheet of sprites (any more)",
        "Set the sprite mode of the texture to Multiple again, or assign its single sprite.",
    ),
    "missing-renderer": Page(
        "The list of renderers of a Universal Render Pipeline asset has a row that is None: its renderer was deleted."
        " Or a camera has the number of a renderer, and no pipeline asset of the project has that many: a row was"
        " removed. Unity warns and takes the default renderer, without which nothing is drawn.",
        "Assets/Settings/Mobile.asset:20: missing-renderer: Mobile (UniversalRenderPipelineAsset):"
        " m_RendererDataList[1]: the renderer 1 of the pipeline is None: no camera can use it",
        "Assign a renderer in the pipeline asset, or choose another one in the camera's settings.",
    ),
    "recursive-material": Page(
        "A material is a variant of itself, directly or through its parents: a merge or an edit of the text made the"
        " ring. Unity cuts it, and the properties that came from the parent get the shader's values.",
        "Assets/Art/Gold.mat:11: recursive-material: Gold (Material): m_Parent: is a variant of itself through"
        " Assets/Art/Metal.mat: Unity gives the material no parent",
        "Choose another parent for the material, or restore the file from git.",
    ),
    "package-mismatch": Page(
        "`Packages/manifest.json` and `packages-lock.json` contradict each other, after a merge or a commit of one of"
        " them alone: the lock lacks a package that the manifest requests, has an older or another version of it, or a"
        " package that nothing requests any more. Or the manifest has a package twice, of which the last counts; or a"
        " package in the project requires one that the lock does not have. Each editor then resolves the packages anew"
        " and writes another lock file, and machines may have different versions.",
        "Packages/manifest.json:4: package-mismatch: dependencies.com.unity.addressables: com.unity.addressables is"
        " requested as '1.19.19', and locked as '1.15.1': each editor writes the lock file anew",
        "Open the project in Unity, which writes the lock file, and commit both files together.",
    ),
    "missing-shader": Page(
        "`Fallback` or `UsePass` of a shader names another one that is not there: it was renamed or removed, or its"
        " name is mistyped. Without its fallback a shader is magenta where its own passes do not run; a pass that is"
        " not there is left out. Judged are names that begin as names of the project's shaders do, or with `Mobile/`:"
        " others may be of a package. A material whose shader is None (`m_Shader: {fileID: 0}`), and which has no"
        " parent to have one, is told by this code, too.",
        "Assets/Shaders/Water.shader:80: missing-shader: names the shader 'Studio/WaterLow' (fallback), which is not"
        " there",
        "Correct the name, choose a shader for the material, or restore the shader from git.",
    ),
    "duplicate-plugin": Page(
        "Two DLLs of one name are both for a platform, whatever their folders: a package or an asset brought a second"
        " copy. Unity says *Multiple precompiled assemblies with the same name*, and compiles nothing. Newer versions"
        " take one of two versions of a managed library in silence, so that it is reported only on request. DLLs that a"
        " symbol switches, or that assemblies must name, are left out.",
        "Assets/Plugins/Newtonsoft.Json.dll: duplicate-plugin: is for Editor, and so is"
        " Assets/Vendor/Newtonsoft.Json.dll: only one DLL of a name may be",
        "Remove one of the DLLs, or choose platforms for each in its import settings.",
    ),
    "ui-path": Page(
        "A UI document (UXML) or a style sheet (USS, TSS) names a file by its path alone, and nothing is there: it was"
        " moved or removed, which no editor corrects in such paths. The document is imported without it, or not at all."
        " Paths beside a GUID are references, paths of packages and `resource(...)` are left out.",
        "Assets/UI/Menu.uss:12: ui-path: names Assets/UI/Icons/play.png, which is not there",
        "Correct the path, or assign the file in UI Builder, which writes its GUID too.",
    ),
    "ui-template": Page(
        "A UI document has an instance of a template that it does not declare: its `<Template name=...>` line was"
        " removed or renamed, often by a merge. Unity cannot import the document.",
        "Assets/UI/Menu.uxml:9: ui-template: has an instance of the template 'Slot', which it does not declare",
        "Declare the template at the beginning of the document, or correct the name of the instance.",
    ),
    "missing-include": Page(
        "A shader, or a file that shaders include, includes a file that is not there. The shader does not compile, and"
        " its materials are magenta. Files of packages are left out, and so is a path that does not begin with"
        " `Assets/`, `./` or `../` if its file is called as one of the engine (`UnityCG.cginc`) or an `#if` may leave"
        " it out.",
        "Assets/Shaders/Water.shader:31: missing-include: includes ../Common/Waves.cginc, which is not there: the"
        " shader does not compile",
        "Correct the path, or restore the file from git.",
    ),
    "duplicate-shader": Page(
        'Two shaders of the project have one name (`Shader "Studio/Water"`). Materials refer to their file and'
        " work; `Shader.Find`, `Fallback` and `UsePass` take either of them, and a build may take another than the"
        " editor.",
        "Assets/Old/Water.shader: duplicate-shader: another shader is called 'Studio/Water', too:"
        " Assets/Shaders/Water.shader; Shader.Find and Fallback take any",
        "Rename one of the shaders, or remove it.",
    ),
    "unknown-tag": Page(
        "An object, or an override of one, has a tag that `ProjectSettings/TagManager.asset` does not have: a"
        " change of the settings was not committed, or the object came from another project. Unity loads the object"
        " without a tag, `FindWithTag` and `CompareTag` do not find it, and the next save takes the tag away.",
        "Assets/Scenes/Level.unity:219: unknown-tag: Door (GameObject): m_TagString: has the tag 'Exit', which"
        " ProjectSettings/TagManager.asset lacks: Unity takes it away",
        "Add the tag in Project Settings > Tags and Layers, or choose another one for the object.",
    ),
    "unknown-layer": Page(
        "An object, or an override of one, is in a layer without a name, or a camera sees only layers without a"
        " name. Numbers work without names, and assets from elsewhere often have such layers, so that it is"
        " reported only on request; after a change of the layers it shows what was forgotten. The layer 31 is the"
        " editor's own, for previews and tile palettes, and left out.",
        "Assets/Prefabs/Enemy.prefab:15: unknown-layer: Enemy (GameObject): m_Layer: is in the layer 17, which has"
        " no name in ProjectSettings/TagManager.asset",
        "Name the layer in Project Settings > Tags and Layers, or choose another one for the object.",
    ),
    "unknown-sorting-layer": Page(
        "A renderer, or an override of one, is in a sorting layer that `ProjectSettings/TagManager.asset` does not"
        " have. Unity draws it in the layer Default, so before or behind other things than intended.",
        "Assets/Scenes/Level.unity:308: unknown-sorting-layer: Cloud (SpriteRenderer): m_SortingLayerID: is in the"
        " sorting layer 404910065, which ProjectSettings/TagManager.asset lacks: it is drawn in the default one",
        "Choose a sorting layer for the renderer again, or restore `TagManager.asset` from git.",
    ),
    "linker-file": Page(
        "A `link.xml` says which code a build keeps though nothing seems to use it. This one is not XML, has another"
        " root than `linker` or an element without a name, and the build fails. Or it keeps a type of an assembly of"
        " the project that no script of the assembly declares: the type was renamed or moved, and the build strips it"
        " without a word. Or it names an assembly that nothing has, and the build fails from Unity 2021 on. Patterns"
        " (`*`), generic types and elements with `ignoreIfMissing`, `ignoreIfUnreferenced` or `feature` are not"
        " judged.",
        "Assets/link.xml:3: linker-file: keeps the type Game.Save.Profile, which no script of Assembly-CSharp declares",
        "Write the name that the type has now, with its namespace (`Outer/Inner` for a type within another), or remove"
        " the element.",
    ),
    "missing-type": Page(
        "An asset stores an object behind a `[SerializeReference]` field, and no script of the assembly that it"
        " names declares its type in that namespace (any more): the type was renamed, moved or removed. Unity loads"
        " nothing in its place, warns, and may forget the object's values with the next save. Assemblies that have"
        " empty scripts are left out.",
        "Assets/Data/Quest.asset:31: missing-type: Quest (MonoBehaviour): references.RefIds[0].type: is of the type"
        " Game.KillGoal, which no script of Game declares (any more)",
        "Restore the type, or add `[MovedFrom]` with the old name, namespace and assembly to the type that it became.",
    ),
    "addressables-duplicate": Page(
        "One asset is an entry of two Addressables groups, or twice in one: a merge that kept both. Or two assets"
        " have one address: `LoadAssetAsync` takes any of them, `LoadAssetsAsync` both.",
        "Assets/AddressableAssetsData/AssetGroups/UI.asset:31: addressables-duplicate: UI (AddressableAssetGroup):"
        " Assets/Old/Menu.prefab has the address 'Menu', too: loading one asset takes any",
        "Remove one of the entries in the Addressables Groups window, or give one of the assets another address. If"
        " several assets are meant to be loaded together, a label says so.",
    ),
    "addressables-label": Page(
        "An entry of an Addressables group has a label that the settings do not have: the label was removed or"
        " renamed, or the settings were not committed. The Groups window does not show it; loading by the label"
        " finds what others have.",
        "Assets/AddressableAssetsData/AssetGroups/UI.asset:41: addressables-label: UI (AddressableAssetGroup): the"
        " settings have no label 'Preload': the window shows no such label",
        "Add the label to the settings (Addressables Groups > Tools > Labels), or remove it from the entry.",
    ),
    "addressables-group": Page(
        "A group asset of Addressables is not in the list of the settings: the settings were not committed with it,"
        " or a merge dropped the line. No build has the assets of the group.",
        "Assets/AddressableAssetsData/AssetGroups/Levels.asset: addressables-group: Levels (AddressableAssetGroup):"
        " the group is not in the list of Assets/AddressableAssetsData/AddressableAssetSettings.asset: no build has"
        " its assets",
        "Restore the line of `m_GroupAssets` from git, or delete the group.",
    ),
    "asmdef-duplicate": Page(
        "Two assembly definitions have the same name (ignoring case), or one folder has two files that say to"
        " which assembly its scripts belong: two `.asmdef`, or an `.asmdef` and an `.asmref`. Unity reports it in"
        " the console and compiles nothing until one of them is renamed, moved or removed. The usual causes are a"
        " copied folder, and a definition that one branch renamed and another changed.",
        "Assets/Game/Game.asmdef: asmdef-duplicate: another assembly is called Game, too: Assets/Copy/Game.asmdef",
        "Rename one of them in its file, move it to a folder of its own, or delete the copy.",
    ),
    "asmdef-invalid": Page(
        "An `.asmdef` or `.asmref` is not JSON, has no name, or refers to one assembly twice, by name and by GUID."
        " Unity cannot tell which scripts belong to the assembly, and compiles none of them.",
        "Assets/Game/Game.asmdef: asmdef-invalid: is not JSON: Unity compiles no script below it",
        "Restore the file from git, or correct its JSON.",
    ),
    "input-binding": Page(
        "A binding or composite of an `.inputactions` file is of an action that its map does not have: the action"
        " was renamed or removed in a merge. The control does nothing in the game. Or it is of a control scheme that"
        " the file does not have, as after pasting it from another file: it does nothing while a scheme is chosen. Or"
        " two actions of a map have one id or one name, so that what refers to one reaches the other.",
        "Assets/Input/Game.inputactions:57: input-binding: maps[0].bindings[3].action: the binding"
        " '<Keyboard>/space' is of the action 'Jmp', which the map 'Player' lacks",
        "Choose the action of the binding again, or remove the binding.",
    ),
    "duplicate-component": Page(
        "A scene has two AudioListeners or two EventSystems that are enabled, on active objects: as soon as it is"
        " loaded, Unity uses one of them and warns. The usual cause is a second camera, or a prefab with a camera."
        " Objects of the scene count, and prefabs at its root whose instances change no switch and remove nothing.",
        "Assets/Scenes/Level.unity:812: duplicate-component: 2 active objects have an AudioListener, 'Main Camera',"
        " 'Map Camera': Unity hears one of them and warns in each frame",
        "Remove the component from all objects but one, or disable it and let a script enable it when it is needed.",
    ),
    "invalid-transform": Page(
        "A position, rotation or scale has a number that is none (`NaN`) or has no end (`Infinity`): a script divided"
        " by zero, and the object was saved. Unity draws the object and all below it nowhere, and reports errors of"
        " bounding boxes in each frame. Overrides of prefab instances are told, too.",
        "Assets/Scenes/Main.unity:310: invalid-transform: Door (Transform): m_LocalPosition: is NaN or infinite: the"
        " object and all below it are drawn nowhere",
        "Write the numbers anew in the inspector, or restore the file from git.",
    ),
    "duplicate-sprite": Page(
        "A texture, a sprite or a folder is packed by two sprite atlases that builds have (*Include in Build*), by"
        " itself or with a folder around it. Unity says that the sprites match more than one built-in atlas, takes one"
        " of the two, and a build has the pixels twice. Nothing is said where the project packs no atlases (*Sprite"
        " Packer* in *Project Settings > Editor*), and of variants.",
        "Assets/UI/Menu.spriteatlas:56: duplicate-sprite: m_EditorData.packables[0]: packs Assets/UI/Icons, which"
        " Assets/UI/Common.spriteatlas packs, too: Unity takes its sprites from either",
        "Remove the row from one of the atlases, or switch off *Include in Build* for one of them.",
    ),
    "duplicate-scene": Page(
        "The build settings list one scene twice, so that the indexes of all that follow are one more than meant;"
        " or its path is written in another case than the file, which other systems and `LoadScene` tell apart.",
        "ProjectSettings/EditorBuildSettings.asset:14: duplicate-scene: m_Scenes[2].path: Assets/Scenes/Menu.unity"
        " is the scene 0 of the list, too: indexes count it twice",
        "Remove one of the two in the build settings, or remove the scene and add it again.",
    ),
    "unclear-script": Page(
        "Brackets, texts in quotes, comments or branches of `#if` of a C# file are not closed, or closed too often."
        " Nothing that it declares is certain then: rules on C# (`missing-method`, `script-class`, `editor-api`, ...)"
        " say nothing of it, nor of what it may declare. The line has the bracket that is not closed, as far as"
        " indentation tells. Mostly Unity cannot compile the file, either. But all branches of `#if` are read"
        " together, and a compiler takes one: where each of them opens a brace and one brace closes them all, the file"
        " is right for Unity and unclear here, as is one with an odd quote in a branch that is off. Files in UTF-16 or"
        " of more than 4 MiB are not read.",
        "Assets/Scripts/Door.cs:14: unclear-script: cannot be followed, and is left out by rules on C#: { is not"
        " closed",
        "Close the bracket. Where branches of `#if` open the same brace, write the brace once, behind `#endif`, if the"
        " rules are to judge the file.",
    ),
    "team-rule": Page(
        "An asset breaks a rule that the team wrote into `assetdb.toml` as `[[rule]]`: its file is too large, its"
        " name, the size of its picture or its import settings are other ones than demanded, or an asset refers to"
        " another that it must not use. A rule that is for no asset is reported, too.",
        "Assets/UI/Icons/Coin.png: team-rule: mipmaps.enableMipMap: its import settings have mipmaps.enableMipMap"
        " on (rule 1)",
        "Change the asset as the rule demands, or change the rule. `[check.severity]` makes breaches errors.",
    ),
}
"""The text of each code, by its name."""
