"""Objects of a build: selection, values, streamed data, and fields of scripts."""
