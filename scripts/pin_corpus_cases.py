"""The command lines of ``pin.py`` that need the corpus of real files: projects, catalogs, bundles, Unreal packages."""

from __future__ import annotations

from typing import Final

from scripts.pin_scene import HELP, Case, Scene, cut

_DATABASE: Final = "project/Library/assetdb"


def _project(name: str, lines: dict[str, str]) -> Scene:
    """Return the scene of a real project: its bake, and what is asked of it."""
    short = name.lower()
    return Scene(
        short,
        ((f"corpus:unity/{name}", "project"),),
        (
            Case(f"{short}-bake", "bake --project project --keep-going", written=(_DATABASE,)),
            Case(f"{short}-no-op", "bake --project project --keep-going -q --json", times=True),
            Case(f"{short}-verify", "bake --project project --keep-going -q --verify"),
            Case(f"{short}-dump", "dump --project project"),
            Case(f"{short}-coverage", "coverage --project project"),
            Case(f"{short}-unused", "unused --incomplete --project project"),
            Case(f"{short}-unused-why", "unused --incomplete --why --json --project project"),
            *(Case(f"{short}-{word}", f"{line} --project project") for word, line in lines.items()),
        ),
    )


PLAYGROUND: Final = _project(
    "UnityPlayground",
    {
        "find": "find '*' --type Prefab",
        "usages": "usages LaserBeam --objects",
        "deps": "deps Bee.prefab --deep",
        "name-all": "name Assets/Examples/Adventure/Bee.prefab:40",
        "annotate": "annotate project/Assets/Examples/Adventure/Bee.prefab",
    },
)
BOAT: Final = _project(
    "BoatAttack",
    {
        "find": "find island --json",
        "usages": "usages CoveHouse.prefab --objects",
        "usages-json": "usages CoveHouse.prefab --objects --json",
        "deps": "deps 3DSkybox.prefab",
        "ambiguous": "name Audio",
    },
)
MIRROR: Final = _project(
    "Mirror",
    {
        "find": "find network --type MonoScript",
        "usages": "usages NetworkIdentity.cs",
        "usages-deep": "usages GraphCanvas.prefab --deep --objects",
        "deps": "deps NetworkGraph.prefab --json",
        "miss": "name NetworkIdentitty.cs",
    },
)

_A: Final = "corpus:addressables/data"
CATALOG: Final = Scene(
    "catalog",
    (
        (f"{_A}/memorium/2026-03-27_71c6c4f2_catalog_0.1.20260326.bin", "old/catalog.bin"),
        (f"{_A}/memorium/2026-03-27_f4364cbe_catalog_0.1.20260326.bin", "new/catalog.bin"),
        (f"{_A}/pinpoint/2023-11-29_0f8113d5_catalog.json", "json/catalog.json"),
        (f"{_A}/cteam-0.4/2019-03-25_503a877f_catalog.json", "early/catalog.json"),
        (f"{_A}/rf-web-beta/2023-02-11_afb547b8_catalog.bundle", "bundled/catalog.bundle"),
        (f"{_A}/derived/malformed", "malformed"),
    ),
    (
        Case("catalog-info", "catalog info new/catalog.bin"),
        Case("catalog-info-json", "catalog info new/catalog.bin --json"),
        Case("catalog-info-folder", "catalog info json"),
        Case("catalog-info-early", "catalog info early/catalog.json"),
        Case("catalog-info-bundled", "catalog info bundled/catalog.bundle"),
        Case("catalog-ls", "catalog ls new/catalog.bin"),
        Case("catalog-ls-json", "catalog ls json/catalog.json --json"),
        *(
            Case(f"catalog-ls-{what}", f"catalog ls json/catalog.json --kind {what}")
            for what in ("keys", "labels", "locations", "types", "providers", "initialization", "duplicates")
        ),
        Case("catalog-deps", "catalog deps Assets/AddressableAssets/3D/skull.prefab --in json/catalog.json"),
        Case("catalog-deps-json", "catalog deps CSV_Data --json --in new/catalog.bin"),
        Case("catalog-deps-direct", "catalog deps 604a5f8d7d36f4c4c972a69cda8175bc --direct --in json/catalog.json"),
        Case("catalog-deps-miss", "catalog deps Assets/AddressableAssets/3D/skul.prefab --in json/catalog.json"),
        Case("catalog-usages", "catalog usages Assets/AddressableAssets/3D/skull.obj --in json/catalog.json"),
        Case("catalog-usages-json", "catalog usages 604a5f8d7d36f4c4c972a69cda8175bc --json --in json/catalog.json"),
        Case("catalog-usages-miss", "catalog usages nothing-like-it --in json/catalog.json"),
        Case("catalog-find", "catalog find berserk --in new/catalog.bin"),
        Case("catalog-find-label", "catalog find --label CSV_Data --json --in new/catalog.bin"),
        Case("catalog-find-type", "catalog find --class GameObject --in json/catalog.json"),
        Case("catalog-find-regex", "catalog find '3D/.*obj$' --regex --in json/catalog.json"),
        Case("catalog-find-miss", "catalog find nothing-like-it --in new/catalog.bin"),
        Case("catalog-diff", "catalog diff old/catalog.bin new/catalog.bin"),
        Case("catalog-diff-json", "catalog diff old/catalog.bin new/catalog.bin --json"),
        Case("catalog-diff-same", "catalog diff old/catalog.bin old/catalog.bin"),
        Case("catalog-verify", "catalog verify new/catalog.bin"),
        Case("catalog-verify-json", "catalog verify json/catalog.json --json"),
        Case("catalog-convert", "catalog convert new/catalog.bin --format json -o new.json", written=("new.json",)),
        Case(
            "catalog-convert-no-folder",
            "catalog convert new/catalog.bin --format json -o made/new.json",
            written=("made",),
        ),
        Case(
            "catalog-convert-flavour",
            "catalog convert early/catalog.json --format binary-2.0.8 -o early.bin",
            written=("early.bin",),
        ),
        Case(
            "catalog-convert-hash",
            "catalog convert json/catalog.json --format json-1.21.3 -o two.json --hash-file md5",
            written=("two.json", "two.hash"),
        ),
        Case("catalog-convert-unknown", "catalog convert new/catalog.bin --format jsn -o x.json", HELP),
        Case(
            "catalog-edit",
            "catalog edit json/catalog.json -o edited.json --crc 0"
            " --rename Assets/AddressableAssets/3D/skull.prefab Skull",
            written=("edited.json",),
        ),
        Case(
            "catalog-edit-remove", "catalog edit new/catalog.bin --remove CSV_Data -o less.bin", written=("less.bin",)
        ),
        Case(
            "catalog-edit-miss",
            "catalog edit new/catalog.bin --remove nothing-like-it -o none.bin",
            written=("none.bin",),
        ),
        Case("catalog-edit-in-place", "catalog edit old/catalog.bin --crc 0 --in-place", written=("old",)),
        Case("catalog-extract", "catalog extract json/catalog.json"),
        Case("catalog-extract-jsonl", "catalog extract new/catalog.bin --json -o all.jsonl", written=("all.jsonl",)),
        *(
            Case(f"catalog-broken-{name.replace('_', '-').replace('.', '-')}", f"catalog info malformed/{name}")
            for name in (
                "b_keys_off_oob.bin",
                "b_trunc_hdr.bin",
                "j_bucket_count_huge.json",
                "j_deep.json",
                "j_trunc_half.json",
            )
        ),
        Case("catalog-salvage", "catalog ls malformed/b_loc_oob.bin --salvage"),
    ),
)

CASSET: Final = Scene(
    "casset",
    (
        ("corpus:casset/engine_written/v3.1.0_dfee70e7", "b"),
        ("corpus:casset/engine_written/v3.0.0_dfe230bc", "b30"),
        ("corpus:casset/engine_written/v2.0.0_e183e084", "b20"),
    ),
    (
        Case("casset-info", "bundle info b/AllTypes.casset b20/TestBundle.casset"),
        Case("casset-info-json", "bundle info b/DepA.casset b/DepQuirks.casset --json"),
        Case("casset-ls", "bundle ls b/AllTypes.casset"),
        Case("casset-ls-json", "bundle ls b30/MyMaterialBundle.casset --json"),
        Case("casset-get", "bundle get All --in b/AllTypes.casset"),
        Case("casset-get-json", "bundle get All.Kid --in b/AllTypes.casset --json"),
        Case("casset-get-miss", "bundle get All.Kod --in b/AllTypes.casset"),
        Case("casset-deps", "bundle deps b/DepQuirks.casset --in b"),
        Case("casset-deps-json", "bundle deps b/AllTypes.casset --in b --json"),
        Case("casset-usages", "bundle usages b/DepA.casset --in b"),
        Case("casset-unused", "bundle unused --in b30"),
        Case("casset-find", "bundle find kid --in b --json"),
        Case("casset-usages-old", "bundle usages --unused --project b30"),
        Case("casset-verify", "bundle verify b/AllTypes.casset b20/TestBundle.casset"),
        Case("casset-verify-project", "bundle verify b30 --json"),
        Case("casset-diff", "bundle diff b30/AllTypes.casset b/AllTypes.casset"),
        Case("casset-diff-json", "bundle diff b/DepA.casset b/DepQuirks.casset --json"),
        Case("casset-extract", "bundle extract b/AllTypes.casset --to out", written=("out",)),
        Case(
            "casset-edit", "bundle edit b/AllTypes.casset --rename All Every -o every.casset", written=("every.casset",)
        ),
        Case(
            "casset-edit-miss", "bundle edit b/AllTypes.casset --rename Al Every -o no.casset", written=("no.casset",)
        ),
        Case("casset-broken", "bundle info cut.casset", before=cut("cut.casset", 200, of="b/AllTypes.casset")),
    ),
)

_U: Final = "corpus:unityfs/Addressables-Sample"
UNITYFS: Final = Scene(
    "unityfs",
    (
        (f"{_U}/7805b4db23_packedassets_assets_all.bundle", "f/small.bundle"),
        (f"{_U}/bba86c953e_packedassets_assets_all.bundle", "f/other.bundle"),
        (f"{_U}/3770635b9e_fastfollowcontent_assets_all_15c16475abdeb6f9efc37c83705884d4.bundle", "f/fast.bundle"),
        ("corpus:builds/UnityDataTools/PlayerData/2022.1.20f1", "player"),
    ),
    (
        Case("unityfs-info", "bundle info f/small.bundle"),
        Case("unityfs-info-json", "bundle info f/small.bundle f/fast.bundle --json"),
        Case("unityfs-ls", "bundle ls f/small.bundle"),
        Case("unityfs-ls-json", "bundle ls f/fast.bundle --json"),
        Case("unityfs-get", "bundle get Sphere --in f/small.bundle"),
        Case("unityfs-get-json", "bundle get 7616924339484908854 --in f/small.bundle --json"),
        Case("unityfs-get-miss", "bundle get Spher --in f/small.bundle"),
        Case("unityfs-deps", "bundle deps f/small.bundle"),
        Case("unityfs-deps-object", "bundle deps Sphere --in f/small.bundle --json"),
        Case("unityfs-usages", "bundle usages f/small.bundle --in f"),
        Case("unityfs-find", "bundle find sphere --class GameObject --in f"),
        Case("unityfs-unused", "bundle unused --in f"),
        Case("unityfs-get-old", "bundle get f/small.bundle Sphere"),
        Case("unityfs-verify", "bundle verify f/small.bundle f/fast.bundle"),
        Case("unityfs-verify-json", "bundle verify f/small.bundle --json"),
        Case("unityfs-diff", "bundle diff f/small.bundle f/other.bundle"),
        Case("unityfs-diff-json", "bundle diff f/small.bundle f/other.bundle --json"),
        Case("unityfs-extract", "bundle extract f/small.bundle --to out", written=("out",)),
        Case(
            "unityfs-edit", "bundle edit f/small.bundle --rename Sphere Ball -o ball.bundle", written=("ball.bundle",)
        ),
        Case("unityfs-player", "bundle ls player/level0"),
        Case("unityfs-broken", "bundle ls cut.bundle", before=cut("cut.bundle", 3000, of="f/small.bundle")),
    ),
)

_ZLIB: Final = "CUE4ParseFixtures-Minimal-Zlib-Windows"
_KEY: Final = b"CUE4ParseFixtureAESKey0123456789".hex()  # public: of the fixtures' own repository
_F: Final = "corpus:unreal/data/CUE4Parse/UE5_8"
UNREAL: Final = Scene(
    "unreal",
    (
        ("corpus:unreal/data/cesium-unreal/Content", "p/Content"),
        ("corpus:unreal/data/repak/packs/pack_v11_compress.pak", "v11.pak"),
        ("corpus:unreal/data/repak/packs/pack_v11_encrypt_encryptindex.pak", "secret.pak"),
        ("corpus:unreal/data/repak/packs/pack_v9_compress.pak", "v9.pak"),
        (f"{_F}/IoStore/Tagged/Zlib", "io"),
        (f"{_F}/IoStore/Unversioned/OodleEncrypted", "locked"),
    ),
    (
        Case("unreal-info", "unreal info p/Content/DynamicPawn.uasset"),
        Case("unreal-info-json", "unreal info p/Content/Ellipsoids/WGS84.uasset --json"),
        Case("unreal-info-properties", "unreal info p/Content/Ellipsoids/WGS84.uasset --properties"),
        Case("unreal-info-container", f"unreal info io/{_ZLIB}.utoc"),
        Case("unreal-info-in", "unreal info /Game/Fixtures/DataTables/DT_Composite --in io"),
        Case("unreal-info-pak", "unreal info v11.pak"),
        Case("unreal-ls", "unreal ls p/Content"),
        Case("unreal-ls-json", "unreal ls p/Content --json --workers 1"),
        Case("unreal-ls-class", "unreal ls p/Content --class Blueprint"),
        Case("unreal-ls-missing", "unreal ls p/Content --missing"),
        Case("unreal-ls-damaged", "unreal ls p/Content --damaged"),
        Case("unreal-ls-container", "unreal ls io --classes"),
        Case("unreal-ls-cache", "unreal ls p/Content --cache scan.cache --class CurveFloat", written=("scan.cache",)),
        Case("unreal-find", "unreal find 'wgs*' --in p/Content"),
        Case("unreal-find-miss", "unreal find DynamicPwn --in p/Content --class Blueprint"),
        Case("unreal-find-container", "unreal find DT_ --in io"),
        Case("unreal-deps", "unreal deps DynamicPawn --in p/Content"),
        Case("unreal-deps-deep", "unreal deps DynamicPawn --in p/Content --deep --native --json"),
        Case("unreal-deps-container", "unreal deps /Game/Fixtures/DataTables/DT_Composite --in io"),
        Case("unreal-deps-miss", "unreal deps DynamicPwn --in p/Content"),
        Case("unreal-usages", "unreal usages WGS84 --in p/Content"),
        Case("unreal-usages-json", "unreal usages MLB_AngleMask --in p/Content --json"),
        Case("unreal-unused", "unreal unused p/Content"),
        Case("unreal-unused-reachable", "unreal unused p/Content --reachable --json"),
        Case("unreal-tags", "unreal tags p/Content/DynamicPawn.uasset"),
        Case("unreal-tags-search", "unreal tags p/Content --tag ParentClass --json"),
        Case("unreal-parts", "unreal parts p/Content/DynamicPawn.uasset"),
        Case("unreal-thumbs", "unreal thumbs p/Content --to thumbs", written=("thumbs",)),
        Case("unreal-diff", "unreal diff p/Content/Ellipsoids/IAU2015_Mars.uasset p/Content/Ellipsoids/WGS84.uasset"),
        Case("unreal-diff-paks", "unreal diff v9.pak v11.pak --json"),
        Case("unreal-chunks", f"unreal chunks io/{_ZLIB}.utoc"),
        Case("unreal-chunks-blocks", f"unreal chunks io/{_ZLIB}.utoc --type BulkData --blocks --json"),
        Case("unreal-chunks-pak", "unreal chunks v11.pak"),
        Case("unreal-chunks-no-key", "unreal chunks secret.pak"),
        Case("unreal-chunks-wrong-key", f"unreal chunks secret.pak --key {'00' * 32}"),
        Case("unreal-ls-encrypted", f"unreal ls locked --key {_KEY}"),
        Case("unreal-extract-pak", "unreal extract v11.pak --to out", written=("out",)),
        Case("unreal-extract-only", "unreal extract io --only '*.umap' --to maps", written=("maps",)),
        Case("unreal-extract-legacy", "unreal extract io --only '*DT_*' --legacy --to legacy", written=("legacy",)),
        Case("unreal-verify", f"unreal verify io/{_ZLIB}.utoc"),
        Case("unreal-verify-json", "unreal verify v11.pak --json"),
        Case(
            "unreal-broken", "unreal info cut.uasset", before=cut("cut.uasset", 900, of="p/Content/DynamicPawn.uasset")
        ),
        Case("unreal-broken-container", "unreal ls cut.pak", before=cut("cut.pak", 5000, of="v11.pak")),
    ),
)
