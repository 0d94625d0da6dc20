"""Players and their projects: what scenes and Resources need is found, and no tie is wrong by what UnityPy reads."""

from __future__ import annotations

import shutil
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest

from assetdb.builds import open_build
from assetdb.builds.trace.question import Forward, ask
from assetdb.builds.trace.traced import BUILT_IN, CANDIDATES, NONE, SCENE, TIED
from assetdb.builds.trace.tracer import Tracer
from assetdb.cli import main
from assetdb.query.graph.references import AssetGraph
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.builds.test_corpus import own_name
from tests.assetdb.builds.trace import oracle

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

PIXEL, PIXEL_PLAYER = "builds/pixel-adventure", "Build/My project_Data"
URBANIZE, URBANIZE_PLAYER = "builds/Urbanize", "Build_Data"
WEB = "builds/UnityDataTools/WebBundles/HelloWorld.data"
BOTH = [(PIXEL, PIXEL_PLAYER), (URBANIZE, URBANIZE_PLAYER)]
OF_EDITOR = "unity default resources"


class Figures(NamedTuple):
    """What is so today: assets needed and of these in no player, objects and references that were compared."""

    needed: int
    absent: int
    named: int
    objects: int
    references: int


FIGURES = {PIXEL: Figures(171, 0, 446, 703, 604), URBANIZE: Figures(90, 8, 232, 506, 862)}


class Case(NamedTuple):
    """A player, what ties it to its project, and both as others read them."""

    figures: Figures
    tracer: Tracer
    player: oracle.Player
    project: oracle.Project
    folder: Path


_CASES: dict[str, Case] = {}


def traced(corpus: Path, root: Path, project: str, player: str) -> Tracer:
    """Return what ties a player to a copy of a project: a bake writes there."""
    shutil.copytree(corpus / project, root, ignore=shutil.ignore_patterns("*_Data"), copy_function=shutil.copy)
    found = open_project(str(root))
    found.refresh()
    return Tracer(open_build(corpus / player, remember=False), found)


@pytest.fixture(params=[pytest.param(BOTH[0], marks=pytest.mark.long), BOTH[1]], ids=["2022.3", "2017.2"])
def case(request: pytest.FixtureRequest, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Case:
    project, player = request.param
    if project not in _CASES:
        root = tmp_path_factory.mktemp("project") / "project"
        tracer = traced(corpus, root, project, f"{project}/{player}")
        folder = corpus / project / player
        _CASES[project] = Case(
            FIGURES[project], tracer, oracle.Player(folder), oracle.Project(corpus / project), folder
        )
    return _CASES[project]


def needed(project: Snapshot, scenes: tuple[str, ...]) -> dict[str, str]:
    """Return path and GUID of all assets that scenes and Resources need."""
    assets = {asset.guid: asset.path for asset in project.database}
    starts = [guid for guid, path in assets.items() if path in scenes or "/resources/" in path.casefold()]
    graph = AssetGraph(project)
    guids = {guid for start in starts for guid in (start, *graph.dependencies(start, deep=True))}
    found = {assets[guid]: guid for guid in guids if assets.get(guid, "").startswith("Assets/")}
    return {path: guid for path, guid in found.items() if "/editor/" not in path.casefold()}


@pytest.mark.corpus("builds")
def test_all_that_the_scenes_and_resources_of_a_player_need_is_found(
    case: Case, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not found has no object in the player, as UnityPy reads it: Urbanize's project is some commits apart."""
    tracer = case.tracer
    scenes = tuple(path for known in tracer.build.players.values() for path in known.scenes)
    wanted = needed(tracer.project, scenes)
    built = {(reader.type.value, case.player.name(key)) for key, reader in case.player.objects.items()}
    lost = {}
    for path, guid in wanted.items():
        answer = ask(guid, tracer)
        assert isinstance(answer, Forward)
        if not any(row.certainty in TIED for part in answer.shipped for row in part.objects):
            names = {key for key, guids in case.project.names.items() if guid in guids}
            lost[path] = names & built
    assert {path: names for path, names in lost.items() if names} == {}
    assert (len(wanted), len(lost)) == (case.figures.needed, case.figures.absent)
    place = ("--in", str(case.folder), "--project", tracer.project.root)
    main(["trace", *(lost or wanted), *place])
    out = capsys.readouterr().out
    assert "in no build" not in out
    assert out.count("not found; ") == len(lost)


@pytest.mark.corpus("builds")
def test_named_objects_that_the_project_has_are_tied(case: Case) -> None:
    build, lost = case.tracer.build, []
    ties = {(own_name(build, row.number), build.path_ids[row.number]): row for row in case.tracer.all()}
    assert ties.keys() == case.player.objects.keys()
    mine = [
        key
        for key, reader in case.player.objects.items()
        if key[0] != OF_EDITOR and (reader.type.value, case.player.name(key)) in case.project.names
    ]
    lost = [(key, case.player.name(key), ties[key]) for key in mine if ties[key].certainty not in TIED]
    assert len(mine) == case.figures.named
    assert len(lost) <= 0.01 * len(mine), lost  # a source that declares its class twice, by the file's name alone


@pytest.mark.long
@pytest.mark.corpus("builds")
def test_no_tie_is_wrong_by_class_name_and_references(case: Case) -> None:
    """References are compared property by property: what one leads to is tied to what the project refers to there."""
    build, wrong = case.tracer.build, []
    ties = {(own_name(build, row.number), build.path_ids[row.number]): row for row in case.tracer.all()}
    counts: Counter[str] = Counter()
    for key, row in ties.items():
        source = row.sources[0] if row.certainty in TIED else None
        if source is None or source.file_id is None:
            continue
        document = case.project.at(source.guid, source.file_id)
        if document is None:  # what an importer makes, metas name in part
            counts[case.project.paths[source.guid].rpartition(".")[2]] += 1
            continue
        counts["objects"] += 1
        name = case.player.name(key)
        if document.class_id != case.player.objects[key].type.value or (
            document.name is not None and name not in ("", document.name, document.name.replace(".", "_"))
        ):
            wrong.append((key, name, document.class_id, row))
        for where, target, said in case.player.references(key, document, source.guid):
            tie = ties.get(target) if target is not None else None
            if tie is None or said is None or tie.certainty not in TIED:
                continue
            counts["references"] += 1
            if (tie.sources[0].guid, tie.sources[0].file_id) not in (said, (said[0], None)):
                wrong.append((key, where, said, tie))
    assert wrong == []
    assert (counts["objects"], counts["references"]) == (case.figures.objects, case.figures.references), counts


@pytest.mark.corpus("builds")
def test_objects_of_a_level_have_the_file_ids_of_the_scene(corpus: Path, tmp_path: Path) -> None:
    tracer = traced(corpus, tmp_path / "project", PIXEL, f"{PIXEL}/{PIXEL_PLAYER}")
    rows = [row for row in tracer.all() if row.certainty == SCENE]
    known = [row for row in rows if row.sources[0].file_id is not None]
    assert (len(rows), len(known) > 0.9 * len(rows)) == (519, True)
    for row in known:
        item = tracer.sources.hierarchies.of(row.sources[0].guid)[row.sources[0].file_id or 0]
        assert item.kind in tracer.kinds(row.number)
        assert item.name in ("", tracer.build.name(row.number))


@pytest.mark.corpus("builds")
@pytest.mark.parametrize(
    ("project", "player"),
    [(PIXEL, f"{URBANIZE}/{URBANIZE_PLAYER}"), (URBANIZE, f"{PIXEL}/{PIXEL_PLAYER}"), (PIXEL, WEB)],
)
def test_a_player_of_another_project_has_candidates_at_the_most(
    corpus: Path, tmp_path: Path, project: str, player: str
) -> None:
    tracer = traced(corpus, tmp_path / "project", project, player)
    assert tracer.is_of_project is False
    assert {row.certainty for row in tracer.all()} <= {CANDIDATES, BUILT_IN, NONE}
    assert len(tracer.sources.by_path) > 100
