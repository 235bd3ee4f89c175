"""`patstone demo` is the real flow, ends within seconds and leaves what it speaks of."""

import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran, shell
from patstone.cli.demo_world import judge, make_world

Run = Callable[..., Ran]


def test_the_demo_ends_with_a_report_and_four_commands(tmp_path: Path) -> None:
    began = os.times()
    ran = shell("demo", "--out", "with space", cwd=tmp_path)
    assert ran.code == 0
    # The processor's seconds: the clock's are those of whatever else runs.
    ended = os.times()
    assert ended.children_user + ended.children_system - began.children_user - began.children_system < 30
    page = tmp_path / "with space" / "report" / "index.html"
    assert "bm25-thesaurus" in page.read_text()
    assert f"The report: {Path('with space') / 'report' / 'index.html'}" in ran.out
    after = ran.out.split("To try next:")[1].strip().splitlines()
    assert len(after) == 4
    for line in after:
        words = shlex.split(line)
        assert words[0] == "patstone"
        again = shell(*words[1:], cwd=tmp_path)
        assert (again.code, bool(again.out)) == (0, True)


def test_the_world_is_the_same_every_time() -> None:
    assert judge(make_world()) == judge(make_world())
    assert judge(make_world(1)) != judge(make_world(2))


def test_no_topic_is_answered_by_its_own_family() -> None:
    world = make_world()
    rows = judge(world)
    assert {topic for topic, _, _, _ in rows} == {topic.number for topic in world.topics}
    assert all(world.family[topic] != world.family[doc] for topic, _, doc, _ in rows)
    assert {grade for _, _, _, grade in rows} == {1, 2}


@pytest.mark.parametrize("name", ["file", "\x00", "taken"])
def test_a_folder_that_cannot_be_written_is_bad_data(patstone: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "taken" / "gold.csv").mkdir(parents=True)
    ran = patstone("demo", "--out", str(tmp_path / name))
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_notes_are_said_unless_quiet_is_asked_for(patstone: Run, tmp_path: Path, quiet: list[str]) -> None:
    patstone("demo", "--out", str(tmp_path))
    words = [str(tmp_path / name) for name in ("gold.csv", "keywords.run")]
    ran = patstone("score", *words, "-m", "AP", *quiet)
    assert ("score of another one" in ran.err) != bool(quiet)
