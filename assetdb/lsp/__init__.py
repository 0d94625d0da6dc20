"""The language server: names, usages and findings of Unity projects in every editor that speaks LSP."""
