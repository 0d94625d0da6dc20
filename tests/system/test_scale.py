"""A fleet of projects in one folder: what docs/scale.md asks of it has one answer, whoever is asked."""

# ruff: noqa: ANN401 - what pandas and Spark return, which may not be here

from __future__ import annotations

import hashlib
import importlib.util
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text("utf-8")
TABLES = ("projects", "assets", "objects", "references", "findings")
PARTITION = ["project", "revision"]

pytest.importorskip("duckdb", reason="Parquet is written by DuckDB: pip install 'assetdb[parquet]'")


def questions() -> list[str]:
    """Return the questions of the page."""
    (block,) = re.findall(r"```sql\n(.*?)```", _PAGE, re.DOTALL)
    found = [text.strip() for text in block.split(";") if text.strip()]
    assert [re.match(r"-- (\d)\. ", text)[1] for text in found] == list("12345678")  # type: ignore[index]
    return [text.partition("\n")[2] for text in found]


def example(tool: str) -> str:
    """Return the Python of the page that imports a tool, without what it prints."""
    (block,) = [text for text in re.findall(r"```python\n(.*?)```", _PAGE, re.DOTALL) if f"import {tool}" in text]
    return "\n".join(line for line in block.splitlines() if not line.startswith("print("))


def copy(project: Path, place: Path) -> Path:
    """Copy a project under GUIDs of its own."""
    shutil.copytree(project, place, ignore=shutil.ignore_patterns("Library"))
    metas = [path.read_bytes() for path in place.rglob("*.meta")]
    own = {found[1] for meta in metas if (found := re.search(rb"^guid: (\w{32})", meta, re.MULTILINE))}

    def other(match: re.Match[bytes]) -> bytes:
        made = hashlib.md5(match[0] + place.name.encode(), usedforsecurity=False).hexdigest().encode()
        return made if match[0] in own else match[0]

    for path in place.rglob("*"):
        if path.is_file():
            path.write_bytes(re.sub(rb"(?<!\w)[0-9a-f]{32}(?!\w)", other, path.read_bytes()))
    return place


@pytest.fixture(scope="module", params=[3, pytest.param(50, marks=pytest.mark.long)])
def fleet(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Return a folder with the exports of copies of a project, in every format."""
    place = tmp_path_factory.mktemp("fleet")
    project = make_project(place / "project")
    for number in range(request.param):
        root = copy(project, place / f"Game {number:02}")
        for shape in ("parquet", "sqlite", "jsonl"):
            words = ["export", str(place / shape), "--format", shape, "--project", str(root), "--quiet"]
            assert main(words) == 0
    return place


def plain(rows: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in rows]


def asked_sqlite(fleet: Path) -> list[list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(fleet / "sqlite" / "assetdb.sqlite")) as connection:
        return [plain(connection.execute(text)) for text in questions()]


def asked_duckdb(fleet: Path, monkeypatch: pytest.MonkeyPatch, shape: str = "parquet") -> list[list[tuple[Any, ...]]]:
    shown = example("duckdb")
    if shape == "jsonl":
        shown = shown.replace("read_parquet", "read_json").replace(".parquet", ".jsonl").replace("fleet/", "jsonl/")
    names: dict[str, Any] = {}
    monkeypatch.chdir(fleet)
    exec(shown.replace("fleet/", "parquet/"), names)  # noqa: S102 - what the page shows
    with names["fleet"] as connection:
        return [plain(connection.execute(text).fetchall()) for text in questions()]


def test_sqlite_and_duckdb_give_one_answer(fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked_sqlite(fleet)
    assert len(found) == 8
    assert all(found), "a question without an answer shows nothing"
    assert asked_duckdb(fleet, monkeypatch) == found
    assert asked_duckdb(fleet, monkeypatch, "jsonl") == found


def test_every_project_has_what_its_copy_has(fleet: Path) -> None:
    counts = {row[2] for row in asked_sqlite(fleet)[0]}
    projects = [row[0] for row in asked_sqlite(fleet)[0]]
    assert len(counts) == 1
    assert projects == sorted(path.name for path in fleet.glob("Game *"))
    assert all(guids == projects for _, projects, guids in asked_sqlite(fleet)[7])


def test_pandas_gives_the_same_answer(fleet: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    pytest.importorskip("pyarrow", reason="pandas reads Parquet with pyarrow, which is not installed")
    frames = {name: pandas.read_parquet(fleet / "parquet" / name) for name in TABLES}
    for frame in frames.values():
        frame[PARTITION] = frame[PARTITION].astype(str)
    found = [plain(answer(frames).itertuples(index=False)) for answer in PANDAS]
    assert found == asked_sqlite(fleet)


def _sorted(frame: Any, by: list[str], descending: str = "") -> Any:
    names = [descending, *by] if descending else by
    return frame.sort_values(names, ascending=[name != descending for name in names])


def _unreferred(tables: dict[str, Any]) -> Any:
    used = tables["references"][[*PARTITION, "target"]].drop_duplicates()
    keys = [*PARTITION, "guid"]
    joined = tables["assets"].merge(used, left_on=keys, right_on=[*PARTITION, "target"], how="left")
    return _sorted(joined[joined["target"].isna()][[*PARTITION, "path"]], [*PARTITION, "path"])


def _most_used(tables: dict[str, Any]) -> Any:
    users = tables["references"][[*PARTITION, "target", "path"]].rename(columns={"path": "user"})
    joined = tables["assets"].merge(users, left_on=[*PARTITION, "guid"], right_on=[*PARTITION, "target"])
    made = joined.groupby([*PARTITION, "path"])["user"].nunique().reset_index(name="users")
    return _sorted(made, [*PARTITION, "path"], "users").head(20)


def _lost(tables: dict[str, Any]) -> Any:
    there = tables["assets"][[*PARTITION, "guid"]].drop_duplicates()
    keys = [*PARTITION, "target"]
    joined = tables["references"].merge(there, left_on=keys, right_on=[*PARTITION, "guid"], how="left")
    return _sorted(
        joined[joined["guid"].isna()].groupby("property").size().reset_index(name="places"), ["property"], "places"
    )


def _components(tables: dict[str, Any]) -> Any:
    objects = tables["objects"][~tables["objects"]["stripped"]]
    kinds = tables["assets"][[*PARTITION, "path", "type"]].rename(columns={"type": "asset_type"})
    joined = objects.merge(kinds, on=[*PARTITION, "path"])
    made = joined.groupby(["asset_type", "type"]).size().reset_index(name="objects")
    return _sorted(made, ["asset_type", "type"], "objects")


def _scripts(tables: dict[str, Any]) -> Any:
    groups = tables["objects"].query("script != ''").groupby("type")
    made = groups.agg(projects=("project", "nunique"), objects=("project", "size")).reset_index()
    return _sorted(made, ["type"], "objects")


def _broken(tables: dict[str, Any]) -> Any:
    groups = tables["findings"].groupby(["code", "severity"])
    made = groups.agg(projects=("project", "nunique"), findings=("project", "size")).reset_index()
    return _sorted(made, ["code"], "findings")


def _shared(tables: dict[str, Any]) -> Any:
    groups = tables["assets"].groupby("path")
    made = groups.agg(projects=("project", "nunique"), guids=("guid", "nunique")).reset_index()
    return _sorted(made[made["projects"] > 1], ["path"])


PANDAS: tuple[Callable[[dict[str, Any]], Any], ...] = (
    lambda tables: tables["assets"].groupby(PARTITION).size().reset_index(name="assets"),
    *(_scripts, _unreferred, _most_used, _broken, _lost, _components, _shared),
)


@pytest.fixture
def spark_views(fleet: Path) -> Iterator[Any]:
    """Yield a session of Spark with the views of the page."""
    if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
        pytest.skip("Spark, or the Java that it runs on, is not installed")
    names: dict[str, Any] = {}
    exec(example("SparkSession").replace("fleet/", f"{fleet}/parquet/"), names)  # noqa: S102 - what the page shows
    yield names["spark"]
    names["spark"].stop()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of Spark's own modules
def test_spark_gives_the_same_answer(fleet: Path, spark_views: Any) -> None:
    assert [plain(spark_views.sql(text).collect()) for text in questions()] == asked_sqlite(fleet)
