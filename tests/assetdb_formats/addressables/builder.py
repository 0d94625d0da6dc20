"""Catalogs made for the tests: written by this project's own writers from entries that are made up here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb_formats.addressables.binary.writer import encode_binary
from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.flavour import JSON_FLAVOURS, Flavour, JsonFlavour
from assetdb_formats.addressables.hashes import content_hash
from assetdb_formats.addressables.json.writer import encode_json
from assetdb_formats.addressables.model import BundleOptions, ProviderData, TypeName
from assetdb_formats.addressables.reading import read_catalog

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb_formats.addressables.model import Key

SETTINGS = (
    '{"m_buildTarget":"StandaloneWindows64","m_AddressablesVersion":"2.8.0","m_CatalogLocations":[{"m_Keys":['
    '"AddressablesMainContentCatalog"],"m_InternalId":"{UnityEngine.AddressableAssets.Addressables.RuntimePath}'
    '/catalog.json"}]}'
)
RUNTIME = "{UnityEngine.AddressableAssets.Addressables.RuntimePath}/Windows"
PROVIDERS = "UnityEngine.ResourceManagement.ResourceProviders"
MANAGER = "Unity.ResourceManager, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null"
CORE = "UnityEngine.CoreModule, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null"
GUID = "0123456789abcdef0123456789abcde"


def make_bundle(number: int, *, size: int = 1000) -> Entry:
    digits = f"{number:032x}"
    options = BundleOptions(
        digits,
        100 + number,
        timeout=0,
        chunked_transfer=False,
        redirect_limit=32,
        retry_count=0,
        bundle_name=f"group_{number}_assets",
        asset_load_mode=0,
        size=size * number,
        use_crc_for_cached=True,
        use_web_request_for_local=False,
        clear_other_versions=False,
    )
    return Entry(
        [f"group_{number}_assets_all_{digits}.bundle"],
        f"{RUNTIME}/group_{number}_assets_all_{digits}.bundle",
        f"{PROVIDERS}.AssetBundleProvider",
        TypeName(MANAGER, f"{PROVIDERS}.IAssetBundleResource"),
        data=options,
    )


def make_content() -> Content:
    """Four bundles, assets with sub-assets, labels, letters of three alphabets, a scene and a Resources entry."""
    bundles = [make_bundle(number) for number in range(1, 5)]
    names = [bundle.keys[0] for bundle in bundles]
    texture, sprite = TypeName(CORE, "UnityEngine.Texture2D"), TypeName(CORE, "UnityEngine.Sprite")
    entries = list(bundles)

    def asset(address: str, number: int, types: list[TypeName], labels: list[str], needed: list[Key]) -> None:
        keys: list[Key] = [address, f"{GUID}{number:x}", *labels]
        entries.extend(
            Entry(list(keys), f"Assets/{address}", f"{PROVIDERS}.BundledAssetProvider", kind, list(needed))
            for kind in types
        )

    asset("Art/Icons/sword.png", 1, [texture, sprite], ["icons"], [names[0]])
    asset("Art/Icons/shield.png", 2, [texture, sprite], ["icons", "preload"], [names[0], names[1]])
    asset("Prefabs/Hero.prefab", 3, [TypeName(CORE, "UnityEngine.GameObject")], ["preload"], [names[2], names[0]])
    asset("Prefabs/영웅/Held ü.prefab", 4, [TypeName(CORE, "UnityEngine.GameObject")], [], [names[2], names[3]])
    asset("a", 5, [TypeName("Assembly-CSharp, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null", "A")], [], [])
    entries.append(Entry(["Settings"], "Settings", f"{PROVIDERS}.LegacyResourcesProvider", texture))
    content = Content(JSON_FLAVOURS["1.28"], entries)
    content.locator_id = "AddressablesMainContentCatalog"
    content.build_result_hash = "00112233445566778899aabbccddeeff"
    content.instance_provider = ProviderData(
        f"{PROVIDERS}.InstanceProvider", TypeName(MANAGER, f"{PROVIDERS}.InstanceProvider"), None
    )
    content.scene_provider = ProviderData(
        f"{PROVIDERS}.SceneProvider", TypeName(MANAGER, f"{PROVIDERS}.SceneProvider"), None
    )
    content.resource_providers = (content.instance_provider, content.scene_provider)
    return content


def make_build(folder: Path, catalog: bytes) -> None:
    """Write a build: ``Game_Data`` with a catalog, its hash, settings, and bundles of zeros with the right sizes."""
    place = folder / "Game_Data" / "StreamingAssets" / "aa"
    (place / "Windows").mkdir(parents=True)
    (place / "catalog.json").write_bytes(catalog)
    (place / "catalog.hash").write_text(content_hash(catalog))
    (place / "settings.json").write_text(SETTINGS)
    for options in read_catalog(catalog).bundles().values():
        name = f"{options.bundle_name}_all_{options.hash}.bundle"
        (place / "Windows" / name).write_bytes(bytes(options.size))


def make_layout() -> dict[str, Any]:
    """Return a build layout of two bundles of the build, one with an asset, in two groups."""

    def made(number: int, kind: str, **data: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of any type
        return {"rid": number, "type": {"class": f"BuildLayout/{kind}"}, "data": data}

    bundles = [
        made(
            20 + number,
            "Bundle",
            Name=f"group_{number}_assets_all.bundle",
            FileSize=1000 * number,
            CRC=100 + number,
            Hash=f"{number:032x}",
            Group={"rid": 10 + number},
            LoadPath=f"{RUNTIME}/group_{number}_assets_all_{number:032x}.bundle",
            Compression="LZ4",
        )
        for number in (1, 2)
    ]
    asset = made(
        31,
        "ExplicitAsset",
        Guid=f"{GUID}1",
        AssetPath="Assets/Art/Icons/sword.png",
        InternalId="Assets/Art/Icons/sword.png",
        AddressableName="Art/Icons/sword.png",
        Labels=["icons"],
        SerializedSize=300,
        StreamedSize=400,
        Bundle={"rid": 21},
    )
    return {
        "UnityVersion": "2022.3.12f1",
        "PackageVersion": "com.unity.addressables: 2.8.0",
        "BuildResultHash": "00112233445566778899aabbccddeeff",
        "references": {
            "version": 2,
            "RefIds": [made(11, "Group", Name="Icons"), made(12, "Group", Name="Maps"), *bundles, asset],
        },
    }


def write(content: Content, flavour: Flavour) -> bytes:
    if isinstance(flavour, JsonFlavour):
        return encode_json(content, flavour)[0]
    return encode_binary(content, flavour)[0]
