"""Findings in the forms that services read: GitHub's log lines and SARIF, GitLab's Code Quality, JUnit, JSON Lines.

Each module has ``lines(findings, ...)``, which yields text; nothing here prints.
"""
