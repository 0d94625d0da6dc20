"""The MCP server: the project's answers for assistants, on stdin and stdout."""
