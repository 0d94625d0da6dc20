"""Programs that talk to a daemon: the Python API, the one-shot client of a command line, starting and stopping one.

``assetdb.client.command`` answers a question on the command line and imports next to nothing. A client may import the
daemon's protocol, endpoint and status file; the daemon imports nothing of this.
"""
