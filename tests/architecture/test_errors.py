"""The tree of errors that ``assetdb/errors.py`` draws has all classes, each where it belongs."""

from __future__ import annotations

import ast
import builtins
import re
from typing import NamedTuple

from tests.architecture.imports import modules, nodes, text_of

ERRORS = "assetdb.errors"
FORMATS = "FormatError"
ROW = re.compile(r"^    ((?:│   )*(?:[├└]── )?)(\w+)(?: .*?)?(?:\[([\w.]+)\])?$", re.MULTILINE)


class Error(NamedTuple):
    name: str
    module: str
    parent: str
    """A class above it, or where there is none in the sources, one of Python's."""


def drawn() -> set[Error]:
    """Return the rows of the drawing below the first of each tree."""
    found = set()
    path: list[str] = []
    for indent, name, module in ROW.findall(ast.get_docstring(ast.parse(text_of(ERRORS)), clean=False) or ""):
        depth = len(indent) // 4
        path[depth:] = [name]
        if depth:
            found.add(Error(name, module or ERRORS, path[depth - 1]))
    return found


def defined(package: str) -> set[Error]:
    """Return the public classes of a package that are errors, each with the first class that it is made of."""
    classes = {
        (node.name, module): [ast.unparse(base).rpartition(".")[2] for base in node.bases]
        for module in modules(package)
        for node in nodes(module)
        if isinstance(node, ast.ClassDef)
    }
    known = {
        name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
    }
    while more := {name for (name, _), bases in classes.items() if known.intersection(bases)} - known:
        known |= more
    return {
        Error(name, module, bases[0])
        for (name, module), bases in classes.items()
        if known.intersection(bases) and not name.startswith("_")
    }


def plain(errors: set[Error]) -> set[Error]:
    """Return errors with those of Python's that the drawing does not tell apart as one."""
    own = {error.name for error in errors}
    return {
        error if error.parent in (*own, "BaseException") else error._replace(parent="Exception") for error in errors
    }


def test_the_drawing_has_every_error_of_the_package() -> None:
    found = {error for error in drawn() if error.parent != FORMATS}
    assert found == {error for error in plain(defined("assetdb")) if error.name != "AssetdbError"}


def test_the_drawing_has_every_family_of_foreign_formats() -> None:
    found = {error for error in drawn() if error.parent == FORMATS}
    assert found == {error for error in defined("assetdb_formats") if error.parent == FORMATS}


def test_errors_of_a_format_have_one_root() -> None:
    """What a library of formats raises can be caught as one, but for two that the system's errors are like."""
    loose = {error.name for error in plain(defined("assetdb_formats")) if error.parent == "Exception"}
    assert loose == {FORMATS, "NotRegularFileError", "FileTooLargeError"}
