"""The daemon that keeps a project's database current.

Its client is ``assetdb.client``; the two share ``status_file``, ``endpoint`` and ``rpc.protocol``.
"""
