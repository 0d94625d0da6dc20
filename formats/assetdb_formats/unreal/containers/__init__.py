"""Containers of a build: .pak files, and .utoc files through ``iostore``."""
