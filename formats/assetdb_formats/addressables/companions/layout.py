"""Reader of build layouts, in JSON or as text.

The JSON is Unity's SerializeReference form: objects by number in ``references``. Both are read into the same facts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb_formats.addressables.companions.settings import json_object
from assetdb_formats.addressables.errors import AddressablesError

if TYPE_CHECKING:
    from collections.abc import Iterator


class LayoutBundle(NamedTuple):
    """A bundle of a build; ``size`` in bytes.

    A text layout has the size only as it is printed (``1.88KB``), and neither ``crc`` nor ``hash``.
    """

    name: str
    internal_name: str | None
    group: str | None
    size: int
    crc: int | None
    hash: str | None
    load_path: str | None
    compression: str | None


class LayoutAsset(NamedTuple):
    """An explicitly included asset; ``bundle`` is an index of ``BuildLayout.bundles``."""

    guid: str | None
    path: str
    internal_id: str | None
    address: str
    labels: tuple[str, ...]
    bundle: int | None
    size: int  # serialized and streamed bytes


class LayoutImplicit(NamedTuple):
    """An asset included only because others refer to it.

    Catalogs do not list it. ``guid`` is None in text layouts, ``bundle`` an index of ``BuildLayout.bundles``, ``size``
    the serialized and streamed bytes, ``used_by`` the paths of the assets that refer to it.
    """

    guid: str | None
    path: str
    bundle: int | None
    size: int
    used_by: tuple[str, ...]


class BuildLayout(NamedTuple):
    """A build layout.

    ``build_hash`` is the BuildResultHash of the catalog built with it; None in text layouts.
    """

    kind: str
    unity_version: str | None
    package_version: str | None
    build_hash: str | None
    error: str | None
    bundles: tuple[LayoutBundle, ...]
    assets: tuple[LayoutAsset, ...]
    implicit: tuple[LayoutImplicit, ...] = ()


class LayoutGroup(NamedTuple):
    """A group and its bundles' bytes; ``""`` holds bundles without a group."""

    name: str
    bundles: int
    assets: int
    size: int


class LayoutSummary(NamedTuple):
    """The key facts and counts of a build layout; sizes in bytes."""

    form: str
    unity: str | None
    package: str | None
    build_hash: str | None
    error: str | None
    groups: int
    bundles: int
    bundle_bytes: int
    assets: int


_SIZE: Final = re.compile(r"([0-9.]+)\s*([KMGT]?)B")
_UNITS: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_ARCHIVE: Final = re.compile(r"^\t*Archive (.*) \(Size: ([^,)]*)(?:, Compression: ([^,)]*))?")
_OTHERS: Final = "Data From Other Assets"
_OTHER: Final = re.compile(r"^\t+(.*?) \(Size: ([^,)]*)")
_USERS: Final = "Referencing Assets: "
_GROUP: Final = re.compile(r"^Group (.*) \(Bundles: ")
_NO_GROUP: Final = "BuiltIn Bundles"


def read_layout(data: bytes) -> BuildLayout:
    """Read a build layout of either form. Raises AddressablesError."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _read_json(data)
    return _read_text(data)


def summary_of_layout(layout: BuildLayout) -> LayoutSummary:
    """Return the key facts and counts of a build layout."""
    return LayoutSummary(
        "JSON" if layout.kind == "json" else "text",
        layout.unity_version,
        layout.package_version,
        layout.build_hash,
        layout.error,
        len(groups_of(layout)),
        len(layout.bundles),
        sum(bundle.size for bundle in layout.bundles),
        len(layout.assets),
    )


def groups_of(layout: BuildLayout) -> list[LayoutGroup]:
    """Return the groups of a build, the largest first."""
    assets = assets_by_bundle(layout)
    found: dict[str, LayoutGroup] = {}
    for number, bundle in enumerate(layout.bundles):
        name = bundle.group or ""
        group = found.get(name, LayoutGroup(name, 0, 0, 0))
        found[name] = LayoutGroup(name, group.bundles + 1, group.assets + assets[number], group.size + bundle.size)
    return sorted(found.values(), key=lambda group: (-group.size, group.name))


def assets_by_bundle(layout: BuildLayout) -> list[int]:
    """Return the number of explicitly included assets of each bundle."""
    counts = [0] * len(layout.bundles)
    for asset in layout.assets:
        if asset.bundle is not None:
            counts[asset.bundle] += 1
    return counts


def _read_json(data: bytes) -> BuildLayout:
    fields = json_object(data)
    objects: dict[int, tuple[str, dict[str, Any]]] = {}
    references = fields.get("references")
    listed = references.get("RefIds") if isinstance(references, dict) else None
    if not isinstance(listed, list):
        raise AddressablesError("has no list of objects", field="references.RefIds")
    for number, value in enumerate(listed):
        field = f"references.RefIds[{number}]"
        if not isinstance(value, dict) or not isinstance(value.get("rid"), int):
            raise AddressablesError("is not an object with a number", field=field)
        kind = value.get("type")
        name = kind.get("class") if isinstance(kind, dict) else None
        content = value.get("data")
        if isinstance(name, str) and isinstance(content, dict):
            objects[value["rid"]] = (name, content)
    bundles: list[LayoutBundle] = []
    bundle_numbers: dict[int, int] = {}
    for number, content in _of_class(objects, "BuildLayout/Bundle"):
        group = _target(objects, content.get("Group"))
        bundle_numbers[number] = len(bundles)
        bundles.append(
            LayoutBundle(
                _text(content, "Name") or "",
                _text(content, "InternalName"),
                _text(group, "Name") if group else None,
                _integer(content, "FileSize") or 0,
                _integer(content, "CRC"),
                _hash(content.get("Hash")),
                _text(content, "LoadPath"),
                _text(content, "Compression"),
            )
        )
    assets = []
    for _, content in _of_class(objects, "BuildLayout/ExplicitAsset"):
        labels = content.get("Labels")
        assets.append(
            LayoutAsset(
                _text(content, "Guid"),
                _text(content, "AssetPath") or "",
                _text(content, "InternalId"),
                _text(content, "AddressableName") or "",
                tuple(label for label in labels if isinstance(label, str)) if isinstance(labels, list) else (),
                bundle_numbers.get(_object_number(content.get("Bundle"))),
                (_integer(content, "SerializedSize") or 0) + (_integer(content, "StreamedSize") or 0),
            )
        )
    return BuildLayout(
        "json",
        _text(fields, "UnityVersion"),
        (_text(fields, "PackageVersion") or "").rpartition(" ")[2] or None,
        _text(fields, "BuildResultHash") or None,
        _text(fields, "BuildError") or None,
        tuple(bundles),
        tuple(assets),
        tuple(_implicit(objects, bundle_numbers)),
    )


def _implicit(
    objects: dict[int, tuple[str, dict[str, Any]]], bundle_numbers: dict[int, int]
) -> Iterator[LayoutImplicit]:
    for _, content in _of_class(objects, "BuildLayout/DataFromOtherAsset"):
        file = _target(objects, content.get("File")) or {}
        users = content.get("ReferencingAssets")
        targets = [_target(objects, user) for user in users] if isinstance(users, list) else []
        paths = (_text(target, "AssetPath") for target in targets if target is not None)
        yield LayoutImplicit(
            _text(content, "AssetGuid"),
            _text(content, "AssetPath") or "",
            bundle_numbers.get(_object_number(file.get("Bundle"))),
            (_integer(content, "SerializedSize") or 0) + (_integer(content, "StreamedSize") or 0),
            tuple(path for path in paths if path),
        )


def _of_class(objects: dict[int, tuple[str, dict[str, Any]]], name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    return ((number, content) for number, (kind, content) in objects.items() if kind == name)


def _object_number(reference: object) -> int:
    """Return the number of the object behind a reference, or -1."""
    number = reference.get("rid") if isinstance(reference, dict) else None
    return number if isinstance(number, int) else -1


def _target(objects: dict[int, tuple[str, dict[str, Any]]], reference: object) -> dict[str, Any] | None:
    return objects.get(_object_number(reference), ("", None))[1]


def _text(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None


def _integer(fields: dict[str, Any], name: str) -> int | None:
    value = fields.get(name)
    return value if isinstance(value, int) else None


def _hash(value: object) -> str | None:
    """Return a Hash128, plain or wrapped in an object."""
    if isinstance(value, dict):
        value = value.get("Hash")
    return value if isinstance(value, str) else None


def _read_text(data: bytes) -> BuildLayout:
    text = data.decode("utf-8", "replace")
    if "Addressable Groups:" not in text[:4096]:
        raise AddressablesError("is not a build layout: neither JSON nor the text form's summary", offset=0)
    unity = package = group = None
    bundles: list[LayoutBundle] = []
    assets: list[LayoutAsset] = []
    implicit: list[LayoutImplicit] = []
    assets_depth = -1  # tabs before "Explicit Assets" while inside it
    others_depth = -1  # tabs before "Data From Other Assets" while inside its section
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip("\t"))
        content = line[depth:]
        if depth == 0:
            name, colon, value = content.partition(": ")
            if colon and name == "Unity Version":
                unity = value.strip()
            elif colon and name == "com.unity.addressables":
                package = value.strip()
            elif found := _GROUP.match(line):
                group = found[1]
            elif content == _NO_GROUP:
                group = None
        if others_depth >= 0 and depth <= others_depth:
            others_depth = -1
        if content.startswith(_OTHERS):
            others_depth = depth
        elif others_depth >= 0 and depth == others_depth + 1 and (found := _OTHER.match(line)):
            implicit.append(LayoutImplicit(None, found[1], len(bundles) - 1 if bundles else None, _size(found[2]), ()))
        elif others_depth >= 0 and implicit and content.startswith(_USERS):
            users = content.removeprefix(_USERS).strip()
            implicit[-1] = implicit[-1]._replace(used_by=tuple(users.split(", ")) if users else ())
        if found := _ARCHIVE.match(line):
            bundles.append(LayoutBundle(found[1], None, group, _size(found[2]), None, None, None, found[3]))
            assets_depth = -1
        elif content == "Explicit Assets":
            assets_depth = depth
        elif assets_depth >= 0 and depth <= assets_depth:
            assets_depth = -1
        elif assets_depth >= 0 and depth == assets_depth + 1:
            asset = _asset_of(content, len(bundles) - 1 if bundles else None)
            if asset is not None:
                assets.append(asset)
    return BuildLayout("text", unity, package, None, None, tuple(bundles), tuple(assets), tuple(implicit))


def _asset_of(content: str, bundle: int | None) -> LayoutAsset | None:
    """Return the asset of a line, None if it has another form.

    Lines are ``path (Total Size: 1KB, ..., Addressable Name: a, Labels: b, c)``. They are read without a regular
    expression: one with several lazy parts took half a minute for a line of 2.5 KB.
    """
    path, is_asset, rest = content.partition(" (Total Size: ")
    if not is_asset or not rest.endswith(")"):
        return None
    facts, _, labels = rest[:-1].partition(", Labels: ")
    facts, _, address = facts.partition(", Addressable Name: ")
    size = facts.partition(",")[0]
    return LayoutAsset(
        None, path, None, address or path, tuple(labels.split(", ")) if labels else (), bundle, _size(size)
    )


def _size(text: str) -> int:
    found = _SIZE.fullmatch(text.strip())
    if not found:
        return 0
    try:
        return round(float(found[1]) * _UNITS[found[2]])
    except (ValueError, OverflowError):  # two points, or more digits than any size
        return 0
