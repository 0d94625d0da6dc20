"""The key facts of a bundle."""

from __future__ import annotations

from io import BytesIO

from assetdb_formats.unityfs.bundle import Bundle
from assetdb_formats.unityfs.queries.summary import FileSummary, compressions, summarize
from tests.assetdb_formats.unityfs import builder


def test_a_summary_has_versions_files_and_classes() -> None:
    inner = builder.whole_file()
    p = builder.Packer()
    texts = [builder.Thing(number, 49, p.string(b"t") + p.string(b"x")) for number in (1, 2)]
    second = builder.serialized_file(texts, builder.KINDS[2:], version=21, trees=False, target=5)
    files = [("CAB-a", inner), ("CAB-b", second), ("CAB-a.resS", b"12345")]
    found = summarize(Bundle(BytesIO(builder.archive(files, compression=3))))
    assert found.archive is not None
    assert (found.unity_version, found.inferred_version, found.compressions) == ("2022.3.1f1", "", ("LZ4HC",))
    assert found.asset_bundle is not None
    assert found.asset_bundle.name == "basket.bundle"
    externals = ("archive:/CAB-0a/CAB-0a", "x.asset")
    assert found.files == (
        FileSummary("CAB-a", len(inner), 22, "2022.3.1f1", 19, True, 3, 3, externals),  # noqa: FBT003 - fields
        FileSummary("CAB-b", len(second), 21, "2022.3.1f1", 5, False, 1, 2, ()),  # noqa: FBT003 - fields
        FileSummary("CAB-a.resS", 5),
    )
    assert found.classes == (("TextAsset", 3), ("MonoBehaviour", 1), ("AssetBundle", 1))


def test_a_stripped_version_is_inferred_from_the_newest_file() -> None:
    files = [("CAB-a", builder.whole_file(17)), ("CAB-b", builder.whole_file(21))]
    data = builder.archive(files, number=6, unity_version="0.0.0")
    assert summarize(Bundle(BytesIO(data))).inferred_version == "2019.3 to 2019.4"
    bare = summarize(Bundle(BytesIO(builder.serialized_file([], [], version=17, unity_version="0.0.0"))))
    assert (bare.archive, bare.unity_version, bare.inferred_version) == (None, "0.0.0", "5.5 to 2018.4")
    assert (bare.asset_bundle, bare.compressions, bare.classes) == (None, (), ())
    assert summarize(Bundle(BytesIO(builder.whole_file(17)))).inferred_version == ""


def test_an_archive_without_serialized_files_has_a_summary() -> None:
    found = summarize(Bundle(BytesIO(builder.archive([("a.res", b"x")], unity_version="0.0.0"))))
    assert (found.inferred_version, found.classes, found.asset_bundle) == ("2021.3 or later", (), None)


def test_compressions_are_named_once_each() -> None:
    for number, expected in enumerate((("stored",), ("LZMA",), ("LZ4",), ("LZ4HC",))):
        data = builder.archive([("a.res", bytes(3000))], compression=number, block=1000)
        assert compressions(Bundle(BytesIO(data))) == expected
    assert compressions(Bundle(BytesIO(builder.whole_file()))) == ()
