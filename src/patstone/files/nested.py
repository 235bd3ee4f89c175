"""JSON of the form {topic: {document: number}}, as other evaluation tools exchange runs and judgments.

It is read as a table of topic, doc and score; a topic without documents leaves no row. The record's number stands
for the line.
"""

import sys
from typing import Any

import numpy as np

from patstone.errors import DataError, shorten
from patstone.files.cells import Grid
from patstone.files.delimited import Choose
from patstone.files.jsonlines import reason, strict_parser
from patstone.files.streams import Rewindable
from patstone.files.text import read_text

HEADER = ("topic", "doc", "score")


def read_json(source: Rewindable, choose: Choose) -> Grid:
    topics = _topics(source)
    for topic, docs in topics.items():
        _check_topic(topic, docs, source.name)
    rows = [(topic, doc, number) for topic, docs in topics.items() for doc, number in docs.items()]
    places = choose(HEADER, 1)
    return Grid(
        path=source.name,
        cells={name: [row[place] for row in rows] for name, place in places.items()},
        names={name: HEADER[place] for name, place in places.items()},
        lines=np.arange(1, len(rows) + 1),
    )


def _topics(source: Rewindable) -> dict[str, Any]:
    text = read_text(source)
    try:
        topics = strict_parser()(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise DataError(f"The file is not valid JSON: {reason(error)}.", path=source.name, line=line) from None
    if not isinstance(topics, dict):
        rule = "The file must hold one JSON object, {topic: {document: number}}."
        raise DataError(rule, path=source.name, value=topics)
    return topics


def _check_topic(topic: str, docs: Any, path: str) -> None:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(docs, dict):
        raise DataError(
            f"Topic {shorten(repr(topic))} must be an object of documents and numbers.", path=path, value=docs
        )
    for doc, number in docs.items():
        fits = isinstance(number, int | float) and abs(number) <= sys.float_info.max
        if not fits or isinstance(number, bool):
            raise DataError(
                f"Document {shorten(repr(doc))} of topic {shorten(repr(topic))} must have a number.",
                path=path,
                value=number,
            )
