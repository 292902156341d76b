"""What is made of the results of a pipeline: chunks, formats, figures, other readings."""
