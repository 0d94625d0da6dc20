"""What a text contains is no reference; what stands beside it is."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.unity.facts import NO_REFERENCES
from assetdb.unity.referring.references import occurrences, packed_references
from assetdb.unity.referring.texts import without_texts
from tests.assetdb.unity_project import HEAD, guid, write
from tests.memory import most_memory

if TYPE_CHECKING:
    from pathlib import Path

ONE, TWO = "8f8ebe9430f8cd24681a3754d7c62820", "8f8ebe9430f8cd24681a3754d7c62821"
WRITTEN = f"{{fileID: 11500000, guid: {ONE}, type: 3}}"
TEXTS = {
    "single": f"  m_Text: '{WRITTEN}'\n",
    "double": f'  m_Text: "{WRITTEN}"\n',
    "doubled quote": f"  m_Text: 'it''s {WRITTEN}'\n",
    "escaped quote": f'  m_Text: "a \\" b {WRITTEN}"\n',
    "escaped lines": f'  m_Text: "--- !u!114 &1\\n  m_Script: {WRITTEN}\\n"\n',
    "a folded line begins with it": f"  m_Text: 'a log that is long enough\n    {WRITTEN} and more\n\n    end'\n",
    "over a fold": f'  m_Text: "{{fileID: 11500000, guid: {ONE},\n    type: 3}}"\n',
    "in column 0": f"  m_Text: 'a\n\n{WRITTEN}\n\n'\n",
    "of a list": f"  texts:\n  - '{WRITTEN}'\n",
    "literal": f"  m_Text: |\n    {WRITTEN}\n    m_Script: {WRITTEN}\n",
    "folded": f"  m_Text: >-\n    a\n\n    {WRITTEN}\n",
    "literal of a list": f"  texts:\n  - |\n    {WRITTEN}\n",
    "plain, behind a word": f"  m_Text: see {WRITTEN} and {WRITTEN}\n",
    "plain, in a further line": f"  m_Text: one two\n    three {WRITTEN} four\n",
    "plain, a line begins with it": f"  m_Text: one two\n    {WRITTEN} four\n",
    "plain, in an item": f"  texts:\n  - see {WRITTEN}\n",
    "plain, over a fold": f"  m_Text: see {{fileID: 11500000, guid: {ONE},\n    type: 3}} there\n",
    "plain, behind a colon in the text": f"  m_Text: see this: that {WRITTEN}\n",
    "a GUID alone": f"  m_Text: 'see guid: {ONE} there'\n",
}
BESIDE = {
    "before": f"  target: {WRITTEN}\n  m_Text: 'a'\n",
    "after": f"  m_Text: 'a'\n  target: {WRITTEN}\n",
    "after a block": f"  m_Text: |\n    a\n  target: {WRITTEN}\n",
    "after an empty text": f"  m_Text: ''\n  target: {WRITTEN}\n  m_Other: \"\"\n",
    "after an apostrophe": f"  m_Name: it's\n  target: {WRITTEN}\n  m_Other: it's\n",
    "after a backslash": f'  m_Path: "C:\\\\"\n  target: {WRITTEN}\n  m_Other: "x"\n',
    "after a colour tag": f"  m_Name: a <b>c</b> | d\n  target: {WRITTEN}\n",
    "over two lines": f"  m_Text: 'a'\n  target: {{fileID: 11500000, guid: {ONE},\n    type: 3}}\n",
    "in brackets": f"  targets: [{{fileID: 1}}, {WRITTEN}]\n",
    "in brackets over two lines": f"  targets: [{{fileID: 1}},\n    {WRITTEN}]\n",
    "in a line of its own": f"  target:\n    {WRITTEN}\n",
    "in lists of lists": f"  targets:\n  - - {WRITTEN}\n",
    "with a text before it": f"  m_Text: see {{fileID: 5, guid: {TWO}, type: 3}}\n  target: {WRITTEN}\n",
    "in an unclosed text's file": f"  m_Text: 'a\n  target: {WRITTEN}\n",
}
JSON = f'  m_SerializableObject: \'{{"obj":{{"fileID":10202,"guid":"{ONE}","type":0}}}}\'\n'


def document(text: str) -> bytes:
    return f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: A\n{text}  end: 1\n".encode()


def found(text: str) -> list[str]:
    certain, _ = packed_references(document(text), b"asset", b"0" * 32, NO_REFERENCES)
    return [certain[at : at + 16].hex() for at in range(0, len(certain), 16)]


@pytest.mark.parametrize("name", TEXTS)
def test_what_a_text_contains_is_none(name: str) -> None:
    assert found(TEXTS[name]) == []
    assert occurrences(document(TEXTS[name]), b"asset", [ONE.encode()]) == []
    after = f"{TEXTS[name]}  target: {WRITTEN.replace(ONE, TWO)}\n"
    assert found(after) == [TWO]


@pytest.mark.parametrize("name", BESIDE)
def test_what_stands_beside_a_text_is_one(name: str) -> None:
    assert found(BESIDE[name]) == [ONE]
    assert [row.file_id for row in occurrences(document(BESIDE[name]), b"asset", [ONE.encode()])] == [11500000]


def test_json_in_a_text_is_left() -> None:
    assert found(JSON) == [ONE]


@pytest.mark.parametrize("name", [*TEXTS, *BESIDE])
def test_lengths_and_lines_are_kept(name: str) -> None:
    data = document({**TEXTS, **BESIDE}[name])
    masked = without_texts(data)
    assert [len(line) for line in masked.split(b"\n")] == [len(line) for line in data.split(b"\n")]


@pytest.mark.parametrize(
    "piece",
    [
        b": '",
        b": ''",
        b': "\\',
        b": |\n",
        b"- '\n",
        b"|>'\"",
        b": '{fileID: 1",
        b"x {fileID: 1",
        b"[{fileID: 1",
        b"\n{fileID: ",
    ],
)
def test_the_time_is_bounded(piece: bytes) -> None:
    data = HEAD.encode() + piece * (3_000_000 // len(piece))
    start = time.process_time()
    without_texts(data)
    assert time.process_time() - start < 10


def test_no_command_counts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ProjectSettings").mkdir()
    (tmp_path / "Packages").mkdir()
    (tmp_path / "Packages/manifest.json").write_text('{"dependencies": {}}')
    write(tmp_path, "Assets/Kind.cs", 2, "using UnityEngine;\npublic class Kind : ScriptableObject { }\n")
    script = f"  m_Script: {{fileID: 11500000, guid: {guid(2)}, type: 3}}\n"
    own = "  m_Local: '{fileID: 77}'\n"
    write(tmp_path, "Assets/A.asset", 1, document(script + own + "".join(TEXTS[name] for name in list(TEXTS)[:6])))
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 0, capsys.readouterr().out
    capsys.readouterr()
    assert main(["deps", "--json", "Assets/A.asset"]) == 0
    assert [row["guid"] for row in json.loads(capsys.readouterr().out)["dependencies"]] == [guid(2)]
    assert main(["usages", "--json", ONE]) == 1
    assert main(["get", "Assets/A.asset"]) == 0
    assert WRITTEN in capsys.readouterr().out


@pytest.mark.parametrize("text", ["'" + "a''b" * 50_000 + "'", '"' + "\\x41b" * 50_000 + '"'])
def test_the_end_of_a_long_text_is_found_without_memory(text: str) -> None:
    data = f"  a: {text}\n  b: '{{fileID: 1, guid: {guid(1)}}}'\n".encode()
    assert most_memory(lambda: without_texts(data)) < 4 * len(data)
    assert b"guid" not in without_texts(data)
