"""Answers of tools: alike with a daemon and without, as files change, and of inputs that cannot be answered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from assetdb.checks.findings.finding import Finding
from assetdb.mcp.answers import TOOLS
from tests.assetdb.history.git_project import commit, git
from tests.assetdb.mcp.assistant import Assistant, assisting
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write
from tests.needs import needs_git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.system.watch.daemons import Project

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("find", {"pattern": "player"}),
    ("find", {"inside": "Level.prefab", "component": "Health"}),
    ("ls", {"query": "Level.prefab"}),
    ("ls", {"query": "Assets", "deep": True}),
    ("ls", {"query": "tiles.png"}),
    ("get", {"query": "Player.prefab"}),
    ("name", {"queries": [guid(1), f"{guid(2)}:{7000 ^ 300}", "no such name"]}),
    ("usages", {"query": guid(3), "objects": True}),
    ("usages", {"query": guid(3), "why": True}),
    ("deps", {"query": "Assets/Main.unity", "deep": True}),
    ("deps", {"query": "Assets/Main.unity", "to": guid(3)}),
    ("check", {}),
    ("check", {"every": True}),
    ("find", {"types": ["Prefab"]}),
    ("find", {"where": "m_Name=P*"}),
    ("usages", {"query": "Health.cs", "method": "*"}),
    ("unused", {"incomplete": True}),
    ("find", {"pattern": "player", "sizes": True}),
    ("usages", {"query": guid(3), "sizes": True}),
    ("deps", {"query": "Assets/Main.unity", "deep": True, "sizes": True}),
    ("unused", {"incomplete": True, "sizes": True}),
    ("groups", {}),
    ("rule", {"codes": ["orphan-meta"]}),
    ("trace", {"builds": ["Nowhere"], "queries": ["Player.prefab"]}),
    ("usages", {"query": "Plaier.prefab"}),
)
NEXT = re.compile(r"\nnext page: cursor (\S+)$")


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Assistant, Path]]:
    """An assistant at work in a small project."""
    root = make_project(tmp_path_factory.mktemp("answers") / "P")
    with assisting(root) as found:
        yield found, root


def texts(assistant: Assistant) -> list[str]:
    found = []
    for tool, arguments in CALLS:
        result = assistant.request("tools/call", {"name": tool, "arguments": arguments})["result"]
        found.append(f"{tool} {result.get('isError', False)}: {result['content'][0]['text']}")
    return found


def test_a_daemon_and_the_files_give_the_same_answers(made: Project) -> None:
    with assisting(made.root) as alone:
        expected = texts(alone)
    made.start()
    with assisting(made.root) as beside:
        assert texts(beside) == expected


def test_an_answer_is_of_the_files_as_they_are(village: tuple[Assistant, Path]) -> None:
    assistant, root = village
    assert assistant.refused("find", {"pattern": "fresh"}).startswith("nothing is called 'fresh'")
    write(root, "Assets/fresh.prefab", 60, HEAD + game_object(10, "Fresh"))
    assert guid(60) in assistant.call("find", pattern="fresh")


@needs_git
def test_a_check_of_a_folder_rests_on_the_files_in_it(tmp_path: Path) -> None:
    root = make_project(tmp_path / "P")
    write(root, "Assets/Other/Empty.asset", 90, "")
    write(root, "Assets/Sound/Red.mat", 91, f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n")
    git(root, "init", "-q")
    commit(root)
    with assisting(root) as assistant:
        for since in ({}, {"since": "HEAD"}):
            assert "could not be read" not in assistant.call("check", paths=["Assets/Sound"], **since)
            assert "1 file could not be read" in assistant.call("check", paths=["Assets/Other"], **since)


def test_unused_says_what_it_rests_on(tmp_path: Path) -> None:
    root = make_project(tmp_path / "P")
    write(root, "Assets/Empty.asset", 90, "")
    with assisting(root) as assistant:
        summary = assistant.call("unused", roots=["Nope/**", "Assets/*"], incomplete=True).partition("\n")[0]
        assert "; no asset matches the roots Nope/**" in summary
        assert summary.endswith("; 2 files could not be read, and may refer to some")


def test_a_folder_without_assets_holds_nothing(tmp_path: Path) -> None:
    root = make_project(tmp_path / "P")
    (root / "Assets" / "Later").mkdir()
    with assisting(root) as assistant:
        assert assistant.call("ls", query="Assets/Later").endswith(" holds nothing")
        narrowed = assistant.refused("ls", {"query": "Assets/Later", "classes": ["Camera"]})
        assert narrowed.endswith("holds nothing of that: call ls without classes")


def test_labels_are_searched_for_and_shown(village: tuple[Assistant, Path]) -> None:
    assistant, root = village
    write(root, "Assets/marked.txt", 61, "x", "labels:\n- Red\n- Big one\nTextScriptImporter:\n  userData: \n")
    found = assistant.call("find", labels=["red"])
    assert found.splitlines()[1] == f"Assets/marked.txt  TextAsset  {guid(61)}  labels: Red, Big one"
    named = assistant.call("name", queries=[guid(61)])
    assert named.splitlines()[1].endswith("Assets/marked.txt  labels: Red, Big one")
    assert "and has these labels" in assistant.refused("find", {"labels": ["blue"]})
    assert "labels are of assets" in assistant.refused("find", {"inside": "Level.prefab", "labels": ["red"]})


def test_following_cursors_gives_the_whole_once(village: tuple[Assistant, Path]) -> None:
    assistant, _ = village
    whole = assistant.call("ls", query="Assets", deep=True, max_tokens=25_000).split("\n")[1:]
    rows: list[str] = []
    cursor: dict[str, str] = {}
    for _ in range(100):
        text = assistant.call("ls", query="Assets", deep=True, max_tokens=200, **cursor)
        found = NEXT.search(text)
        lines = (text[: found.start()] if found else text).split("\n")
        assert lines[1].startswith("rows ")
        rows += lines[2:]
        if found is None:
            break
        cursor = {"cursor": found[1]}
    assert rows == whole


def test_a_cursor_of_an_older_state_begins_again(village: tuple[Assistant, Path]) -> None:
    assistant, root = village
    first = assistant.call("ls", query="Assets", deep=True, max_tokens=200)
    found = NEXT.search(first)
    assert found is not None
    write(root, "Assets/AAA.prefab", 61, HEAD + game_object(10, "First"))
    text = assistant.call("ls", query="Assets", deep=True, max_tokens=200, cursor=found[1])
    assert text.startswith("The answer has changed")
    assert "\nrows 1 to " in text
    assert "Assets/AAA.prefab" in text


def test_an_error_keeps_to_the_budget(village: tuple[Assistant, Path]) -> None:
    assistant, _ = village
    text = assistant.refused("rule", {"codes": ["no-such-code"], "max_tokens": 200})
    assert text.endswith(" ...")
    assert 500 < len(text) <= 800
    query = "x\u202e" * 2000
    assert len(assistant.refused("usages", {"query": query, "max_tokens": 200})) <= 800


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("lfs", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "is a Git LFS pointer"),
        ("empty", b"", "is empty or absent"),
        ("binary", b"\0\0\0\x01\0\0\0\0binary", "is binary"),
    ],
)
def test_a_file_that_cannot_be_opened_says_what_to_do(
    village: tuple[Assistant, Path], name: str, content: bytes, said: str
) -> None:
    assistant, root = village
    write(root, f"Assets/{name}.prefab", 70 + len(content), content)
    for tool in ("ls", "get"):
        assert said in assistant.refused(tool, {"query": str(root / f"Assets/{name}.prefab")})


@pytest.mark.parametrize(
    ("tool", "arguments", "call"),
    [
        ("usages", {"query": "Plaier.prefab"}, "Call usages with one of the assets:\nAssets/Prefabs/Player.prefab"),
        ("ls", {"query": "zzzzzzzzqqqqq.prefab"}, 'Call find {"pattern": "zzzzzzzzqqqqq"}'),
        ("find", {"pattern": "zzzzzzzz"}, 'ls {"query": "Assets", "deep": true}'),
        ("find", {}, 'find {"pattern": "*door*"}'),
        ("find", {"inside": "Level.prefab", "types": ["Prefab"]}, "call find with component"),
        ("find", {"inside": "Level.prefab", "component": "Camera"}, "Call ls with a prefab or scene"),
        ("ls", {"query": "Level.prefab", "inside": "Nobody"}, "has no such object"),
        ("ls", {"query": "Level.prefab", "classes": ["Camera"]}, "call ls without classes"),
        ("get", {"query": "Main.unity"}, "lists the objects"),
        ("rule", {"codes": ["no-such-code"]}, "codes are "),
        ("unused", {}, 'unused {"incomplete": true}'),
        ("check", {"select": ["no-such-code"]}, "no-such-code"),
        ("usages", {"query": "Player.prefab", "cursor": "x"}, "call without one for the first page"),
        ("groups", {"names": ["x"], "duplicates": True, "entries": True}, "exclude each other"),
    ],
)
def test_an_error_says_which_call_to_make_instead(
    village: tuple[Assistant, Path], tool: str, arguments: dict[str, Any], call: str
) -> None:
    assert call in village[0].refused(tool, arguments)


def test_errors_come_first_and_findings_of_one_cause_in_a_file_are_one_row(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    lost = [guid(900 + number) for number in range(2)]
    parts = "".join(
        f"--- !u!23 &{number}\nMeshRenderer:\n  m_GameObject: {{fileID: 1}}\n  m_Materials:\n"
        + f"  - {{fileID: 2100000, guid: {lost[number % 2]}, type: 2}}\n" * 4
        for number in range(10, 20)
    )
    one = f"{HEAD}--- !u!1 &1\nGameObject:\n  m_Name: Many\n{parts}"
    for number in range(3):
        write(root, f"Assets/Many{number}.prefab", 910 + number, one)
        write(root, f"Assets/Aa{number}.asset", 920 + number, "")
    with assisting(root) as assistant:
        asked = {"select": ["missing-asset", "empty-asset"], "paths": ["Assets/Many*", "Assets/Aa*"]}
        rows = assistant.call("check", **asked).split("\n")
        every = assistant.call("check", every=True, max_tokens=25_000, **asked).split("\n")
    severities = [row.split("  ")[1].split(" ")[0] for row in rows[1:]]
    assert severities == ["error"] * 6 + ["warning"] * 3  # two causes in each of three files
    assert all(row.endswith("(20 like this in this file)") for row in rows[1:7])
    assert len({(row.partition(":")[0], row.partition("GUID ")[2][:32]) for row in rows[1:7]}) == 6
    assert len(every) == 1 + 3 * 40 + 3
    assert rows[0] == every[0]


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Assistant]:
    with assisting(make_project(tmp_path)) as assistant:
        yield assistant


def test_objects_are_found_by_value_and_assets_by_type_alone(small: Assistant) -> None:
    text = small.call("find", where="m_Name=Player", inside="Player.prefab")
    assert text.startswith("1 value: file, object, GUID:fileID, property")
    assert "Assets/Prefabs/Player.prefab:" in text.split("\n")[1]
    assert small.call("find", where="m_Nothing=1").startswith("nothing has m_Nothing=1")
    found = small.call("find", types=["Prefab"]).split("\n")
    assert "match Prefab" in found[0]
    assert len(found) > 1
    assert all("  Prefab  " in row for row in found[1:])
    assert "cannot be combined with where" in small.refused("find", {"where": "m_Name", "types": ["Prefab"]})
    assert "write PROPERTY=VALUE" in small.refused("find", {"where": "= ="})
    assert small.call("usages", query="Health.cs", method="Fire").startswith("no event calls Fire of ")
    assert "is no C# script" in small.call("usages", query="Player.prefab", method="Fire")


class _Told:
    """An engine that gives one answer."""

    root = "/P"

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def ask(self, method: str, params: object) -> msgspec.Raw:  # noqa: ARG002 - as an engine has it
        return msgspec.Raw(msgspec.json.encode(self._answer))


def test_whatever_is_cut_says_so() -> None:
    row = {"guid": None, "file_id": None, "name": "", "path": "", "type": "", "reason": "ambiguous"}
    for count, end in ((20, "19)"), (21, "19, and 1 more)")):
        answer = TOOLS["name"]({"queries": ["a"]}, _Told([{**row, "candidates": list(map(str, range(count)))}]))  # type: ignore[arg-type]
        assert answer.rows[0].endswith(end)
    finding = Finding("missing-asset", "error", "Assets/a.mat", "it is gone")
    for total, cut in ((1, ""), (2, "; listed and counted by code are the first 1")):
        told = _Told({"findings": [finding.fields()], "total": total, "unread_files": 0})
        answer = TOOLS["check"]({}, told)  # type: ignore[arg-type]
        assert f"1 missing-asset{cut};" in answer.summary
