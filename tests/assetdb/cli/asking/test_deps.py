"""``assetdb deps`` and ``usages`` as they are typed: tables, sums, chains, trees, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import guid

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("project")

MAIN, LEVEL, PLAYER = "Assets/Main.unity", "Assets/Prefabs/Level.prefab", "Assets/Prefabs/Player.prefab"
HEALTH, LOST, TILES, DATA = (
    "Assets/Scripts/Health.cs",
    "Assets/Art/lost.mat",
    "Assets/Art/tiles.png",
    "Assets/data.asset",
)
TYPES = {PLAYER: "Prefab", LEVEL: "Prefab", LOST: "Material", TILES: "Texture2D", HEALTH: "MonoScript"}
TYPES |= {MAIN: "SceneAsset", DATA: "Health"}
OUTSIDE = ("(not in the project)  missing-asset", "(unity default resources)  built-in")
UNREAD = f"1 file could not be read, and may refer to more (LFS pointers: 1): {LOST}"


class Typed:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> tuple[int, list[list[str]], str]:
        """Return the code, the cells of each line, and what is said beside them."""
        code, out, err = self.raw(*words)
        return code, [line.split("  ") for line in squeezed(out).splitlines()], err

    def raw(self, *words: str) -> tuple[int, str, str]:
        code = main(list(words))
        return code, *self._capsys.readouterr()

    def json(self, *words: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.raw(*words, "--json", "-q")[1].splitlines()]


def squeezed(text: str) -> str:
    """Return lines with two spaces between their cells."""
    return "\n".join("  ".join(filter(None, map(str.strip, line.split("  ")))) for line in text.splitlines())


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Typed:
    return Typed(capsys)


@pytest.mark.parametrize(
    ("words", "paths"),
    [
        (("deps", MAIN), [LOST, TILES, LEVEL, PLAYER, HEALTH]),
        (("deps", LEVEL), [PLAYER]),
        (("deps", LEVEL, "--deep"), [PLAYER, HEALTH]),
        (("usages", HEALTH), [MAIN, PLAYER, DATA]),
        (("usages", LEVEL), [MAIN]),
        (("usages", PLAYER, "--deep"), [MAIN, LEVEL]),
        (("usages", TILES), [MAIN]),
    ],
)
def test_assets_are_listed_by_path_with_type_and_guid(typed: Typed, words: tuple[str, ...], paths: list[str]) -> None:
    code, rows, _ = typed(*words)
    own = [row for row in rows if not row[0].startswith("(")]
    assert (code, [tuple(row[:2]) for row in own]) == (0, [(path, TYPES[path]) for path in paths])
    (fields,) = typed.json(*words)
    named = {each["path"]: each["guid"] for each in fields["usages" if words[0] == "usages" else "dependencies"]}
    assert {row[0]: row[2] for row in own}.items() <= named.items()
    others = ["  ".join(row[:2]) for row in rows if row[0].startswith("(")]
    assert others == (list(OUTSIDE) if words == ("deps", MAIN) else [])


def test_sizes_are_those_of_the_files_and_add_up(typed: Typed, project: Path) -> None:
    for words in (("deps", MAIN, "--deep"), ("usages", HEALTH)):
        code, rows, _ = typed(*words, "--size")
        total = rows.pop()[0]
        sizes = {row[0]: int(row[2].replace(",", "")) for row in rows if not row[0].startswith("(")}
        assert (code, sizes) == (0, {path: (project / path).stat().st_size for path in sizes})
        assert total == f"{len(sizes)} files, {sum(sizes.values()):,} bytes"
    (fields,) = typed.json("usages", HEALTH, "--size")
    assert {row["path"]: row["bytes"] for row in fields["usages"]} == sizes


def test_places_of_objects_come_with_what_has_none(typed: Typed) -> None:
    code, rows, _ = typed("usages", HEALTH, "--objects")
    assert code == 0
    assert sorted(row[0].partition(":")[0] for row in rows) == [MAIN, PLAYER, DATA]
    assert {row[-1] for row in rows} == {"m_Script"}
    code, rows, _ = typed("usages", PLAYER, "--objects", "--deep")
    assert [LEVEL in row[0] or MAIN in row[0] for row in rows] == [True] * len(rows)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("deps", HEALTH), f"{HEALTH} refers to nothing"),
        (("deps", LOST), "pointer"),
        (("deps", "f" * 32), f"{'f' * 32} is not an asset of the project"),
        (("usages", MAIN), f"nothing refers to {MAIN}"),
        (("usages", "f" * 32), f"the project has no asset {'f' * 32}"),
        (("usages", f"{guid(8)}:10"), f"nothing refers to {guid(8)}:10"),
        (("deps", HEALTH, "--to", MAIN), f"{HEALTH} does not lead to {MAIN}"),
        (("deps", HEALTH, "--tree"), f"{HEALTH} refers to nothing"),
        (("usages", MAIN, "--tree"), f"nothing refers to {MAIN}"),
        (("usages", DATA, "--why"), DATA),
    ],
)
def test_no_answer_is_said_and_exits_1(typed: Typed, words: tuple[str, ...], said: str) -> None:
    code, out, err = typed.raw(*words)
    assert (code, out) == (1, "")
    assert said in err.splitlines()[0 if "baking" not in err else 1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("deps", MAIN, "--depth", "1"), "--depth needs --tree"),
        (("usages", MAIN, "--depth", "1"), "--depth needs --tree"),
        (("deps", MAIN, "--tree", "--deep"), "leave out --deep, --to, --all and --size"),
        (("deps", MAIN, "--tree", "--to", HEALTH), "leave out --deep, --to, --all and --size"),
        (("deps", MAIN, "--tree", "--size"), "leave out --deep, --to, --all and --size"),
        (("deps", MAIN, "--tree", "--all"), "leave out --deep, --to, --all and --size"),
        (("deps", MAIN, "--size", "--to", HEALTH), "--to lists chains: leave out --size"),
        (("deps", MAIN, "--all"), "--all needs --to"),
        (("usages", MAIN, "--all"), "--all needs --why"),
        *((("usages", HEALTH, "--tree", *more), "leave out the other options but --depth") for more in (
            ("--deep",), ("--objects",), ("--why",), ("--all",), ("--field", "a"), ("--method", "a"), ("--event",),
            ("--size",),
        )),
        *((("usages", HEALTH, "--size", *more), "--size lists files") for more in (
            ("--objects",), ("--why",), ("--field", "a"), ("--method", "a"), ("--event",),
        )),
        *((("usages", HEALTH, "--method", "a", *more), "list events: leave out the other options") for more in (
            ("--deep",), ("--objects",), ("--why",), ("--all",), ("--field", "a"),
        )),
        *((("usages", HEALTH, "--field", "a", *more), "--field lists values") for more in (
            ("--deep",), ("--objects",), ("--why",), ("--all",),
        )),
        (("deps", f"{guid(8)}:10", "--tree"), "--tree is of assets, not of an object"),
    ],
)  # fmt: skip
def test_options_that_cannot_be_combined(typed: Typed, words: tuple[str, ...], said: str) -> None:
    code, out, err = typed.raw(*words)
    assert (code, out) == (2, "")
    assert said in err


def test_chains_have_the_place_of_each_step(typed: Typed) -> None:
    code, out, err = typed.raw("deps", MAIN, "--to", "Health.cs")
    first, last = out.splitlines()
    assert (code, last) == (0, HEALTH)
    assert first.startswith(f"{MAIN}:")
    assert first.endswith("Camera (Health &20)  m_Script")
    assert UNREAD in err
    code, out, _ = typed.raw("deps", MAIN, "--to", "Health.cs", "--all")
    chains = [[line.partition(":")[0] for line in chain.splitlines()] for chain in out.split("\n\n")]
    assert (code, chains[0]) == (0, [MAIN, HEALTH])
    assert [MAIN, PLAYER, HEALTH] in chains
    rows = typed.json("deps", MAIN, "--to", "Health.cs", "--all")
    assert len(rows) == len(chains)
    assert {(row["query"], row["to"], row["truncated"]) for row in rows} == {(MAIN, guid(3), False)}


def test_why_begins_with_the_reason_of_the_root(typed: Typed, project: Path) -> None:
    settings = "%YAML 1.1\n--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n  - enabled: 1\n"
    settings += f"    path: {MAIN}\n    guid: {guid(8)}\n"
    (project / "ProjectSettings/EditorBuildSettings.asset").write_text(settings)
    code, out, _ = typed.raw("usages", TILES, "--why")
    reason, first, last = out.splitlines()
    assert (code, last) == (0, TILES)
    assert reason.endswith(":")
    assert first.startswith(f"{MAIN}:")


def test_trees_say_where_an_asset_was_above(typed: Typed) -> None:
    code, out, err = typed.raw("deps", MAIN, "--tree")
    lines = out.splitlines()
    assert (code, lines[0]) == (0, f"{MAIN}  SceneAsset")
    assert lines[-5:] == [
        f"  {LEVEL}  Prefab",
        f"    {PLAYER}  Prefab",
        f"      {HEALTH}  MonoScript",
        f"  {PLAYER}  Prefab  (see above)",
        f"  {HEALTH}  MonoScript",
    ]
    assert UNREAD in err
    assert typed.raw("usages", HEALTH, "--tree", "--depth", "1")[1].splitlines() == [
        f"{HEALTH}  MonoScript", f"  {MAIN}  SceneAsset", f"  {PLAYER}  Prefab", f"  {DATA}  Health",
    ]  # fmt: skip
    (fields,) = typed.json("usages", HEALTH, "--tree")
    assert (fields["query"], fields["guid"], fields["path"], fields["truncated"]) == (HEALTH, guid(3), HEALTH, False)
    assert [row["depth"] for row in fields["rows"]] == [0, 0, 1, 1, 2, 0]  # the scene thrice: by each of its needs
