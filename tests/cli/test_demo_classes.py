"""The demo's classification task: terms of the theme, and two classifiers that are wrong in different ways."""

from collections import Counter

from patstone.cli import demo_classes
from patstone.cli.demo_theme import theme
from patstone.cli.demo_world import make_world

WORLD = make_world()


def lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_every_term_is_in_the_theme() -> None:
    known = set(theme().split())
    for text in (demo_classes.gold(WORLD), *(demo_classes.answers(WORLD, name) for name in demo_classes.HITS)):
        assert {term for _, _, term, *_ in lines(text)} <= known
        assert {code for _, code, *_ in lines(text)} == {demo_classes.THEME_CODE}


def test_true_terms_are_one_for_each_feature() -> None:
    counts = Counter(patent for patent, *_ in lines(demo_classes.gold(WORLD)))
    assert counts == {topic.number: len(topic.features) for topic in WORLD.topics}


def test_answers_rank_each_term_once_and_assign_the_first() -> None:
    for name in demo_classes.HITS:
        answers: dict[str, list[tuple[str, str]]] = {}
        for patent, _, term, flag in lines(demo_classes.answers(WORLD, name)):
            answers.setdefault(patent, []).append((term, flag))
        assert answers.keys() == {topic.number for topic in WORLD.topics}
        for ranking in answers.values():
            assert len({term for term, _ in ranking}) == len(ranking) == demo_classes.RANKED
            assert [flag for _, flag in ranking] == ["yes"] * 3 + ["no"] * 5


def test_top_down_stays_in_the_viewpoint() -> None:
    true = demo_classes.true_terms(WORLD)
    for patent, _, term, flag in lines(demo_classes.answers(WORLD, "top-down")):
        assert flag == "no" or term[:2] in {each[:2] for each in true[patent]}
