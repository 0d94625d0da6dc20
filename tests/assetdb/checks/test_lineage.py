"""What a class derives from is told where the sources prove it, and there alone."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.lineage import Sources
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.healthy import SCRIPT, guid_of, put

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

UNITY = "using UnityEngine; "


@contextmanager
def sources(root: Path, *texts: str, version: str = "") -> Iterator[Sources]:
    """Write files ``Assets/A.cs``, ``Assets/B.cs`` and so on, and open them."""
    (root / "ProjectSettings").mkdir()
    if version:
        (root / "ProjectSettings/ProjectVersion.txt").write_text(f"m_EditorVersion: {version}\n")
    for letter, text in zip("ABCDEF", texts, strict=False):
        put(root, f"Assets/{letter}.cs", text, SCRIPT)
    project = open_project(str(root), str(root.parent / "out"))
    try:
        yield Sources(View(memo_of(project).inputs(project)))
    finally:
        project.close()


def lineage(root: Path, *texts: str, version: str = "2020.3.1f1", name: str = "Own") -> tuple[list[str], str] | None:
    """Return the names and the end of the lineage of a class in the first file."""
    with sources(root, *texts, version=version) as found:
        row = found.lineage("Assets/A.cs", name)
        return ([each.name for each in row.declarations], row.end) if row is not None else None


@pytest.mark.parametrize(
    ("texts", "names", "end"),
    [
        ((UNITY + "class Own : MonoBehaviour {}",), ["Own"], "MonoBehaviour"),
        (("class Own : UnityEngine.ScriptableObject {}",), ["Own"], "ScriptableObject"),
        (("class Own {}",), ["Own"], "object"),
        (("class Own : IDisposable {}",), ["Own"], "object"),
        (("struct Own {}",), ["Own"], "object"),
        ((UNITY + "class Own : Base {}", UNITY + "class Base : MonoBehaviour {}"), ["Own", "Base"], "MonoBehaviour"),
        (
            (UNITY + "class Own : Base, IMine {}", UNITY + "class Base : MonoBehaviour {}", "interface IMine {}"),
            ["Own", "Base"],
            "MonoBehaviour",
        ),
        (("class Own : IMine {}", "interface IMine {}"), ["Own"], "object"),
        (
            (UNITY + "partial class Own {}", UNITY + "partial class Own : MonoBehaviour {}"),
            ["Own", "Own"],
            "MonoBehaviour",
        ),
        # A namespace is seen from within, from below, by `using`, and by a qualifier that is relative to these.
        (("namespace N.M { class Own : Base {} }", "namespace N { class Base {} }"), ["Own", "Base"], "object"),
        (("using N; class Own : Base {}", "namespace N { class Base {} }"), ["Own", "Base"], "object"),
        (("class Own : N.Base {}", "namespace N { class Base {} }"), ["Own", "Base"], "object"),
        (("namespace N { class Own : M.Base {} }", "namespace N.M { class Base {} }"), ["Own", "Base"], "object"),
        (("class Own : Base<int> {}", "class Base<T> {}"), ["Own", "Base"], "object"),
        # A class of another namespace, another arity or within a class is another class.
        (("class Own {}", "namespace N { class Own : MonoBehaviour {} }"), ["Own"], "object"),
        (("class Own {}", UNITY + "class Own<T> : MonoBehaviour {}"), ["Own"], "object"),
        (("class Own {}", UNITY + "class Outer { class Own : MonoBehaviour {} }"), ["Own"], "object"),
    ],
)
def test_a_lineage_that_the_sources_prove_is_told(
    root: Path, texts: tuple[str, ...], names: list[str], end: str
) -> None:
    assert lineage(root, *texts) == (names, end)


@pytest.mark.parametrize(
    "texts",
    [
        ("class Other {}",),  # it is not there
        ("class Own {} class Own<T> {}",),  # two types have the name
        ("class Own {}", "class Own {}"),  # in two files, and not partial
        ("class Outer { class Own {} }",),
        ("class Own : Base {}",),  # a package's
        ("class Own : Base {}", "namespace N { class Base {} }"),  # not visible
        ("class Own : M.Base {}", "namespace N { class Base {} }"),
        ("class Own : Base {}", "class Base<T> {}"),  # another arity
        ("class Own : Base {}", "struct Base {}"),
        ("class Own : Base {}", "class Outer { class Base {} }"),
        ("class Own : Base {}", "class Base {}", "namespace N { class Base {} }"),
        ("class Own : Own {}",),  # a circle
        ("class Own : Base {}", "class Base : Own {}"),
        ("using Base = System.Object; class Own : Base {}",),
        ("using N = System; class Own : N.Base {}", "class Base {}"),
        ("class Own : MonoBehaviour<int> {}",),
        ("class Own : Other.MonoBehaviour {}",),
        ("class Own : MonoBehaviour {}", "class MonoBehaviour {}"),  # a class of the project has the engine's name
        (UNITY + "partial class Own : MonoBehaviour {}", "partial class Own : ScriptableObject {}"),
        (UNITY + "partial class Own : MonoBehaviour {}", "partial class Own : Base {}", "class Base {}"),
        ('class Own { string s = "',),  # unclear
        ("class Own {}", 'class Own { string s = "'),
        ("class Own {}", "#if A\nnamespace N {\n#endif\nclass Own {}\n#if A\n}\n#endif"),
        ("class Own : Base {}", 'class Base { string s = "'),
    ],
)
def test_any_ambiguity_ends_the_proof(root: Path, texts: tuple[str, ...]) -> None:
    assert lineage(root, *texts) is None


@pytest.mark.parametrize(
    ("version", "is_proven"), [("2020.3.1f1", True), ("2021.1.9f1", True), ("2021.2.0f1", False), ("6000.0.1f1", False)]
)
def test_a_partial_type_may_be_extended_since_there_are_generators(
    root: Path, version: str, *, is_proven: bool
) -> None:
    found = lineage(root, UNITY + "partial class Own : MonoBehaviour {}", version=version)
    assert found == ((["Own"], "MonoBehaviour") if is_proven else None)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "Game"
    made.mkdir()
    return made


def test_sources_are_the_scripts_by_guid_with_the_version_of_the_editor(root: Path) -> None:
    with sources(root, "class A {}", "class B : A {}", version="2021.3.45f1") as found:
        assert found.version == (2021, 3)
        assert found.paths == {guid_of(path): path for path in ("Assets/A.cs", "Assets/B.cs")}
        assert found.source("Assets/B.cs") is found.source("Assets/B.cs")
        assert [each.name for each in found.source("Assets/B.cs").types] == ["B"]
        assert found.mentions("B") == [("Assets/B.cs", "A")]
        assert found.mentions("A") == [("Assets/A.cs", "")]
        assert found.mentions("C") == []


@pytest.mark.parametrize(
    ("text", "may_be_component", "may_be_proven"),
    [
        ("class Own {}", False, True),
        ("class Own : IDisposable {}", False, True),
        ("class Own : MonoBehaviour {}", True, True),
        ("class Own : Base {}  class Base : ScriptableObject {}", True, True),
        ("class Own : Base {}  class Base {}", False, True),
        ("class Own : Elsewhere {}", True, False),
        ("class Own : Own {}", False, True),
        ("class Other {}", True, False),
    ],
)
def test_names_alone_tell_what_a_class_cannot_be(
    root: Path, text: str, *, may_be_component: bool, may_be_proven: bool
) -> None:
    with sources(root, text) as found:
        assert found.may_be_component("Own") == may_be_component
        assert found.may_be_proven("Own") == may_be_proven


def test_a_chain_of_thousands_of_classes_is_not_followed_to_its_end(tmp_path: Path) -> None:
    chain = "".join(f"class C{number} : C{number + 1} {{}} " for number in range(3_000))
    text = f"{UNITY}{chain} class C3000 : MonoBehaviour {{}}"
    (tmp_path / "Game").mkdir()
    with sources(tmp_path / "Game", text) as found:
        assert found.lineage("Assets/A.cs", "C2950") is not None
        assert found.lineage("Assets/A.cs", "C0") is None
        assert found.may_be_component("C0")
        assert not found.may_be_proven("C0")
        assert found.may_be_proven("C2950")
