"""The players of the corpus: of Windows without type trees (2017.2), a level of 2022.1, web players of 2022.3."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.sizes import measure
from assetdb.builds.query.summary import summarize

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.builds import Build

PLAYER = "builds/Urbanize/Build_Data"
LEVEL = "builds/UnityDataTools/PlayerData"
WEB = "builds/UnityDataTools/WebBundles/HelloWorld.data"
BROTLI = pytest.param(
    f"{WEB}.br", marks=pytest.mark.skipif(find_spec("brotli") is None, reason="the brotli extra is not installed")
)
SHADER = 48
PATHS = (PLAYER, LEVEL, WEB, f"{WEB}.gz", BROTLI)


def theirs(path: Path) -> dict[tuple[str, int], Any]:
    """Return what UnityPy reads: objects by file and PathID."""
    unitypy = pytest.importorskip("UnityPy")
    found: dict[tuple[str, int], Any] = {}
    paths = [path] if path.is_file() else [one for one in sorted(path.rglob("*")) if one.is_file()]
    for one in paths:
        waiting = [unitypy.load(str(one))]
        while waiting:
            item = waiting.pop()
            waiting += getattr(item, "files", {}).values() if not hasattr(item, "objects") else ()
            waiting += item.files.values() if item.__class__.__name__ == "Environment" else ()
            if item.__class__.__name__ == "SerializedFile":
                name = str(item.name).replace("\\", "/").rpartition("/")[2]
                found |= {(name, path_id): reader for path_id, reader in item.objects.items()}
    return found


def pointers(value: object) -> Iterator[tuple[int, int]]:
    if isinstance(value, dict):
        if set(value) == {"m_FileID", "m_PathID"}:
            if value["m_PathID"]:
                yield value["m_FileID"], value["m_PathID"]
        else:
            for item in value.values():
                yield from pointers(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from pointers(item)


def own_name(build: Build, number: int) -> str:
    return build.files[build.file_of(number)].facts.name.rpartition("/")[2]


@pytest.mark.long
@pytest.mark.corpus("builds")
@pytest.mark.parametrize("path", PATHS)
def test_objects_and_names_are_those_of_unitypy(corpus: Path, path: str) -> None:
    build = open_build(corpus / path, remember=False)
    other = theirs(corpus / (WEB if path.startswith(WEB) else path))
    own = {(own_name(build, number), build.path_ids[number]): number for number in range(len(build))}
    assert own.keys() == other.keys()
    names = {key: reader.peek_name() or "" for key, reader in other.items()}
    for key, reader in other.items():
        if build.class_ids[own[key]] == SHADER:  # its m_Name is empty
            names[key] = reader.read_typetree()["m_ParsedForm"]["m_Name"]
    assert [key for key, number in own.items() if names[key] != build.name(number)] == []
    assert (len(build), sum(map(bool, map(build.name, range(len(build)))))) == {
        PLAYER: (1139, 673),
        LEVEL: (94, 42),
    }.get(path, (1429, 1402))


@pytest.mark.long
@pytest.mark.corpus("builds")
@pytest.mark.parametrize("path", [PLAYER, LEVEL, WEB])
def test_references_are_those_of_unitypy(corpus: Path, path: str) -> None:
    """But for the fields of scripts, which the files do not describe, and the tables of what is loaded with what."""
    build = open_build(corpus / path, remember=False)
    assert build.problems == ()
    other = theirs(corpus / path)
    compared = 0
    for number in range(len(build)):
        if build.class_ids[number] in (114, 147, 150):
            continue
        value = other[own_name(build, number), build.path_ids[number]].read_typetree()
        assert len(build.references(number)) == len(list(pointers(value))), build.object(number)
        assert [item.path_id for item in build.references(number)] == [path_id for _, path_id in pointers(value)]
        compared += 1
    assert compared == {PLAYER: 1042, LEVEL: 94, WEB: 1425}[path]


@pytest.mark.corpus("builds", "unityfs")
@pytest.mark.parametrize("path", [*PATHS, "unityfs/UnityDataTools", "unityfs/Addressables-Sample"])
def test_bytes_add_up(corpus: Path, path: str) -> None:
    place = corpus / path
    files = [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file()]
    build = open_build(place, remember=False)
    sizes = measure(build)
    assert sizes.disk_total == sum(one.stat().st_size for one in files)
    assert sum(sizes.disk) + sum(row.disk for row in sizes.rest) == sizes.disk_total
    assert sum(sizes.in_file) + sum(sizes.streamed) + sum(row.decoded for row in sizes.rest) == sizes.decoded_total


@pytest.mark.corpus("builds")
def test_what_a_player_without_type_trees_says(corpus: Path) -> None:
    build = open_build(corpus / PLAYER, remember=False)
    found = summarize(build)
    assert (found.product, found.scenes) == ("DefaultCompany Urbanize", ("Assets/Main.unity",))
    assert (found.missing, found.back_end) == (("resources.assets",), "mono")
    assert dict(found.assemblies)["Assembly-CSharp.dll"] == 147
    behaviours = [item for item in build.objects() if item.class_name == "MonoBehaviour"]
    assert len(behaviours) == 94
    assert all(item.script is not None for item in behaviours)
    assert "TinyverseAcademy" in {build.title(item.number) for item in behaviours}
