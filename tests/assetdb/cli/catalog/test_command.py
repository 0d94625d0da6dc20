"""assetdb catalog as a user types it."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb_formats.addressables.editing.content import Entry
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.hashes import content_hash
from assetdb_formats.addressables.model import BundleOptions
from assetdb_formats.addressables.reading import read_catalog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb_formats.addressables.editing.content import Content
    from assetdb_formats.addressables.flavour import Flavour

    Encode = Callable[[Content, Flavour], bytes]


CATALOG = "Game_Data/StreamingAssets/aa/catalog.json"


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["catalog", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def test_info_of_a_folder(build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "info", build)
    assert (code, err) == (0, "")
    assert "2.8.0" in out
    assert "10,000" in out
    code, out, _ = run(capsys, "info", build, "--json")
    assert json.loads(out)["bundles"] == 4


@pytest.mark.parametrize(
    "what", ["bundles", "keys", "labels", "locations", "types", "providers", "initialization", "duplicates"]
)
def test_every_list_for_people_and_programs(build: Path, capsys: pytest.CaptureFixture[str], what: str) -> None:
    code, out, _ = run(capsys, "ls", build, "--kind", what)
    assert code == 0
    assert bool(out) == (what != "duplicates")
    code, out, _ = run(capsys, "ls", build, "--kind", what, "--json")
    assert code == 0
    assert all(isinstance(json.loads(line), dict) for line in out.splitlines())


def test_deps_and_usages(build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "deps", "--in", build, "Prefabs/Hero.prefab")
    assert code == 0
    assert "2 bundles to download (3.9 KB)" in out
    code, out, _ = run(capsys, "deps", "--in", build, "Prefabs/Hero.prefab", "icons", "--json")
    assert json.loads(out)["download_bytes"] == 6000
    code, out, _ = run(capsys, "usages", "--in", build, "group_1_assets")
    assert code == 0
    assert "sword" in out
    assert run(capsys, "usages", "--in", build, "Settings")[0] == 1


def test_a_miss_is_1_with_a_hint(build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "deps", "--in", build, "Prefabs/Heros.prefab")
    assert (code, out) == (1, "")
    assert "did you mean 'Prefabs/Hero.prefab' or" in err


def test_find(build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "find", "--in", build, "hero")[0] == 0
    assert run(capsys, "find", "--in", build, "absent")[0] == 1
    assert run(capsys, "find", "--in", build)[0] == 2
    assert run(capsys, "find", "--in", build, "(", "--regex")[0] == 2
    code, out, _ = run(capsys, "find", "--in", build, "--class", "Sprite", "--json")
    assert code == 0
    assert len([json.loads(line) for line in out.splitlines()]) == 2


def test_verify_says_which_bundles_are_none(build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "verify", build)
    assert code == 1
    assert "bundle-damaged" in err


def test_a_catalog_alone_is_right_until_somebody_says_where_its_bundles_are(
    build: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = tmp_path_factory.mktemp("alone")
    for path in build.rglob("catalog.*"):
        shutil.copy(path, alone)
    assert run(capsys, "verify", alone)[0] == 0
    assert run(capsys, "verify", alone, "--bundles", alone)[0] == 1


@pytest.mark.usefixtures("right_checksums")
def test_verify(build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "verify", build)
    assert (code, err) == (0, "")
    assert "SpookyHash V2" in out
    assert out.splitlines()[0].split() == ["check", "compared", "wrong", "note"]
    assert out.splitlines()[-1].split() == ["ok", "bundle", "files", "4", "0"]
    next(build.rglob("group_2*.bundle")).write_bytes(b"short")
    code, out, err = run(capsys, "verify", build)
    assert code == 1
    assert out.splitlines()[-1].split() == ["WRONG", "bundle", "files", "4", "2"]
    assert "has 5 bytes, in the catalog 2000" in err
    (build / "Game_Data/StreamingAssets/aa/catalog.hash").write_text("0" * 32)
    code, out, _ = run(capsys, "verify", build, "--json")
    assert {check["check"] for check in map(json.loads, out.splitlines()) if check["problems"]} == {
        "hash file",
        "bundle files",
    }


@pytest.mark.usefixtures("right_checksums")
def test_a_catalog_in_an_archive(build: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = tmp_path / "game.apk"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for path in (build / "Game_Data/StreamingAssets/aa").rglob("*"):
            if path.is_file():
                made.write(path, f"assets/aa/{path.relative_to(build / 'Game_Data/StreamingAssets/aa').as_posix()}")
    code, out, _ = run(capsys, "verify", archive)
    assert code == 0
    assert "bundle files" in out
    assert run(capsys, "edit", archive, "--crc", 0, "--in-place")[0] == 2
    empty = tmp_path / "empty.zip"
    with zipfile.ZipFile(empty, "w") as made:
        made.writestr("a.txt", "a")
    code, _, err = run(capsys, "info", empty)
    assert code == 2
    assert "holds no catalog" in err


def test_where_one_catalog_is_needed_several_are_named(
    build: Path, json_bytes: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    other = build / "Other" / "aa"
    other.mkdir(parents=True)
    (other / "catalog.json").write_bytes(json_bytes)
    for words in (["extract"], ["edit", "--crc", 0, "--in-place"], ["diff", build]):
        code, out, err = run(capsys, *words, build)
        assert (code, out) == (2, "")
        assert "holds 2 catalogs" in err
    assert run(capsys, "info", build / "absent")[0] == 2


def test_each_of_several_catalogs_is_answered_for(
    build: Path, json_bytes: bytes, content: Content, encode: Encode, capsys: pytest.CaptureFixture[str]
) -> None:
    other = build / "Other" / "aa"
    other.mkdir(parents=True)
    (other / "catalog.json").write_bytes(json_bytes)
    names = [f"{build / CATALOG}", f"{other / 'catalog.json'}"]
    for words in (["info", build], ["ls", build], ["verify", build], ["deps", "a", "--in", build],
                  ["usages", "group_1_assets", "--in", build],
                  ["find", "hero", "--in", names[0], "--in", other]):  # fmt: skip
        _, out, _ = run(capsys, *words, "--json")
        assert list(dict.fromkeys(line["catalog"] for line in lines_of(out))) == names, words
        _, out, _ = run(capsys, *words)
        assert all(name in out for name in names), words
    (other / "catalog.json").write_bytes(b"{}")
    code, out, err = run(capsys, "ls", build)  # the one that is broken keeps no answer from the other
    assert code == 2
    assert "4 bundles" in out
    assert f"{names[1]}: " in err
    content.entries[-1].keys = ["Only here"]
    (other / "catalog.json").write_bytes(encode(content, JSON_FLAVOURS["1.28"]))
    assert run(capsys, "find", "Only here", "--in", build)[0] == 0
    code, _, err = run(capsys, "find", "Nowhere", "--in", build)
    assert code == 1
    assert err.splitlines() == [f"assetdb: {name}: no match" for name in names]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["deps", "BUILD", "icons"], "write assetdb catalog deps icons --in BUILD"),
        (["usages", "BUILD", "icons"], "write --in before the catalog"),
        (["find", "BUILD", "icons"], "write --in before the catalog"),
        (["ls", "BUILD", "labels"], "write --kind labels"),
        (["convert", "BUILD", "--to", "binary-2.0.8", "-o", "x"], "write --format binary-2.0.8"),
        (["extract", "BUILD", "--format", "jsonl"], "write --json"),
    ],
)
def test_words_of_before_say_what_to_write_now(
    words: list[str], hint: str, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *(word.replace("BUILD", str(build)) for word in words))
    assert (code, out) == (2, "")
    assert hint.replace("BUILD", str(build)) in err


def test_without_in_it_looks_here(
    build: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(build)
    code, out, _ = run(capsys, "find", "hero", "--json")
    assert code == 0
    assert lines_of(out)[0]["catalog"] == os.path.join(".", *CATALOG.split("/"))


def test_a_folder_to_write_to(build: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "place"
    assert run(capsys, "convert", build, "--format", "binary", "--to", folder)[0] == 0
    assert run(capsys, "extract", build, "--json", "--to", folder)[0] == 0
    assert run(capsys, "edit", build, "--crc", 0, "--to", folder)[0] == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "catalog.bin", "catalog.hash", "catalog.json", "catalog.jsonl"]  # fmt: skip
    assert run(capsys, "convert", build, "--format", "json", "--to", folder, "-o", tmp_path / "x.json")[0] == 2


def test_convert_there_and_back(
    build: Path, tmp_path: Path, json_bytes: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    catalog = build / "Game_Data/StreamingAssets/aa/catalog.json"
    binary, back = tmp_path / "out.bin", tmp_path / "back.json"
    code, out, err = run(capsys, "convert", catalog, "--format", "binary-4.0", "-o", binary)
    assert (code, err) == (0, "")
    assert (tmp_path / "out.hash").read_text() == content_hash(binary.read_bytes())
    assert "out.hash" in out
    assert run(capsys, "convert", binary, "--format", "json-1.28", "-o", back, "--hash-file", "none")[0] == 0
    assert back.read_bytes() == json_bytes
    code, _, err = run(capsys, "convert", catalog, "--format", "binary-1.21", "-o", binary)
    assert code == 2
    assert "did you mean" in err


def test_edit_in_place_writes_the_hash_too(build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = build / "Game_Data/StreamingAssets/aa"
    (folder / "catalog.json").chmod(0o600)
    mode = (folder / "catalog.json").stat().st_mode
    code, _, err = run(
        capsys, "edit", build, "--in-place", "--crc", 0, "--rename", "a", "z",
        "--add", '{"keys":["new"],"internal_id":"Assets/new.asset","provider":"P","type":"N.New"}',
    )  # fmt: skip
    assert code == 0
    assert "CRC 0: 4 changed" in err
    data = (folder / "catalog.json").read_bytes()
    assert (folder / "catalog.hash").read_text() == content_hash(data)
    assert (folder / "catalog.json").stat().st_mode == mode
    catalog = read_catalog(data)
    assert {options.crc for options in catalog.bundles().values()} == {0}
    assert catalog.locate("new")
    assert catalog.locate("z")
    assert not catalog.locate("a")
    assert sorted(path.name for path in folder.iterdir()) == [
        "Windows",
        "catalog.hash",
        "catalog.json",
        "settings.json",
    ]


def test_an_edit_that_changes_nothing_writes_nothing(
    build: Path, json_bytes: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    catalog = build / "Game_Data/StreamingAssets/aa/catalog.json"
    assert run(capsys, "edit", catalog, "--in-place", "--crc", 0, "--remove", "absent")[0] == 1
    assert catalog.read_bytes() == json_bytes
    for words in (["--crc", 0], ["--in-place"], ["--in-place", "--crc", 1 << 40], ["--in-place", "--add", "{}"],
                  ["--in-place", "--add", "x"], ["--in-place", "--only", "k"]):  # fmt: skip
        assert run(capsys, "edit", catalog, *words)[0] == 2, words
    assert catalog.read_bytes() == json_bytes


def test_diff_says_what_a_player_downloads(
    build: Path, tmp_path: Path, content: Content, encode: Encode, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new.bin"
    options = content.entries[0].data
    assert isinstance(options, BundleOptions)
    content.entries[0].data = options._replace(hash="e" * 32)
    new.write_bytes(encode(content, BINARY_FLAVOURS["4.0"]))
    old = build / "Game_Data/StreamingAssets/aa/catalog.json"
    code, out, _ = run(capsys, "diff", old, new)
    assert code == 1
    assert "a player downloads 1,000 bytes" in out
    code, out, _ = run(capsys, "diff", old, new, old, "--json")
    assert [one["download_bytes"] for one in map(json.loads, out.splitlines())] == [1000, 1000]
    assert run(capsys, "diff", old, old)[0] == 0
    assert run(capsys, "diff", old)[0] == 2


def test_extract(build: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "extract", build)
    assert code == 0
    assert "\tInternalId: Assets/Prefabs/Hero.prefab" in out
    target = tmp_path / "all.jsonl"
    assert run(capsys, "extract", build, "--json", "-o", target)[0] == 0
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    assert len(rows) == 12
    assert rows[-1]["keys"] == ["Settings"]


def test_a_hostile_name_does_not_reach_the_terminal(
    tmp_path: Path, content: Content, encode: Encode, capsys: pytest.CaptureFixture[str]
) -> None:
    content.entries[-1].keys = ["\x1b[2Jclear"]
    content.entries[-1].internal_id = "a\x07b"
    path = tmp_path / "catalog.json"
    path.write_bytes(encode(content, JSON_FLAVOURS["1.28"]))
    for words in (
        ["ls", path, "--kind", "keys"],
        ["ls", path, "--kind", "locations"],
        ["extract", path],
        ["find", "--in", path, "clear"],
    ):
        _, out, err = run(capsys, *words)
        assert "\x1b" not in out + err
        assert "\x07" not in out + err


def test_salvage_goes_on_and_says_what_was_lost(
    build: Path, json_bytes: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = build / "catalog_broken.json"
    path.write_bytes(json_bytes + b"junk")
    code, _, err = run(capsys, "ls", path)
    assert code == 2
    assert "has text after the object" in err
    assert "catalog_broken.json" in err
    code, out, err = run(capsys, "ls", path, "--salvage")
    assert code == 0
    assert "4 bundles" in out
    assert "left-over" in err


def test_the_hash_lies_beside_the_catalog_also_below_a_folder_with_a_dot(
    build: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "build.v2"
    folder.mkdir()
    code, out, _ = run(capsys, "edit", build, "--crc", 0, "-o", folder / "catalog")
    assert code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["catalog", "catalog.hash"]
    assert not (tmp_path / "build.hash").exists()
    assert "build.v2" in out.splitlines()[1]


def test_places_that_a_catalog_is_not_written_to(
    build: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, message in ((tmp_path, "is a folder"), (tmp_path / "catalog.hash", "the hash of a catalog")):
        code, out, err = run(capsys, "convert", build, "--format", "json", "-o", place)
        assert (code, out) == (2, "")
        assert message in err
        assert str(place) in err
    assert [path.name for path in tmp_path.iterdir()] == ["Game_Data"]


def test_a_folder_of_bundles_that_is_not_there(build: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "verify", build, "--bundles", tmp_path / "server")
    assert (code, out) == (2, "")
    assert "server: there is no such folder" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("127.0.0.1 localhost", "is neither a binary catalog"),
        ("[1]", "is neither a binary catalog"),
        ('{"m_AddressablesVersion": "2.8.0"}', "is a JSON object, but not a catalog"),
    ],
)
def test_text_that_is_no_catalog(text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.json").write_text(text)
    code, out, err = run(capsys, "info", tmp_path / "settings.json")
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--class", "Sprit"), "no asset of class 'Sprit'; did you mean 'Sprite'?"),
        (("icons", "--label", "Settngs"), "no key named 'Settngs'; did you mean 'Settings'?"),
        (("xyzzy",), "no match"),
        (("sword", "--class", "GameObject"), "no match"),
    ],
)
def test_find_says_what_was_not_found(
    words: tuple[str, ...], message: str, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "find", "--in", build, *words) == (1, "", f"assetdb: {build / CATALOG}: {message}\n")


@pytest.mark.parametrize("shape", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("kind", ["json", "binary"])
def test_strings_that_all_locations_share_do_not_spell_out_the_square_of_the_file(
    kind: str,
    shape: tuple[str, ...],
    tmp_path: Path,
    content: Content,
    encode: Encode,
    capsys: pytest.CaptureFixture[str],
) -> None:
    like = content.entries[-1]
    content.entries += [Entry([f"k{number}"], "x" * 50_000, like.provider, like.type) for number in range(2000)]
    flavour: Flavour = JSON_FLAVOURS["1.28"] if kind == "json" else next(iter(BINARY_FLAVOURS.values()))
    path = tmp_path / f"catalog.{'json' if kind == 'json' else 'bin'}"
    path.write_bytes(encode(content, flavour))
    target = tmp_path / "out.txt"
    code, out, err = run(capsys, "extract", path, *shape, "-o", target)
    assert (code, out) == (2, "")
    assert "expand to more than 100 times the file" in err
    assert not target.exists()


def lines_of(out: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.splitlines()]


def test_what_the_game_starts_with_and_how_keys_are_stored(
    content: Content, encode: Encode, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert content.scene_provider is not None
    content.scene_provider = content.scene_provider._replace(data="some data")
    content.entries[-1].keys.append(3)
    for flavour, kinds in ((JSON_FLAVOURS["1.28"], ("AsciiString", "UnicodeString", "Int32")),
                           (BINARY_FLAVOURS["2.9"], ("System.String", "System.Int32"))):  # fmt: skip
        path = tmp_path / ("catalog.json" if isinstance(flavour, type(JSON_FLAVOURS["1.28"])) else "catalog.bin")
        path.write_bytes(encode(content, flavour))
        code, out, _ = run(capsys, "ls", path, "--kind", "initialization", "--json")
        assert code == 0
        found = lines_of(out)
        assert [row["role"] for row in found] == ["instance", "scene", "resource", "resource"]
        assert found[1] == {
            "catalog": str(path),
            "role": "scene",
            "id": f"{content.scene_provider.id}",
            "class": "UnityEngine.ResourceManagement.ResourceProviders.SceneProvider",
            "assembly": "Unity.ResourceManager, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null",
            "data": "some data",
        }
        code, out, _ = run(capsys, "ls", path, "--kind", "keys", "--json")
        assert {row["type"] for row in lines_of(out)} == set(kinds)
        assert {row["key"]: row["type"] for row in lines_of(out)}[3] == kinds[-1]
        code, out, _ = run(capsys, "info", path)
        assert f"1 {kinds[-1]}" in out
        code, out, _ = run(capsys, "ls", path, "--kind", "types", "--json")
        row = next(row for row in lines_of(out) if row["type"] == "UnityEngine.Sprite")
        assert row["assembly"] == "UnityEngine.CoreModule, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null"
        assert "Unity.ResourceManager, Version=0.0.0.0" in run(capsys, "ls", path, "--kind", "types")[1]


@pytest.mark.parametrize("member", ["aa/catalog.json", "aa/settings.json"])
def test_a_zip_whose_member_is_damaged_is_named_with_it(
    json_bytes: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str], member: str
) -> None:
    path = tmp_path / "game.apk"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("aa/catalog.json", json_bytes)
        archive.writestr("aa/settings.json", '{"m_AddressablesVersion":"2.8.0","m_buildTarget":"Windows"}' * 9)
        start = archive.getinfo(member).header_offset + 30 + len(member)
    data = bytearray(path.read_bytes())
    data[start : start + 4] = b"\xff\xff\xff\xff"
    path.write_bytes(data)
    code, _, err = run(capsys, "info", path)
    assert code == 2
    assert f"{path}: {member}: " in err


def test_what_is_not_found_names_the_catalog(build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("deps", "absent"), ("usages", "absent"), ("find", "absent"), ("find", "--class", "Absent"),
                  ("find", "--label", "absent")):  # fmt: skip
        code, _, err = run(capsys, *words, "--in", build)
        assert code == 1
        assert f"{build / CATALOG}: no " in err
