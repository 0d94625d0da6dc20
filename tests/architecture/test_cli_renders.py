"""The command line only renders: what takes a bundle, a catalog or a database and returns facts lies elsewhere."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.imports import modules, tree

SUBJECTS = {
    *("Database", "Snapshot", "Catalog", "OpenCatalog", "Bundle", "Archive", "SerializedFile", "Package", "Container"),
    *("Pak", "Toc", "Graph", "Resolver"),
}
RENDERED = {"None", "int", "str", "bool", "NoReturn", "Iterator[str]", "list[str]", "ExitCode"}


def names_in(annotation: ast.expr | None) -> set[str]:
    """Return the names that an annotation holds."""
    if annotation is None:
        return set()
    return {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}


@pytest.mark.parametrize("module", [m for m in modules("assetdb") if m.startswith("assetdb.cli.")])
def test_no_function_takes_a_subject_and_returns_facts(module: str) -> None:
    found = []
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            takes = {name for argument in arguments for name in names_in(argument.annotation)} & SUBJECTS
            returns = ast.unparse(node.returns) if node.returns else ""
            if takes and returns not in RENDERED:
                found.append(f"{node.name}({', '.join(sorted(takes))}) -> {returns}")
    assert not found
