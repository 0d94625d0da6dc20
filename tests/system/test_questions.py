"""What is printed is a question too, options stand where people type them, and mistakes are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.cli.bundle import COMMANDS as BUNDLE_COMMANDS
from assetdb.cli.catalog.answers import report
from assetdb.cli.commands import COMMANDS
from assetdb.cli.unreal import COMMANDS as UNREAL
from assetdb.query.selecting.answer_form import asset_part, object_at, objects_called
from assetdb.query.snapshots.snapshot import open_project
from assetdb.version import VERSION, native_module
from assetdb_formats.addressables.model import Problem
from tests.assetdb.unity_project import guid, make_project
from tests.system.graph.project import add, add_folder, data_asset, guid_of, reference, write_project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = make_project(tmp_path)
    monkeypatch.chdir(folder)
    assert main(["bake", "-q"]) == 0
    capsys.readouterr()
    return folder


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = write_project(tmp_path / "Plain")
    for number in range(2):
        add(
            folder,
            f"Assets/Set/Part{number}.asset",
            data_asset(f"Part{number}", reference("Assets/Art/Red.mat", 2100000)),
        )
    add(folder, "Assets/Set/Both.asset", data_asset("Both", reference("Assets/Set/Part0.asset")))
    add(folder, "Assets/User.asset", data_asset("User", reference("Assets/Set/Part1.asset")))
    add(folder, "Assets/Further.asset", data_asset("Further", reference("Assets/User.asset")))
    add_folder(folder, "Assets/Set")
    monkeypatch.chdir(folder)
    assert main(["bake", "-q"]) == 0
    capsys.readouterr()
    return folder


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    main(list(words))
    return [row.split("  ")[0] for row in capsys.readouterr().out.splitlines()]


def read_guid(path: Path) -> str:
    return path.with_name(f"{path.name}.meta").read_text().partition("guid: ")[2][:32]


def json_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main(list(words))
    return capsys.readouterr().out


def test_every_name_that_is_printed_is_a_question(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """... and means the object that it was printed for, or objects that are called the same."""
    opened = open_project(str(project))
    checked = 0
    for asset in opened.database:
        content = opened.resolver.content(asset.guid)
        for file_id in () if isinstance(content, str) else content.objects:
            name = opened.resolver.name(asset.guid, file_id)
            if name.name and asset_part(name.name):
                found = objects_called(opened.resolver, asset.guid, name.name)
                assert (file_id, name.name) in found, name
                checked += 1
    assert checked > 10
    opened.close()


@pytest.mark.parametrize(
    ("query", "file_id"),
    [
        ("Player.prefab / Body (Health)", 300),
        ("player.PREFAB / body (health)", 300),
        ("Assets/Prefabs/Player.prefab / Body (Health)", 300),
        ("Prefabs/Player.prefab / Player / Body (Health)", 300),
        ("Assets/Prefabs/Player.prefab:300", 300),
        ("Player.prefab:300", 300),
    ],
)
def test_a_printed_object(project: Path, capsys: pytest.CaptureFixture[str], query: str, file_id: int) -> None:
    assert main(["guid", query]) == 0
    assert capsys.readouterr().out == f"{guid(1)}:{file_id}\n"
    assert main(["usages", query]) in (0, 1)
    assert "is called" not in capsys.readouterr().err


def test_a_line_is_the_object_on_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (project / "Assets/Prefabs/Player.prefab").read_text().splitlines()
    start = next(number for number, line in enumerate(lines, start=1) if line.endswith("&300"))
    for line in (start, start + 1, start + 2):
        assert main(["guid", f"Assets/Prefabs/Player.prefab:{line}"]) == 0
        assert capsys.readouterr().out == f"{guid(1)}:300\n"
    assert main(["guid", "Assets/Prefabs/Player.prefab:1", "Assets/Prefabs/Player.prefab.meta:2"]) == 0
    assert capsys.readouterr().out == f"{guid(1)}\n" * 2
    opened = open_project(str(project))
    assert object_at(opened.resolver, guid(1), len(lines) + 100) == len(lines) + 100  # no such line: a fileID
    opened.close()
    assert main(["guid", "Nothing.prefab:12"]) == 1
    assert "no asset named 'Nothing.prefab:12'" in capsys.readouterr().err


def test_several_that_are_called_so_are_listed_a_line_each(plain: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("Assets/One/Same.asset", "Assets/Two/Same.asset"):
        add(plain, path, data_asset("Same"))
    assert main(["bake", "-q"]) == 0
    assert main(["guid", "SAME"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "assetdb: 'SAME' is ambiguous (2 matches):",
        "  Assets/One/Same.asset",
        "  Assets/Two/Same.asset",
    ]


def test_what_has_no_name_is_not_named_to_find_another(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As 832 instances of a level of BoatAttack, each of which takes 2 ms to be named."""
    opened = open_project(str(project))
    scene = project / "Assets" / "Main.unity"
    documents = [
        f"--- !u!1001 &{number}\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n"
        f"  m_SourcePrefab: {{fileID: 100100000, guid: {guid(1)}, type: 3}}\n"
        f"--- !u!104 &{number + 500}\nRenderSettings:\n"
        for number in range(900_001, 900_301)
    ]
    scene.write_text(scene.read_text() + "".join(documents))
    meant = read_guid(scene)
    asked: list[int | None] = []
    name = opened.resolver.name
    monkeypatch.setattr(opened.resolver, "name", lambda guid, number: asked.append(number) or name(guid, number))
    assert objects_called(opened.resolver, meant, "Main.unity / NoSuch") == []
    assert len(asked) < 20
    assert len(objects_called(opened.resolver, meant, "Main.unity (RenderSettings)")) == 300
    assert objects_called(opened.resolver, meant, "Main.unity (PrefabInstance)")


def test_a_folder_answers_for_what_is_in_it(plain: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rows(capsys, "usages", "Assets/Set") == ["Assets/User.asset"]
    assert rows(capsys, "usages", "Assets/Set/") == ["Assets/User.asset"]
    assert rows(capsys, "usages", "--deep", "Assets/Set") == ["Assets/Further.asset", "Assets/User.asset"]
    places = rows(capsys, "usages", "--objects", "Assets/Set")
    assert [place.partition(":")[0] for place in places] == ["Assets/User.asset"]
    assert rows(capsys, "deps", "Assets/Set") == ["Assets/Art/Red.mat", "Assets/Data.cs"]
    # Two in the folder with one GUID are in it both.
    meta = plain / "Assets/Set/Both.asset.meta"
    meta.write_text(meta.read_text().replace(guid_of("Assets/Set/Both.asset"), guid_of("Assets/Set/Part0.asset")))
    assert main(["bake", "-q", "--keep-going"]) == 0
    capsys.readouterr()
    assert rows(capsys, "usages", "Assets/Set") == ["Assets/User.asset"]


def test_a_folder_that_shares_its_guid_answers_for_itself(plain: Path, capsys: pytest.CaptureFixture[str]) -> None:
    meta = plain / "Assets/Set.meta"
    meta.write_text(meta.read_text().replace(guid_of("Assets/Set"), guid_of("Assets/Art/Red.mat")))
    assert main(["bake", "-q", "--keep-going"]) == 0
    capsys.readouterr()
    assert main(["path", "Assets/Set"]) == 0
    found = capsys.readouterr()
    assert found.out == "Assets/Set\n"
    assert found.err == "assetdb: Assets/Set shares its GUID with Assets/Art/Red.mat\n"
    assert rows(capsys, "name", "-q", "Assets/Set/") == ["Set"]
    assert rows(capsys, "deps", "-q", "Assets/Set") == ["Assets/Art/Red.mat", "Assets/Data.cs"]
    assert '"path": "Assets/Set", ' in json_of(capsys, "usages", "--json", "Assets/Set.meta")
    assert '"shares_guid_with": ["Assets/Art/Red.mat"]' in json_of(capsys, "deps", "--json", "Assets/Set")
    assert rows(capsys, "path", "-q", "Assets/Art/Red.mat") == ["Assets/Art/Red.mat"]


def test_a_folder_without_a_meta_answers_for_what_is_in_it(plain: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(plain, "Packages/com.mine/Inner.asset", data_asset("Inner", reference("Assets/Art/Red.mat", 2100000)))
    (plain / "Packages/com.mine/package.json").write_text('{"name": "com.mine", "version": "1.0.0"}')
    add(plain, "Assets/Late.asset", data_asset("Late", reference("Packages/com.mine/Inner.asset")))
    assert rows(capsys, "usages", "Packages/com.mine") == ["Assets/Late.asset"]
    assert rows(capsys, "deps", "Packages/com.mine/") == ["Assets/Art/Red.mat", "Assets/Data.cs"]
    # The zeros that mean no asset stand in every settings file, and refer to no folder.
    assert rows(capsys, "usages", "Packages") == ["Assets/Late.asset"]
    inside = rows(capsys, "usages", "Assets")
    assert "Packages/com.mine/Inner.asset" in inside
    assert not [path for path in inside if path.startswith("Assets/")]
    assert '"guid": "", "name": "com.mine", "type": "folder", "path": "Packages/com.mine"' in json_of(
        capsys, "usages", "--json", "Packages/com.mine"
    )
    assert main(["guid", "Packages/com.mine"]) == 1  # it has none


@pytest.mark.parametrize("pattern", ["[", "a[", "[]", "[!]", "x[a]y[b"])
def test_a_pattern_that_is_none(plain: Path, capsys: pytest.CaptureFixture[str], pattern: str) -> None:
    assert main(["find", pattern]) == 2
    assert "is not a valid pattern: the [ at character" in capsys.readouterr().err
    assert main(["find", "[P]art*"]) == 0


def test_options_before_the_command(plain: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for words in (
        ["--project", str(plain), "path", "User"],
        [f"--project={plain}", "-q", "path", "User"],
        ["-v", "--out-dir", str(tmp_path / "out"), "--quiet", "path", "User"],
    ):
        assert main(words) == 0
        assert capsys.readouterr().out == "Assets/User.asset\n"


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for words in (["help", "deps"], ["deps", "--help"], ["help"], ["--help"], ["-V"], ["--version"], ["-q", "-V"]):
        assert main(words) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert shown[2] == shown[3]
    assert shown[4] == shown[5] == shown[6]
    assert shown[4] == f"assetdb {VERSION} ({'native' if native_module() is not None else 'pure Python'})\n"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["find", "x", "--tpye", "Material"], "--type"),
        (["name", "--jsn"], "--json"),
        (["--projet", "x", "name", "y"], "--project"),
        (["bake", "--keep-goin"], "--keep-going"),
        (["unused", "--incomplet"], "--incomplete"),
        (["catalog", "ls", "--jso"], "--json"),
    ],
)
def test_what_option_was_meant(capsys: pytest.CaptureFixture[str], words: list[str], meant: str) -> None:
    assert main(words) == 2
    assert f"did you mean '{meant}'?" in capsys.readouterr().err


def test_quiet_says_no_notes_and_verbose_says_all(plain: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(5):
        add(plain, f"Assets/Empty{number}.asset")
    assert main(["bake", "-q"]) == 0
    assert main(["-q", "usages", "Assets/Set"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["usages", "Assets/Set"]) == 0
    assert capsys.readouterr().err.count("Assets/Empty") == 3
    assert main(["usages", "Assets/Set", "-v"]) == 0
    assert capsys.readouterr().err.count("Assets/Empty") == 5


COMMAND_LINES = [
    *([row.name] for row in COMMANDS if not row.family),
    *(["catalog", name] for name in ("info", "ls", "deps", "find", "diff", "verify", "convert", "edit", "extract")),
    *(["bundle", row.name] for row in BUNDLE_COMMANDS),
    *(["unreal", row.name] for row in UNREAL),
]


@pytest.mark.parametrize("words", COMMAND_LINES, ids=" ".join)
def test_every_command_has_the_same_manners(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for option, code, out, err in (
        ("-V", 0, "assetdb ", ""),
        ("--quite", 2, "", "did you mean '--quiet'?"),
        ("--verbos", 2, "", "did you mean '--verbose'?"),
        ("--help", 0, "-q, --quiet", ""),
    ):
        ended = main([*words, option])
        said = capsys.readouterr()
        assert ended == code, said
        assert out in said.out
        assert err in said.err


def test_quiet_and_verbose_where_they_stand(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", "-q"]) == 0
    plain = capsys.readouterr().out
    assert plain
    for words in (["-q", "dump"], ["dump", "-v"], ["-v", "dump", "--project", str(project)]):
        assert main(words) == 0
        assert capsys.readouterr().out == plain


def test_problems_of_a_catalog_are_all_shown_where_that_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    problems = [Problem("too-long", f"key {number}", "is longer") for number in range(15)]
    for every, lines in ((False, 11), (True, 15)):
        report(problems, 15, every=every)
        assert len(capsys.readouterr().err.splitlines()) == lines
