"""The fixture project: it is what its generator writes, and each oddity in it becomes exactly what the table says."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import assetdb
from assetdb.diagnostics.codes import CODES
from scripts import make_fixture, regenerate_golden
from scripts.fixture import FIXTURE, GOLDEN

CHECKOUT = Path(__file__).resolve().parents[3]
CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "expected.json").read_text("utf-8"))


def has_links(folder: Path) -> bool:
    """Whether this checkout has kept symbolic links as links."""
    return (folder / "Assets" / "Linked").is_symlink()


def tree(folder: Path) -> dict[str, bytes | str]:
    found: dict[str, bytes | str] = {}
    for root, folders, names in os.walk(folder):
        if Path(root) == folder:
            folders[:] = [name for name in folders if name != "Library"]
        for name in [*names, *folders]:
            path = Path(root, name)
            key = path.relative_to(folder).as_posix()
            if path.is_symlink():
                found[key] = str(path.readlink())
            elif path.is_file():
                found[key] = path.read_bytes()
    return found


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the fixture that may be written to."""
    folder = tmp_path_factory.mktemp("fixture") / "unity_project"
    make_fixture.write(str(folder), make_fixture.build(), links=has_links(FIXTURE))
    return folder


@pytest.fixture(scope="module")
def baked(project: Path) -> assetdb.BakeResult:
    return assetdb.bake(project, project.parent / "out", keep_going=True)


@pytest.fixture(scope="module")
def assets(baked: assetdb.BakeResult) -> dict[str, assetdb.Asset]:
    with assetdb.open_database(baked.database) as database:
        return {asset.path: asset for asset in database}


def test_the_committed_project_is_what_the_generator_writes(project: Path) -> None:
    if not has_links(FIXTURE):
        pytest.skip("this checkout has no symbolic links")
    committed = tree(FIXTURE)
    written = tree(project)
    assert sorted(committed) == sorted(written)
    assert [path for path in written if written[path] != committed[path]] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_each_oddity_becomes(case: dict[str, Any], baked: assetdb.BakeResult, assets: dict[str, Any]) -> None:
    if "link" in case["case"] and not has_links(FIXTURE):
        pytest.skip("this checkout has no symbolic links")
    for path, expected in case["entries"].items():
        if expected is None:
            assert path not in assets
            continue
        asset = assets[path]
        assert (f"script:{asset.script}" if asset.script else asset.class_id) == expected["type"]
        assert asset.name == expected["name"]
        assert [list(row) for row in asset.sub_assets] == expected.get("rows", [])
    paths = {path + end for path in case["entries"] for end in ("", ".meta")} | {d[1] for d in case["diagnostics"]}
    found = [[diagnostic.code, diagnostic.path] for diagnostic in baked.diagnostics if diagnostic.path in paths]
    assert sorted(found) == sorted(case["diagnostics"])


def test_the_table_is_complete(baked: assetdb.BakeResult, assets: dict[str, Any]) -> None:
    if not has_links(FIXTURE):
        pytest.skip("this checkout has no symbolic links")
    assert {path for case in CASES for path, entry in case["entries"].items() if entry is not None} == set(assets)
    expected = sorted(tuple(found) for case in CASES for found in case["diagnostics"] if found[0] != "linked-directory")
    found = [(found.code, found.path) for found in baked.diagnostics if found.code != "linked-directory"]
    assert sorted(found) == expected


def test_a_bake_gives_the_golden_files(project: Path) -> None:
    has_own = has_links(FIXTURE)  # Git for Windows writes a link as a file, which is an asset more
    for name, data in regenerate_golden.golden(str(FIXTURE if has_own else project)).items():
        if name == "diagnostics.txt" and not has_own:
            continue
        assert (GOLDEN / name).read_bytes() == data, f"{name}: run scripts.regenerate_golden, look at the diff"


def test_without_keep_going_every_problem_is_listed_and_nothing_is_written(project: Path, tmp_path: Path) -> None:
    with pytest.raises(assetdb.BakeError) as error:
        assetdb.bake(project, tmp_path)
    assert str(error.value) == "3 problems would make the database ambiguous (--keep-going bakes the rest)"
    ambiguous = {code.name for code in CODES.values() if code.ambiguous}
    assert {found.code for found in error.value.diagnostics} > ambiguous
    assert not (tmp_path / "asset-db.bin").exists()


def test_the_guids_of_folders_resolve(baked: assetdb.BakeResult) -> None:
    with assetdb.open_database(baked.database) as database:
        for path in ("Assets/Art", "Assets/Metas/Native.framework", "Assets/Metas/ConflictedFolder", "Assets/Umläute"):
            assert database.folder(make_fixture.guid_of(path)) == path
            assert database.by_guid(make_fixture.guid_of(path)) is None
        assert database.folder(make_fixture.guid_of("Assets/Missing/EmptyFolder")) is None


def test_a_second_bake_writes_nothing(project: Path, baked: assetdb.BakeResult) -> None:
    folder = Path(baked.database).parent
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]  # that says who holds it
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) for path in files}
    again = assetdb.bake(project, folder, keep_going=True)
    assert (again.unchanged, again.written, again.asset_count) == (True, False, baked.asset_count)
    assert again.diagnostics == baked.diagnostics
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) for path in files}
    assert after == before


def test_check_writes_nothing_and_says_what_would_change(tmp_path: Path) -> None:
    project = tmp_path / "project"
    make_fixture.write(str(project), make_fixture.build(), links=False)
    out = tmp_path / "out"
    absent = assetdb.bake(project, out, keep_going=True, check=True)
    assert absent.written
    assert not out.exists()
    assetdb.bake(project, out, keep_going=True)
    state = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in out.rglob("*") if path.is_file()}
    current = assetdb.bake(project, out, keep_going=True, check=True)
    assert (current.written, current.difference) == (False, ())
    sheet = project / "Assets" / "Sprites" / "OneSprite.png.meta"
    sheet.write_bytes(sheet.read_bytes().replace(b"name: only", b"name: lone"))
    stale = assetdb.bake(project, out, keep_going=True, check=True)
    assert stale.written
    owner, *rows = stale.difference
    assert owner.startswith("  97dd959f6615450336a519a9a2798c77 Texture2D(28) ")
    assert rows == ['-     5531 Sprite(213) "only"', '+     5531 Sprite(213) "lone"']
    assert {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in out.rglob("*") if path.is_file()
    } == state
