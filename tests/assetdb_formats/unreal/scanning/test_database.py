"""The asset database of synthetic projects: graph, redirectors, external actors, unused, incremental."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.files.package_file import read_header
from assetdb_formats.unreal.scanning.database import AssetDatabase, build
from assetdb_formats.unreal.scanning.mounts import content_root, external_owner, learned_mount
from assetdb_formats.unreal.scanning.records import DAMAGED, EXTERNAL, HARD, SOFT
from assetdb_formats.unreal.scanning.scan import scan
from assetdb_formats.unreal.scanning.store import decode, encode
from tests.assetdb_formats.unreal.package_writer import MAP, Writer

if TYPE_CHECKING:
    from pathlib import Path


def package(
    needs: tuple[str, ...] = (), soft: tuple[str, ...] = (), class_name: str = "Blueprint", **more: object
) -> bytes:
    writer = Writer(-8, 522, 1009)
    writer.imports = [("/Script/CoreUObject", "Package", 0, "/Script/Engine")]
    for name in needs:
        writer.imports.append(("/Script/CoreUObject", "Package", 0, name))
        writer.imports.append(("/Script/Engine", "Blueprint", -len(writer.imports), name.rpartition("/")[2]))
    writer.exports = [(0, 0, "Main", b"", True)]
    writer.assets = [("Main", f"/Script/Engine.{class_name}", {})]
    writer.soft_packages = list(soft)
    for key, value in more.items():
        setattr(writer, key, value)
    return writer.data()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project: a map needs a mesh, the mesh a texture through a redirector; a table needs an icon softly."""
    content = tmp_path / "Game" / "Content"
    files = {
        "Maps/Town.umap": package(("/Game/Mesh",), class_name="World", flags=MAP),
        "Mesh.uasset": package(("/Game/Old/Texture", "/Engine/Basic")),
        "Old/Texture.uasset": package(("/Game/New/Texture",), class_name="ObjectRedirector"),
        "New/Texture.uasset": package(class_name="Texture2D"),
        "Table.uasset": package((), ("/Game/Icon", "/Game/Table"), class_name="DataTable"),
        "Icon.uasset": package(class_name="Texture2D"),
        "Lonely.uasset": package(("/Game/OnlyLonely", "/Game/Gone")),
        "OnlyLonely.uasset": package(),
        "Ring/A.uasset": package(("/Game/Ring/B",)),
        "Ring/B.uasset": package(("/Game/Ring/C",)),
        "Ring/C.uasset": package(("/Game/Ring/A",)),
        "__ExternalActors__/Maps/Town/A/BC/DEF.uasset": package(("/Game/Maps/Town", "/Game/Prop"), class_name="Actor"),
        "Prop.uasset": package(class_name="StaticMesh"),
        "Broken.uasset": package()[:100],
        "Dead.uasset": package(("/Game/DeadTarget",), class_name="ObjectRedirector"),
        "DeadTarget.uasset": package(),
    }
    for name, data in files.items():
        path = content / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (content.parent / "Game.uproject").write_text("{}")
    saved = content.parent / "Saved" / "Cooked" / "Content"
    saved.mkdir(parents=True)
    (saved / "Copy.uasset").write_bytes(package())
    return content.parent


def number(database: AssetDatabase, name: str) -> int:
    found = database.number(name)
    assert found >= 0, name
    return found


def test_both_directions_tell_one_redirector(tmp_path: Path) -> None:
    """`deps` named a redirector where the target is also named directly, and of two the first in the package."""
    files = {
        "New": package(),
        "OldB": package(("/Game/New",), class_name="ObjectRedirector"),
        "OldA": package(("/Game/New",), class_name="ObjectRedirector"),
        "Both": package(("/Game/OldB", "/Game/OldA")),
        "Direct": package(("/Game/OldB", "/Game/New", "/Game/OldA")),
    }
    for name, data in files.items():
        (tmp_path / f"{name}.uasset").write_bytes(data)
    database = scan(str(tmp_path)).database
    usages = database.referencers(number(database, "/Game/New"))
    for name, via in (("/Game/Both", "/Game/OldA"), ("/Game/Direct", "")):
        needs = database.dependencies(number(database, name))
        assert [(each.name, each.via) for each in needs] == [("/Game/New", via)]
        assert [each.via for each in usages if each.name == name] == [via]


def test_packages_below_many_folders_are_found_in_one_list(project: Path) -> None:
    """Each folder that a configuration names went through all packages."""
    asked: list[str] = []

    class Name(str):
        __slots__ = ()

        def lower(self) -> str:
            asked.append(self)
            return super().lower()

    columns = scan(str(project)).database.columns
    database = AssetDatabase(columns._replace(names=[*map(Name, columns.names)]))
    maps = {place for place, name in enumerate(database.names) if name.startswith("/Game/Maps/")}
    for folder in ("/Game/Maps", "/game/MAPS"):
        assert set(database.below(folder)) == maps != set()
    assert {database.columns.classes[place] for place in database.below("/Game", {"world"})} <= {"World"}
    assert (database.below("/Game/Map"), database.below("/Game/Maps", {"none"})) == ([], [])
    assert len(asked) <= len(columns.names)


def test_redirectors_in_a_ring_are_one_package_for_both_directions(tmp_path: Path) -> None:
    """Where a ring ended depended on its beginning: `deps` gave B for A, and `usages` of B had nothing."""
    files = {
        "A": package(("/Game/B",), class_name="ObjectRedirector"),
        "B": package(("/Game/A",), class_name="ObjectRedirector"),
        "UsesA": package(("/Game/A",)),
        "UsesB": package(("/Game/B",)),
    }
    for name, data in files.items():
        (tmp_path / f"{name}.uasset").write_bytes(data)
    database = scan(str(tmp_path)).database
    for name in ("/Game/UsesA", "/Game/UsesB"):
        (need,) = database.dependencies(number(database, name))
        assert need.name == "/Game/A"
        assert name in [each.name for each in database.referencers(number(database, need.name))]


def test_who_needs_whom_with_redirectors_followed(project: Path) -> None:
    database = scan(str(project)).database
    assert len(database) == 16
    found = database.dependencies(number(database, "/Game/Mesh"))
    assert [(each.name, each.via, each.present) for each in found] == [
        ("/Engine/Basic", "", False),
        ("/Game/New/Texture", "/Game/Old/Texture", True),
    ]
    usages = database.referencers(number(database, "/game/new/TEXTURE"))
    assert [(each.name, each.via) for each in usages] == [("/Game/Mesh", "/Game/Old/Texture")]
    assert [each.name for each in database.dependencies(number(database, "/Game/Mesh"), HARD, native=True)] == [
        "/Engine/Basic",
        "/Game/New/Texture",
        "/Script/Engine",
    ]


def test_an_import_whose_package_is_called_as_itself_needs_no_package_of_that_name(tmp_path: Path) -> None:
    """As cooked packages of 5.7 have it: ``package_name`` is the name of the import."""
    (tmp_path / "Mesh.uasset").write_bytes(package(("/Game/Rock",), cooked_owners=True, owner=""))
    (tmp_path / "Rock.uasset").write_bytes(package(cooked_owners=True, owner="/Game/Actors/A"))
    database = scan(str(tmp_path)).database
    assert [each.name for each in database.dependencies(number(database, "/Game/Mesh"))] == ["/Game/Rock"]
    assert [each.name for each in database.dependencies(number(database, "/Game/Rock"))] == ["/Game/Actors/A"]


def test_soft_references_are_kept_apart_and_a_package_is_not_its_own(project: Path) -> None:
    database = scan(str(project)).database
    table = number(database, "/Game/Table")
    assert database.dependencies(table, HARD) == []
    assert [each.name for each in database.dependencies(table, SOFT)] == ["/Game/Icon"]


def test_external_actors_belong_to_their_map(project: Path) -> None:
    database = scan(str(project)).database
    town = number(database, "/Game/Maps/Town")
    external = database.dependencies(town, EXTERNAL)
    assert [each.name for each in external] == ["/Game/__ExternalActors__/Maps/Town/A/BC/DEF"]
    unused = {database.columns.names[each] for each in database.unused()}
    assert "/Game/Prop" not in unused
    assert "/Game/__ExternalActors__/Maps/Town/A/BC/DEF" not in unused


def test_unused(project: Path) -> None:
    database = scan(str(project)).database
    names = database.columns.names
    unused = [names[each] for each in database.unused()]
    # What a table refers to softly is used; what only a redirector that nobody uses refers to is not.
    assert unused == ["/Game/Broken", "/Game/Dead", "/Game/DeadTarget", "/Game/Lonely", "/Game/Table"]
    reachable = [names[each] for each in database.unused(reachable=True)]
    assert set(reachable) - set(unused) == {
        "/Game/Icon",
        "/Game/OnlyLonely",
        "/Game/Ring/A",
        "/Game/Ring/B",
        "/Game/Ring/C",
    }
    kept = database.unused([number(database, "/Game/Table")], reachable=True)
    assert {"/Game/Table", "/Game/Icon"}.isdisjoint(names[each] for each in kept)


def test_missing_and_cycles(project: Path) -> None:
    database = scan(str(project)).database
    assert database.missing() == [("/Game/Gone", ["/Game/Lonely"])]
    assert database.cycles() == [["/Game/Ring/A", "/Game/Ring/B", "/Game/Ring/C"]]


def test_a_damaged_package_is_there_with_its_reason(project: Path) -> None:
    database = scan(str(project)).database
    broken = number(database, "/Game/Broken")
    assert database.columns.flags[broken] & DAMAGED
    assert "offset" in database.columns.errors[broken]


def test_an_unchanged_scan_reads_nothing_and_a_changed_one_only_what_changed(project: Path) -> None:
    first = scan(str(project))
    second = scan(str(project), first.database)
    assert second.database is first.database
    assert second.changed == 0
    path = project / "Content" / "Mesh.uasset"
    path.write_bytes(package(("/Game/Icon",)))
    os.utime(path, ns=(1, 1))
    (project / "Content" / "Lonely.uasset").unlink()
    third = scan(str(project), first.database)
    assert (third.changed, third.removed) == (1, 1)
    assert third.database.columns == scan(str(project)).database.columns


def test_a_database_is_saved_and_loaded_as_it_is(project: Path) -> None:
    database = scan(str(project)).database
    data = encode(database, "here")
    assert decode(data, "here").columns == database.columns
    with pytest.raises(FormatError, match="another folder"):
        decode(data, "there")
    for place in range(0, len(data), 97):
        with pytest.raises(FormatError):
            decode(data[:place], "here")
        with pytest.raises(FormatError):
            decode(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :], "here")


def test_two_workers_find_what_one_finds(project: Path) -> None:
    script = (
        "import sys\n"
        "from assetdb_formats.unreal.scanning import scan as module\n"
        "module._BATCH = 2\n"
        "seen = []\n"
        "two = module.scan(sys.argv[1], workers=2, worth_two=1, progress=lambda *counts: seen.append(counts))\n"
        "assert two.database.columns == module.scan(sys.argv[1], workers=1).database.columns\n"
        "print(seen[-1])\n"
    )
    command = [sys.executable, "-c", script, str(project)]  # a process of its own: one with threads does not fork
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "(16, 16)\n"


def test_long_paths_and_long_answers_do_not_wait_for_each_other(tmp_path: Path) -> None:
    """Two batches are on their way to a worker: the second is not to fill the pipe while it writes the first's."""
    folder = tmp_path.joinpath(*["f" * 200] * 15)
    folder.mkdir(parents=True)
    data = package(tuple(f"/Game/{number:0200}" for number in range(20)))
    for number in range(400):
        (folder / f"{number}.uasset").write_bytes(data)
    script = (
        "import sys\n"
        "from assetdb_formats.unreal.scanning import scan as module\n"
        "module._BATCH = 100\n"
        "print(len(module.scan(sys.argv[1], workers=2, worth_two=1).database))\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "400\n"


def test_one_worker_says_how_far_it_is(project: Path) -> None:
    seen: list[tuple[int, int]] = []
    scan(str(project), workers=1, progress=lambda done, total: seen.append((done, total)))
    assert (seen[0], seen[-1]) == ((0, 16), (16, 16))


def test_two_files_that_claim_one_name(tmp_path: Path) -> None:
    (tmp_path / "A.uasset").write_bytes(package())
    (tmp_path / "A.umap").write_bytes(package())
    found = scan(str(tmp_path))
    assert len(found.database) == 1
    assert found.problems == ["A.umap is /Game/A, as is A.uasset"]


@pytest.mark.long
def test_only_the_header_of_a_big_package_is_read(tmp_path: Path) -> None:
    path = tmp_path / "Big.uasset"
    names = [f"Name{place:06d}" for place in range(8000)]
    data = package(extra_names=names, exports=[(0, 0, "Main", bytes(1 << 20), True)])
    path.write_bytes(data)
    header, whole = read_header(str(path))
    assert not whole
    assert 1 << 16 < len(header) < 1 << 18
    assert scan(str(tmp_path)).database.columns.errors == {}


def test_a_ring_of_redirectors_ends(tmp_path: Path) -> None:
    (tmp_path / "A.uasset").write_bytes(package(("/Game/B",), class_name="ObjectRedirector"))
    (tmp_path / "B.uasset").write_bytes(package(("/Game/A",), class_name="ObjectRedirector"))
    (tmp_path / "User.uasset").write_bytes(package(("/Game/A",)))
    database = scan(str(tmp_path)).database
    assert database.dependencies(number(database, "/Game/User"))
    assert database.referencers(number(database, "/Game/A"))
    assert [database.columns.names[each] for each in database.unused()] == ["/Game/User"]


def test_an_empty_folder(tmp_path: Path) -> None:
    database = scan(str(tmp_path)).database
    assert (len(database), database.unused(), database.cycles(), database.missing()) == (0, [], [], [])
    assert decode(encode(database, ""), "").columns == build([])[0].columns


def test_names_of_external_packages() -> None:
    assert external_owner("/Game/__ExternalActors__/Maps/Town/A/BC/DEF") == "/Game/Maps/Town"
    assert external_owner("/Plug/__ExternalObjects__/Town/0/1X/2Y") == "/Plug/Town"
    assert external_owner("/Game/__ExternalActors__/A/B/C") == ""
    assert external_owner("/Game/Maps/Town") == ""


def test_mounts(tmp_path: Path) -> None:
    for folder in ("Proj/Content/Sub", "Proj/Plugins/Runtime/Water/Content", "Engine/Content", "Thing/Content"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "Thing" / "MyPlugin.uplugin").write_text("{}")
    base = str(tmp_path)
    assert content_root(f"{base}/Proj/Content/Sub") == ((tmp_path / "Proj/Content").as_posix(), "/Game")
    assert content_root(f"{base}/Proj/Plugins/Runtime/Water/Content").mount == "/Water"
    assert content_root(f"{base}/Engine/Content").mount == "/Engine"
    assert content_root(f"{base}/Thing/Content").mount == "/MyPlugin"
    assert learned_mount("/Cesium/A/B", "A/B") == "/Cesium"
    assert learned_mount("/Game/Moved/B", "A/B") == ""
