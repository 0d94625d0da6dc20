"""Links to directories, hidden names, folders that are one asset: what of a project's folders is descended into."""

from __future__ import annotations

import os
import random
import shutil
import unicodedata
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.daemon.session import Session
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.reader import DirectoryReader
from assetdb.scan.walking import limits, links
from assetdb.settings.project import is_hidden, is_opaque
from tests.needs import may_have_links
from tests.system.bake.test_incremental import FILES
from tests.system.graph.project import add, add_folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "Project"
    (root / "ProjectSettings").mkdir(parents=True)
    add(root, "Assets/Own/A.txt", "a", "TextScriptImporter")
    add(root, "Shared/Deep/S.txt", "s", "TextScriptImporter")
    add(tmp_path, "Outside/O.txt", "o", "TextScriptImporter")
    return root


def link(root: Path, name: str, target: str) -> None:
    if not may_have_links():
        pytest.skip("links cannot be made here")
    (root / name).symlink_to(target, target_is_directory=True)


def baked(root: Path, **options: bool) -> tuple[list[str], dict[str, str]]:
    """Return the paths of a bake, and what it says of links."""
    result = assetdb.bake(root, root.parent / "out", keep_going=True, **options)
    with assetdb.open_database(result.database) as database:
        paths = sorted(asset.path for asset in database)
    return paths, {found.path: found.message for found in result.diagnostics if found.code == "linked-directory"}


def test_a_folder_of_the_project_is_there_under_the_first_link(project: Path) -> None:
    link(project, "Assets/Two", "../Shared")
    link(project, "Assets/One", "../Shared")
    paths, said = baked(project)
    assert paths == ["Assets/One/Deep/S.txt", "Assets/Own/A.txt"]
    assert said == {"Assets/Two": "leads to the same directory as Assets/One"}


def test_what_has_a_path_of_its_own_keeps_it(project: Path) -> None:
    link(project, "Assets/A link before it", "Own")
    paths, said = baked(project)
    assert paths == ["Assets/Own/A.txt"]
    assert said == {"Assets/A link before it": "leads to Assets/Own, which the project has under that path"}


@pytest.mark.parametrize("target", ["..", "../..", "."])
def test_a_link_to_a_folder_that_holds_it_ends(project: Path, target: str) -> None:
    link(project, "Assets/Loop", target)
    paths, said = baked(project, follow_links=True)
    assert paths == ["Assets/Own/A.txt"]
    assert list(said) == ["Assets/Loop"]


def test_links_in_what_links_lead_to_end(project: Path) -> None:
    link(project, "Shared/Deep/Again", "..")
    link(project, "Assets/Shared", "../Shared")
    paths, said = baked(project)
    assert paths == ["Assets/Own/A.txt", "Assets/Shared/Deep/S.txt"]
    assert said == {"Assets/Shared/Deep/Again": "leads to the same directory as Assets/Shared"}


def test_out_of_the_project_only_where_the_user_allows_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link(project, "Assets/Out", "../../Outside")
    (project / "assetdb.toml").write_text("")
    paths, said = baked(project)
    assert paths == ["Assets/Own/A.txt"]
    assert "--follow-links" in said["Assets/Out"]
    assert baked(project, follow_links=True) == (["Assets/Out/O.txt", "Assets/Own/A.txt"], {})
    folder = project.parent / "config"
    (folder / "assetdb").mkdir(parents=True)
    (folder / "assetdb" / "config.toml").write_text("follow-links = true\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    assert baked(project)[0] == ["Assets/Out/O.txt", "Assets/Own/A.txt"]
    (project / "assetdb.toml").write_text("follow-links = true\n")  # a project's file may not
    with pytest.raises(assetdb.ConfigurationError):
        baked(project)


@pytest.mark.parametrize(("files", "seconds"), [(0, 9.0), (9, -1.0)])
def test_no_more_is_read_outside_than_allowed(project: Path, files: int, seconds: float) -> None:
    link(project, "Assets/Out", "../../Outside")
    (project.parent / "Outside" / "Further").mkdir()
    holder = DirectoryFacts(b"Assets", links=b"Out")

    def read(path: bytes) -> DirectoryFacts:
        return DirectoryFacts(path, children=b"Further" if path == b"Assets/Out" else b"", pair_count=5)

    bound = limits.Limits(outside=True, files=files, seconds=seconds)
    reader = DirectoryReader(os.fsencode(project), since_ns=0, may_change_directory=False)
    found = links.LinkWalk({b"Assets": holder}, reader, [b"Assets"], read, bound).run()
    assert b"Assets/Out/Further" not in found
    assert b"more assets than are read" in found[b"Assets"].listing_diagnostics


def edit(root: Path, choose: random.Random) -> None:
    """Make a link, remove one, or change what one leads to."""
    name = choose.choice(("Assets/One", "Assets/Two", "Assets/Own/Three", "Shared/Deep/Four"))
    place = root / name
    act = choose.randrange(5)
    if act == 0 and place.is_symlink():
        place.unlink()
    elif act == 1 and place.parent.is_dir() and not place.is_symlink():
        target = choose.choice(("Shared", "Shared/Deep", "Assets/Own", "Library", "."))
        link(root, name, os.path.relpath(root / target, place.parent))
    elif act == 2:
        add(root, f"Shared/Deep/{choose.randrange(3)}.txt", "x" * choose.randrange(9), "TextScriptImporter")
    elif act == 3:
        shutil.rmtree(root / "Shared" / "Deep", ignore_errors=True)
    else:
        add(root, f"Shared/Deep/More{choose.randrange(2)}/{choose.randrange(3)}.txt", "x", "TextScriptImporter")


@pytest.mark.parametrize("seed", range(3))
def test_after_every_step_links_are_as_in_a_cold_bake(project: Path, tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    (project / "Library").mkdir()
    link(project, "Assets/First", "../Shared")
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    for step in range(40):
        edit(project, choose)
        shutil.rmtree(tmp_path / "cold", ignore_errors=True)
        cold = assetdb.bake(project, tmp_path / "cold", keep_going=True)
        warm = assetdb.bake(project, tmp_path / "warm", keep_going=True)
        live.update({b"Assets", b"Assets/Own", *live.through_links()})
        assert live.save()
        assert warm.diagnostics == cold.diagnostics == live.diagnostics, step
        for name in FILES:
            whole = (tmp_path / "cold" / name).read_bytes()
            assert (tmp_path / "warm" / name).read_bytes() == whole, (step, name)
            assert (tmp_path / "live" / name).read_bytes() == whole, (step, name)
    live.close()


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        *((name, True) for name in (".git", "Samples~", "cvs", "CVS", "scratch.tmp", "Scratch.TMP")),
        *((name, False) for name in ("cvs.txt", "tmp", "a.tmpl", "x.cs", "temp", "Tmps")),
    ],
)
def test_hidden_names_are_unitys(project: Path, name: str, hidden: bool) -> None:  # noqa: FBT001 - a table
    assert is_hidden(name.encode()) == hidden
    add(project, f"Assets/{name}", "x", "TextScriptImporter")
    add(project, f"Assets/Folder/{name}/Inside.txt", "x", "TextScriptImporter")
    paths, _ = baked(project)
    assert (f"Assets/{name}" in paths) != hidden
    assert (f"Assets/Folder/{name}/Inside.txt" in paths) != hidden


def test_android_libraries_are_one_asset(project: Path) -> None:
    add_folder(project, "Assets/Plugins/Some.androidlib")
    add(project, "Assets/Plugins/Some.androidlib/res/values.xml", "x", "TextScriptImporter")
    (project / "Assets" / "Plugins" / "Some.androidlib" / "project.properties").write_text("")
    assert is_opaque(b"Some.AndroidPack")
    assert baked(project)[0] == ["Assets/Own/A.txt"]
    result = assetdb.bake(project, project.parent / "out")
    assert [found for found in result.diagnostics if "properties" in found.path] == []


def test_metas_that_lack_in_a_submodule_are_its_own_business(project: Path) -> None:
    add(project, "Assets/Module/Kept.txt", "x", "TextScriptImporter")
    (project / "Assets" / "Module" / "src").mkdir()
    (project / "Assets" / "Module" / "src" / "main.cpp").write_text("")
    lacking = "Assets/Module/src/main.cpp"
    assert lacking in {found.path for found in assetdb.bake(project, project.parent / "out").diagnostics}
    (project / "Assets" / "Module" / ".git").write_text("gitdir: ../../.git/modules/Module\n")
    for folder in ("out", "cold"):
        result = assetdb.bake(project, project.parent / folder)
        assert lacking not in {found.path for found in result.diagnostics}
        with assetdb.open_database(result.database) as database:
            assert "Assets/Module/Kept.txt" in {asset.path for asset in database}


def test_the_manifest_is_no_asset(project: Path) -> None:
    for name in ("manifest.json", "packages-lock.json"):
        add(project, f"Packages/{name}", "{}", "TextScriptImporter")
    add(project, "Packages/com.acme.tools/package.json", "{}", "TextScriptImporter")
    result = assetdb.bake(project, project.parent / "out")
    with assetdb.open_database(result.database) as database:
        paths = {asset.path for asset in database}
    assert paths == {"Assets/Own/A.txt", "Packages/com.acme.tools/package.json"}
    assert not [found for found in result.diagnostics if found.path.startswith("Packages/manifest")]


def test_names_that_differ_in_how_accents_are_written_are_one(project: Path) -> None:
    composed, decomposed = (unicodedata.normalize(form, "Assets/Caf\u00e9") for form in ("NFC", "NFD"))
    add(project, f"{composed}.txt", "x", "TextScriptImporter")
    (project / f"{composed}.txt.meta").rename(project / f"{decomposed}.txt.meta")
    if (project / f"{composed}.txt.meta").exists():
        pytest.skip("this file system has one file there")
    result = assetdb.bake(project, project.parent / "out")
    codes = {found.code: found for found in result.diagnostics}
    assert "different bytes for the same letters" in codes["unicode-mismatch"].message
    assert "orphan-meta" not in codes
    with assetdb.open_database(result.database) as database:
        assert f"{composed}.txt" in {asset.path for asset in database}
