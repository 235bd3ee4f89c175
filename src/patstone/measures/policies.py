"""What is settled before anything is counted: every choice that could change a number has a name and a default.

A policy stands in the signature of each score it shaped, and what it touched is counted beside the score.
"""

from dataclasses import dataclass, fields
from math import isfinite
from typing import Literal, get_args, get_type_hints

from patstone.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Policies:
    ties: Literal["docid", "input", "expected"] = "docid"
    """Equal scores: by document id descending (trec_eval), in the rank given, or the mean over all orders."""
    missing: Literal["zero", "skip", "error"] = "zero"
    """A judged topic that the run does not answer scores 0, is left out, or is an error."""
    norel: Literal["zero", "skip"] = "zero"
    """A topic without a relevant document counts as 0 or is left out."""
    duplicates: Literal["error", "first"] = "error"
    """A document twice in a topic's list is an error, or its better place is kept."""
    self: Literal["family", "document", "keep"] = "family"
    """What leaves the ranking: the topic's own document and its known family, the document only, or nothing."""
    scores: Literal["float64", "float32"] = "float64"
    """The precision in which scores are compared: trec_eval 10's, or trec_eval 9's and pytrec_eval's."""
    rel: float = 1
    """The grade from which a document counts as relevant, for measures that do not set their own."""
    unknown: Literal["apart", "error"] = "apart"
    """A class that its scheme lacks is close to nothing but itself, or an error."""
    depth: int | None = None
    """Look at this many documents of each ranking and no more."""
    offices: tuple[str, ...] = ()
    """Keep only documents whose id starts with one of these office codes."""

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for field in fields(self):
            allowed = get_args(hints[field.name])
            value = getattr(self, field.name)
            if all(isinstance(choice, str) for choice in allowed) and allowed and value not in allowed:
                choices = ", ".join(map(repr, allowed))
                raise UsageError(f"The {field.name!r} policy must be one of {choices}. Got {value!r} instead.")
        if isinstance(self.rel, str | bool) or not isfinite(self.rel):
            raise UsageError(f"The 'rel' policy must be a number in (-inf, inf). Got {self.rel!r} instead.")
        if self.depth is not None and (not isinstance(self.depth, int) or self.depth is True or self.depth < 1):
            raise UsageError(f"The 'depth' policy must be an int in [1, inf). Got {self.depth!r} instead.")
        if self.depth is not None and self.ties == "expected":
            raise UsageError("With ties=expected no single order could be cut at a depth; give the measures a cutoff.")
        for code in self.offices:
            if len(code) != 2 or not (code.isascii() and code.isupper() and code.isalpha()):
                rule = "The 'offices' policy must be codes of two capital letters, such as EP."
                raise UsageError(f"{rule} Got {code!r} instead.")
