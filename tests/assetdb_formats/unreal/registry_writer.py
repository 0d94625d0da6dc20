"""A writer of synthetic asset registries, in every version that is read: no real one is at hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from struct import pack

from tests.assetdb_formats.unreal.package_writer import fstring

MAGIC = pack("<4I", 0x717F9EE7, 0xE9B0493A, 0x88B39132, 0x1B388107)


@dataclass
class RegistryWriter:
    """Assets are (package, asset, class package, class, tags by type); nodes (package, needed, named, managed)."""

    version: int = 21
    assets: list[tuple[str, str, str, str, dict[str, tuple[int, str]]]] = field(default_factory=list)
    nodes: list[tuple[str, list[int], list[int], list[int]]] = field(default_factory=list)
    packages: list[tuple[str, int]] = field(default_factory=list)
    text_first: bool = True
    filtered: bool = True
    names: list[str] = field(default_factory=list)

    def _index(self, text: str) -> tuple[int, int]:
        stem, number = text, 0
        head, _, tail = text.rpartition("_")
        if head and tail.isdecimal() and (tail == "0" or tail[0] != "0"):
            stem, number = head, int(tail) + 1
        if stem not in self.names:
            self.names.append(stem)
        return self.names.index(stem), number

    def name(self, text: str) -> bytes:
        index, number = self._index(text)
        if self.version < 8:
            return pack("<Ii", index, number)
        return pack("<II", index | 1 << 31, number) if number else pack("<I", index)

    def string(self, text: str) -> bytes:
        return pack("<i", len(text.encode())) + text.encode() if self.version >= 19 else fstring(text)

    def data(self) -> bytes:
        self._body()  # collects the names
        out = MAGIC + pack("<i", self.version)
        if self.version >= 16:
            out += pack("<i", self.filtered)
        body = self._body()
        if self.version < 8:
            place = len(out) + 8 + len(body)
            table = b"".join(fstring(text) + pack("<HH", 1, 2) for text in self.names)
            return out + pack("<q", place) + body + pack("<i", len(self.names)) + table
        texts = [text.encode() for text in self.names]
        out += pack("<IIQ", len(texts), sum(map(len, texts)), 0xC1640000) + bytes(8 * len(texts))
        out += b"".join(pack(">H", len(text)) for text in texts) + b"".join(texts)
        return out + body

    def _store(self) -> tuple[bytes, list[int]]:
        """Return the store of tags and the handle of each asset's."""
        values: list[list[str]] = [[] for _ in range(7)]
        plain: list[bytes] = []
        whole: list[bytes] = []
        handles = []
        for *_, tags in self.assets:
            numbered = any(self._index(key)[1] for key in tags)
            pairs = whole if numbered else plain
            handles.append((0 if numbered else 1 << 63) | len(tags) << 32 | len(pairs))
            for key, (kind, text) in tags.items():
                values[kind].append(text)
                stored = pack("<I", kind | (len(values[kind]) - 1) << 3)
                pairs.append((self.name(key) if numbered else pack("<I", self._index(key)[0])) + stored)
        texts = b"".join(map(self.string, values[6]))

        def path(text: str, *, plain: bool) -> bytes:
            class_name, _, rest = text.rstrip("'").partition("'")
            package, _, asset = rest.partition(".")
            parts = class_name.split(".") if self.version >= 14 else [class_name]
            names = [*parts, asset, package]
            return b"".join(pack("<I", self._index(each)[0]) if plain else self.name(each) for each in names)

        narrow = [text.encode() + b"\0" for text in values[0]]
        wide = [text.encode("utf-16-le") + b"\0\0" for text in values[1]]
        out = pack("<I", 0x12345679 if self.text_first else 0x12345678)
        out += pack("<11i", *(len(values[kind]) for kind in (2, 3, 4, 5, 6, 0, 1)), sum(map(len, narrow)),
                    sum(map(len, wide)) // 2, len(plain), len(whole))  # fmt: skip
        if self.text_first:
            out += pack("<I", len(texts)) + texts
        out += b"".join(pack("<I", self._index(text)[0]) for text in values[2])
        out += b"".join(map(self.name, values[3]))
        out += b"".join(path(text, plain=True) for text in values[4])
        out += b"".join(path(text, plain=False) for text in values[5])
        if not self.text_first:
            out += texts
        out += b"".join(pack("<I", sum(map(len, narrow[:number]))) for number in range(len(narrow)))
        out += b"".join(pack("<I", sum(map(len, wide[:number])) // 2) for number in range(len(wide)))
        out += b"".join(narrow) + b"".join(wide) + b"".join(plain) + b"".join(whole)
        return out + pack("<I", 0x87654321), handles

    def _body(self) -> bytes:
        version = self.version
        out = b""
        handles = []
        if version >= 8:
            out, handles = self._store()
        out += pack("<i", len(self.assets))
        for number, (package, asset, class_package, class_name, tags) in enumerate(self.assets):
            if version < 15:
                out += self.name(f"{package}.{asset}")
            out += self.name(package.rpartition("/")[0])
            out += (self.name(class_package) if version >= 14 else b"") + self.name(class_name)
            out += self.name(package) + self.name(asset)
            if version >= 8:
                out += pack("<Qi", handles[number], 1) + self.name("Client") + pack("<i", 1)
                out += self.name(package) + self.name(asset) if version >= 14 else self.name(f"{package}.{asset}")
                out += self.string("Inner")
            else:
                out += pack("<i", len(tags))
                for key, (_, text) in tags.items():
                    out += self.name(key) + fstring(text)
            out += pack("<iii", 2, 3, 4) + pack("<I", 0x80000000)
        nodes = pack("<i", len(self.nodes))
        for package, needed, named, managed in self.nodes:
            nodes += b"\1" + self.name(package)
            if version < 7:
                nodes += pack("<iiii", 1, len(needed) - 1, len(named), len(managed))
                if version >= 5:
                    nodes += pack("<i", 0)
                nodes += pack("<i", 0) + pack(f"<{len(needed + named + managed)}i", *needed, *named, *managed)
                continue
            for indices, bits in ((needed, 5), (named, 0), (managed, 1), ([], 0)):
                nodes += pack(f"<i{len(indices)}i", len(indices), *indices)
                nodes += bytes(4 * ((len(indices) * bits + 31) // 32))
        out += (pack("<q", len(nodes)) if version >= 7 else b"") + nodes
        out += pack("<i", len(self.packages))
        for package, size in self.packages:
            out += self.name(package) + pack("<q", size) + bytes(range(20 if version >= 20 else 16))
            if version >= 6:
                out += pack("<i", 1) + bytes(range(16))
            if version >= 13:
                out += pack("<i", 1) + bytes(32)
            if version >= 9:
                out += pack("<i", 522) + (pack("<i", 1009) if version >= 11 else b"")
                out += pack("<iI", 0, 0x80000000) + pack("<i", 1) + bytes(20)
            if version >= 10:
                out += pack("<i", 1) + self.name("Texture2D")
            if version >= 17:
                out += self.string(".uasset")
        return out


def sample(version: int, **more: object) -> RegistryWriter:
    """Make a registry with a tag of every type, and packages that need each other."""
    path = "/Script/Engine.Blueprint'/Game/A.A_C'" if version >= 14 else "Blueprint'/Game/A.A_C'"
    tags = {
        "Narrow": (0, "narrow"),
        "Wide": (1, "語"),
        "Plain": (2, "EnumValue"),
        "Named": (3, "Entry_3"),
        "Path": (4, path),
        "LongPath": (5, path),
        "Label": (6, 'NSLOCTEXT("A", "B", "Hello")'),
    }
    writer = RegistryWriter(version)
    writer.assets = [
        ("/Game/A", "A", "/Script/Engine", "Blueprint", tags),
        ("/Game/B", "B", "/Script/Engine", "Texture2D", {"Format_2": (0, "PF_DXT5")}),
    ]
    writer.nodes = [("/Game/A", [1, 2], [], [0]), ("/Game/B", [2], [0], []), ("/Script/Engine", [0], [], [])]
    writer.packages = [("/Game/A", 1234), ("/Game/B", 99)]
    for key, value in more.items():
        setattr(writer, key, value)
    return writer
