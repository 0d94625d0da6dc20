"""Answers about a project whose files are Git LFS pointers say so, on every surface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from assetdb.cli import main
from assetdb.client.engine import Engine
from assetdb.daemon.rpc.methods import query_methods
from assetdb.errors import FileError
from assetdb.lsp.features.usages import usages_of
from assetdb.lsp.protocol.lifecycle import FIND_USAGES
from assetdb.lsp.protocol.uris import uri_of
from assetdb.mcp.answers import TOOLS, ToolError
from tests.assetdb.lsp.editor import Editor
from tests.assetdb.unity_project import HEAD, game_object, guid, instance, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 1234\n".format("ab" * 32)
MATERIAL = 1
NESTED = 2
HOLDER = 3
SCENE = 4
SCRIPT = 5
SCRIPT_PATH = "Assets/Door.cs"
NUMBER = 2
"""How many files are pointers: a scene, and a prefab that another nests."""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose scene and nested prefab are pointers."""
    made = tmp_path / "Game"
    (made / "ProjectSettings").mkdir(parents=True)
    write(made, "Assets/Plain.mat", MATERIAL, f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Plain\n")
    write(made, "Assets/Nested.prefab", NESTED, POINTER)
    text = HEAD + game_object(100, "Holder") + instance(300, NESTED, 101)
    write(made, "Assets/Holder.prefab", HOLDER, text)
    write(made, "Assets/Level.unity", SCENE, POINTER)
    write(made, SCRIPT_PATH, SCRIPT, "public class Door : UnityEngine.MonoBehaviour { public void Open() {} }\n")
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def engine(root: Path) -> Iterator[Engine]:
    found = Engine(str(root))
    yield found
    found.close()


MATERIAL_PATH, HOLDER_PATH = "Assets/Plain.mat", "Assets/Holder.prefab"
METHODS: dict[str, tuple[dict[str, Any], int]] = {
    "find": ({"pattern": "Plain"}, NUMBER),
    "objects": ({"component": "Camera"}, NUMBER),
    "ways": ({"query": MATERIAL_PATH}, NUMBER),
    "ls": ({"query": HOLDER_PATH}, 1),
    "check": ({"select": ["missing-asset"]}, NUMBER),
    "deps": ({"query": HOLDER_PATH, "deep": True}, 1),
    "usages": ({"query": MATERIAL_PATH}, NUMBER),
    "members": ({"query": SCRIPT_PATH}, NUMBER),
}
"""Parameters of each method whose answer rests on all files, and how many of these nobody could read."""
TELLING = {
    "unused": "has the files themselves, and lists nothing",
    "info": "counts them as unread",
    "resolve": "has a reason for each name",
}
INDEPENDENT = {
    "locate": "paths of GUIDs, which metas have",
    "get": "the values of one object, or an error with the reason",
    "annotate": "a text that is given",
    "trace": "what a build has",
    "groups": "Addressables groups, whose unreadable ones are problems",
}


def test_every_method_is_decided() -> None:
    assert set(query_methods.methods) == METHODS.keys() | TELLING.keys() | INDEPENDENT.keys()


@pytest.mark.parametrize("method", METHODS)
def test_an_answer_has_the_number_of_unread_files(engine: Engine, method: str) -> None:
    params, number = METHODS[method]
    assert msgspec.json.decode(engine.ask(method, params))["unread_files"] == number


def test_the_others_tell_it_their_own_way(engine: Engine) -> None:
    unused = msgspec.json.decode(engine.ask("unused", {}))
    assert (unused["unused"], {row["code"] for row in unused["unread"]}) == ([], {"lfs-pointer"})
    assert msgspec.json.decode(engine.ask("info", {}))["unread"] == NUMBER
    (named,) = msgspec.json.decode(engine.ask("resolve", {"queries": [f"{guid(NESTED)}:100"]}))
    assert named["reason"] == "lfs-pointer"
    with pytest.raises(FileError, match="Git LFS pointer"):
        engine.ask("get", {"query": "Assets/Nested.prefab"})


def test_what_rests_on_files_that_were_read_says_nothing(engine: Engine) -> None:
    assert "unread_files" not in msgspec.json.decode(engine.ask("deps", {"query": HOLDER_PATH}))
    assert "unread_files" not in msgspec.json.decode(engine.ask("check", {"paths": [MATERIAL_PATH]}))
    assert "unread_files" not in msgspec.json.decode(engine.ask("ls", {"query": "Assets"}))


CALLS: dict[str, list[dict[str, Any]]] = {
    "find": [
        {"pattern": "nothing like it"},
        {"pattern": "Plain"},
        {"component": "Camera"},
        {"inside": HOLDER_PATH},
        {"types": ["Material"]},
        {"where": "m_Name=Plain"},
    ],
    "ls": [{"query": HOLDER_PATH}],
    "usages": [
        {"query": MATERIAL_PATH},
        {"query": MATERIAL_PATH, "why": True},
        {"query": SCRIPT_PATH, "method": "Open"},
    ],
    "deps": [{"query": HOLDER_PATH, "deep": True}, {"query": HOLDER_PATH, "to": MATERIAL_PATH}],
    "check": [{"select": ["missing-asset"]}],
    "unused": [{}],
    "info": [{}],
}
"""Calls of each tool of the assistant's server whose answer rests on all files."""


def test_every_tool_is_decided() -> None:
    own = {
        "name": "a reason for each",
        "get": "an error",
        "trace": "a build",
        "groups": "problems",
        "diff": "pairs of files, with a count of those that could not be compared",
        "history": "commits",
        "rule": "no project",
    }
    assert set(TOOLS) == CALLS.keys() | own.keys()


@pytest.mark.parametrize(("tool", "number"), [(tool, n) for tool, calls in CALLS.items() for n in range(len(calls))])
def test_an_assistant_is_told(engine: Engine, tool: str, number: int) -> None:
    try:
        answer = TOOLS[tool](CALLS[tool][number], engine)
        said = "\n".join([answer.summary, *answer.rows])
    except ToolError as error:
        said = str(error)
    assert "could not be read" in said


QUESTIONS = (
    ("find", "nothing like it"),
    ("find", "--component", "Camera"),
    ("find", "--in", HOLDER_PATH),
    ("ls", HOLDER_PATH),
    ("usages", MATERIAL_PATH),
    ("usages", MATERIAL_PATH, "--why"),
    ("deps", HOLDER_PATH, "--deep"),
    ("deps", HOLDER_PATH, "--to", MATERIAL_PATH),
    ("check", "--select", "missing-asset"),
    ("coverage",),
    ("unused",),
    ("rm", "--dry-run", MATERIAL_PATH),
)


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_a_command_says_so(root: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    main(list(words))
    assert "could not be read" in capfd.readouterr().err, root


def test_info_says_so(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["info"]) == 0, root
    assert f"{NUMBER} files could not be read" in capfd.readouterr().out


def test_an_editor_is_told(engine: Engine) -> None:
    said: list[str] = []
    assert usages_of(engine, guid(MATERIAL), said.append) == []
    assert said == [f"{NUMBER} files could not be read, and may refer to it as well"]


def test_an_editor_is_told_by_each_request(root: Path) -> None:
    def notes(server: Editor, method: str, params: dict[str, Any]) -> list[str]:
        before = len(server.told)
        server.ask(method, {**params, "workDoneToken": method})
        values = [row["params"]["value"] for row in server.told[before:] if row["method"] == "$/progress"]
        return [value["message"] for value in values if value["kind"] == "report"]

    def messages(server: Editor, kind: str) -> list[str]:
        return [row["params"]["message"] for row in server.told if row["method"] == f"window/{kind}Message"]

    material, script, holder = (uri_of(str(root / path)) for path in (MATERIAL_PATH, SCRIPT_PATH, HOLDER_PATH))
    refers = f"{NUMBER} files could not be read, and may refer to it as well"
    command = {"command": FIND_USAGES, "arguments": [material, guid(MATERIAL)]}
    of_member = {"command": FIND_USAGES, "arguments": [script, guid(SCRIPT), "method", "Open"]}
    reference = f"{{fileID: 2100000, guid: {guid(MATERIAL)}, type: 2}}"
    write(root, "Assets/User.mat", 6, f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Parent: {reference}\n")
    with Editor() as server:
        server.initialize(root, capabilities={"workspace": {"fileOperations": {"willDelete": True}}})
        found = notes(server, "workspace/symbol", {"query": "Plain"})
        assert found == [f"{NUMBER} files could not be read, and may have more"]
        assert notes(server, "workspace/executeCommand", command) == [refers]
        (of_method,) = notes(server, "workspace/executeCommand", of_member)
        assert of_method == f"{NUMBER} files could not be read, and may have it as well"
        server.ask("workspace/willDeleteFiles", {"files": [{"uri": holder}]})
        assert messages(server, "log")[-1] == refers
        assert messages(server, "show") == []
        server.ask("workspace/willDeleteFiles", {"files": [{"uri": material}]})
        server.ask("workspace/willDeleteFiles", {"files": [{"uri": uri_of(str(root / "Assets/Level.unity"))}]})
        assert messages(server, "log")[-1] == "1 file could not be read, and may refer to it as well", "it goes itself"
        (warning,) = messages(server, "show")
        assert warning.startswith("1 file refers to Plain.mat: Assets/User.mat.")
        assert refers in warning
        assert server.quit() == 0


def test_an_editor_that_follows_no_progress_is_told_in_its_log_and_once_in_a_message(root: Path) -> None:
    command = {"command": FIND_USAGES, "arguments": [uri_of(str(root / MATERIAL_PATH)), guid(MATERIAL)]}
    more, refers = (
        f"{NUMBER} files could not be read, and may {rest}" for rest in ("have more", "refer to it as well")
    )
    with Editor() as server:
        server.initialize(root)
        for _ in range(2):
            server.ask("workspace/symbol", {"query": "Plain"})
            server.ask("workspace/executeCommand", command)
        told = {
            kind: [row["params"]["message"] for row in server.told if row["method"] == f"window/{kind}Message"]
            for kind in ("show", "log")
        }
        told["log"] = [message for message in told["log"] if "could not be read" in message]
        assert told == {"show": [more], "log": [more, refers, more, refers]}
        assert not [row for row in server.told if row["method"] == "$/progress"]
        assert server.quit() == 0


def test_paths_that_a_project_does_not_have_are_refused(engine: Engine) -> None:
    for path in ("/etc", "../elsewhere", "Assets/None.mat"):
        with pytest.raises(Exception, match=r"no such file|not in the project"):
            TOOLS["check"]({"paths": [path]}, engine)
