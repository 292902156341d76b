"""Labelled spans as annotation tools have them: JSON with offsets, brat, and labels of words."""

from typing import TYPE_CHECKING

from structron.io.values.annotated_text import AnnotatedText as AnnotatedText, LabelledSpan as LabelledSpan
from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.io.annotations.brat import read_brat as read_brat, write_brat as write_brat
    from structron.io.annotations.json_lines import (
        TOOLS as TOOLS,
        json_of as json_of,
        read_annotated as read_annotated,
        write_annotated as write_annotated,
    )
    from structron.io.annotations.labels import (
        labels_of_spans as labels_of_spans,
        misfit as misfit,
        spans_of_labels as spans_of_labels,
    )

on_first_use(__name__)
