"""What `score` and `compare` begin with: open everything, score it, and collect what a reader should be told."""

from collections.abc import Sequence
from typing import Any

from patstone import api
from patstone.cli.progress import watched
from patstone.measures.scores import Scores
from patstone.report.notes import notes
from patstone.sources import families_for, open_all, open_lengths, open_vocabulary

READING = ("gold_format", "run_format", "columns", "subtopics")


def scored(
    gold: str, runs: Sequence[str], measures: Sequence[str] | None, words: dict[str, Any]
) -> tuple[Scores, list[str]]:
    """The scores, and remarks: measures that nobody chose, how sources were read, what the policies touched."""
    # Opened here and not by `score`, because what the readers noted stands on the opened values.
    judged, answers = open_all(gold, runs, **{name: words[name] for name in READING if name in words})
    known, lengths = families_for(gold, words.get("families")), open_lengths(words.get("lengths"))
    terms = open_vocabulary(words.get("scheme"), words.get("level"))
    rest = {name: value for name, value in words.items() if name not in (*READING, "level")}
    rest |= {"families": known, "lengths": lengths, "scheme": terms}
    scores = api.score(judged, watched(answers), measures or (), **rest)
    chosen = [] if measures else [f"without -m the measures are {' '.join(map(str, scores.measures))}."]
    sources = (judged, *answers, known, lengths, *(terms.schemes if terms else ()))
    read = [note for source in sources for note in getattr(source, "notes", ())]
    return scores, [*chosen, *read, *notes(scores)]
