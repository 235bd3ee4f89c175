"""Lexical judges agree with the tools that everybody uses, and with tables filled in cell by cell."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.meteor_score import single_meteor_score
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from patstone.systems.judges.judge import Explains
from patstone.systems.judges.meteor import Meteor, _NoWordNet
from patstone.systems.judges.registry import find_judge
from patstone.systems.judges.strings import Pattern
from patstone.systems.judges.tokens import words

GOLD = (
    "1. A pump comprising: a housing (10); a rotor in the housing; and a seal between the rotor and the housing.\n"
    "2. The pump of claim 1, wherein the rotor's blades are of steel-like material."
)
OTHERS = [
    GOLD,
    "1. A pump comprising: a rotor; a housing around the rotor.\n2. Pump of claim 1, in which blades are steel.",
    "A method of washing.",
    "",
    "Eine Pumpe mit Gehäuse, 3.5 mm",
    "pump pump pump housing housing seal the the the",
]
CALM = settings(max_examples=200, deadline=None, derandomize=True, database=None)
SHORT = st.lists(st.integers(0, 3), max_size=30)


def plain_distance(one: Sequence[int], other: Sequence[int]) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        fresh = [i]
        for j, b in enumerate(other, start=1):
            fresh.append(min(row[j] + 1, fresh[-1] + 1, row[j - 1] + (a != b)))
        row = fresh
    return row[-1]


def plain_common(one: Sequence[int], other: Sequence[int]) -> int:
    row = [0] * (len(other) + 1)
    for a in one:
        fresh = [0]
        for j, b in enumerate(other, start=1):
            fresh.append(row[j - 1] + 1 if a == b else max(row[j], fresh[-1]))
        row = fresh
    return row[-1]


@CALM
@given(SHORT, SHORT)
def test_bits_and_cells_agree(one: list[int], other: list[int]) -> None:
    assert Pattern.of(one).distance(other) == plain_distance(one, other)
    assert Pattern.of(one).common(other) == plain_common(one, other)


def test_bits_and_cells_agree_beyond_a_machine_word() -> None:
    rng = random.Random(1)
    one, other = ([rng.randrange(40) for _ in range(size)] for size in (301, 257))
    assert Pattern.of(one).distance(other) == plain_distance(one, other)
    assert Pattern.of(one).common(other) == plain_common(one, other)


@pytest.mark.parametrize(("name", "theirs"), [("ROUGE-1", "rouge1"), ("ROUGE-2", "rouge2"), ("ROUGE-L", "rougeL")])
def test_rouge_equals_rouge_score(name: str, theirs: str) -> None:
    scorer = RougeScorer([theirs], use_stemmer=False)
    ours = find_judge(name).score([GOLD] * len(OTHERS), OTHERS)
    assert ours.tolist() == pytest.approx([scorer.score(GOLD, text)[theirs].fmeasure for text in OTHERS], abs=1e-12)


def test_sacrebleu_with_its_signatures() -> None:
    peers = {"BLEU": BLEU(effective_order=True), "chrF": CHRF()}
    for name, metric in peers.items():
        judge = find_judge(name)
        assert judge.score([GOLD] * 3, OTHERS[:3]).tolist() == [
            metric.sentence_score(text, [GOLD]).score for text in OTHERS[:3]
        ]
        assert judge.signature == f"{name}|{metric.get_signature()}"


def test_ter_with_and_without_shifts() -> None:
    moved = "and a seal 1. A pump comprising: a housing (10); a rotor in the housing;"
    full, quick = (find_judge(name).score([GOLD, GOLD], [moved, GOLD]) for name in ("TER-shifts", "TER"))
    assert full[0] == 100 - TER().sentence_score(moved, [GOLD]).score
    assert full[0] / 100 > quick[0]
    assert full[1] / 100 == quick[1] == 1


def test_ter_without_shifts_by_hand() -> None:
    # a b c d -> a c d e: one word deleted, one inserted, of four.
    assert find_judge("TER").score(["a b c d"], ["a C d e"]).tolist() == [0.5]


@pytest.mark.parametrize("text", OTHERS)
def test_meteor_equals_nltk(text: str) -> None:
    judge = Meteor.of()
    theirs = single_meteor_score(words(GOLD), words(text), wordnet=judge.wordnet)
    assert judge.score([GOLD], [text]).tolist() == [theirs]
    if isinstance(judge.wordnet, _NoWordNet):
        assert "exact,stem|" in judge.signature


def test_edit_similarity_and_token_f1_by_hand() -> None:
    assert find_judge("edit").score(["abcd"], ["acd "]).tolist() == [0.75]
    # {a, b, b, .} and {b, a, c}: two shared of four and three.
    assert find_judge("token-F1").score(["a b b."], ["b a c"]).tolist() == [pytest.approx(4 / 7)]


@pytest.mark.parametrize("name", ["BLEU", "chrF", "ROUGE-1", "ROUGE-2", "ROUGE-L", "TER", "edit", "token-F1"])
def test_the_gold_itself_is_best_and_nothing_is_worst(name: str) -> None:
    judge = find_judge(name)
    scores = judge.score([GOLD] * len(OTHERS), OTHERS)
    assert scores[0] == scores.max()
    assert scores[3] == scores.min()
    if isinstance(judge, Explains):
        assert len(judge.explain([GOLD], [GOLD])) == 1


def test_what_drove_a_score() -> None:
    judge = find_judge("ROUGE-1")
    assert isinstance(judge, Explains)
    assert judge.explain(["a b c d"], ["a b x"]) == [{"precision": 2 / 3, "recall": 0.5, "shared": 2}]
