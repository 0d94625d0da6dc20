"""Values as Unity writes them: the reader has each, and so have get, find and ls."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb.contents.values import Scalar, read_values
from assetdb.unity.yaml.objects import TextObjects
from tests.assetdb.unity_project import HEAD, make_project, write

if TYPE_CHECKING:
    from pathlib import Path

FIELDS = "  m_GameObject: {fileID: 0}\n  m_Enabled: 1\n  m_Name: Own\n  m_EditorClassIdentifier: \n"
ENTRY = "    data:\n      first:\n        name: _{}\n      second: {}\n"
READ = {
    "number sign in the middle": ("  text: Door #1\n", "text", "Door #1"),
    "number sign at a word": ("  text: see #help now\n", "text", "see #help now"),
    "number sign in a tag": ("  text: <color #71AA7C>x</color>\n", "text", "<color #71AA7C>x</color>"),
    "number sign beside quotes": ('  text: The "Gate #1" sign\n', "text", 'The "Gate #1" sign'),
    "a further line begins with one": ("  text: one\n    # two\n    three\n", "text", "one # two three"),
    "number sign in quotes": ("  text: '#1'\n", "text", "#1"),
    "quoted by the old writer": ("  text: 'Door #75'\n", "text", "Door #75"),
    "number sign without a space": ("  text: C# file\n", "text", "C# file"),
    "number sign in an item": ("  list:\n  - a #1\n  - b #2\n", "list[1]", "b #2"),
    "a quote doubled": ("  text: 'it''s: so'\n", "text", "it's: so"),
    "empty single quotes": ("  text: ''\n", "text", ""),
    "empty double quotes": ('  text: ""\n', "text", ""),
    "spaces at both ends": ("  text: ' in '\n", "text", " in "),
    "JSON": ("  text: '{\"a\":1}'\n", "text", '{"a":1}'),
    "a path with an index": ("  propertyPath: m_Rows.Array.data[0]\n", "propertyPath", "m_Rows.Array.data[0]"),
    "dashes": ("  text: ------ Doors -----\n", "text", "------ Doors -----"),
    "question marks": ("  text: ??? why\n", "text", "??? why"),
    "a question": ("  text: Why?\n", "text", "Why?"),
    "colons without a space": ("  text: http://x.y/z:1\n", "text", "http://x.y/z:1"),
    "a dash before a word": ("  text: -bar\n", "text", "-bar"),
    "a colon before a word": ("  text: :grin\n", "text", ":grin"),
    "commas and brackets": ("  text: a, b, [c], {d}\n", "text", "a, b, [c], {d}"),
    "a tilde": ("  text: ~\n", "text", "~"),
    "null": ("  text: null\n", "text", "null"),
    "yes": ("  text: yes\n", "text", "yes"),
    "an underscore in digits": ("  text: 1_000\n", "text", "1_000"),
    "a date": ("  text: 2001-01-01\n", "text", "2001-01-01"),
    "an equals sign": ("  text: =\n", "text", "="),
    "a merge key": ("  text: <<\n", "text", "<<"),
    "a hard space": ("  text: a\u00a0b\n", "text", "a\u00a0b"),
    "a letter beyond ASCII": ("  text: caf\u00e9\n", "text", "caf\u00e9"),
    "a letter beyond 16 bits": ("  text: a \U0001f3f0\n", "text", "a \U0001f3f0"),
    "backslashes in plain text": ("  text: a\\nb \\U0001F3F0\n", "text", "a\\nb \\U0001F3F0"),
    "backslashes in single quotes": ("  text: 'a\\nb: c'\n", "text", "a\\nb: c"),
    "escapes of 16 bits": ('  text: "\\uD55C\\uAD6D_1"\n', "text", "\ud55c\uad6d_1"),
    "escapes of 8 bits": ('  text: "caf\\xE9"\n', "text", "caf\u00e9"),
    "named escapes": ('  text: "a\\tb\\nc\\rd\\Le\\_f\\\\g\\"h"\n', "text", 'a\tb\nc\rd\u2028e\u00a0f\\g"h'),
    "escaped controls": ('  text: "a\\0b\\x03"\n', "text", "a\0b\x03"),
    "folded": ("  text: one two\n    three four\n", "text", "one two three four"),
    "a further line with an apostrophe": ("  text: can't go\n    'n' stay\n", "text", "can't go 'n' stay"),
    "further lines with dashes": ("  text: one\n    - two\n    - three\n", "text", "one - two - three"),
    "a further line with a question": ("  text: one\n    two? yes\n", "text", "one two? yes"),
    "a folded item": ("  list:\n  - one\n    two\n  - three\n", "list[0]", "one two"),
    "folded in single quotes": ("  text: 'one: two\n    three'\n", "text", "one: two three"),
    "a line break": ("  text: 'one\n\n    two'\n", "text", "one\ntwo"),
    "two line breaks": ("  text: 'one\n\n\n    two'\n", "text", "one\n\ntwo"),
    "a quote closed in column 0": ("  text: 'one\n\n'\n", "text", "one\n"),
    "text like keys": ("  text: 'see\n\n    m_Name: no\n\n    guid: 0'\n", "text", "see\nm_Name: no\nguid: 0"),
    "text like a header": ("  text: 'a\n\n    --- !u!1 &5\n\n    b'\n", "text", "a\n--- !u!1 &5\nb"),
    "folded in double quotes": ('  text: "one \\u2019\n    two"\n', "text", "one \u2019 two"),
    "spaces before a fold": ('  text: "{\\r\\n   \n    \\"b\\": 1"\n', "text", '{\r\n    "b": 1'),
    "a space before a plain fold": ("  text: plan and \n    luck\n", "text", "plan and  luck"),
    "an escaped space": ('  text: "a\\u2019\n    \\ b"\n', "text", "a\u2019  b"),
    "a colon in a further line": ("  text: one\n    two: three\n    four\n", "text", "one two: three four"),
    "a key with a colon": ("  16:9: 1\n", "16:9", "1"),
    "a key with spaces": ("  far clip plane: 0.3\n", "far clip plane", "0.3"),
    "a key of a property": ("  <size>k__BackingField: 2\n", "<size>k__BackingField", "2"),
    "a key in quotes": ("  'm_Rows[0]': 1.5\n", "m_Rows[0]", "1.5"),
    "a row behind an empty key": ("  map:\n    : A;B\n    1: C\n", "map.1", "C"),
    "repeated data": (
        f"  m_Map:\n{ENTRY.format('A', 1)}{ENTRY.format('B', 2)}",
        "m_Map.data[1].second",
        "2",
    ),
    "lists in lists": ("  paths:\n  - - {x: 1, y: 2}\n    - {x: 3, y: 4}\n", "paths[0][1].x", "3"),
    "an empty value": ("  text:\n  b: c\n", "text", ""),
    "infinity": ("  i: -Infinity\n", "i", "-Infinity"),
    "minus zero": ("  f: -0\n", "f", "-0"),
    "a blob": ("  _typelessdata: 0011aaFF\n", "_typelessdata", "0011aaFF"),
    "digits that are no number": ("  b: 00000001000000e2\n", "b", "00000001000000e2"),
    "a bar": ("  text: |\n    a\n    b\n", "text", "| a b"),
    "an empty item": ("  layers:\n  - \n  - a\n", "layers[1]", "a"),
    "octal digits": ("  text: 010\n", "text", "010"),
    "a large number": ("  text: 9223372036854775807\n", "text", "9223372036854775807"),
}
"""Lines of an object, a property, and what Unity has there (from 2019.3 on)."""
REFUSED = {
    "a joined blob": '  text: "one\\\n    two\\u2019"\n',
    "a further line ends in a colon": "  text: one\n    two:\n    three\n",
    "an open quote": "  text: 'abc\n",
    "an unknown escape": '  text: "\\q"\n',
    "an open brace": "  ref: {fileID: 0\n",
}
REFUSED_BY_THE_OLD_READER = {
    "a colon and a space": "  text: a: b\n",
    "a tab": "\ttext: a\n",
    "a control character": '  text: "a\x03"\n',
    "text behind a quote": "  text: 'a' b\n",
}


SECOND = "--- !u!114 &2\nMonoBehaviour:\n  m_GameObject: {{fileID: 0}}\n  m_Enabled: 1\n{}"


def asset(lines: str) -> str:
    return f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{FIELDS}{lines}"


@pytest.mark.parametrize("name", READ)
def test_the_reader_has_the_value(name: str) -> None:
    lines, path, expected = READ[name]
    data = asset(lines).encode()
    found = {row.path: row.value for row in read_values(TextObjects(data).objects[11400000].body).rows}[path]
    assert isinstance(found, Scalar)
    assert found.text == expected


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make_project(tmp_path_factory.mktemp("values") / "P")
    rows = {**{name: lines for name, (lines, *_) in READ.items()}, **REFUSED, **REFUSED_BY_THE_OLD_READER}
    for number, (name, lines) in enumerate(rows.items(), 100):
        second = SECOND.format(lines.replace("text:", "m_Name:", 1)) if name in READ and "text:" in lines else ""
        write(root, f"Assets/Values/{name}.asset", number, asset(lines) + second)
    return root


def run(capsys: pytest.CaptureFixture[str], *words: str) -> list[Any]:
    """Return the JSON lines of a command."""
    assert main([*words, "--json", "-q"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("name", READ)
def test_get_shows_the_value(
    name: str, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    _, path, expected = READ[name]
    (answer,) = run(capsys, "get", f"Assets/Values/{name}.asset:11400000")
    value = {row["path"]: row["value"] for row in answer["properties"]}[path]
    assert str(value).replace("-0.0", "-0") == expected


@pytest.mark.parametrize("name", [name for name, (_, path, expected) in READ.items() if path == "text" and expected])
def test_find_and_ls_have_it(
    name: str, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    expected = READ[name][2]
    assert {row["path"] for row in run(capsys, "find", "--where", f"text={expected}")} >= {
        f"Assets/Values/{name}.asset"
    }
    assert expected in [row["name"] for row in run(capsys, "ls", f"Assets/Values/{name}.asset")]


def test_check_reports_what_unity_refuses_and_nothing_else(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    for version, refused in (
        ("2022.3.1f1", {*REFUSED}),
        ("2018.4.1f1", {*REFUSED, *REFUSED_BY_THE_OLD_READER, "a colon in a further line"} - {"a joined blob"}),
    ):
        (project / "ProjectSettings/ProjectVersion.txt").write_text(f"m_EditorVersion: {version}\n")
        main(["check", "--json", "-q", "Assets/Values"])
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        found = {
            row["path"].rpartition("/")[2].removesuffix(".asset") for row in rows if row.get("code") == "broken-asset"
        }
        assert found == refused
        for name in refused:
            assert main(["get", "-q", f"Assets/Values/{name}.asset"]) != 0
