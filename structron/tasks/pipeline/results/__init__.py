"""The results of a pipeline: formats, chunks, judgements, other readings."""
