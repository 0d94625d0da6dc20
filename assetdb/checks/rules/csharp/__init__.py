"""Rules about C#: assembly definitions and scripts."""
