"""The protocol: messages, framing, handshake and registry."""
