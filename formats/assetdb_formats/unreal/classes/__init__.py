"""Exports of classes that write a body instead of properties."""
