"""Modules of more than 60 lines without a test file of their name, by the reason why; the list may only shrink.

A room is the package of a module down to two names, so that a module may move within it.
"""

from __future__ import annotations

from typing import Final

UNNAMED: Final = {
    "Commands: typed as whole lines by the tests of tests/assetdb/cli and tests/system; the answers are made below.": {
        "assetdb.cli": """
            application arguments ask assets bake casset_values commands compare daemon_process declaration deps
            find info locate ls neighbourhood opened options packages parameters questions reported reporting show
            size target trace ways write zen
        """,
    },
    "Steps of a conversation, held by tests that talk to the whole server or daemon as its clients do.": {
        "assetdb.daemon": """
            api call control_methods endpoint inotify_calls methods registry remote_command
            watchdog
        """,
        "assetdb.lsp": """
            completion connection findings projects structures workspace
        """,
        "assetdb.mcp": "declarations",
    },
    "Steps of one reader or writer of a foreign format: read back from files that the tests of the family write.": {
        "assetdb_formats.addressables": """
            catalog errors flavour lazy model opening summary
        """,
        "assetdb_formats.casset": """
            encode field_steps files model schema_values sized
        """,
        "assetdb_formats.unreal": """
            build chunk_types container container_header directory_index
            errors open_file store structs verify
        """,
    },
    "Steps of an answer, compared with plain statements of the rule over whole projects, builds or histories.": {
        "assetdb.builds": """
            answers facts following opening traced unreal_containers
        """,
        "assetdb.export": "contents exporting formats tables",
    },
    "Tables and what reads them: their rows are compared with Unity's, the system's or the pages' own.": {
        "assetdb.diagnostics": "pages",
        "assetdb.doctor": "project surroundings",
    },
}
