"""The daemon that keeps a project's database current.

What talks to it is ``assetdb.client``; the two share ``status_file``, ``endpoint`` and ``rpc.protocol``.
"""
