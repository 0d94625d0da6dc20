"""Reader of addressables_content_state.bin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from assetdb_formats.addressables.companions.nrbf import Instance, Stream
from assetdb_formats.addressables.errors import AddressablesError

if TYPE_CHECKING:
    from collections.abc import Iterator


class StateAsset(NamedTuple):
    """An asset at the time of the build; ``dependencies`` are (GUID, hash) pairs of what it referred to."""

    guid: str
    hash: str
    group: str | None
    bundle_file: str | None
    dependencies: tuple[tuple[str, str], ...]


class StateBundle(NamedTuple):
    """A bundle at the time of the build; ``options`` are the fields of its AssetBundleRequestOptions."""

    file: str
    options: dict[str, Any]

    @property
    def hash(self) -> str | None:
        """The hash of its content, 32 digits."""
        value = self.options.get("m_Hash")
        return value if isinstance(value, str) else None

    @property
    def crc(self) -> int | None:
        """The CRC-32 that is checked when it is loaded."""
        value = self.options.get("m_Crc")
        return value if isinstance(value, int) else None

    @property
    def size(self) -> int | None:
        """The bytes of its file."""
        value = self.options.get("m_BundleSize")
        return value if isinstance(value, int) else None


class ContentState(NamedTuple):
    """The state of a build."""

    player_version: str | None
    editor_version: str | None
    catalog_load_path: str | None
    assets: tuple[StateAsset, ...]
    bundles: tuple[StateBundle, ...]


class StateSummary(NamedTuple):
    """What a content state is of, and how much."""

    player_version: str | None
    unity: str | None
    catalog_load_path: str | None
    groups: int
    assets: int
    bundles: int


def summary_of_state(state: ContentState) -> StateSummary:
    """Return what a content state is of, and how much."""
    groups = {asset.group for asset in state.assets}
    return StateSummary(
        state.player_version, state.editor_version, state.catalog_load_path, len(groups), len(state.assets),
        len(state.bundles),
    )  # fmt: skip


def read_content_state(data: bytes) -> ContentState:
    """Read a content state. Raises AddressablesError."""
    stream = Stream(data)
    root = stream.objects.get(stream.root)
    if not isinstance(root, Instance) or not root.class_name.endswith("AddressablesContentState"):
        name = root.class_name if isinstance(root, Instance) else type(root).__name__
        raise AddressablesError(f"holds a {name}, not an AddressablesContentState", offset=0, field="root")
    assets = []
    for item in _items(stream, root, "cachedInfos"):
        asset = _pair(stream, item.members.get("asset"))
        dependencies = stream.resolve(item.members.get("dependencies"))
        pairs = [_pair(stream, value) for value in dependencies] if isinstance(dependencies, list) else []
        group, file = (_text(stream, item, name) for name in ("groupGuid", "bundleFileId"))
        assets.append(StateAsset(*asset, group, file, tuple(pairs)))
    bundles = []
    for item in _items(stream, root, "cachedBundles"):
        options = stream.resolve(item.members.get("data"))
        fields = {}
        if isinstance(options, Instance):
            for name, value in options.members.items():
                plain = stream.resolve(value)
                fields[name] = plain.members.get("value__") if isinstance(plain, Instance) else plain
        bundles.append(StateBundle(_text(stream, item, "bundleFileId") or "", fields))
    return ContentState(
        _text(stream, root, "playerVersion"),
        _text(stream, root, "editorVersion"),
        _text(stream, root, "remoteCatalogLoadPath"),
        tuple(assets),
        tuple(bundles),
    )


def _items(stream: Stream, root: Instance, member: str) -> Iterator[Instance]:
    values = stream.resolve(root.members.get(member))
    if isinstance(values, list):
        for value in values:
            item = stream.resolve(value)
            if isinstance(item, Instance):
                yield item


def _text(stream: Stream, item: Instance, member: str) -> str | None:
    value = stream.resolve(item.members.get(member))
    return value if isinstance(value, str) else None


def _pair(stream: Stream, value: object) -> tuple[str, str]:
    """Return the GUID and hash of an AssetState, whose members .NET names by their fields."""
    state = stream.resolve(value)
    if not isinstance(state, Instance):
        return "", ""
    return tuple(_hash_text(stream, state.members.get(name)) for name in ("guid", "hash"))  # type: ignore[return-value]


def _hash_text(stream: Stream, value: object) -> str:
    """Return the digits of a GUID or Hash128: text, or four numbers."""
    plain = stream.resolve(value)
    if isinstance(plain, str):
        return plain
    if not isinstance(plain, Instance):
        return ""
    numbers = [stream.resolve(member) for member in plain.members.values()]
    if len(numbers) == 1 and isinstance(numbers[0], str):
        return numbers[0]
    parts = [number for number in numbers if isinstance(number, int)]
    if len(numbers) in (2, 4) and len(parts) == len(numbers):
        size = 16 // len(parts)  # four u32 to Unity 2021, two u64 since
        return "".join((number & (1 << 8 * size) - 1).to_bytes(size, "little").hex() for number in parts)
    return ""
