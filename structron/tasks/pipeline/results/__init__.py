"""What is made of the results of a pipeline: formats, chunks, judgements, other readings."""
