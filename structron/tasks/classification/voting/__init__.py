"""Models in which the weight vectors of a training vote."""
