"""Files: opening, reading and writing them whole."""
