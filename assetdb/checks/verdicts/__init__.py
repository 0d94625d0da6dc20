"""What every reference of a project is worth: how many of each verdict, and each that is a problem with its place."""

from assetdb.checks.verdicts.judging import JudgedProject, judge_project, standing_verdicts

__all__ = ["JudgedProject", "judge_project", "standing_verdicts"]
