"""A dependency is added and taken away, and every other byte of the manifest stays."""

from __future__ import annotations

import json

import pytest

from assetdb.unity.settings.manifest_edit import dependency_of, with_dependency, without_dependency
from assetdb_formats.binary import FormatError

NAME = "com.assetdb.unity"
UNITY = """{
  "dependencies": {
    "com.acme.tools": "1.0.0",
    "com.unity.ugui": "1.0.0"
  },
  "scopedRegistries": []
}
"""


def test_it_stands_in_the_order_of_names() -> None:
    row = f'    "{NAME}": "file:/x",\n'
    expected = UNITY.replace('    "com.unity.ugui"', row + '    "com.unity.ugui"')
    assert with_dependency(UNITY.encode(), NAME, "file:/x").decode() == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{\n  "dependencies": {\n    "a": "1"\n  }\n}', '{\n  "dependencies": {\n    "a": "1",\n    "b": "2"\n  }\n}'),
        ('{\n  "dependencies": {\n    "c": "1"\n  }\n}', '{\n  "dependencies": {\n    "b": "2",\n    "c": "1"\n  }\n}'),
        (
            '{\n\t"dependencies": {\n\t\t"a" : "1"\n\t}\n}',
            '{\n\t"dependencies": {\n\t\t"a" : "1",\n\t\t"b" : "2"\n\t}\n}',
        ),
        ('{"dependencies":{"a":"1"}}', '{"dependencies":{"a":"1", "b":"2"}}'),
        ('{"dependencies":{}}', '{"dependencies":{"b": "2"}}'),
        ('{\n  "dependencies": {}\n}\n', '{\n  "dependencies": {\n    "b": "2"\n  }\n}\n'),
        ('{\n  "x": 1\n}\n', '{\n  "dependencies": {\n    "b": "2"\n  },\n  "x": 1\n}\n'),
        ("{}", '{"dependencies": {"b": "2"}}'),
        (
            '{\r\n  "dependencies": {\r\n    "a": "1"\r\n  }\r\n}',
            '{\r\n  "dependencies": {\r\n    "a": "1",\r\n    "b": "2"\r\n  }\r\n}',
        ),
        ('\ufeff{"dependencies": {"b": "1"}}', '\ufeff{"dependencies": {"b": "2"}}'),
        ('{"dependencies": {"b": {"x": [1, "}"]}, "c": "3"}}', '{"dependencies": {"b": "2", "c": "3"}}'),
    ],
)
def test_the_style_of_the_file_is_kept(text: str, expected: str) -> None:
    assert with_dependency(text.encode(), "b", "2").decode() == expected
    assert dependency_of(expected.encode(), "b") == "2"
    again = without_dependency(expected.encode(), "b")
    assert "b" not in json.loads(again.decode("utf-8-sig"))["dependencies"]


@pytest.mark.parametrize(
    "text", [UNITY, UNITY.replace("\n", "\r\n"), UNITY.replace("  ", "\t"), '{"dependencies": {"a": "1", "z": "2"}}']
)
@pytest.mark.parametrize("name", ["a", "com.b", "zz"])
def test_taking_it_away_gives_the_file_from_before(text: str, name: str) -> None:
    if f'"{name}"' in text:
        return
    assert without_dependency(with_dependency(text.encode(), name, "1"), name).decode() == text
    assert without_dependency(text.encode(), name).decode() == text


def test_the_same_version_changes_nothing() -> None:
    data = with_dependency(UNITY.encode(), NAME, "file:/x")
    assert with_dependency(data, NAME, "file:/x") is data


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b'{"dependencies": {"a": "1",}}', "no JSON: "),
        (b'{\n // x\n"dependencies": {}}', "line 2"),
        (b"[]", "no object"),
        (b'{"dependencies": []}', "no object"),
        (b'{"dependencies": {"a": "1", "a": "2"}}', "'a' twice"),
        (b'{"dependencies": {}, "dependencies": {}}', "twice"),
        (b"\xff\xfe{\x00", "not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a": %b, "dependencies": {}}' % (b"9" * 5000), "a number that is too long"),
        (b'{%b"n": 1, "n": 1}' % b"".join(b'"a%d": 1, ' % n for n in range(40_000)), "'n' twice"),
        (b"<<<<<<< HEAD\n{}", "no JSON"),
    ],
)
def test_what_is_no_manifest_is_an_error(data: bytes, said: str) -> None:
    for edit in (lambda: with_dependency(data, NAME, "1"), lambda: without_dependency(data, NAME)):
        with pytest.raises(FormatError, match=said):
            edit()
