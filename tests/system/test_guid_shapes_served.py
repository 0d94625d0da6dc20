"""GUIDs of other shapes than 32 digits, asked of servers for assistants and editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.unity.yaml.objects import NO_GUID
from tests.assetdb.lsp.editor import PULLING, Editor, editing
from tests.assetdb.mcp.assistant import Assistant, assisting
from tests.assetdb.unity.referring.test_guid_shapes import SHAPES
from tests.system.test_guid_shapes import NOTHING, PATH, committed_project, refers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXTS = {**SHAPES, **NOTHING}
TOOLS = (
    ("info", {}),
    ("find", {"pattern": "Shape"}),
    ("find", {"where": "items"}),
    ("ls", {"query": PATH}),
    ("get", {"query": PATH}),
    ("get", {"query": PATH, "overrides": True}),
    ("name", {"queries": [PATH]}),
    ("deps", {"query": PATH, "deep": True}),
    ("usages", {"query": "Assets/Data.cs", "objects": True}),
    ("usages", {"query": "Assets/Data.cs", "field": "items"}),
    ("check", {"paths": [PATH], "every": True}),
    ("check", {"since": "HEAD"}),
    ("unused", {"incomplete": True}),
    ("diff", {"revisions": "HEAD"}),
    ("history", {"query": PATH}),
)
WHOLE = ("documentLink", "documentSymbol", "codeLens", "foldingRange")
AT = ("hover", "definition", "documentHighlight", "completion", "prepareCallHierarchy")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return committed_project(tmp_path_factory.mktemp("served") / "P")


@pytest.fixture(scope="module")
def assistant(project: Path) -> Iterator[Assistant]:
    with assisting(project) as found:
        yield found


@pytest.fixture(scope="module")
def editor(project: Path) -> Iterator[Editor]:
    with editing(project, capabilities=PULLING) as found:
        yield found


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_tool_answers(project: Path, assistant: Assistant, text: str) -> None:
    (project / PATH).write_text(refers(text), encoding="utf-8")
    told = {f"{name} {arguments}": assistant.call(name, **arguments) for name, arguments in TOOLS}
    assert all(told.values())
    found = told[f"check {TOOLS[10][1]}"]
    assert ("invalid-guid" in found) is (text not in NOTHING.values()), found
    changed = told[f"diff {TOOLS[13][1]}"]
    assert ("None" if text in NOTHING.values() else "(invalid-guid)") in changed


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_feature_answers(project: Path, editor: Editor, text: str) -> None:
    written = refers(text)
    (project / PATH).write_text(written, encoding="utf-8")
    uri = editor.open(project / PATH)
    line, row = next((number, row) for number, row in enumerate(written.splitlines()) if "2100000" in row)
    codes = [item["code"] for item in editor.of("diagnostic", uri)["items"]]
    assert codes == ([] if text in NOTHING.values() else ["invalid-guid"])
    for method in WHOLE:
        editor.of(method, uri)
    for column in (row.index("2100000"), row.index("guid: ") + 6, row.index(", type")):
        for method in AT:
            editor.at(method, uri, line, column)
        editor.at("references", uri, line, column, context={"includeDeclaration": True})
    hints = editor.hints(uri, line, line + 1)
    assert [hint["label"] for hint in hints] == (["None"] if text == NO_GUID else [])
    editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
