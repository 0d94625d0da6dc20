"""New metas: for what may have one, with the keys of the project's other metas, and never over one that is there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.draft import Draft
from assetdb.checks.mending.metas import MetaMaker
from assetdb.checks.mending.plan import Fix, Proposal
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.metas.meta import read_meta
from assetdb.unity.metas.writer import Context, meta_bytes
from tests.needs import needs_cases, needs_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

GUID = "5e1f0c7b9a3d4826b1c09e7f24d8a635"
OVERRIDE, MATTE, EXTERNAL = "  preprocessorOverride: 0\n", "  pSDRemoveMatte: 0\n", "  externalObjects: {}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "Game"
    (made / "ProjectSettings").mkdir(parents=True)
    (made / "ProjectSettings/ProjectVersion.txt").write_text("m_EditorVersion: 2021.3.45f1\n")
    (made / "Assets/Deep").mkdir(parents=True)
    (made / "Assets/a.png").write_bytes(b"\x89PNG")
    return made


@pytest.fixture
def make(root: Path, tmp_path: Path) -> Iterator[Callable[..., tuple[bool, Draft]]]:
    opened = []

    def made(path: str, *words: object) -> tuple[bool, Draft]:
        """Draft the meta of a path in a plan of its own."""
        opened.append(open_project(str(root), str(tmp_path / "out")))
        draft = Draft(str(root))
        return MetaMaker(draft, opened[-1]).make(path, *words), draft  # type: ignore[arg-type]  # as given

    yield made
    for each in opened:
        each.close()


def written(draft: Draft, path: str) -> str:
    """Return the meta that a plan, which has nothing else, writes."""
    (edit,) = draft.plan().edits
    assert (edit.path, edit.before) == (f"{path}.meta", None)
    assert edit.after is not None
    return edit.after.decode()


def test_a_file_gets_a_meta_with_a_guid_of_its_own_for_the_editor_of_the_project(
    make: Callable[..., tuple[bool, Draft]],
) -> None:
    done, draft = make("Assets/a.png")
    text = written(draft, "Assets/a.png")
    assert done
    assert draft.plan().fixes == (Fix("missing-meta", "Assets/a.png", "gets a meta with a new GUID"),)
    assert draft.is_given(read_meta(text.encode())[0].decode())
    assert "\nTextureImporter:\n" in text
    assert "\n  textureType: 0\n" in text  # no sprite


@pytest.mark.parametrize(("mode", "kind"), [(0, 0), (1, 8)])
def test_a_picture_is_a_sprite_in_a_project_of_two_dimensions(
    root: Path, make: Callable[..., tuple[bool, Draft]], mode: int, kind: int
) -> None:
    settings = f"%YAML 1.1\n--- !u!159 &1\nEditorSettings:\n  m_DefaultBehaviorMode: {mode}\n"
    (root / "ProjectSettings/EditorSettings.asset").write_text(settings)
    assert f"\n  textureType: {kind}\n" in written(make("Assets/a.png")[1], "Assets/a.png")


def test_a_folder_gets_the_meta_of_a_folder(make: Callable[..., tuple[bool, Draft]]) -> None:
    text = written(make("Assets/Deep")[1], "Assets/Deep")
    assert "\nfolderAsset: yes\n" in text
    assert "\nDefaultImporter:\n" in text


def test_a_native_asset_has_the_main_object_of_its_document(
    root: Path, make: Callable[..., tuple[bool, Draft]]
) -> None:
    (root / "Assets/b.asset").write_text("%YAML 1.1\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: b\n")
    assert "\n  mainObjectFileID: 7400000\n" in written(make("Assets/b.asset")[1], "Assets/b.asset")


def test_a_former_meta_is_written_as_it_was(make: Callable[..., tuple[bool, Draft]]) -> None:
    done, draft = make("Assets/a.png", b"guid: former", "gets it back")
    assert done
    assert written(draft, "Assets/a.png") == "guid: former"
    assert draft.plan().fixes == (Fix("missing-meta", "Assets/a.png", "gets it back"),)


def test_a_meta_that_is_there_stays(root: Path, make: Callable[..., tuple[bool, Draft]]) -> None:
    (root / "Assets/a.png.meta").write_text("")
    done, draft = make("Assets/a.png")
    assert not done
    assert draft.plan() == Draft("").plan()


def refused(make: Callable[..., tuple[bool, Draft]], path: str) -> str:
    """Return why a path gets no meta."""
    done, draft = make(path)
    assert not done
    plan = draft.plan()
    assert not plan.edits
    assert not plan.fixes
    (proposal,) = plan.proposals
    assert proposal == Proposal("missing-meta", path, proposal.message)
    return proposal.message


def test_what_is_gone_or_outside_the_project_gets_none(make: Callable[..., tuple[bool, Draft]]) -> None:
    assert refused(make, "Assets/gone.png") == "no longer exists"
    assert refused(make, "Library/a.png") == "is not a path in Assets, Packages, ProjectSettings"
    assert "No such file" in refused(make, "Assets/None/a.png")


@needs_links
@needs_cases
def test_links_pipes_and_names_in_another_case_get_none(root: Path, make: Callable[..., tuple[bool, Draft]]) -> None:
    (root / "Assets/link.png").symlink_to("a.png")
    os.mkfifo(root / "Assets/pipe.png")
    (root / "Assets/A.png.meta").write_text(f"fileFormatVersion: 2\nguid: {GUID}\n")
    assert refused(make, "Assets/link.png") == "is a link"
    assert refused(make, "Assets/pipe.png") == "is no file"
    expected = "its meta is called Assets/A.png.meta: rename it to Assets/a.png.meta"
    assert refused(make, "Assets/a.png") == expected


def put(root: Path, path: str, *without: str, number: int = 0) -> None:
    """Write an empty asset with the meta that Unity 2021.3 writes for it, without some lines."""
    (root / path).write_text("")
    text = meta_bytes(f"{number:032x}", path.rpartition("/")[2], Context((2021, 3))).decode()
    for line in without:
        assert line in text
        text = text.replace(line, "")
    (root / f"{path}.meta").write_text(text)


@pytest.mark.parametrize(
    ("other", "path", "line", "is_same"),
    [
        ("Assets/one.shader", "Assets/b.shader", OVERRIDE, True),
        ("Assets/one.tga", "Assets/b.png", MATTE, True),  # of the same kind
        ("Assets/one.odd", "Assets/b.odd", EXTERNAL, True),
        ("Assets/one.odd", "Assets/b.strange", EXTERNAL, False),  # both have no kind: that is nothing in common
    ],
)
def test_keys_are_those_of_the_projects_metas_of_the_extension_or_kind(
    root: Path, make: Callable[..., tuple[bool, Draft]], other: str, path: str, line: str, *, is_same: bool
) -> None:
    put(root, other, line, number=17)
    (root / f"{other.replace('one', 'broken')}").write_text("")
    (root / f"{other.replace('one', 'broken')}.meta").write_text(f"fileFormatVersion: 2\nguid: {GUID}\n")
    (root / path).write_text("")
    assert (line not in written(make(path)[1], path)) == is_same


@pytest.mark.parametrize(
    ("count", "place", "is_read"), [(32, 31, True), (63, 62, True), (64, 62, True), (64, 63, False)]
)
def test_of_many_metas_thirty_two_are_read_over_the_whole_length(
    root: Path, make: Callable[..., tuple[bool, Draft]], count: int, place: int, *, is_read: bool
) -> None:
    for number in range(count):
        put(root, f"Assets/{number:02}.shader", *[OVERRIDE] * (number != place), number=100 + number)
    (root / "Assets/b.shader").write_text("")
    assert (OVERRIDE in written(make("Assets/b.shader")[1], "Assets/b.shader")) == is_read
