"""What is mended by itself and what is only proposed, on small projects and on ones that are broken at random."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import Selection, check_project
from assetdb.checks.findings.finding import Finding
from assetdb.checks.mending.fixes import fixable_codes, plan_fixes
from assetdb.checks.mending.writing.apply import apply
from assetdb.checks.placeholder_guids import is_placeholder
from assetdb.packages import view
from assetdb.packages.listing import NO_PACKAGES
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.metas.meta import read_meta
from tests.needs import hide_git, require_git

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.checks.mending.plan import Plan

TYPED = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6"
IMPORTERS = {"cs": "MonoImporter", "mat": "NativeFormatImporter", "prefab": "PrefabImporter"}
HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"


def guid(number: int) -> str:
    return f"5e1f0c7b9a3d4826b1c09e7f{number:08x}"


def write(root: Path, path: str, own: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, newline="")
    write_meta(root, path, own)


def write_meta(root: Path, path: str, own: str) -> None:
    importer = IMPORTERS.get(path.rpartition(".")[2], "DefaultImporter")
    folder = "folderAsset: yes\n" if (root / path).is_dir() else ""
    text = f"fileFormatVersion: 2\nguid: {own}\n{folder}{importer}:\n  userData: \n"
    (root / f"{path}.meta").write_text(text, newline="")


def material(name: str) -> str:
    return f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: {name}\n"


def prefab(name: str, *materials: str) -> str:
    rows = "".join(f"  - {{fileID: 2100000, guid: {other}, type: 2}}\n" for other in materials)
    return (
        f"{HEAD}--- !u!1 &100\nGameObject:\n  m_Component:\n  - component: {{fileID: 101}}\n  m_Name: {name}\n"
        f"--- !u!23 &101\nMeshRenderer:\n  m_GameObject: {{fileID: 100}}\n  m_Materials:\n{rows}"
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A healthy project: two materials and a prefab in a folder, a prefab outside that uses one of them."""
    (tmp_path / "ProjectSettings").mkdir()
    (tmp_path / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 2021.3.45f1\n")
    settings = "%YAML 1.1\n--- !u!159 &1\nEditorSettings:\n  m_SerializationMode: 2\n"
    (tmp_path / "ProjectSettings" / "EditorSettings.asset").write_text(settings)
    write(tmp_path, "Assets/Set/Red.mat", guid(1), material("Red"))
    write(tmp_path, "Assets/Set/Blue.mat", guid(2), material("Blue"))
    write(tmp_path, "Assets/Set/Ball.prefab", guid(3), prefab("Ball", guid(1), guid(2)))
    write_meta(tmp_path, "Assets/Set", guid(4))
    write(tmp_path, "Assets/Use.prefab", guid(5), prefab("Use", guid(1)))
    write(tmp_path, "Assets/Code.cs", guid(6), "class Code {}\n")
    return tmp_path


def found_in(root: Path) -> tuple[Finding, ...]:
    snapshot = open_project(str(root))
    try:
        return check_project(snapshot, Selection()).findings
    finally:
        snapshot.close()


def planned(root: Path) -> Plan:
    snapshot = open_project(str(root))
    try:
        found = list(check_project(snapshot, Selection()).findings)
        metas = [path.relative_to(root).as_posix() for path in (root / "Assets").rglob("*.meta")]
        for meta in metas:  # whatever rule says so
            own = read_meta((root / meta).read_bytes())[0].decode()
            known = any(finding.code == "placeholder-guid" and meta.startswith(finding.path) for finding in found)
            if own and is_placeholder(own) and not known:
                found.append(Finding("placeholder-guid", "warning", meta.removesuffix(".meta"), ""))
        return plan_fixes(snapshot, found)
    finally:
        snapshot.close()


def mended(root: Path) -> Plan:
    plan = planned(root)
    apply(plan, str(root))
    return plan


def codes_in(root: Path) -> set[str]:
    return {finding.code for finding in found_in(root)}


def contents(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "Library" not in path.parts and ".git" not in path.parts
    }


def guid_of(root: Path, path: str) -> str:
    return read_meta((root / f"{path}.meta").read_bytes())[0].decode()


def commit(root: Path) -> None:
    require_git()
    words = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    (root / ".gitignore").write_text("Library/\n")
    if not (root / ".git").exists():
        subprocess.run([*words, "init", "-q"], check=True)
    subprocess.run([*words, "add", "-A"], check=True)
    subprocess.run([*words, "commit", "-qm", "x"], check=True)


def test_a_healthy_project_is_left_alone(project: Path) -> None:
    assert codes_in(project) & fixable_codes == set()
    plan = planned(project)
    assert plan.is_empty
    assert not plan.proposals


# --- metas that are missing


def test_what_has_no_meta_gets_one(project: Path) -> None:
    (project / "Assets/New/Deep").mkdir(parents=True)
    (project / "Assets/New/Deep/a.png").write_bytes(b"\x89PNG")
    (project / "Assets/New/b.cs").write_text("class B {}")
    before = contents(project)
    plan = mended(project)
    after = contents(project)
    assert {path: data for path, data in after.items() if path in before} == before
    new = sorted(set(after) - set(before))
    assert new == [f"Assets/New{name}.meta" for name in ("", "/Deep", "/Deep/a.png", "/b.cs")]
    guids = [guid_of(project, path.removesuffix(".meta")) for path in new]
    assert len(set(guids)) == len(guids)
    assert not any(map(is_placeholder, guids))
    assert after["Assets/New.meta"].startswith(b"fileFormatVersion: 2\nguid: ")
    assert b"\nfolderAsset: yes\nDefaultImporter:\n" in after["Assets/New.meta"]
    assert b"\nTextureImporter:\n  internalIDToNameTable: []\n" in after["Assets/New/Deep/a.png.meta"]
    assert after["Assets/New/b.cs.meta"].endswith(b"\nMonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n"
        b"  defaultReferences: []\n  executionOrder: 0\n  icon: {instanceID: 0}\n  userData: \n  assetBundleName: \n"
        b"  assetBundleVariant: \n")  # fmt: skip
    assert len(plan.fixes) == 4
    assert codes_in(project) & fixable_codes == set()


def test_a_meta_that_was_left_behind_is_not_replaced_by_a_new_one(project: Path) -> None:
    (project / "Assets/Set/Red.mat").rename(project / "Assets/Set/Crimson.mat")
    before = contents(project)
    plan = mended(project)
    assert contents(project) == before
    assert {(proposal.code, proposal.path) for proposal in plan.proposals} == {
        ("missing-meta", "Assets/Set/Crimson.mat"),
        ("orphan-meta", "Assets/Set/Red.mat.meta"),
    }
    assert "rename it to Assets/Set/Crimson.mat.meta" in plan.proposals[-1].message


@pytest.mark.parametrize("target", ["Assets/Crate", "Assets/Other/Set"])
def test_a_folder_that_was_moved_without_its_meta_gets_no_new_one(project: Path, target: str) -> None:
    (project / "Assets/Other").mkdir()
    write_meta(project, "Assets/Other", guid(9))
    (project / "Assets/Set").rename(project / target)
    (project / "Assets/New").mkdir()  # and one that is new
    before = contents(project)
    plan = mended(project)
    assert set(contents(project)) - set(before) == {"Assets/New.meta"}
    (proposal,) = plan.proposals
    assert (proposal.code, proposal.path) == ("missing-meta", target)
    assert f"rename it to {target}.meta" in proposal.message


@pytest.mark.parametrize("asked", ["missing-meta", "orphan-meta"])
def test_what_was_moved_without_its_meta_keeps_that_though_half_of_it_is_asked_for(project: Path, asked: str) -> None:
    """``--fix --select orphan-meta``, or with a path, or a baseline that has the other half."""
    (project / "Assets/Moved").mkdir()
    write_meta(project, "Assets/Moved", guid(9))
    (project / "Assets/Code.cs").rename(project / "Assets/Moved/Code.cs")
    snapshot = open_project(str(project))
    try:
        found = check_project(snapshot, Selection()).findings
        plan = plan_fixes(snapshot, [finding for finding in found if finding.code == asked])
    finally:
        snapshot.close()
    assert plan.is_empty
    assert [proposal.code for proposal in plan.proposals] == [asked]


# --- metas that were there before


def test_what_lost_its_meta_gets_it_back_from_git(project: Path) -> None:
    commit(project)
    before = contents(project)
    for path in ("Assets/Set/Red.mat.meta", "Assets/Code.cs.meta", "Assets/Set.meta"):
        (project / path).unlink()
    (project / "Assets/new.txt").write_text("new")
    plan = mended(project)
    after = contents(project)
    assert {path: after[path] for path in before} == before
    assert guid_of(project, "Assets/new.txt") not in {guid(number) for number in range(20)}
    assert [fix.what for fix in plan.fixes].count("gets its meta back from the index") == 3


def test_what_was_moved_and_lost_its_meta_gets_it_back(project: Path) -> None:
    commit(project)
    (project / "Assets/Set/Red.mat.meta").unlink()
    (project / "Assets/Set/Red.mat").rename(project / "Assets/Crimson.mat")
    plan = mended(project)
    assert guid_of(project, "Assets/Crimson.mat") == guid(1)
    assert plan.fixes[0].what == "gets its meta back from the index (of Assets/Set/Red.mat)"


def test_a_meta_that_another_asset_has_now_is_named_and_no_new_one_is_made(project: Path) -> None:
    commit(project)
    (project / "Assets/Set/Red.mat.meta").replace(project / "Assets/Set/Blue.mat.meta")
    before = contents(project)
    plan = mended(project)
    assert contents(project) == before
    (proposal,) = plan.proposals
    assert guid(1) in proposal.message
    assert guid(2) in proposal.message
    assert "Assets/Set/Blue.mat" in proposal.message


def test_a_meta_that_was_copied_over_another_gives_the_guid_back(project: Path) -> None:
    commit(project)
    shutil.copy(project / "Assets/Set/Red.mat.meta", project / "Assets/Set/Blue.mat.meta")
    plan = mended(project)
    assert guid_of(project, "Assets/Set/Blue.mat") == guid(2)
    assert guid_of(project, "Assets/Set/Red.mat") == guid(1)
    assert plan.fixes[0].what == f"{guid(1)} becomes {guid(2)}, which git has of it"


def test_a_guid_that_nothing_has_any_more_is_named(project: Path) -> None:
    commit(project)
    write_meta(project, "Assets/Set/Red.mat", guid(50))
    before = contents(project)
    plan = mended(project)
    assert contents(project) == before
    (proposal,) = plan.proposals
    assert (proposal.code, proposal.path) == ("missing-asset", "Assets/Set/Red.mat")
    assert guid(1) in proposal.message


@pytest.mark.parametrize("in_git", [True, False])
def test_without_git_a_guid_that_nothing_has_may_be_the_files(project: Path, in_git: bool) -> None:  # noqa: FBT001
    if in_git:
        commit(project)
    (project / "Assets/Set/Red.mat.meta").unlink()
    (project / "Assets/new.cs").write_text("class New {}")
    plan = mended(project)
    assert (project / "Assets/new.cs.meta").exists()  # nothing refers to a script that is gone
    if in_git:
        assert guid_of(project, "Assets/Set/Red.mat") == guid(1)
        return
    assert not (project / "Assets/Set/Red.mat.meta").exists()
    (proposal,) = plan.proposals
    assert guid(1) in proposal.message
    assert "assetdb register --new-guid Assets/Set/Red.mat" in proposal.message


def test_what_is_built_in_is_nobodys_lost_guid(project: Path) -> None:
    write(project, "Assets/Use.prefab", guid(5), prefab("Use", "0000000000000000f000000000000000"))
    (project / "Assets/new.png").write_bytes(b"png")
    (project / "Assets/new.mat").write_text(material("new"))
    assert not mended(project).proposals
    assert (project / "Assets/new.mat.meta").exists()


def test_git_that_does_not_answer_is_no_reason_for_a_new_guid(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(project)
    (project / "Assets/Set/Red.mat.meta").unlink()
    hide_git(monkeypatch)
    plan = planned(project)
    assert plan.is_empty
    assert "git cannot tell whether it had a meta" in plan.proposals[0].message


# --- metas without an asset


def test_a_meta_whose_asset_is_nowhere_goes(project: Path) -> None:
    (project / "Assets/Code.cs").unlink()
    plan = mended(project)
    assert not (project / "Assets/Code.cs.meta").exists()
    assert [fix.code for fix in plan.fixes] == ["orphan-meta"]


def test_a_meta_that_something_refers_to_stays(project: Path) -> None:
    (project / "Assets/Set/Red.mat").unlink()
    plan = mended(project)
    assert (project / "Assets/Set/Red.mat.meta").exists()
    assert "Assets/Set/Ball.prefab, Assets/Use.prefab refers to it" in plan.proposals[0].message


def test_a_meta_stays_while_nobody_knows_what_the_packages_refer_to(project: Path) -> None:
    (project / "Packages").mkdir()
    (project / "Packages/manifest.json").write_text('{"dependencies": {"com.acme.tools": "file:../tools"}}')
    write(project, "tools/Use.prefab", guid(8), prefab("Use", guid(9)))
    (project / "tools/package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    (project / "Assets/Code.cs").unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(view, "read_list", lambda _: NO_PACKAGES)
        plan = mended(project)
    assert (project / "Assets/Code.cs.meta").exists()
    assert "were not read" in next(p.message for p in plan.proposals if p.path == "Assets/Code.cs.meta")
    mended(project)
    assert not (project / "Assets/Code.cs.meta").exists()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Assets/Loader.cs", f'class L {{ const string Id = "{guid(6)}"; }}'),
        ("Assets/Set/Samples~/x.prefab", prefab("x", guid(6))),
        ("ProjectSettings/GraphicsSettings.asset", f"%YAML 1.1\n  - {{fileID: 1, guid: {guid(6)}, type: 3}}\n"),
        ("Assets/list.json", f'{{"script": "{guid(6)}"}}'),
        ("Assets/lost.asset", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
    ],
)
def test_a_meta_that_something_may_refer_to_stays(project: Path, path: str, text: str) -> None:
    write(project, path, guid(7), text)
    (project / "Assets/Code.cs").unlink()
    plan = mended(project)
    assert (project / "Assets/Code.cs.meta").exists()
    assert [proposal.path for proposal in plan.proposals if proposal.code == "orphan-meta"] == ["Assets/Code.cs.meta"]


def test_a_meta_whose_asset_git_has_or_ignores_stays(project: Path) -> None:
    write_meta(project, "Assets/made.cs", guid(8))
    commit(project)
    (project / ".gitignore").write_text("Library/\nAssets/made.cs\n")
    (project / "Assets/Code.cs").unlink()
    plan = mended(project)
    assert (project / "Assets/Code.cs.meta").exists()
    assert (project / "Assets/made.cs.meta").exists()
    assert ["git ignores" in proposal.message for proposal in plan.proposals] == [False, True]
    assert "git still has" in plan.proposals[0].message


def test_a_meta_follows_an_asset_that_git_knows_under_another_name(project: Path) -> None:
    commit(project)
    (project / "Assets/Moved").mkdir()
    (project / "Assets/Code.cs").rename(project / "Assets/Moved/Renamed.cs")
    meta = project / "Assets/Code.cs.meta"
    meta.write_text(meta.read_text() + "  changed: since\n")
    data = meta.read_bytes()
    write_meta(project, "Assets/Moved", guid(9))
    plan = mended(project)
    assert (project / "Assets/Moved/Renamed.cs.meta").read_bytes() == data
    assert not meta.exists()
    assert plan.proposals == ()


def test_a_file_that_is_no_meta_of_unitys_stays(project: Path) -> None:
    (project / "Assets/notes.meta").write_text("my notes\n")
    plan = mended(project)
    assert (project / "Assets/notes.meta").exists()
    assert "not a meta of Unity" in plan.proposals[0].message


# --- typed GUIDs


def test_a_typed_guid_is_replaced_everywhere(project: Path) -> None:
    (project / "Assets/Set/Red.mat.meta").write_text(
        f"\ufefffileFormatVersion: 2\r\nguid: {TYPED}\r\nNativeFormatImporter:\r\n  userData: ", newline=""
    )
    write(project, "Assets/Use.prefab", guid(5), prefab("Use", TYPED).replace("\n", "\r\n") + "# \ufb01 end")
    write(project, "Assets/Set/Ball.prefab", guid(3), prefab("Ball", TYPED.upper(), guid(2)))
    write(project, "Assets/group.asset", guid(10), f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_GUID: {TYPED}\n")
    write(project, "Assets/a.asmref", guid(11), f'{{"reference": "GUID:{TYPED}"}}')
    write(project, "Assets/a.uxml", guid(12), f'<U src="project://database/a?fileID=1&amp;guid={TYPED}&amp;type=3" />')
    write(project, "Assets/Deep~/b.prefab", guid(13), prefab("b", TYPED))
    (project / "ProjectSettings/X.asset").write_text(f"%YAML 1.1\n  a: {{fileID: 1, guid: {TYPED}, type: 2}}\n")
    before = contents(project)
    plan = mended(project)
    new = guid_of(project, "Assets/Set/Red.mat")
    assert new != TYPED
    assert not is_placeholder(new)
    after = contents(project)
    assert {
        path: data.replace(TYPED.encode(), new.encode()).replace(TYPED.upper().encode(), new.encode())
        for path, data in before.items()
    } == after
    assert len(plan.edits) == 8
    assert plan.fixes[0].what == f"{TYPED} becomes {new} and in 7 files that refer to it"


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("Assets/Loader.cs", f'var x = "{TYPED}";'.encode()),
        ("Assets/baked.asset", b"\0\0\0\0" + TYPED.encode()),
        ("Assets/tool.dll", b"MZ\0\0" + TYPED.encode("utf-16-le")),
        ("Assets/odd.asset", f"%YAML 1.1\n  text: before {TYPED} after\n".encode()),
        ("Assets/lost.unity", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
        ("Assets/Other.mat.meta", f"fileFormatVersion: 2\nguid: {TYPED}\n".encode()),
    ],
)
def test_a_typed_guid_that_cannot_be_replaced_everywhere_is_proposed(project: Path, path: str, data: bytes) -> None:
    write(project, "Assets/Set/Red.mat", TYPED, material("Red"))
    write(project, "Assets/Use.prefab", guid(5), prefab("Use", TYPED))
    if not path.endswith(".meta"):
        write(project, path, guid(14), "")
    else:
        (project / "Assets/Other.mat").write_text(material("Other"))
    (project / path).write_bytes(data)
    before = contents(project)
    plan = mended(project)
    after = contents(project)
    assert {name: after[name] for name in before} == before
    assert any(p.code in ("placeholder-guid", "duplicate-guid") for p in plan.proposals)


def test_a_typed_guid_gives_way_to_the_one_that_git_has_and_files_refer_to(project: Path) -> None:
    commit(project)
    own = guid_of(project, "Assets/Set/Red.mat")
    before = contents(project)
    write_meta(project, "Assets/Set/Red.mat", TYPED)
    write(project, "Assets/Use.prefab", guid(5), prefab("Use", TYPED))
    plan = mended(project)
    assert guid_of(project, "Assets/Set/Red.mat") == own
    after = contents(project)
    assert {path: after[path] for path in before} == before
    assert (project / "Assets/Use.prefab").read_text() == prefab("Use", own)
    assert plan.fixes[0].what == f"{TYPED} becomes {own}, which git has of it, and in 1 file that refers to it"
    assert not plan.proposals


def test_a_typed_guid_is_replaced_by_none_that_another_has_or_nothing_refers_to(project: Path) -> None:
    commit(project)
    lone, own = guid_of(project, "Assets/Set/Ball.prefab"), guid_of(project, "Assets/Set/Red.mat")
    write_meta(project, "Assets/Set/Ball.prefab", TYPED)
    write_meta(project, "Assets/Set/Red.mat", TYPED[::-1])
    write(project, "Assets/Other.mat", own, material("Other"))
    mended(project)
    assert guid_of(project, "Assets/Other.mat") == own
    news = {guid_of(project, "Assets/Set/Ball.prefab"), guid_of(project, "Assets/Set/Red.mat")}
    assert len(news - {lone, own, TYPED, TYPED[::-1]}) == 2


def test_a_guid_in_git_that_cannot_replace_the_typed_one_is_named(project: Path) -> None:
    commit(project)
    own = guid_of(project, "Assets/Set/Red.mat")
    write_meta(project, "Assets/Set/Red.mat", TYPED)
    write(project, "Assets/Loader.cs", guid(14), f'var x = "{TYPED}";')
    before = contents(project)
    plan = mended(project)
    assert contents(project) == before
    assert [(proposal.code, own in proposal.message) for proposal in plan.proposals] == [("placeholder-guid", True)]


def test_a_typed_guid_is_kept_while_git_fails(project: Path) -> None:
    commit(project)
    write_meta(project, "Assets/Set/Red.mat", TYPED)
    (project / ".git/HEAD").write_text("damaged")
    before = contents(project)
    plan = mended(project)
    assert contents(project) == before
    assert "git cannot tell whether it had another" in plan.proposals[0].message


# --- GUIDs that two have


def test_a_folder_that_was_copied_becomes_one_of_its_own(project: Path) -> None:
    commit(project)
    shutil.copytree(project / "Assets/Set", project / "Assets/Level")
    shutil.copy(project / "Assets/Set.meta", project / "Assets/Level.meta")
    before = contents(project)
    mended(project)
    after = contents(project)
    assert {path for path in before if before[path] != after[path]} == {
        *("Assets/Level.meta", "Assets/Level/Ball.prefab", "Assets/Level/Ball.prefab.meta"),
        *("Assets/Level/Blue.mat.meta", "Assets/Level/Red.mat.meta"),
    }
    ball = (project / "Assets/Level/Ball.prefab").read_text()
    assert ball == prefab("Ball", guid_of(project, "Assets/Level/Red.mat"), guid_of(project, "Assets/Level/Blue.mat"))
    assert codes_in(project) & fixable_codes == set()


def test_a_copy_is_known_by_its_name_too(project: Path) -> None:
    for name in ("", ".meta"):
        shutil.copy(project / f"Assets/Set/Red.mat{name}", project / f"Assets/Set/Red copy.mat{name}")
    mended(project)
    assert guid_of(project, "Assets/Set/Red.mat") == guid(1)
    assert guid_of(project, "Assets/Set/Red copy.mat") != guid(1)
    assert "duplicate-guid" not in codes_in(project)


def test_two_of_which_neither_is_the_copy_are_proposed(project: Path) -> None:
    write(project, "Assets/Other/Crimson.mat", guid(1), material("Crimson"))
    write_meta(project, "Assets/Other", guid(15))
    before = contents(project)
    plan = mended(project)
    assert contents(project) == before
    assert [proposal.code for proposal in plan.proposals] == ["duplicate-guid"]


def test_a_reference_that_may_mean_either_keeps_both(project: Path) -> None:
    commit(project)
    write(project, "Assets/Set/Red 1.mat", guid(1), material("Another red"))
    write(project, "Assets/New.prefab", guid(16), prefab("New", guid(1)))  # not committed: it may mean the copy
    plan = mended(project)
    assert guid_of(project, "Assets/Set/Red 1.mat") == guid(1)
    assert "Assets/New.prefab means is not sure" in plan.proposals[0].message
    (project / "Assets/New.prefab").unlink()
    (project / "Assets/New.prefab.meta").unlink()
    mended(project)
    assert guid_of(project, "Assets/Set/Red 1.mat") != guid(1)
    assert guid_of(project, "Assets/Set/Red.mat") == guid(1)


def test_three_with_one_guid_are_proposed(project: Path) -> None:
    for name in ("b", "c"):
        write(project, f"Assets/{name}.mat", guid(1), material(name))
    before = contents(project)
    plan = mended(project)
    assert contents(project) == before
    assert {proposal.path for proposal in plan.proposals} == {"Assets/Set/Red.mat", "Assets/b.mat", "Assets/c.mat"}


# --- broken at random


def _copy(root: Path, chance: random.Random, files: list[Path]) -> None:
    file = chance.choice(files)
    copy = file.with_name(f"{file.stem} copy{file.suffix}")
    shutil.copy(file, copy)
    shutil.copy(f"{file}.meta", f"{copy}.meta")


def _delete(root: Path, chance: random.Random, files: list[Path]) -> None:
    chance.choice(files).unlink()


def _strip(root: Path, chance: random.Random, files: list[Path]) -> None:
    file = chance.choice(files)
    file.with_name(f"{file.name}.meta").unlink()


def _add(root: Path, chance: random.Random, files: list[Path]) -> None:
    folder = chance.choice(files).parent / f"New{chance.randrange(99)}"
    folder.mkdir(exist_ok=True)
    (folder / f"x.{chance.choice(('png', 'cs', 'mat', 'txt', 'weird'))}").write_text("x")


def _type(root: Path, chance: random.Random, files: list[Path]) -> None:
    file = chance.choice(files)
    own = guid_of(root, file.relative_to(root).as_posix())
    for path in root.rglob("*"):
        if path.is_file() and "Library" not in path.parts and own.encode() in path.read_bytes():
            path.write_bytes(path.read_bytes().replace(own.encode(), TYPED.encode()))


def _rename(root: Path, chance: random.Random, files: list[Path]) -> None:
    file = chance.choice(files)
    file.rename(file.with_name(f"Other{file.suffix}"))


def _copy_folder(root: Path, chance: random.Random, files: list[Path]) -> None:
    shutil.copytree(root / "Assets/Set", root / "Assets/Set 1")
    shutil.copy(root / "Assets/Set.meta", root / "Assets/Set 1.meta")


BREAKS: tuple[Callable[[Path, random.Random, list[Path]], None], ...] = (
    *(_copy, _delete, _strip, _add, _type, _rename, _copy_folder),
)


def _other_faults(root: Path) -> Counter[str]:
    """The findings by path, without what mending can mend, or has yet to be committed: a new meta is in no commit."""
    left_out = fixable_codes | {"not-committed"}
    return Counter(f.path for f in found_in(root) if f.code not in left_out)


def _broken_and_mended(root: Path, seed: int, most: int) -> None:
    chance = random.Random(seed)
    for number in range(chance.randrange(8)):
        users = chance.sample([guid(n) for n in range(1, 4)], 2)
        write(root, f"Assets/More/m{number}.prefab", guid(100 + number), prefab(f"m{number}", *users))
        write_meta(root, "Assets/More", guid(99))
    if chance.random() < 0.4:
        commit(root)
    for way in chance.sample(BREAKS, chance.randrange(1, most + 1)):
        files = [
            p for p in sorted((root / "Assets").rglob("*.*")) if p.is_file() and (p.parent / f"{p.name}.meta").is_file()
        ]
        way(root, chance, files)
    before = contents(root)
    was = _other_faults(root)
    edited: set[str] = set()
    for _ in range(4):  # what is unsure of three may be sure of the two that are left
        plan = mended(root)
        edited.update(edit.path for edit in plan.edits)
        if plan.is_empty:
            break
    else:
        pytest.fail(f"{seed}: it does not come to an end")
    after = contents(root)
    assert {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)} == edited, seed
    left = {(f.code, f.path.removesuffix(".meta")) for f in found_in(root) if f.code in fixable_codes}
    told = {(p.code, p.path.removesuffix(".meta")) for p in plan.proposals}
    for code, path in left:  # what is left was said, or is the other of two that share a GUID
        shared = any(path in p.message or p.path == path for p in plan.proposals if p.code == code)
        assert (code, path) in told or shared, (seed, code, path)
    if not plan.proposals:
        assert not left, seed
    # Nothing that was right is wrong now. (Where a GUID is there again, what was missing is only dangling.)
    assert not _other_faults(root) - was, seed


@pytest.mark.parametrize("seed", range(12))
def test_breaking_and_mending_loses_nothing(project: Path, seed: int) -> None:
    _broken_and_mended(project, seed, 1 if seed < 7 else 2)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 250))
def test_breaking_and_mending_many_times_loses_nothing(project: Path, seed: int) -> None:
    _broken_and_mended(project, seed, 4)
