"""The bundled gold standard, soft gripping: 900 families with made-up titles, codes, reviews and classifiers' answers.

For demonstrations and tests only: `make` tells how it was made up, and a test holds the files to that.
"""

from pathlib import Path

FILES = (
    "soft-gripping.tsv",
    "soft-gripping.txt",
    "codes.csv",
    "reviews.csv",
    "keywords.csv",
    "neighbours.csv",
)
HERE = Path(__file__).parent
LABELS = HERE / FILES[0]
