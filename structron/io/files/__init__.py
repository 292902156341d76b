"""Opening, reading and writing of files."""
