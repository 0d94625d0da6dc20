from __future__ import annotations

import json
import os
import zipfile
from struct import pack
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb.cli.bundle.inputs import kind_of
from assetdb_formats.inputs import file_input
from assetdb_formats.unityfs.identity import archive_name
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `assetdb bundle` beside some bundles; return exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    kinds = builder.every_kind()
    (tmp_path / "basket.bundle").write_bytes(kinds["LZ4HC"])
    # "other", which the first one's AssetBundle declares, and whose text the first one's script refers to.
    p = builder.Packer()
    text = builder.Thing(4242, 49, p.string(b"../../evil\x1b[31m") + p.string(b"\xff\xfe raw"))
    inner = builder.serialized_file([text], builder.KINDS[2:], version=21)
    (tmp_path / "other.bundle").write_bytes(builder.archive([("CAB-0a", inner)], compression=1))
    (tmp_path / "NavMesh.asset").write_bytes(kinds["version 21"])
    (tmp_path / "stripped.bundle").write_bytes(builder.archive([("CAB-s", kinds["no trees"])]))

    def run_bundle(*words: str) -> tuple[int, str, str]:
        code = main(["bundle", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_bundle


def parsed(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_the_kind_is_recognised(run: Run, tmp_path: Path) -> None:
    assert run("info", "basket.bundle")[0] == 0
    assert {kind_of(file_input(str(tmp_path / name))) for name in ("basket.bundle", "NavMesh.asset")} == {"unityfs"}
    (tmp_path / "old").write_bytes(b"UnityArchive\0" + bytes(60))
    code, _, err = run("info", "old")
    assert (code, "UnityArchive, the bundle of one" in err, "old" in err) == (2, True, True)


@pytest.mark.parametrize("name", ["UnityWeb 3", "UnityRaw 2", "UnityRaw 5"])
def test_archives_of_unity_2_to_5(run: Run, tmp_path: Path, name: str) -> None:
    kinds = builder.every_kind()
    (tmp_path / "web.unity3d").write_bytes(kinds[name])
    code, out, err = run("info", "web.unity3d")
    assert (code, err) == (0, "")
    assert f"format    {name}\n" in out
    assert "Assembly.dll" in out
    code, out, err = run("verify", "web.unity3d")
    assert (code, out, err) == (0, "1 bundle: clean\n", "")
    (tmp_path / "web.unity3d").write_bytes(kinds[name] + b"more")
    assert "4 bytes follow the bundle" in run("verify", "web.unity3d")[1]
    assert run("get", "notes", "--in", "web.unity3d")[0] == 0
    assert run("extract", "Assembly.dll", "--in", "web.unity3d", "--to", "out")[0] == 0
    assert (tmp_path / "out" / "Assembly.dll").read_bytes() == bytes(range(256)) * 2


def test_a_stripped_version_is_inferred(run: Run, tmp_path: Path) -> None:
    inner = builder.serialized_file([], [], unity_version="0.0.0")
    (tmp_path / "s").write_bytes(builder.archive([("CAB-s", inner)], number=7, unity_version="0.0.0"))
    code, out, _ = run("info", "s")
    assert code == 0
    assert "Unity    0.0.0 (stripped); inferred: 2020.1 to 2022.1\n" in out
    (facts,) = parsed(run("info", "s", "--json")[1])
    assert (facts["unity_version"], facts["inferred_version"]) == ("0.0.0", "2020.1 to 2022.1")
    assert "inferred_version" not in parsed(run("info", "basket.bundle", "--json")[1])[0]
    (tmp_path / "old.asset").write_bytes(builder.whole_file(6))
    assert "not stated; inferred: 2.1 to 2.6\n" in run("info", "old.asset")[1]


def test_info(run: Run) -> None:
    code, out, _ = run("info", "basket.bundle", "NavMesh.asset")
    assert code == 0
    assert "format    UnityFS 8\n" in out
    assert "name      basket.bundle\n" in out
    assert "classes   1 MonoBehaviour, 1 AssetBundle, 1 TextAsset\n" in out
    assert "format    SerializedFile\n" in out
    facts = parsed(run("info", "--json", "basket.bundle")[1])[0]
    assert facts["compression"] == ["LZ4HC"]
    assert [file["name"] for file in facts["files"]] == ["CAB-basket", "CAB-basket.resS"]
    assert facts["container"][0] == {"path": "assets/notes.txt", "path_id": 10}


def test_ls(run: Run) -> None:
    code, out, _ = run("ls", "basket.bundle")
    assert code == 0
    assert [line.split() for line in out.splitlines()][0::3] == [
        ["PathID", "class", "bytes", "name", "container"],
        ["10", "TextAsset", "296", "notes", "assets/notes.txt"],
    ]
    assert "MonoBehaviour" in run("ls", "stripped.bundle")[1]  # from the table of Unity's numbers
    objects = parsed(run("ls", "--json", "basket.bundle", "other.bundle")[1])
    assert [line["bundle"] for line in objects] == ["basket.bundle"] * 3 + ["other.bundle"]


def test_names_do_nothing_to_the_terminal(run: Run) -> None:
    out = run("ls", "other.bundle")[1]
    assert "\x1b" not in out
    assert "evil\\x1b[31m" in out


def test_deps_and_usages(run: Run) -> None:
    code, out, _ = run("deps", "basket.bundle")
    assert code == 1  # x.asset is nowhere
    assert [line.split()[0] for line in out.splitlines()] == ["verdict", "found", "missing", "declared:"]
    facts = parsed(run("deps", "--json", "basket.bundle")[1])[0]
    assert facts["externals"][0]["bundle"] == os.path.join(".", "other.bundle")
    code, out, _ = run("usages", "other.bundle", "--json")
    assert code == 0
    assert {user["bundle"] for user in parsed(out)} == {
        os.path.join(".", "NavMesh.asset"),  # a file without a bundle refers to others, too
        os.path.join(".", "basket.bundle"),
        os.path.join(".", "stripped.bundle"),
    }
    assert run("usages", "stripped.bundle")[0] == 1
    code, out, _ = run("unused")
    assert (code, out.split()) == (1, [os.path.join(".", name) for name in ("basket.bundle", "stripped.bundle")])
    assert [line["path"] for line in parsed(run("unused", "--in", ".", "--json")[1])] == out.split()


def test_deps_and_usages_of_an_object(run: Run) -> None:
    code, out, _ = run("deps", "Basket", "--in", "basket.bundle")
    assert code == 0
    assert [line.rpartition("  ")[2] for line in out.splitlines()[1:]] == [
        f"4242 (TextAsset ../../evil\\x1b[31m) in {os.path.join('.', 'other.bundle')}",
        "10 (TextAsset notes)",
    ]
    (facts,) = parsed(run("deps", "basket.bundle#Basket", "--json")[1])
    targets = [(item["path_id"], item["class"]) for item in facts["references"]]
    assert targets == [
        (4242, "TextAsset"),
        (10, "TextAsset"),
    ]
    users = parsed(run("usages", "4242", "--in", "other.bundle", "--json")[1])
    assert [(user["path_id"], user["field"]) for user in users if "basket" in user["bundle"]] == [
        (-20, "m_Script"),
        (1, "m_PreloadTable[1]"),
    ]
    assert run("usages", "notes", "--in", "basket.bundle")[1].count("basket.bundle") >= 3


def test_a_damaged_neighbour_is_said_and_the_others_still_answer(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.bundle").write_bytes(builder.archive([("CAB-x", builder.whole_file()[:-300])], compression=0))
    (tmp_path / "b.bundle").write_bytes(b"UnityFS\0" + bytes(40))
    code, out, err = run("usages", "other.bundle", "--json")
    assert (code, len(parsed(out))) == (2, 3)
    assert [line.split(":")[2].strip() for line in err.splitlines()] == [
        os.path.join(".", n) for n in ("b.bundle", "a.bundle")
    ]


def test_a_missing_bundle_is_named_by_what_is_declared(run: Run, tmp_path: Path) -> None:
    p = builder.Packer()
    kinds = [builder.Kind(142, builder.ASSET_BUNDLE_TREE)]
    empty = p("ii", 0, 0) + p("iiiq", 0, 0, 0, 0)[:20] + p("I", 1) + p.string(b"a") + p("i", 1) + p.string(b"fruit")
    thing = builder.Thing(1, 142, p.string(b"a") + empty + bytes(4))
    name = archive_name("fruit")
    external = builder.External(f"archive:/{name}/{name}")
    data = builder.serialized_file([thing], kinds, externals=(external,))
    (tmp_path / "a.bundle").write_bytes(builder.archive([("CAB-a", data)]))
    code, out, _ = run("deps", "a.bundle", "--json")
    assert code == 1
    assert parsed(out)[0]["externals"][0] == {
        "verdict": "missing",
        "file": "CAB-a",
        "external": external.path,
        "bundle": "fruit",
    }


@pytest.mark.parametrize("wanted", ["10", "CAB-basket:10", "notes", "Assets/Notes.txt"])
def test_get_finds_an_object_by_any_of_its_names(run: Run, wanted: str) -> None:
    code, out, _ = run("get", wanted, "--in", "basket.bundle")
    assert code == 0
    assert "container  assets/notes.txt\n" in out
    assert 'm_Name    "notes"\n' in out


def test_get_says_what_was_meant(run: Run) -> None:
    code, out, err = run("get", "Baskett", "--in", "basket.bundle")
    assert (code, out) == (1, "")
    assert "did you mean 'Basket'" in err
    value = parsed(run("get", "Basket", "--in", "basket.bundle", "--json")[1])[0]["value"]
    assert value["blob"] == {"base64": "eHl6"}
    assert value["m_Script"] == {"file_id": 1, "path_id": 4242}
    assert value["references"]["RefIds"][0]["data"]["weight"] == 7


def test_verify(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("verify", "basket.bundle", "other.bundle", "NavMesh.asset", "stripped.bundle")
    note = "stripped.bundle: note: the values of 3 objects were not checked: there are no type trees"
    assert (code, out.splitlines()) == (0, [note, "4 bundles: clean"])
    data = bytearray((tmp_path / "basket.bundle").read_bytes())
    (tmp_path / "long.bundle").write_bytes(data + b"??")
    data[-1] ^= 1
    (tmp_path / "cut.bundle").write_bytes(data[:-1])
    inner = builder.whole_file().replace(pack("<iiq", 7, 0, 10), pack("<iiq", 7, 0, 11))
    (tmp_path / "dangling.bundle").write_bytes(builder.archive([("CAB-a", inner)]))
    code, out, _ = run("verify", "long.bundle", "cut.bundle", "dangling.bundle")
    assert code == 2
    assert "long.bundle: finding: 2 bytes follow the bundle" in out
    assert "cut.bundle: unreadable: offset" in out
    assert out.splitlines()[-1] == "3 bundles: findings, 1 unreadable"
    assert "references.RefIds[0].data.tree is 11, which is not there" in out
    assert run("verify", "long.bundle", "dangling.bundle")[0] == 1
    code, out, _ = run("verify", "--json", "basket.bundle", "cut.bundle")
    assert (code, [facts["readable"] for facts in parsed(out)]) == (2, [True, False])
    assert parsed(run("verify", "basket.bundle", "--json")[1])[0]["findings"] == []


def test_diff(run: Run, tmp_path: Path) -> None:
    assert run("diff", "basket.bundle", "basket.bundle") == (0, "", "")
    seven, eight = pack("<iiq", 7, 0, 10), pack("<iiq", 8, 0, 10)
    edits = {
        (b"Basket", b"Bucket"): ["Bucket", '    m_Name: "Basket" -> "Bucket"'],
        (seven, eight): ["Basket", "    references.RefIds[0].data.weight: 7 -> 8"],
    }
    for edit, (name, value) in edits.items():
        files = [("CAB-basket", builder.whole_file().replace(*edit)), ("CAB-basket.resS", bytes(range(256)) * 2)]
        (tmp_path / "new.bundle").write_bytes(builder.archive(files, compression=1))
        code, out, _ = run("diff", "basket.bundle", "new.bundle")
        assert code == 1
        assert out.splitlines() == ["compression: LZ4HC -> LZMA", f"~ CAB-basket:-20  MonoBehaviour  {name}", value]
    both = builder.whole_file().replace(b"Basket", b"Bucket").replace(seven, eight)  # nothing says that it is the same
    (tmp_path / "new.bundle").write_bytes(builder.archive([("CAB-basket", both), files[1]]))
    lines = run("diff", "basket.bundle", "new.bundle")[1].splitlines()
    assert [line.split()[::3] for line in lines if "MonoBehaviour" in line] == [["-", "Basket"], ["+", "Bucket"]]
    changes = parsed(run("diff", "basket.bundle", "other.bundle", "--json")[1])[0]["objects"]
    assert sorted(change["change"] for change in changes) == ["+", "-", "-", "-"]


def test_diff_tells_where_a_long_value_differs_that_is_printed_in_part(run: Run, tmp_path: Path) -> None:
    data, line = builder.whole_file(), "Füße\n".encode()
    at = data.rfind(line)
    files = [("CAB-basket", data[:at] + "Füßa\n".encode() + data[at + len(line) :]), ("CAB-basket.resS", bytes(512))]
    (tmp_path / "new.bundle").write_bytes(builder.archive(files))
    code, out, _ = run("diff", "basket.bundle", "new.bundle")
    assert code == 1
    (text,) = [row for row in out.splitlines() if "m_Script" in row]
    assert text.endswith("… (200 characters) (first difference at [198])")


def test_extract(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("extract", "basket.bundle", "--to", "out")
    assert code == 0
    assert out.split() == [os.path.join("out", name) for name in ("CAB-basket", "CAB-basket.resS")]
    assert (tmp_path / "out" / "CAB-basket").read_bytes() == builder.whole_file()
    assert run("extract", "notes", "Basket", "CAB-basket.resS", "--in", "basket.bundle", "--to", "two")[0] == 0
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == ["Basket.json", "CAB-basket.resS", "notes.txt"]
    assert (tmp_path / "two" / "notes.txt").read_bytes() == "Füße\n".encode() * 40
    assert json.loads((tmp_path / "two" / "Basket.json").read_text())["value"]["m_Name"] == "Basket"
    assert run("extract", "nothing", "--in", "basket.bundle", "--to", "three")[0] == 1
    assert not (tmp_path / "three").exists()


def test_a_file_without_a_bundle_is_extracted_and_named_as_it_is_called(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "zipped.zip", "w") as archive:
        archive.write(tmp_path / "NavMesh.asset", "Data/level0")
    code, out, _ = run("extract", "NavMesh.asset", "zipped.zip", "--to", "out")
    assert (code, out.split()) == (0, [os.path.join("out", name) for name in ("NavMesh.asset", "level0")])
    assert (tmp_path / "out" / "level0").read_bytes() == (tmp_path / "NavMesh.asset").read_bytes()
    (_, *found) = run("deps", "NavMesh.asset")[1].splitlines()
    assert {line.split()[1] for line in found if not line.startswith("declared:")} == {"NavMesh.asset"}
    (_, *found) = run("usages", "other.bundle")[1].splitlines()
    own = os.path.join(".", "NavMesh.asset")
    assert [line.split()[1] for line in found if line.startswith(own)] == ["NavMesh.asset"]


def test_an_extracted_name_never_leaves_its_folder(run: Run, tmp_path: Path) -> None:
    assert run("extract", "4242", "--in", "other.bundle", "--to", "out")[0] == 0
    (only,) = (tmp_path / "out").iterdir()
    assert only.read_bytes() == b"\xff\xfe raw"
    assert os.sep not in only.name
    hostile = builder.archive([("../../../CAB-up", b"x"), ("/etc/CAB-root", b"y")], compression=0)
    (tmp_path / "hostile.bundle").write_bytes(hostile)
    before = set(tmp_path.parent.iterdir())
    run("extract", "hostile.bundle", "--to", "deep/down")
    assert len(list((tmp_path / "deep" / "down").iterdir())) == 2
    assert set(tmp_path.parent.iterdir()) == before


def test_all_bundles_of_a_project(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "Game"
    game.mkdir()
    for name in ("basket.bundle", "other.bundle"):
        (tmp_path / name).rename(game / name)
    (game / "notes.txt").write_text("UnityFS is not at the start")
    code, out, err = run("unused", "--in", "Game")
    assert (code, out, err) == (1, f"{os.path.join('Game', 'basket.bundle')}\n", "")
    assert run("verify", "--in", "Game") == run("verify", "Game") == (0, "2 bundles: clean\n", "")
    (game / "other.bundle").write_bytes((game / "other.bundle").read_bytes()[:-9])
    assert run("verify", "Game")[0] == 2


def test_a_bundle_that_cannot_be_read_leaves_the_others(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cut.bundle").write_bytes((tmp_path / "basket.bundle").read_bytes()[:-1])
    for command in ("info", "ls", "deps"):
        for bad in ("cut.bundle", "absent"):
            code, out, err = run(command, "--json", bad, "basket.bundle", bad)
            names = {facts.get("path") or facts["bundle"] for facts in parsed(out)}
            assert (code, names) == (2, {"basket.bundle"})
            assert err.count(f"assetdb: error: {bad}: ") == 1
    code, out, _ = run("usages", "other.bundle", "cut.bundle", "--json")
    assert (code, {facts["path"] for facts in parsed(out)}) == (2, {"other.bundle"})


def test_a_negative_path_id_is_no_option(run: Run) -> None:
    assert "Basket" in run("get", "-20", "--in", "basket.bundle")[1]
    assert parsed(run("get", "-20", "--in", "basket.bundle", "--json")[1])[0]["path_id"] == -20
    assert run("deps", "-20", "--in", "basket.bundle")[0] == 0
    assert run("extract", "-20", "--in", "basket.bundle", "--to", "out")[:2] == (
        0,
        f"{os.path.join('out', 'Basket.json')}\n",
    )
    code, _, err = run("get", "-5021021021021021021", "--in", "basket.bundle")
    assert (code, "no object named '-5021021021021021021'" in err) == (1, True)


def test_a_bundle_where_an_object_is_asked_for_is_to_follow_in(run: Run) -> None:
    code, _, err = run("get", "./basket.bundle", "--in", "basket.bundle")
    assert (code, err.endswith("; to look in it, write --in ./basket.bundle\n")) == (1, True)


@pytest.mark.parametrize("words", [("verify",), ("unused",), ("find",), ("get", "Basket"), ("deps", "Basket")])
def test_a_place_that_is_not_there(words: tuple[str, ...], run: Run) -> None:
    code, out, err = run(*words, "--in", "Gmae")
    assert (code, out, err) == (2, "", "assetdb: error: Gmae: No such file or directory\n")


def test_a_project_without_bundles_is_not_clean(run: Run, tmp_path: Path) -> None:
    (tmp_path / "Empty").mkdir()
    code, out, err = run("verify", "Empty")
    assert (code, out, err) == (2, "", "assetdb: error: Empty: holds no bundle\n")


def test_find_and_ls_by_class(run: Run) -> None:
    code, out, _ = run("find", "NOT", "--in", ".")
    assert code == 0
    assert out.splitlines()[0].split() == ["bundle", "object", "class", "name", "container"]
    assert {line.split()[3] for line in out.splitlines()[1:]} == {"notes"}
    lines = parsed(run("find", "--class", "textasset", "--json", "--in", "basket.bundle", "--in", "other.bundle")[1])
    assert [(line["bundle"], line["path_id"]) for line in lines] == [("basket.bundle", 10), ("other.bundle", 4242)]
    assert parsed(run("ls", "--class", "49", "--json", "basket.bundle")[1])[0]["name"] == "notes"
    assert parsed(run("ls", "stripped.bundle", "--class", "MonoBehaviour", "--json")[1])[0]["path_id"] == -20
    assert run("find", "^n.tes$", "--regex", "--in", "basket.bundle")[0] == 0
    code, out, err = run("find", "nothing", "--in", "basket.bundle")
    assert (code, out, err) == (1, "", "assetdb: no object matches 'nothing' in basket.bundle\n")
    for words, what in ((["--class", "Mterial"], ""), (["notes", "--class", "Mterial"], " matches 'notes'")):
        code, out, err = run("find", *words, "--in", "basket.bundle")
        assert (code, out, err) == (1, "", f"assetdb: no object of class Mterial{what} in basket.bundle\n")
    code, _, err = run("find", "(", "--regex")
    assert (code, "is not a valid regular expression" in err) == (2, True)


def test_an_ambiguous_name_is_not_guessed_at(run: Run, tmp_path: Path) -> None:
    (tmp_path / "copy.bundle").write_bytes((tmp_path / "basket.bundle").read_bytes())
    code, out, err = run("get", "Basket", "--in", "basket.bundle", "--in", "copy.bundle")
    assert (code, out) == (1, "")
    assert "'Basket' is ambiguous (2 matches): basket.bundle#CAB-basket:-20 (MonoBehaviour), copy.bundle#" in err
    assert run("get", "copy.bundle#CAB-basket:-20")[0] == 0


def test_folders_and_archives_are_taken_where_files_are(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "game.apk", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("basket.bundle", "other.bundle"):
            archive.write(tmp_path / name, f"assets/aa/{name}")
        archive.writestr("../up.bundle", (tmp_path / "basket.bundle").read_bytes())
        archive.writestr("assets/notes.txt", b"no bundle")
    member = "game.apk/assets/aa/basket.bundle"
    assert {line["bundle"] for line in parsed(run("ls", "game.apk", "--json")[1])} == {
        member,
        "game.apk/assets/aa/other.bundle",
    }
    assert "Basket" in run("get", "Basket", "--in", "game.apk")[1]
    (facts,) = [line for line in parsed(run("deps", "game.apk", "--json")[1]) if line["path"] == member]
    assert facts["externals"][0]["bundle"] == "game.apk/assets/aa/other.bundle"
    users = parsed(run("usages", "other.bundle", "--in", "game.apk", "--json")[1])
    assert {user["bundle"] for user in users} == {member}
    assert run("verify", "game.apk")[:2] == (0, "2 bundles: clean\n")
    assert run("extract", "Basket", "--in", "game.apk", "--to", "out")[0] == 0
    for command in ("info", "verify"):
        assert run(command, ".")[0] in (0, 1)
    damaged = (tmp_path / "game.apk").read_bytes()[:-30]
    (tmp_path / "cut.apk").write_bytes(damaged)
    code, out, err = run("ls", "cut.apk")
    assert (code, out, err.startswith("assetdb: error: cut.apk: ")) == (2, "", True)


def test_a_bundle_that_is_named_twice_is_asked_once(run: Run) -> None:
    for places in (["basket.bundle"], [".", "basket.bundle"], ["basket.bundle", os.path.abspath(".")]):
        words = [word for place in places for word in ("--in", place)]
        users = parsed(run("usages", "other.bundle", *words, "--json")[1])
        names = sorted(os.path.basename(user["bundle"]) for user in users)
        assert names == ["NavMesh.asset", "basket.bundle", "stripped.bundle"]


def test_diff_of_folders(run: Run, tmp_path: Path) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.bundle").write_bytes((tmp_path / "basket.bundle").read_bytes())
    assert run("diff", "old", "new") == (0, "", "")
    (tmp_path / "new" / "b.bundle").write_bytes((tmp_path / "other.bundle").read_bytes())
    assert run("diff", "old", "new") == (1, "+ b.bundle\n", "")


@pytest.mark.parametrize(
    ("words", "now"),
    [
        (("get", "basket.bundle", "Basket"), "bundle get OBJECT --in FILE"),
        (("unused", "."), "bundle unused --in DIR"),
        (("deps", "basket.bundle", "--object", "Basket"), "bundle deps OBJECT --in FILE"),
        (("deps", "basket.bundle", "--project", "."), "--in DIR"),
        (("usages", "--unused", "basket.bundle"), "bundle unused --in DIR"),
        (("verify", "--project", "."), "--in DIR"),
        (("extract", "basket.bundle", "notes", "--to", "out"), "--in FILE"),
    ],
)
def test_old_words_say_what_to_write_now(run: Run, words: tuple[str, ...], now: str) -> None:
    code, out, err = run(*words)
    assert (code, out, now in err, err.count("\n")) == (2, "", True, 1)
