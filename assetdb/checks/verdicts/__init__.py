"""Verdicts on all references of a project, with the places of problems."""

from assetdb.checks.verdicts.judging import JudgedProject, judge_project

__all__ = ["JudgedProject", "judge_project"]
