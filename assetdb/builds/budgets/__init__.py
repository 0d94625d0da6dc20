"""Budgets of a build: sizes, exceeded limits and their causes."""
