"""The formats of the field, one file each."""
