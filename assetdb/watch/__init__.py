"""The daemon that keeps a project's database current, and everything that talks to it.

A client of one question imports ``assetdb.watch.client`` and ``assetdb.watch.place``, which import next to nothing.
"""
