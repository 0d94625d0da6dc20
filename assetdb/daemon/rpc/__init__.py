"""JSON-RPC on the daemon's socket: protocol, methods, dispatch, connections, transport."""
