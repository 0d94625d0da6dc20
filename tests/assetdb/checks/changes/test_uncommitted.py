"""What a change uses and forgets to bring: by the hook, against a revision, and in a plain check."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.changes.introduced import check_since, check_staged
from assetdb.checks.findings.engine import Report, Selection, check_project
from assetdb.checks.merges.merge import check_merge
from tests.assetdb.checks.asking import findings_of
from tests.assetdb.history.git_project import commit, git, make_repository, meta_of, script
from tests.assetdb.unity_project import HEAD, game_object, guid, write
from tests.needs import ignores_case

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

    Row = tuple[str, str, str, str]

NEW, PREFAB = "Assets/Scripts/New.cs", "Assets/Prefabs/New.prefab"
SCENE = "Assets/Main.unity"
NUMBER = 78
ONLY = Selection(select=("not-committed", "missing-script", "missing-asset", "missing-meta", "orphan-meta"))
FORGOTTEN = f"{NEW} is not in git: add it and its .meta"
ERROR = ("not-committed", "error", PREFAB, FORGOTTEN)


@pytest.fixture(params=["all packages are here", "a package is absent"])
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A repository, with and without a package that could have any GUID, as in every clone."""
    folder = make_repository(tmp_path / "repository")
    if "absent" in request.param:
        (folder / "Packages").mkdir(exist_ok=True)
        (folder / "Packages/manifest.json").write_text('{"dependencies": {"com.acme.secret": "1.0.0"}}')
        commit(folder)
    return folder


def ask(root: Path, question: Callable[[Snapshot], Report]) -> list[Row]:
    return [(row.code, row.severity, row.path, row.message) for row in findings_of(root, question)]


def staged(root: Path) -> list[Row]:
    return ask(root, lambda project: check_staged(project, ONLY))


def since(root: Path, revision: str = "HEAD") -> list[Row]:
    return ask(root, lambda project: check_since(project, revision, ONLY))


def plain(root: Path) -> list[Row]:
    return ask(root, lambda project: check_project(project, Selection(select=("not-committed",))))


def add(root: Path, *paths: str) -> None:
    git(root, "add", *(path for name in paths for path in (name, f"{name}.meta")))


def use(root: Path, path: str = PREFAB, number: int = 90) -> None:
    """Write a prefab with a component of the new script."""
    write(root, path, number, HEAD + game_object(100, "New", 0, script(NUMBER)))


def forget(root: Path) -> None:
    """Use a new script in a prefab, and add the prefab alone."""
    write(root, NEW, NUMBER, "class New : UnityEngine.MonoBehaviour {}")
    use(root)
    add(root, PREFAB)


def test_a_script_that_was_never_added_is_an_error_of_the_commit(root: Path) -> None:
    forget(root)
    assert staged(root) == [ERROR]
    assert since(root) == [ERROR]
    assert plain(root) == [("not-committed", "warning", PREFAB, FORGOTTEN)]


def test_nothing_is_forgotten_once_both_halves_are_added(root: Path) -> None:
    forget(root)
    add(root, NEW)
    assert staged(root) == since(root) == plain(root) == []


def test_a_name_without_content_is_not_there_yet(root: Path) -> None:
    forget(root)
    git(root, "add", "-N", NEW, f"{NEW}.meta")
    assert staged(root) == [ERROR]


def test_a_file_that_is_not_in_git_itself_forgets_nothing(root: Path) -> None:
    write(root, NEW, NUMBER, "class New : UnityEngine.MonoBehaviour {}")
    use(root)
    assert staged(root) == since(root) == plain(root) == []


def test_what_was_forgotten_before_is_not_new_but_its_new_users_are(root: Path) -> None:
    forget(root)
    git(root, "commit", "-q", "-m", "the script is forgotten")
    (root / "Assets/Other.txt").write_text("x")
    git(root, "add", "Assets/Other.txt")
    assert [row for row in staged(root) if row[2] != "Assets/Other.txt"] == []
    second = "Assets/Prefabs/Second.prefab"
    use(root, second, 91)
    add(root, second)
    expected = ("not-committed", "error", second, FORGOTTEN)
    assert expected in staged(root)
    assert not any(row[2] == PREFAB for row in staged(root))
    assert not any(row[2] == PREFAB for row in since(root))
    assert expected in since(root)


def test_a_fault_within_a_file_is_no_reference_to_a_file(root: Path) -> None:
    """Faults of structure have no GUID: nothing is looked up for them."""
    broken = game_object(100, "New", 0, script(3)).replace("component: {fileID: 101}", "component: {fileID: 4321}")
    write(root, PREFAB, 90, HEAD + broken)
    add(root, PREFAB)
    assert staged(root) == since(root) == plain(root) == []


def test_an_ignored_asset_is_in_no_clone(root: Path) -> None:
    (root / ".gitignore").write_text("/Library/\n/Temp/\n/Assets/Scripts/New.cs*\n")
    commit(root, "a rule")
    forget(root)
    said = f"git ignores {NEW}: whoever clones the project does not get it"
    assert staged(root) == since(root) == [("not-committed", "error", PREFAB, said)]
    assert plain(root) == [("not-committed", "warning", PREFAB, said)]
    git(root, "commit", "-q", "-m", "done")
    assert since(root) == []
    assert since(root, "HEAD~1") == [("not-committed", "error", PREFAB, said)]


def test_a_script_that_a_change_stops_tracking_is_forgotten(root: Path) -> None:
    write(root, NEW, NUMBER, "class New : UnityEngine.MonoBehaviour {}")
    use(root)
    commit(root, "used")
    (root / ".gitignore").write_text("/Library/\n/Temp/\n/Assets/Scripts/New.cs*\n")
    git(root, "rm", "-q", "--cached", NEW, f"{NEW}.meta")
    git(root, "add", ".gitignore")
    said = f"git ignores {NEW}: whoever clones the project does not get it"
    expected = ("not-committed", "error", PREFAB, said)
    assert (expected in staged(root), expected in since(root)) == (True, True)
    git(root, "commit", "-q", "-m", "no longer tracked")
    assert expected in since(root, "HEAD~1")
    assert since(root) == []


def test_what_a_step_of_the_team_restores_is_silent(root: Path) -> None:
    (root / ".gitignore").write_text("/Library/\n/Temp/\n/Assets/Restored/\n")
    commit(root, "a rule")
    write(root, "Assets/Restored/New.cs", NUMBER, "class New : UnityEngine.MonoBehaviour {}")
    use(root)
    add(root, PREFAB)
    assert [row[0] for row in plain(root)] == ["not-committed"]
    (root / "assetdb.toml").write_text('[check]\nrestored = ["Assets/Restored/"]\n')
    assert plain(root) == staged(root) == since(root) == []


def test_an_asset_without_its_meta_in_git_and_the_reverse(root: Path) -> None:
    write(root, NEW, NUMBER, "class New : UnityEngine.MonoBehaviour {}")
    git(root, "add", NEW)
    half = ("not-committed", "error", NEW, "its .meta is not in git: add it")
    assert staged(root) == [half]
    assert since(root) == [(*half[:3], f"{NEW}.meta is not in git: add it")]
    git(root, "rm", "-q", "--cached", NEW)
    git(root, "add", f"{NEW}.meta")
    assert [row[:3] for row in staged(root)] == [("not-committed", "error", f"{NEW}.meta")]
    assert [row[:3] for row in plain(root)] == [("not-committed", "warning", f"{NEW}.meta")]


def test_a_meta_in_another_case_is_the_half_of_its_asset(root: Path) -> None:
    if ignores_case(root):
        pytest.skip("a meta is found in any case here")
    meta = "Assets/Scripts/nEW.cs.meta"  # as BoatAttack's AIcontroller.cs.meta
    write(root, NEW, NUMBER, "class New : UnityEngine.MonoBehaviour {}")
    (root / f"{NEW}.meta").rename(root / meta)
    assert staged(root) == since(root) == plain(root) == []
    use(root)
    add(root, PREFAB)
    assert staged(root) == since(root) == [ERROR]
    assert plain(root) == [(*ERROR[:1], "warning", *ERROR[2:])]
    git(root, "rm", "-q", "--cached", PREFAB, f"{PREFAB}.meta")
    git(root, "add", NEW)
    said = f"{meta} is not in git: add it"
    assert staged(root) == [("not-committed", "error", NEW, "its .meta is not in git: add it")]
    assert since(root) == [("not-committed", "error", NEW, said)]
    assert plain(root) == [("not-committed", "warning", NEW, said)]
    add(root, PREFAB)
    assert ("not-committed", "error", PREFAB, said) in staged(root)
    assert ("not-committed", "error", PREFAB, said) in since(root)
    git(root, "add", meta)
    assert staged(root) == since(root) == plain(root) == []
    git(root, "rm", "-q", "--cached", NEW)
    said = f"its asset {NEW} is not in git"
    assert ("not-committed", "error", meta, said) in staged(root)


def test_metas_that_one_rule_ignores_are_one_finding(root: Path) -> None:
    (root / ".gitignore").write_text("/Library/\n*.meta\n")
    git(root, "rm", "-q", "--cached", "-r", "Assets")
    commit(root, "no metas")
    for number in range(30):
        write(root, f"Assets/Many/t{number:02}.txt", 200 + number, "x")
    commit(root, "more")
    found = [row for row in plain(root) if row[2].startswith("Assets/Many/")]
    rows = [row for row in plain(root) if "other assets" in row[3]]
    assert len(rows) == 1
    assert ".gitignore:2 `*.meta`" in rows[0][3]
    assert len(found) < 30


def test_a_changed_guid_that_is_not_staged_is_said(root: Path) -> None:
    meta = meta_of(root / "Assets/Scripts/Health.cs")
    meta.write_text(meta.read_text().replace("guid: a", "guid: b"))
    write(root, PREFAB, 90, HEAD + game_object(100, "New", 0, script(3).replace(guid(3), f"b{guid(3)[1:]}")))
    add(root, PREFAB)
    said = "Assets/Scripts/Health.cs.meta has another GUID in git: add it"
    assert staged(root) == [("not-committed", "error", PREFAB, said)]


def test_submodules_and_other_repositories_have_their_own_git(root: Path) -> None:
    inner = root / "Assets/Inner"
    inner.mkdir()
    git(root, "init", "-q", "Assets/Inner")
    write(root, "Assets/Inner/New.cs", NUMBER, "class New : UnityEngine.MonoBehaviour {}")
    commit(inner, "inner")
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "Assets/Inner")
    (root / "Assets/Inner.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(99)}\nfolderAsset: yes\n")
    commit(root, "a submodule")
    use(root)
    add(root, PREFAB)
    assert staged(root) == since(root) == plain(root) == []
    write(root, "Assets/Inner/Newer.cs", NUMBER + 1, "class Newer : UnityEngine.MonoBehaviour {}")
    write(root, PREFAB, 90, HEAD + game_object(100, "New", 0, script(NUMBER + 1)))
    add(root, PREFAB)
    newer = "Assets/Inner/Newer.cs is not in the used commit of its submodule: commit it there, and add the submodule"
    expected = ("not-committed", "error", PREFAB, newer)
    assert staged(root) == since(root) == [expected]
    assert plain(root) == [("not-committed", "warning", PREFAB, newer)]
    commit(inner, "newer")  # the project names the commit before: a clone does not get this one
    assert staged(root) == since(root) == [expected]
    git(root, "add", "Assets/Inner")
    assert staged(root) == since(root) == plain(root) == []


def test_a_submodule_without_the_used_commit_is_told_of_a_change_too(root: Path, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other")
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "Assets/Inner")
    commit(root, "a submodule")
    git(other, "commit", "-q", "--allow-empty", "-m", "newer")
    used = git(other, "rev-parse", "HEAD").strip()
    git(root, "update-index", "--cacheinfo", f"160000,{used},Assets/Inner")
    use(root)
    add(root, PREFAB)
    told = "what is not in git could not be judged: Assets/Inner has not the commit "
    told += f"{used[:10]} that the project uses: run git fetch in it"
    row = ("not-committed", "warning", "Assets", told)
    assert row in plain(root)
    assert [found for found in staged(root) if found[3] == told] == [row]
    (root / PREFAB).write_text(HEAD)  # the index is not as the disk
    assert [found for found in staged(root) if found[3] == told] == [row]
    assert row in since(root)


def test_a_repository_that_is_no_submodule_is_judged_again_after_a_fetch(root: Path, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other")
    git(root, "clone", "-q", str(other), "Assets/Inner")
    git(root, "add", "Assets/Inner")
    commit(root, "a repository")
    git(other, "commit", "-q", "--allow-empty", "-m", "newer")
    used = git(other, "rev-parse", "HEAD").strip()
    git(root, "update-index", "--cacheinfo", f"160000,{used},Assets/Inner")
    assert [row[:2] for row in staged(root)] == [("not-committed", "warning")]
    git(root / "Assets/Inner", "fetch", "-q")
    assert staged(root) == []


def test_files_that_a_submodule_ignores_or_has_half_are_its_own_business(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    (other / ".gitignore").write_text("*.made\n*.made.meta\n")
    write(other, "Half.txt", NUMBER, "x")
    git(other, "add", "Half.txt", ".gitignore")
    git(other, "commit", "-q", "-m", "without its meta")
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "Assets/Inner")
    (root / "Assets/Inner.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(99)}\nfolderAsset: yes\n")
    commit(root, "a submodule")
    write(root, "Assets/Inner/Half.txt", NUMBER, "x")
    write(root, "Assets/Inner/a.made", NUMBER + 1, "x")
    write(root, "Assets/Inner/Own.prefab", NUMBER + 2, HEAD + game_object(100, "Own", 0, script(NUMBER)))
    assert plain(root) == since(root) == []
    use(root)
    add(root, PREFAB)
    half = "Assets/Inner/Half.txt is not in the used commit of its submodule: commit it there, and add the submodule"
    assert staged(root) == since(root) == [("not-committed", "error", PREFAB, half)]


def test_scenes_of_the_build_settings_are_uses_too(root: Path) -> None:
    scene = "Assets/New.unity"
    write(root, scene, 95, HEAD + game_object(10, "Camera"))
    (root / "ProjectSettings/EditorBuildSettings.asset").write_text(
        f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n  - enabled: 1\n    path: {scene}\n"
        f"    guid: {guid(95)}\n"
    )
    git(root, "add", "ProjectSettings")
    assert plain(root) == [
        (
            "not-committed",
            "warning",
            "ProjectSettings/EditorBuildSettings.asset",
            f"{scene} is not in git: add it and its .meta",
        )
    ]


def test_without_a_repository_nothing_is_said(root: Path) -> None:
    forget(root)
    (root / ".git").rename(root.parent / "elsewhere")
    assert plain(root) == []


def test_the_meta_of_a_folder_that_a_change_empties_is_said(root: Path) -> None:
    write(root, "Assets/Lone/Inner/a.txt", 95, "x")
    for number, path in enumerate(("Assets/Lone", "Assets/Lone/Inner"), 96):
        text = f"fileFormatVersion: 2\nguid: {guid(number)}\nfolderAsset: yes\nDefaultImporter:\n  userData: \n"
        (root / f"{path}.meta").write_text(text)
    commit(root)
    for name in ("a.txt", "a.txt.meta"):  # as `assetdb rm` does: git rm removes the folder, too
        (root / "Assets/Lone/Inner" / name).unlink()
    git(root, "add", "-A")
    only = Selection(select=("missing-directory",))
    assert [row[2] for row in ask(root, lambda project: check_staged(project, only))] == ["Assets/Lone/Inner.meta"]
    (root / "Assets/Lone/Inner/.gitkeep").write_text("")
    git(root, "add", "-A")
    assert ask(root, lambda project: check_staged(project, only)) == []


def test_a_merge_is_judged_without_the_files_of_this_disk(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "feature")
    forget(root)
    git(root, "commit", "-q", "-m", "the script is forgotten")
    git(root, "checkout", "-q", "main")
    found = ask(root, lambda project: check_merge(project, "feature", ONLY))
    assert found == []  # the branch has the fault already
