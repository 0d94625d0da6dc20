"""The daemon that keeps a project's database current, and everything that talks to it.

A client of one question imports ``assetdb.daemon.client`` and ``assetdb.daemon.status_file``, which import next to
nothing.
"""
