"""What the compiled wheel is made of, and that nobody gets one who has not asked for it."""

import tomllib
from typing import Any

import pytest

from tests.architecture.imports import CHECKOUT, SOURCES

HOOK: dict[str, Any] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"][
    "targets"
]["wheel"]["hooks"]["custom"]


def test_modules_that_are_to_be_compiled_are_there() -> None:
    assert not [name for name in HOOK["modules"] if not (SOURCES[name.partition("/")[0]] / name).is_file()]


def test_the_sources_say_what_the_compiler_needs() -> None:
    assert [requirement.partition(">")[0] for requirement in HOOK["compile-requires"]] == ["mypy", "setuptools"]
    assert sorted(HOOK["modules"]) == HOOK["modules"]


def test_the_build_hook_compiles_nothing_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not here: only builds need it")
    from hatch_build import CompileHook  # noqa: PLC0415 - only where hatchling is

    monkeypatch.delenv("ASSETDB_COMPILE", raising=False)
    hook = CompileHook(str(CHECKOUT), HOOK, None, None, "", "")  # type: ignore[arg-type]
    assert hook.dependencies() == []
    data: dict[str, Any] = {"force_include": {}}
    hook.initialize("standard", data)
    package = ("package.json", "README.md", "CHANGELOG.md", "LICENSE.md", "Editor")
    files = [name for each in package for name in (each, f"{each}.meta")]
    assert sorted(data.pop("force_include").values()) == sorted(f"assetdb/unity_package/{name}" for name in files)
    data["force_include"] = {}
    monkeypatch.setenv("ASSETDB_COMPILE", "1")
    hook.initialize("editable", data)  # which is the sources themselves
    assert data == {"force_include": {}}
