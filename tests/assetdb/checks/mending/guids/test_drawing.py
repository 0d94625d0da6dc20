from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.draft import Draft
from assetdb.checks.mending.guids import drawing
from assetdb.checks.mending.guids.drawing import Pair, remake_duplicates, replace_placeholder
from assetdb.checks.mending.guids.search import find_guids
from assetdb.checks.mending.plan import Fix, Plan, Proposal
from tests.assetdb.history.git_project import commit, git

if TYPE_CHECKING:
    from pathlib import Path

SHARED, OWN = "5e1f0c7b9a3d4826b1c09e7f24d8a635", "0f9e8d7c6b5a49382716051423324150"
A, COPY = "Assets/a.mat", "Assets/a copy.mat"


@pytest.mark.parametrize(("passed", "limits"), [(0.0, [3.0]), (8.0, [2.0]), (10.0, []), (11.0, [])])
def test_git_has_ten_seconds_in_all_and_three_for_one_asset(
    monkeypatch: pytest.MonkeyPatch, passed: float, limits: list[float]
) -> None:
    now = 1000.0
    given: list[float] = []

    def answer(_root: str, _path: str, seconds: float) -> int:
        given.append(seconds)
        return 7

    monkeypatch.setattr(drawing.time, "monotonic", lambda: now)
    monkeypatch.setattr(drawing, "added", answer)
    history = drawing._History("/project")
    now += passed
    assert history.added("Assets/a.mat") == (7 if limits else None)
    assert given == limits


def put(root: Path, path: str, guid: str = "", text: str = "") -> None:
    """Write a file, with a meta if it gets a GUID."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(f"%YAML 1.1\n{text}")
    if guid:
        (root / f"{path}.meta").write_text(f"fileFormatVersion: 2\nguid: {guid}\n")


def reference(guid: str = SHARED) -> str:
    return f"  a: {{fileID: 1, guid: {guid}, type: 2}}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ProjectSettings").mkdir()
    put(tmp_path, A, SHARED)
    return tmp_path


def texts(plan: Plan) -> dict[str, str]:
    """Return the new text of each file."""
    return {edit.path: (edit.after or b"").decode() for edit in plan.edits}


# --- typed GUIDs


def replaced(root: Path, *, used: str = "", former: str = "", doubt: str = "") -> Plan:
    draft = Draft(str(root))
    found = find_guids(str(root), [SHARED])
    replace_placeholder(draft, SHARED, f"{A}.meta", found, lambda _: used, former=former, doubt=doubt)
    return draft.plan()


@pytest.mark.parametrize(
    ("users", "end"),
    [
        ((), ""),
        (("b",), " and in 1 file that refers to it"),
        (("b", "c"), " and in 2 files that refer to it"),
    ],
)
@pytest.mark.parametrize("former", ["", OWN])
def test_a_typed_guid_becomes_another_in_its_meta_and_in_all_that_refers_to_it(
    root: Path, users: tuple[str, ...], end: str, former: str
) -> None:
    for name in users:
        put(root, f"Assets/{name}.prefab", OWN.replace("0", name), reference())
    plan = replaced(root, former=former)
    changed = texts(plan)
    new = former or changed[f"{A}.meta"].split()[3]
    assert new != SHARED
    assert changed == {
        f"{A}.meta": f"fileFormatVersion: 2\nguid: {new}\n",
        **{f"Assets/{name}.prefab": f"%YAML 1.1\n{reference(new)}" for name in users},
    }
    of_git = ("", ", which git has of it")[bool(former)] + ("," if former and end else "")
    assert plan.fixes == (Fix("placeholder-guid", A, f"{SHARED} becomes {new}{of_git}{end}"),)
    assert not plan.proposals


@pytest.mark.parametrize(
    ("other", "named", "reason"),
    [
        ("b.mat", {}, "Assets/b.mat.meta has the same"),
        ("c.cs", {}, "Assets/c.cs holds it in a form that is not rewritten"),
        ("c.dll", {}, "Assets/c.dll holds it as binary"),
        ("c.asset", {}, "Assets/c.asset could not be read and may refer to it (lfs-pointer)"),
        ("", {"doubt": "git fails"}, "git cannot tell whether it had another: git fails"),
        ("", {"used": "a package refers to it"}, "a package refers to it"),
    ],
)
@pytest.mark.parametrize("former", ["", OWN])
def test_a_typed_guid_that_something_else_may_mean_stays(
    root: Path, other: str, named: dict[str, str], reason: str, former: str
) -> None:
    if other == "b.mat":
        put(root, "Assets/b.mat", SHARED)
    elif other == "c.cs":
        put(root, "Assets/c.cs", "", f'"{SHARED}"')
    elif other == "c.dll":
        (root / "Assets/c.dll").write_bytes(b"MZ\0\0" + SHARED.encode())
    elif other == "c.asset":
        (root / "Assets/c.asset").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    plan = replaced(root, former=former, **named)
    refused = f"it does not get back the GUID {OWN}, which git has of it" if former else "it gets no new GUID"
    assert plan == Plan(proposals=(Proposal("placeholder-guid", A, f"{refused}, because {reason}"),))


def test_a_copy_that_has_another_guid_by_now_is_left_alone(root: Path) -> None:
    draft = Draft(str(root))
    found = find_guids(str(root), [SHARED])
    draft.write(f"{A}.meta", b"fileFormatVersion: 2\nguid: " + OWN.encode())
    replace_placeholder(draft, SHARED, f"{A}.meta", found, lambda _: "")
    assert not draft.plan().fixes
    assert not draft.plan().proposals


def test_a_file_that_is_gone_by_now_changes_nothing(root: Path) -> None:
    put(root, "Assets/b.prefab", OWN, reference())
    draft = Draft(str(root))
    found = find_guids(str(root), [SHARED])
    (root / "Assets/b.prefab").unlink()
    replace_placeholder(draft, SHARED, f"{A}.meta", found, lambda _: "")
    said = "it gets no new GUID: Assets/b.prefab: no longer exists"
    assert draft.plan() == Plan(proposals=(Proposal("placeholder-guid", A, said),))


# --- shared GUIDs


@pytest.mark.parametrize(
    ("one", "other", "roots"),
    [
        ("A/x.mat", "B/x.mat", ("A", "B")),
        ("B/x.mat", "A/x.mat", ("A", "B")),
        ("A/Sub/x.mat", "A/Other/x.mat", ("A/Other", "A/Sub")),
        ("A/x.mat", "A/y.mat", ("A/x.mat", "A/y.mat")),
        ("x/y", "y", ("x/y", "y")),
    ],
)
def test_the_roots_of_a_pair_are_its_paths_without_their_common_end(
    one: str, other: str, roots: tuple[str, str]
) -> None:
    assert Pair(SHARED, one, other).roots == roots


def remade(root: Path, *pairs: Pair, used: str = "", advice: str = "") -> Plan:
    draft = Draft(str(root))
    found = find_guids(str(root), {pair.guid for pair in pairs})
    remake_duplicates(draft, list(pairs), found, lambda _: used, lambda _: advice)
    return draft.plan()


def pair(other: str = COPY) -> Pair:
    return Pair(SHARED, *sorted((A, other)))


@pytest.mark.parametrize(
    ("other", "young"),
    [
        (COPY, COPY),
        ("Assets/a - Copy (2).mat", "Assets/a - Copy (2).mat"),
        ("Assets/a (1).MAT", "Assets/a (1).MAT"),
        ("Assets/Copy of a.mat", "Assets/Copy of a.mat"),
        ("Assets/a_copy.mat", "Assets/a_copy.mat"),
        ("Assets/a 1.mat", "Assets/a 1.mat"),
        ("Assets/a copy.png", ""),
        ("Assets/Sub/a copy.mat", ""),
        ("Assets/b.mat", ""),
        ("Assets/acopy.mat", ""),
    ],
)
def test_the_name_of_a_copy_tells_which_is_younger(root: Path, other: str, young: str) -> None:
    put(root, other, SHARED)
    plan = remade(root, pair(other))
    if young:
        (fix,) = plan.fixes
        (edit,) = plan.edits
        new = (edit.after or b"").decode().split()[3]
        assert (edit.path, fix) == (f"{young}.meta", Fix("duplicate-guid", young, f"{SHARED} becomes {new}"))
    else:
        one, two = sorted((A, other))
        said = f"{two} has the same GUID; it is unclear which of the two is the copy"
        assert plan == Plan(proposals=(Proposal("duplicate-guid", one, said),))


def test_advice_is_told_with_a_proposal(root: Path) -> None:
    put(root, "Assets/b.mat", SHARED)
    plan = remade(root, pair("Assets/b.mat"), advice="renew this")
    assert plan.proposals[0].message.endswith("is the copy (renew this)")


@pytest.mark.parametrize(
    ("other", "times", "young"),
    [
        ("Assets/b.mat", (5, 0), "Assets/b.mat"),  # never committed
        ("Assets/b.mat", (5, 6), "Assets/b.mat"),
        ("Assets/b.mat", (6, 5), A),
        ("Assets/b.mat", (5, 5), ""),
        ("Assets/b.mat", (5, None), ""),
        ("Assets/b.mat", (0, 0), ""),
        (COPY, (5, 6), COPY),
        (COPY, (6, 5), ""),  # the name tells another
        (COPY, (None, None), COPY),
    ],
)
def test_the_history_of_git_tells_which_is_younger(
    root: Path, monkeypatch: pytest.MonkeyPatch, other: str, times: tuple[int | None, int | None], young: str
) -> None:
    put(root, other, SHARED)
    by_path = {f"{A}.meta": times[0], f"{other}.meta": times[1]}
    monkeypatch.setattr(drawing, "added", lambda _root, path, _seconds: by_path[path])
    plan = remade(root, pair(other))
    assert [fix.path for fix in plan.fixes] == [young] * bool(young)
    assert len(plan.proposals) == (not young)


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"Assets/c.mat": SHARED}, "more than these two have it"),
        ({"Assets/c.cs": ""}, "Assets/c.cs holds it in a form that is not rewritten"),
    ],
)
def test_a_copy_whose_guid_others_have_or_hold_keeps_it(root: Path, files: dict[str, str], reason: str) -> None:
    put(root, COPY, SHARED)
    for path, guid in files.items():
        put(root, path, guid, "" if guid else f'"{SHARED}"')
    plan = remade(root, pair())
    assert plan == Plan(proposals=(Proposal("duplicate-guid", COPY, f"{A} has the same GUID; {reason}"),))


def test_a_copy_that_packages_may_mean_keeps_its_guid(root: Path) -> None:
    put(root, COPY, SHARED)
    assert remade(root, pair(), used="a package refers to it").proposals[0].message.endswith("; a package refers to it")


def test_references_elsewhere_are_unsure_unless_both_are_the_same(root: Path) -> None:
    put(root, COPY, SHARED)
    put(root, "Assets/b.prefab", OWN, reference())
    assert [fix.path for fix in remade(root, pair()).fixes] == [COPY]  # it does not matter which is meant
    put(root, COPY, "", "changed\n")
    said = f"{A} has the same GUID; which of the two Assets/b.prefab means is not sure"
    assert remade(root, pair()) == Plan(proposals=(Proposal("duplicate-guid", COPY, said),))
    put(root, COPY, "", "")
    (root / f"{COPY}.meta").write_text(f"fileFormatVersion: 2\nguid: {SHARED}\nlabels: x\n")
    assert remade(root, pair()) == Plan(proposals=(Proposal("duplicate-guid", COPY, said),))


def test_a_committed_reference_means_the_original_of_an_uncommitted_copy(root: Path) -> None:
    put(root, "Assets/b.prefab", OWN, reference())
    git(root, "init", "-q")
    commit(root)
    put(root, COPY, SHARED, "changed\n")
    assert [fix.path for fix in remade(root, pair()).fixes] == [COPY]
    (root / "Assets/b.prefab").write_text(f"%YAML 1.1\n{reference()}edited\n")
    assert remade(root, pair()).fixes == ()


def test_files_that_were_copied_together_refer_to_each_other(root: Path) -> None:
    """A folder: its own files mean its own, and those of the original stay as they are."""
    for folder in ("Assets/Set", "Assets/Set copy"):
        put(root, f"{folder}/m.mat", SHARED)
        put(root, f"{folder}/p.prefab", OWN, reference())
    pairs = [
        Pair(guid, f"Assets/Set copy/{name}", f"Assets/Set/{name}")
        for guid, name in ((SHARED, "m.mat"), (OWN, "p.prefab"))
    ]
    os.unlink(root / A)
    os.unlink(root / f"{A}.meta")
    plan = remade(root, *pairs)
    changed = texts(plan)
    assert sorted(changed) == [f"Assets/Set copy/{name}" for name in ("m.mat.meta", "p.prefab", "p.prefab.meta")]
    new = changed["Assets/Set copy/m.mat.meta"].split()[3]
    assert changed["Assets/Set copy/p.prefab"] == f"%YAML 1.1\n{reference(new)}"
    assert [fix.what.partition(", ")[2] for fix in plan.fixes] == ["and in 1 file that came with it", ""]
