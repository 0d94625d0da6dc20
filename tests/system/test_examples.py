"""Each example of a docstring prints what it says, in a folder that has what it names."""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib
import sys
from io import StringIO
from typing import TYPE_CHECKING

import pytest

from assetdb.system import cancelling
from assetdb_formats.addressables.binary.writer import encode_binary
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.json.writer import encode_json
from scripts.fixture import copy_fixture
from tests.architecture.imports import OURS, modules, nodes, source, text_of
from tests.assetdb.builds.engines import games
from tests.assetdb.builds.making import player
from tests.assetdb.builds.trace.test_tracer import write_bundles, write_project
from tests.assetdb.history.git_project import commit, make_repository
from tests.assetdb_formats.addressables.builder import make_build, make_content
from tests.assetdb_formats.casset.builder import all_types

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROMPT = ">>> "
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
EXPLAINED = {
    "assetdb.builds.build": ("Build",),
    "assetdb.builds.trace": ("",),
    "assetdb.checks.counting": ("counted", "listed"),
    "assetdb.cli.asking": ("opened",),
    "assetdb.cli.terminal": ("fail", "not_found", "print_json", "print_json_lines", "printable", "say", "table"),
    "assetdb.history.git.repository": ("Repository",),
    "assetdb.query.differences": ("Comparison",),
    "assetdb.resolve.resolver": ("Resolver",),
    "assetdb.settings.project": ("asset_file",),
    "assetdb.system.cancelling": ("check_cancelled",),
    "assetdb.system.reading": ("read_file", "read_small"),
    "assetdb.unity.engine.classes": ("class_name",),
    "assetdb.unity.kinds": ("extension_of", "kind_of"),
    "assetdb.unity.merging.containers": ("ObjectMerge",),
    "assetdb.unity.yaml.scalars": ("scalar_at",),
    "assetdb.workspace.workspace": ("Workspace",),
    "assetdb_formats.addressables.binary.reader": ("BinaryCatalog",),
    "assetdb_formats.addressables.json.reader": ("JsonCatalog",),
    "assetdb_formats.atomic": ("replace_file",),
    "assetdb_formats.files": ("words_of",),
    "assetdb_formats.unreal.properties.value_decoder": ("ValueDecoder",),
}
"""The twenty functions that most modules use, and the ten classes with most branches and methods.

The example of the tracer is its package's.
"""


def _game(folder: Path) -> None:
    player(folder / "Game_Data")
    make_build(folder, encode_json(make_content(), JSON_FLAVOURS["1.28"])[0])


def _village(folder: Path) -> None:
    root = make_repository(folder / "Village")
    (root / "Assets/Prefabs/Tower.prefab").rename(root / "Assets/Prefabs/Spire.prefab")
    (root / "Assets/Prefabs/Tower.prefab.meta").rename(root / "Assets/Prefabs/Spire.prefab.meta")
    commit(root, "a spire")


PLACES: dict[str, Callable[[Path], object]] = {
    "fixtures/unity_project": lambda folder: copy_fixture(folder / "fixtures/unity_project"),
    "Game_Data": _game,
    "Village": _village,
    "Orchard": lambda folder: write_project(folder / "Orchard"),
    "Bundles": lambda folder: write_bundles(folder / "Bundles"),
    "Paks": lambda folder: games.write(folder / "Game/Content/Paks", games.container()),
    "House.uasset": lambda folder: (folder / "House.uasset").write_bytes(games.loose()["Game/Content/House.uasset"]),
    "catalog.bin": lambda folder: (folder / "catalog.bin").write_bytes(
        encode_binary(make_content(), BINARY_FLAVOURS["2.0.8"])[0]
    ),
    "Cliff.casset": lambda folder: (folder / "Cliff.casset").write_bytes(all_types()),
}
"""What examples name, and how it is made in a folder."""


class _Stdout:
    """What is printed on stderr, as a part of what an example prints."""

    def write(self, text: str) -> int:
        return sys.stdout.write(text)

    def flush(self) -> None:
        sys.stdout.flush()

    def isatty(self) -> bool:
        return False


def documented(module: str) -> list[tuple[str, int, str]]:
    """Return name, line and text of each docstring of a module that has examples."""
    found = []
    for node in nodes(module):
        text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
        if text is not None and PROMPT in text:
            name = f"{module}.{node.name}" if hasattr(node, "name") else module
            found.append((name, getattr(node, "lineno", 0), text))
    return found


def examples(module: str) -> list[doctest.DocTest]:
    """Return the examples of a module, which see what a function of it would see."""
    known, file = vars(importlib.import_module(module)), str(source(module))
    parse = doctest.DocTestParser().get_doctest
    return [parse(text, dict(known), name, file, line) for name, line, text in documented(module)]


EXAMPLES = [name for package in OURS for name in modules(package) if PROMPT in text_of(name) and documented(name)]


@pytest.mark.parametrize("module", EXAMPLES)
def test_the_examples_print_what_is_shown(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancelling, "_check", None)
    shown = [example.source for test in examples(module) for example in test.examples]
    for name, make in PLACES.items():
        if any(name in text for text in shown):
            make(tmp_path)
    failures = StringIO()
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)  # by default pytest -v decides
    for test in examples(module):
        monkeypatch.chdir(tmp_path)
        with contextlib.redirect_stderr(_Stdout()):
            runner.run(test, out=failures.write)
    assert not failures.getvalue(), failures.getvalue()


def test_what_is_used_most_and_what_is_hardest_has_an_example() -> None:
    shown = {name for module in EXPLAINED for name, _, _ in documented(module)}
    wanted = {f"{module}.{name}".rstrip(".") for module, names in EXPLAINED.items() for name in names}
    assert not wanted - shown


def test_no_example_is_skipped() -> None:
    skipped = [
        f"{test.name}: {example.source}"
        for module in EXAMPLES
        for test in examples(module)
        for example in test.examples
        if doctest.SKIP in example.options
    ]
    assert not skipped
