"""Every fact that the formats are documented to hold is printed by a command, and a guide names that command."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from assetdb.cli import main
from assetdb_formats.addressables.flavour import JSON_FLAVOURS
from scripts.fixture import GOLDEN
from tests.assetdb.cli.bundle.guide_files import write_island
from tests.assetdb_formats.addressables.builder import make_build, make_content, write
from tests.assetdb_formats.unreal.containers.making import PACKAGES, build, save
from tests.assetdb_formats.unreal.iostore.writer import (
    StoredPackage,
    Written,
    chunk_id,
    container_header,
    package_id,
    write_container,
    zen_package,
)
from tests.assetdb_formats.unreal.package_writer import full

CHECKOUT = Path(__file__).parents[2]


class Fact(NamedTuple):
    """A field of a format, and the pattern of how it is printed."""

    field: str
    shown: str


def of(*rows: tuple[str, str]) -> tuple[Fact, ...]:
    """Return rows of field and pattern as facts."""
    return tuple(Fact(*row) for row in rows)


def keys(*rows: tuple[str, str]) -> tuple[Fact, ...]:
    """Return rows of field and JSON member as facts; the patterns match the member with any value."""
    return tuple(Fact(field, rf'"{name}": ?\S') for field, name in rows)


# By guide and command; the files are those that the fixture below writes.
FACTS: dict[tuple[str, str], tuple[Fact, ...]] = {
    ("catalog.md", "catalog info Game_Data"): of(
        ("locator", r"locator +AddressablesMainContentCatalog"),
        ("hash of the build", r"build hash +00112233445566778899aabbccddeeff"),
        ("number of keys", r"keys +20"),
        ("kinds of keys", r"key types +19 AsciiString, 1 UnicodeString"),
        ("number of entries", r"locations +12"),
        ("number of providers", r"providers +3"),
        ("number of resource types", r"types +5"),
    ),
    ("catalog.md", "catalog ls Game_Data --kind initialization"): of(
        ("instance provider", r"instance .*InstanceProvider"),
        ("scene provider", r"scene .*SceneProvider"),
        ("resource providers", r"(?m)^resource +UnityEngine\.\S+Provider"),
        ("assembly of a provider", r"Unity\.ResourceManager, Version=0\.0\.0\.0"),
    ),
    ("catalog.md", "catalog ls Game_Data --kind initialization --json"): keys(
        ("id of a provider", "id"), ("class of a provider", "class"), ("data of a provider", "data")
    ),
    ("catalog.md", "catalog ls Game_Data --kind providers"): of(("ids of providers", r"7 +UnityEngine\.\S+Provider")),
    ("catalog.md", "catalog ls Game_Data --kind keys"): of(
        ("key as UTF-8 or ASCII", r"AsciiString"), ("key as UTF-16", r"UnicodeString")
    ),
    ("catalog.md", "catalog ls Game_Data --kind keys --json"): keys(
        ("name of a bucket", "key"), ("type of a key", "type"), ("size of a bucket", "locations")
    ),
    ("catalog.md", "catalog ls Game_Data --kind types"): of(
        ("assembly and class of a type", r"Texture2D.*UnityEngine\.CoreModule, Version")
    ),
    ("catalog.md", "catalog extract Game_Data --json"): (
        *keys(
            ("internal id of an entry", "internal_id"),
            ("provider of an entry", "provider"),
            ("entries that an entry needs", "dependencies"),
            ("bucket of what an entry needs", "dependency_key"),
            ("hash of what an entry needs", "dependency_hash"),
            ("bucket of an entry's siblings", "primary_key"),
            ("resource type of an entry", "type"),
            ("assembly of a resource type", "assembly"),
            ("buckets of an entry", "keys"),
            ("options of a bundle", "bundle"),
            ("hash of a bundle", "hash"),
            ("CRC of a bundle", "crc"),
            ("timeout", "timeout"),
            ("chunked transfer", "chunked_transfer"),
            ("limit of redirects", "redirect_limit"),
            ("number of retries", "retry_count"),
            ("name of a bundle", "bundle_name"),
            ("mode of loading", "asset_load_mode"),
            ("size of a bundle", "size"),
            ("CRC of cached bundles", "use_crc_for_cached"),
            ("web requests for local bundles", "use_web_request_for_local"),
            ("other versions are cleared", "clear_other_versions"),
        ),
    ),
    ("bundle.md", "bundle info Island/Game/Assets/Materials/Cliff.casset"): of(
        ("version", r"format +\.casset 3\.1"),
        ("UUID of the bundle", r"uuid +00000000-0000-0100"),
        ("name of the bundle", r"name +Cliff"),
        ("bundles that it depends on", r"declares +00000000-0000-0200"),
        ("number of objects", r"objects +2"),
        ("number of types", r"types +2"),
        ("a class, its name and version", r"class /Code/Core\.CE::Bundle, version 0"),
        ("a field of text", r"name +string"),
        ("a field of an array", r"textures +reference\[\]"),
        ("a field of a vector", r"tint +vec4"),
        ("a field of a function binding", r"onChange +delegate"),
    ),
    ("bundle.md", "bundle info Island/Game/Assets/Materials/Cliff.casset --json"): keys(
        ("the three numbers of the version", "version"), ("whether it is cooked", "cooked"), ("schema", "schema")
    ),
    ("bundle.md", "bundle ls Island/Game/Assets/Materials/Cliff.casset"): of(
        ("UUID of an object", r"00000000-0000-0101-0000-000000000000"),
        ("whether it is an asset", r"Cliff +/Code/Game\.Rendering::Material +yes"),
        ("class of an object", r"/Code/Game\.Rendering::Material"),
        ("size of an object", r" 236 "),
    ),
    ("bundle.md", "bundle get Cliff --in Island/Game/Assets/Materials/Cliff.casset"): of(
        ("path within the bundle", r"path +Cliff"),
        ("name of the object", r'name +string +"Cliff"'),
        ("reference to an object of a bundle", r"00000000-0000-0201-\S+ of bundle 00000000-0000-0200-"),
        ("elements of an array", r"textures +reference\[\] +\[\S.*, .*\]"),
        ("bound function", r"onChange +delegate +.*OnChange"),
        ("vector", r"tint.* vec4 +.*1"),
    ),
    ("bundle.md", "bundle get Rock --in Island/Game/Assets/Textures/Rock.casset"): of(
        ("integer", r"width +u32 +2"), ("binary data with its size", r"pixels +blob +16 bytes")
    ),
    ("bundle.md", "bundle get Rock --in Island/Game/Assets/Textures/Rock.casset --json"): keys(
        ("place of the data", "offset"), ("size of the data", "size"), ("flags of binary data", "flags")
    ),
    ("unreal-containers.md", "unreal info Paks/pakchunk0-Windows.utoc"): of(
        ("version of the table of contents", r"version +8"),
        ("size of the header", r"header size +144"),
        ("number of chunks", r"chunks +3"),
        ("number of blocks", r"blocks +3"),
        ("sizes of the entries", r"10 offset and length, 12 block, 32 method name, 24 meta"),
        ("compression methods", r"methods +Zlib"),
        ("size of a block", r"block size +1024"),
        ("size of the directory index", r"directory index size +162"),
        ("number of partitions", r"partitions +2"),
        ("size of a partition", r"partition size +256"),
        ("id of the container", r"container id +0000000000001234"),
        ("GUID of the key", r"encryption key guid +0{32}"),
        ("flags of the container", r"flags +COMPRESSED, INDEXED"),
        ("mount point", r"mount point +\.\./\.\./\.\./Game/Content/"),
        ("number of files", r"files +2"),
        ("packages of the container header", r"packages +2"),
        ("version of the container header", r"header version +5"),
        ("chunks by type", r"1 ContainerHeader, 2 ExportBundleData"),
    ),
    ("unreal-containers.md", "unreal chunks Paks --json --blocks"): keys(
        ("id of a chunk", "id"),
        ("type of a chunk", "type"),
        ("place of a chunk", "offset"),
        ("length of a chunk", "length"),
        ("flags of a chunk", "flags"),
        ("hash of a chunk", "hash"),
        ("path of a chunk", "path"),
        ("blocks of a chunk", "blocks"),
        ("partition of a block", "partition"),
        ("stored size of a block", "compressed"),
        ("size of a block", "size"),
        ("compression of a block", "method"),
    ),
    ("unreal-containers.md", "unreal ls Engine4 --json"): of(
        ("size of a package", r'"size": 237'),
        ("number of exports", r'"export_count": 3'),
        ("order of loading", r'"load_order": [01]\b'),
        ("packages that it imports", r'"imports": [01]\b'),
        ("id of a package", r'"id": "[0-9a-f]{16}"'),
    ),
    ("unreal-containers.md", "unreal info Maps/Arena --in Paks --json"): keys(
        ("name of a zen package", "name"),
        ("flags of a zen package", "flags"),
        ("size of its header", "header_size"),
        ("size of its header as cooked", "cooked_header_size"),
        ("place of each table", "offsets"),
        ("names with their hashes", "hash"),
        ("imported packages", "imported_packages"),
        ("imports", "imports"),
        ("place of an export", "offset"),
        ("place of an export as cooked", "cooked_offset"),
        ("class of an export", "class"),
        ("outer of an export", "outer"),
        ("super of an export", "super"),
        ("template of an export", "template"),
        ("public hash of an export", "public_hash"),
        ("filter of an export", "filter"),
        ("bundle entries", "bundle_entries"),
        ("what waits for what", "dependencies"),
    ),
    ("unreal.md", "unreal info Content/Thing.uasset --json"): keys(
        ("legacy version", "legacy_version"),
        ("version of engine 3", "ue3_version"),
        ("version of engine 4", "file_version_ue4"),
        ("version of engine 5", "file_version_ue5"),
        ("licensee's version", "licensee_version"),
        ("custom versions", "custom_versions"),
        ("size of the header", "total_header_size"),
        ("name of the package", "package_name"),
        ("flags of the package", "package_flags"),
        ("number of names", "name_count"),
        ("place of the names", "name_offset"),
        ("number of soft object paths", "soft_object_path_count"),
        ("place of the soft object paths", "soft_object_path_offset"),
        ("localization id", "localization_id"),
        ("number of gatherable texts", "gatherable_text_count"),
        ("place of the gatherable texts", "gatherable_text_offset"),
        ("number of exports", "export_count"),
        ("place of the exports", "export_offset"),
        ("number of imports", "import_count"),
        ("place of the imports", "import_offset"),
        ("place of the dependencies", "depends_offset"),
        ("number of soft packages", "soft_package_reference_count"),
        ("place of the soft packages", "soft_package_reference_offset"),
        ("place of the searchable names", "searchable_names_offset"),
        ("place of the thumbnails", "thumbnail_table_offset"),
        ("GUID", "guid"),
        ("persistent GUID", "persistent_guid"),
        ("number of generations", "generation_count"),
        ("generations", "generations"),
        ("engine that saved it", "saved_by"),
        ("engine that it is compatible with", "compatible_with"),
        ("compression flags", "compression_flags"),
        ("compressed chunks", "compressed_chunks"),
        ("source of the package", "package_source"),
        ("packages to cook", "additional_packages"),
        ("place of the asset registry data", "asset_registry_offset"),
        ("place of the bulk data", "bulk_data_offset"),
        ("place of the world tile", "world_tile_offset"),
        ("chunk ids", "chunk_ids"),
        ("number of preload dependencies", "preload_dependency_count"),
        ("place of the preload dependencies", "preload_dependency_offset"),
        ("names that exports refer to", "names_referenced_from_exports"),
        ("place of the trailer", "payload_toc_offset"),
        ("place of the data resources", "data_resource_offset"),
        ("names", "names"),
        ("hashes of names", "name_hashes"),
        ("soft object paths", "soft_object_paths"),
        ("gatherable texts", "gatherable_text"),
        ("source of a text", "source"),
        ("places of a text", "sites"),
        ("class package of an import", "class_package"),
        ("class of an import", "class_name"),
        ("outer of an import", "outer_index"),
        ("name of an import", "object_name"),
        ("package of an import", "package_name"),
        ("whether an import is optional", "optional"),
        ("class of an export", "class_index"),
        ("super of an export", "super_index"),
        ("template of an export", "template_index"),
        ("flags of an export", "object_flags"),
        ("size of an export", "serial_size"),
        ("place of an export", "serial_offset"),
        ("forced export", "forced"),
        ("not for clients", "not_for_client"),
        ("not for servers", "not_for_server"),
        ("inherited instance", "inherited_instance"),
        ("not always loaded in the editor's game", "not_always_loaded_for_editor_game"),
        ("whether an export is an asset", "asset"),
        ("whether it has a public hash", "public_hash"),
        ("preload dependencies of an export", "dependencies"),
        ("dependencies of the exports", "depends"),
        ("soft packages", "soft_packages"),
        ("searchable names", "searchable_names"),
        ("thumbnails", "thumbnails"),
        ("size of a thumbnail", "width"),
        ("asset registry data", "registry"),
        ("world tile", "world_tile"),
        ("preload dependencies", "preload_dependencies"),
        ("version of the trailer", "trailer"),
        ("payloads of the trailer", "payloads"),
        ("identifier of a payload", "identifier"),
        ("stored size of a payload", "compressed_size"),
        ("size of a payload", "raw_size"),
        ("data resources", "data_resources"),
    ),
    ("unreal.md", "unreal info Content/Thing.uasset --json --properties"): of(
        ("name and value of a property", r'"Count": 7'),
        ("value of a structure", r'"Where": \[1\.0, 2\.0, 3\.0\]'),
        ("value of an array", r'"List": \["Entry"\]'),
        ("value of a map", r'"Map": \[\["A", 5\]\]'),
    ),
    ("unreal.md", "unreal parts Content/Thing.uasset"): of(
        ("trailer", r"trailer +Thing\.uasset +2,656 +157  version 2"), ("payload", r"payload .*local, 7 bytes")
    ),
    ("bake.md", "dump golden.bin"): of(
        ("schema version", r"asset-db schema 6"),
        ("GUID of an asset", r"(?m)^0000000000000000000000000000002a "),
        ("native type", r"TextAsset\(49\)"),
        ("type of a script, by its GUID", r"script:be5188a979094ebfdf7a05839dfc7ad9"),
        ("name that two assets claim", r'"Inside\^NoMetaFolder"'),
        ("path", r'"Assets/Metas/SmallGuid\.txt"'),
        ("sub-asset: fileID and name", r'(?m)^    24300002 AudioMixerGroupController\(243\) "Master"'),
    ),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small files of every format, as the tests of each write them."""
    folder = tmp_path_factory.mktemp("formats")
    make_build(folder, write(make_content(), JSON_FLAVOURS["1.28"]))
    write_island(folder)
    save(folder / "Paks", "pakchunk0-Windows", build())
    header = container_header(-1, [StoredPackage(name, imports) for name, imports in PACKAGES.items()])
    chunks = [
        Written(
            chunk_id(package_id(name), "ExportBundleData", 3),
            zen_package(1, name, [("X", b"map")], [], imports),
            f"{name.removeprefix('/Game/')}.uasset",
        )
        for name, imports in PACKAGES.items()
    ]
    chunks.append(Written(chunk_id(0x1234, "ContainerHeader", 3), header))
    save(folder / "Engine4", "game", write_container(3, chunks, method="Zlib", partition_size=256))
    (folder / "Content").mkdir()
    (folder / "Content" / "Thing.uasset").write_bytes(full(-8, 522, 1009).data())
    (folder / "golden.bin").write_bytes((GOLDEN / "asset-db.bin").read_bytes())
    return folder


@pytest.mark.parametrize(("guide", "command"), FACTS, ids=[command for _, command in FACTS])
def test_a_command_of_a_guide_prints_each_fact(
    guide: str, command: str, files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    missing = [fact for fact in FACTS[guide, command] if not re.search(fact.shown, printed)]
    assert not missing, printed
    page = (CHECKOUT / "docs" / guide).read_text("utf-8")
    words = shlex.split(command)
    verb = words[0] if words[0] == "dump" else words[1]
    assert re.search(rf"assetdb (\w+ )?{verb} |`{verb}[` ]", page), f"docs/{guide} does not name `{verb}`"
    assert [word for word in words if word.startswith("--") and word not in page] == []
