from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb.cli.bundle.folder import ExtractionFolder, safe_name
from assetdb.cli.bundle.inputs import kind_of
from assetdb_formats.casset.editing.edit import rename, set_value
from assetdb_formats.casset.files import load, save
from assetdb_formats.casset.identity import predicted_uuid
from assetdb_formats.inputs import file_input
from tests.assetdb_formats.casset import builder
from tests.assetdb_formats.casset.builder import (
    BUNDLE_TYPE,
    bundle3,
    bundle_object,
    object3,
    schema_entry,
    u32,
    uuid,
    z,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `assetdb bundle` in a folder of its own; return exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run_bundle(*words: str) -> tuple[int, str, str]:
        code = main(["bundle", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_bundle


def parsed(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


THING = schema_entry(0, "/Code/T::Thing", [("target", b"\x17"), ("size", b"\x03")])


def thing(own: int, target: bytes, dependencies: tuple[int, ...] = ()) -> bytes:
    name = f"B{own}"
    entry = object3(own + 1, 1, "Thing", "Thing", target + u32(own), is_asset=1)
    declared = tuple(map(uuid, dependencies))
    objects = [bundle_object(uuid(own), name), entry]
    return bundle3([BUNDLE_TYPE, THING], objects, own=uuid(own), name=name, dependencies=declared)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A refers to B, B to an engine asset that is not built, C to nothing."""
    engine = predicted_uuid("/Engine/Assets/D")
    files = {
        "A": thing(100, uuid(201) + uuid(200), (200, 200, 300)),
        "B": thing(200, uuid(9) + engine),
        "C": thing(300, bytes(16)),
    }
    assets = tmp_path / "P/Game/Assets"
    assets.mkdir(parents=True)
    for name, data in files.items():
        (assets / f"{name}.casset").write_bytes(data)
    (tmp_path / "P/Engine/Assets").mkdir(parents=True)
    (tmp_path / "P/Engine/Assets/D.png").touch()
    return tmp_path / "P"


def test_info(run: Run, project: Path) -> None:
    code, out, err = run("info", "P/Game/Assets/A.casset")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "file      P/Game/Assets/A.casset",
        "format    .casset 3.1",
        "name      B100",
        "uuid      00000000-0000-0064-0000-000000000000",
        f"size      {(project / 'Game/Assets/A.casset').stat().st_size} bytes",
        "objects   2",
        "types     2",
        "primary   Thing (/Code/T::Thing)",
        "declares  00000000-0000-00c8-0000-000000000000",
        "declares  00000000-0000-00c8-0000-000000000000",
        "declares  00000000-0000-012c-0000-000000000000",
        "class /Code/Core.CE::Bundle, version 0",
        "  name             string",
        "  uuid             uuid",
        "  attachedObjects  object map",
        "  outer            reference",
        "class /Code/T::Thing, version 0",
        "  target  reference",
        "  size    u32",
    ]


@pytest.mark.parametrize("name", builder.every_format())
def test_every_format_has_every_answer(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "A.casset").write_bytes(builder.every_format()[name])
    code, out, _ = run("info", "--json", "A.casset")
    assert code == 0
    assert parsed(out)[0]["format"] == ("3.1" if name.startswith("3.1") else name.removesuffix(" with lists"))
    code, out, _ = run("ls", "--json", "A.casset")
    for entry in parsed(out):
        code, out, _ = run("get", "--json", entry["uuid"], "--in", "A.casset")
        assert code == 0
        assert parsed(out)[0]["path"] == entry["path"]
        assert run("get", entry["uuid"], "--in", "A.casset")[0] == 0
    assert run("verify", "A.casset") == (0, "1 bundle: clean\n", "")
    assert run("diff", "A.casset", "A.casset") == (0, "", "")
    assert run("ls", "A.casset")[0] == 0
    assert run("deps", "A.casset")[0] in (0, 1)
    assert run("extract", "A.casset", "--to", "out")[0] == 0


@pytest.mark.usefixtures("project")
def test_ls(run: Run) -> None:
    code, out, err = run("ls", "P/Game/Assets/C.casset")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "path    class                  asset  bytes  uuid",
        "(B300)  /Code/Core.CE::Bundle  -        104  00000000-0000-012c-0000-000000000000",
        "Thing   /Code/T::Thing         yes       73  00000000-0000-012d-0000-000000000000",
    ]


@pytest.mark.usefixtures("project")
def test_deps(run: Run) -> None:
    code, out, err = run("deps", "P/Game/Assets/A.casset")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "verdict    object  field   refers to",
        "transient  (B100)  outer   cfcecdcc-cbca-c9c8-d7d6-d5d4d3d2d1d0",
        "resolved   Thing   target  /Game/Assets/B Thing",
        "duplicate declared: /Game/Assets/B (2 times)",
        "stale declared: /Game/Assets/C",
    ]
    code, out, err = run("deps", "--in", "P", "P/Game/Assets/B.casset")
    assert code == 1
    assert "missing bundle  Thing   target  /Engine/Assets/D (by its id; no such bundle)" in out
    assert "undeclared: /Engine/Assets/D" in out
    code, out, _ = run("deps", "--json", "P/Game/Assets/B.casset", "P/Game/Assets/C.casset")
    (first, second) = parsed(out)
    missing = {
        "uuid": first["references"][1]["target"]["bundle"],
        "path": None,
        "predicted": "/Engine/Assets/D",
    }
    assert first["findings"] == [{**missing, "verdict": "undeclared", "times": 0}]
    assert first["bundles"][1] == {**missing, "verdict": "missing bundle"}
    assert second["findings"] == []


@pytest.mark.usefixtures("project")
def test_usages_and_unused(run: Run) -> None:
    code, out, err = run("usages", "P/Game/Assets/B.casset")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "bundle          object  field   refers to",
        "/Game/Assets/A  Thing   target  Thing",
    ]
    assert run("usages", "P/Game/Assets/A.casset") == (1, "", "")
    assert run("unused", "--in", "P") == (1, "/Game/Assets/A\n/Game/Assets/C\n", "")
    code, out, _ = run("unused", "--in", "P", "--json")
    assert [entry["path"] for entry in parsed(out)] == ["/Game/Assets/A", "/Game/Assets/C"]
    assert run("usages", "--in", "P")[0] == 2
    assert run("usages")[0] == 2


@pytest.mark.usefixtures("project")
def test_deps_and_usages_of_an_object(run: Run) -> None:
    code, out, _ = run("usages", "Thing", "--in", "P/Game/Assets/B.casset")
    assert (code, out.splitlines()[1:]) == (0, ["/Game/Assets/A  Thing   target  Thing"])
    assert run("usages", "P/Game/Assets/B.casset#(B200)")[0] == 1
    code, out, _ = run("deps", "P/Game/Assets/A.casset#Thing", "--json")
    assert (code, [edge["field"] for edge in parsed(out)[0]["references"]]) == (0, ["target"])
    code, _, err = run("get", "Thing", "--in", "P")
    assert (code, "'Thing' is ambiguous (3 matches)" in err) == (1, True)
    found = parsed(run("find", "thing", "--class", "Thing", "--in", "P", "--json")[1])
    assert [line["class"] for line in found] == ["/Code/T::Thing"] * 3


def test_usages_say_which_files_could_not_be_asked(run: Run, project: Path) -> None:
    (project / "Game/Assets/X.casset").write_bytes(b"\0BUNDLE\0" + bytes(99))
    code, out, err = run("usages", "P/Game/Assets/B.casset")
    assert code == 2
    assert "/Game/Assets/A" in out
    assert "X.casset" in err


@pytest.mark.usefixtures("project")
def test_get(run: Run) -> None:
    code, out, _ = run("get", "Thing", "--in", "P/Game/Assets/A.casset")
    assert code == 0
    assert out.splitlines() == [
        "path   Thing",
        "class  /Code/T::Thing",
        "uuid   00000000-0000-0065-0000-000000000000",
        "",
        "target  reference  00000000-0000-00c9-0000-000000000000 of bundle 00000000-0000-00c8-0000-000000000000",
        "size    u32        100",
    ]
    code, out, err = run("get", "Think", "--in", "P/Game/Assets/A.casset")
    assert (code, out) == (1, "")
    assert "did you mean 'Thing'?" in err


def test_verify_of_a_project(run: Run, project: Path) -> None:
    (project / "Game/Assets/E.casset").write_bytes(thing(300, bytes(16)))
    code, out, _ = run("verify", "P")
    assert code == 1
    lines = out.splitlines()
    assert any("B.casset: finding: missing bundle: Thing.target refers to /Engine/Assets/D" in line for line in lines)
    assert any("A.casset: note: stale declared: /Game/Assets/C" in line for line in lines)
    assert lines[-4:] == [
        "duplicate uuid: 2 bundles have 00000000-0000-012c-0000-000000000000:",
        "  /Game/Assets/C",
        "  /Game/Assets/E",
        "4 bundles: findings",
    ]
    code, out, _ = run("verify", "--in", "P", "--json")
    assert parsed(out)[-1]["duplicates"] == [
        {"uuid": "00000000-0000-012c-0000-000000000000", "paths": ["/Game/Assets/C", "/Game/Assets/E"]}
    ]


def test_verify_of_broken_bundles(run: Run, tmp_path: Path) -> None:
    good = builder.all_types()
    (tmp_path / "cut.casset").write_bytes(good[:-1])
    bad = object3(1, 1, "Thing", "Thing", b"short")
    (tmp_path / "bad.casset").write_bytes(bundle3([BUNDLE_TYPE, THING], [bundle_object(), bad]))
    code, out, err = run("verify", "cut.casset", "bad.casset")
    assert (code, err) == (2, "")
    assert out.splitlines()[0].startswith("cut.casset: unreadable: offset ")
    assert out.splitlines()[-1] == "2 bundles: findings, 1 unreadable"
    assert [facts["readable"] for facts in parsed(run("verify", "--json", "cut.casset", "bad.casset")[1])] == [
        False,
        True,
    ]
    assert run("verify", "bad.casset")[0] == 1
    assert "bad.casset: finding: offset " in out
    assert "objects[1].target" in out
    assert run("info", "bad.casset")[0] == 1
    assert run("get", "Thing", "--in", "bad.casset")[0] == 1
    code, _, err = run("info", "cut.casset")
    assert code == 2
    assert err.startswith("assetdb: error: cut.casset: offset ")


def test_diff(run: Run, tmp_path: Path) -> None:
    (tmp_path / "old.casset").write_bytes(builder.all_types())
    bundle = load("old.casset")
    edited = set_value(rename(bundle, uuid(1), "New"), uuid(1), "inners[1].number", 8)
    save(edited, "new.casset")
    code, out, err = run("diff", "old.casset", "new.casset")
    assert (code, err) == (1, "")
    assert out.splitlines() == ["~ All -> New", "    inners[1].number: -7 -> 8"]
    save(bundle._replace(objects=bundle.objects[:1], name="Less"), "less.casset")
    code, out, _ = run("diff", "old.casset", "less.casset")
    assert out.splitlines() == ["name: Bundle -> Less", "- All  /Code/Test.T::AllTypes"]
    code, out, _ = run("diff", "--json", "less.casset", "old.casset")
    assert parsed(out)[0]["objects"] == [{"added": "All", "class": "/Code/Test.T::AllTypes"}]


def test_a_damaged_bundle_leaves_the_differences_of_the_others(run: Run, tmp_path: Path) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        for name in "ab":
            (tmp_path / folder / f"{name}.casset").write_bytes(builder.all_types())
    save(rename(load("old/b.casset"), uuid(1), "New"), "new/b.casset")
    (tmp_path / "new/a.casset").write_bytes(builder.all_types()[:-1])
    code, out, err = run("diff", "old", "new")
    assert code == 2
    assert out.splitlines()[-1] == "~ All -> New"
    assert err.startswith(f"assetdb: error: {os.path.join('new', 'a.casset')}: ")


def test_extract(run: Run, tmp_path: Path) -> None:
    (tmp_path / "A.casset").write_bytes(builder.all_types())
    code, out, _ = run("extract", "All", "--in", "A.casset", "--to", "out")
    assert code == 0
    assert out.split() == [os.path.join("out", name) for name in ("All.blob.bin", "All.json")]
    assert (tmp_path / "out/All.blob.bin").read_bytes() == b"\0BIN"
    facts = json.loads((tmp_path / "out/All.json").read_bytes())
    assert facts["fields"]["inners[1].number"] == -7
    assert facts["fields"]["blob"] == {"size": 4, "flags": 1}
    assert facts["fields"]["id"] == "6b6a6968-6766-6564-7372-71706f6e6d6c"
    assert run("extract", "Al", "--in", "A.casset", "--to", "out")[0] == 1


def test_an_extracted_name_never_leaves_its_folder(run: Run, tmp_path: Path) -> None:
    names = ["../../up", "/abs", "C:\\x", "..", "CON", "a\nb", "All", "ALL", "x" * 300]
    objects = [bundle_object()]
    for number, name in enumerate(names):
        objects.append(object3(number, 0, name, name, z(name) + uuid(number) + u32(0) + bytes(16)))
    (tmp_path / "A.casset").write_bytes(bundle3([BUNDLE_TYPE], objects))
    assert run("extract", "A.casset", "--to", "out/in")[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["A.casset", "out"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["in"]
    written = [path.name for path in (tmp_path / "out/in").iterdir()]
    assert len(written) == len(objects)
    assert all(name.endswith(".json") and safe_name(name) == name for name in written)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../a", "_a"),
        ("a/b\\c", "a_b_c"),
        ("con.txt", "con_.txt"),
        ("console", "console"),
        ("Icon.png", "Icon.png"),  # ends in a device's name
        ("beacon.prn", "beacon.prn"),
        ("COM\u00b9", "COM\u00b9_"),  # Windows takes the superscript for the digit
        ("...", "_"),
        ("a. ", "a"),
        ("\u202e\udcff", "\u202e_"),
        ("", "_"),
        ("\U0001f600" * 100, "\U0001f600" * 50),
        ("\U0001f600" * 49 + "   . \U0001f600", "\U0001f600" * 49),  # nor a dot where it is cut
    ],
)
def test_safe_names(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    folder = ExtractionFolder(str(tmp_path / "out"))
    with pytest.raises(TypeError):
        folder.write("A", ".bin", ["text"])  # type: ignore[list-item]
    assert list((tmp_path / "out").iterdir()) == []


def test_hostile_names_do_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    name = b"\x1b[2J\xff\n"
    entry = object3(1, 0, "A", "A", z(name) + uuid(1) + u32(0) + bytes(16))
    data = bundle3(
        [schema_entry(0, "/T\x1b[0m", builder.CLASS_FIELDS)], [bundle_object(name=name.decode("latin-1")), entry]
    )
    (tmp_path / "A.casset").write_bytes(data)
    for command in (["info"], ["ls"], ["deps"], ["verify"]):
        for json_too in ([], ["--json"]):
            _, out, err = run(*command, *json_too, "A.casset")
            assert "\x1b" not in out + err
            (out + err).encode()
    assert "\x1b" not in run("get", "A", "--in", "A.casset")[1]


def test_deep_values_are_no_deep_calls(run: Run, tmp_path: Path) -> None:
    node = schema_entry(1, "/Code/T::Node", [("c", b"\x14" + u32(1))])
    holder = schema_entry(0, "/Code/T::Holder", [("root", b"\x1a" + u32(1))])
    entry = object3(1, 2, "H", "H", u32(1) * 3000 + u32(0))
    (tmp_path / "A.casset").write_bytes(bundle3([BUNDLE_TYPE, node, holder], [bundle_object(), entry]))
    for words in (["get", "--json", "H", "--in", "A.casset"], ["verify", "A.casset"], ["diff", "A.casset", "A.casset"]):
        assert run(*words)[0] == 0


@pytest.mark.parametrize("start", [b"UnityFS\0", b"UnityWeb\0", b"UnityRaw\0", b"UnityArchive\0"])
def test_unitys_bundles_are_for_another_module(tmp_path: Path, start: bytes) -> None:
    (tmp_path / "A.casset").write_bytes(start + bytes(30))
    assert kind_of(file_input(str(tmp_path / "A.casset"))) == "unityfs"


def test_usage_errors(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"neither")
    (tmp_path / "A.casset").write_bytes(builder.all_types())
    (tmp_path / "P.casset").write_bytes(b"\0CPAK\0\0\n" + bytes(40))
    code, _, err = run("info", "other")
    assert (code, err) == (2, "assetdb: error: other: neither a .casset bundle nor one of Unity's\n")
    code, out, _ = run("info", "other", "A.casset")
    assert code == 2
    assert "A.casset" in out
    for command in ("info", "ls", "deps"):  # one that cannot be read, or is not there, leaves the others
        for bad in ("P.casset", "absent"):
            code, out, err = run(command, "--json", bad, "A.casset", bad)
            assert (code, {facts.get("bundle") or facts["path"] for facts in parsed(out)}) == (2, {"A.casset"})
            assert err.count(f"assetdb: error: {bad}: ") == 1
    code, _, err = run("info", "P.casset")
    assert code == 2
    assert "CPAK" in err
    code, _, err = run("info", "absent")
    assert (code, err) == (2, "assetdb: error: absent: No such file or directory\n")
    assert run("diff", "A.casset", "other")[0] == 2
    assert run("verify")[0] == 2
    assert run("get")[0] == 2
