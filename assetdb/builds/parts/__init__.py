"""The parts a build consists of: found in folders and archives, read, remembered; and which of them a name means."""
