from assetdb.unity.importers.model_text import names_in_collada

DAE = b"""<library_geometries><geometry id="a-mesh" name="Cube"><mesh/></geometry></library_geometries>
<node id="n" name="Lamp" type="NODE"><node name='single'/></node><effect name="no"/>"""


def test_names() -> None:
    assert names_in_collada(DAE) == ("Cube", "Lamp")
    assert names_in_collada(b"") == names_in_collada(b"\0" + DAE) == ()


def test_names_are_not_without_end() -> None:
    assert len(names_in_collada(b"".join(b'<node name="part%d">' % number for number in range(10_000)))) == 4096
    for data in (b"<node " * 50_000, b'<node name="' + b"x" * 400_000):
        assert len(names_in_collada(data)) <= 4096
