from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assetdb.unity.yaml.annotation import annotate

if TYPE_CHECKING:
    from pathlib import Path

G = "7d602c2080b53413fa393df6b2c0af43"
NAMES = {
    (bytes.fromhex(G), 11500000): "Health.cs",
    (bytes.fromhex(G), 5): "Player.prefab / Body",
    (bytes.fromhex(G), -7): "a\nb # c\u2028d",
    (bytes.fromhex(G), None): "Player.prefab",
}
LOCAL = {3215: "Player / Body", -9: "Camera"}


def without_comments(data: bytes) -> bytes:
    """Take the comments of ``annotate`` away again: from the last mark of each line to its end."""
    lines = []
    for line in data.split(b"\n"):
        end = b"\r" * line.endswith(b"\r")
        text = line.removesuffix(end) if end else line
        lines.append((text.rpartition(b" # ")[0] if b" # " in text else text) + end)
    return b"\n".join(lines)


def annotated(text: str) -> str:
    data = text.encode()
    found = annotate(data, lambda guid, file_id, _target: NAMES.get((guid, file_id)), LOCAL.get)
    assert without_comments(found) == data
    return found.decode()


def comments(text: str) -> dict[int, str]:
    """Line number from 1 -> comment."""
    before, after = text.split("\n"), annotated(text).split("\n")
    assert len(before) == len(after)
    return {
        number: new.rstrip("\r").removeprefix(old.rstrip("\r")).removeprefix(" # ")
        for number, (old, new) in enumerate(zip(before, after, strict=True), 1)
        if old != new
    }


def test_references_of_every_kind() -> None:
    text = f"""\
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!114 &11400000
MonoBehaviour:
  m_ObjectHideFlags: 0
  m_GameObject: {{fileID: 3215}}
  m_Script: {{fileID: 11500000, guid: {G}, type: 3}}
  m_None: {{fileID: 0}}
  m_Unknown: {{fileID: 99}}
  list:
  - {{fileID: -9}}
  - {{fileID: 5, guid: {G.upper()}, type: 3}}
  flow: [{{fileID: 3215}}, {{fileID: -9}}, {{fileID: 3215}}]
  - target: {{fileID: 5, guid: {G},
      type: 3}}
  m_AssetGUID: {G}
  json: '{{"obj":{{"fileID":5,"guid":"{G}","type":3}}}}'
  text: not a {{fileID: 3215}} reference
"""
    assert comments(text) == {
        6: "Player / Body",
        7: "Health.cs",
        11: "Camera",
        12: "Player.prefab / Body",
        13: "Player / Body; Camera",
        15: "Player.prefab / Body",
        16: "Player.prefab",
        17: "Player.prefab / Body",
    }


def test_metas_with_and_without_a_last_line_end() -> None:
    assert annotated(f"fileFormatVersion: 2\nguid: {G}\n") == f"fileFormatVersion: 2\nguid: {G} # Player.prefab\n"
    assert annotated(f"fileFormatVersion: 2\nguid: {G}") == f"fileFormatVersion: 2\nguid: {G} # Player.prefab"


def test_line_ends_are_kept() -> None:
    text = f"a: {{fileID: 3215}}\r\nb: {{fileID: 5, guid: {G},\r\n    type: 3}}\r\nc: 1\n\r\n"
    assert annotated(text) == (
        f"a: {{fileID: 3215}} # Player / Body\r\nb: {{fileID: 5, guid: {G},\r\n"
        "    type: 3} # Player.prefab / Body\r\nc: 1\n\r\n"
    )


def test_names_stay_on_their_line() -> None:
    text = f"a: {{fileID: -7, guid: {G}, type: 2}}\n"
    assert annotated(text) == f"a: {{fileID: -7, guid: {G}, type: 2}} # a\\nb \\# c\\u2028d\n"


def test_lines_with_a_mark_of_their_own() -> None:
    assert annotated("m_Name: 'Room # 2'\nb: 1\n") == "m_Name: 'Room # 2' # \nb: 1\n"
    assert annotated("'#' # : {fileID: 3215}\n") == "'#' # : {fileID: 3215} # Player / Body\n"
    assert annotated("a #\n #\n # \n") == "a #\n #\n #  # \n"


def test_json_in_a_text_that_goes_on_is_left_alone() -> None:
    text = f"""json: '{{"obj":{{"fileID":5,"guid":"{G}","type":3}},\n    "more": 1}}'\n"""
    assert annotated(text) == text


def test_nothing_to_say() -> None:
    for text in ("", "\n", "a: 1", "\r\n\r\n", "a: {fileID: 0}\n"):
        assert annotated(text) == text


FRAGMENTS = st.sampled_from(
    [
        "m_A: {fileID: 3215}", "- {fileID: -9}", f"b: {{fileID: 5, guid: {G}, type: 3}}", f"guid: {G}",
        f"b: {{fileID: 5, guid: {G},\n    type: 3}}", "#", " # ", " #", "# ", "\n", "\r\n", "\r", " ", "x: 'y # z'",
        "[{fileID: 3215}, ", "]", "\u00e4", "{fileID: 5", ", type: 3}", f'"fileID":5,"guid":"{G}"', "'",
    ]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(FRAGMENTS, max_size=30), st.text(max_size=12))
@example(["m_A: {fileID: 3215}", " #", "\r\n"], " # ")
def test_removing_the_comments_gives_back_the_original(fragments: list[str], name: str) -> None:
    data = "".join(fragments).encode()
    found = annotate(data, lambda _guid, _file_id, _target: name, lambda _file_id: name)
    assert without_comments(found) == data
    assert found.count(b"\n") == data.count(b"\n")
    assert found.count(b"\r") == data.count(b"\r")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.text(max_size=12))
def test_any_bytes(data: bytes, name: str) -> None:
    assert without_comments(annotate(data, lambda _guid, _file_id, _target: name, lambda _file_id: name)) == data


ROWS = st.sampled_from(
    [
        ("{fileID: 3215}", None), ("{fileID: 0}", None), (f"{{fileID: 5, guid: {G}, type: 3}}", None),
        (f"{{fileID: 5, guid: {G},\n    type: 3}}", None), (f"[{{fileID: 3215}}, {{fileID: 5, guid: {G}}}]", None),
        ("'a # b'", None), ("\n  - {fileID: 3215}\n  - {fileID: -9}", None), (G, None), ("plain text", None),
    ]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(ROWS, max_size=12), st.booleans())
def test_what_the_yaml_says_does_not_change(rows: list[tuple[str, None]], crlf: bool) -> None:  # noqa: FBT001 - drawn
    text = "Root:\n" + "".join(f"  key{number}: {value}\n" for number, (value, _) in enumerate(rows))
    if crlf:
        text = text.replace("\n", "\r\n")
    assert yaml.safe_load(annotated(text)) == yaml.safe_load(text)


def test_one_line_of_two_megabytes() -> None:
    text = "a: [" + ", ".join(["{fileID: 3215}"] * 120_000) + "]\n"
    assert annotated(text) == text[:-1] + " # Player / Body\n"
    marks = "a: '" + " # " * 500_000 + "'\n"
    assert annotated(marks) == marks[:-1] + " # \n"


def _lines_of_references(data: bytes) -> set[int]:
    """The slow way: where PyYAML says that a flow mapping with a fileID ends."""
    text = re.sub(rb"^(?:--- .*|%.*)$", lambda found: b"---" if found[0][:1] == b"-" else b"", data, flags=re.MULTILINE)
    lines = set()
    for document in yaml.compose_all(text.replace(b"\xef\xbb\xbf", b""), yaml.CSafeLoader):
        stack = [document]
        while stack:
            node = stack.pop()
            if isinstance(node, yaml.SequenceNode):
                stack += node.value
            elif isinstance(node, yaml.MappingNode):
                values = {key.value: value.value for key, value in node.value}
                if node.flow_style and values.get("fileID", "0") != "0":
                    lines.add(node.end_mark.line)
                stack += [part for pair in node.value for part in pair]
    return lines


@pytest.mark.long
@pytest.mark.corpus("unity/BoatAttack", "unity/Mirror", "unity/EntityComponentSystemSamples")
def test_real_files_are_annotated_on_the_lines_that_pyyaml_says(corpus: Path) -> None:
    source = random.Random(0)
    total = 0
    for project in ("BoatAttack", "Mirror", "EntityComponentSystemSamples"):
        endings = {".prefab", ".unity", ".mat", ".asset", ".controller", ".meta", ".playable"}
        files = sorted(path for path in (corpus / "unity" / project).rglob("*") if path.suffix in endings)
        for path in source.sample(files, 500):
            data = path.read_bytes() if path.is_file() else b""
            if len(data) > 300_000 or not data.startswith((b"%YAML", b"fileFormatVersion")):
                continue
            if re.search(rb"^ *: ", data, re.MULTILINE):
                continue  # a row without a key (plugin metas, scripting defines), which no YAML library reads
            found = annotate(data, lambda _guid, file_id, _target: "N" if file_id else None, lambda _file_id: "L")
            assert without_comments(found) == data
            pairs = zip(data.split(b"\n"), found.split(b"\n"), strict=True)
            marked = {number for number, (old, new) in enumerate(pairs) if new != old and not new.endswith(b" # ")}
            assert marked == _lines_of_references(data), path
            total += len(marked)
    assert total > 5_000
