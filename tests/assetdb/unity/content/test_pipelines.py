"""Pipeline assets as Unity writes them, and cameras with a renderer."""

from __future__ import annotations

import pytest

from assetdb.unity.content.pipelines import Pipeline, cameras_of, pipeline_of, read_cameras, read_pipeline

CAMERA = "a79441f348de89743a2939f4d699eac1"
HEAD = b"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_RendererData: {fileID: 0}\n"


def test_rows_of_a_list() -> None:
    data = HEAD + (
        b"  m_RendererDataList:\n  - {fileID: 11400000, guid: 8673555d55cf23040a45768b828f0ca9,\n    type: 2}\n"
        b"  - {fileID: 0}\n  m_DefaultRendererIndex: 1\n  m_Other:\n  - {fileID: 0}\n"
    )
    found = read_pipeline(data)
    assert [(data[at : at + 8], is_none) for at, is_none in found.rows] == [(b"{fileID:", False), (b"{fileID:", True)]
    assert found.default == 1
    assert pipeline_of([[list(row) for row in found.rows], found.default]) == found


@pytest.mark.parametrize("data", [b"", HEAD, HEAD + b"  m_RendererDataList: []\n", b"\0" * 100])
def test_no_list_has_no_rows(data: bytes) -> None:
    assert read_pipeline(data) == Pipeline((), 0)


def test_only_the_camera_of_the_pipeline_has_an_index_of_its_renderers() -> None:
    text = "".join(
        f"--- !u!114 &{number}\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n"
        f"  m_RendererIndex: {index}\n"
        for number, (script, index) in enumerate([(CAMERA, 1), ("0" * 32, 2), (CAMERA, -1), (CAMERA, 3)])
    ).encode()
    found = read_cameras(text)
    assert [index for _, index in found] == [1, 3]
    assert [text[at : at + 15] for at, _ in found] == [b"m_RendererIndex"] * 2
    assert cameras_of([list(row) for row in found]) == found
