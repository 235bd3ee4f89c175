"""BLEU, chrF and full TER by sacreBLEU, with its signatures, so that numbers can be held against other papers'.

Scores are sentence scores of a whole claim set, 0 to 100 as sacreBLEU gives them; of TER, of which less is better,
100 - TER. BLEU takes sacreBLEU's effective order, its advice for single texts. Full TER searches for shifts of phrases
and takes some seconds for a claim set; the quick one without shifts is in `overlap`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from patstone.errors import MissingExtra
from patstone.gold.qrels import Floats
from patstone.systems.judges.judge import Drivers

Metric = Literal["BLEU", "chrF", "TER-shifts"]


@dataclass(frozen=True, eq=False)
class SacreBleu:
    name: Metric
    metric: Any
    criteria: tuple[str, ...] = ()
    needs_gold: bool = True

    @classmethod
    def of(cls, name: Metric) -> "SacreBleu":
        try:
            from sacrebleu.metrics.bleu import BLEU
            from sacrebleu.metrics.chrf import CHRF
            from sacrebleu.metrics.ter import TER
        except ImportError:
            raise MissingExtra("claims", f"Judge {name!r}") from None
        makers: dict[Metric, Any] = {
            "BLEU": lambda: BLEU(effective_order=True),
            "chrF": CHRF,
            "TER-shifts": TER,
        }
        return cls(name, makers[name]())

    @property
    def signature(self) -> str:
        from sacrebleu import __version__

        # sacreBLEU knows its own signature only once it has seen a text.
        self.metric.sentence_score("a", ["a"])
        said = str(self.metric.get_signature())
        return (
            f"{self.name}|{said}" if f"version:{__version__}" in said else f"{self.name}|{said}|version:{__version__}"
        )

    def score(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Floats:
        found = [
            self.metric.sentence_score(text, [gold]).score
            for gold, text in zip(gold_claims, candidate_claims, strict=True)
        ]
        scores = np.array(found, dtype=np.float64)
        return 100 - scores if self.name == "TER-shifts" else scores

    def explain(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> list[Drivers]:
        if self.name != "BLEU":
            return [{} for _ in candidate_claims]
        found = (
            self.metric.sentence_score(text, [gold]) for gold, text in zip(gold_claims, candidate_claims, strict=True)
        )
        return [
            {f"precision_{place}": value for place, value in enumerate(each.precisions, start=1)}
            | {"brevity_penalty": each.bp, "length_ratio": each.ratio}
            for each in found
        ]
