from assetdb.unity.engine.file_ids import hashed_id
from assetdb.unity.importers.model import model_objects
from assetdb.unity.importers.model_settings import read_settings
from assetdb.unity.importers.model_text import names_in_collada

DAE = b"""<library_geometries><geometry id="a-mesh" name="Cube"><mesh/></geometry></library_geometries>
<node id="n" name="Lamp" type="NODE"><node name='single'/><node id="x"><node
 name = "A &amp; B"></node></node></node><node name="Other"/><effect name="no"/><node sname="no"/>"""


def test_names_and_paths_of_nodes() -> None:
    expected = ("Cube", "Lamp", "single", "Lamp/single", "A & B", "Lamp/A & B", "Other")
    assert names_in_collada(DAE) == expected
    assert names_in_collada(b"") == names_in_collada(b"\0" + DAE) == ()


def test_a_node_below_another_is_named_by_its_path() -> None:
    settings = read_settings(b"ModelImporter:\n  meshes:\n    fileIdsGeneration: 2\n")
    found = model_objects(None, settings, stem="lamp", guesses=names_in_collada(DAE))
    for path in ("Lamp/single", "single"):  # with the first node, and with it as the root
        item = found[hashed_id("GameObject", f"//RootNode/root/{path}")]
        assert (item.path, item.certain) == (path, False)


def test_names_are_not_without_end() -> None:
    assert len(names_in_collada(b"".join(b'<node name="part%d">' % number for number in range(10_000)))) == 4096
    deep = b'<node name="a">' * 5_000
    for data in (
        b"<node " * 50_000,
        b'<node name="' + b"x" * 400_000,
        b"<node>" * 200_000,
        deep + b'</node><node name="a">' * 100_000,
    ):
        assert len(names_in_collada(data)) <= 4096
    assert names_in_collada(b"</node>" * 1000 + DAE)[0] == "Cube"
