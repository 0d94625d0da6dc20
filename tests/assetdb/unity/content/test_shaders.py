"""Shaders in text: the name, and what they need."""

from __future__ import annotations

import json

import pytest

from assetdb.unity.content.shaders import Need, read_shader, shader_of

SHADER = b"""// Shader "Old/Name"
/* #include "no.cginc"
*/
Shader "Studio/Water" {
  SubShader {
    UsePass "Studio/Base/FORWARD"
    CGPROGRAM
    # include "Lib/Waves.cginc"
    #include_with_pragmas "Pragmas.hlsl"
    // #include "commented.cginc"
    ENDCG
  }
  FallBack "Diffuse"
}
"""


def test_a_shader_has_a_name_and_needs() -> None:
    shader = read_shader(SHADER)
    assert shader.name == "Studio/Water"
    assert shader.needs == (
        Need("usepass", "Studio/Base/FORWARD", 6),
        Need("include", "Lib/Waves.cginc", 8),
        Need("include", "Pragmas.hlsl", 9),
        Need("fallback", "Diffuse", 13),
    )
    assert shader_of(json.loads(json.dumps(shader))) == shader
    assert read_shader(b"\n" + SHADER).needs[0].line == 7


def test_no_space_is_needed_in_front_of_a_name() -> None:
    shader = read_shader(b'Shader"Custom/Water"\n{\n  UsePass"A/B"\n  #include"Waves.cginc"\n  Fallback"Diffuse"\n}')
    assert shader.name == "Custom/Water"
    assert [need[:2] for need in shader.needs] == [
        ("usepass", "A/B"),
        ("include", "Waves.cginc"),
        ("fallback", "Diffuse"),
    ]


def test_a_byte_order_mark_is_no_part_of_the_name() -> None:
    """TMP_SDF SSD.shader of pixel-adventure begins with one."""
    marked = read_shader(b'\xef\xbb\xbfShader "Studio/Water" {}')
    assert marked.name == "Studio/Water"
    assert read_shader(b'\xef\xbb\xbf#include "a.cginc"').needs == (Need("include", "a.cginc", 1),)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b'x = "Shader"', b'  MyShader "A" {}', b"/*" * 1000])
def test_other_texts_have_none(data: bytes) -> None:
    assert read_shader(data) == ("", ())
