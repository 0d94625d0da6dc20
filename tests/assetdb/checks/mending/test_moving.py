"""Assets and metas stay together: what is refused, what is planned, and names that differ in case alone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.moving import (
    folders_above,
    may_be_found_by_name,
    moved_scenes,
    plan_moves,
    plan_registration,
    plan_removal,
    target_path,
)
from assetdb.checks.mending.paths import hidden_part
from assetdb.checks.mending.plan import Move
from assetdb.checks.mending.writing.apply import apply
from assetdb.errors import UsageError
from assetdb.query.snapshots.snapshot import open_project
from tests.needs import ignores_case, limits_names

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for path in ("Assets/Art/a.png", "Assets/Art/b.png", "Assets/Code/c.cs", "Packages/com.x/d.cs"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
        (tmp_path / f"{path}.meta").write_text(f"meta of {path}")
    for path in ("Assets/Art", "Assets/Code"):
        (tmp_path / f"{path}.meta").write_text(f"meta of {path}")
    (tmp_path / "ProjectSettings").mkdir()
    return tmp_path


def files(root: Path) -> list[str]:
    return sorted(p.relative_to(root).as_posix() for top in ("Assets", "Packages") for p in (root / top).rglob("*"))


def test_a_file_goes_with_its_meta(project: Path) -> None:
    plan = plan_moves(str(project), ["Assets/Art/a.png"], "Assets/Code")
    assert plan.moves == (
        Move("Assets/Art/a.png", "Assets/Code/a.png"),
        Move("Assets/Art/a.png.meta", "Assets/Code/a.png.meta"),
    )
    apply(plan, str(project))
    assert (project / "Assets/Code/a.png.meta").read_text() == "meta of Assets/Art/a.png"
    assert not (project / "Assets/Art/a.png.meta").exists()


def test_a_folder_goes_with_its_meta_and_all_in_it(project: Path) -> None:
    apply(plan_moves(str(project), ["Assets/Art"], "Assets/Code/Pictures"), str(project))
    assert files(project) == [
        *("Assets/Code", "Assets/Code.meta", "Assets/Code/Pictures", "Assets/Code/Pictures.meta"),
        *("Assets/Code/Pictures/a.png", "Assets/Code/Pictures/a.png.meta"),
        *("Assets/Code/Pictures/b.png", "Assets/Code/Pictures/b.png.meta"),
        *("Assets/Code/c.cs", "Assets/Code/c.cs.meta"),
        *("Packages/com.x", "Packages/com.x/d.cs", "Packages/com.x/d.cs.meta"),
    ]


def test_several_go_into_a_folder(project: Path) -> None:
    apply(plan_moves(str(project), ["Assets/Art/a.png", "Assets/Code/c.cs"], "Packages/com.x"), str(project))
    assert (project / "Packages/com.x/a.png.meta").exists()
    assert (project / "Packages/com.x/c.cs.meta").exists()


@pytest.mark.parametrize(
    ("sources", "target", "message"),
    [
        (["Assets/Art/a.png"], "Assets/Art/b.png", "already exists, and is not overwritten"),
        (["Assets/Art/a.png"], "Assets/Art/a.png", "already exists"),
        (["Assets/Art/a.png"], "Assets/None/a.png", "Assets/None: is not a folder; make it first"),
        (["Assets/Art"], "Assets/Art/Deep", "cannot be moved into itself"),
        (["Assets/Art/a.png", "Assets/Code/c.cs"], "Assets/x", "is not a folder, so it cannot take 2 assets"),
        (["Assets/Art/a.png", "Assets/Art"], "Assets/Code", "is moved twice"),
        (["Assets/Art/a.png.meta"], "Assets/Code", "belongs to an asset"),
        (["Assets"], "Packages/com.x", "is not an asset"),
        (["ProjectSettings"], "Assets/Code", "is not an asset"),
        (["Assets/Art"], "ProjectSettings", "is not an asset"),
        (["Assets/gone"], "Assets/Code", "is not there"),
    ],
)
def test_what_would_lose_something_is_refused(project: Path, sources: list[str], target: str, message: str) -> None:
    before = files(project)
    with pytest.raises(UsageError, match=message):
        plan_moves(str(project), sources, target)
    assert files(project) == before


def test_a_meta_in_the_way_is_not_overwritten(project: Path) -> None:
    (project / "Assets/Code/a.png.meta").write_text("of another")
    with pytest.raises(UsageError, match="without its asset"):
        plan_moves(str(project), ["Assets/Art/a.png"], "Assets/Code")


@pytest.mark.parametrize("length", [248, 300])  # the meta's name is too long, or both are
def test_a_name_that_no_file_can_have_is_refused(project: Path, length: int) -> None:
    if not limits_names(project):
        pytest.skip("names have no limit of their own here")
    target = f"Assets/Code/{'n' * length}.png"
    with pytest.raises(UsageError, match=r"^Assets/Code/n+\.png(\.meta)?: File name too long$"):
        plan_moves(str(project), ["Assets/Art/a.png"], target)


def test_an_asset_whose_meta_has_another_case_is_neither_moved_nor_removed(project: Path) -> None:
    if ignores_case(project):
        pytest.skip("its meta is found in any case here")
    (project / "Assets/Art/a.png").rename(project / "Assets/Art/A.png")
    message = r"Assets/Art/A\.png: its meta is called Assets/Art/a\.png\.meta: rename it to Assets/Art/A\.png\.meta"
    with pytest.raises(UsageError, match=message):
        plan_moves(str(project), ["Assets/Art/A.png"], "Assets/Code")
    with pytest.raises(UsageError, match=message):
        plan_removal(str(project), ["Assets/Art/A.png"])


def test_of_two_metas_in_other_cases_the_first_by_name_is_told(project: Path) -> None:
    if ignores_case(project):
        pytest.skip("they are one file here")
    (project / "Assets/Art/a.png").rename(project / "Assets/Art/A.png")
    (project / "Assets/Art/a.PNG.meta").write_text("meta of nothing")
    with pytest.raises(UsageError, match=r"A\.png: its meta is called Assets/Art/a\.PNG\.meta:"):
        plan_removal(str(project), ["Assets/Art/A.png"])


def test_two_files_of_one_name_do_not_go_to_one_place(project: Path) -> None:
    (project / "Assets/Code/a.png").write_text("another")
    with pytest.raises(UsageError, match=r"Assets/Code/a\.png: is moved twice"):
        plan_moves(str(project), ["Assets/Art/a.png", "Assets/Code/a.png"], "Packages/com.x")


def test_a_meta_of_another_asset_in_another_case_is_left_alone(project: Path) -> None:
    if ignores_case(project):
        pytest.skip("they are one file here")
    (project / "Assets/Art/A.png").write_text("without a meta")
    assert plan_removal(str(project), ["Assets/Art/A.png"]).removals == ("Assets/Art/A.png",)


def test_removal_takes_metas_along(project: Path) -> None:
    plan = plan_removal(str(project), ["Assets/Art/a.png", "Assets/Art", "Assets/Code/c.cs"])
    assert plan.removals == ("Assets/Art", "Assets/Art.meta", "Assets/Code/c.cs", "Assets/Code/c.cs.meta")
    apply(plan, str(project))
    assert files(project) == [
        *("Assets/Code", "Assets/Code.meta", "Packages/com.x", "Packages/com.x/d.cs", "Packages/com.x/d.cs.meta")
    ]


def test_a_meta_alone_can_be_removed(project: Path) -> None:
    (project / "Assets/Art/a.png").unlink()
    assert plan_removal(str(project), ["Assets/Art/a.png"]).removals == ("Assets/Art/a.png.meta",)
    assert plan_removal(str(project), ["Assets/Art/a.png.meta"]).removals == ("Assets/Art/a.png.meta",)
    both = plan_removal(str(project), ["Assets/Art/a.png", "Assets/Art/a.png.meta"])
    assert both.removals == ("Assets/Art/a.png.meta",)


@pytest.mark.parametrize(("path", "name"), [("Assets/Samples~/a", "Samples~"), ("Assets/.x", ".x"), ("Assets/a", "")])
def test_what_unity_does_not_see(path: str, name: str) -> None:
    assert hidden_part(path) == name


def test_a_target_is_relative_to_the_working_directory(project: Path) -> None:
    root = str(project)
    assert target_path(root, "new.cs", os.path.join(root, "Assets")) == "Assets/new.cs"
    assert target_path(root, "Assets/Code", os.path.join(root, "Assets")) == "Assets/Code"
    with pytest.raises(UsageError, match="is not in the project"):
        target_path(root, "../x", root)


# --- file systems that hold names in any case for one


@pytest.fixture
def folding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let names be found in any case, as macOS and Windows do; what is there keeps the case that it was given."""

    lstat, stat, rename = os.lstat, os.stat, os.rename

    def actual(path: str) -> str:
        folder, name = os.path.split(os.fspath(path))
        try:
            names = os.listdir(folder)
        except OSError:
            return path
        return next((os.path.join(folder, other) for other in names if other.lower() == name.lower()), path)

    def inside(name: str, directory: int | None) -> str:
        return name if directory is None else os.path.join(f"/proc/self/fd/{directory}", name)

    def folding_stat(path: str, *, dir_fd: int | None = None, follow_symlinks: bool = True) -> os.stat_result:
        return stat(actual(inside(path, dir_fd)), follow_symlinks=follow_symlinks)

    def folding_rename(old: str, new: str, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None) -> None:
        source, target = inside(old, src_dir_fd), inside(new, dst_dir_fd)
        if actual(source) == actual(target):
            return  # as ext4 does that folds: two names of one file
        rename(actual(source), target)

    monkeypatch.setattr(os, "lstat", lambda path: lstat(actual(path)))
    monkeypatch.setattr(os, "stat", folding_stat)
    monkeypatch.setattr(os, "rename", folding_rename)


CASES = [("Assets/Art/a.png", "Assets/Art/A.png"), ("Assets/Code", "Assets/code")]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="there is no /proc to fold names with")
@pytest.mark.parametrize(
    ("source", "target"), [("Assets/Art/a.png", "Assets/Art/A.png"), ("Assets/Code", "Assets/code")]
)
def test_names_that_differ_in_case_alone(
    project: Path, source: str, target: str, monkeypatch: pytest.MonkeyPatch, folding: None
) -> None:
    plan = plan_moves(str(project), [source], target)
    assert plan.moves == (Move(source, target), Move(f"{source}.meta", f"{target}.meta"))
    apply(plan, str(project))
    monkeypatch.undo()
    names = os.listdir(project / os.path.dirname(source))
    assert {os.path.basename(target), f"{os.path.basename(target)}.meta"} <= set(names)
    assert os.path.basename(source) not in names


def test_a_folder_is_registered_with_what_is_in_it_and_not_hidden(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    (root / "ProjectSettings").mkdir(parents=True)
    for path in ("New/a.txt", "New/Sub/b.txt", "New/.hidden", "New/Samples~/c.txt", "Other/d.txt"):
        (root / "Assets" / path).parent.mkdir(parents=True, exist_ok=True)
        (root / "Assets" / path).write_text("x")
    opened = open_project(str(root), str(tmp_path / "out"))
    try:
        plan = plan_registration(opened, ["Assets/New"])
    finally:
        opened.close()
    metas = ("New.meta", "New/Sub.meta", "New/Sub/b.txt.meta", "New/a.txt.meta")
    assert sorted(edit.path for edit in plan.edits) == sorted(f"Assets/{meta}" for meta in metas)


def test_the_root_of_an_embedded_package_gets_no_meta(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    for folder in ("Assets", "ProjectSettings", "Packages/com.acme.own"):
        (root / folder).mkdir(parents=True)
    (root / "Packages/com.acme.own/package.json").write_text('{"name": "com.acme.own", "version": "1.0.0"}')
    opened = open_project(str(root), str(tmp_path / "out"))
    try:
        plan = plan_registration(opened, ["Packages/com.acme.own"])
    finally:
        opened.close()
    assert [edit.path for edit in plan.edits] == ["Packages/com.acme.own/package.json.meta"]


@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("Assets/a.txt", []),
        ("Assets/A/b.txt", ["Assets/A"]),
        ("Assets/A/B/c.txt", ["Assets/A", "Assets/A/B"]),
        ("Packages/com.x/package.json", []),
        ("Packages/com.x/A/b.cs", ["Packages/com.x/A"]),
        ("Packages/com.x/A/B/c.cs", ["Packages/com.x/A", "Packages/com.x/A/B"]),
    ],
)
def test_folders_above_have_metas_but_for_roots(path: str, above: list[str]) -> None:
    assert list(folders_above(path)) == above


@pytest.mark.parametrize(
    ("names", "is_found"),
    [
        (("a.png", "Sub/b.cs"), False),
        (("a.mat",), True),
        (("Sub/Deep/car.FBX",), True),
        (("tree.spm",), True),
        (("Sub~/a.mat", ".a.mat"), False),  # which Unity does not see
        (("a.mat.meta",), False),
    ],
)
def test_what_is_moved_may_be_found_by_name(tmp_path: Path, names: tuple[str, ...], *, is_found: bool) -> None:
    for name in names:
        (tmp_path / "Assets/New" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "Assets/New" / name).write_text("x")
    assert may_be_found_by_name(str(tmp_path), "Assets/New") is is_found


SCENES = "%YAML 1.1\n--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n"
SCENES += "".join(
    f"  - enabled: {at % 2}\n    path: Assets/{name}.unity\n" for at, name in enumerate(("A/x", "AB/y", "A/z"))
)


@pytest.mark.parametrize(
    ("moves", "rows"),
    [
        (
            [Move("Assets/A", "Assets/B")],
            [(0, "Assets/A/x.unity", "Assets/B/x.unity"), (2, "Assets/A/z.unity", "Assets/B/z.unity")],
        ),
        ([Move("Assets/A/z.unity", "Assets/w.unity")], [(2, "Assets/A/z.unity", "Assets/w.unity")]),
        (
            [Move("Assets/AB/y.unity", "Assets/y.unity"), Move("Assets/A/x.unity", "Assets/x.unity")],
            [(0, "Assets/A/x.unity", "Assets/x.unity"), (1, "Assets/AB/y.unity", "Assets/y.unity")],
        ),
        ([Move("Assets/A", "Assets/A~")], []),  # nothing is built of it
        ([Move("Assets/C", "Assets/D")], []),
        ([Move("Assets/A/x.unity.meta", "Assets/x.unity.meta")], []),
    ],
)
def test_scenes_of_the_build_settings_move_along(
    project: Path, moves: list[Move], rows: list[tuple[int, str, str]]
) -> None:
    settings = project / "ProjectSettings/EditorBuildSettings.asset"
    settings.write_bytes(SCENES.encode())
    found = moved_scenes(str(project), moves)
    assert list(found.rows) == rows
    expected = SCENES
    for _, old, new in rows:
        expected = expected.replace(f"path: {old}\n", f"path: {new}\n")
    assert [(edit.path, edit.before, edit.after) for edit in found.edits] == (
        [("ProjectSettings/EditorBuildSettings.asset", SCENES.encode(), expected.encode())] if rows else []
    )


def test_without_build_settings_no_scene_moves(project: Path) -> None:
    assert moved_scenes(str(project), [Move("Assets/A", "Assets/B")]) == ((), ())


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (["Assets/Code/none.cs"], "Assets/Code/none.cs: is not there"),
        (
            ["Assets/Art", "Assets/Samples~/a"],
            "Assets/Samples~/a: Unity does not see Samples~, and nothing in it has a meta",
        ),
        (["Assets"], "Assets: is not an asset: name what is in Assets or Packages"),
        ([""], "name what is in Assets or Packages"),
        (["Library/x"], "Library/x: is not an asset: name what is in Assets or Packages"),
        (["Assets/Art/a.png.meta"], "Assets/Art/a.png.meta: belongs to an asset: name Assets/Art/a.png"),
    ],
)
def test_what_cannot_be_registered_is_refused(project: Path, tmp_path: Path, paths: list[str], said: str) -> None:
    opened = open_project(str(project), str(tmp_path / "out"))
    try:
        with pytest.raises(UsageError) as caught:
            plan_registration(opened, paths)
    finally:
        opened.close()
    assert str(caught.value).endswith(said)


def test_a_removed_folder_is_told_from_a_file(project: Path) -> None:
    plan = plan_removal(str(project), ["Assets/Code/c.cs", "Assets/Art"])
    assert plan.removals == ("Assets/Art", "Assets/Art.meta", "Assets/Code/c.cs", "Assets/Code/c.cs.meta")
    assert plan.folders == ("Assets/Art",)
    with pytest.raises(UsageError, match="Assets/none: is not there"):
        plan_removal(str(project), ["Assets/none"])
