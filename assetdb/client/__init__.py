"""Clients of the daemon: Python API, one-shot commands, start and stop.

``assetdb.client.command`` answers a question on the command line and imports next to nothing. A client may import the
daemon's protocol, endpoint and status file; the daemon imports nothing of this.
"""
