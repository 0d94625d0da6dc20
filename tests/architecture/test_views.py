"""Rules see a project through a recording view alone, so that nothing they rest on is forgotten."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.imports import modules, source

RULES = [name for name in modules("assetdb") if name.startswith("assetdb.checks.rules.")] + ["assetdb.checks.lineage"]
FORBIDDEN_MODULES = (
    "os",
    "io",
    "pathlib",
    "glob",
    "subprocess",
    "assetdb.system.reading",
    "assetdb.query.snapshots.snapshot",
)
FORBIDDEN_CALLS = ("open", "read_file", "listdir", "stat", "lstat", "scandir")


@pytest.mark.parametrize("module", RULES)
def test_a_rule_looks_at_nothing_but_its_view(module: str) -> None:
    for node in ast.walk(ast.parse(source(module).read_text())):
        if isinstance(node, ast.Import):
            assert not {row.name for row in node.names}.intersection(FORBIDDEN_MODULES), f"{module}:{node.lineno}"
        elif isinstance(node, ast.ImportFrom):
            assert node.module not in FORBIDDEN_MODULES, f"{module}:{node.lineno}"
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            assert name not in FORBIDDEN_CALLS, f"{module}:{node.lineno}"
