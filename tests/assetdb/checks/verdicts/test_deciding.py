from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.verdicts.deciding import CURRENT, NOTHING_KNOWN, decide
from assetdb.checks.verdicts.encoding import Packing, decode_state
from assetdb.checks.verdicts.extracting import parts_of
from assetdb.checks.verdicts.judging import STATE, VERDICTS, VERSION_OF_VERDICTS, environment_of, judge_project
from assetdb.checks.verdicts.processing import Processing
from assetdb.memo.contents import ABSENT
from assetdb.memo.inputs import CONTENT, PACKAGES
from assetdb.memo.memo import memo_of
from assetdb.query.graph.verdicts import NAMED, judge
from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve import imported
from assetdb.unity.settings.editor_version import VERSION_FILE, reads_by_libyaml
from assetdb.unity.settings.tags import TAGS_FILE
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write
from tests.long_cases import long_after

if TYPE_CHECKING:
    from pathlib import Path


def compare(root: Path, out: Path) -> None:
    """What was told at once of all keys is what judging each finds."""
    project = open_project(str(root), str(out))
    judge_project(project)
    memo = memo_of(project)
    libyaml = reads_by_libyaml(project.read(VERSION_FILE) or b"")
    noted = memo.noted(VERDICTS, VERSION_OF_VERDICTS)
    tags = noted[CONTENT, TAGS_FILE]
    tags_of = "" if tags == ABSENT else str(tags)
    environment = environment_of(noted[PACKAGES, ""], libyaml=libyaml, tags=tags_of)
    state = decode_state(memo.get(STATE) or b"", environment, Packing())
    assert state is not None
    at_once = {key: state.outcomes[code] for key, code in zip(state.keys, state.codes, strict=True)}
    assert at_once
    assert decide(project, state.keys, NOTHING_KNOWN, Processing(2, keys=0)) == at_once
    project.close()


def test_the_short_way_says_what_the_long_one_does(tmp_path: Path) -> None:
    compare(make_project(tmp_path), tmp_path / "out")


@pytest.mark.corpus("unity/UnityPlayground", "unity/Mirror", "unity/BoatAttack")
@pytest.mark.parametrize("name", long_after(1, ["UnityPlayground", "Mirror", "BoatAttack"]))
def test_the_short_way_says_it_of_real_projects(corpus: Path, tmp_path: Path, name: str) -> None:
    compare(corpus / "unity" / name, tmp_path / "out")


@pytest.mark.parametrize(("folder", "reason"), [("StreamingAssets", "dangling"), ("Art/StreamingAssets", "")])
def test_nothing_is_in_a_file_that_unity_copies_as_it_is(tmp_path: Path, folder: str, reason: str) -> None:
    root = make_project(tmp_path)
    texture = (
        "TextureImporter:\n  internalIDToNameTable:\n  - first:\n      213: -77\n    second: Gone\n  spriteMode: 2\n"
    )
    write(root, f"Assets/{folder}/Hat.png", 70, "", texture)
    write(root, f"Assets/{folder}/Hat.prefab", 71, HEAD + game_object(100, "Hat"), "PrefabImporter:\n  userData: \n")
    write(root, f"Assets/{folder}/Words.txt", 72, "hats", "TextScriptImporter:\n  userData: \n")
    project = open_project(str(root), str(tmp_path / "out"))
    judge_project(project)
    for number, file_id in ((70, 2800000), (70, -77), (71, 100), (71, 100100000)):
        key = f"{guid(number)} {file_id} ".encode()
        assert decide(project, [key])[key][1] == reason
        assert decide(project, [key], CURRENT)[key][1] == reason
        assert project.resolver.name(guid(number), file_id).reason == reason
    certain = [f"{guid(70)} 102900000 ".encode(), f"{guid(71)}  ".encode(), f"{guid(72)} 4900000 ".encode()]
    if reason:
        assert set(decide(project, certain).values()) == {(NAMED, "")}
    project.close()


TABLE = """ModelImporter:
  serializedVersion: 22
  fileIDToRecycleName:
    100000: //RootNode
    4300000: Body
    4300002: Gone
  materials: {}
"""


@pytest.mark.parametrize("importer", [TABLE, TABLE.replace("ModelImporter", "DefaultImporter")])
def test_what_the_table_of_a_model_names_is_told_without_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, importer: str
) -> None:
    root = make_project(tmp_path)
    write(root, "Assets/Door.fbx", 70, "", importer)
    numbers = (100000, 4300000, 4300002, 4300004)
    keys = [f"{guid(70)} {number} {flag}".encode() for number in numbers for flag in ("", "t")]
    project = open_project(str(root), str(tmp_path / "out"))
    judged = {key: judge(project.resolver, guid(70), parts_of(key)[1], override=parts_of(key)[2]) for key in keys}
    assert decide(project, keys) == {key: (verdict.kind, verdict.reason) for key, verdict in judged.items()}
    assert [verdict.kind for verdict in judged.values()][:6] == [NAMED] * 6
    project.close()
    if importer is TABLE:
        monkeypatch.setattr(imported, "_model", None)
        project = open_project(str(root), str(tmp_path / "out"))
        assert set(decide(project, keys[:6]).values()) == {(NAMED, "")}
        project.close()
