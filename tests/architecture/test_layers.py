"""Imports point one way, and importing the package loads nothing that is not needed."""

import subprocess
import sys

import pytest

import assetdb
from tests.architecture.imports import CHECKOUT, PYTHONPATH, imports_of, modules, source

# Each part may import the parts of the lines below its own, and itself.
LAYERS = (
    ("assetdb.__main__",),
    ("assetdb.cli",),
    ("assetdb",),  # the public names
    ("assetdb.lsp", "assetdb.mcp"),
    ("assetdb.doctor",),
    ("assetdb.client",),
    ("assetdb.daemon",),
    ("assetdb.export",),
    ("assetdb.checks",),
    ("assetdb.builds",),
    ("assetdb.memo",),
    ("assetdb.query",),
    ("assetdb.contents",),
    ("assetdb.baking",),
    ("assetdb.workspace",),
    ("assetdb.resolve",),
    ("assetdb.packages",),
    ("assetdb.state",),
    ("assetdb.store",),
    ("assetdb.scan",),
    ("assetdb.history",),
    ("assetdb.unity",),
    ("assetdb.settings",),
    ("assetdb.project",),
    ("assetdb.system",),
    ("assetdb.errors",),
    ("assetdb.diagnostics", "assetdb.version"),
)
EXCEPTIONS: set[tuple[str, str]] = set()

# The rooms of builds in the same way; whose build something is (engines.detection) is asked before any is opened.
BUILDS = (
    ("served",),
    ("trace",),
    ("groups",),
    ("engines",),
    ("query",),
    ("opening",),
    ("objects",),
    ("build",),
    ("engines.detection",),
    ("parts",),
)


def part_of(module: str) -> str:
    return "assetdb" if module == "assetdb" else ".".join(module.split(".")[:2])


def layer_of(part: str) -> int:
    for number, parts in enumerate(LAYERS):
        if part in parts:
            return number
    raise AssertionError(f"{part} has no layer: give it one in LAYERS")


@pytest.mark.parametrize("module", modules("assetdb"))
def test_imports_point_one_way(module: str) -> None:
    own = part_of(module)
    for name in sorted(imports_of(module)):
        if name.startswith("assetdb_formats"):
            continue
        other = part_of(name)
        if other != own and (own, other) not in EXCEPTIONS:
            assert layer_of(other) > layer_of(own), f"{module} imports {name}"


def room_of(module: str) -> int:
    """Return the line of a module of builds in their table; the innermost room that it lies in counts."""
    words = module.removeprefix("assetdb.builds.").split(".")
    lines = {room: number for number, rooms in enumerate(BUILDS) for room in rooms}
    return next(lines[name] for end in (2, 1) if (name := ".".join(words[:end])) in lines)


@pytest.mark.parametrize("module", modules("assetdb/builds"))
def test_rooms_of_builds_import_one_way(module: str) -> None:
    if module in ("assetdb.builds", "assetdb.builds.engines"):
        return  # their public names, imported when they are used
    for name in sorted(imports_of(module)):
        if name.startswith("assetdb.builds."):
            assert room_of(name) >= room_of(module), f"{module} imports {name}"


@pytest.mark.parametrize("module", modules("assetdb_formats"))
def test_formats_import_nothing_of_assetdb(module: str) -> None:
    assert {name for name in imports_of(module) if not name.startswith("assetdb_formats")} == set()


@pytest.mark.parametrize("module", modules("assetdb"))
def test_the_package_imports_neither_tests_nor_scripts(module: str) -> None:
    assert not {name for name in imports_of(module) if name.startswith(("tests", "scripts"))}


HEAVY = ("argparse", "asyncio", "hashlib", "json", "msgspec", "pathspec", "structlog", "typer", "xxhash", "yaml")


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import assetdb", ()),
        ("import assetdb; assetdb.Diagnostic", ()),
        ("import assetdb; assetdb.bake", ()),
        ("import assetdb; assetdb.open_database", ()),
        ("import assetdb.cli", ()),
        ("import assetdb.unity.meta, assetdb.unity.text_asset, assetdb.unity.classes", ()),
    ],
)
def test_imports_load_nothing_heavy(statement: str, allowed: tuple[str, ...]) -> None:
    code = f"{statement}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    found = subprocess.run(
        [sys.executable, "-S", "-c", code], env={"PYTHONPATH": PYTHONPATH}, capture_output=True, text=True, check=True
    ).stdout.split()
    assert sorted(set(HEAVY).intersection(found) - set(allowed)) == []


def test_importing_the_package_imports_only_the_package() -> None:
    code = "import assetdb, sys\nprint(*sorted(name for name in sys.modules if name.startswith('assetdb')))"
    found = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["assetdb"]


def test_the_exported_names() -> None:
    expected = """
        Asset AssetdbError BakeError BakeResult ConfigurationError Database DatabaseError Diagnostic LockedError
        ProjectError SubAsset UsageError bake open_database
    """
    assert set(expected.split()) <= set(assetdb.__all__)
    assert sorted(assetdb.__all__) == assetdb.__all__ == dir(assetdb)
    for name in assetdb.__all__:
        assert getattr(assetdb, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        assetdb.nothing  # noqa: B018 - that is the test


@pytest.mark.parametrize("module", [*modules("assetdb"), *modules("assetdb_formats")])
def test_modules_are_of_a_readable_size(module: str) -> None:
    assert source(module).read_text("utf-8").count("\n") <= 700
