"""Objects by class and file, by words, and what a word means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.objects.selection import files_named, is_in, known_classes, known_words, lookup, search, select
from assetdb_formats.globs import name_matcher
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.builds import Build

A, B = "CAB-" + "a" * 32, "CAB-" + "b" * 32


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    folder = making.player(tmp_path_factory.mktemp("build") / "Game_Data")
    one: list[Texture | Material] = [Texture(7, "bark", b"b", "assets/bark.png"), Material(-8, "Tree", ())]
    (folder / "aa").mkdir()
    (folder / "aa/one.bundle").write_bytes(making.bundle(A, "one", one))
    (folder / "aa/two.bundle").write_bytes(making.bundle(B, "two", [Texture(7, "BARK", b"b"), Material(12, "7", ())]))
    return open_build(folder, remember=False)


def labels(build: Build, numbers: Sequence[int]) -> list[str]:
    return [f"{build.file_label(number)}#{build.path_ids[number]}" for number in numbers]


@pytest.mark.parametrize(
    ("classes", "files", "expected"),
    [
        (
            ["Texture2D"],
            [],
            ["aa/one.bundle/CAB-a#7", "aa/two.bundle/CAB-b#7", "sharedassets0.assets#3", "sharedassets0.assets#4"],
        ),
        (["TEXTURE2D"], ["one.bundle"], ["aa/one.bundle/CAB-a#7"]),
        (["28"], ["aa"], ["aa/one.bundle/CAB-a#7", "aa/two.bundle/CAB-b#7"]),
        (["GameObject", "1"], [], ["level0#10"]),
        (["picker"], ["level*"], ["level0#12", "level0#77"]),
        (["Game.Picker"], ["level0"], ["level0#12", "level0#77"]),
        (["Nothing"], [], []),
        ([], ["LEVEL0"], ["level0#10", "level0#11", "level0#12", "level0#77"]),
        ([], ["evel0"], []),
    ],
)
def test_objects_are_selected_by_class_number_or_script_and_by_file(
    build: Build, classes: list[str], files: list[str], expected: list[str]
) -> None:
    found = [
        label.replace("a" * 32, "a").replace("b" * 32, "b")
        for label in labels(build, list(select(build, classes, files)))
    ]
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(
    ("pattern", "is_matching"),
    [
        ("a/b/c", True),
        ("b/c", True),
        ("a/b", True),
        ("b", True),
        ("c", True),
        ("a*c", True),
        ("b/*", True),
        ("x", False),
    ],
)
def test_a_path_matches_as_a_whole_by_its_head_tail_or_a_part(pattern: str, *, is_matching: bool) -> None:
    assert is_in([name_matcher("nothing"), name_matcher(pattern)], "a/b/c") == is_matching


def test_words_and_classes_to_suggest_are_those_of_the_build(build: Build) -> None:
    assert {"Texture2D", "Material", "Game.Picker", "Picker", "GameObject"} <= known_classes(build)
    words = known_words(build)
    assert {"bark", "Tree", "assets/bark.png", "Resources/fruit/apple", "level0", f"aa/one.bundle/{A}"} <= words
    assert "" not in words


def test_a_search_looks_at_names_container_paths_and_scripts(build: Build) -> None:
    def found(text: str) -> list[str]:
        return labels(build, list(search(build, lambda word: text in word, iter(range(len(build))))))

    assert found("bark.png") == [f"aa/one.bundle/{A}#7"]
    assert found("bar") == [f"aa/one.bundle/{A}#7"]
    assert found("fruit") == ["sharedassets0.assets#3"]
    assert "level0#12" in found("Game.Picker")
    assert "level0#11" not in found("")  # it has no text at all


@pytest.mark.parametrize(
    ("word", "by", "expected"),
    [
        (f"{A}#7", "PathID", [f"{A}#7"]),
        (f"one.bundle:{-8}", "PathID", [f"{A}#-8"]),
        ("LEVEL0#11", "PathID", ["level0#11"]),
        ("-8", "PathID", [f"{A}#-8"]),
        ("7", "PathID", [f"{A}#7", f"{B}#7"]),
        ("ASSETS/bark.PNG", "container path", [f"{A}#7"]),
        ("fruit/apple", "container path", ["sharedassets0.assets#3"]),
        ("resources/fruit/apple", "container path", ["sharedassets0.assets#3"]),
        ("bark", "name", [f"{A}#7"]),
        ("BARK", "name", [f"{B}#7"]),
        ("Bark", "name", [f"{A}#7", f"{B}#7"]),  # in no case of its own: in any
        ("apple again", "name", ["sharedassets0.assets#4"]),
    ],
)
def test_a_word_means_a_path_id_a_path_or_a_name(build: Build, word: str, by: str, expected: list[str]) -> None:
    found = lookup(build, word)
    assert found is not None
    assert found.by == by
    assert [label.rpartition("/")[2] for label in labels(build, found.objects)] == expected
    assert found.files == ()


@pytest.mark.parametrize("word", ["", "nothing", "level0#99", "#", "9" * 20, "12345", "level0#x"])
def test_a_word_that_nothing_has_means_nothing(build: Build, word: str) -> None:
    assert lookup(build, word) is None


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("level0", ["level0"]),
        ("one.bundle", [A, f"{A}.resS"]),
        ("AA/one.bundle/", [A, f"{A}.resS"]),
        (A, [A]),
        ("0", []),
        ("", []),
        ("/", []),
    ],
)
def test_files_are_named_by_themselves_or_their_part(build: Build, word: str, names: list[str]) -> None:
    assert [build.files[number].facts.name for number in files_named(build, word)] == names


def test_a_file_is_what_a_word_means_if_no_object_is(build: Build) -> None:
    found = lookup(build, "level0")
    assert found is not None
    assert (found.by, found.objects) == ("file", ())
    assert [build.files[number].facts.name for number in found.files] == ["level0"]
