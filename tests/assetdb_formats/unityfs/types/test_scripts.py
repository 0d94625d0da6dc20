"""What Unity writes of a script, rule by rule; wherever one is in doubt the layout is unknown."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.dotnet.resolution import Assemblies
from assetdb_formats.unityfs.serialized_files.player import Script
from assetdb_formats.unityfs.serialized_files.skim import program_of
from assetdb_formats.unityfs.serialized_files.tree_values import make_plan
from assetdb_formats.unityfs.types.engine_types import engine_layout
from assetdb_formats.unityfs.types.layouts import release_of
from assetdb_formats.unityfs.types.scripts import ScriptTrees, UnknownLayoutError
from tests.assetdb_formats.dotnet.assembly_writer import ENGINE, assembly

if TYPE_CHECKING:
    from collections.abc import Mapping

HEAD = "p1ap"  # m_GameObject, m_Enabled, m_Script; then m_Name
VERSION = "2019.4.0f1"
GAME = {
    "serializable Game.Item": ("public string name", "private int hidden", "private [SerializeField] float shown"),
    "serializable Game.Better : Game.Item": ("public bool good", "public UnityEngine.Transform icon"),
    "serializable Game.Point : System.ValueType": ("public int x", "public bool on"),
    "serializable Game.Empty": ("public static int count",),
    "serializable abstract Game.Shape": ("public int sides",),
    "serializable Game.Itself": ("public Game.Itself next",),
    "serializable Game.Gen`1": ("public !0 value", "public List<!0> many"),
    "serializable Game.IntGen : Game.Gen`1<int>": ("public int tail",),
    "serializable Game.Hidden : Game.Unmarked": ("public int y",),
    "serializable Game.Fine : Game.Silent": ("public int y",),
    "Game.Unmarked": ("public int x",),
    "Game.Silent": ("private int x",),
    "interface Game.Face : -": (),
    "Game.Deed : System.MulticastDelegate": (),
    "Game.Color : System.Enum": ("public int value__", "public static const ~Game.Color Red"),
    "Game.Small : System.Enum": ("public byte value__",),
    "Game.Wide : System.Enum": ("public long value__",),
    "Game.Base : UnityEngine.MonoBehaviour": ("public int first", "protected int not_this", "private bool nor_this"),
    "Game.Mid`1 : Game.Base": ("public !0 one", "public !0[] some", "private [SerializeField] List<!0> more"),
    "Game.Last : Game.Mid`1<Game.Item>": ("public float last",),
    "Game.Pointing : Game.Mid`1<UnityEngine.Transform>": (),
    "Game.Asset : UnityEngine.ScriptableObject": ("public Game.Last behaviour",),
    "Game.Nobody": ("public int x",),
    "Game.Hiding : Game.Base": ("public int first",),
    "Game.Outer : UnityEngine.MonoBehaviour": ("public ~Game.Outer/Inner inner",),
    "serializable Game.Outer/Inner : System.ValueType": ("public byte small",),
    "Game.Button : UnityEngine.UI.Selectable": ("public int x",),
}


def trees(
    types: Mapping[str, tuple[str, ...]], version: str = VERSION, *, engine: bool = True, native: tuple[str, ...] = ()
) -> ScriptTrees:
    data = {"assembly-csharp": assembly("Assembly-CSharp", dict(types))}
    if engine:
        data["unityengine.coremodule"] = ENGINE
    return ScriptTrees(Assemblies(data.get), version, native.__contains__)


def program(of: ScriptTrees, name: str) -> str:
    text = program_of(make_plan(of.tree(Script("Assembly-CSharp.dll", "Game", name))), whole=True)
    assert text is not None
    return text


def written(*fields: str, version: str = VERSION, engine: bool = True, native: tuple[str, ...] = ()) -> str:
    """Return the program of what a MonoBehaviour with these fields adds."""
    types = {**GAME, "Game.Test : UnityEngine.MonoBehaviour": fields}
    text = program(trees(types, version, engine=engine, native=native), "Test")
    assert text.startswith(HEAD + "na")
    assert text.endswith("e")
    return text[len(HEAD) + 2 : -1]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("public bool x", "1a"),
        ("public sbyte x", "1a"),
        ("public ushort x", "2a"),
        ("public int x", "4"),
        ("public long x", "8"),
        ("public double x", "8"),
        ("public string x", "sa"),
        ("public int[] x", "[4]a"),
        ("public bool[] x", "[1]a"),
        ("public List<short> x", "[2]a"),
        ("public string[] x", "[sa]a"),
        ("public ~Game.Color x", "4"),
        ("public List<~Game.Color> x", "[4]a"),
        ("public ~Game.Small x", "1a"),
        ("public UnityEngine.GUIStyle x", "sa" + "p16" * 7 + "p80p14a26a"),
        ("public UnityEngine.Transform x", "p"),
        ("public List<UnityEngine.Transform> x", "[p]a"),
        ("public Game.Last x", "p"),
        ("public UnityEngine.Object x", "p"),
        ("public ~UnityEngine.Vector3 x", "12"),
        ("public ~UnityEngine.Vector3[] x", "[12]a"),
        ("public ~UnityEngine.KeyCode x", "4"),
        ("public Game.Item x", "sa4"),
        ("public Game.Better x", "sa5ap"),
        ("public ~Game.Point x", "5a"),
        ("public List<~Game.Point> x", "[5a]a"),
        ("public Game.IntGen x", "4[4]a4"),
        ("public Game.Fine x", "4"),
        ("public Game.Empty x", ""),
        ("private [SerializeField] int x", "4"),
        ("internal int x", ""),
        ("public [HideInInspector] int x", "4"),
    ],
)
def test_what_is_written(field: str, expected: str) -> None:
    assert written(field) == expected


@pytest.mark.parametrize(
    "field",
    [
        "private int x",
        "protected int x",
        "public static int x",
        "public readonly int x",
        "public const int x",
        "public nonserialized int x",
        "private readonly [SerializeField] int x",
        "public object x",
        "public IntPtr x",
        "public int* x",
        "public int[,] x",
        "public int[][] x",
        "public List<int[]> x",
        "public List<List<int>> x",
        "public System.Collections.Generic.Dictionary`2<string, int> x",
        "public System.Action x",
        "public ~System.DateTime x",
        "public Game.Face x",
        "public Game.Deed x",
        "public Game.Unmarked x",
        "public Game.Unmarked[] x",
        "public List<Game.Face> x",
        "public ~UnityEngine.RaycastHit x",
        "public Game.Gen`1<int> x",
    ],
)
def test_what_is_not_written(field: str) -> None:
    assert written(field, "public int after") == "4"


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("public char x", "char"),
        ("public ~Game.Wide x", "an enum of 64 bits"),
        ("public Game.Shape x", "abstract"),
        ("public Game.Itself x", "in itself"),
        ("public Game.Hidden x", "extends Game.Unmarked"),
        ("public Game.Empty[] x", "class without fields"),
        ("public ~UnityEngine.Hash128 x", "how a UnityEngine.Hash128 is written"),
        ("public ~System.DayOfWeek x", "System.DayOfWeek of mscorlib.dll is not beside"),
        ("public ~UnityEngine.Bounced x", "UnityEngine.Bounced of unityengine.coremodule.dll is not beside"),
        ("public UnityEngine.UI.Image x", "UnityEngine.UI.Image of unityengine.ui.dll is not beside"),
        ("public Plugin!Tween x", "Tween of plugin.dll is not beside"),
        ("public [SerializeReference] object x", "SerializeReference"),
        ("public [FixedBuffer] int x", "fixed size"),
    ],
)
def test_what_is_in_doubt_makes_the_layout_unknown(field: str, why: str) -> None:
    with pytest.raises(UnknownLayoutError, match=why):
        written(field)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Base", "4"),
        ("Last", "4sa4[sa4]a[sa4]a4"),
        ("Pointing", "4p[p]a[p]a"),
        ("Asset", "p"),
        ("Outer", "1a"),
    ],
)
def test_base_classes_come_first_with_what_their_parameters_stand_for(name: str, expected: str) -> None:
    assert program(trees(GAME), name) == f"{HEAD}na{expected}e"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Nobody", "neither a MonoBehaviour"),
        ("Hiding", "hides a field"),
        ("Button", "UnityEngine.UI.Selectable of unityengine.ui.dll is not beside"),
        ("Absent", "Game.Absent of assembly-csharp.dll is not beside"),
    ],
)
def test_scripts_of_which_nothing_can_be_said(name: str, why: str) -> None:
    known = trees(GAME)
    for _ in range(2):  # the second answer is remembered
        with pytest.raises(UnknownLayoutError, match=why):
            program(known, name)


def test_a_class_of_an_absent_base_is_doubtful_unless_it_can_be_neither_object_nor_written() -> None:
    types = {
        **GAME,
        "Game.Failure : System.Exception": ("public int x",),
        "serializable Game.Kept : System.Exception": ("public int x",),
        "Game.Moved : Plugin!Lib.Tween": ("public int x",),
        "serializable Game.Held : Plugin!Lib.Tween": ("public int x",),
    }

    def field(name: str) -> str:
        whole = {**types, "Game.Test : UnityEngine.MonoBehaviour": (f"public Game.{name} x", "public int after")}
        return program(trees(whole), "Test").removeprefix(f"{HEAD}na")

    assert field("Failure") == "4e"
    for name, why in (
        ("Kept", "System.Exception of mscorlib.dll is not beside"),
        ("Moved", "Lib.Tween of plugin.dll is not beside"),
        ("Held", "Lib.Tween of plugin.dll is not beside"),
    ):
        with pytest.raises(UnknownLayoutError, match=why):
            field(name)


def test_what_of_the_system_is_written_nowhere_is_known_by_its_name() -> None:
    for name in ("DateTimeOffset", "TimeSpan", "Guid", "Decimal"):
        assert written(f"public ~System.{name} x", "public int after") == "4"
    assert written("public System.Anything x", "public int after") == "4"
    assert written("public ~System.Nullable`1<int> x", "public int after") == "4"


def test_each_number_has_its_type_in_the_tree() -> None:
    kinds = ("bool", "sbyte", "byte", "short", "ushort", "int", "uint", "long", "ulong", "float", "double")
    types: dict[str, tuple[str, ...]] = {
        "Game.Test : UnityEngine.MonoBehaviour": tuple(f"public {kind} x{kind}" for kind in kinds)
    }
    tree = trees(types).tree(Script("Assembly-CSharp.dll", "Game", "Test"))
    found = [(node.type_name, node.aligned) for node in tree if node.name.startswith("x")]
    names = (
        "UInt8",
        "SInt8",
        "UInt8",
        "SInt16",
        "UInt16",
        "int",
        "unsigned int",
        "SInt64",
        "UInt64",
        "float",
        "double",
    )
    assert found == [(name, name in ("UInt8", "SInt8", "SInt16", "UInt16")) for name in names]
    assert [(node.level, node.type_name, node.name) for node in tree if node.level < 2][:5] == [
        (0, "MonoBehaviour", "Base"),
        (1, "PPtr<GameObject>", "m_GameObject"),
        (1, "UInt8", "m_Enabled"),
        (1, "PPtr<MonoScript>", "m_Script"),
        (1, "string", "m_Name"),
    ]


def test_arrays_of_small_numbers_are_aligned_behind_their_last_one() -> None:
    for version, fine in (("2017.1.0b1", True), ("2017.1.0a9", False)):
        if fine:
            assert written("public short[] x", "public byte y", version=version) == "[2]a1a"
        else:
            with pytest.raises(UnknownLayoutError, match="x: an array of SInt16 before Unity"):
                written("public short[] x", version=version)
            assert written("public int[] x", version=version) == "[4]a"
    tree = trees(
        {"Game.Test : UnityEngine.MonoBehaviour": ("public short[] x", "public UnityEngine.Transform t")}
    ).tree(Script("Assembly-CSharp.dll", "Game", "Test"))
    vector = next(number for number, node in enumerate(tree) if node.name == "x")
    assert [(node.level, node.type_name, node.name, node.aligned) for node in tree[vector:]] == [
        (1, "vector", "x", False),
        (2, "Array", "Array", True),
        (3, "int", "size", False),
        (3, "SInt16", "data", False),
        (1, "PPtr<$Transform>", "t", False),
        (2, "int", "m_FileID", False),
        (2, "SInt64", "m_PathID", False),
    ]


def test_a_script_has_at_most_20000_nodes() -> None:
    head = len(trees({"Game.Test : UnityEngine.MonoBehaviour": ()}).tree(Script("Assembly-CSharp", "Game", "Test")))
    assert head == 12
    # A Matrix4x4 has 17 nodes: 1,175 of them have 19,975, and with 13 numbers and the head all that there may be.
    fields = [f"public ~UnityEngine.Matrix4x4 m{number}" for number in range(1175)]
    fields += [f"public int x{number}" for number in range(13)]
    full: dict[str, tuple[str, ...]] = {"Game.Test : UnityEngine.MonoBehaviour": tuple(fields)}
    assert len(trees(full).tree(Script("Assembly-CSharp", "Game", "Test"))) == 20_000
    more: dict[str, tuple[str, ...]] = {"Game.Test : UnityEngine.MonoBehaviour": (*fields, "public int last")}
    with pytest.raises(UnknownLayoutError, match="more than 20000 fields"):
        trees(more).tree(Script("Assembly-CSharp", "Game", "Test"))


def test_generic_classes_are_written_from_2020_1_on() -> None:
    field = "public Game.Gen`1<int> x"
    assert written(field, version="2019.4.40f1") == ""
    assert written(field, version="2020.1.0f1") == "4[4]a"
    with pytest.raises(UnknownLayoutError, match="preview"):
        written(field, version="2020.1.0b3")


def test_releases_that_are_not_known() -> None:
    for version in ("0.0.0", "4.7.2f1", ""):
        with pytest.raises(UnknownLayoutError, match="release"):
            written("public int x", version=version)
    with pytest.raises(UnknownLayoutError, match=r"before Unity 2017\.1"):
        written("public bool[] x", version="5.6.0f3")


def test_without_the_engine_its_own_classes_and_structs_are_known_by_name() -> None:
    assert written("public UnityEngine.Transform x", engine=False, native=("Transform",)) == "p"
    assert written("public ~UnityEngine.Vector3 x", engine=False) == "12"
    with pytest.raises(UnknownLayoutError, match="KeyCode"):
        written("public ~UnityEngine.KeyCode x", engine=False, native=("KeyCode",))
    with pytest.raises(UnknownLayoutError, match="Transform"):
        written("public Plugin!Game.Transform x", engine=False, native=("Transform",))


def test_a_class_of_the_project_that_is_called_as_one_of_the_engine_is_its_own() -> None:
    types = {"serializable UnityEngine.Vector3 : System.ValueType": ("public int only",)}
    types["Game.Test : UnityEngine.MonoBehaviour"] = ("public ~UnityEngine.Vector3 x",)
    assert program(trees(types), "Test") == f"{HEAD}na4e"


def test_types_that_moved_to_another_assembly_are_followed() -> None:
    types = {"Game.Test : UnityEngine!UnityEngine.MonoBehaviour": ("public UnityEngine!UnityEngine.Transform x",)}
    facade = assembly("UnityEngine", {}, {"UnityEngine.Transform": "UnityEngine.CoreModule"})
    data = {
        "assembly-csharp": assembly("Assembly-CSharp", types),
        "unityengine": facade,
        "unityengine.coremodule": ENGINE,
    }
    known = ScriptTrees(Assemblies(data.get), VERSION, lambda _: False)
    assert program(known, "Test") == f"{HEAD}nape"


def test_assemblies_that_forward_to_each_other_end() -> None:
    data = {
        "assembly-csharp": assembly("Assembly-CSharp", {}, {"Game.Test": "Other"}),
        "other": assembly("Other", {}, {"Game.Test": "Assembly-CSharp"}),
    }
    with pytest.raises(UnknownLayoutError, match="not beside"):
        program(ScriptTrees(Assemblies(data.get), VERSION, lambda _: False), "Test")


def test_classes_in_one_another_are_read_so_far_as_unity_writes_them_for_sure() -> None:
    def chain(depth: int) -> dict[str, tuple[str, ...]]:
        types = {f"serializable Game.C{n}": (f"public Game.C{n + 1} next",) for n in range(depth - 1)}
        types[f"serializable Game.C{depth - 1}"] = ("public int end",)
        return {**types, "Game.Test : UnityEngine.MonoBehaviour": ("public Game.C0 first",)}

    assert program(trees(chain(6)), "Test") == f"{HEAD}na4e"
    with pytest.raises(UnknownLayoutError, match="more than 6"):
        program(trees(chain(7)), "Test")


def test_fields_without_end_are_refused() -> None:
    fields = tuple(f"public Game.D0 f{number}" for number in range(40))
    types = {f"serializable Game.D{n}": tuple(f"public Game.D{n + 1} f{m}" for m in range(40)) for n in range(4)}
    types["serializable Game.D4"] = ("public int x",)
    with pytest.raises(UnknownLayoutError, match="more than 20000 fields"):
        program(trees({**types, "Game.Test : UnityEngine.MonoBehaviour": fields}), "Test")


def test_types_that_extend_themselves_are_refused() -> None:
    types = {"Game.Test : Game.Other": (), "Game.Other : Game.Test": ()}
    with pytest.raises(UnknownLayoutError, match="extends more than"):
        program(trees(types), "Test")
    with pytest.raises(UnknownLayoutError, match="without end"):
        program(trees({"Game.Test : Game.Gen`1<int>": (), "Game.Gen`1 : Game.Gen`1<Game.Gen`1<!0>>": ()}), "Test")


@pytest.mark.parametrize("seed", range(3))
def test_mutated_dlls_give_a_layout_or_say_why_not(seed: int) -> None:
    source = random.Random(seed)
    good = assembly("Assembly-CSharp", GAME)
    outcomes = set()
    for _ in range(300):
        changed = bytearray(good)
        for _ in range(source.randint(1, 3)):
            changed[source.randrange(0x200, len(changed))] = source.randrange(256)
        known = ScriptTrees(
            Assemblies({"assembly-csharp": bytes(changed), "unityengine.coremodule": ENGINE}.get),
            VERSION,
            lambda _: False,
        )
        for name in ("Last", "Asset", "Outer"):
            try:
                known.tree(Script("Assembly-CSharp.dll", "Game", name))
                outcomes.add("read")
            except UnknownLayoutError:
                outcomes.add("unknown")
    assert outcomes == {"read", "unknown"}


@pytest.mark.parametrize(("name", "class_id", "field"), [("AnimationCurve", 82, ""), ("Gradient", 198, "NEW")])
def test_curves_and_gradients_are_as_unity_s_own_classes_have_them(name: str, class_id: int, field: str) -> None:
    """In AudioSource and ParticleSystem, of every release from 5.0 on."""
    tpk = pytest.importorskip("UnityPy.helpers.Tpk", reason="needs the extra 'oracle'")
    blob = tpk.get_typetree()

    def lines(number: int, level: int = 0) -> list[str]:
        node = blob.NodeBuffer[number]
        text = f"{' ' * level}{blob.StringBuffer[node.TypeName]} {blob.StringBuffer[node.Name]}"
        inner = [line for child in node.SubNodes for line in lines(child, level + 1)]
        return [text + ("!" if node.MetaFlag & 0x4000 else ""), *inner]

    def all_nodes(number: int) -> list[int]:
        return [number, *(node for child in blob.NodeBuffer[number].SubNodes for node in all_nodes(child))]

    compared = 0
    for version, kind in blob.ClassInformation[class_id]:
        text = f"{version.major}.{version.minor}.{version.build}{version.type.name}{version.type_number}"
        release = release_of(text)
        if kind is None or kind.ReleaseRootNode is None or release is None or release < (5,):
            continue
        names = (name, name + field)
        found = next(
            number
            for number in all_nodes(kind.ReleaseRootNode)
            if blob.StringBuffer[blob.NodeBuffer[number].TypeName] in names
        )
        layout = engine_layout(f"UnityEngine.{name}", release)
        assert layout is not None
        children = [line for child in blob.NodeBuffer[found].SubNodes for line in lines(child)]
        assert layout[0] == blob.StringBuffer[blob.NodeBuffer[found].TypeName], text
        assert list(layout[1]) == children, text
        compared += 1
    assert compared > 3


def test_an_assembly_that_cannot_be_read_is_the_reason() -> None:
    def load(name: str) -> bytes | None:
        raise FormatError("denied", path=f"{name}.dll")

    with pytest.raises(UnknownLayoutError, match="denied"):
        program(ScriptTrees(Assemblies(load), VERSION, lambda _: False), "Test")
