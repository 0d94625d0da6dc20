"""Uses of scripts in assets: calls of methods, values of fields."""
