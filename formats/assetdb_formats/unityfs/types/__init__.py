"""Layouts of classes: type trees, built-in classes and scripts."""
