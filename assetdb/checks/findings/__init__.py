"""Findings: the engine, their selection, baselines and paths."""
