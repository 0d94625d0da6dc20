"""Particle systems that show none of the sprites in their list."""

from __future__ import annotations

import pytest

from assetdb.unity.content.particles import without_sprites


def system(number: int, *values: str, module: str = "UVModule") -> str:
    """Return a particle system with values of one module, between others that are off."""
    rows = "".join(f"    {value}\n" for value in values)
    off = "    enabled: 0\n    mode: 0\n"
    return f"--- !u!198 &{number}\nParticleSystem:\n  SizeModule:\n{off}  {module}:\n{rows}  VelocityModule:\n{off}"


@pytest.mark.parametrize(
    ("values", "is_found"),
    [
        (("enabled: 1", "mode: 1"), False),
        (("enabled: 1", "mode: 0"), True),
        (("enabled: 0", "mode: 1"), True),
        (("enabled: 0", "mode: 0"), True),
        (("enabled: 1",), False),  # of a Unity that has no such list
        (("serializedVersion: 2", "enabled: 1", "mode: 1", "timeMode: 0", "sprites:", "- sprite: {fileID: 0}"), False),
        (("enabled: 1", "curve:", "  mode: 0", "  enabled: 0", "mode: 1"), False),  # keys of what is in it
    ],
    ids=str,
)
def test_sprites_are_shown_where_the_module_is_on_and_its_mode_is_sprites(
    values: tuple[str, ...],
    is_found: bool,  # noqa: FBT001 - a row
) -> None:
    text = f"%YAML 1.1\n{system(-5, *values)}{system(6, 'enabled: 1', 'mode: 1')}"
    for data in (text, text.replace("\n", "\r\n")):
        assert without_sprites(data.encode()) == ({-5} if is_found else frozenset())


def test_other_modules_say_nothing() -> None:
    assert without_sprites(system(5, "enabled: 0", "mode: 0", module="LightsModule").encode()) == frozenset()
    assert without_sprites(b"") == frozenset()
