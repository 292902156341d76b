"""Classification on the command line."""

from __future__ import annotations

from structron.cli.classification.face import Answer, Classification
from structron.cli.face import Face
from structron.data.documents import Document
from structron.estimators.classification import Classifier

FACE: Face[Classifier, Document, Answer | str, str] = Classification()
