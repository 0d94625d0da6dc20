"""What a wheel is made of, and that cargo runs only where it is asked for."""

from typing import Any

import pytest

from tests.architecture.imports import CHECKOUT


def test_the_build_hook_builds_nothing_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not here: only builds need it")
    from hatch_build import ContentHook  # noqa: PLC0415 - only where hatchling is

    hook = ContentHook(str(CHECKOUT), {}, None, None, "", "")  # type: ignore[arg-type]
    package = ("package.json", "README.md", "CHANGELOG.md", "LICENSE.md", "Editor")
    files = [name for each in package for name in (each, f"{each}.meta")]
    for switch in (None, "", "0"):
        monkeypatch.delenv("ASSETDB_NATIVE", raising=False)
        if switch is not None:
            monkeypatch.setenv("ASSETDB_NATIVE", switch)
        data: dict[str, Any] = {"force_include": {}}
        hook.initialize("standard", data)
        assert sorted(data.pop("force_include").values()) == sorted(f"assetdb/unity_package/{name}" for name in files)
        assert data == {}
    data = {"force_include": {}}
    monkeypatch.setenv("ASSETDB_NATIVE", "1")
    hook.initialize("editable", data)  # which is the sources themselves
    assert data == {"force_include": {}}


def test_a_native_wheel_is_one_for_all_versions_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not here: only builds need it")
    import hatch_build  # noqa: PLC0415 - only where hatchling is

    monkeypatch.setenv("ASSETDB_NATIVE", "1")
    monkeypatch.setattr(hatch_build, "_built", lambda root: root / "lib_native.so")
    monkeypatch.setattr("sysconfig.get_platform", lambda: "linux-x86_64")
    data: dict[str, Any] = {"force_include": {}}
    hatch_build.ContentHook(str(CHECKOUT), {}, None, None, "", "").initialize("standard", data)  # type: ignore[arg-type]
    assert data["force_include"][str(CHECKOUT / "lib_native.so")] == "assetdb/_native.abi3.so"
    assert (data["pure_python"], data["tag"]) == (False, "cp311-abi3-linux_x86_64")


def test_a_module_for_windows_makes_a_wheel_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not here: only builds need it")
    from hatch_build import ContentHook  # noqa: PLC0415 - only where hatchling is

    monkeypatch.setenv("ASSETDB_NATIVE", "build/windows/_native.pyd")
    data: dict[str, Any] = {"force_include": {}}
    ContentHook(str(CHECKOUT), {}, None, None, "", "").initialize("standard", data)  # type: ignore[arg-type]
    assert data["force_include"]["build/windows/_native.pyd"] == "assetdb/_native.pyd"
    assert (data["pure_python"], data["tag"]) == (False, "cp311-abi3-win_amd64")
