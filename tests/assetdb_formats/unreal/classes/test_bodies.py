"""Classes that write themselves: what is read of their bodies, and that nothing of them is called damaged."""

from __future__ import annotations

from importlib.util import find_spec
from struct import pack
from typing import TYPE_CHECKING

import pytest
from blake3 import blake3

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.classes.rig_hierarchy import read_rig_hierarchy
from assetdb_formats.unreal.codecs.oodle import OodleProcess
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.properties.exports import PropertyReader
from assetdb_formats.unreal.scanning.scan import check_file
from tests.assetdb_formats.unreal.package_writer import Writer, fstring

if TYPE_CHECKING:
    from pathlib import Path

OODLE = pytest.mark.skipif(find_spec("ooz") is None, reason="the oodle extra is not installed")


def package_of(class_name: str, body: bytes, ue5: int = 1009, module: str = "/Script/RigVMDeveloper") -> Package:
    writer = Writer(-8, 522, ue5)
    writer.imports = [
        ("/Script/CoreUObject", "Package", 0, module),
        ("/Script/CoreUObject", "Class", -1, class_name),
    ]
    writer.exports = [(-2, 0, "Thing", body, True)]
    return Package(writer.data())


def test_a_link_is_its_two_pins() -> None:
    found = PropertyReader(package_of("RigVMLink", fstring("A.Out") + fstring("B.In"))).read(0)
    assert found.writes_itself
    assert found.body == {"source": "A.Out", "target": "B.In"}
    assert (found.properties, found.tail.size) == ([], 0)


def test_a_node_is_its_attributes() -> None:
    values = b"\1" + pack("<i", 7) + "语".encode("utf-16-le") + b"\0\0" + b"??"
    body = pack("<Qfi", 0, 0.1, 4)
    for key, offset, size, kind in (("On", 0, 1, 1), ("Count", 1, 4, 12), ("Label", 5, 4, 18), ("Odd", 9, 2, 99)):
        body += fstring(key) + pack("<QQiI16s", offset, size, kind, 0, bytes(16))
    body += pack("<Q", len(values)) + values
    package = package_of("InterchangeSomethingNode", body, module="/Script/InterchangeNodes")
    found = PropertyReader(package).read(0)
    assert found.body == {"On": True, "Count": 7, "Label": "语", "Odd": b"??"}
    assert found.tail.size == 0


@pytest.mark.parametrize("class_name", ["RigVMLink", "RigVM", "RigHierarchy", "InterchangeMeshNode"])
def test_a_body_of_a_layout_that_is_not_known_is_no_damage(class_name: str) -> None:
    found = PropertyReader(package_of(class_name, b"\xff" * 40)).read(0)
    assert (found.writes_itself, found.body, found.tail.size) == (True, None, 40)


def test_a_class_that_has_properties_is_damaged_without_them() -> None:
    with pytest.raises(FormatError, match="names number"):
        PropertyReader(package_of("StaticMesh", b"\xff" * 40, module="/Script/Engine")).read(0)


@pytest.mark.parametrize("ue5", [1010, 1012])
def test_a_class_that_states_no_properties_writes_itself(ue5: int) -> None:
    data = bytearray(_with_script_range(b"\xff" * 40, ue5))
    package = Package(bytes(data))
    assert package.exports.records()[0].script == (0, 40)
    with pytest.raises(FormatError):  # it says that it has properties
        PropertyReader(package).read(0)
    place = data.index(pack("<qq", 0, 40))
    data[place : place + 16] = bytes(16)
    found = PropertyReader(Package(bytes(data))).read(0)
    assert (found.writes_itself, found.body, found.tail.size) == (True, None, 40)


def _with_script_range(body: bytes, ue5: int = 1012) -> bytes:
    writer = Writer(-8, 522, ue5)
    writer.exports = [(0, 0, "Thing", body, True)]
    return writer.data()


@pytest.mark.parametrize("version", [14, 19, 22, 25, 28, 32, 34, 35, 37, 38, 39])
def test_hierarchies_of_every_layout(version: int) -> None:
    """A bone, a control below it, a curve; written by the gates as they are listed, compressed or not."""
    writer = Writer(-8, 522, 1009)
    name = writer.name
    real = pack("<10d", *range(10))

    def transform() -> bytes:
        return pack("<i", 1) if version >= 35 else real + pack("<i", 1)

    pose = transform() * 4

    def static(kind: str, label: str) -> bytes:
        out = name(f"ERigElementType::{kind}") + name(label)
        if 20 <= version < 28:
            out += pack("<i", 0)
        if kind == "Curve":
            return out + (pack("<i", 1) if version >= 16 else b"") + pack("<f", 1)
        out += pose
        if kind == "Bone":
            return out + name("ERigBoneType::Imported")
        out += pack("<i", 1)  # parents
        out += name("A") * (4 if version >= 17 else 3) + pack("<i", 0)
        if version < 17:
            out += pack("<i", 0)
        out += pack("<iii", 1, 0, 1) + pack("<i", 0) + bytes(256)
        if version < 17:
            out += pack("<i", 1)
        out += pack("<i", 1) + (name("B") if version >= 17 else b"") + name("Circle") + bytes(16) + pack("<i", 0)
        out += fstring("") + pack("<i", 0)
        if version >= 17:
            out += pack("<ii", 0, 1)
        if version >= 22:
            out += pack("<i", 0)
        if version >= 23:
            out += pack("<i", 2) + b"\1\2"
        if version >= 26:
            out += b"\3"
        if version >= 27:
            out += pack("<i", 1)
        out += pose * 2
        return out + (name("XYZ") + bytes(48) if version >= 19 else b"")

    elements = [("Bone", "root"), ("Control", "ctrl"), ("Curve", "smile")]
    out = b""
    if version >= 35:
        out += pack("<i7ii", version, 1, 0, 1, 1, 1, 1, 1, 0)
    elif version >= 33:
        out += pack("<i", 0)
    out += pack("<i", len(elements))
    keys = [name(f"ERigElementType::{kind}") + name(label) for kind, label in elements]
    bodies = [static(*element) for element in elements]
    if version >= 32:
        out += b"".join(keys) + b"".join(bodies)
    else:
        out += b"".join(key + body for key, body in zip(keys, bodies, strict=True))
    out += name("ERigElementType::None") + name("None")  # the bone's parent
    out += keys[0] + bytes(24) + (name("Label") if version >= 37 else b"")  # the control's
    if version >= 25:
        out += pack("<ii", 0, 0)
    if version >= 28:
        out += pack("<i", 1) + keys[0] + pack("<i", 1) + name("Tags") + name("T") + name("Tags") + b"\7"
        out += pack("<i", 1) + name("Hand")
    if version >= 34:
        out += pack("<i", 0)
    writer.exports = [(0, 0, "Thing", out, True)]
    package = Package(writer.data())
    summary = package.summary._replace(
        legacy_version=-8,
        custom_version_count=1,
        custom_version_data=pack("<4Ii", 0xA7820CFB, 0x20A74359, 0x8C542C14, 0x9623CF50, version),
    )
    found, end = read_rig_hierarchy(out, len(out), package.names, summary, None)
    assert end == len(out)
    assert found["elements"] == [
        {"type": "Bone", "name": "root"},
        {"type": "Control", "name": "ctrl", "parents": ["root"]},
        {"type": "Curve", "name": "smile"},
    ]
    if version >= 28:
        assert found["metadata"] == {"Bone root": {"Tags": ["Hand"]}}
    for size in range(0, len(out), 7):
        with pytest.raises(FormatError):
            read_rig_hierarchy(out[:size], size, package.names, summary, None)


def found_packages(corpus: Path) -> list[Path]:
    return sorted((corpus / "builds" / "found" / "unreal").glob("*.uasset"))


@pytest.mark.corpus("builds")
def test_every_export_of_the_packages_that_were_called_damaged(corpus: Path) -> None:
    exports = bodies = 0
    for path in found_packages(corpus):
        package = Package(path.read_bytes())
        assert package.damage() == []
        assert check_file(str(path), None) == ""
        reader = PropertyReader(package)
        for number, export in enumerate(package.exports.records()):
            found = reader.read(number)
            assert found.end + found.tail.size == export.serial_offset + export.serial_size
            exports += 1
            if found.writes_itself:
                bodies += 1
                assert found.body is not None
                assert found.tail.size == 0
    assert (exports, bodies) == (733, 53)


@OODLE
@pytest.mark.corpus("builds")
def test_the_bones_of_a_real_rig(corpus: Path) -> None:
    package = Package((corpus / "builds" / "found" / "unreal" / "CR_Mannequin_FootIK.uasset").read_bytes())
    with OodleProcess() as oodle:
        reader = PropertyReader(package, oodle=oodle)
        number = [record.object_name for record in package.exports.records()].index("Hierarchy")
        body = reader.read(number).body
    assert body is not None
    elements = body["elements"]
    assert len(elements) == 292
    assert elements[1] == {"type": "Bone", "name": "pelvis", "parent": "root"}
    known = {element["name"] for element in elements}
    assert all(element.get("parent", "root") in known for element in elements)


@pytest.mark.corpus("builds")
def test_a_payload_has_the_hash_that_its_trailer_states(corpus: Path) -> None:
    package = Package((corpus / "builds" / "found" / "unreal" / "waterNormal.uasset").read_bytes())
    trailer = package.trailer
    assert trailer is not None
    (payload,) = trailer.payloads
    start = trailer.data_offset + payload.offset
    stored = package.data[start : start + payload.compressed_size]
    assert blake3(stored[-payload.raw_size :]).digest()[:20] == payload.identifier  # stored without compression
