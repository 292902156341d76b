"""The labels of a classifier: their kinds, how they are read, returned and scored."""
