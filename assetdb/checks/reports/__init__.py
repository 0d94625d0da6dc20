"""Reports of findings for GitHub, SARIF, GitLab, JUnit and JSON Lines.

Each module has ``lines(findings, ...)``, which yields text; nothing here prints.
"""
