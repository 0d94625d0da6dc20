"""The imports of the project, read from its sources: what the tests of the architecture look at."""

from __future__ import annotations

import ast
import gc
import os
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
SOURCES = {"assetdb": CHECKOUT, "assetdb_formats": CHECKOUT / "formats"}
"""The packages of the wheel, and the folder that each lies in."""
OURS = tuple(SOURCES)
PYTHONPATH = os.pathsep.join(map(str, SOURCES.values()))


@cache
def modules(folder: str) -> tuple[str, ...]:
    """Return the dotted names of all modules below a package or a folder in one (``assetdb/builds``), sorted."""
    found = []
    place = SOURCES[folder.partition("/")[0]]
    for path in sorted((place / folder).rglob("*.py")):
        parts = path.relative_to(place).with_suffix("").parts
        found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return tuple(found)


def source(module: str) -> Path:
    """Return the file of a module."""
    path = SOURCES.get(module.partition(".")[0], CHECKOUT).joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def text_of(module: str) -> str:
    """Return the source of a module."""
    return source(module).read_text("utf-8")


@cache
def tree(module: str) -> ast.Module:
    """Return a module as it is parsed."""
    gc.disable()  # all trees are kept: to go over them while more are made takes three times as long as to parse
    try:
        return ast.parse(text_of(module))
    finally:
        gc.enable()


@cache
def nodes(module: str) -> tuple[ast.AST, ...]:
    """Return all nodes of a module: several tests go over them."""
    return tuple(ast.walk(tree(module)))


@cache
def imports_of(module: str) -> frozenset[str]:
    """Return the modules of this project that a module imports, also inside functions and for types."""
    found = set()
    for node in nodes(module):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: imports are absolute"
            name = node.module or ""
            for alias in node.names:
                whole = f"{name}.{alias.name}"
                found.add(whole if source(whole).is_file() else name)
    return frozenset(name for name in found if name.partition(".")[0] in (*OURS, "tests", "scripts"))


def circle() -> list[str]:
    """Return modules that import each other in a circle, or none."""
    graph = {module: imports_of(module) - {module} for folder in OURS for module in modules(folder)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []
