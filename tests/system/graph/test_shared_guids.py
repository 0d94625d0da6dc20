"""Assets that share their GUID with another, and files that could not be read: neither may vanish."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import assetdb
from assetdb.cli import main
from assetdb.daemon.session import Session
from assetdb.errors import DatabaseError
from assetdb.store.files import INDEX_NAME
from assetdb.store.indexes import supplement, writer
from assetdb.store.indexes.reader import Index
from assetdb.system.reading import LARGEST_ASSET
from tests.assetdb.cli.asking.test_naming import settle
from tests.needs import make_large, make_pipe, needs_change_times, needs_links
from tests.system.graph.project import add, data_asset, guid_of, reference, write_project

if TYPE_CHECKING:
    from pathlib import Path

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n"
FIRST, LOSER = "Assets/Twins/One.asset", "Assets/Twins/Two.asset"


def share(root: Path, path: str, with_path: str) -> None:
    """Give an asset the GUID of another."""
    meta = root / f"{path}.meta"
    meta.write_text(meta.read_text().replace(guid_of(path), guid_of(with_path)))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a baked project in which B has the GUID of A, and stand in it."""
    folder = write_project(tmp_path / "Project")
    add(folder, "Assets/Only.asset", data_asset("Only"))
    add(folder, "Assets/Deeper.asset", data_asset("Deeper", reference("Assets/Art/Red.mat", 2100000)))
    add(folder, FIRST, data_asset("One"))
    add(folder, LOSER, data_asset("Two", reference("Assets/Only.asset"), reference("Assets/Deeper.asset")))
    add(folder, "Assets/User.asset", data_asset("User", reference(FIRST)))
    share(folder, LOSER, FIRST)
    monkeypatch.chdir(folder)
    assert main(["bake", "--quiet", "--keep-going"]) == 0
    capsys.readouterr()
    return folder


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], str]:
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    return [row.split("  ")[0] for row in answer(capsys, *words)[1]]


def answer_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads(answer(capsys, *words, "--json")[1][0])


def test_deps_of_a_path_are_those_of_that_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = answer(capsys, "deps", LOSER)
    assert code == 0
    assert [row.split()[0] for row in out] == ["Assets/Data.cs", "Assets/Deeper.asset", "Assets/Only.asset"]
    assert err == f"assetdb: {LOSER} shares its GUID with {FIRST}\n"
    assert rows(capsys, "deps", FIRST) == ["Assets/Data.cs"]
    found = answer_json(capsys, "deps", LOSER)
    assert (found["path"], found["shares_guid_with"]) == (LOSER, [FIRST])
    assert "Assets/Art/Red.mat" in rows(capsys, "deps", "--deep", LOSER)
    assert "Assets/Only.asset" in rows(capsys, "deps", "--deep", "Assets/User.asset")  # by one of the two


@pytest.mark.parametrize("query", [LOSER, "Twins/Two.asset", "Two", "two", "twins/TWO.asset", f"{LOSER}.meta"])
def test_it_is_found_by_path_and_name(project: Path, capsys: pytest.CaptureFixture[str], query: str) -> None:
    assert answer(capsys, "path", query)[1] == [LOSER]
    assert answer(capsys, "guid", query)[1] == [guid_of(FIRST)]
    code, out, err = answer(capsys, "name", query)
    assert (code, out) == (0, [f"Two.asset  Data  {LOSER}"])
    assert f"shares its GUID with {FIRST}" in err


def test_it_is_listed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = [row.split()[-1] for row in answer(capsys, "find", "Twins/")[1]]
    assert found == [FIRST, LOSER]


def test_it_counts_as_a_user(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rows(capsys, "usages", "Assets/Only.asset") == [LOSER]
    places = rows(capsys, "usages", "Assets/Only.asset", "--objects")
    assert [place.partition(":")[0] for place in places] == [LOSER]
    assert rows(capsys, "usages", "--deep", "Assets/Only.asset") == [LOSER, "Assets/User.asset"]
    # ... over an asset that only it refers to
    deep = rows(capsys, "usages", "--deep", "Assets/Art/Red.mat")
    assert {LOSER, "Assets/Deeper.asset", "Assets/User.asset"} <= set(deep)
    assert answer_json(capsys, "usages", FIRST)["shares_guid_with"] == [LOSER]


def test_what_it_uses_is_used(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = rows(capsys, "unused", "--incomplete")
    assert {FIRST, LOSER} <= set(listed)
    kept = rows(capsys, "unused", "--incomplete", "--why", "--roots", "Assets/User.asset")
    assert {FIRST, LOSER, "Assets/Only.asset", "Assets/Deeper.asset"} <= set(kept)
    kept = rows(capsys, "unused", "--incomplete", "--why", "--roots", LOSER)
    assert {LOSER, "Assets/Only.asset"} <= set(kept)
    assert FIRST not in kept


def test_an_edit_leaves_what_a_cold_bake_makes(project: Path, tmp_path: Path) -> None:
    """The supplement of a live project is that of a bake, whoever comes, goes or changes."""
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    live.prepare()

    def check(number: int) -> supplement.Supplement:
        live.update([b"Assets", b"Assets/Twins", b"Assets/Other"])
        assert live.save()
        cold = tmp_path / f"cold{number}"
        assetdb.bake(project, cold, keep_going=True)
        assert (tmp_path / "live" / INDEX_NAME).read_bytes() == (cold / INDEX_NAME).read_bytes()
        with assetdb.open_database(cold / "asset-db.bin") as database:
            return database.supplement

    assert [duplicate.asset.path for duplicate in check(0).duplicates] == [LOSER]
    (project / LOSER).write_text(data_asset("Two", reference("Assets/User.asset")))
    assert guid_of("Assets/User.asset") in check(1).duplicates[0].targets
    add(project, "Assets/Other/Z.asset", data_asset("Z"))
    share(project, "Assets/Other/Z.asset", FIRST)
    (project / "Assets/Other.meta").write_text(f"fileFormatVersion: 2\nguid: {guid_of('Other')}\nfolderAsset: yes\n")
    assert [duplicate.asset.path for duplicate in check(2).duplicates] == [FIRST, LOSER]
    (project / LOSER).write_text(POINTER)
    found = check(3)
    assert found.unread == (supplement.Unread(LOSER, "lfs-pointer"),)
    (project / "Assets/Other/Z.asset").unlink()
    (project / "Assets/Other/Z.asset.meta").unlink()
    assert [duplicate.asset.path for duplicate in check(4).duplicates] == [LOSER]
    (project / f"{LOSER}.meta").write_text(f"fileFormatVersion: 2\nguid: {guid_of(LOSER)}\n")
    assert check(5).duplicates == ()
    live.close()


def test_a_damaged_supplement_is_said() -> None:
    duplicate = bytes(range(16)), b"28", b"\1x\0\1y", bytes(16)
    packed = supplement.encode([duplicate], [(b"Assets/x", b"unreadable")])
    whole = supplement.Supplement(packed)
    assert [duplicate.asset.path for duplicate in whole.duplicates] == ["y"]
    assert (whole.at("y"), whole.at("x")) == (whole.duplicates[0], None)
    assert (whole.of(bytes(range(16)).hex()), whole.of("0" * 32)) == (whole.duplicates, ())
    assert whole.unread == (("Assets/x", "unreadable"),)
    for size in range(1, len(packed)):
        with pytest.raises(DatabaseError):
            supplement.Supplement(packed[:size])
    for at in range(len(packed)):
        with contextlib.suppress(DatabaseError):
            made = supplement.Supplement(packed[:at] + b"\xf0" + packed[at + 1 :])
            assert len(made.duplicates) + len(made.unread) == 2
    for kind in (b"", b"-1", b"1" * 5000):
        with pytest.raises(DatabaseError):
            assert supplement.Supplement(supplement.encode([(duplicate[0], kind, *duplicate[2:])], [])).duplicates
    parts = writer.encode(bytes(16), 9, [], [], [], None, packed)
    whole = b"".join(parts)
    assert Index(memoryview(whole)).supplement_bytes == packed
    with pytest.raises(DatabaseError, match="cut short"):
        Index(memoryview(whole[:-1]))


# --- what is not there must not look empty


@pytest.fixture
def pointers(project: Path) -> Path:
    """Return a clone without LFS content: the scene and a prefab are pointers."""
    (project / "Assets/Main.unity").write_text(POINTER)
    assert main(["bake", "--quiet", "--keep-going"]) == 0
    return project


def test_a_pointer_refers_to_nobody_knows_what(pointers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = answer(capsys, "deps", "Assets/Main.unity")
    assert (code, out) == (1, [])
    assert "Git LFS pointer" in err
    assert "refers to nothing" not in err
    assert answer_json(capsys, "deps", "Assets/Main.unity")["unread_files"] == 1


def test_a_folder_of_pointers_refers_to_nobody_knows_what(pointers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(pointers, "Assets/Levels/One.unity", POINTER)
    (pointers / "Assets/Levels.meta").write_text(f"guid: {guid_of('Assets/Levels')}\nfolderAsset: yes\n")
    code, out, err = answer(capsys, "deps", "Assets/Levels")
    assert (code, out) == (1, [])
    assert "1 file could not be read, and may refer to more (LFS pointers: 1): Assets/Levels/One.unity" in err
    assert answer_json(capsys, "deps", "Assets/Levels")["unread_files"] == 1


def test_a_file_that_is_too_large_refers_to_nobody_knows_what(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_large(project / "Assets/Main.unity", 1 << 30)
    _, _, err = answer(capsys, "deps", "Assets/Main.unity")
    assert "Assets/Main.unity is too large to be read, so its references are not known" in err
    assert main(["unused"]) == 2
    assert "Assets/Main.unity  too-large" in capsys.readouterr().err


def test_a_graph_or_an_assembly_may_be_a_pointer_too(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(project, "Assets/Water.shadergraph", POINTER, "ScriptedImporter")
    assert main(["bake", "--keep-going"]) == 0
    assert "Assets/Water.shadergraph: lfs-pointer" in capsys.readouterr().err
    assert "Git LFS pointer" in answer(capsys, "deps", "Assets/Water.shadergraph")[2]


def test_usages_count_what_could_not_be_read(pointers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = answer(capsys, "usages", "Assets/Art/Red.mat")
    assert "1 file could not be read, and may refer to more (LFS pointers: 1): Assets/Main.unity" in err
    assert answer_json(capsys, "usages", "Assets/Art/Red.mat")["unread_files"] == 1
    assert "unread_files" not in answer_json(capsys, "deps", "Assets/User.asset")


def test_unused_refuses_where_nobody_knows(pointers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = pointers / "ProjectSettings/EditorBuildSettings.asset"
    settings.write_text(POINTER)
    code, out, err = answer(capsys, "unused")
    assert (code, out) == (2, [])
    assert err.splitlines()[:2] == [
        "Assets/Main.unity  lfs-pointer",
        "ProjectSettings/EditorBuildSettings.asset  lfs-pointer",
    ]
    assert "2 files could not be read" in err
    assert "--incomplete" in err
    assert "git lfs pull" in err
    assert [item["path"] for item in answer_json(capsys, "unused")["unread"]] == [
        "Assets/Main.unity",
        "ProjectSettings/EditorBuildSettings.asset",
    ]
    code, out, err = answer(capsys, "unused", "--incomplete")
    assert code == 1
    assert "Assets/Main.unity" in "".join(out)
    assert "2 files could not be read" in err
    assert "no scene" in err
    assert answer_json(capsys, "unused", "--incomplete")["unread_files"] == 2


@pytest.mark.parametrize("data", [b"", b" \n", pytest.param(None, marks=needs_links), "pipe"])
def test_unused_refuses_where_settings_are_empty_or_not_to_be_read(
    project: Path, capsys: pytest.CaptureFixture[str], data: bytes | str | None
) -> None:
    settings = project / "ProjectSettings/GraphicsSettings.asset"
    settings.unlink(missing_ok=True)
    if isinstance(data, bytes):
        settings.write_bytes(data)
    elif data is None:
        settings.symlink_to(project / "nowhere")
    else:
        make_pipe(settings)
    code, _, err = answer(capsys, "unused")
    assert code == 2
    why = "empty-asset" if isinstance(data, bytes) else "unreadable"
    assert err.startswith(f"ProjectSettings/GraphicsSettings.asset  {why}")


@needs_change_times
def test_a_name_costs_no_module_of_the_graph(tmp_path: Path) -> None:
    project = write_project(tmp_path / "Plain")
    settle(project)
    code = (
        "import sys; from assetdb.cli import main; main(['name', 'Assets/Main.unity'])\n"
        "print(*(name for name in ('re', 'struct', 'typing', 'assetdb.store.schema') if name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=project,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.splitlines()[1] == ""


def test_what_has_no_guid_is_said_where_it_may_refer(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An asset with a meta that tells no GUID refers to others all the same, and is not in the graph."""
    add(project, "Assets/Target.asset", data_asset("Target"))
    for name in ("Bare", "Empty", "Pointer"):
        add(project, f"Assets/{name}.asset", data_asset(name, reference("Assets/Target.asset")))
    add(project, "Assets/Picture.png", "")
    (project / "Assets/Bare.asset.meta").unlink()
    (project / "Assets/Picture.png.meta").unlink()
    (project / "Assets/Empty.asset.meta").write_bytes(b"")
    (project / "Assets/Pointer.asset.meta").write_text(POINTER)
    code, out, err = answer(capsys, "usages", "Assets/Target.asset")
    assert (code, out) == (1, [])
    assert "(LFS pointers: 1, assets without a meta: 1, metas without a GUID: 1)" in err
    code, _, err = answer(capsys, "unused")
    assert code == 2
    assert [line.split("  ") for line in err.splitlines()[:3]] == [
        ["Assets/Bare.asset", "missing-meta"],
        ["Assets/Empty.asset.meta", "no-guid"],
        ["Assets/Pointer.asset.meta", "lfs-pointer"],
    ]
    assert main(["bake", "--keep-going", "--json"]) == 0  # whoever heeds "delete the .meta" loses the GUID
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [item["code"] for item in found if item["path"] == "Assets/Pointer.asset.meta"] == ["lfs-pointer"]


def test_a_pointer_of_a_kind_that_nobody_knows_is_not_empty(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(project, "Assets/Layout.wlt", POINTER, "DefaultImporter")
    code, out, err = answer(capsys, "deps", "Assets/Layout.wlt")
    assert (code, out) == (1, [])
    assert "is a Git LFS pointer" in err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_what_is_no_file_is_not_empty(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(project, "Assets/Pipe.asset", "")
    (project / "Assets/Pipe.asset").unlink()
    os.mkfifo(project / "Assets/Pipe.asset")
    assert "pipes and devices: 1" in answer(capsys, "usages", "Assets/Only.asset")[2]


def test_what_is_too_large_is_not_empty(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(project, "Assets/Large.asset", "")
    make_large(project / "Assets/Large.asset", LARGEST_ASSET + 1)
    assert "files that are too large: 1" in answer(capsys, "usages", "Assets/Only.asset")[2]
    assert "is too large to be read" in answer(capsys, "deps", "Assets/Large.asset")[2]
    assert answer(capsys, "unused")[0] == 2
