"""From ``{fileID, guid}`` to a name."""
