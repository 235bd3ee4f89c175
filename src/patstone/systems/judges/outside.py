"""Judges that live elsewhere: a program of the user's, or an HTTP endpoint (an LLM judge, a vendor's tool).

A comparison is asked as one JSON object {"gold", "a", "b"} and answered by {"a": number, "b": number} or
{"preference": number}, above 0 where a is better. It is asked in both orders; the two answers are averaged, and how
often the verdict goes with the place is reported. Single candidates are asked as {"gold", "candidate"} and answered
by {"score": number}. A program gets all questions as lines and answers line by line; an endpoint gets one a request.
"""

import json
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.gold.qrels import Floats
from patstone.systems.judges.judge import Compared

Question = Mapping[str, str]
Ask = Callable[[Sequence[Question]], Sequence[tuple[int, Mapping[str, Any]]]]
"""Answers with the number of each, from 1, for messages."""
_TRIES = 3
_TIMEOUT = 120.0


@dataclass(frozen=True, eq=False)
class Outside:
    name: str
    ask: Ask
    criteria: tuple[str, ...] = ()
    needs_gold: bool = False

    @property
    def signature(self) -> str:
        return f"{self.name}|orders:both"

    def score(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Floats:
        questions = [
            {"gold": gold, "candidate": text} for gold, text in zip(gold_claims, candidate_claims, strict=True)
        ]
        answers = self._answers(questions)
        return np.array([self._number(answer, "score", at) for at, answer in answers], dtype=np.float64)

    def compare(self, gold_claims: Sequence[str], a: Sequence[str], b: Sequence[str]) -> Compared:
        rows = list(zip(gold_claims, a, b, strict=True))
        asked = [{"gold": gold, "a": one, "b": other} for gold, one, other in rows]
        asked += [{"gold": gold, "a": other, "b": one} for gold, one, other in rows]
        told = np.array([self._both(answer, at) for at, answer in self._answers(asked)], dtype=np.float64)
        straight, turned = told.reshape(2, len(rows), 2)
        scores = (straight + turned[:, ::-1]) / 2
        return Compared(a=scores[:, :1], b=scores[:, 1:], **_bias(self.name, straight, turned))

    def _answers(self, questions: Sequence[Question]) -> Sequence[tuple[int, Mapping[str, Any]]]:
        answers = self.ask(questions)
        if len(answers) != len(questions):
            rule = f"The judge must give one answer for each of {len(questions)} questions."
            raise DataError(rule, path=self.name, value=len(answers))
        return answers

    def _both(self, answer: Mapping[str, Any], at: int) -> tuple[float, float]:
        if "preference" in answer:
            preference = self._number(answer, "preference", at)
            return preference / 2, -preference / 2
        return self._number(answer, "a", at), self._number(answer, "b", at)

    def _number(self, answer: Mapping[str, Any], key: str, at: int) -> float:
        value = answer.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise DataError(f"The answer must have a number under {key!r}.", path=self.name, line=at, value=answer)
        return float(value)


def _bias(name: str, straight: Floats, turned: Floats) -> dict[str, Any]:
    """How often the first place wins, and how often a verdict turns when the candidates change places."""
    one, other = np.sign(straight[:, 0] - straight[:, 1]), np.sign(turned[:, 0] - turned[:, 1])
    verdicts = np.concatenate([one, other])
    first, second = float(np.mean(verdicts > 0)), float(np.mean(verdicts < 0))
    flips = float(np.mean(one != -other))
    note = (
        f"{name}: asked in both orders, {flips:.1%} of verdicts depend on the order; "
        f"the first candidate wins {first:.1%}, the second {second:.1%}"
    )
    return {
        "notes": (note,),
        "counts": {"order_dependent": flips, "first_wins": first, "second_wins": second},
    }


def command(line: str) -> Outside:
    """A program: questions on its standard input, a line each, answers on its standard output in the same order."""
    words = shlex.split(line)
    if not words:
        raise UsageError("Name the program: command:'python judge.py'.")

    def ask(questions: Sequence[Question]) -> Sequence[tuple[int, Mapping[str, Any]]]:
        try:
            done = subprocess.run(  # noqa: S603 - the user's own program
                words,
                input="".join(json.dumps(each) + "\n" for each in questions),
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError as error:
            raise DataError(f"The judge can't be started: {error.strerror}.", path=words[0]) from None
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise DataError(f"The judge ended with exit code {done.returncode}: {last}.", path=words[0])
        lines = enumerate(done.stdout.splitlines(), start=1)
        return [(number, _parsed(text, words[0], number)) for number, text in lines if text.strip()]

    return Outside(f"command:{line}", ask)


def http(url: str) -> Outside:
    """An endpoint: each question is the body of a POST, the answer that of its response."""

    def ask(questions: Sequence[Question]) -> Sequence[tuple[int, Mapping[str, Any]]]:
        return [(number, _posted(url, each, number)) for number, each in enumerate(questions, start=1)]

    return Outside(url, ask)


def _posted(url: str, question: Question, number: int) -> Mapping[str, Any]:
    from time import sleep
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, urlopen

    body = json.dumps(question).encode()
    request = Request(url, data=body, headers={"Content-Type": "application/json"}, method="POST")  # noqa: S310
    for attempt in range(1, _TRIES + 1):
        try:
            with urlopen(request, timeout=_TIMEOUT) as response:  # noqa: S310 - http and https only, see the registry
                return _parsed(response.read().decode("utf-8", "replace"), url, number)
        except (HTTPError, URLError, TimeoutError, ConnectionError) as error:
            # A busy endpoint deserves patience; a refusal does not get better by asking again.
            refused = isinstance(error, HTTPError) and error.code < 500 and error.code != 429
            if refused or attempt == _TRIES:
                raise DataError(f"The judge did not answer: {error}.", path=url, line=number) from None
            sleep(0.5 * 2**attempt)
    raise AssertionError


def _parsed(text: str, path: str, number: int) -> Mapping[str, Any]:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise DataError("An answer must be a JSON object on one line.", path=path, line=number, value=text)
    return answer
