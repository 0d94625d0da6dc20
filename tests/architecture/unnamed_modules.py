"""Modules of more than 60 lines without a test file of their name, by the reason why; the list may only shrink.

A room is the package of a module down to two names, so that a module may move within it.
"""

from __future__ import annotations

from typing import Final

UNNAMED: Final = {
    "Commands: typed as whole lines by the tests of tests/assetdb/cli and tests/system; the answers are made below.": {
        "assetdb.cli": """
            application arguments ask assets bake casset_values commands compare daemon_process declaration
            deps diagnostics differences each export find groups history info inputs locate log ls
            neighbourhood opened options packages parameters questions reported reporting show size target
            trace unityfs_values unused watch ways write zen
        """,
    },
    "Steps of a conversation, held by tests that talk to the whole server or daemon as its clients do.": {
        "assetdb.client": "command control detach",
        "assetdb.daemon": """
            api call connection control_methods descriptors endpoint inotify_calls lock methods paths registry
            remote_command saver schedule session start status_file suspend watchdog
        """,
        "assetdb.lsp": """
            background_tasks capabilities completion connection definition findings folding hover
            lifecycle open_documents outline projects registry selection structures symbols usages workers
            workspace
        """,
        "assetdb.mcp": "arguments declarations framing protocol rendering",
    },
    "Steps of one reader or writer of a foreign format: read back from files that the tests of the family write.": {
        "assetdb_formats": "binary extraction joined",
        "assetdb_formats.addressables": """
            catalog content content_state diff edit errors extract flavour lazy listing model nrbf opening
            provenance reader settings strings summary tagged text verify writer writing
        """,
        "assetdb_formats.casset": """
            bundle2 bundle3 changes diff edit encode field_steps files index model objects references scalars
            schema schema_values sized text typed verify
        """,
        "assetdb_formats.codecs": "bincode city_hash",
        "assetdb_formats.dotnet": "image resolution signatures tables",
        "assetdb_formats.unityfs": """
            archive blocks builtin compression diff directory engine_types layouts loaded mainclass neighbours
            objects player release serialized summary tree_values typetree usages verify
        """,
        "assetdb_formats.unreal": """
            aes archives build chunk_types comparison compression container container_header contents
            dependencies directory_index errors exports import_names inference info locations metadata mounts
            name_batch names objects oodle open_file opening package package_file package_folder package_graph
            packed pak_packages parts payloads records references registry rig_hierarchy rig_vm scan
            script_objects store strings structs summary tags text tiles unversioned usmap verify
            versions
        """,
    },
    "Steps of an answer, compared with plain statements of the rule over whole projects, builds or histories.": {
        "assetdb.builds": """
            answers comparison content contents duplicates facts finding following hierarchy implicit
            levels opening question reading reasons rows selection sources tables traced
            unreal_containers verification
        """,
        "assetdb.checks": """
            assembly_graph build_scenes github grouping guid_owners journal junit lineage locating manifests
            metas orphans project_settings race_check references removing request restoring safe_files
            sarif state undoing unknown_guids unowned
        """,
        "assetdb.export": "contents exporting folder formats pieces tables",
        "assetdb.history": "merging mirror objects process questions renames stamp",
    },
    "Tables and what reads them: their rows are compared with Unity's, the system's or the pages' own.": {
        "assetdb.diagnostics": "pages",
        "assetdb.doctor": "project surroundings",
    },
}
