"""Files that shaders include, and names that two shaders have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.content.shaders import find_duplicates, find_fallbacks, find_includes
from tests.assetdb.checks.healthy import put
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "is_found"),
    [
        ("./Gone.cginc", True),
        ("../Lib/Gone.hlsl", True),
        ("Assets/Lib/Gone.hlsl", True),
        ("../Lib/There.hlsl", False),
        ("Assets/Lib/There.hlsl", False),
        ("Beside.cginc", False),
        ("UnityCG.cginc", False),  # of the engine
        ("Packages/com.unity.core/Gone.hlsl", False),  # of another machine
        ("../../../Gone.hlsl", False),  # outside of the project
        ("./There.hlsl", False),  # there is one of the name: a search path may lead there
    ],
)
def test_included_files(tmp_path: Path, name: str, is_found: bool) -> None:  # noqa: FBT001 - a row
    root = tmp_path / "Game"
    put(root, "Assets/Lib/There.hlsl", "x")
    put(root, "Assets/Art/Beside.cginc", "x")
    put(root, "Assets/Art/A.shader", f'Shader "A" {{\n#include "{name}"\n}}')
    found = [(finding.path, finding.line, finding.target) for finding in found_by(find_includes, root)]
    assert found == ([("Assets/Art/A.shader", 2, name)] if is_found else [])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('#include "Gone.cginc"', 1),
        ('#include "Lib/Gone.hlsl"', 1),
        ('#ifndef A_INCLUDED\n#define A_INCLUDED\n#include "Gone.cginc"\n#endif', 3),
        ('#if A\n#endif\n#include_with_pragmas "Gone.hlsl"', 3),
        ('#if A\n#include "Gone.cginc"\n#endif', 0),
        ('#ifndef A\n#else\n#include "Gone.cginc"\n#endif', 0),
        ('#if A\n#elif B\n#include "Gone.cginc"\n#endif\n#endif', 0),
        ('#if A\n#else\n#endif\n#endif\n#include "Gone.cginc"', 5),
        ('# ifdef A\n# if B\n# endif\n#include "Gone.cginc"\n#endif', 0),
        ('#include "UnityCG.cginc"\n#include "HLSLSupport.cginc"\n#include "TerrainEngine.cginc"', 0),
        ('#include "Library.inc"\n#include "Beside.txt"', 0),  # the first is elsewhere, where a search path may lead
        ('#define A\n#ifndef A\n#include "Gone.cginc"\n#endif', 0),  # no guard: the file is left out
        ('# ifndef A\n\n# define A\n#ifndef B\n#define A\n#include "Gone.cginc"\n#endif\n#endif', 0),
        ('#include "CoreRP/ShaderLibrary/Common.hlsl"\n#include "LWRP/ShaderLibrary/Core.hlsl"', 0),
        ('#include "Shared/Common.txt"\n#include "Shared/Gone.txt"', 2),
        ('#include "/Gone.cginc"\n#include "C:/Gone.cginc"', 0),
    ],
)
@pytest.mark.parametrize("name", ["A.hlsl", "A.cginc", "A.SHADER"])
def test_files_that_are_included_by_their_names_alone(tmp_path: Path, name: str, text: str, line: int) -> None:
    root = tmp_path / "Game"
    put(root, "Assets/Lib/Library.inc", "x")
    put(root, "Assets/Art/Beside.txt", "x")
    put(root, "Shared/Common.txt", "x")
    put(root, f"Assets/Art/{name}", text.replace("\n", "\r\n"))
    assert [finding.line for finding in found_by(find_includes, root)] == [line] * bool(line)


def test_a_shader_with_an_extension_in_capitals_is_one(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    put(root, "Assets/Old.SHADER", 'Shader "Studio/Old" {\n#include "./Gone.cginc"\n}')
    put(root, "Assets/New.shader", 'Shader "Studio/New" {\n Fallback "Studio/Old"\n}')
    put(root, "Assets/Copy.shader", 'Shader "Studio/Old" {}')
    assert [finding.path for finding in found_by(find_includes, root)] == ["Assets/Old.SHADER"]
    assert {finding.path for finding in found_by(find_duplicates, root)} == {"Assets/Old.SHADER", "Assets/Copy.shader"}
    (root / "Assets/Copy.shader").unlink()
    assert found_by(find_fallbacks, root) == []


def test_shaders_of_one_name(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    for path, name in (("A", "X/One"), ("B", "X/One"), ("C", "X/Two"), ("D", "")):
        put(root, f"Assets/{path}.shader", f'Shader "{name}" {{}}' if name else "// nothing")
    assert sorted((finding.path, finding.target) for finding in found_by(find_duplicates, root)) == [
        ("Assets/A.shader", "X/One"),
        ("Assets/B.shader", "X/One"),
    ]


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ('Fallback "Studio/Gone"', "Studio/Gone"),
        ('FallBack "studio/water"', ""),
        ('UsePass "Studio/Gone/OUTLINE"', "Studio/Gone"),
        ('UsePass "Studio/Water/OUTLINE"', ""),
        ('Fallback "Mobile/VertextLit"', "Mobile/VertextLit"),  # of GoogleVR's VideoDemoInsideShader.shader
        ('Fallback "Mobile/VertexLit"', ""),
        ('Fallback "Vendor/Gone"', ""),  # maybe of a package
        ('Fallback "Gone"', ""),
        ("Fallback Off", ""),
        ('// Fallback "Studio/Gone"', ""),
    ],
)
def test_shaders_that_others_name(tmp_path: Path, line: str, target: str) -> None:
    root = tmp_path / "Game"
    put(root, "Assets/A.shader", f'Shader "Studio/Water" {{\n{line}\n}}')
    found = [(finding.line, finding.target) for finding in found_by(find_fallbacks, root)]
    assert found == ([(2, target)] if target else [])
