"""Metas without an asset: which path may have each, which are removed, and why the others stay."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.draft import Draft
from assetdb.checks.mending.guids.rewriting import Sites
from assetdb.checks.mending.guids.search import GuidHolders
from assetdb.checks.mending.orphans import Strays, orphan_guids, strays_of, with_guids
from assetdb.checks.mending.plan import Edit, Fix, Proposal
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git

if TYPE_CHECKING:
    from pathlib import Path

GUID, OTHER = "5e1f0c7b9a3d4826b1c09e7f24d8a635", "0f9e8d7c6b5a49382716051423324150"
ORPHAN = "Assets/gone.mat.meta"
REMOVED = Fix("orphan-meta", ORPHAN, "removed: it has no asset, and nothing refers to it")


def meta(guid: str = GUID) -> str:
    return f"fileFormatVersion: 2\nguid: {guid}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ProjectSettings").mkdir()
    (tmp_path / "Assets").mkdir()
    return tmp_path


def put(root: Path, path: str, text: str = "") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def claims(root: Path, metas: list[str], missing: list[str], *, folders: tuple[str, ...] = ()) -> dict[str, str]:
    """Return by path the meta that may be its."""
    strays = Strays(Draft(str(root)), dict.fromkeys(metas, GUID), missing, folders)
    said = {path: strays.claimed(path) for path in missing}
    for path, text in said.items():
        end = f" has no asset and may be its meta: rename it to {path}.meta to keep its GUID"
        assert not text or text.endswith(end)
    return {path: text.partition(" ")[0] for path, text in said.items() if text}


@pytest.mark.parametrize(
    ("metas", "missing", "expected"),
    [
        (["Assets/a.mat.meta"], ["Assets/New/a.mat"], {"Assets/New/a.mat": "Assets/a.mat.meta"}),  # its name
        (["Assets/a.mat.meta"], ["Assets/b.MAT"], {"Assets/b.MAT": "Assets/a.mat.meta"}),  # folder and kind
        (["Assets/a.mat.meta"], ["Assets/b.png"], {}),
        (["Assets/a.mat.meta"], ["Assets/New/b.mat"], {}),
        # A name is a better sign than a kind, and each meta is of one path.
        (
            ["Assets/a.mat.meta"],
            ["Assets/b.mat", "Assets/New/a.mat"],
            {"Assets/New/a.mat": "Assets/a.mat.meta"},
        ),
        (
            ["Assets/a.mat.meta", "Assets/b.mat.meta"],
            ["Assets/c.mat", "Assets/d.mat", "Assets/e.mat"],
            {"Assets/c.mat": "Assets/a.mat.meta", "Assets/d.mat": "Assets/b.mat.meta"},
        ),
        ([], ["Assets/a.mat"], {}),
        (["Assets/a.mat.meta"], [], {}),
    ],
)
def test_a_meta_may_be_of_a_path_with_its_name_or_of_its_kind_and_folder(
    root: Path, metas: list[str], missing: list[str], expected: dict[str, str]
) -> None:
    assert claims(root, metas, missing) == expected


def test_a_meta_that_the_plan_restores_is_of_nothing_else(root: Path) -> None:
    strays = Strays(Draft(str(root)), {"Assets/a.mat.meta": GUID}, ["Assets/New/a.mat"], (), {GUID})
    assert not strays.claimed("Assets/New/a.mat")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Assets/New/Old", {"Assets/New/Old": "Assets/Old.meta"}),  # the name of the folder
        ("Assets/Renamed", {"Assets/Renamed": "Assets/Old.meta"}),  # or the folder above it
        ("Assets/New/Renamed", {}),
    ],
)
def test_the_meta_of_a_missing_folder_may_be_of_one_that_came_with_its_metas(
    root: Path, path: str, expected: dict[str, str]
) -> None:
    put(root, f"{path}/a.mat.meta")
    assert claims(root, [], [path], folders=("Assets/Old.meta",)) == expected


def test_a_folder_without_metas_a_file_or_a_link_is_not_the_missing_folder(root: Path) -> None:
    put(root, "Assets/Plain/a.mat")
    put(root, "Assets/File")
    put(root, "Elsewhere/a.mat.meta")
    missing = ["Assets/File", "Assets/Plain", "Assets/none"]
    if os.name != "nt":
        (root / "Assets/Link").symlink_to(root / "Elsewhere")
        missing.append("Assets/Link")
    assert claims(root, [], missing, folders=("Assets/Old.meta",)) == {}


def test_a_path_with_the_committed_content_of_a_lost_asset_may_be_that_asset(root: Path) -> None:
    put(root, "Assets/a.mat", "content of a")
    put(root, "Assets/b.mat", "content of b")
    git(root, "init", "-q")
    commit(root)
    (root / "Assets/a.mat").rename(root / "Assets/y.mat")
    (root / "Assets/b.mat").rename(root / "Assets/x.mat")
    assert claims(root, ["Assets/a.mat.meta", "Assets/b.mat.meta"], ["Assets/x.mat", "Assets/y.mat"]) == {
        "Assets/x.mat": "Assets/b.mat.meta",
        "Assets/y.mat": "Assets/a.mat.meta",
    }


# --- removal


def removal(
    root: Path, found: GuidHolders | None = None, used: str = "", missing: tuple[str, ...] = (), guid: str = GUID
) -> Edit | Proposal:
    """Return the removal of the orphan, or why it stays."""
    draft = Draft(str(root))
    strays = Strays(draft, {ORPHAN: guid}, missing)
    strays.remove_orphans({ORPHAN: guid}, found or GuidHolders({GUID: {}}, {GUID: []}, {}), lambda _: used)
    plan = draft.plan()
    if plan.edits:
        assert plan.fixes == (REMOVED,)
        assert not plan.proposals
        return plan.edits[0]
    assert not plan.fixes
    return plan.proposals[0]


def stays(message: str) -> Proposal:
    return Proposal("orphan-meta", ORPHAN, f"it is not removed: {message}")


def test_a_meta_that_nothing_refers_to_is_removed(root: Path) -> None:
    put(root, ORPHAN, meta())
    gone = Edit(ORPHAN, meta().encode(), None)
    assert removal(root) == gone
    assert removal(root, guid="") == gone
    in_its_meta = GuidHolders({GUID: {ORPHAN: Sites((1,), (2,), ())}}, {GUID: [ORPHAN]}, {})
    assert removal(root, in_its_meta) == gone


@pytest.mark.parametrize(
    ("text", "is_meta"),
    [
        ("", False),
        ("guid: 1\n", False),
        ("#" * 46 + "fileFormatVersion:", True),
        ("#" * 47 + "fileFormatVersion:", False),
    ],
)
def test_a_file_that_does_not_begin_as_a_meta_stays(root: Path, text: str, *, is_meta: bool) -> None:
    put(root, ORPHAN, text)
    found = removal(root)
    assert found == (Edit(ORPHAN, text.encode(), None) if is_meta else stays("it is not a meta of Unity"))


def test_a_meta_that_may_be_of_a_path_stays(root: Path) -> None:
    put(root, ORPHAN, meta())
    assert removal(root, missing=("Assets/x.mat",)) == stays("it may be the meta of Assets/x.mat, which has none")


def test_a_meta_that_is_gone_by_now_is_no_proposal(root: Path) -> None:
    draft = Draft(str(root))
    Strays(draft, {ORPHAN: GUID}, ()).remove_orphans({ORPHAN: GUID}, GuidHolders({}, {}, {}), lambda _: "")
    assert draft.plan() == Draft("").plan()


REFERENCE, OWNED, OTHERWISE = Sites((), (5,), ()), Sites((5,), (), ()), Sites((), (), (5,))


@pytest.mark.parametrize(
    ("sites", "binary", "unread", "reason"),
    [
        ({"Assets/a.unity": REFERENCE}, [], {}, "Assets/a.unity refers to it: restore the asset"),
        ({"Assets/a.cs": OTHERWISE}, [], {}, "Assets/a.cs may refer to it"),
        ({}, ["Assets/a.dll"], {}, "Assets/a.dll may refer to it"),
        (
            {},
            [],
            {"Assets/b.asset": "too-large", "Assets/a.asset": "lfs-pointer"},
            "Assets/a.asset, Assets/b.asset may refer to it (lfs-pointer, too-large)",
        ),
        # A meta with an asset has the GUID: what refers to it means that asset.
        ({"Assets/a.mat.meta": OWNED, "Assets/a.unity": REFERENCE}, [], {}, ""),
        (
            {"Assets/.hidden/a.mat.meta": OWNED, "Assets/a.unity": REFERENCE},
            [],
            {},
            "Assets/a.unity refers to it: restore the asset",
        ),
    ],
)
def test_a_meta_that_something_may_refer_to_stays(
    root: Path, sites: dict[str, Sites], binary: list[str], unread: dict[str, str], reason: str
) -> None:
    put(root, ORPHAN, meta())
    found = removal(root, GuidHolders({GUID: sites}, {GUID: binary}, unread))
    assert found == (stays(reason) if reason else Edit(ORPHAN, meta().encode(), None))


def test_a_meta_that_a_package_may_refer_to_stays(root: Path) -> None:
    put(root, ORPHAN, meta())
    assert removal(root, used="a package outside the project refers to it").message.endswith("refers to it")  # type: ignore[union-attr]  # a proposal


def test_a_meta_of_an_asset_that_git_has_or_ignores_stays(root: Path) -> None:
    put(root, ORPHAN, meta())
    git(root, "init", "-q")
    assert removal(root) == Edit(ORPHAN, meta().encode(), None)
    put(root, ".gitignore", "/Assets/gone.mat\n")
    assert removal(root) == stays("git ignores its asset, which may be made by a tool on other machines")
    put(root, "Assets/gone.mat")
    git(root, "add", "-f", "Assets/gone.mat")
    (root / "Assets/gone.mat").unlink()
    assert removal(root) == stays("git still has its asset: restore that, or remove both (git rm)")


# --- of a project


def test_guids_are_read_and_what_cannot_be_is_proposed(root: Path) -> None:
    put(root, "Assets/a.mat.meta", meta())
    put(root, "Assets/b.mat.meta", "nothing")
    put(root, "Assets/c.mat.meta", f"<<<<<<< HEAD\n{meta()}=======\n{meta(OTHER)}>>>>>>> b\n")
    (root / "Assets/d.mat.meta").mkdir()
    metas = [f"Assets/{name}.mat.meta" for name in "abcde"]
    for code, expected in (("orphan-meta", {metas[0]: GUID, metas[1]: ""}), ("duplicate-guid", {metas[0]: GUID})):
        draft = Draft(str(root))
        assert with_guids(draft, code, metas) == expected
        assert draft.plan().proposals == (
            Proposal(code, "Assets/c.mat", "its meta has conflict markers: resolve the merge first"),
            Proposal(code, "Assets/d.mat", "Assets/d.mat.meta: is no file"),
            Proposal(code, "Assets/e.mat", "its meta no longer exists under this name"),
        )


def test_all_strays_of_a_project_are_taken_and_paths_that_get_a_meta_left_out(root: Path, tmp_path: Path) -> None:
    put(root, "Assets/old.mat.meta", meta())
    put(root, "Assets/x.mat", "%YAML 1.1\n")
    put(root, "Assets/y.mat", "%YAML 1.1\n")
    project = open_project(str(root), str(tmp_path / "out"))
    try:
        orphans = orphan_guids(project)
        assert orphans == {"Assets/old.mat.meta": GUID}
        draft = Draft(str(root))
        draft.write("Assets/x.mat.meta", b"given")
        strays = strays_of(project, draft, orphans, ["Assets/x.mat"])
        assert not strays.claimed("Assets/x.mat")
        assert strays.claimed("Assets/y.mat").startswith("Assets/old.mat.meta has no asset and may be its meta")
    finally:
        project.close()


def test_the_meta_of_a_hidden_name_is_removed_whatever_git_has_of_it(root: Path) -> None:
    put(root, "Assets/Docs~/read.txt", "x")
    put(root, "Assets/Docs~.meta", meta())
    git(root, "init", "-q")
    commit(root)
    draft = Draft(str(root))
    strays = Strays(draft, {"Assets/Docs~.meta": GUID}, ())
    strays.remove_orphans({"Assets/Docs~.meta": GUID}, GuidHolders({GUID: {}}, {GUID: []}, {}), lambda _: "")
    plan = draft.plan()
    assert [(edit.path, edit.after) for edit in plan.edits] == [("Assets/Docs~.meta", None)]
    assert not plan.proposals
