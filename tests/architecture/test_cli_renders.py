"""The command line only renders: what takes a bundle, a catalog or a database and returns facts lies elsewhere."""

from __future__ import annotations

import ast

from tests.architecture.imports import modules, nodes

SUBJECTS = {
    *("Database", "Snapshot", "Catalog", "OpenCatalog", "Bundle", "Archive", "SerializedFile", "Package", "Container"),
    *("Pak", "Toc", "Graph", "Resolver"),
}
RENDERED = {"None", "int", "int | None", "str", "bool", "NoReturn", "Iterator[str]", "list[str]", "ExitCode"}


def subjects_in(annotation: ast.expr | None) -> set[str]:
    """Return the subjects that a parameter is: ``Catalog | None`` is one, a function that takes one is none."""
    if annotation is None or isinstance(annotation, ast.Subscript):
        return set()
    return {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)} & SUBJECTS


def test_no_function_takes_a_subject_and_returns_facts() -> None:
    found = []
    for node in (node for module in modules("assetdb/cli") for node in nodes(module)):
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            takes = {name for argument in arguments for name in subjects_in(argument.annotation)}
            returns = ast.unparse(node.returns) if node.returns else ""
            if takes and returns not in RENDERED:
                found.append(f"{node.name}({', '.join(sorted(takes))}) -> {returns}")
    assert not found
