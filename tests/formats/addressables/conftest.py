"""Catalogs made for the tests: written by this project's own writers from entries that are made up here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from formats.addressables.binary_writer import encode_binary
from formats.addressables.content import Content, Entry
from formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS, Flavour, JsonFlavour
from formats.addressables.json_writer import encode_json
from formats.addressables.model import BundleOptions, ProviderData, TypeName

if TYPE_CHECKING:
    from collections.abc import Callable

    from formats.addressables.model import Key

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


def write(content: Content, flavour: Flavour) -> bytes:
    if isinstance(flavour, JsonFlavour):
        return encode_json(content, flavour)[0]
    return encode_binary(content, flavour)[0]


@pytest.fixture
def content() -> Content:
    return make_content()


@pytest.fixture
def bundle_entry() -> Callable[..., Entry]:
    return make_bundle


@pytest.fixture
def encode() -> Callable[[Content, Flavour], bytes]:
    return write


@pytest.fixture
def json_bytes() -> bytes:
    return write(make_content(), JSON_FLAVOURS["1.28"])


@pytest.fixture
def binary_bytes() -> bytes:
    return write(make_content(), BINARY_FLAVOURS["4.0"])


@pytest.fixture(params=[*JSON_FLAVOURS.values(), *BINARY_FLAVOURS.values()], ids=lambda flavour: (
    f"{'json' if isinstance(flavour, JsonFlavour) else 'binary'}-{flavour.name}"
))  # fmt: skip
def flavour(request: pytest.FixtureRequest) -> Flavour:
    found: Flavour = request.param
    return found
