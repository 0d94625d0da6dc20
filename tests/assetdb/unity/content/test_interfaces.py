"""Paths and templates in UI documents and style sheets."""

from __future__ import annotations

import time

import pytest

from assetdb.unity.content.interfaces import Named, interface_of, read_interface

GUID = "guid=0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("A { b: url('../x.png') }", "../x.png"),
        ('A { b: url("x%20y.png") }', "x y.png"),
        ("A { b: url( /Assets/x.png ) }", "/Assets/x.png"),
        ("A { b: url('project://database/Assets/x.png') }", "/Assets/x.png"),
        ("A { b: url('project:///Assets/x.png#part') }", "/Assets/x.png"),
        (f"A {{ b: url('project://database/Assets/x.png?fileID=1&{GUID}') }}", ""),
        ("A { b: url('unity-theme://default') }", ""),
        ("A { b: resource('Icons/x') }", ""),
        ("/* url('x.png') */", ""),
        ("@import 'other.uss';", "other.uss"),
        ('<Style src="a.uss" />', "a.uss"),
        ("<ui:Template\n name='A' src='a&amp;b.uxml'/>", "a&b.uxml"),
        ('<!-- <Style src="a.uss" /> -->', ""),
        ('<Image src="a.uss" />', ""),
        ('\ufeff\n<UXML><Label text="image/*" /><Style src="a.uss" /></UXML>', "a.uss"),
        (f'<Style src="project://database/Assets/a.uss?{GUID}" />', ""),
        ('<E style="b: url(&quot;x.png&quot;)" />', "x.png"),
    ],
)
def test_paths(text: str, path: str) -> None:
    assert [row.name for row in read_interface(text.encode()).paths] == ([path] if path else [])


def test_lines_and_templates() -> None:
    declared = '<ui:Template name="A" src="a.uxml" />'
    text = f'<UXML>\n<!--\n-->\n{declared}\n<ui:Instance template="A"/>\n<Instance template="B"/>'
    found = read_interface(text.encode())
    assert found.paths == (Named("a.uxml", 4),)
    assert found.declared == ("A",)
    assert found.used == (Named("A", 5), Named("B", 6))
    rows = [[list(row) for row in found.paths], list(found.declared), [list(row) for row in found.used]]
    assert interface_of(rows) == found


def test_lines_of_thousands_of_paths_are_counted_once() -> None:
    data = b"A { b: url('x.png') }\n" * 100_000
    start = time.process_time()
    assert read_interface(data).paths[-1] == Named("x.png", 100_000)
    assert time.process_time() - start < 20  # it was minutes


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\0<", b"<Template " * 5000, b"url(" * 5000, b"<!--" * 5000])
def test_damaged_documents_have_an_answer(data: bytes) -> None:
    assert read_interface(data).used == ()
