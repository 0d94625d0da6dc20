"""What ``docs/agents.md`` shows is what the server says."""

from __future__ import annotations

import json
import os
import re

import pytest

from assetdb.mcp.declarations import READING, WRITING
from scripts.pages import DOCS, Task, agents_page, tasks

TEXT = (DOCS / "agents.md").read_text("utf-8")
TASKS = list(tasks(TEXT))


@pytest.mark.skipif(os.name == "nt", reason="files have other bytes there, and tokens are made of them")
def test_the_page_shows_the_answers_of_its_calls() -> None:
    assert agents_page(TEXT) == TEXT, "run python -m scripts.pages"


def test_there_are_twenty_tasks() -> None:
    assert len(TASKS) == 20
    assert not [task.question for task in TASKS if any("no asset named" in answer for answer in task.answers)]


@pytest.mark.parametrize("task", TASKS, ids=[task.question for task in TASKS])
def test_a_task_takes_at_most_three_calls_and_8000_tokens(task: Task) -> None:
    assert len(task.calls) <= 3
    assert sum(len(text.encode()) for text in (*task.calls, *task.answers)) <= 8000 * 4


def test_the_page_names_every_tool_and_is_right_about_json() -> None:
    for tool in READING + WRITING:
        assert f"`{tool.name}`" in TEXT, tool.name
    (block,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert json.loads(block)["mcpServers"]["assetdb"]["args"][0] == "mcp"
