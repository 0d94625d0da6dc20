"""Imports point one way, and importing the package loads nothing that is not needed."""

import subprocess
import sys

import pytest

import assetdb
from tests.architecture.imports import CHECKOUT, OURS, PYTHONPATH, imports_of, modules, text_of

# Each part may import the parts of the lines below its own, and itself.
LAYERS = (
    ("assetdb.cli", "assetdb"),  # the command line; the public names
    ("assetdb.lsp", "assetdb.mcp", "assetdb.doctor"),
    ("assetdb.client",),
    ("assetdb.daemon", "assetdb.export", "assetdb.report"),
    ("assetdb.checks", "assetdb.builds"),
    ("assetdb.memo",),
    ("assetdb.query",),
    ("assetdb.contents", "assetdb.baking"),
    ("assetdb.workspace", "assetdb.resolve"),
    ("assetdb.packages",),
    ("assetdb.state",),
    ("assetdb.store",),
    ("assetdb.scan", "assetdb.history"),
    ("assetdb.unity", "assetdb.settings"),
    ("assetdb.system",),
    ("assetdb.errors",),
    ("assetdb.diagnostics", "assetdb.version"),
)
EXCEPTIONS: set[tuple[str, str]] = set()

# The rooms of builds in the same way; whose build something is (engines.detection) is asked before any is opened.
BUILDS = (
    ("served",),
    ("trace",),
    ("budgets",),
    ("reports",),
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
    if module == "assetdb.__main__":
        return "assetdb.cli"  # by `python -m assetdb`
    return "assetdb" if module == "assetdb" else ".".join(module.split(".")[:2])


def layer_of(part: str) -> int:
    for number, parts in enumerate(LAYERS):
        if part in parts:
            return number
    raise AssertionError(f"{part} has no layer: give it one in LAYERS")


def test_imports_point_one_way() -> None:
    wrong = []
    for module in modules("assetdb"):
        own = part_of(module)
        for name in sorted(imports_of(module)):
            other = part_of(name)
            if name.startswith("assetdb_formats") or other == own or (own, other) in EXCEPTIONS:
                continue
            if layer_of(other) <= layer_of(own):
                wrong.append(f"{module} imports {name}")
    assert not wrong, "a part imports those of the lines below its own in LAYERS alone"


def room_of(module: str) -> int:
    """Return the line of a module of builds in their table; the innermost room that it lies in counts."""
    words = module.removeprefix("assetdb.builds.").split(".")
    lines = {room: number for number, rooms in enumerate(BUILDS) for room in rooms}
    return next(lines[name] for end in (2, 1) if (name := ".".join(words[:end])) in lines)


def test_rooms_of_builds_import_one_way() -> None:
    public = {"assetdb.builds", "assetdb.builds.engines"}  # their names are imported when they are used
    wrong = [
        f"{module} imports {name}"
        for module in modules("assetdb/builds")
        if module not in public
        for name in sorted(imports_of(module))
        if name.startswith("assetdb.builds.") and room_of(name) < room_of(module)
    ]
    assert not wrong


def test_formats_import_nothing_of_assetdb() -> None:
    found = {name for module in modules("assetdb_formats") for name in imports_of(module)}
    assert not {name for name in found if not name.startswith("assetdb_formats")}


def test_the_package_imports_neither_tests_nor_scripts() -> None:
    found = {name for module in modules("assetdb") for name in imports_of(module)}
    assert not {name for name in found if name.startswith(("tests", "scripts"))}


HEAVY = (
    "argparse",
    "asyncio",
    "blake3",
    "hashlib",
    "json",
    "msgspec",
    "pathspec",
    "structlog",
    "typer",
    "xxhash",
    "yaml",
)


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import assetdb", ()),
        ("import assetdb; assetdb.Diagnostic", ()),
        ("import assetdb; assetdb.bake", ()),
        ("import assetdb; assetdb.open_database", ()),
        ("import assetdb.cli", ()),
        ("import assetdb.unity.metas.meta, assetdb.unity.yaml.text_asset, assetdb.unity.engine.classes", ()),
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
    assert set(expected.split()) <= set(dir(assetdb))
    for name in dir(assetdb):
        assert getattr(assetdb, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        assetdb.nothing  # type: ignore[attr-defined]  # noqa: B018 - that is the test


def test_modules_are_of_a_readable_size() -> None:
    sizes = {module: text_of(module).count("\n") for package in OURS for module in modules(package)}
    assert not {module: size for module, size in sizes.items() if size > 600}
