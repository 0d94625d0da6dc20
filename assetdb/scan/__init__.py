"""From a project's folders to facts: list, compare with what is known, read what changed, parse."""
