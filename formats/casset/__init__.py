"""Bundles (``.casset``) of CrystalEngine, in every format they were written in."""
