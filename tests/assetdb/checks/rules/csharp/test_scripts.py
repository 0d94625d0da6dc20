"""Scripts without a class, calls of lost methods, values without a field: found where C# proves them, only there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import Selection, check_project
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.healthy import NATIVE, SCRIPT, guid_of, make_healthy, put, put_meta, script_of, scriptable
from tests.assetdb.unity_project import HEAD, component, game_object

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.findings.finding import Finding

DOOR = "Assets/Scripts/Door.cs"
SCENE = "Assets/Scenes/Hall.unity"
MONO = "using UnityEngine; class Door : MonoBehaviour "


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_healthy(tmp_path / "Game", 1)


def write_door(root: Path, text: str, *more: str, method: str = "Open", field: str = "width") -> None:
    """Write the script of a component, further scripts, and a scene in which an event calls the component."""
    put(root, DOOR, text, SCRIPT)
    for number, other in enumerate(more):
        put(root, f"Assets/Scripts/More{number}.cs", other, SCRIPT)
    called = f"""  onClick:
    m_PersistentCalls:
      m_Calls:
      - m_Target: {{fileID: 30}}
        m_MethodName: {method}
        m_CallState: 2
"""
    door = component(114, 30, 10, "MonoBehaviour", script_of(guid_of(DOOR)) + f"  m_Name: \n  {field}: 1\n")
    put(root, SCENE, HEAD + game_object(10, "Hall", 0, door + component(114, 31, 10, "MonoBehaviour", called)))


def write_version(root: Path, version: str) -> None:
    (root / "ProjectSettings/ProjectVersion.txt").write_text(f"m_EditorVersion: {version}\n")


def found(root: Path, code: str) -> list[Finding]:
    project = open_project(str(root), str(root.parent / "out"))
    try:
        return [item for item in check_project(project, Selection(select=(code,))).findings if item.code == code]
    finally:
        project.close()


# --- script-class


def test_a_class_without_its_base(root: Path) -> None:
    write_door(root, "// moved\nclass Door { }")
    (finding,) = found(root, "script-class")
    assert (finding.path, finding.line, finding.asset, finding.severity) == (DOOR, 2, guid_of(DOOR), "error")
    assert finding.message == (
        f"Door derives from neither MonoBehaviour nor ScriptableObject, but it is the script of a component or asset in"
        f" {SCENE}"
    )


@pytest.mark.parametrize(
    "sources",
    [
        ("class Door : Panel { }", "class Panel { }"),
        ("class Door : Panel, IThing { }", "class Panel : Base<int> { }", "namespace A { }\nclass Base<T> { }"),
        ("class Door : IThing { }", "interface IThing { }"),
        ("class Door : System.IDisposable { }",),
        ("using System; class Door : IDisposable { } class Other : Missing { }",),
        ("struct Door { }",),
        ("using B; namespace A { class Door : Panel { } }", "namespace B { class Panel { } }"),
        ("namespace A.B { class Door : Panel { } }", "namespace A { class Panel { } }"),
        ("class Door // : MonoBehaviour\n{ }",),
        ("class Door { }", "namespace Other { class Door : MonoBehaviour { } }"),
        ("namespace Own { class Door { } }", "class Door : MonoBehaviour { }"),
        ("class Door { }", "class Outer { class Door : MonoBehaviour { } }"),
        ("class Outer { class Door { } }",),
        ("class Outer { class Door : MonoBehaviour { } }",),
    ],
)
def test_a_class_that_surely_is_no_component(root: Path, sources: tuple[str, ...]) -> None:
    write_door(root, *sources)
    assert [finding.path for finding in found(root, "script-class")] == [DOOR]


@pytest.mark.parametrize(
    "sources",
    [
        ("",),
        ("// nothing here\n",),
        ("class Door : MonoBehaviour { }",),
        ("class Door : UnityEngine.ScriptableObject { }",),
        ("class Door : Vendor { }",),
        ("class Door : Panel { }", "class Panel : MonoBehaviour { }"),
        ("class Door : Panel<Door> { }", "abstract class Panel<T> : MonoBehaviour where T : class { }"),
        ("class Door : Panel { }", "class Panel : Vendor { }"),
        ("class Door : Panel { }", "namespace A { class Panel { } }", "namespace B { class Panel { } }"),
        ("class Door : Panel { }", "namespace Elsewhere { class Panel { } }"),
        ("using Panel = Vendor.Panel; class Door : Panel { }", "class Panel { }"),
        ("class Door : MonoBehaviour { }", "namespace Other { class Door { } }"),
        ("class Door { }", "class Door : MonoBehaviour { }"),
        ("partial class Door { }", "partial class Door : MonoBehaviour { }"),
        ("partial class Door { }",),
        ("class Door\n#if A\n : MonoBehaviour\n#endif\n{ }",),
        ("#if A\nclass Door : MonoBehaviour {\n#else\nclass Door {\n#endif\n}",),
        ("class Door {",),
        ("class Outer : MonoBehaviour { class Door { } }",),
        ("class Door : Door { }",),
        ("class Door : Panel { }", "class Panel : Door { }"),
    ],
)
def test_nothing_is_said_of_what_may_be_a_component(root: Path, sources: tuple[str, ...]) -> None:
    write_version(root, "2022.3.10f1")
    write_door(root, *sources)
    assert found(root, "script-class") == []


def test_a_script_that_nothing_has_need_not_be_a_component(root: Path) -> None:
    put(root, DOOR, "class Door { }", SCRIPT)
    put(root, "Assets/Data/Icon.asset", scriptable("Assets/Scripts/Item.cs", "I", f"  icon: {guid_of(DOOR)}\n"), NATIVE)
    assert found(root, "script-class") == []


def test_partial_classes_are_whole_where_no_generator_adds_to_them(root: Path) -> None:
    write_door(root, "partial class Door { }", "partial class Door { void Open() { } }")
    write_version(root, "2020.3.10f1")
    assert [finding.path for finding in found(root, "script-class")] == [DOOR]
    write_version(root, "2021.2.0f1")
    assert found(root, "script-class") == []


@pytest.mark.parametrize(
    ("version", "text", "count"),
    [
        ("2019.4.1f1", "class Gate : MonoBehaviour { }", 1),
        ("2021.3.23f1", "class Gate : MonoBehaviour { }", 1),
        ("2022.1.0f1", "class Gate : MonoBehaviour { }", 0),
        ("2022.3.18f1", "class Gate : MonoBehaviour { }", 0),
        ("2022.3.18f1", "class Gate : MonoBehaviour { } class Data { }", 0),
        ("2022.3.18f1", "class Gate : MonoBehaviour { } class Lock : MonoBehaviour { }", 1),
        ("2022.3.18f1", "class Gate { }", 1),
        ("2022.3.1f1", "class door : MonoBehaviour { }", 0),
        ("2022.3.1f1", "enum Door { }", 1),
        ("2022.3.1f1", "enum Gate { }", 0),
        ("2023.1.1f1", "class Gate : MonoBehaviour { }", 0),
        ("6000.0.1f1", "class Gate : MonoBehaviour { }", 0),
        ("6000.0.1f1", "class Gate : Vendor { }", 0),
        ("6000.0.1f1", "class Gate { }", 1),
        ("6000.0.1f1", "class Gate { } class Lock : MonoBehaviour { }", 0),
    ],
)
def test_the_name_of_the_file_counts_as_the_version_has_it(root: Path, version: str, text: str, count: int) -> None:
    write_version(root, version)
    write_door(root, text)
    assert len(found(root, "script-class")) == count


@pytest.mark.parametrize("version", ["2019.4.1f1", "2022.3.1f1", "6000.0.1f1"])
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("public abstract class Door : MonoBehaviour { }", "abstract"),
        ("static class Door { }", "abstract or static"),
        ("class Door<T> : MonoBehaviour { }", "generic"),
        ("namespace A { abstract class Door : Vendor { } }", "abstract"),
    ],
)
def test_no_component_is_made_of_some_classes(root: Path, version: str, text: str, word: str) -> None:
    write_version(root, version)
    write_door(root, text)
    (finding,) = found(root, "script-class")
    assert f"Door is {word}" in finding.message


@pytest.mark.parametrize("version", ["2019.4.1f1", "2022.3.1f1", "6000.0.1f1"])
def test_a_class_inside_another_is_no_component(root: Path, version: str) -> None:
    write_version(root, version)
    write_door(root, "class House {\n  public class Door : MonoBehaviour { }\n}\n")
    (finding,) = found(root, "script-class")
    assert (finding.line, finding.message.partition(",")[0]) == (2, "Door is inside another class")


@pytest.mark.parametrize(
    ("version", "sources"),
    [
        ("2022.3.1f1", ("class House : MonoBehaviour { class Door : MonoBehaviour { } }",)),  # the only one of the file
        ("2019.4.1f1", ("class House { class Door { } } class Door : MonoBehaviour { }",)),
        ("2019.4.1f1", ("class House { class Door { } }", "class Door : MonoBehaviour { }")),
        ("2019.4.1f1", ("class Door : MonoBehaviour { class Door2 : MonoBehaviour { } }",)),
    ],
)
def test_a_class_inside_another_beside_one_that_fits(root: Path, version: str, sources: tuple[str, ...]) -> None:
    write_version(root, version)
    write_door(root, *sources)
    assert found(root, "script-class") == []


def test_two_classes_of_one_name_are_not_judged_by_one(root: Path) -> None:
    write_version(root, "2022.3.1f1")
    write_door(root, "namespace A { abstract class Door { } } namespace B { class Door : MonoBehaviour { } }")
    assert found(root, "script-class") == []


def test_a_class_that_moved_to_another_file_is_not_judged(root: Path) -> None:
    write_version(root, "2022.3.1f1")
    write_door(root, "class Gate : MonoBehaviour { }", "class Door : MonoBehaviour { }")
    assert found(root, "script-class") == []


@pytest.mark.parametrize(
    ("other", "count"),
    [
        ("namespace TMPro.Examples { class Door : MonoBehaviour { } }", 1),
        ("namespace Game { class Door : MonoBehaviour { } }", 0),
        ("namespace TMPro.Examples { class Door : MonoBehaviour {", 0),
    ],
)
def test_a_class_of_another_namespace_is_another(root: Path, other: str, count: int) -> None:
    write_version(root, "2020.3.1f1")
    write_door(root, "namespace Game { class Gate : MonoBehaviour { } }", other)
    assert len(found(root, "script-class")) == count


# --- missing-method


def test_a_method_that_was_renamed(root: Path) -> None:
    write_door(root, MONO + "{ public void Unlock() { } }")
    (finding,) = found(root, "missing-method")
    assert (finding.path, finding.anchor, finding.target) == (SCENE, 31, guid_of(DOOR))
    assert finding.object_path == "Hall (MonoBehaviour)"
    assert finding.property_path == "onClick.m_PersistentCalls.m_Calls[0].m_MethodName"
    assert finding.message == f"an event calls Door.Open, which neither {DOOR} nor a base class declares"
    assert (root / SCENE).read_text().splitlines()[finding.line - 1].strip() == "m_MethodName: Open"


@pytest.mark.parametrize(
    ("sources", "method"),
    [
        ((MONO + "{ }",), "set_Locked"),
        ((MONO + '{ void Shut() { Open(); } string Open2 = "void Open()"; }',), "Open"),
        (("class Door : Panel { }", "class Panel : MonoBehaviour { void Shut() { } }"), "Open"),
        ((MONO + "{ class Inner { void Open() { } } }",), "Open"),
        ((MONO + "{ }", "class Other { void Open() { } }"), "Open"),
    ],
)
def test_a_method_that_surely_is_not_there(root: Path, sources: tuple[str, ...], method: str) -> None:
    write_door(root, *sources, method=method)
    assert [finding.path for finding in found(root, "missing-method")] == [SCENE]


@pytest.mark.parametrize(
    ("sources", "method"),
    [
        ((MONO + "{ void Open() { } }",), "Open"),
        ((MONO + "{ static internal T Open<T>(T a) => a; }",), "Open"),
        ((MONO + "{ public bool Locked { get; set; } }",), "set_Locked"),
        ((MONO + "{ public bool Locked => true; }",), "get_Locked"),
        ((MONO + "{ }",), "set_enabled"),
        ((MONO + "{ }",), "StopAllCoroutines"),
        (("class Door : Panel { }", "class Panel : MonoBehaviour { void Open() { } }"), "Open"),
        (("class Door : Panel<int> { }", "class Panel<T> : MonoBehaviour { void Open() { } }"), "Open"),
        (("class Door : Vendor { }",), "Open"),
        (("class Door : Panel { }", "class Panel : Vendor { }"), "Open"),
        (("partial class Door : MonoBehaviour { }", "partial class Door { void Open() { } }"), "Open"),
        ((MONO + "{\n#if A\nvoid Open() { }\n#endif\n}",), "Open"),
        (("",), "Open"),
        ((MONO + "{",), "Open"),
        (("class Door { }",), "Open"),
        (("class Gate : MonoBehaviour { }",), "Open"),
        (("class Door : MonoBehaviour { }", "class MonoBehaviour : Vendor { }"), "Open"),
    ],
)
def test_nothing_is_said_of_a_method_that_may_be_there(root: Path, sources: tuple[str, ...], method: str) -> None:
    write_version(root, "2020.3.1f1")
    write_door(root, *sources, method=method)
    assert found(root, "missing-method") == []


def test_a_call_of_a_scriptable_object_in_another_file(root: Path) -> None:
    put(root, DOOR, "class Door : ScriptableObject { }", SCRIPT)
    put(root, "Assets/Data/Door.asset", scriptable(DOOR, "Door"), NATIVE)
    target = f"{{fileID: 11400000, guid: {guid_of('Assets/Data/Door.asset')}, type: 2}}"
    events = (
        f"  onClick:\n    m_PersistentCalls:\n      m_Calls:\n      - m_Target: {target}\n        m_MethodName: Open\n"
    )
    events += "        m_CallState: 2\n"
    item = script_of(guid_of("Assets/Scripts/Item.cs"))
    put(root, SCENE, HEAD + game_object(10, "Hall") + component(114, 31, 10, "MonoBehaviour", item + events))
    assert [finding.anchor for finding in found(root, "missing-method")] == [31]


# --- stale-field


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ("float height;", "width"),
        ("", "width"),
        ("", "<Width>k__BackingField"),
        ("float Width => 1; class Inner { float width; }", "width"),
    ],
)
def test_a_value_whose_field_is_gone(root: Path, body: str, field: str) -> None:
    write_door(root, MONO + f"{{ {body} }}", field=field)
    (finding,) = found(root, "stale-field")
    assert (finding.path, finding.anchor, finding.property_path) == (SCENE, 30, field)
    assert (root / SCENE).read_text().splitlines()[finding.line - 1].strip() == f"{field}: 1"


@pytest.mark.parametrize(
    ("sources", "field"),
    [
        ((MONO + "{ [SerializeField] float width; }",), "width"),
        ((MONO + "{ public float height = 2, width = 1; }",), "width"),
        ((MONO + '{ [FormerlySerializedAs("width")] public float height; }',), "width"),
        ((MONO + '{ [SerializeField]\n[FormerlySerializedAs("width"), Min(1)] float height; }',), "width"),
        ((MONO + "{ [SerializeReference] object width; }",), "width"),
        ((MONO + "{ [field: SerializeField] public float Width { get; private set; } }",), "<Width>k__BackingField"),
        (("class Door : Panel { }", "class Panel : MonoBehaviour { protected float width; }"), "width"),
        (("class Door : Vendor { }",), "width"),
        ((MONO + "{\n#if A\nfloat width;\n#endif\n}",), "width"),
        ((MONO + "{ [FormerlySerializedAs(Names.Old)] float height; }",), "width"),
        (("",), "width"),
        ((MONO + "{ }",), "m_EditorClassIdentifier"),
    ],
)
def test_nothing_is_said_of_a_value_that_may_be_read(root: Path, sources: tuple[str, ...], field: str) -> None:
    write_door(root, *sources, field=field)
    assert found(root, "stale-field") == []


def test_stale_fields_are_off(root: Path) -> None:
    write_door(root, MONO + "{ void Open() { } }")
    project = open_project(str(root), str(root.parent / "out"))
    assert check_project(project, Selection()).findings == ()
    project.close()


def test_a_script_of_a_duplicate_is_not_judged_by_the_file_of_another(root: Path) -> None:
    write_door(root, MONO + "{ void Open() { } }")
    put(root, "Assets/Other/Door.cs", "class Door { }", SCRIPT)
    put_meta(root, "Assets/Other/Door.cs", SCRIPT, guid_of(DOOR))
    assert [finding for finding in found(root, "script-class") if finding.path == DOOR] == []


@pytest.mark.parametrize(
    ("parameters", "mode", "said"),
    [
        ("", 1, ""),
        ("int count", 3, ""),
        ("string name", 5, ""),
        ("bool isOpen", 6, ""),
        ("GameObject other", 2, ""),
        ("Vector2 at", 0, ""),  # the event passes its own value, of a type that no file names
        ("int count", 1, "takes (int), and the event passes nothing"),
        ("int count = 0", 1, "takes (int), and the event passes nothing"),
        ("", 3, "takes (), and the event passes a number"),
        ("float count", 3, "takes (float), and the event passes a number"),
        ("string[] names", 5, "takes (string[]), and the event passes a text"),
        ("List<string> names", 5, "takes (List<string>), and the event passes a text"),
        ("string name, int count", 5, "takes (string, int), and the event passes a text"),
    ],
)
def test_a_method_that_takes_other_arguments(root: Path, parameters: str, mode: int, said: str) -> None:
    write_door(root, MONO + "{ int width; public void Open(" + parameters + ") { } }")
    text = (root / SCENE).read_text().replace("        m_CallState", f"        m_Mode: {mode}\n        m_CallState")
    (root / SCENE).write_text(text)
    messages = [finding.message for finding in found(root, "missing-method")]
    assert messages == ([f"an event calls Door.Open, which {said}"] if said else [])


def test_one_of_several_methods_may_take_the_argument(root: Path) -> None:
    write_door(root, MONO + "{ int width; public void Open() { } public void Open(int a) { } }")
    text = (root / SCENE).read_text().replace("        m_CallState", "        m_Mode: 1\n        m_CallState")
    (root / SCENE).write_text(text)
    assert found(root, "missing-method") == []
