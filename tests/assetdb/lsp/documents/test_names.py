"""Every reference has the same name in hovers, in inlay hints and in ``assetdb annotate``."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from assetdb.client.engine import Engine
from assetdb.lsp.documents.line_references import YAML, LineReference, form_of, references_in_lines
from assetdb.lsp.documents.names import Names
from assetdb.lsp.documents.text import Text
from assetdb.query.annotate import annotated
from assetdb.query.snapshots.snapshot import open_project
from scripts.fixture import copy_fixture
from tests.assetdb.lsp.editor import Editor, editing

if TYPE_CHECKING:
    from pathlib import Path

    from tests.system.watch.daemons import Project

PLAIN = {"general": {"positionEncodings": ["utf-8"]}, "textDocument": {"hover": {"contentFormat": ["plaintext"]}}}
SUFFIXES = (".prefab", ".unity", ".asset", ".mat", ".anim", ".controller", ".meta")


def yaml_files(root: Path) -> list[Path]:
    return sorted(
        path
        for folder in ("Assets", "Packages", "Library/PackageCache")
        for path in (root / folder).rglob("*")
        if path.suffix in SUFFIXES and path.is_file() and form_of(str(path), Text.of(path.read_bytes()[:100])) == YAML
    )


def comments(before: bytes, after: bytes) -> dict[int, str]:
    """What ``annotate`` has put behind each line."""
    found = {}
    for number, (line, longer) in enumerate(zip(before.split(b"\n"), after.split(b"\n"), strict=True)):
        added = longer.rstrip(b"\r")[len(line.rstrip(b"\r")) :].removeprefix(b" # ")
        if added:
            found[number] = added.decode()
    return found


def check_file(editor: Editor, path: Path, expected: bytes) -> int:
    """Compare one file; return how many names it has."""
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return 0
    if text.count("\r") != text.count("\r\n"):
        return 0  # a line ends there for the protocol, and not for annotate
    uri = editor.open(path, text)
    labels: dict[int, list[str]] = {}
    for hint in editor.hints(uri) or []:
        label = hint.get("tooltip", hint["label"])  # a long name is whole in the tooltip, and ends so
        assert label.endswith(hint["label"].removeprefix("...")), hint
        labels.setdefault(hint["position"]["line"], []).append(label)
        place = {"textDocument": {"uri": uri}, "position": {**hint["position"]}}
        place["position"]["character"] -= 1
        said = editor.ask("textDocument/hover", place)["contents"]["value"].partition("\n")[0].replace("#", "\\#")
        reason = said.partition(": ")[0]
        name = label.lstrip()  # a hover has no space in place of a name that an object lacks
        assert name in (said, reason) or label.endswith(f": {reason}"), (path, place, said, hint)
    assert {line: "; ".join(dict.fromkeys(found)) for line, found in labels.items()} == comments(data, expected), path
    editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    return sum(map(len, labels.values()))


def check_project(editor: Editor, root: Path, files: list[Path]) -> int:
    opened = open_project(str(root), os.environ.get("ASSETDB_OUT_DIR"))
    try:
        expected = [annotated(path.read_bytes(), opened.resolver) for path in files]
    finally:
        opened.close()
    return sum(check_file(editor, *pair) for pair in zip(files, expected, strict=True))


@pytest.mark.parametrize("daemon", [False, True])
def test_names_are_those_of_annotate(made: Project, daemon: bool) -> None:  # noqa: FBT001
    if daemon:
        made.start()
    with editing(made.root, capabilities=PLAIN) as editor:
        assert check_project(editor, made.root, yaml_files(made.root)) > 40


def test_names_of_the_fixture_are_those_of_annotate(tmp_path: Path) -> None:
    root = tmp_path / "project"
    copy_fixture(root)
    with editing(root, capabilities=PLAIN) as editor:
        assert check_project(editor, root, yaml_files(root)) > 60


@pytest.mark.long
@pytest.mark.corpus("unity/Mirror", "unity/UnityPlayground", "unity/BoatAttack")
@pytest.mark.parametrize("name", ["Mirror", "UnityPlayground", "BoatAttack"])
def test_names_of_200_real_files_are_those_of_annotate(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("ASSETDB_OUT_DIR", str(tmp_path / "out"))
    root = next(path.parent for path in sorted((corpus / "unity" / name).rglob("ProjectSettings")))
    files = [path for path in yaml_files(root) if path.suffix != ".meta" and path.stat().st_size < 400_000]
    chosen = random.Random(17).sample(files, min(70, len(files)))
    with editing(root, capabilities=PLAIN) as editor:
        assert check_project(editor, root, chosen) > 200


def test_names_of_a_state_that_was_not_saved(made: Project) -> None:
    engine = Engine(str(made.root))
    names = Names(engine)
    text = Text.of((made.root / "Assets/Prefabs/Level.prefab").read_bytes())
    found = references_in_lines(text, 0, text.line_count, YAML)
    before = dict(names.shown(text, found))
    start = text.data.index(b"Hero")
    edited = text.edited(start, start + 4, b"Villain")
    after = dict(names.shown(edited, references_in_lines(edited, 0, edited.line_count, YAML)))
    assert [name.replace("Villain", "Hero") for name in after.values()] == list(before.values())
    assert any("Villain" in name for name in after.values())
    sword = LineReference(0, 0, "", 500, override=False)
    name = names.name(edited, sword)
    assert name is not None
    assert name.name == "Level / Villain / Body / Sword (GameObject)"
    engine.close()
