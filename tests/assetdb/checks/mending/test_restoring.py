"""Missing metas: back from git where it is certain, new where nothing can be lost, else left to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.draft import Draft
from assetdb.checks.mending.moving import plan_registration
from assetdb.checks.mending.plan import Edit, Fix, Proposal
from assetdb.checks.mending.restoring import MetaRestorer
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

A, B = "Assets/a.mat", "Assets/b.mat"
TEXT = "".join(f"  line {number} of a file that is long enough to be known again\n" for number in range(30))
USER = "Assets/user.prefab"


def guid(number: int) -> str:
    """Return a GUID that nobody typed."""
    return f"5e1f0c7b9a3d4826b1c09e7f24d8a6{number:02x}"


def meta(number: int, extra: str = "") -> str:
    return f"fileFormatVersion: 2\nguid: {guid(number)}\n{extra}NativeFormatImporter:\n  userData: \n"


def put(root: Path, path: str, number: int | None, text: str = TEXT) -> None:
    """Write an asset, with a meta if it gets a number."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(f"%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: {path}\n{text}")
    if number is not None:
        (root / f"{path}.meta").write_text(meta(number))


def refer(root: Path, *numbers: int, path: str = USER) -> None:
    """Write a file that refers to the main objects of materials."""
    rows = "".join(f"  a: {{fileID: 2100000, guid: {guid(number)}, type: 2}}\n" for number in numbers)
    put(root, path, 90, rows)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "Game"
    (made / "ProjectSettings").mkdir(parents=True)
    put(made, A, 1)
    git(made, "init", "-q", "-b", "main")
    commit(made)
    return made


Given = tuple[Draft, MetaRestorer]


@pytest.fixture
def give(root: Path, tmp_path: Path) -> Iterator[Callable[..., Given]]:
    opened = []

    def given(*, anew: bool = False) -> Given:
        """Return an empty plan for the project as it is, and who fills it."""
        opened.append(open_project(str(root), str(tmp_path / "out")))
        draft = Draft(str(root), lambda other: opened[-1].assets.by_guid(other) is not None)
        return draft, MetaRestorer(draft, opened[-1], anew=anew)

    yield given
    for each in opened:
        each.close()


def restored(given: Given, *paths: str) -> tuple[set[str], tuple[Fix, ...], tuple[Proposal, ...]]:
    draft, restorer = given
    guids = restorer.restore(paths)
    return guids, draft.plan().fixes, draft.plan().proposals


def remove_meta(root: Path, path: str = A) -> None:
    (root / f"{path}.meta").unlink()


# --- back from git


def test_a_meta_in_the_index_comes_back(root: Path, give: Callable[..., Given]) -> None:
    remove_meta(root)
    draft, restorer = give()
    found = restored((draft, restorer), A)
    assert found == ({guid(1)}, (Fix("missing-meta", A, "gets its meta back from the index"),), ())
    assert draft.plan().edits == (Edit(f"{A}.meta", None, meta(1).encode()),)
    assert draft.is_given(guid(1))
    restorer.write_new(lambda _: "")
    assert len(draft.plan().edits) == 1


def test_a_file_with_a_meta_needs_none(give: Callable[..., Given]) -> None:
    assert restored(give(), A) == (set(), (), ())


def test_a_moved_file_gets_the_meta_that_was_left_behind(root: Path, give: Callable[..., Given]) -> None:
    (root / A).rename(root / B)
    edited = meta(1, "labels:\n- edited\n")
    (root / f"{A}.meta").write_text(edited)
    draft, restorer = give()
    _, fixes, _ = restored((draft, restorer), B)
    assert fixes == (Fix("missing-meta", B, f"gets its meta back, which was left at {A}.meta"),)
    assert draft.plan().edits == (
        Edit(f"{A}.meta", edited.encode(), None),
        Edit(f"{B}.meta", None, edited.encode()),
    )


@pytest.mark.parametrize("left", [None, 7])
def test_a_moved_file_gets_the_meta_of_git_if_none_or_another_was_left(
    root: Path, give: Callable[..., Given], left: int | None
) -> None:
    (root / A).rename(root / B)
    remove_meta(root)
    if left is not None:
        (root / f"{A}.meta").write_text(meta(left))
    draft, restorer = give()
    _, fixes, _ = restored((draft, restorer), B)
    assert fixes == (Fix("missing-meta", B, f"gets its meta back from the index (of {A})"),)
    assert draft.plan().edits == (Edit(f"{B}.meta", None, meta(1).encode()),)


@pytest.mark.parametrize(
    ("path", "same", "is_back"),
    [
        (B, 29, True),  # 90 % and more are enough for any name
        (B, 20, False),
        ("Assets/New/a.mat", 20, True),  # 50 % if the name is the same
    ],
)
def test_a_file_that_was_changed_while_it_was_moved_is_known_by_its_likeness(
    root: Path, give: Callable[..., Given], path: str, same: int, *, is_back: bool
) -> None:
    refer(root, 1)
    lines = (root / A).read_text().splitlines(keepends=True)
    (root / A).unlink()
    remove_meta(root)
    put(root, path, None)
    (root / path).write_text(
        "".join([*lines[: 4 + same], *[f"  other {number} line\n" for number in range(30 - same)]])
    )
    guids, fixes, proposals = restored(give(), path)
    if is_back:
        assert (guids, len(fixes), proposals) == ({guid(1)}, 1, ())
    else:
        said = (
            f"it may be {A}, whose GUID {guid(1)} is referred to and gone. If it was moved, `git show HEAD:./{A}.meta`"
            f" has its meta; if it is new, `assetdb register --new-guid {path}` writes one"
        )
        assert (guids, fixes, proposals) == (set(), (), (Proposal("missing-meta", path, said),))


def test_of_two_metas_in_git_the_one_that_is_referred_to_comes_back(root: Path, give: Callable[..., Given]) -> None:
    (root / f"{A}.meta").write_text(meta(2))
    git(root, "add", "-A")
    remove_meta(root)
    assert restored(give(), A)[1][0].what == "gets its meta back from the index"
    refer(root, 1)
    assert restored(give(), A)[1][0].what == "gets its meta back from HEAD"
    refer(root, 1, 2)
    assert restored(give(), A)[1][0].what == "gets its meta back from HEAD"
    refer(root, 2)
    assert restored(give(), A)[1][0].what == "gets its meta back from the index"


@pytest.mark.parametrize("extra", ["folderAsset: yes\n", "<<<<<<< HEAD\n"])
def test_the_meta_of_a_folder_or_of_a_merge_is_not_the_files(
    root: Path, give: Callable[..., Given], extra: str
) -> None:
    (root / f"{A}.meta").write_text(meta(1, extra))
    commit(root)
    remove_meta(root)
    draft, restorer = give()
    assert restored((draft, restorer), A) == (set(), (), ())
    restorer.write_new(lambda _: "")
    assert draft.plan().fixes == (Fix("missing-meta", A, "gets a meta with a new GUID"),)


# --- who has the GUID now


def test_a_guid_that_another_asset_has_is_disputed_where_git_has_that_one_with_another(
    root: Path, give: Callable[..., Given]
) -> None:
    put(root, B, 2)
    commit(root)
    remove_meta(root)
    (root / f"{B}.meta").write_text(meta(1))
    said = (
        f"git has it with the GUID {guid(1)}, which {B} has now, whose own in git is {guid(2)}:"
        f" restore {A}.meta and {B}.meta (git restore)"
    )
    assert restored(give(), A) == (set(), (), (Proposal("missing-meta", A, said),))


@pytest.mark.parametrize("is_changed", [False, True])
def test_a_guid_that_a_new_asset_has_is_disputed_only_if_the_file_is_as_git_has_it(
    root: Path, give: Callable[..., Given], *, is_changed: bool
) -> None:
    remove_meta(root)
    put(root, B, 1)
    if is_changed:
        put(root, A, None, "another\n")
    said = (
        f"git has it with the GUID {guid(1)}, which {B} has now, so that its meta was moved without it:"
        f" restore {A}.meta (git restore)"
    )
    assert restored(give(), A)[2] == (() if is_changed else (Proposal("missing-meta", A, said),))


def test_a_guid_that_the_plan_gives_to_another_is_not_given_twice(root: Path, give: Callable[..., Given]) -> None:
    remove_meta(root)
    put(root, A, None, "another\n")
    draft, restorer = give()
    assert draft.take_guid(guid(1))
    assert restored((draft, restorer), A) == (set(), (), ())


def test_a_meta_that_was_staged_beside_the_wrong_file_stays_there(root: Path, give: Callable[..., Given]) -> None:
    put(root, B, None)
    (root / f"{A}.meta").rename(root / f"{B}.meta")
    git(root, "add", "-A")
    remove_meta(root, B)
    draft, restorer = give()
    _, fixes, proposals = restored((draft, restorer), B)
    said = (
        f"the index has it with the GUID {guid(1)}, and HEAD has {A} with that: restore the meta of the one that is"
        " meant (git restore)"
    )
    assert (fixes, proposals) == ((), (Proposal("missing-meta", B, said),))


# --- new metas


def made(given: Given, *paths: str, claimed: str = "") -> Fix | Proposal:
    """Return the only step for the last path."""
    draft, restorer = given
    restorer.restore(paths)
    restorer.write_new(lambda _: claimed)
    plan = draft.plan()
    steps: list[Fix | Proposal] = [*plan.fixes, *plan.proposals]
    (step,) = steps
    assert step.path == paths[-1]
    return step


NEW = Fix("missing-meta", B, "gets a meta with a new GUID")


def test_a_new_file_gets_a_new_meta_unless_somebody_claims_another_for_it(
    root: Path, give: Callable[..., Given]
) -> None:
    put(root, B, None, "new\n")
    assert made(give(), B) == NEW
    assert made(give(), B, claimed="that is its") == Proposal("missing-meta", B, "that is its")
    assert made(give(anew=True), B, claimed="that is its") == NEW


def test_a_new_guid_that_is_asked_for_ignores_git(root: Path, give: Callable[..., Given]) -> None:
    remove_meta(root)
    draft, restorer = give(anew=True)
    assert made((draft, restorer), A) == NEW._replace(path=A)
    assert guid(1).encode() not in (draft.plan().edits[0].after or b"")


def lost_message(path: str) -> str:
    return (
        f"nothing has {guid(1)} (in {USER}), and git does not know what had: it may be this one. Restore its meta; or,"
        f" if it is new, `assetdb register --new-guid {path}` writes one"
    )


def test_a_file_of_which_git_would_know_gets_a_new_meta_and_another_is_asked_for(
    root: Path, give: Callable[..., Given]
) -> None:
    (root / A).unlink()
    remove_meta(root)
    refer(root, 1)
    put(root, B, None, "new\n")
    assert made(give(), B) == NEW
    for ignored in ("*.mat", "*.mat.meta"):
        (root / ".gitignore").write_text(f"{ignored}\n")
        assert made(give(), B) == Proposal("missing-meta", B, lost_message(B))
    put(root, "Assets/b.cs", None, "new\n")
    (root / ".gitignore").write_text("*.cs\n")
    assert made(give(), "Assets/b.cs") == NEW._replace(path="Assets/b.cs")  # no script has such an object


def test_without_git_a_file_that_may_own_a_lost_guid_is_left_to_a_person(
    root: Path, tmp_path: Path, give: Callable[..., Given]
) -> None:
    (root / ".git").rename(tmp_path / "git")
    (root / A).unlink()
    remove_meta(root)
    put(root, B, None, "new\n")
    assert made(give(), B) == NEW
    refer(root, 1)
    assert made(give(), B) == Proposal("missing-meta", B, lost_message(B))
    assert made(give(anew=True), B) == NEW


def test_where_git_fails_nothing_new_is_made_unless_it_is_asked_for(root: Path, give: Callable[..., Given]) -> None:
    put(root, B, None, "new\n")
    (root / ".git/HEAD").write_text("damaged")
    step = made(give(), B)
    assert isinstance(step, Proposal)
    assert step.message.startswith("git cannot tell whether it had a meta: ")
    assert step.message.endswith(f". Try again; or, if it is new, `assetdb register --new-guid {B}` writes one")
    assert made(give(), B, claimed="that is its") == Proposal("missing-meta", B, "that is its")
    assert made(give(anew=True), B) == NEW


# --- the GUID that git has of an asset


def test_the_guid_in_git_is_that_of_head_before_that_of_the_index(root: Path, give: Callable[..., Given]) -> None:
    assert give()[1].guid_in_git(B) == ""
    (root / f"{A}.meta").write_text(meta(2))
    git(root, "add", "-A")
    assert give()[1].guid_in_git(A) == guid(1)
    git(root, "rm", "-q", "--cached", f"{A}.meta")
    put(root, B, 3)
    git(root, "add", f"{B}.meta")
    assert give()[1].guid_in_git(B) == guid(3)


def test_a_former_guid_is_taken_once_if_something_refers_to_it(root: Path, give: Callable[..., Given]) -> None:
    (root / f"{A}.meta").write_text(meta(2))
    assert give()[1].reserve_former(A) == ("", "")  # nothing refers to it
    refer(root, 1)
    draft, restorer = give()
    assert restorer.reserve_former(A) == (guid(1), "")
    assert draft.is_given(guid(1))
    assert restorer.reserve_former(A) == ("", "")
    assert restorer.reserve_former(B) == ("", "")
    put(root, B, 1)
    assert give()[1].reserve_former(A) == ("", "")  # another asset has it


def test_a_guid_in_settings_or_in_an_asset_without_a_meta_counts_as_referred_to(
    root: Path, give: Callable[..., Given]
) -> None:
    (root / f"{A}.meta").write_text(meta(2))
    (root / "ProjectSettings/A.asset").write_text(f"%YAML 1.1\n  a: {{fileID: 1, guid: {guid(1).upper()}, type: 2}}\n")
    assert give()[1].reserve_former(A) == (guid(1), "")
    (root / "ProjectSettings/A.asset").unlink()
    refer(root, 1)
    remove_meta(root, USER)
    assert give()[1].reserve_former(A) == (guid(1), "")


def test_what_git_cannot_tell_is_told(root: Path, give: Callable[..., Given]) -> None:
    (root / ".git/HEAD").write_text("damaged")
    draft, restorer = give()
    own, failure = restorer.reserve_former(A)
    assert own == ""
    assert failure
    assert restorer.restore_guids(guid(1), [A, B]) == []
    assert draft.plan().proposals == (
        Proposal("duplicate-guid", A, f"{B} has the same GUID, and git cannot tell whose it is: {failure}"),
        Proposal("duplicate-guid", B, f"{A} has the same GUID, and git cannot tell whose it is: {failure}"),
    )


# --- assets that share a GUID


def test_a_copy_of_a_meta_over_another_is_taken_back(root: Path, give: Callable[..., Given]) -> None:
    put(root, B, 2)
    commit(root)
    (root / f"{B}.meta").write_text(meta(1))
    draft, restorer = give()
    assert restorer.restore_guids(guid(1), [A, B]) == [A]
    assert draft.plan().edits == (Edit(f"{B}.meta", meta(1).encode(), meta(2).encode()),)
    assert draft.plan().fixes == (Fix("duplicate-guid", B, f"{guid(1)} becomes {guid(2)}, which git has of it"),)
    assert draft.is_given(guid(2))


def test_new_copies_are_returned_to_be_told_apart_otherwise(root: Path, give: Callable[..., Given]) -> None:
    put(root, B, 1)
    draft, restorer = give()
    assert restorer.restore_guids(guid(1), [A, B]) == [A, B]
    assert draft.plan() == Draft("").plan()


def test_a_guid_that_git_knows_of_nobody_is_a_proposal_if_the_former_one_is_referred_to(
    root: Path, give: Callable[..., Given]
) -> None:
    (root / f"{A}.meta").write_text(meta(5))
    put(root, B, 5)
    assert give()[1].restore_guids(guid(5), [A, B]) == [A, B]
    refer(root, 1)
    draft, restorer = give()
    assert restorer.restore_guids(guid(5), [A, B]) == [B]
    said = f"{B} has the same GUID, and git has it with {guid(1)}: restore {A}.meta"
    assert draft.plan().proposals == (Proposal("duplicate-guid", A, said),)


def test_a_guid_that_somebody_else_has_now_is_not_given_back(root: Path, give: Callable[..., Given]) -> None:
    put(root, B, 2)
    commit(root)
    (root / f"{B}.meta").write_text(meta(1))
    put(root, "Assets/c.mat", 2)
    draft, restorer = give()
    assert restorer.restore_guids(guid(1), [A, B]) == [A]
    said = f"{A} has the same GUID, and git has it with {guid(2)}, which Assets/c.mat has now: restore {B}.meta"
    assert draft.plan().proposals == (Proposal("duplicate-guid", B, said),)


# --- GUIDs that would be lost


def lost(given: Given) -> tuple[Proposal, ...]:
    draft, restorer = given
    restorer.propose_lost()
    return draft.plan().proposals


def test_a_guid_of_head_that_nothing_has_and_something_refers_to_is_a_proposal(
    root: Path, give: Callable[..., Given]
) -> None:
    said = f"others refer to {guid(1)}, which it has in HEAD, and nothing has now: "
    assert lost(give()) == ()
    (root / f"{A}.meta").write_text(meta(2))
    assert lost(give()) == ()
    refer(root, 1)
    other = Proposal("missing-asset", A, f"{said}its meta has another GUID now; restore it (git restore)")
    assert lost(give()) == (other,)
    (root / A).unlink()
    gone = Proposal("missing-asset", A, f"{said}it is not there any more; restore it (git restore)")
    assert lost(give()) == (gone,)
    put(root, B, 1)
    assert lost(give()) == ()


def test_a_guid_that_a_proposal_names_already_is_not_told_again(root: Path, give: Callable[..., Given]) -> None:
    (root / f"{A}.meta").write_text(meta(2))
    refer(root, 1)
    draft, restorer = give()
    draft.propose("duplicate-guid", A, "something")
    assert len(lost((draft, restorer))) == 1
    draft, restorer = give()
    draft.propose("duplicate-guid", B, f"about {guid(1)}")
    assert len(lost((draft, restorer))) == 1


def test_without_git_nothing_of_head_is_told(root: Path, tmp_path: Path, give: Callable[..., Given]) -> None:
    (root / f"{A}.meta").write_text(meta(2))
    refer(root, 1)
    (root / ".git").rename(tmp_path / "git")
    assert lost(give()) == ()


def test_a_folder_that_git_cannot_keep_gets_no_meta(root: Path, tmp_path: Path) -> None:
    (root / "Assets/Deep/only/empty").mkdir(parents=True)
    (root / "Assets/Kept").mkdir()
    (root / "Assets/Kept/.gitkeep").write_text("")
    (root / "Assets/Full/Sub").mkdir(parents=True)
    put(root, "Assets/Full/Sub/c.mat", 7)
    opened = open_project(str(root), str(tmp_path / "out"))
    try:
        plan = plan_registration(opened, ["Assets/Deep", "Assets/Kept", "Assets/Full"])
    finally:
        opened.close()
    assert sorted(edit.path for edit in plan.edits) == [
        "Assets/Full.meta",
        "Assets/Full/Sub.meta",
        "Assets/Kept.meta",
    ]
    assert {row.path for row in plan.proposals} == {"Assets/Deep", "Assets/Deep/only", "Assets/Deep/only/empty"}
    assert all("git does not keep" in row.message for row in plan.proposals)
