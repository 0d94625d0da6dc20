"""A writer of synthetic packages, in every version: what the reader is tested on where no corpus is.

It writes field by field in the order of the format, with gates of its own, so that a gate that is wrong in the reader's
layouts is not wrong here as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from struct import pack

EDITOR = 0
COOKED = 0x80000200
UNVERSIONED_PROPERTIES = 0x2000
MAP = 0x20000

# (legacy, ue4, ue5) of every release and of some versions in between
VERSIONS = [
    (-3, 342, 0),
    (-5, 451, 0),
    (-5, 482, 0),
    (-6, 482, 0),
    (-6, 498, 0),
    (-6, 504, 0),
    (-6, 505, 0),
    (-7, 508, 0),
    (-7, 510, 0),
    (-7, 513, 0),
    (-7, 514, 0),
    (-7, 516, 0),
    (-7, 517, 0),
    (-7, 518, 0),
    (-7, 519, 0),
    (-7, 521, 0),
    (-7, 522, 0),
    (-8, 522, 1004),
    (-8, 522, 1008),
    (-8, 522, 1009),
    (-8, 522, 1012),
    (-8, 522, 1013),
    (-9, 522, 1017),
    (-9, 522, 1018),
]


def fstring(text: str) -> bytes:
    if not text:
        return pack("<i", 0)
    try:
        plain = text.encode("latin-1") + b"\0"
    except UnicodeEncodeError:
        wide = text.encode("utf-16-le") + b"\0\0"
        return pack("<i", -(len(wide) // 2)) + wide
    return pack("<i", len(plain)) + plain


@dataclass
class Writer:
    """What is in the package; `data` makes its bytes. Exports are (class import or 0, outer, name, payload, asset)."""

    legacy: int = -8
    ue4: int = 522
    ue5: int = 1009
    flags: int = EDITOR
    unversioned: bool = False
    package_name: str = "None"
    owner: str = "None"  # of every import: the package it is in, where that is not its outer's; "" for its own name
    imports: list[tuple[str, str, int, str]] = field(default_factory=list)
    exports: list[tuple[int, int, str, bytes, bool]] = field(default_factory=list)
    soft_packages: list[str] = field(default_factory=list)
    soft_paths: list[tuple[str, str, str]] = field(default_factory=list)
    searchable: list[tuple[int, list[str]]] = field(default_factory=list)
    assets: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    imports_in_game: list[bool] | None = None
    soft_in_game: list[bool] | None = None
    thumbnails: list[tuple[str, str, int, int, bytes]] = field(default_factory=list)
    texts: list[tuple[str, str, list[tuple[str, str]]]] = field(default_factory=list)
    metadata: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    resources: list[tuple[int, int, int, int, int, int, int]] = field(default_factory=list)
    payloads: list[bytes] | None = None
    extra_names: list[str] = field(default_factory=list)
    fortnite_version: int = -1
    tile_layer: str = ""
    cooked_owners: bool = False  # what 5.8 writes into cooked imports without a version of its own
    names: list[str] = field(default_factory=list)

    def name(self, text: str) -> bytes:
        stem, number = text, 0
        head, _, tail = text.rpartition("_")
        if head and tail.isdecimal() and (tail == "0" or tail[0] != "0"):
            stem, number = head, int(tail) + 1
        if stem not in self.names:
            self.names.append(stem)
        return pack("<ii", self.names.index(stem), number)

    @property
    def editor(self) -> bool:
        return not self.flags & 0x80000000

    def _import_rows(self) -> bytes:
        rows = b""
        for class_package, class_name, outer, name in self.imports:
            rows += self.name(class_package) + self.name(class_name) + pack("<i", outer) + self.name(name)
            if (self.editor and self.ue4 >= 520) or self.cooked_owners:
                rows += self.name(self.owner or name)
            if self.ue5 >= 1003:
                rows += pack("<i", 0)
        return rows

    def _export_rows(self, offset: int) -> bytes:
        rows = b""
        for class_index, outer, name, payload, asset in self.exports:
            rows += pack("<ii", class_index, 0)
            if self.ue4 >= 508:
                rows += pack("<i", 0)
            rows += pack("<i", outer) + self.name(name) + pack("<I", 1)
            rows += pack("<qq" if self.ue4 >= 511 else "<ii", len(payload), offset)
            rows += pack("<iii", 0, 0, 0)
            if self.ue5 < 1005:
                rows += bytes(16)
            if self.ue5 >= 1006:
                rows += pack("<i", 0)
            rows += pack("<I", 0)
            if self.ue4 >= 365:
                rows += pack("<i", 1)
            if self.ue4 >= 485:
                rows += pack("<i", int(asset))
            if self.ue5 >= 1003:
                rows += pack("<i", 0)
            if self.ue4 >= 507:
                rows += pack("<5i", -1, 0, 0, 0, 0)
            if self.ue5 >= 1010 and not self.flags & UNVERSIONED_PROPERTIES:
                rows += pack("<qq", 0, len(payload))
            offset += len(payload)
        return rows

    def data(self) -> bytes:
        """Return the package: laid out once to learn the sizes, then written with the offsets."""
        self._body(0, {})  # collects the names
        offsets: dict[str, int] = {}
        start = len(self._summary(offsets))
        self._body(start, offsets)
        self._body(start, offsets)
        return self._summary(offsets) + self._body(start, offsets)

    def _body(self, start: int, offsets: dict[str, int]) -> bytes:
        body = bytearray()

        def here() -> int:
            return start + len(body)

        for extra in self.extra_names:
            self.name(extra)
        offsets["names"] = here()
        for text in self.names:
            body += fstring(text)
            if self.ue4 >= 504:
                body += pack("<HH", 7, 9)
        offsets["soft_paths"] = here() if self.ue5 >= 1008 else 0
        if self.ue5 >= 1008:
            for package, asset, sub in self.soft_paths:
                body += self.name(package) + self.name(asset)
                if self.fortnite_version >= 192:
                    body += pack("<i", len(sub.encode())) + sub.encode()
                else:
                    body += fstring(sub)
        offsets["texts"] = here() if self.texts else 0
        for namespace, source, sites in self.texts:
            body += fstring(namespace) + fstring(source) + pack("<ii", 0, len(sites))
            for key, site in sites:
                body += fstring(key) + fstring(site) + pack("<iiii", 0, 0, 0, 0)
        offsets["metadata"] = here() if self.ue5 >= 1014 and self.editor else 0
        if offsets["metadata"]:
            body += pack("<ii", len(self.metadata), 0)
            for owned, pairs in self.metadata:
                body += pack("<ii", owned, len(pairs))
                for key, value in pairs.items():
                    body += self.name(key) + fstring(value)
        offsets["imports"] = here()
        body += self._import_rows()
        offsets["exports"] = here()
        body += self._export_rows(offsets.get("header_size", 0))
        offsets["cells"] = here() if self.ue5 >= 1015 else 0
        offsets["depends"] = here()
        for number in range(len(self.exports)):
            body += pack("<ii", 1, number + 1)
        offsets["soft_packages"] = here() if self.ue4 >= 384 else 0
        if self.ue4 >= 384:
            for package in self.soft_packages:
                body += self.name(package) if self.ue4 >= 514 else fstring(package)
        offsets["searchable"] = here() if self.ue4 >= 510 and self.editor else 0
        if offsets["searchable"]:
            body += pack("<i", len(self.searchable))
            for owner, names in self.searchable:
                body += pack("<ii", owner, len(names)) + b"".join(map(self.name, names))
        places = []
        for _, _, width, height, image in self.thumbnails:
            places.append(here())
            body += pack("<iii", width, height, len(image)) + image
        offsets["thumbnails"] = here() if self.thumbnails else 0
        if self.thumbnails:
            body += pack("<i", len(self.thumbnails))
            for thumbnail, place in zip(self.thumbnails, places, strict=True):
                body += fstring(thumbnail[0]) + fstring(thumbnail[1]) + pack("<i", place)
        offsets["registry"] = here() if self.assets or self.editor else 0
        if offsets["registry"]:
            flagged = self.ue4 >= 521 and self.editor
            if flagged:
                body += pack("<q", offsets.get("bits", 0))
            body += pack("<i", len(self.assets))
            for path, class_name, tags in self.assets:
                body += fstring(path) + fstring(class_name) + pack("<i", len(tags))
                for key, value in tags.items():
                    body += fstring(key) + fstring(value)
            if flagged:
                offsets["bits"] = here()
                for bits, count in (
                    (self.imports_in_game, len(self.imports)),
                    (self.soft_in_game, len(self.soft_packages)),
                ):
                    values = bits if bits is not None else [True] * count
                    words = [0] * ((len(values) + 31) // 32)
                    for place, used in enumerate(values):
                        words[place >> 5] |= int(used) << (place & 31)
                    body += pack(f"<i{len(words)}I", len(values), *words)
                if self.ue5 >= 1013:
                    body += pack("<i", 0)
        offsets["tile"] = here() if self.tile_layer else 0
        if self.tile_layer:
            body += pack("<iii", 1, 2, 3) if self.fortnite_version >= 1 else pack("<ii", 1, 2)
            body += pack("<6dB" if self.ue5 >= 1004 else "<6fB", 0, 0, 0, 1, 1, 1, 1)
            body += fstring(self.tile_layer) + pack("<iiiiii", 0, 0, 0, 50000, 1, 0) + fstring("/Game/Parent")
            body += pack("<i", 0) + pack("<i", 4)
        offsets["resources"] = here() if self.resources and self.ue5 >= 1009 else -1
        if offsets["resources"] > 0:
            body += pack("<Ii", 1, len(self.resources))
            for flags, offset, duplicate, size, raw, outer, legacy in self.resources:
                body += pack("<IqqqqiI", flags, offset, duplicate, size, raw, outer, legacy)
        offsets["header_size"] = here()
        for *_, payload, _ in self.exports:
            body += payload
        offsets["bulk"] = here()
        offsets["trailer"] = -1
        if self.payloads is not None and self.ue5 >= 1002:
            offsets["trailer"] = here()
            table = b""
            offset = 0
            for payload in self.payloads:
                table += pack("<20sqQQHHB", bytes(20), offset, len(payload), len(payload), 0, 0, 0)
                offset += len(payload)
            header = 28 + len(table)
            body += pack("<QiIQi", 0xD1C43B2E80A5F697, 2, header, offset, len(self.payloads)) + table
            body += b"".join(self.payloads)
            body += pack("<QQ", 0x29BFCA045138DE76, header + offset + 20)
        body += pack("<I", 0x9E2A83C1)
        return bytes(body)

    def _summary(self, offsets: dict[str, int]) -> bytes:
        at = offsets.get
        out = pack("<Ii", 0x9E2A83C1, self.legacy)
        ue4, ue5 = self.ue4, self.ue5
        if self.legacy != -4:
            out += pack("<i", 0 if self.unversioned else 864)
        out += pack("<i", 0 if self.unversioned else ue4)
        if self.legacy <= -8:
            out += pack("<i", 0 if self.unversioned else ue5)
        out += pack("<i", 0)
        size = pack("<i", at("header_size", 0))
        if ue5 >= 1016:
            out += bytes(range(20)) + size
        custom = [] if self.fortnite_version < 0 else [self.fortnite_version]
        out += pack("<i", len(custom))
        for version in custom:
            out += pack("<4Ii", 0x601D1886, 0xAC644F84, 0xAA16D3DE, 0x0DEAC7D6, version)
            if -5 <= self.legacy <= -3:
                out += fstring("friendly")
        if ue5 < 1016:
            out += size
        out += fstring(self.package_name) + pack("<I", self.flags)
        out += pack("<ii", len(self.names), at("names", 0))
        if ue5 >= 1008:
            out += pack("<ii", len(self.soft_paths), at("soft_paths", 0))
        if self.editor and ue4 >= 516:
            out += fstring("0123456789ABCDEF")
        if ue4 >= 459:
            out += pack("<ii", len(self.texts), at("texts", 0))
        out += pack("<iiii", len(self.exports), at("exports", 0), len(self.imports), at("imports", 0))
        if ue5 >= 1015:
            out += pack("<iiii", 0, at("cells", 0), 0, at("cells", 0))
        if ue5 >= 1014:
            out += pack("<i", at("metadata", 0))
        out += pack("<i", at("depends", 0))
        if ue4 >= 384:
            out += pack("<ii", len(self.soft_packages), at("soft_packages", 0))
        if ue4 >= 510:
            out += pack("<i", at("searchable", 0))
        out += pack("<i", at("thumbnails", 0))
        if ue5 >= 1018:
            out += pack("<ii", 0, 0)
        if ue5 < 1016:
            out += bytes(range(16))
        if self.editor and ue4 >= 518:
            out += bytes(range(16, 32))
            if ue4 < 520:
                out += bytes(16)
        out += pack("<iii", 1, len(self.exports), len(self.names))
        engine = pack("<HHHI", 4, 27, 2, 12345) + fstring("++UE4+Release")
        if ue4 >= 336:
            out += engine
        else:
            out += pack("<i", 12345)
        if ue4 >= 444:
            out += engine
        out += pack("<IIIi", 0, 0, 77, 0)
        if self.legacy > -7:
            out += pack("<i", 0)
        out += pack("<iq", at("registry", 0), at("bulk", 0))
        out += pack("<i", at("tile", 0))
        out += pack("<i", 0)
        if ue4 >= 507:
            out += pack("<ii", -1, 0)
        if ue5 >= 1001:
            out += pack("<i", len(self.names))
        if ue5 >= 1002:
            out += pack("<q", at("trailer", -1))
        if ue5 >= 1009:
            out += pack("<i", at("resources", -1))
        return out


def full(legacy: int, ue4: int, ue5: int, flags: int = EDITOR, **more: object) -> Writer:
    """Make a package with something in every table that the version has."""
    writer = Writer(legacy, ue4, ue5, flags)
    writer.fortnite_version = 200 if ue5 >= 1016 else 83 if ue5 else -1
    writer.imports = [
        ("/Script/CoreUObject", "Package", 0, "/Script/Engine"),
        ("/Script/CoreUObject", "Class", -1, "Blueprint"),
        ("/Script/CoreUObject", "Package", 0, "/Game/Folder/Other_3"),
        ("/Script/Engine", "Blueprint", -3, "Other_3"),
    ]
    writer.exports = [
        (-2, 0, "Thing", tagged_list(writer), True),
        (-2, 1, "Inner_0", tagged_list(writer), False),
    ]
    writer.soft_packages = ["/Game/Soft/Target"]
    writer.soft_paths = [("/Game/Soft/Target", "Target", "Sub.Path")]
    writer.assets = [
        ("Thing", "/Script/Engine.Blueprint" if ue5 >= 1008 else "Blueprint", {"Key": "Välue", "Wide": "語"})
    ]
    if writer.editor:
        writer.searchable = [(-4, ["Row_5", "Row"])]
        writer.thumbnails = [("Blueprint", "Thing", 0, 0, b""), ("Blueprint", "Inner", 2, -2, b"\xff\xd8\xff\xe0jpeg")]
        writer.imports_in_game = [True, False, False, True]
        writer.soft_in_game = [False]
        if ue4 >= 459:
            writer.texts = [("Space", "Hello", [("Key", "/Game/A.A:Site")])]
        if ue5 >= 1014:
            writer.metadata = [(0, {"Category": "Default"})]
        if ue5 >= 1002:
            writer.payloads = [b"payload", b"more"]
    elif ue5 >= 1009:
        writer.resources = [(1, 2, -1, 3, 4, 1, 72)]
    if ue4 >= 329:
        writer.tile_layer = "Layer"
    for key, value in more.items():
        setattr(writer, key, value)
    return writer


def tagged_list(writer: Writer) -> bytes:
    """Make the properties of an export: one of each shape that a tag has."""
    out = b"\0" if writer.ue5 >= 1011 else b""

    def tag(name: str, kinds: list[str], value: bytes, extra: bytes = b"", flags: int = 0) -> bytes:
        if writer.ue5 >= 1012:
            tree = b"".join(
                writer.name(kind) + pack("<i", int(place + 1 < len(kinds))) for place, kind in enumerate(kinds)
            )
            return writer.name(name) + tree + pack("<iB", len(value), flags) + value
        head = writer.name(name) + writer.name(kinds[0]) + pack("<ii", len(value), 0) + extra
        if writer.ue4 >= 503:
            head += b"\0"
        if writer.ue5 >= 1011:
            head += b"\0"
        return head + value

    real = "<3d" if writer.ue5 >= 1004 else "<3f"
    struct_extra = writer.name("Vector") + (bytes(16) if writer.ue4 >= 441 else b"")
    out += tag("Count", ["IntProperty"], pack("<i", 7))
    out += tag("Flag", ["BoolProperty"], b"", b"\1", 0x10)
    out += tag("Label", ["StrProperty"], fstring("text"))
    out += tag("Where", ["StructProperty", "Vector"], pack(real, 1, 2, 3), struct_extra, 8)
    out += tag("Parent", ["ObjectProperty"], pack("<i", -4))
    out += tag("Mode", ["ByteProperty", "EMode"], writer.name("EMode::On"), writer.name("EMode"))
    out += tag(
        "List", ["ArrayProperty", "NameProperty"], pack("<i", 1) + writer.name("Entry"), writer.name("NameProperty")
    )
    if writer.ue5 >= 1008:
        out += tag("Soft", ["SoftObjectProperty"], pack("<i", 0))
    elif writer.ue4 >= 514:
        out += tag("Soft", ["SoftObjectProperty"], writer.name("/Game/Soft/Target.Target") + fstring(""))
    else:
        out += tag("Soft", ["AssetObjectProperty"], fstring("/Game/Soft/Target.Target"))
    if writer.ue4 >= 509:
        pairs = pack("<ii", 0, 1) + writer.name("A") + pack("<i", 5)
        kinds = writer.name("NameProperty") + writer.name("IntProperty")
        if writer.ue5 >= 1012:
            tree = writer.name("MapProperty") + pack("<i", 2)
            tree += writer.name("NameProperty") + pack("<i", 0) + writer.name("IntProperty") + pack("<i", 0)
            out += writer.name("Map") + tree + pack("<iB", len(pairs), 0) + pairs
        else:
            out += tag("Map", ["MapProperty"], pairs, kinds)
    out += tag("Unknown", ["MysteryProperty"], b"mystery")
    return out + writer.name("None") + pack("<i", 0) + b"native tail"
