"""Public names that are imported when they are first used."""

import ast
import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

import assetdb_formats.unityfs
from assetdb_formats.lazy_names import lazy_names

PACKAGES = (
    "assetdb",
    "assetdb.builds",
    "assetdb.builds.engines",
    "assetdb_formats.addressables",
    "assetdb_formats.casset",
    "assetdb_formats.unityfs",
    "assetdb_formats.unreal",
)


def test_a_name_is_imported_from_its_home_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    home = ModuleType("somewhere.home")
    home.thing = object()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "somewhere", ModuleType("somewhere"))
    monkeypatch.setitem(sys.modules, "somewhere.home", home)
    namespace: dict[str, object] = {}
    public, load, listed = lazy_names("somewhere", namespace, {"home": ("thing", "other")}, {"other": "thing"})
    assert load("other") is home.thing
    assert namespace == {"other": home.thing}
    assert listed() == public == ["other", "thing"]
    with pytest.raises(AttributeError, match="module 'somewhere' has no attribute 'hidden'"):
        load("hidden")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_there(package: str) -> None:
    module = __import__(package, fromlist=("",))
    assert dir(module) == sorted(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is not None


@pytest.mark.parametrize("package", PACKAGES)
def test_type_checkers_see_the_same_names(package: str) -> None:
    module = importlib.import_module(package)
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    names = {ast.unparse(node.targets[0]) for node in block.body if isinstance(node, ast.Assign)}
    for node in block.body:
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if alias.asname is not None:
                names.add(alias.asname)
                home = importlib.import_module(str(node.module))
                assert getattr(module, alias.asname) is getattr(home, alias.name)
    assert sorted(names) == dir(module)


def test_a_name_that_would_hide_a_function_of_python_has_another_in_its_module() -> None:
    assert assetdb_formats.unityfs.open is importlib.import_module("assetdb_formats.unityfs.bundle").open_bundle
