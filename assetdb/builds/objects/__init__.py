"""Objects of a build: chosen by words, their streamed data, their bytes and values, what scripts add to them."""
