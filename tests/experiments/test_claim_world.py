"""The made-up benchmark is as large, as noisy and as repeatable as it says, and its labels follow what was done."""

from collections import Counter

import numpy as np

from patstone.compare.correlation import kendall_tau_b
from patstone.experiments.claim_world import FAULTS, Candidate, benchmark
from patstone.patents.claims import resolve, split
from patstone.systems.judges.structural import features


def test_its_size_and_its_traps() -> None:
    found = benchmark()
    assert len(found) == 320
    assert found.counts["golds"] == 64
    assert found.criteria == ("completeness", "clarity", "consistency", "linkage", "overall")
    assert 30 < found.counts["with_identical_candidate"] < 90
    times = Counter([*found.a.tolist(), *found.b.tolist()])
    assert max(times.values()) > 1
    assert {-1.0, 0.0, 1.0} == set(np.unique(found.labels).tolist())
    assert [finding.severity for finding in found.findings if finding.severity == "error"] == []


def test_the_same_seed_gives_the_same_texts() -> None:
    assert benchmark(10, seed=3).digest == benchmark(10, seed=3).digest != benchmark(10, seed=4).digest


def test_golds_are_sound_and_candidates_are_not() -> None:
    found = benchmark(20)
    for place in np.unique(found.gold).tolist():
        claims = resolve(split(found.texts[place]))
        assert claims.findings == ()
        assert len(claims) >= 6
    faulty = [resolve(split(found.texts[place])).findings for place in np.unique(found.a).tolist()]
    assert sum(map(bool, faulty)) > 5


def test_labels_follow_the_faults_and_criteria_are_not_one() -> None:
    found = benchmark()
    speaking = {"completeness": "elements_found", "clarity": "plain_words", "linkage": "references"}
    for criterion, feature in speaking.items():
        gaps = [
            features(found.texts[gold], found.texts[a])[feature] - features(found.texts[gold], found.texts[b])[feature]
            for gold, a, b in zip(found.gold[:150], found.a[:150], found.b[:150], strict=True)
        ]
        taus = {name: kendall_tau_b(gaps, found.labels[:150, at]) for at, name in enumerate(found.criteria[:4])}
        assert taus[criterion] == max(taus.values()) > 0.3, criterion


def test_quality_is_nothing_but_the_degrees() -> None:
    worse = Candidate(text="", degrees=dict.fromkeys(FAULTS, 2))
    assert Candidate(text="").quality("overall") == 0 > worse.quality("overall")
    assert worse.quality("clarity") == -2
