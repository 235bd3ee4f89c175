"""Our measures in ir_measures, and so in PyTerrier. One line makes them known: `import patstone.provider`.

ir_measures finds no providers by itself, so importing this module adds one to its registry and to the end of its
default pipeline. Measures keep their names; one that ir_measures has too, perhaps by another definition, is called
`ps_…` there (`ps_nERR_IA@10`), so that no number changes behind anyone's back. ir_measures is not needed otherwise.
"""

# mypy: disable-error-code="no-untyped-call"
# ir_measures says that it is typed, and leaves most of its functions without types.

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import ir_measures
from ir_measures import providers
from ir_measures.util import QrelsConverter, RunConverter

from patstone.gold.qrels import Qrels
from patstone.measures.engine import score
from patstone.measures.measure import Card, Measure, Parameter, make, registry
from patstone.measures.policies import Policies
from patstone.patents.families import Families
from patstone.systems.lengths import Lengths
from patstone.systems.run import Run

PREFIX = "ps_"


class Provider(providers.Provider):
    """Computes with one set of policies, and with families and lengths where they are known."""

    NAME = "patstone"

    def __init__(self, policies: Policies, families: Families | None, lengths: Lengths | None) -> None:
        super().__init__()
        self.policies, self.families, self.lengths = policies, families, lengths
        self.SUPPORTED_MEASURES = list(_MEASURES.values())

    def supports(self, measure: ir_measures.Measure) -> bool:
        if measure.NAME not in _CARDS:
            return False
        measure.validate_params()
        return True

    def qrel_inputs(self, measures: Iterable[ir_measures.Measure]) -> list[str]:
        aspects = any("subtopics" in translated(measure).card.needs for measure in measures)
        return ["query_id", "doc_id", "relevance", *(["iteration"] if aspects else [])]

    def _evaluator(self, measures: Iterable[ir_measures.Measure], qrels: Any) -> "Evaluator":  # noqa: ANN401 - theirs
        return Evaluator(self, list(measures), list(QrelsConverter(qrels).as_namedtuple_iter()))


class Evaluator(providers.Evaluator):
    def __init__(
        self, provider: Provider, measures: Sequence[ir_measures.Measure], judgments: Sequence[ir_measures.Qrel]
    ) -> None:
        super().__init__(measures, list(dict.fromkeys(judgment.query_id for judgment in judgments)))
        self.provider = provider
        self.ours = {measure: translated(measure) for measure in measures}
        self.gold = gold_of(judgments, aspects=any("subtopics" in ours.card.needs for ours in self.ours.values()))

    def _iter_calc(self, run: Any) -> Iterator[ir_measures.Metric]:  # noqa: ANN401 - whatever ir_measures reads
        answers = Run.from_dict(RunConverter(run).as_dict_of_dict())
        # ir_measures gives every topic its default, 0, where nothing is yielded.
        if not len(answers):
            return
        asked = list(dict.fromkeys(self.ours.values()))
        found = score(
            self.gold,
            [answers],
            asked,
            policies=self.provider.policies,
            families=self.provider.families,
            lengths=self.provider.lengths,
        )
        for theirs, ours in self.ours.items():
            for topic, value in zip(found.topics, found.values[0, asked.index(ours)].tolist(), strict=True):
                yield ir_measures.Metric(query_id=topic, measure=theirs, value=value)


def gold_of(judgments: Sequence[ir_measures.Qrel], *, aspects: bool) -> Qrels:
    """The iteration column names the subtopic, as for ir_measures' own diversity measures."""
    return Qrels.from_columns(
        [judgment.query_id for judgment in judgments],
        [judgment.doc_id for judgment in judgments],
        [judgment.relevance for judgment in judgments],
        subtopics=[getattr(judgment, "iteration", "0") for judgment in judgments] if aspects else None,
    )


def translated(measure: ir_measures.Measure) -> Measure:
    params = {name: value for name, value in measure.params.items() if name != "cutoff"}
    return make(_CARDS[str(measure.NAME)].name, params, measure.params.get("cutoff"))


def _name(card: Card) -> str:
    return PREFIX + card.name if card.name in ir_measures.measures.registry else card.name


def _measure(name: str, card: Card) -> ir_measures.Measure:
    """A measure of ir_measures' kind that says what our card says."""
    supported = {parameter.name: _info(parameter) for parameter in card.parameters}
    if card.cutoff != "none":
        required = card.cutoff == "required" and card.default_cutoff is None
        default = {} if card.default_cutoff is None else {"default": card.default_cutoff}
        supported["cutoff"] = ir_measures.ParamInfo(dtype=int, required=required, desc=card.cutoff_doc, **default)
    # ir_measures prints the __name__ that it finds in the class's body.
    body = {"__name__": name, "NAME": name, "SHORT_DESC": card.title, "SUPPORTED_PARAMS": supported}
    kind: type[ir_measures.Measure] = type(name, (ir_measures.Measure,), {**body, "__doc__": card.formula})
    return kind()


def _info(parameter: Parameter) -> ir_measures.ParamInfo:
    kinds = str if parameter.choices else int if parameter.integer else (int, float)
    choices = {"choices": parameter.choices} if parameter.choices else {}
    return ir_measures.ParamInfo(dtype=kinds, default=parameter.default, desc=parameter.doc, **choices)


_CARDS = {_name(card): card for card in registry().values()}
_MEASURES = {name: _measure(name, card) for name, card in _CARDS.items()}


def register(
    *, policies: Policies | None = None, families: Families | None = None, lengths: Lengths | None = None
) -> Provider:
    """Make the measures known to ir_measures; a second call replaces what the first one set."""
    ir_measures.measures.registry.update(_MEASURES)
    provider = Provider(policies or Policies(), families, lengths)
    providers.register(provider)
    # At the end: whatever ir_measures can compute itself, it goes on computing.
    pipeline = ir_measures.DefaultPipeline.providers
    pipeline[:] = [known for known in pipeline if not isinstance(known, Provider)] + [provider]
    return provider


def __getattr__(name: str) -> ir_measures.Measure:
    """`from patstone.provider import PRES` gives the measure as ir_measures' users write it: `PRES @ 100`."""
    if name in _MEASURES:
        return _MEASURES[name]
    raise AttributeError(f"module 'patstone.provider' has no attribute {name!r}")


register()
