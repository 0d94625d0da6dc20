"""The commands under `assetdb unreal`, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path
from struct import pack
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.cli import main
from assetdb.cli.unreal.reporting import note_unknown
from assetdb_formats.unreal.packages.package import Package
from tests.assetdb_formats.unreal.package_writer import COOKED, UNVERSIONED_PROPERTIES, full
from tests.assetdb_formats.unreal.scanning.test_database import package, project

if TYPE_CHECKING:
    from assetdb.cli.arguments import CommonOptions

__all__ = ["project"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["unreal", *words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("command", ["deps", "usages"])
def test_a_folder_where_a_package_is_asked_for_is_to_follow_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    code, _, err = run(capsys, command, str(tmp_path), "--in", str(tmp_path))
    assert (code, err.endswith(f"; to look in it, write --in {tmp_path}\n")) == (1, True)


def test_info(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Thing.uasset"
    path.write_bytes(full(-8, 522, 1009).data())
    code, out, _ = run(capsys, "info", str(path))
    assert code == 0
    assert "5.2 to 5.3" in out
    assert "Thing:Inner_0" in out
    code, out, _ = run(capsys, "info", "--json", "--properties", str(path))
    document = json.loads(out)
    assert code == 0
    assert document["properties"][0]["properties"]["Parent"] == "/Game/Folder/Other_3.Other_3"
    assert document["properties"][0]["soft_references"] == ["/Game/Soft/Target.Target:Sub.Path"]
    assert document["damage"] == []


def test_info_of_a_damaged_package_says_what_is_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Thing.uasset"
    data = full(-8, 522, 1009).data()
    path.write_bytes(data[: len(data) // 2])
    code, out, _ = run(capsys, "info", str(path))
    assert code == 1
    assert "damaged: offset" in out
    path.write_bytes(b"not a package")
    code, _, err = run(capsys, "info", str(path))
    assert code == 2
    assert str(path) in err


def test_the_version_of_an_unversioned_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Thing.uasset"
    path.write_bytes(full(-8, 522, 1008, COOKED | UNVERSIONED_PROPERTIES, unversioned=True, resources=[]).data())
    assert "inferred: 5.1" in run(capsys, "info", str(path))[1]
    assert "assumed: 5.1" in run(capsys, "info", "--assume-version", "5.1", str(path))[1]
    assert run(capsys, "info", "--assume-version", "5.7", str(path))[0] != 0
    code, _, err = run(capsys, "info", "--assume-version", "9.9", str(path))
    assert (code, "neither a release" in err) == (2, True)
    code, _, err = run(capsys, "info", "--properties", str(path))
    assert (code, "usmap" in err) == (2, True)


def test_ls(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "ls", str(project))
    assert code == 0
    assert len(out.splitlines()) == 16
    code, out, _ = run(capsys, "ls", str(project), "--class", "texture2d", "--json")
    assert [row["package"] for row in map(json.loads, out.splitlines())] == ["/Game/Icon", "/Game/New/Texture"]
    assert run(capsys, "ls", str(project), "--class", "Nothing")[0] == 1
    assert "/Game/Gone" in run(capsys, "ls", str(project), "--missing")[1]
    assert "/Game/Ring/A <-> /Game/Ring/B" in run(capsys, "ls", str(project), "--cycles")[1]
    assert "cut off" in run(capsys, "ls", str(project), "--damaged")[1]
    assert run(capsys, "ls", str(project / "nowhere"))[0] == 2


@pytest.mark.parametrize("option", ["--missing", "--cycles"])
@pytest.mark.parametrize("other", [("--class", "Texture2D"), ("--classes",)])
def test_lists_of_names_without_classes_refuse_a_class(
    project: Path, capsys: pytest.CaptureFixture[str], option: str, other: tuple[str, ...]
) -> None:
    code, out, err = run(capsys, "ls", str(project), option, *other)
    assert (code, out, f"{other[0]} is not for {option}" in err) == (2, "", True)


def test_a_list_of_what_is_wrong_is_clean_when_it_is_empty(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = tmp_path / "sound"
    sound.mkdir()
    (sound / "A.uasset").write_bytes(package())
    for option in ("--damaged", "--missing", "--cycles"):
        assert run(capsys, "ls", str(project), option)[0] == 1
        assert run(capsys, "ls", str(project), option, "--json")[0] == 1
        assert run(capsys, "ls", str(sound), option) == (0, "", "")
        assert run(capsys, "ls", str(sound), option, "--json") == (0, "", "")
    assert run(capsys, "ls", str(project), "--damaged", "--class", "Texture2D") == (0, "", "")
    (tmp_path / "empty").mkdir()
    for words in (("ls",), ("ls", "--damaged"), ("ls", "--json"), ("unused",)):
        code, out, err = run(capsys, *words, str(tmp_path / "empty"))
        assert (code, out) == (1, "")
        assert err == f"assetdb: {tmp_path / 'empty'}: there is no package here\n"


def test_what_is_not_found_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "Content" / "Broken.uasset").unlink()
    for words, said in {
        ("ls", "--class", "texture"): "there is no package of class texture; did you mean 'Texture2D'?",
        ("ls", "--class", "Zzz", "--damaged"): "there is no package of class Zzz",
        ("ls", "--searchable", "Nothing"): "no package mentions Nothing",
        ("usages", "Lonely", "--in"): "no package here needs /Game/Lonely",
        ("usages", "Icon", "--kind", "hard", "--in"): "no package here needs /Game/Icon by hard",
    }.items():
        assert run(capsys, *words, str(project)) == (1, "", f"assetdb: {said}\n"), words
    path = project / "Content" / "Thing.uasset"
    path.write_bytes(full(-8, 522, 1009).data())
    for words, said in {
        ("tags", "--tag", "Kez"): "no asset here has the tag Kez; did you mean 'Key'?",
        ("tags", "--tag", "Key=1"): "no asset here has Key=1",
    }.items():
        assert run(capsys, *words, str(path)) == (1, "", f"assetdb: {said}\n"), words
    path.write_bytes(package())
    assert run(capsys, "thumbs", str(path)) == (1, "", f"assetdb: {path}: there is no thumbnail here\n")
    path.write_bytes(package()[:100])
    assert run(capsys, "tags", str(project))[0] == 2  # one of its packages cannot be read


def test_needs_of_damaged_packages_are_said_to_be_unknown(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a damaged package needs was told as unused, and `deps` answered that it needs nothing."""
    folder = str(project)
    code, out, err = run(capsys, "deps", "Broken", "--in", folder)
    said = "assetdb: /Game/Broken is damaged, and not all that it needs is known: "
    assert (code, out, err.startswith(said), err.count("\n")) == (2, "", True, 1)
    assert run(capsys, "deps", "Town", "--in", folder, "--deep")[::2] == (0, "")
    for words, expected in (
        (("usages", "Icon", "--in", folder), 0),
        (("unused", folder), 1),
        (("ls", folder, "--missing"), 1),
        (("ls", folder, "--cycles"), 1),
        (("diff", folder, folder), 0),
    ):
        code, _, err = run(capsys, *words)
        assert (code, said in err) == (expected, True), words
    (project / "Content" / "Worse.uasset").write_bytes(package()[:120])
    (project / "Content" / "Lone.uasset").write_bytes(package(("/Game/Worse",)))
    said = "assetdb: 2 packages are damaged, and not all that they need is known: /Game/Broken and 1 more (ls --damaged"
    assert run(capsys, "usages", "Lonely", "--in", folder)[2].startswith(said)
    assert "/Game/Worse is damaged" in run(capsys, "deps", "Lone", "--in", folder, "--deep")[2]


def test_deps_and_usages(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "deps", "/Game/Mesh", "--in", str(project))
    assert code == 0
    assert "via /Game/Old/Texture" in out
    code, out, _ = run(capsys, "deps", str(project / "Content" / "Mesh.uasset"), "--json")
    assert json.loads(out)["package"] == "/Game/Mesh"
    code, out, _ = run(capsys, "deps", "Town", "--deep", "--in", str(project))
    assert {"/Game/Mesh", "/Game/New/Texture", "/Game/Prop"} <= {line.split()[0] for line in out.splitlines()}
    code, out, _ = run(capsys, "usages", "Icon", "--in", str(project))
    assert (code, out.split()[:2]) == (0, ["/Game/Table", "soft"])
    assert run(capsys, "usages", "Icon", "--kind", "hard", "--in", str(project))[0] == 1
    code, _, err = run(capsys, "deps", "Mosh", "--in", str(project))
    assert (code, "did you mean /Game/Mesh?" in err) == (1, True)


@pytest.mark.parametrize("name", ["Old\\Texture", "Old/Texture.uasset", "Texture.Texture", "OLD/texture.Texture:Sub"])
def test_the_end_of_an_object_path_or_file_is_a_name(
    project: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Such a name was unknown, with the advice that its own package may be meant."""
    (project / "Content" / "New" / "Texture.uasset").unlink()
    code, out, err = run(capsys, "usages", name, "--in", str(project), "--json")
    assert (code, json.loads(out)["package"]) == (0, "/Game/Old/Texture"), err


def test_unused_keeps_what_the_configuration_names(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "unused", str(project))
    assert code == 1
    assert "/Game/Lonely" in out
    config = project / "Config"
    config.mkdir()
    (config / "DefaultGame.ini").write_text("+Root=/Game/Lonely.Lonely\n", "utf-16")
    assert "/Game/Lonely" not in run(capsys, "unused", str(project))[1]
    assert "/Game/Lonely" in run(capsys, "unused", str(project), "--no-config")[1]
    assert "/Game/Table" in run(capsys, "unused", str(project))[1]
    (config / "DefaultGame.ini").write_text('+DirectoriesToAlwaysCook=(Path="/Game")\n')
    assert run(capsys, "unused", str(project))[:2] == (0, "")
    (config / "DefaultGame.ini").write_text(
        "+PrimaryAssetTypesToScan=(AssetBaseClass=/Script/Engine.DataTable,Directories=((Path=/Game)))\n"
    )
    out = run(capsys, "unused", str(project))[1]
    assert ("/Game/Table" in out, "/Game/Lonely" in out) == (False, True)
    (config / "DefaultGame.ini").write_text("")
    assert "/Game/Table" not in run(capsys, "unused", str(project), "--keep", "Table", "--json")[1]
    assert run(capsys, "unused", str(project), "--keep", "Nonsense")[0] == 2


def test_the_cache_is_used_and_never_trusted(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache = tmp_path / "cache.bin"
    first = run(capsys, "ls", str(project), "--cache", str(cache))
    before = cache.read_bytes()
    assert run(capsys, "ls", str(project), "--cache", str(cache)) == first
    assert cache.read_bytes() == before
    cache.write_bytes(before[:50])
    assert run(capsys, "ls", str(project), "--cache", str(cache)) == first
    assert cache.read_bytes() == before


def test_tags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "A.uasset").write_bytes(full(-8, 522, 1009).data())
    (tmp_path / "B.uasset").write_bytes(package())
    code, out, _ = run(capsys, "tags", str(tmp_path / "A.uasset"))
    assert (code, "  Key = Välue" in out) == (0, True)
    code, out, _ = run(capsys, "tags", str(tmp_path), "--tag", "Key=Välue", "--json")
    assert [row["object"] for row in map(json.loads, out.splitlines())] == ["Thing"]
    assert run(capsys, "tags", str(tmp_path), "--tag", "Nothing")[0] == 1


@pytest.mark.parametrize("evil", ["../../escape", "/etc/passwd", "C:\\x", "nul\0byte", "CON", "..", "a/b"])
def test_thumbs_never_leave_their_folder(evil: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    writer = full(-8, 522, 1009)
    writer.thumbnails = [("Blueprint", evil, 2, -2, b"\xff\xd8jpeg"), ("Blueprint", evil.upper(), 2, 2, b"\x89PNG")]
    folder = tmp_path / "packages"
    folder.mkdir()
    (folder / "A.uasset").write_bytes(writer.data())
    target = tmp_path / "out"
    code, _, _ = run(capsys, "thumbs", str(folder), "--to", str(target))
    assert code == 0
    written = sorted(path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".uasset")
    assert {path.parent for path in written} == {target}
    assert sorted(path.suffix for path in written) == [".jpg", ".png"]


def test_diff(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.uasset", tmp_path / "new.uasset"
    old.write_bytes(package(("/Game/A",)))
    new.write_bytes(package(("/Game/B",), ("/Game/S",)))
    code, out, _ = run(capsys, "diff", str(old), str(new))
    assert code == 1
    assert "  - /Game/A" in out
    assert "  + /Game/S" in out
    assert run(capsys, "diff", str(old), str(old)) == (0, "", "")
    assert run(capsys, "diff", str(project), str(project))[0] == 0
    assert run(capsys, "diff", str(old), str(project))[0] == 2


@pytest.mark.parametrize("option", [("--cache", "scan.bin"), ("--key", "00")])
def test_a_comparison_of_folders_refuses_what_it_would_not_heed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: tuple[str, str]
) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "A.uasset").write_bytes(package())
    code, out, err = run(capsys, "diff", str(tmp_path / "old"), str(tmp_path / "new"), *option)
    assert (code, out, f"{option[0]} is not for a comparison" in err) == (2, "", True)


def test_names_cannot_write_to_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "A.uasset"
    path.write_bytes(package(("/Game/\x1b[31mRed",)))
    for words in (("deps", str(path), "--in", str(tmp_path)), ("ls", str(tmp_path), "--missing"), ("info", str(path))):
        assert "\x1b" not in run(capsys, *words)[1]


def test_a_cache_where_no_folder_is(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache = tmp_path / "nowhere" / "cache"
    code, out, err = run(capsys, "ls", str(project), "--cache", str(cache))
    assert (code, out) == (2, "")
    assert err == f"assetdb: error: --cache {cache}: there is no folder {tmp_path / 'nowhere'}\n"
    (tmp_path / "folder").mkdir()
    code, _, err = run(capsys, "ls", str(project), "--cache", str(tmp_path / "folder"))
    assert (code, err) == (2, f"assetdb: error: {tmp_path / 'folder'}: Is a directory\n")


def test_a_file_is_not_called_a_missing_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "A.uasset"
    path.write_bytes(package())
    for words in (("ls", str(path)), ("unused", str(path)), ("deps", "A", "--in", str(path))):
        assert run(capsys, *words) == (2, "", f"assetdb: error: {path}: is not a folder\n")
    assert "no such folder" in run(capsys, "ls", str(tmp_path / "B"))[2]


def test_thumbs_that_lie_in_each_other_write_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    writer = full(-8, 522, 1009)
    writer.thumbnails = [("Blueprint", f"Thing{number}", 2, 2, b"\x89PNG" * 500) for number in range(40)]
    data = bytearray(writer.data())
    sound = Package(bytes(data)).thumbnails
    for found in sound:
        data[found.offset - 4 : found.offset] = pack("<i", sound[-1].offset + 2000 - found.offset)
    (tmp_path / "A.uasset").write_bytes(data)
    code, out, err = run(capsys, "thumbs", str(tmp_path / "A.uasset"), "--to", str(tmp_path / "out"))
    assert (code, out) == (2, "")
    assert "the images overlap" in err
    assert list((tmp_path / "out").iterdir()) == []


def test_find(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "find", "textur", "--in", str(project))
    assert (code, err) == (0, "")
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["/Game/New/Texture", "Texture2D"],
        ["/Game/Old/Texture", "ObjectRedirector"],
    ]
    code, out, _ = run(capsys, "find", "t*", "--class", "texture2d", "--in", str(project), "--json")
    assert [row["package"] for row in map(json.loads, out.splitlines())] == ["/Game/New/Texture"]
    assert run(capsys, "find", "ol?/*", "--in", str(project))[1].split()[0] == "/Game/Old/Texture"
    for words, said in {
        ("Textuer",): "no package is named like 'Textuer'; did you mean 'Texture'?",
        ("Mesh", "--class", "Texture2D"): "no package of class Texture2D is named like 'Mesh'",
        ("Mesh", "--class", "Textur2D"): "there is no package of class Textur2D; did you mean 'Texture2D'?",
    }.items():
        assert run(capsys, "find", *words, "--in", str(project)) == (1, "", f"assetdb: {said}\n"), words


def test_several_folders_are_asked_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for plugin, needs in (("One", "/Two/B"), ("Two", "/One/A")):
        content = tmp_path / "Plugins" / plugin / "Content"
        content.mkdir(parents=True)
        (content / f"{'A' if plugin == 'One' else 'B'}.uasset").write_bytes(package((needs,)))
    one, two = (str(tmp_path / "Plugins" / name) for name in ("One", "Two"))
    assert run(capsys, "deps", "/One/A", "--in", one)[1].split() == ["/Two/B", "hard", "not", "here"]
    assert run(capsys, "deps", "/One/A", "--in", one, "--in", two)[1].split() == ["/Two/B", "hard"]
    file = str(tmp_path / "Plugins" / "Two" / "Content" / "B.uasset")
    assert run(capsys, "usages", file, "--in", one, "--in", two)[1].split() == ["/One/A", "hard"]
    assert [line.split()[0] for line in run(capsys, "find", "", "--in", one, "--in", two)[1].splitlines()] == [
        "/One/A",
        "/Two/B",
    ]
    code, _, err = run(capsys, "find", "A", "--in", one, "--in", two, "--cache", str(tmp_path / "cache"))
    assert (code, "--cache keeps the scan of one folder" in err) == (2, True)


def test_a_folder_stands_for_its_packages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "Content"
    (folder / "Sub").mkdir(parents=True)
    for name in ("Sub/B", "A"):
        (folder / f"{name}.uasset").write_bytes(full(-8, 522, 1009).data())
    files = [str(folder / "A.uasset"), str(folder / "Sub" / "B.uasset")]
    code, out, _ = run(capsys, "info", str(folder))
    assert (code, [line for line in out.splitlines() if line.endswith(".uasset")]) == (0, files)
    code, out, _ = run(capsys, "info", "--json", str(folder))
    assert (code, [json.loads(line)["path"] for line in out.splitlines()]) == (0, files)
    code, out, _ = run(capsys, "parts", str(folder), "--json", "--to", str(tmp_path / "out"))
    rows = list(map(json.loads, out.splitlines()))
    assert (code, sorted({row["package"] for row in rows})) == (0, files)
    written = [row["written"] for row in rows if "written" in row]
    assert written
    assert all(Path(each).is_file() for each in written)
    assert {str(Path(each).relative_to(tmp_path / "out").parent) for each in written} == {".", "Sub"}
    (folder / "Bad.uasset").write_bytes(b"no package")
    code, out, err = run(capsys, "info", "--json", str(folder))
    assert (code, len(out.splitlines()), "Bad.uasset" in err) == (2, 2, True)
    (tmp_path / "empty").mkdir()
    for command in ("info", "parts"):
        assert run(capsys, command, str(tmp_path / "empty"))[0] == 1


def test_tags_of_a_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "A.uasset").write_bytes(full(-8, 522, 1009).data())
    assert run(capsys, "tags", str(tmp_path), "--class", "blueprint")[0] == 0
    assert run(capsys, "tags", str(tmp_path), "--class", "Bluprint") == (
        1,
        "",
        "assetdb: there is no asset of class Bluprint; did you mean 'Blueprint'?\n",
    )


def test_info_of_a_package_by_its_name(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("/Game/Mesh", "Mesh"):
        code, out, _ = run(capsys, "info", name, "--in", str(project), "--json")
        assert (code, json.loads(out)["path"]) == (0, str(project / "Content" / "Mesh.uasset"))
    assert run(capsys, "info", "Mehs", "--in", str(project)) == (
        1,
        "",
        "assetdb: no package named 'Mehs'; did you mean /Game/Mesh?\n",
    )


@pytest.mark.parametrize(("words", "is_said"), [((), True), (("--quiet",), False)])
def test_packages_of_unknown_classes_are_a_note(
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    is_said: bool,  # noqa: FBT001 - a row
) -> None:
    options = cast("CommonOptions", SimpleNamespace(quiet="--quiet" in words))
    note_unknown({"they are in a container without names": 1200}, options)
    said = "assetdb: the class of 1,200 packages is not known: they are in a container without names\n"
    assert capsys.readouterr().err == (said if is_said else "")
