"""The language server: names, usages and findings in editors."""
