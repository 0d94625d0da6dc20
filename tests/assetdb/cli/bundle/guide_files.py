"""The bundles that ``docs/bundle.md`` and ``docs/bundle-unityfs.md`` show commands on."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from assetdb_formats.casset.identity import predicted_uuid
from tests.assetdb_formats.casset.builder import (
    BUNDLE_TYPE,
    CLASS_FIELDS,
    TRANSIENT,
    bundle3,
    bundle_object,
    object3,
    schema_entry,
    u32,
    u64,
    uuid,
    z,
)
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from pathlib import Path

NAME = "CAB-8d1f7f0ac1e4a1a8d0e5b4a9e0f3b6c2"


def write_unity_bundles(folder: Path) -> None:
    """Write basket.bundle, new.bundle (the same, but for a name) and other.bundle, which they refer to."""
    inner = builder.whole_file()
    resource = bytes(range(256)) * 2
    basket = builder.archive([(NAME, inner), (f"{NAME}.resS", resource)], block=4000)
    (folder / "basket.bundle").write_bytes(basket)
    renamed = inner.replace(b"Basket", b"Bucket")
    (folder / "new.bundle").write_bytes(builder.archive([(NAME, renamed), (f"{NAME}.resS", resource)], compression=1))
    p = builder.Packer()
    readme = builder.Thing(4242, 49, p.string(b"readme") + p.string(b"Eat."))
    other = builder.serialized_file([readme], builder.KINDS[2:])
    (folder / "other.bundle").write_bytes(builder.archive([("CAB-0a", other)]))


def write_island(folder: Path) -> None:
    """Write a project of CrystalEngine: a material that needs two textures and a button; one texture is not built."""
    texture = schema_entry(0, "/Code/Game.Rendering::Texture", [
        *CLASS_FIELDS, ("width", b"\x03"), ("height", b"\x03"), ("pixels", b"\x16"),
    ])  # fmt: skip
    button = schema_entry(0, "/Code/Game.UI::Button", CLASS_FIELDS)
    material = schema_entry(0, "/Code/Game.Rendering::Material", [
        *CLASS_FIELDS, ("textures", b"\x13"), ("tint", b"\x0f"), ("onChange", b"\x18"),
    ])  # fmt: skip

    def bundle(number: int, name: str, kind: bytes, values: bytes, dependencies: tuple[bytes, ...] = ()) -> bytes:
        own = uuid(number)
        fields = z(name) + uuid(number + 1) + u32(0) + own + own + values
        objects = [bundle_object(own, name, (number + 1,)), object3(number + 1, 1, name, name, fields, is_asset=1)]
        return bundle3([BUNDLE_TYPE, kind], objects, own=own, name=name, dependencies=dependencies)

    noise = predicted_uuid("/Engine/Assets/Textures/Noise")
    textures = u32(2) + uuid(0x201) + uuid(0x200) + uuid(9) + noise
    change = uuid(0x301) + uuid(0x300) + z("OnChange")
    cliff = textures + struct.pack("<4f", 1, 1, 1, 1) + change
    files = {
        "Game/Assets/Textures/Rock.casset": bundle(
            0x200, "Rock", texture, u32(2) + u32(2) + u64(16) + u64(0) + bytes(16)
        ),
        "Game/Assets/UI/Button.casset": bundle(0x300, "Button", button, b""),
        "Game/Assets/Materials/Cliff.casset": bundle(0x100, "Cliff", material, cliff, (uuid(0x200), uuid(0x200))),
        "Engine/Assets/Textures/Noise.png": b"",
    }
    assert TRANSIENT
    for name, data in files.items():
        path = folder / "Island" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
