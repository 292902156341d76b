"""Pipelines on the command line."""

from structron.cli.pipeline.face import PipelineFace

FACE = PipelineFace()
