"""A fact that stands in the code as a literal stands in one module."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.architecture.imports import CHECKOUT, OURS, modules, nodes

OWNERS = {
    "asset-db.bin": "assetdb.store.files",
    "asset-db.index": "assetdb.store.files",
    "asset-db.cache": "assetdb.scan.known.cache",
    "asset-db.edits": "assetdb.scan.known.cache",
    "asset-db.seen": "assetdb.scan.known.file_identities",
    "asset-db.lock": "assetdb.store.files",
    "asset-db.memo": "assetdb.store.files",
    "asset-db.names": "assetdb.store.files",
    ".assetdb-mending": "assetdb.settings.project",
    ".assetdb-removed": "assetdb.settings.project",
    "assetdb.toml": "assetdb.settings.project",
    "version https://git-lfs": "assetdb.unity.kinds",
    "bbb281ee3bf0b054c82ac2347e9e782c": "assetdb.unity.settings.addressables",
    "ProjectSettings/EditorBuildSettings.asset": "assetdb.unity.settings.build_settings",
}


@cache
def constants(module: str) -> list[str]:
    """Return the strings of a module that are no docstrings, bytes as text."""
    found = []
    documentation = {id(node.value) for node in nodes(module) if isinstance(node, ast.Expr)}
    for node in nodes(module):
        if isinstance(node, ast.Constant) and id(node) not in documentation:
            if isinstance(node.value, bytes):
                found.append(node.value.decode("latin-1"))
            elif isinstance(node.value, str):
                found.append(node.value)
    return found


@pytest.mark.parametrize(("literal", "owner"), OWNERS.items())
def test_a_literal_has_one_owner(literal: str, owner: str) -> None:
    holders = {
        module
        for module in modules("assetdb")
        for text in constants(module)
        if text == literal or (literal.startswith("version ") and text.startswith(literal))
    }
    assert holders == {owner}


def test_the_fixture_is_taken_from_one_module() -> None:
    """The README's first command leaves a database in the fixture, which a test's copy must not contain."""
    itself = re.compile(r'(?:CHECKOUT|_ROOT|parents\[\d\]) / "fixtures["/]|copytree\(FIXTURE')
    paths = [path for folder in ("tests", "scripts") for path in (CHECKOUT / folder).rglob("*.py")]
    takers = {path.relative_to(CHECKOUT).as_posix() for path in paths if itself.search(path.read_text("utf-8"))}
    alone = {"scripts/release/transcript.py"}  # is run by itself, by a Python that has nothing of the checkout
    assert takers - alone == {"scripts/fixture.py"}


DESCRIPTORS = ("descriptor", "index", "reading", "result")
READ_BY_NAME = {
    "assetdb.cli.history.annotate": "a terminal or a pipe that the user names",
    "assetdb.daemon.endpoint": "our own",
    "assetdb.daemon.observers.inotify_calls": "a setting of Linux",
    "assetdb.daemon.observers.paths": "mounts of Linux",
    "assetdb.doctor.merging": "in a temporary folder",
    "assetdb.client.command": "our own",
    "assetdb.export.formats": "pieces in a temporary folder",
    "assetdb.packages.public.table": "installed with us",
    "assetdb.store.lock_owner": "what Linux says of processes",
    "assetdb_formats.unityfs.types.layouts": "installed with us",
}
"""Modules that open files for reading as Python does, and which."""


def test_what_is_read_others_may_rename_and_remove() -> None:
    """On Windows git, Unity and editors fail at a file that is open, unless whoever opened it agreed."""
    found = set()
    for module in (module for package in OURS for module in modules(package)):
        for node in nodes(module):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
                file, mode = node.args[0], next((ast.unparse(word) for word in node.args[1:2]), "'r'")
                is_opened = isinstance(file, ast.Call) and "open" in ast.unparse(file.func)
                is_opened |= any(word.arg == "opener" for word in node.keywords)
                if mode in ("'r'", "'rb'") and not is_opened and ast.unparse(file) not in DESCRIPTORS:
                    found.add(module)
    assert found == set(READ_BY_NAME)


def test_only_the_terminal_writes_json() -> None:
    writers = {
        module
        for module in modules("assetdb")
        if module.startswith("assetdb.cli.")
        for node in nodes(module)
        if isinstance(node, ast.Attribute | ast.Name)
        and (node.attr if isinstance(node, ast.Attribute) else node.id) in ("dumps", "JSONEncoder")
    }
    assert writers <= {"assetdb.cli.terminal"}
