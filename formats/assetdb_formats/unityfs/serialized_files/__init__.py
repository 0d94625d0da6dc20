"""SerializedFiles: their metadata, and the objects in them."""
