"""Sound claim sets invented from a seed: enough like claims to try judges on, where real ones may not be kept.

Each has one or two independent claims and some that depend on them; every term is introduced before it is used.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random

from patstone.patents.publication import Claim


@cache
def _words() -> Mapping[str, Sequence[str]]:
    return tomllib.loads((files("patstone.gold.degrading") / "inventing.toml").read_text(encoding="utf-8"))


def invented(seed: int) -> tuple[Claim, ...]:
    """One claim set; the same seed gives the same."""
    rng, words = Random(seed), _words()
    device = rng.choice(words["devices"])
    parts = rng.sample(words["parts"], rng.randint(5, 9))
    texts = [_device(rng, device, parts[:-2])]
    free = [part for part in words["parts"] if part not in parts]
    rng.shuffle(free)
    texts += [_dependent(rng, device, parts[:-2], free, number) for number in range(2, rng.randint(5, 10))]
    if rng.random() < 0.5:
        texts.append(_method(rng, parts))
    return tuple(Claim(number=number, text=text, language="en") for number, text in enumerate(texts, start=1))


def with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _device(rng: Random, device: str, parts: Sequence[str]) -> str:
    words = _words()
    elements = [with_article(parts[0])]
    for place, part in enumerate(parts[1:], start=1):
        before = rng.choice(parts[:place])
        link = rng.choice([*words["relations"], *words["actions"]])
        elements.append(f"{with_article(part)} {link} the {before}")
    body = "; ".join(elements[:-1])
    purpose = rng.choice(words["purposes"])
    return f"{with_article(device).capitalize()} for {purpose}, comprising: {body}; and {elements[-1]}."


def _dependent(rng: Random, device: str, parts: Sequence[str], free: list[str], number: int) -> str:
    """What a dependent claim adds: a material, an action, or a part of its own."""
    words, (one, other) = _words(), rng.sample(list(parts), 2)
    opening = f"The {device} of claim {rng.choice([1, 1, rng.randint(1, number - 1)])}"
    if not free or rng.random() < 0.4:
        material = rng.choice(words["materials"])
        return f"{opening}, wherein the {one} comprises {material}, and the {other} is spaced apart from the {one}."
    new = free.pop()
    link = rng.choice(words["relations"])
    last = rng.choice(words["actions"])
    return f"{opening}, further comprising {with_article(new)} {link} the {one}, the {new} being {last} the {other}."


def _method(rng: Random, parts: Sequence[str]) -> str:
    words, used = _words(), list(parts)
    steps = [f"{rng.choice(words['verbs'])} {with_article(part)}" for part in used[:4]]
    steps.append(f"{rng.choice(words['verbs'])} the {rng.choice(used[:4])} with the {rng.choice(used[:4])}")
    return f"A method of {rng.choice(words['purposes'])}, comprising: {'; '.join(steps[:-1])}; and {steps[-1]}."
