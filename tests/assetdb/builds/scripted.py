"""A player without type trees whose scripts have fields, and the DLL beside it that says which."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

from tests.assetdb.builds.making import (
    GAME_OBJECT,
    MONO_BEHAVIOUR,
    MONO_SCRIPT,
    VERSION,
    fill,
    player,
    script,
    text,
)
from tests.assetdb_formats.dotnet.assembly_writer import assembly
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import External, Kind, Thing

if TYPE_CHECKING:
    from pathlib import Path

FIELDS = ("public string title", "public UnityEngine.Texture2D[] fruits", "private [SerializeField] bool ripe")


def code(*fields: str) -> bytes:
    return assembly("Assembly-CSharp", {"Game.Picker : UnityEngine.MonoBehaviour": fields})


def behaviour(*pointers: tuple[int, int], more: bytes = b"") -> bytes:
    """Return a MonoBehaviour whose script has FIELDS."""
    data = pack("<iq", 0, 10) + b"\1\0\0\0" + pack("<iq", 0, 77) + text("") + text("a title")
    return data + pack("<i", len(pointers)) + b"".join(pack("<iq", *one) for one in pointers) + b"\1\0\0\0" + more


def scene(folder: Path, *behaviours: bytes, version: str = VERSION) -> None:
    """Replace the scene of a player by one with these MonoBehaviours from PathID 12 on."""
    ids = range(12, 12 + len(behaviours))
    things = [Thing(10, GAME_OBJECT, fill(GAME_OBJECT, "Tree", tuple((0, number) for number in ids), version=version))]
    things += [Thing(number, MONO_BEHAVIOUR, data) for number, data in zip(ids, behaviours, strict=True)]
    things.append(Thing(77, MONO_SCRIPT, script("Picker")))
    kinds = [Kind(number, ()) for number in dict.fromkeys(thing.class_id for thing in things)]
    others = (External("globalgamemanagers.assets"), External("sharedassets0.assets"))
    data = builder.serialized_file(things, kinds, trees=False, externals=others, unity_version=version)
    (folder / "level0").write_bytes(data)


def scripted_player(folder: Path) -> Path:
    """Write a player with two MonoBehaviours whose fields its DLL has."""
    made = player(folder)
    scene(made, behaviour((2, 3), (0, 0), (2, 4)), behaviour((2, 4)))
    (made / "Managed/Assembly-CSharp.dll").write_bytes(code(*FIELDS))
    return made
