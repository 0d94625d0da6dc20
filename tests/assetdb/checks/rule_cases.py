"""What breaks a healthy project by one rule each: C#, settings, content; and what looks like it and is none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

from tests.assetdb.checks.healthy import (
    BEHAVIOUR,
    COUNT,
    NATIVE,
    PREFAB,
    SCRIPT,
    guid_of,
    item,
    material,
    put,
    put_group,
    put_meta,
    script_of,
    scriptable,
)
from tests.assetdb.unity_project import HEAD, SPRITES, component, game_object

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Row: TypeAlias = tuple[
        Callable[[Path], object], tuple[tuple[str, str], ...], Callable[[Path], object], tuple[tuple[str, str], ...]
    ]

CONTROLLER = "Assets/Art/A.controller"
INPUT_MODULE = "4f231c4fb786f3946a6b90b886c48677"  # StandaloneInputModule.cs
CLIP = "Assets/Art/Walk.anim"
LINKED = '<linker>\n  <assembly fullname="Game">\n    <type fullname="{}"/>\n  </assembly>\n</linker>\n'
SHADER = "ShaderImporter:\n  userData: \n"
DEFAULT = "Assets/AddressableAssetsData/AssetGroups/Default.asset"
SETTINGS_SCRIPT = "468a46d0ae32c3544b7d98094e6448a9"  # AddressableAssetSettings.cs
INPUT = "ScriptedImporter:\n  script: {fileID: 11500000, guid: 8404be70184654265930450def6a9037, type: 3}\n"
SHEET = "ScriptedImporter:\n  script: {fileID: 12385, guid: 0000000000000000e000000000000000, type: 0}\n"
DOCUMENT = "ScriptedImporter:\n  script: {fileID: 13804, guid: 0000000000000000e000000000000000, type: 0}\n"
PIPELINE = "bf2edee5c58d82540a51f03df9d42094"  # UniversalRenderPipelineAsset.cs
CAMERA = "a79441f348de89743a2939f4d699eac1"  # UniversalAdditionalCameraData.cs
MATHEMATICS = "com.unity.mathematics"
UNIVERSAL = "com.unity.render-pipelines.universal"
ASSEMBLY = "AssemblyDefinitionImporter:\n  userData: \n"


def code(root: Path, path: str, text: str) -> None:
    put(root, path, text, SCRIPT)


def touched(message: str) -> str:
    """Write a component with a message of the physics."""
    return f"using UnityEngine;\nclass Coin : MonoBehaviour {{\n  void {message} {{}}\n}}\n"


def helper(root: Path, folder: str) -> None:
    """Place a component whose script is in a folder."""
    code(root, f"{folder}/Helper.cs", "using UnityEngine;\nclass Helper : MonoBehaviour {}\n")
    body = component(BEHAVIOUR, 12, 10, "MonoBehaviour", script_of(guid_of(f"{folder}/Helper.cs")))
    put(root, "Assets/Scenes/Helped.unity", HEAD + game_object(10, "Helped", 0, body))


def sound(root: Path, more: str) -> None:
    """Make an assembly with a namespace of its own, and import that in another assembly."""
    put(root, "Assets/Sound/Sound.asmdef", '{"name": "Sound"}', ASSEMBLY)
    code(root, "Assets/Sound/Player.cs", "namespace Studio.Sound { class Player {} }\n")
    code(root, "Assets/Scripts/Uses.cs", f"using Studio.Sound;\n{more}class Uses {{}}\n")


def put_tags(root: Path) -> None:
    """Write tags and layers: Boss; Ground, number 8; Clouds, number 2430975871."""
    layers = ("Default", "TransparentFX", "Ignore Raycast", "", "Water", "UI", "", "", "Ground")
    (root / "ProjectSettings/TagManager.asset").write_text(
        f"{HEAD}--- !u!78 &1\nTagManager:\n  serializedVersion: 2\n  tags:\n  - Boss\n  layers:\n"
        + "".join(f"  - {name}\n" for name in layers)
        + "  m_SortingLayers:\n  - name: Default\n    uniqueID: 0\n    locked: 0\n"
        "  - name: Clouds\n    uniqueID: 2430975871\n    locked: 0\n"
    )


def tagged(root: Path, of_object: str, of_renderer: str = "") -> None:
    put_tags(root)
    renderer = component(212, 12, 10, "SpriteRenderer", of_renderer)
    body = game_object(10, "Tagged", 0, renderer).replace("  m_Name", f"{of_object}  m_Name", 1)
    put(root, "Assets/Scenes/Tagged.unity", HEAD + body)


def calls(root: Path, call: str) -> None:
    """Write a script that calls something, and the settings with the names."""
    put_tags(root)
    code(
        root,
        "Assets/Scripts/Asks.cs",
        f"class Asks {{ int number; void F(UnityEngine.Component c) {{ c.{call}; }} }}\n",
    )


def event_system(root: Path, submit: str, handler: int = 0, enabled: int = 1) -> None:
    """Write a scene with a StandaloneInputModule, and the axes Horizontal, Vertical, Submit and Cancel."""
    settings = root / "ProjectSettings"
    settings.mkdir(parents=True, exist_ok=True)
    axes = "".join(
        f"  - serializedVersion: 3\n    m_Name: {name}\n" for name in ("Horizontal", "Vertical", "Submit", "Cancel")
    )
    (settings / "InputManager.asset").write_text(f"{HEAD}--- !u!13 &1\nInputManager:\n  m_Axes:\n{axes}")
    player = f"{HEAD}--- !u!129 &1\nPlayerSettings:\n  activeInputHandler: {handler}\n"
    (settings / "ProjectSettings.asset").write_text(player)
    names = f"  m_HorizontalAxis: Horizontal\n  m_VerticalAxis: Vertical\n  m_SubmitButton: {submit}\n"
    body = script_of(INPUT_MODULE) + f"  m_Enabled: {enabled}\n{names}  m_CancelButton: Cancel\n"
    put(
        root,
        "Assets/Scenes/Menu.unity",
        HEAD + game_object(10, "Menu", 0, component(114, 12, 10, "MonoBehaviour", body)),
    )


def atlas(root: Path, name: str, *packed: str, built: int = 1, variant: int = 0) -> None:
    """Write a sprite atlas, and switch atlases on; a row is a path, of a sprite with its fileID."""
    rows = [each.partition(":") for each in packed]
    ids = [number or ("2800000" if path.endswith(".png") else "102900000") for path, _, number in rows]
    listed = "".join(
        f"    - {{fileID: {number}, guid: {guid_of(path)}, type: 3}}\n"
        for number, (path, _, _) in zip(ids, rows, strict=True)
    )
    text = (
        f"{HEAD}--- !u!687078895 &4343727234628468602\nSpriteAtlas:\n  m_Name: {name}\n  m_EditorData:\n"
        f"    packables:\n{listed}    bindAsDefault: {built}\n  m_IsVariant: {variant}\n"
    )
    put(root, f"Assets/Art/{name}.spriteatlas", text, NATIVE)
    settings = root / "ProjectSettings/EditorSettings.asset"
    settings.parent.mkdir(parents=True, exist_ok=True)
    before = settings.read_text() if settings.exists() else f"{HEAD}--- !u!159 &1\nEditorSettings:\n"
    settings.write_text(before if "PackerMode" in before else f"{before}  m_SpritePackerMode: 4\n")


def streamed(root: Path, folder: str) -> None:
    """Write a scene with a sprite of a texture in a folder."""
    path = f"{folder}/Hat.png"
    put(root, path, b"\x89PNG", SPRITES)
    sprite = f"  m_Sprite: {{fileID: 555, guid: {guid_of(path)}, type: 3}}\n"
    body = component(212, 12, 10, "SpriteRenderer", sprite)
    put(root, "Assets/Scenes/Hats.unity", HEAD + game_object(10, "Hat", 0, body))


def standing(root: Path, number: str) -> None:
    """Write a scene with an object at a height."""
    place = f"  m_LocalPosition: {{x: 0, y: {number}, z: 0}}\n"
    text = game_object(10, "Door", 0).replace("  m_Father:", f"{place}  m_Father:", 1)
    put(root, "Assets/Scenes/Standing.unity", HEAD + text)


GOING = "  m_DstStateMachine: {fileID: 0}\n  m_DstState: {fileID: 3}\n  m_Solo: 0\n  m_Mute: 0\n  m_IsExit: 0\n"
"""A transition to the state of :func:`animator`."""


def animator(
    root: Path, tested: str = "Jump", default: int = 3, motion: str = "{fileID: 7400000}", going: str = GOING
) -> None:
    """Write an animator controller with one layer, one state and a transition to it."""
    put(
        root,
        CONTROLLER,
        f"{HEAD}--- !u!91 &9100000\nAnimatorController:\n  m_Name: A\n  m_AnimatorParameters:\n  - m_Name: Jump\n"
        "    m_Type: 9\n    m_DefaultFloat: 0\n  m_AnimatorLayers:\n  - serializedVersion: 5\n    m_Name: Base Layer\n"
        "    m_StateMachine: {fileID: 2}\n"
        "--- !u!1107 &2\nAnimatorStateMachine:\n  m_Name: Base Layer\n  m_ChildStates:\n  - serializedVersion: 1\n"
        "    m_State: {fileID: 3}\n  m_AnyStateTransitions:\n  - {fileID: 4}\n"
        f"  m_DefaultState: {{fileID: {default}}}\n"
        f"--- !u!1102 &3\nAnimatorState:\n  m_Name: Open\n  m_Motion: {motion}\n"
        "--- !u!1101 &4\nAnimatorStateTransition:\n  m_Name: \n  m_Conditions:\n  - m_ConditionMode: 1\n"
        f"    m_ConditionEvent: {tested}\n    m_EventTreshold: 0\n{going}"
        "--- !u!74 &7400000\nAnimationClip:\n  m_Name: Clip\n",
        NATIVE,
    )


def clip(root: Path, *functions: str, options: int = 0) -> None:
    """Write an animation clip with events."""
    events = "".join(
        f"  - time: {time}\n    functionName: {function}\n    data: \n    objectReferenceParameter: {{fileID: 0}}\n"
        f"    floatParameter: 0\n    intParameter: 0\n    messageOptions: {options}\n"
        for time, function in enumerate(functions)
    )
    text = f"--- !u!74 &7400000\nAnimationClip:\n  m_Name: Walk\n  m_HasMotionFloatCurves: 0\n  m_Events:\n{events}"
    put(root, CLIP, HEAD + text, NATIVE)


def stepping(root: Path, method: str) -> None:
    """Write a script with a method, and a clip that calls Footstep."""
    code(root, "Assets/Scripts/Steps.cs", f"class Steps {{ void {method}() {{}} }}\n")
    clip(root, "Footstep")


def opening(root: Path, child: str) -> None:
    """Write a prefab with a child, whose Animation plays a clip that animates its Panel."""
    curve = "  - curve:\n      m_Curve: []\n    attribute: m_IsActive\n    path: Panel\n    classID: 1\n"
    put(root, CLIP, f"{HEAD}--- !u!74 &7400000\nAnimationClip:\n  m_Name: Walk\n  m_FloatCurves:\n{curve}", NATIVE)
    played = f"{{fileID: 7400000, guid: {guid_of(CLIP)}, type: 2}}"
    own = component(111, 3, 1, "Animation", f"  m_Animation: {played}\n")
    text = game_object(1, "Door", 0, own) + game_object(4, child, 2)
    put(root, "Assets/Art/Door.prefab", HEAD + text, PREFAB)


def managed(root: Path, name: str) -> None:
    """Write an asset with an object of a class behind a reference."""
    code(root, "Assets/Scripts/Goal.cs", "namespace Studio { class Goal {} }\n")
    row = f"    - rid: 5\n      type: {{class: {name}, ns: Studio, asm: Game}}\n      data:\n        count: 1\n"
    extra = f"  target: {{fileID: 0}}\n  references:\n    version: 2\n    RefIds:\n{row}"
    put(root, "Assets/Data/Quest.asset", scriptable("Assets/Scripts/Item.cs", "Quest", extra), NATIVE)


def entry(path: str, address: str, label: str = "low") -> str:
    labels = f"    m_SerializedLabels:\n    - {label}\n"
    return f"  - m_GUID: {guid_of(path)}\n    m_Address: {address}\n    m_ReadOnly: 0\n{labels}"


def groups(root: Path, entries: str, listed: tuple[str, ...] = (DEFAULT,)) -> None:
    """Write the group of the project, another one, and settings that list some."""
    put_group(root, entries)
    other = "Assets/AddressableAssetsData/AssetGroups/Other.asset"
    text = (root / DEFAULT).read_text().split("  m_SerializeEntries")[0].replace("Default", "Other")
    put(root, other, f"{text}  m_SerializeEntries: []\n", NATIVE)
    rows = "".join(f"  - {{fileID: 11400000, guid: {guid_of(path)}, type: 2}}\n" for path in (*listed, other))
    put(
        root,
        "Assets/AddressableAssetsData/AddressableAssetSettings.asset",
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script_of(SETTINGS_SCRIPT)}  m_Name: AddressableAssetSettings\n"
        f"  m_GroupAssets:\n{rows}  m_LabelTable:\n    m_LabelNames:\n    - low\n",
        NATIVE,
    )


def actions(root: Path, name: str) -> None:
    bindings = [{"name": "", "id": "b-1", "path": "<Keyboard>/space", "action": name}]
    row = {"name": "Player", "id": "m-1", "actions": [{"name": "Jump", "id": "a-1"}], "bindings": bindings}
    put(root, "Assets/Data/Game.inputactions", json.dumps({"name": "Game", "maps": [row]}, indent=4), INPUT)


def listener(number: int, *, enabled: int = 1) -> str:
    """Return an active GameObject with an AudioListener."""
    own = component(81, number + 2, number, "AudioListener", f"  m_Enabled: {enabled}\n")
    return game_object(number, f"Camera {number}", 0, own).replace("  m_Name: ", "  m_IsActive: 1\n  m_Name: ", 1)


def scenes(root: Path, *numbers: int) -> None:
    rows = "".join(
        f"  - enabled: 1\n    path: Assets/Scenes/Level{number}.unity\n"
        f"    guid: {guid_of(f'Assets/Scenes/Level{number}.unity')}\n"
        for number in numbers
    )
    text = f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n{rows}"
    (root / "ProjectSettings/EditorBuildSettings.asset").write_text(text)


def pipeline(root: Path, rows: tuple[int, ...], index: int) -> None:
    """Write a pipeline asset with renderers, 0 for None, and a camera that has one by its number."""
    put(root, "Assets/Art/Renderer.asset", scriptable("Assets/Scripts/Item.cs", "Renderer"), NATIVE)
    renderer = f"{{fileID: 11400000, guid: {guid_of('Assets/Art/Renderer.asset')}, type: 2}}"
    listed = "".join(f"  - {renderer if row else '{fileID: 0}'}\n" for row in rows)
    put(
        root,
        "Assets/Art/Pipeline.asset",
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script_of(PIPELINE)}  m_Name: Pipeline\n"
        f"  m_RendererDataList:\n{listed}  m_DefaultRendererIndex: 0\n",
        NATIVE,
    )
    data = component(BEHAVIOUR, 12, 10, "MonoBehaviour", f"{script_of(CAMERA)}  m_RendererIndex: {index}\n")
    put(root, "Assets/Scenes/Seen.unity", HEAD + game_object(10, "Camera", 0, data))
    require(root, UNIVERSAL, asked="14.0.8", locked="14.0.8")


def require(root: Path, name: str, asked: str, locked: str) -> None:
    """Add a package to manifest and lock file."""
    entry = {"version": locked, "depth": 0, "source": "registry", "dependencies": {}}
    for path, added in (("manifest", asked), ("packages-lock", entry)):
        file = root / f"Packages/{path}.json"
        content = json.loads(file.read_text()) if file.exists() else {"dependencies": {}}
        content["dependencies"][name] = added
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(content, indent=2))


def fallback(root: Path, name: str) -> None:
    """Write two shaders, and a fallback in one."""
    put(root, "Assets/Art/A.shader", f'Shader "Studio/A" {{\n  Fallback "{name}"\n}}', SHADER)
    put(root, "Assets/Art/B.shader", 'Shader "Studio/B" {\n  Fallback "Studio/A"\n  UsePass "Studio/A/ONE"\n}', SHADER)


def libraries(root: Path, platform: str) -> None:
    """Write two DLLs of one name: one is for the editor alone, the other for a platform."""
    for folder, name in (("One", "Editor"), ("Two", platform)):
        row = f"    {name}:\n      enabled: 1\n      settings: {{}}\n"
        importer = f"PluginImporter:\n  serializedVersion: 3\n  defineConstraints: []\n  platformData:\n{row}"
        put(root, f"Assets/{folder}/Lib.dll", b"MZ", f"{importer}  userData: \n")


def interface(template: str) -> str:
    """Return a UI document with an instance of a template."""
    declared = '<ui:Template name="Slot" src="Menu.uxml" />'
    return f'<ui:UXML xmlns:ui="UnityEngine.UIElements">{declared}<ui:Instance template="{template}" /></ui:UXML>'


def variants(root: Path, **parents: str) -> None:
    """Write materials, each a variant of another."""
    for name, parent in parents.items():
        line = f"  m_Parent: {{fileID: 2100000, guid: {guid_of(f'Assets/Art/{parent}.mat')}, type: 2}}\n"
        put(root, f"Assets/Art/{name}.mat", material(name) + line, NATIVE)


def sheet(root: Path, mode: int) -> None:
    """Change the sprite mode of the sheet that the project's items have icons of."""
    put_meta(root, "Assets/Art/tiles.png", SPRITES.replace("spriteMode: 2", f"spriteMode: {mode}"))


RULE_CASES: dict[str, Row] = {
    "missing-renderer": (
        lambda root: pipeline(root, (1, 0), 2),
        (("missing-renderer", "Assets/Art/Pipeline.asset"), ("missing-renderer", "Assets/Scenes/Seen.unity")),
        lambda root: pipeline(root, (1, 1), 1),
        (),
    ),
    "missing-shader": (
        lambda root: fallback(root, "Studio/Gone"),
        (("missing-shader", "Assets/Art/A.shader"),),
        lambda root: fallback(root, "Vendor/Gone"),
        (),
    ),
    "duplicate-plugin": (
        lambda root: libraries(root, "Editor"),
        tuple(("duplicate-plugin", f"Assets/{folder}/Lib.dll") for folder in ("One", "Two")),
        lambda root: libraries(root, "Android"),
        (),
    ),
    "ui-path": (
        lambda root: put(root, "Assets/UI/Menu.uss", "A { background-image: url('../Art/Gone.png'); }", SHEET),
        (("ui-path", "Assets/UI/Menu.uss"),),
        lambda root: put(root, "Assets/UI/Menu.uss", "A { background-image: url('../Art/tiles.png'); }", SHEET),
        (),
    ),
    "ui-template": (
        lambda root: put(root, "Assets/UI/Menu.uxml", interface("Slut"), DOCUMENT),
        (("ui-template", "Assets/UI/Menu.uxml"),),
        lambda root: put(root, "Assets/UI/Menu.uxml", interface("Slot"), DOCUMENT),
        (),
    ),
    "package-mismatch": (
        lambda root: require(root, MATHEMATICS, asked="1.2.6", locked="1.2.5"),
        (("package-mismatch", "Packages/manifest.json"),),
        lambda root: require(root, MATHEMATICS, asked="1.2.5", locked="1.2.6"),
        (),
    ),
    "recursive-material": (
        lambda root: variants(root, A="B", B="A", C="C", D="A"),
        tuple(("recursive-material", f"Assets/Art/{name}.mat") for name in "ABC"),
        lambda root: variants(root, A="B", B="Paint0", C="A"),
        (),
    ),
    "sprite-mode": (
        lambda root: sheet(root, 1),
        tuple(("sprite-mode", item(number)) for number in range(COUNT)),
        lambda root: sheet(root, 2),
        (),
    ),
    "editor-api": (
        lambda root: code(root, "Assets/Scripts/Tool.cs", "using UnityEditor;\nclass T { AssetImporter found; }\n"),
        (("editor-api", "Assets/Scripts/Tool.cs"),),
        lambda root: code(
            root,
            "Assets/Scripts/Tool.cs",
            "using UnityEditor;\nclass T {\n#if UNITY_EDITOR\n  AssetImporter found;\n#endif\n}\n",
        ),
        (),
    ),
    "editor-script": (
        lambda root: helper(root, "Assets/Tools/Editor"),
        (("editor-script", "Assets/Scenes/Helped.unity"),),
        lambda root: helper(root, "Assets/Scripts/Editor"),  # below a definition it is a folder like others
        (),
    ),
    "message-parameter": (
        lambda root: code(root, "Assets/Scripts/Coin.cs", touched("OnTriggerEnter2D(Collider other)")),
        (("message-parameter", "Assets/Scripts/Coin.cs"),),
        lambda root: code(root, "Assets/Scripts/Coin.cs", touched("OnTriggerEnter2D(Collider2D other)")),
        (),
    ),
    "new-component": (
        lambda root: code(root, "Assets/Scripts/Coin.cs", f"{touched('Start()')}class A {{ Coin c = new Coin(); }}\n"),
        (("new-component", "Assets/Scripts/Coin.cs"),),
        lambda root: code(
            root, "Assets/Scripts/Coin.cs", f"{touched('Start()')}class A {{ Coin[] c = new Coin[2]; }}\n"
        ),
        (),
    ),
    "duplicate-type": (
        lambda root: code(root, "Assets/Scripts/Old/Copy.cs", "class Item {}\n"),
        (("duplicate-type", "Assets/Scripts/Item.cs"), ("duplicate-type", "Assets/Scripts/Old/Copy.cs")),
        lambda root: code(root, "Assets/Other/Copy.cs", "class Item {}\n"),
        (),
    ),
    "assembly-namespace": (
        lambda root: sound(root, ""),
        (("assembly-namespace", "Assets/Scripts/Uses.cs"),),
        lambda root: sound(root, "namespace Studio.Sound { class Mine {} }\n"),
        (),
    ),
    "unknown-name": (
        lambda root: calls(root, 'CompareTag("Plaier")'),
        (("unknown-name", "Assets/Scripts/Asks.cs"),),
        lambda root: calls(root, 'CompareTag("Player" + number)'),
        (),
    ),
    "animator-parameter": (
        lambda root: animator(root, tested="Jmp"),
        (("animator-parameter", CONTROLLER),),
        lambda root: animator(root, tested="Jump"),
        (),
    ),
    "animation-event": (
        lambda root: stepping(root, "FootStep"),
        (("animation-event", CLIP),),
        lambda root: stepping(root, "Footstep"),
        (),
    ),
    "animation-path": (
        lambda root: opening(root, "Body"),
        (("animation-path", CLIP),),
        lambda root: opening(root, "Panel"),
        (),
    ),
    "animator-default": (
        lambda root: animator(root, default=0),
        (("animator-default", CONTROLLER),),
        lambda root: animator(root, default=3),
        (),
    ),
    "animator-transition": (
        lambda root: animator(root, going=GOING.replace("3", "0")),
        (("animator-transition", CONTROLLER),),
        lambda root: animator(root, going=GOING.replace("3", "0").replace("m_IsExit: 0", "m_IsExit: 1")),
        (),
    ),
    "empty-state": (
        lambda root: animator(root, motion="{fileID: 0}"),
        (("empty-state", CONTROLLER),),
        animator,
        (),
    ),
    "missing-include": (
        lambda root: put(root, "Assets/Art/A.shader", '#include "./Gone.cginc"\nShader "A" {}', SHADER),
        (("missing-include", "Assets/Art/A.shader"),),
        lambda root: put(root, "Assets/Art/A.shader", '// #include "./Gone.cginc"\n#include "Unity.cginc"\n', SHADER),
        (),
    ),
    "duplicate-shader": (
        lambda root: [put(root, f"Assets/Art/{name}.shader", 'Shader "A" {}', SHADER) for name in "AB"],
        (("duplicate-shader", "Assets/Art/A.shader"), ("duplicate-shader", "Assets/Art/B.shader")),
        lambda root: [put(root, f"Assets/Art/{name}.shader", f'Shader "{name}" {{}}', SHADER) for name in "AB"],
        (),
    ),
    "unknown-tag": (
        lambda root: tagged(root, "  m_TagString: Bos\n"),
        (("unknown-tag", "Assets/Scenes/Tagged.unity"),),
        lambda root: tagged(root, "  m_TagString: Boss\n"),
        (),
    ),
    "unknown-layer": (
        lambda root: tagged(root, "  m_Layer: 9\n"),
        (("unknown-layer", "Assets/Scenes/Tagged.unity"),),
        lambda root: tagged(root, "  m_Layer: 8\n"),
        (),
    ),
    "unknown-sorting-layer": (
        lambda root: tagged(root, "", "  m_SortingLayerID: 77\n"),
        (("unknown-sorting-layer", "Assets/Scenes/Tagged.unity"),),
        lambda root: tagged(root, "", "  m_SortingLayerID: -1863991425\n"),  # 2430975871 as it is written
        (),
    ),
    "unclear-script": (
        lambda root: code(root, "Assets/Scripts/Door.cs", "class Door {\n  void Open() {\n}\n"),
        (("unclear-script", "Assets/Scripts/Door.cs"),),
        lambda root: code(root, "Assets/Scripts/Door.cs", 'class Door {\n  string a = "{" + \'"\' + @"\\";\n}\n'),
        (),
    ),
    "linker-file": (
        lambda root: put(root, "Assets/link.xml", LINKED.format("Game.Item")),
        (("linker-file", "Assets/link.xml"),),
        lambda root: put(root, "Assets/link.xml", LINKED.format("Item")),
        (),
    ),
    "missing-type": (
        lambda root: managed(root, "Lost"),
        (("missing-type", "Assets/Data/Quest.asset"),),
        lambda root: managed(root, "Goal"),
        (),
    ),
    "addressables-duplicate": (
        lambda root: groups(root, entry(item(0), "Items/0") + entry(item(1), "Items/0")),
        (("addressables-duplicate", DEFAULT),) * 2,
        lambda root: groups(root, entry(item(0), "Items/0") + entry(item(1), "items/0")),
        (),
    ),
    "addressables-label": (
        lambda root: groups(root, entry(item(0), "A", "lod")),
        (("addressables-label", DEFAULT),),
        lambda root: groups(root, entry(item(0), "A", "low")),
        (),
    ),
    "addressables-group": (
        lambda root: groups(root, "", listed=()),
        (("addressables-group", DEFAULT),),
        lambda root: groups(root, ""),
        (),
    ),
    "input-binding": (
        lambda root: actions(root, "Jmp"),
        (("input-binding", "Assets/Data/Game.inputactions"),),
        lambda root: actions(root, "Jump"),
        (),
    ),
    "duplicate-component": (
        lambda root: put(root, "Assets/Scenes/Loud.unity", HEAD + listener(10) + listener(20)),
        (("duplicate-component", "Assets/Scenes/Loud.unity"),),
        lambda root: put(root, "Assets/Scenes/Loud.unity", HEAD + listener(10) + listener(20, enabled=0)),
        (),
    ),
    "duplicate-sprite": (
        lambda root: [atlas(root, name, "Assets/Art/tiles.png") for name in "AB"],
        (("duplicate-sprite", "Assets/Art/B.spriteatlas"),),
        lambda root: [atlas(root, name, "Assets/Art/tiles.png", built=built) for name, built in (("A", 1), ("B", 0))],
        (),
    ),
    "invalid-transform": (
        lambda root: standing(root, "NaN"),
        (("invalid-transform", "Assets/Scenes/Standing.unity"),),
        lambda root: standing(root, "0"),
        (),
    ),
    "duplicate-scene": (
        lambda root: scenes(root, 0, 1, 0),
        (("duplicate-scene", "ProjectSettings/EditorBuildSettings.asset"),),
        lambda root: scenes(root, 0, 1, 2),
        (),
    ),
    "team-rule": (
        lambda root: (root / "assetdb.toml").write_text('[[rule]]\npaths = "Assets/Art/*.mat"\nname = "M_*"\n'),
        tuple(("team-rule", f"Assets/Art/Paint{number}.mat") for number in range(COUNT)),
        lambda root: (root / "assetdb.toml").write_text('[[rule]]\npaths = "Assets/Art/*.mat"\nname = "Paint*"\n'),
        (),
    ),
}
"""By code, the fields of a Case of ``test_every_code.py``."""
